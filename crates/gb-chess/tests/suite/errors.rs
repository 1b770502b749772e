//! Bad input gets a sentence, and so do threats on both sides.

use gb_chess::{Request, analyse};
use gb_value::Budget;

#[test]
fn sentences() {
    for (fen, sentence) in [
        ("", "the board is empty: expected a FEN such as `8/8/8/4k3/4Pp2/5K2/8/8 w - - 0 1`"),
        ("8/8/8 w - - 0 1", "a chess board has 8 ranks separated by `/`, but 3 were found"),
        (
            "8/8/8/4k3/4Pp2/5K2/8/9 w - - 0 1",
            "row 8, column 1: found `9`, expected `K`, `P`, `k`, `p` or a number of empty squares",
        ),
        ("8/8/8/4k3/4Pp2/5K2/8/7 w - - 0 1", "rank 1 has 7 squares: expected 8"),
        (
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            "row 8, column 1: found `P`, expected no pawn on the first or on the last rank",
        ),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king: expected one king each"),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "White has 2 kings: expected one king each"),
        (
            "4k3/8/8/3n4/8/8/8/4K3 w - - 0 1",
            "row 4, column 4: found `n`, expected kings and pawns only (a black knight cannot be handled)",
        ),
        ("8/8/8/8/8/8/3k4/4K3 w - - 0 1", "the kings on e1 and d2 stand side by side: that is not legal"),
        (
            "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1",
            "Black is in check, but it is the other side's move: that is not legal",
        ),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is `w` or `b`, not `x`"),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "nobody can castle without rooks: expected `-`, found `KQ`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "no pawn has just passed `e6`: the square for captures en passant is wrong",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - x9 0 1",
            "the square for captures en passant must be `-` or a square such as `e3`, not `x9`",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - zero 1", "the halfmove clock must be a number, not `zero`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "a FEN has six fields, but a seventh was found: `2`"),
        (
            "pppppppp/8/8/8/8/8/8/4K2k w - - 0 1",
            "row 1, column 1: found `p`, expected no pawn on the first or on the last rank",
        ),
    ] {
        assert_eq!(Request::new(fen).unwrap_err().to_string(), sentence, "{fen}");
    }
    let request = || Request::new("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1").unwrap();
    let error = |squares: &str| request().with_bound(squares).unwrap_err().to_string();
    assert_eq!(error("z9"), "`z9` is no square: expected pawns such as `e4,f4`");
    assert_eq!(error("e5"), "there is no pawn on e5 that could be bound to the kings");
    let stopped = analyse(&request(), &Budget::unlimited().with_nodes(50)).unwrap_err();
    assert_eq!(stopped.to_string(), "stopped: the limit of nodes was reached");
}

#[test]
fn threats_on_both_sides() {
    // White runs on the a-file, Black on the h-file, and both kings are too far away.
    let request = Request::new("8/8/P7/3k4/3Pp3/4K2p/8/8 w - - 0 1").unwrap().with_bound("d4,e4").unwrap();
    let found = analyse(&request, &Budget::unlimited()).unwrap();
    assert!(found.together.unwrap().contains("on + off = dud"));
    assert_eq!((found.chunks.len(), found.sum.as_str()), (1, "+-on"));
}
