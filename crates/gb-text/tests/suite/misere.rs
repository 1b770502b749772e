//! Texts that are played misère, and triangles as graphs.

use std::collections::HashMap;

use gb_rules::{AnyGame, NoMisere, Player, Variant, with_game};
use gb_text::TextGame;
use gb_value::{Budget, Store};

use crate::plain::Plain;
use crate::{gallery, game};

const NIM: &str = "game last-loses\nboard heap\nboth: n -> n-k where k in 1..n\nplay misere";

#[test]
fn who_cannot_move_is_stuck() {
    let text = TextGame::read(NIM, &[]).unwrap();
    let open = text.open(Variant::Plain, "2,1");
    let at = open.read("0,1").unwrap();
    assert_eq!(at.options(Player::Left), ["0,0"]);
    let over = open.read("0,0").unwrap().play(Player::Right, "stuck").unwrap();
    assert_eq!(over.show(), "0,0 (over)");
    assert!(Player::BOTH.into_iter().all(|who| over.options(who).is_empty()));
    assert_eq!(open.read(&over.show()).unwrap().show(), over.show());
    // The rules say that it is misère, and the name need not.
    assert_eq!(open.info().name, text.full_name());
    assert!(at.is_misere() && !text.derived().tabulated);
    assert_eq!(open.misere(true).unwrap_err(), NoMisere::Already);
}

/// Either player's moves, and then misère: a player who has no move of his own is not stuck.
#[test]
fn the_impartial_variant_is_played_misere() {
    let text =
        "game g\nboard strip\ncells . empty, x Left, o Right\nleft: x. -> ..\nright: o. -> ..\nplay misere";
    let open = TextGame::read(text, &[]).unwrap().open(Variant::Impartial, "x.");
    assert_eq!(open.read("x.").unwrap().options(Player::Right), [".."]);
    assert_eq!(open.read("..").unwrap().options(Player::Right), [".. (over)"]);
}

/// Rows of pins, of which a move takes so many from one place of one row, played so that who cannot move wins: whether who begins loses.
fn is_lost(rows: &[usize], takes: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(&lost) = known.get(rows) {
        return lost;
    }
    let mut after = vec![];
    for (index, &row) in rows.iter().enumerate() {
        for take in takes.iter().filter(|take| **take <= row) {
            for before in 0..=row - take {
                let mut left = rows.to_vec();
                left[index] = before;
                left.push(row - take - before);
                left.retain(|row| *row > 0);
                left.sort_unstable();
                after.push(left);
            }
        }
    }
    let lost = !after.is_empty() && !after.iter().any(|rows| is_lost(rows, takes, known));
    known.insert(rows.to_vec(), lost);
    lost
}

/// The same by the moves of the game, `stuck` among them.
fn is_lost_by_moves(game: &AnyGame, at: &str, known: &mut HashMap<String, bool>) -> bool {
    if let Some(&lost) = known.get(at) {
        return lost;
    }
    let after = game.read(at).unwrap().options(Player::Left);
    let lost = !after.iter().any(|at| is_lost_by_moves(game, at, known));
    known.insert(at.to_string(), lost);
    lost
}

/// Kayles and Dawson's Kayles in misère play, in testdata/text/misere.tsv: rows that who begins loses.
#[test]
fn misere_kayles_is_lost_where_the_table_says() {
    let table = std::fs::read_to_string(gallery().join("../testdata/text/misere.tsv")).unwrap();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [name, takes, most, lost] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let numbers = |text: &str| text.split(',').map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
        let (takes, lost, most) = (numbers(takes), numbers(lost), most.parse::<usize>().unwrap());
        let mut known = HashMap::new();
        let found: Vec<usize> = (1..=most).filter(|&row| is_lost(&[row], &takes, &mut known)).collect();
        assert_eq!(found, lost, "{name}");
        // Several rows, by the game and by the numbers alone.
        let open = game(name, &[]).open(Variant::Plain, "1").misere(true).unwrap();
        let mut by_moves = HashMap::new();
        for (rows, lost) in known.iter().filter(|(rows, _)| rows.iter().sum::<usize>() <= 11) {
            let text = match &rows[..] {
                [] => "0".to_string(),
                rows => rows.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
            };
            assert_eq!(is_lost_by_moves(&open, &text, &mut by_moves), *lost, "{name} {text}");
        }
    }
}

/// Triangles touch as the vertices of graphs that are drawn by hand.
#[test]
fn triangles_are_graphs() {
    let boards = [
        ("AVA|VAV", "6;0-1,1-2,3-4,4-5,0-3,2-5"),
        ("AV", "2;0-1"),
        ("A|V|A", "3;0-1"),
        ("AV|VA", "4;0-1,2-3,0-2"),
    ];
    for (triangles, graph) in boards {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let value = |name: &str, text: &str| {
            with_game!(game(name, &[]).open(Variant::Plain, text), game => {
                let at = game.read(text).unwrap();
                Plain::new(&*game, &kernel).value(&at).unwrap()
            })
        };
        assert_eq!(value("triangle-snort", triangles), value("graph-snort", graph), "{triangles}");
    }
}
