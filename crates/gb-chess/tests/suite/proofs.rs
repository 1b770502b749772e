//! Endgames whose results are known, each with its source, and those about which false things were said once.

use gb_chess::{Ending, Proof, Request, analyse, prove};
use gb_value::Budget;

use crate::tables;

fn proof(fen: &str) -> Proof {
    proof_with(fen, 3_000_000)
}

fn proof_with(fen: &str, nodes: u64) -> Proof {
    let request = Request::new(fen).unwrap();
    prove(&request.board, tables(), &Budget::unlimited().with_nodes(nodes))
}

fn moves(proof: &Proof, ending: Ending) -> Vec<&str> {
    proof.moves.iter().filter(|mv| mv.ending == Some(ending)).map(|mv| mv.text.as_str()).collect()
}

/// With White to move: how it ends, and whether it is proved.
#[test]
fn boards_about_which_false_things_were_said() {
    for (fen, ending) in [
        // e4-e5 is not legal, and White does not win; nor does he here, where Black wins.
        ("8/3p4/8/4k3/4Pp2/5K2/3P4/8 w - - 0 1", Ending::Draw),
        ("8/5p2/8/4k1P1/4Pp2/5K2/8/8 w - - 0 1", Ending::Black),
        // Kd6 wins: no mutual zugzwang.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Ending::White),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", Ending::Draw),
    ] {
        let found = proof(fen);
        assert_eq!(found.ending, Some(ending), "{fen}: {found:?}");
    }
}

/// A queen against several pawns with their king: never a win by counting ranks.
#[test]
fn queens_against_pawns() {
    for fen in [
        "K7/4P3/8/8/1pp5/1k6/8/8 w - - 0 1",
        "3K4/P7/8/8/2ppp3/3k4/8/8 w - - 0 1",
        "2K5/7P/8/4pp2/6pp/7k/8/8 w - - 0 1",
    ] {
        let found = proof_with(fen, 500_000);
        assert!(matches!(found.ending, None | Some(Ending::Draw)), "{fen}: {found:?}");
        // Nor is a win guessed.
        assert!(matches!(found.guess, None | Some(Ending::Draw)), "{fen}: {found:?}");
    }
}

/// Black's a7-a6 is check, and White's king must move.
#[test]
fn pawns_give_check() {
    let found = proof_with("8/p7/5p2/1Kp5/2Pk4/8/P4P2/8 b - - 0 1", 200_000);
    assert!(found.moves.iter().any(|mv| mv.text == "a7-a6+"), "{found:?}");
}

/// R. Reti, Ostrauer Morgenzeitung 1921: White draws by approaching both pawns at once.
#[test]
fn reti() {
    let found = proof("7K/8/k1P5/7p/8/8/8/8 w - - 0 1");
    assert_eq!(found.ending, Some(Ending::Draw));
    assert_eq!(moves(&found, Ending::Draw), ["Kh8-g7"]);
}

/// Em. Lasker and G. Reichhelm, Chicago Tribune 1901: corresponding squares, and only 1.Kb1 wins.
#[test]
fn lasker_reichhelm() {
    let found = proof("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1");
    assert_eq!(found.ending, Some(Ending::White));
    assert_eq!(moves(&found, Ending::White), ["Ka1-b1"]);
    let squares = found.squares.unwrap();
    // White on b1 and Black on a7 correspond.
    let together = |white: &str, black: &str| {
        squares.labels.iter().any(|label| {
            label.white.iter().any(|square| square == white)
                && label.black.iter().any(|square| square == black)
        })
    };
    assert!(together("b1", "a7") && !together("a1", "a7"), "{squares:?}");
}

/// The trebuchet: whoever has to move loses his pawn and the game (Y. Averbakh, I. Maizelis, Pawn Endings, 1974).
#[test]
fn trebuchet() {
    let found = proof("8/8/8/8/3pK3/2kP4/8/8 w - - 0 1");
    assert_eq!((found.ending, found.turned), (Some(Ending::Black), Some(Ending::White)));
    assert!(found.squares.unwrap().now);
    let found = proof("8/8/8/8/3pK3/2kP4/8/8 b - - 0 1");
    assert_eq!((found.ending, found.turned), (Some(Ending::White), Some(Ending::Black)));
}

/// King and pawn against king: the opposition decides (any book on endgames; Averbakh and Maizelis 1974, chapter 1).
#[test]
fn the_opposition() {
    let found = proof("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1");
    assert_eq!((found.ending, found.turned), (Some(Ending::Draw), Some(Ending::White)));
    let squares = found.squares.unwrap();
    assert_eq!((squares.now, squares.name), (true, Some("the opposition")));
    let found = proof("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1");
    assert_eq!(found.ending, Some(Ending::White));
    // The king two ranks ahead of his pawn wins always.
    assert_eq!(proof("4k3/8/4K3/8/4P3/8/8/8 w - - 0 1").ending, Some(Ending::White));
    assert_eq!(proof("4k3/8/4K3/8/4P3/8/8/8 b - - 0 1").ending, Some(Ending::White));
}

/// Triangulation: White loses a move and wins (a textbook position of H. Fahrni; J. Speelman, Endgame Preparation, 1981).
#[test]
fn fahrni_triangulation() {
    let found = proof("2k5/8/p1P5/P1K5/8/8/8/8 w - - 0 1");
    assert_eq!(found.ending, Some(Ending::White), "{found:?}");
    assert!(found.triangulation || found.line.len() > 3, "{:?}", found.line);
}

/// W. Baehr's rule (Deutsche Schachzeitung 1936): rook pawns that block each other, and a passed pawn beside its king. With White's
/// rook pawn beyond the middle of the board White wins; else only if the passed pawn is not too far advanced.
#[test]
fn baehr() {
    assert_eq!(proof("8/8/p4k2/P4P2/5K2/8/8/8 w - - 0 1").ending, Some(Ending::White));
    assert_eq!(proof("8/8/5k2/p4P2/P4K2/8/8/8 w - - 0 1").ending, Some(Ending::Draw));
    assert_eq!(proof("8/8/8/p4k2/P4P2/5K2/8/8 w - - 0 1").ending, Some(Ending::White));
}

/// After N. D. Elkies, On numbers and endgames (1996), on Sveda - Sika (Brno 1929): 1.h4 a5 2.h5 a4 3.h6 Kf6 4.Kxf4 Kg6 5.Ke5 Kxh6
/// 6.Kf6, and the pawn on e4 runs; here without Black's pawn on h7, so that it is not the published position. Values decide
/// who has to give way; that giving way loses is a matter of the board.
#[test]
fn giving_way_loses_as_in_the_line_of_elkies() {
    let found = proof_with("8/1p6/5K1k/8/p3P3/8/PP6/8 b - - 0 1", 20_000_000);
    assert_eq!(found.ending, Some(Ending::White), "{found:?}");
}

/// The first diagram of N. D. Elkies, On numbers and endgames (1996): example 87 of M. Euwe and D. Hooper, A guide to chess endings
/// (1960), which they could not explain. The queenside is up, the kingside double down and star, the sum down and star: the first
/// player wins, White with 1.h4 alone.
#[test]
fn elkies_explains_euwe_and_hooper() {
    for (side, index, only) in [("w", 0, Some("h3-h4")), ("b", 1, None)] {
        let fen = format!("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 {side} - - 0 1");
        let found = analyse(&Request::new(&fen).unwrap(), &Budget::unlimited()).unwrap();
        let values: Vec<&str> = found.chunks.iter().map(|chunk| chunk.value.as_str()).collect();
        assert_eq!((values, found.sum.as_str(), found.outcome.as_str()), (vec!["^", "vv*"], "v*", "N"));
        let moves: Vec<&str> = found.winning[index].iter().map(|winning| winning.text.as_str()).collect();
        match only {
            Some(text) => assert_eq!(moves, [text]),
            None => assert!(moves.contains(&"a6-a5"), "{moves:?}"),
        }
        assert_eq!((found.complex.zugzwang, found.complex.bound.join(" ").as_str()), (true, "e4 f4"));
    }
}

/// The values that Elkies (1996) gives for a pawn of each side on one file, as F. Maeser's thesis (2001, section 7.1.2 and figure 7.2)
/// reports them, beside the kings of Sveda - Sika: * with an odd number of squares between the pawns and 0 with an even one, if
/// nobody has a double step left; with one of White's up for two squares, double up and star for three, and the same for Black.
#[test]
fn files_of_elkies() {
    // The a-file from the eighth rank down.
    for (file, value) in [
        ("..p...P.", "^^*"),
        ("..p..P..", "0"),
        ("..p.P...", "*"),
        ("...pP...", "0"),
        ("...p..P.", "^"),
        (".p...P..", "vv*"),
    ] {
        let king = |rank: usize| match rank {
            5 => "3k3",
            4 => "3Pp2",
            3 => "4K2",
            _ => "7",
        };
        let row = |(index, cell): (usize, char)| match (cell, king(8 - index)) {
            ('.', "7") => "8".to_string(),
            ('.', rest) => format!("1{rest}"),
            (pawn, rest) => format!("{pawn}{rest}"),
        };
        let rows: Vec<String> = file.chars().enumerate().map(row).collect();
        let found =
            analyse(&Request::new(&format!("{} w - - 0 1", rows.join("/"))).unwrap(), &Budget::unlimited())
                .unwrap();
        assert_eq!((found.sum.as_str(), found.complex.bound.join(" ").as_str()), (value, "e4 f4"), "{file}");
    }
}

/// One pawn each on a file, as in the article of Elkies (1996) and in figure 7.2 of Maeser (2001): with kings that hold each other on
/// the other wing, whoever makes the last pawn move wins the trebuchet-like fight. Proved on the whole board, so that values and
/// board are compared: a star is a first-player win, and 0 a second-player win.
#[test]
fn one_file_decides_a_mutual_zugzwang() {
    // The trebuchet on the queenside, and pawns on the h-file with a gap of one square (*), and of none (0).
    for (pawns, sum, first) in [("7p/8/7P", "*", true), ("8/7p/7P", "0", false)] {
        for (side, mover) in [("w", Ending::White), ("b", Ending::Black)] {
            let fen = format!("8/{pawns}/3pK3/2kP4/8/8 {side} - - 0 1");
            let request = Request::new(&fen).unwrap().with_bound("d3,d4").unwrap();
            assert_eq!(analyse(&request, &Budget::unlimited()).unwrap().sum, sum, "{fen}");
            let other = if mover == Ending::White { Ending::Black } else { Ending::White };
            let found = proof_with(&fen, 20_000_000);
            assert_eq!(found.ending, Some(if first { mover } else { other }), "{fen}: {found:?}");
        }
    }
}

/// Schlage - Ahues, Berlin 1921: two ways of the same length to the pawn on a7, and only Kd5 takes one that is in Black's way too.
#[test]
fn schlage_ahues() {
    let found = proof("8/p7/P3K3/8/8/2k5/8/8 w - - 0 1");
    assert_eq!(found.ending, Some(Ending::White));
    assert_eq!(moves(&found, Ending::White), ["Ke6-d5"]);
}

/// Stalemate, underpromotion, en passant.
#[test]
fn rules_of_chess() {
    // A rook pawn with Black's king in the corner.
    assert_eq!(proof("k7/8/1K6/P7/8/8/8/8 w - - 0 1").ending, Some(Ending::Draw));
    // c7-c8Q would stalemate, c7-c8R mates soon.
    let found = proof("8/k1P5/2K5/8/8/8/8/8 w - - 0 1");
    let after = |text: &str| found.moves.iter().find(|mv| mv.text.starts_with(text)).unwrap().ending;
    assert_eq!((after("c7-c8R"), found.ending), (Some(Ending::White), Some(Ending::White)));
    // Taking en passant is Black's only good move.
    let found = proof("8/8/8/8/k1pP4/8/2P5/2K5 b - d3 0 1");
    assert!(found.moves.iter().any(|mv| mv.text == "c4xd3" && mv.ending.is_some()), "{found:?}");
    // Mate and stalemate on the board.
    assert_eq!(proof("k7/P7/1K6/8/8/8/8/8 b - - 0 1").ending, Some(Ending::Draw));
    assert_eq!(proof("8/8/8/8/8/1k6/p7/K7 w - - 0 1").ending, Some(Ending::Draw));
}

/// The games of the thesis whose values and board disagree: one pawn is not enough in game 1.
#[test]
fn reports_believe_the_board() {
    let request = Request::new("8/3p4/8/4k3/4Pp2/5K2/3P4/8 w - - 0 1").unwrap();
    let found = analyse(&request, &Budget::unlimited()).unwrap();
    let text = found.text(Some(&proof("8/3p4/8/4k3/4Pp2/5K2/3P4/8 w - - 0 1")));
    assert!(text.contains("Proved, with White to move: a draw."), "{text}");
    // The square of Black's king.
    assert!(text.lines().all(|line| line.starts_with("Best play") || !line.contains("e4-e5")), "{text}");
    assert!(text.find("Proved").unwrap() < text.find("chunk").unwrap());
}

/// The disputed games of the thesis: in game 1 White wins the battle of tempi and a pawn, which is not enough; in game 9 White wins
/// whoever is to move, because the pawn on f6 runs.
#[test]
fn disputed_games_are_told_rightly() {
    for (fen, ending) in [
        ("8/1pp4p/3p4/Pp1P1k2/3PpP2/1P2K3/7P/8 w - - 0 1", Ending::Draw),
        ("8/1pp5/p4P2/6k1/P1P2pP1/1P3K2/8/8 w - - 0 1", Ending::White),
        ("8/1pp5/p4P2/6k1/P1P2pP1/1P3K2/8/8 b - - 0 1", Ending::White),
    ] {
        let found = proof_with(fen, 400_000);
        // Perhaps nothing is said, but nothing else.
        assert!(found.guess.is_none_or(|guess| guess == ending), "{fen}: {found:?}");
        let values = analyse(&Request::new(fen).unwrap(), &Budget::unlimited()).unwrap();
        let text = values.text(Some(&found));
        match values.complex.zugzwang {
            true => assert!(
                text.contains(
                    "as long as no king leaves its place or takes part on the queenside (not proved)"
                ),
                "{text}"
            ),
            false => assert!(text.contains("the values do not say who wins"), "{text}"),
        }
    }
}

/// Where all pawns are bound there are no values, and about mutual zugzwang the board has the last word: eight half-moves are too
/// few here, and Kd6 wins.
#[test]
fn boards_without_chunks() {
    let fen = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let values = analyse(&Request::new(fen).unwrap(), &Budget::unlimited()).unwrap();
    let text = values.text(Some(&proof(fen)));
    assert!(text.contains("The board says that it is none: proved."), "{text}");
    assert!(text.contains("there are no values") && !text.contains("battle of tempi"), "{text}");
}

/// Budgets are obeyed, and what was not proved says so.
#[test]
fn limits_are_obeyed() {
    let fen = "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1";
    let found = proof_with(fen, 20_000);
    assert_eq!(found.ending, None);
    assert!(found.stopped.is_some());
    let request = Request::new(fen).unwrap();
    let budget = Budget::unlimited().with_bytes(1_000_000);
    let found = prove(&request.board, tables(), &budget);
    assert_eq!(found.stopped.as_deref(), Some("stopped: the memory limit was reached"));
    let budget = Budget::unlimited();
    budget.cancel().cancel();
    assert_eq!(prove(&request.board, tables(), &budget).stopped.as_deref(), Some("stopped: cancelled"));
}
