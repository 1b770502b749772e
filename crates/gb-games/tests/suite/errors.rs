//! Bad input gets a sentence.

use gb_board::Size;
use gb_rules::Player;

fn name_error(name: &str) -> String {
    gb_games::game(name).expect_err("should be refused").to_string()
}

#[test]
fn names() {
    assert_eq!(name_error("dominering"), "there is no game `dominering`; did you mean `domineering`?");
    assert_eq!(
        name_error("backgammon"),
        "there is no game `backgammon`; the games are listed by the command `games`"
    );
    assert_eq!(name_error("octal"), "octal needs a code, for example `octal(0.77)`");
    assert_eq!(
        name_error("octal(0.98)"),
        "octal needs a code of octal digits that begins with `0.` or `4.`, not `0.98`, for example `octal(0.77)`"
    );
    assert!(name_error("octal(3.7)").contains("begins with `0.` or `4.`"));
    assert_eq!(name_error("nim(3)"), "nim takes no parameters, but `3` was given, for example `nim`");
    assert!(name_error("impartial(clober)").contains("did you mean `clobber`?"));
}

#[test]
fn boards_and_sizes() {
    for name in ["domineering", "clobber", "amazons", "nogo", "col", "snort"] {
        let game = gb_games::game(name).unwrap();
        let error = |text: &str| game.read(text).expect_err("should be refused").to_string();
        assert!(error("..|...").starts_with("row 2 has 3 cells, but row 1 has 2"), "{name}");
        assert!(error("..|.q").starts_with("row 2, column 2: found `q`, expected `"), "{name}");
        assert!(error("").starts_with("the board is empty"), "{name}");
        let large = vec![".".repeat(40); 40].join("|");
        assert_eq!(error(&large), "a board of 40x40 cells is too large: at most 128 cells");
        let opened = gb_games::open(name, &large).unwrap();
        assert!(opened.read(&large).is_err());
        let start = game.start(Size::read("40x40").unwrap()).err().unwrap().to_string();
        assert_eq!(start, "a board of 40x40 cells is too large: at most 128 cells");
        assert!(game.start(Size::read("6x6").unwrap()).is_ok());
    }
    let nim = gb_games::game("nim").unwrap();
    assert!(nim.start(Size::Length(9)).is_ok());
    assert!(nim.start(Size::Grid(2, 3)).is_err());
}

/// A size is looked at before anything is made of it, or counted up to it: Fox and Geese looked for the middle of the last row
/// by walking along it.
#[test]
fn the_largest_sizes_are_answered_at_once() {
    let huge = usize::MAX;
    for &base in gb_games::NAMES {
        let name = gb_games::info(base).unwrap().name;
        for name in [name.clone(), format!("impartial({name})"), format!("negative({name})")] {
            for size in [Size::Grid(7, huge), Size::Grid(huge, 7), Size::Grid(huge, huge), Size::Length(huge)]
            {
                let (rows, cols) = size.grid();
                for text in [format!("{rows}x{cols}"), cols.to_string()] {
                    let game = gb_games::open(&name, &text).unwrap();
                    // Chess has one board, whatever the size.
                    assert!(game.start(size).is_err() || base == "chess" || base == "pawns", "{name} {text}");
                }
            }
        }
    }
}

#[test]
fn moves() {
    let at = gb_games::game("clobber").unwrap().read("xo.").unwrap();
    let error = |text: &str| at.play(Player::Left, text).expect_err("should be refused").to_string();
    assert_eq!(error("a1-b2"), "Left has no move `a1-b2` here; did you mean `a1-b1`?");
    assert_eq!(error("resign"), "Left has no move `resign` here; moves look like `a1-b1`");
    let over = at.play(Player::Left, "a1-b1").unwrap();
    assert_eq!(over.play(Player::Right, "b1-a1").err().unwrap().to_string(), "Right has no move at all here");
}
