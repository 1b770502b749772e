//! Every game of the gallery: it is read, it plays as it says, and what is derived from its patterns is true of all small boards.

use gb_rules::conformance::{boards_below, boards_of_letters, check, check_claims};
use gb_rules::{AnyGame, Player, Variant, with_game};
use gb_text::TextGame;
use gb_value::{Budget, Store};

use crate::{gallery, long};

/// So many boards of a size are gone through.
const MOST_BOARDS: usize = 3_000;
/// Boards that can be reached from the example, where boards are no letters.
const MOST_REACHED: usize = 400;

pub(crate) fn all() -> Vec<(String, TextGame)> {
    let mut games = vec![];
    for entry in std::fs::read_dir(gallery()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let game = TextGame::read(&text, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(game.name(), name, "the file has the name of the game");
        games.push((name, game));
    }
    games.sort_by(|a, b| a.0.cmp(&b.0));
    games
}

/// The edge is where no cell is: around the board, and where a hole is.
#[test]
fn the_edge_is_where_no_cell_is() {
    let options = |condition: &str, board: &str| {
        let text = format!("game g\nboard grid\ncells . empty, x stone\nboth: x -> . {condition}");
        let game = TextGame::read(&text, &[]).unwrap();
        game.open(Variant::Plain, board).read(board).unwrap().options(Player::Left).len()
    };
    let whole = "xxxx|xxxx|xxxx";
    for (condition, count) in [
        ("if beside edge", 10),
        ("unless beside edge", 2),
        ("if around edge", 10),
        ("if north edge", 4),
        ("unless north edge", 8),
        ("if north edge if west edge", 1),
        ("if beside edge if beside .", 0),
    ] {
        assert_eq!(options(condition, whole), count, "{condition}");
    }
    // Empty cells are cells; holes are not.
    assert_eq!(options("unless beside edge", "xxxx|x.xx|xxxx"), 1);
    assert_eq!(options("unless beside edge", "xxxxx|xx#xx|xxxxx"), 0);
    assert_eq!(options("if north edge", "xxx|x#x|xxx"), 4);
}

/// A quarter turn is no symmetry of hexagons where groups have to touch something, whatever the patterns say.
#[test]
fn groups_of_hexagons_are_not_turned() {
    let text =
        "game g\nboard hex\ncells . empty, x stone, o other\nboth: . -> x\nlegal: every group of x touches .";
    let hex = TextGame::read(text, &[]).unwrap();
    assert!(!hex.derived().symmetry.contains("turned to the right"), "{}", hex.derived().symmetry);
    assert!(hex.derived().symmetry.contains("turned by half a circle"), "{}", hex.derived().symmetry);
    let grid = TextGame::read(&text.replace("hex", "grid"), &[]).unwrap();
    assert!(grid.derived().symmetry.contains("all eight images"), "{}", grid.derived().symmetry);
}

/// Every move of the gallery is possible somewhere near its example.
#[test]
fn the_gallery_has_no_warnings() {
    for (name, game) in all() {
        assert_eq!(game.warnings(), [], "{name}");
    }
}

#[test]
fn there_are_at_least_thirty() {
    assert!(all().len() >= 50, "{}", all().len());
}

/// Games of heaps of several numbers are not pointed at.
fn is_pointed_at(game: &AnyGame) -> bool {
    let info = game.info();
    !(info.alphabet.is_empty() && info.example.contains('x'))
}

#[test]
fn every_game_plays_as_it_says() {
    for (name, game) in all() {
        let info = game.info();
        let open = game.open(Variant::Plain, info.example);
        let position = open.read(info.example).unwrap_or_else(|e| panic!("{name} {}: {e}", info.example));
        assert!(!position.options(gb_rules::Player::Left).is_empty(), "{name}: the example has a move");
        if is_pointed_at(&open) {
            with_game!(&open, game => {
                check(&**game, &[info.example], 300).unwrap_or_else(|error| panic!("{name}: {error}"));
            });
        }
    }
}

#[test]
fn what_is_derived_is_true_of_all_small_boards() {
    let most = if long() { 100_000 } else { MOST_BOARDS };
    for (name, game) in all() {
        let mut checked = 0;
        for variant in [Variant::Plain, Variant::Impartial, Variant::Negative] {
            checked += claims(&name, &game, variant, most);
        }
        let loopy = game.info().loopy;
        assert!(loopy || checked > 50, "{name}: {checked} boards");
    }
}

/// Cells that are in the way of a pattern, and change from one letter that is in the way to another: each belongs to one part alone.
#[test]
fn what_stands_in_the_way_and_changes_is_of_one_part() {
    for moves in [
        "left: . -> # unless west [.#]\nright: . -> # unless north [.#] unless south .",
        "left: .. -> ## along south\nright: .. -> ## along east\nboth: . -> # unless north [.#]",
        "left: . -> # unless beside [.#]\nright: .. -> ## along rows unless south [.#]",
    ] {
        for board in ["grid", "hex"] {
            let text = format!("game way\nboard {board}\ncells # hole, . free\n{moves}\n");
            let game = TextGame::read(&text, &[]).unwrap();
            assert!(claims(&text, &game, Variant::Plain, MOST_BOARDS) > 500);
        }
    }
}

/// The first half of a move is none without the second, even if the cell between them never changes.
#[test]
fn halves_of_a_move_are_of_one_part() {
    let text = "game halves\nboard grid\ncells . cell, x cell, o cell, y cell\nright: x -> . unless beside o along orthogonal\nboth: o. -> .~ along queen then .[xy] -> .x along queen\n";
    let game = TextGame::read(text, &[]).unwrap();
    assert!(claims(text, &game, Variant::Plain, MOST_BOARDS) > 500);
}

/// `no x beside x` is about the board as it is after the move, so also about the cells of one pattern.
#[test]
fn letters_that_must_not_meet_do_not_meet_within_a_pattern() {
    let values = |moves: &str, board: &str| {
        let game = TextGame::read(&format!("game apart\nboard strip\ncells . free, x cell\n{moves}\n"), &[])
            .unwrap();
        let open = game.open(Variant::Plain, board);
        Player::BOTH.map(|who| open.read_or_start(board).unwrap().options(who))
    };
    let none: Vec<String> = vec![];
    assert_eq!(values("left: .. -> xx\nlegal: no x beside x", ".."), [none.clone(), none.clone()]);
    assert_eq!(values("left: .x -> x~\nlegal: no x beside x", ".x"), [none.clone(), none.clone()]);
    assert_eq!(values("left: ... -> x.x\nlegal: no x beside x", "..."), [vec!["x.x".to_string()], none]);
    let wrong = "game apart\nboard strip\ncells . free, x cell\nleft: . -> x neighbours . -> x\nlegal: no x beside x\n";
    let error = TextGame::read(wrong, &[]).err().unwrap().to_string();
    assert!(error.contains("line 4") && error.contains("does not go with `neighbours`"), "{error}");
}

fn claims(name: &str, game: &TextGame, variant: Variant, most: usize) -> usize {
    let (info, mut checked) = (game.info(), 0);
    let letters = info.alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).count();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let open = game.open(variant, "8x8");
    let is_grid = letters > 0 && !info.example.contains(';') && !info.example.contains('-');
    let sizes: &[(usize, usize)] =
        &[(1, 3), (1, 5), (1, 6), (1, 7), (1, 9), (1, 11), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4)];
    with_game!(&open, game => {
        if is_grid {
            for &(rows, cols) in sizes {
                if letters.checked_pow((rows * cols) as u32).is_some_and(|count| count <= most) {
                    let boards = boards_of_letters(&**game, rows, cols);
                    checked += check_claims(&**game, &boards, &kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
                }
            }
        } else {
            // Small heaps: without parts, all orders of all heaps that come up are boards of their own.
            let small = ["7", "3x3", "3x2x2"];
            let start = small.iter().filter(|_| letters == 0).find_map(|text| game.read(text).ok());
            let start = start.unwrap_or_else(|| game.read(info.example).unwrap());
            let boards = boards_below(&**game, &[start], MOST_REACHED);
            // A few heaps are few boards: each counts for its moves.
            checked += 20 * check_claims(&**game, &boards, &kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    });
    checked
}

/// Boards of graphs, which the gallery's examples show too little of.
#[test]
fn graphs_fall_apart_and_are_numbered_anew() {
    let graphs = ["6;0-1,1-2,2-3,3-4,4-0,4-5", "7;0-1,0-2,0-3,3-4,3-5,5-6", "4;0-1,0-2,0-3,1-2,1-3,2-3"];
    for name in ["node-kayles", "arc-kayles", "graph-snort", "graph-clobber"] {
        let open = crate::game(name, &[]).open(Variant::Plain, "1;");
        for graph in graphs {
            let text = if name == "graph-clobber" {
                format!("{graph};{}", &"xoxoxox"[..graph[..1].parse().unwrap()])
            } else {
                graph.to_string()
            };
            with_game!(&open, game => {
                let start = game.read(&text).unwrap();
                let boards = boards_below(&**game, &[start], 2_000);
                let (store, budget) = (Store::new(), Budget::unlimited());
                check_claims(&**game, &boards, &store.kernel(&budget)).unwrap_or_else(|e| panic!("{name}: {e}"));
                check(&**game, &[&text], 300).unwrap_or_else(|error| panic!("{name}: {error}"));
            });
        }
    }
}
