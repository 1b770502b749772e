//! No illegal move is ever printed, and reports of mirrored boards are mirrored.

use std::collections::BTreeSet;

use cozy_chess::Board;
use gb_board::Random;
use gb_chess::{Analysis, Ending, Grade, Request, analyse, judge, prove};
use gb_value::{Budget, Store};

use crate::boards::{Sort, board};
use crate::facts::{exchanged, mirrored};
use crate::tables;

/// How many boards are tried: a third by default, all where GB_LONG_TESTS is set.
fn boards(all: usize) -> usize {
    if std::env::var("GB_LONG_TESTS").is_ok() { all } else { all / 3 }
}

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
    for number in 0..boards(3_600) {
        let sort = [Sort::Natural, Sort::Locked, Sort::Locked, Sort::Variant][number % 4];
        let fen = board(sort, 2 + number % 4, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        let Ok(found) = analyse(&request, &Budget::unlimited().with_nodes(20_000)) else { continue };
        assert_legal(&found, &fen);
        seen += 1;
    }
    assert!(seen > boards(2_000), "{seen}");
}

/// Also that all legal moves are named: none is kept from the reader.
#[test]
fn proofs_name_legal_moves_only() {
    let mut random = Random::new(8, 0);
    let mut seen = 0;
    for number in 0..boards(600) {
        let sort = [Sort::Natural, Sort::Locked, Sort::Variant, Sort::Sveda][number % 4];
        let fen = board(sort, 2 + number % 7, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        // A few boards are searched for longer, so that lines are long.
        let nodes = if number % 40 == 0 { 30_000 } else { 1_000 };
        let found = prove(&request.board, tables(), &Budget::unlimited().with_nodes(nodes));
        let at = full(&fen);
        found.line.iter().fold(at.clone(), |at, text| play(&at, text));
        for mv in &found.moves {
            play(&at, &mv.text);
        }
        let mut legal = 0;
        at.generate_moves(|set| {
            legal += set.len();
            false
        });
        assert_eq!(found.moves.len(), legal, "{fen}");
        seen += 1;
    }
    assert!(seen > boards(360), "{seen}");
}

#[test]
fn lessons_name_legal_moves_only() {
    let mut random = Random::new(10, 0);
    let mut seen = 0;
    for number in 0..boards(60) {
        let sort = [Sort::Natural, Sort::Locked, Sort::Sveda][number % 3];
        let fen = board(sort, 2 + number % 6, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        let legal = request.board.legal_moves();
        let Some(&step) = legal.get(random.below(legal.len().max(1))) else { continue };
        let text = request.board.step_text(step);
        let found = judge(&request.board, &text, tables(), &Budget::unlimited().with_nodes(2_000)).unwrap();
        let at = full(&fen);
        let next = play(&at, &found.text);
        found.better.iter().for_each(|text| _ = play(&at, text));
        found.line.iter().fold(next.clone(), |at, text| play(&at, text));
        if let Some(reply) = &found.reply {
            play(&next, &reply.text);
        }
        // The values are silent where the board has spoken.
        let by_values = matches!(found.grade, Grade::SeemsGood | Grade::SeemsMistake);
        assert!(!by_values || found.after.is_none(), "{fen}: {found:?}");
        // Whoever has given something away had more before.
        if found.grade == Grade::Mistake {
            assert!(found.before.is_some() && found.after.is_some() && found.before != found.after, "{fen}");
        }
        seen += 1;
    }
    assert!(seen > boards(50), "{seen}");
}

fn mirrored_move(text: &str) -> String {
    let other = |c: char| match c {
        'a'..='h' => char::from(b'a' + b'h' - c as u8),
        _ => c,
    };
    text.chars().map(other).collect()
}

fn exchanged_move(text: &str) -> String {
    let other = |c: char| match c {
        '1'..='8' => char::from(b'1' + b'8' - c as u8),
        _ => c,
    };
    text.chars().map(other).collect()
}

/// The values of mirrored boards are the same, those with colours exchanged the negatives, and the winning moves are the mirrored
/// ones.
#[test]
fn mirrors_have_mirrored_reports() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let value = |found: &Analysis| kernel.read(&found.sum).unwrap();
    let moves = |found: &Analysis, who: usize, turn: fn(&str) -> String| {
        found.winning[who].iter().map(|winning| turn(&winning.text)).collect::<BTreeSet<_>>()
    };
    let same: fn(&str) -> String = str::to_owned;
    let mut random = Random::new(11, 0);
    let mut seen = 0;
    for number in 0..boards(700) {
        let sort = [Sort::Natural, Sort::Locked, Sort::Variant, Sort::Sveda][number % 4];
        let fen = board(sort, 2 + number % 5, &mut random);
        let find =
            |fen: &str| analyse(&Request::new(fen).ok()?, &Budget::unlimited().with_nodes(30_000)).ok();
        let (Some(found), Some(mirror), Some(turned)) =
            (find(&fen), find(&mirrored(&fen)), find(&exchanged(&fen)))
        else {
            continue;
        };
        assert_eq!(value(&mirror), value(&found), "{fen}");
        assert_eq!(value(&turned), kernel.neg(value(&found)).unwrap(), "{fen}");
        assert_eq!(mirror.complex.zugzwang, found.complex.zugzwang, "{fen}");
        assert_eq!(turned.complex.zugzwang, found.complex.zugzwang, "{fen}");
        for who in 0..2 {
            assert_eq!(moves(&mirror, who, mirrored_move), moves(&found, who, same), "{fen}");
            assert_eq!(moves(&turned, 1 - who, exchanged_move), moves(&found, who, same), "{fen}");
        }
        seen += 1;
    }
    assert!(seen > boards(400), "{seen}");
}

#[test]
fn mirrors_prove_the_same() {
    let mut random = Random::new(9, 0);
    let mut seen = 0;
    for number in 0..boards(60) {
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
    assert!(seen > boards(30), "{seen}");
}
