//! The search of the whole board.

use gb_chess::{Request, Verdict, check};
use gb_game::Player;
use gb_value::Budget;

fn verdict(fen: &str, claim: Player, depth: u32) -> gb_chess::Check {
    check(&Request::new(fen).unwrap().board, claim, depth, &Budget::unlimited(), &mut |_, _, _, _| {})
}

#[test]
fn known_endgames() {
    // King and pawn against king: with the opposition White wins, without it he does not.
    let won = verdict("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Player::Left, 24);
    assert_eq!(won.verdict, Verdict::Agreement, "{won:?}");
    let drawn = verdict("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Player::Left, 16);
    assert_eq!(drawn.verdict, Verdict::NotDecided, "{drawn:?}");
    // A pawn that nobody stops, a pawn in the square of the king, a race that Black wins.
    assert_eq!(verdict("8/8/8/P6k/8/8/8/K7 w - - 0 1", Player::Left, 12).verdict, Verdict::Agreement);
    assert_eq!(verdict("8/8/8/P3k3/8/8/8/7K b - - 0 1", Player::Left, 12).verdict, Verdict::NotDecided);
    let race = verdict("8/8/8/8/P7/7p/8/K5k1 b - - 0 1", Player::Left, 12);
    assert_eq!((race.verdict, race.line[0].as_str()), (Verdict::Refutation, "h3-h2"));
}

/// In the position after 3.h5-h6 Black can only give way: the text's line ends in a promotion.
#[test]
fn breaking_out_of_the_zugzwang_fails() {
    let after = "8/1p6/5K2/4P3/7k/8/PP6/8 b - - 0 1";
    assert_eq!(verdict(after, Player::Left, 14).verdict, Verdict::Agreement);
}

#[test]
fn limits_are_obeyed() {
    let board = Request::new("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1").unwrap().board;
    let budget = Budget::unlimited().with_nodes(20_000);
    let found = check(&board, Player::Left, 200, &budget, &mut |_, _, _, _| {});
    assert_eq!(found.verdict, Verdict::NotDecided);
    assert!(found.nodes <= 22_000 && found.depth > 3 && found.estimate.is_some(), "{found:?}");
}
