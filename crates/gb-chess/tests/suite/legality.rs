//! No illegal move is ever printed, and reports of mirrored boards are mirrored.

use cozy_chess::Board;
use gb_board::Random;
use gb_chess::{Analysis, Ending, Request, analyse, prove};
use gb_value::Budget;

use crate::boards::{Sort, board};
use crate::facts::{exchanged, mirrored};
use crate::tables;

/// The squares of a move such as `Ke4xd5`, `b7-b8Q+`, and what a pawn becomes.
fn squares(text: &str) -> (String, String, Option<char>) {
    let plain = text.trim_end_matches(['+', '#']).trim_start_matches(|c: char| c.is_ascii_uppercase());
    let (from, rest) = plain.split_once(['-', 'x']).unwrap_or_else(|| panic!("{text}"));
    (from.to_string(), rest[..2].to_string(), rest[2..].chars().next())
}

/// Plays a move by the rules of another library; panics if it is not legal.
fn play(at: &Board, text: &str) -> Board {
    let (from, to, promotion) = squares(text);
    let mut found = None;
    at.generate_moves(|set| {
        for mv in set {
            let piece = mv.promotion.map(|piece| piece.to_string().to_ascii_uppercase());
            if mv.from.to_string() == from
                && mv.to.to_string() == to
                && piece == promotion.map(|letter| letter.to_string())
            {
                found = Some(mv);
            }
        }
        false
    });
    let mv = found.unwrap_or_else(|| panic!("{text} is not legal in {at}"));
    let mut next = at.clone();
    next.play(mv);
    next
}

fn full(fen: &str) -> Board {
    Board::from_fen(fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn assert_legal(found: &Analysis, fen: &str) {
    let at = full(fen);
    found.main_line.iter().fold(at.clone(), |at, text| play(&at, text));
    let white = fen.contains(" w ");
    for (index, list) in found.winning.iter().enumerate() {
        let turn = if (index == 0) == white { Some(at.clone()) } else { at.null_move() };
        for winning in list {
            play(turn.as_ref().unwrap_or_else(|| panic!("{fen}: nobody can move")), &winning.text);
        }
    }
    for (index, cost) in found.complex.costs.iter().enumerate() {
        let turn = if (index == 0) == white { Some(at.clone()) } else { at.null_move() };
        let Some(mut turn) = turn else {
            assert!(cost.line.is_empty(), "{fen}");
            continue;
        };
        for text in &cost.line {
            turn = if text == "pass" {
                turn.null_move().expect("nobody passes in check")
            } else {
                play(&turn, text)
            };
        }
    }
}

#[test]
fn values_name_legal_moves_only() {
    let mut random = Random::new(7, 0);
    let mut seen = 0;
    for number in 0..3_600 {
        let sort = [Sort::Natural, Sort::Locked, Sort::Locked, Sort::Variant][number % 4];
        let fen = board(sort, 2 + number % 4, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        let Ok(found) = analyse(&request, &Budget::unlimited().with_nodes(20_000)) else { continue };
        assert_legal(&found, &fen);
        seen += 1;
    }
    assert!(seen > 2_000, "{seen}");
}

#[test]
fn proofs_name_legal_moves_only() {
    let mut random = Random::new(8, 0);
    for number in 0..40 {
        let fen = board([Sort::Natural, Sort::Locked][number % 2], 2 + number % 3, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        let found = prove(&request.board, tables(), &Budget::unlimited().with_nodes(30_000));
        let at = full(&fen);
        found.line.iter().fold(at.clone(), |at, text| play(&at, text));
        for mv in &found.moves {
            play(&at, &mv.text);
        }
    }
}

#[test]
fn mirrors_prove_the_same() {
    let mut random = Random::new(9, 0);
    let mut seen = 0;
    for number in 0..40 {
        let fen = board([Sort::Natural, Sort::Locked][number % 2], 2, &mut random);
        if Request::new(&fen).is_err() {
            continue;
        }
        let results = |fen: &str| {
            let request = Request::new(fen).unwrap();
            let found = prove(&request.board, tables(), &Budget::unlimited().with_nodes(500_000));
            let count = |ending| found.moves.iter().filter(|mv| mv.ending == Some(ending)).count();
            (found.ending, [Ending::White, Ending::Draw, Ending::Black].map(count))
        };
        let (ending, counts) = results(&fen);
        let Some(ending) = ending else { continue };
        assert_eq!(results(&mirrored(&fen)).0, Some(ending), "{fen}");
        let other = match ending {
            Ending::White => Ending::Black,
            Ending::Draw => Ending::Draw,
            Ending::Black => Ending::White,
        };
        assert_eq!(results(&exchanged(&fen)).0, Some(other), "{fen}");
        assert!(counts.iter().sum::<usize>() > 0 || ending == Ending::Draw || counts == [0; 3], "{fen}");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}
