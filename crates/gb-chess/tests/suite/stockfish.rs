//! What is proved here, Stockfish sees as well. Only where it is installed: it is an opponent, no part of this.

use gb_board::Random;
use gb_chess::{Ending, Request, prove};
use gb_rules::Player;
use gb_value::Budget;

use crate::boards::{Sort, board};
use crate::program::Program;
use crate::tables;

#[test]
fn proved_results_hold_for_stockfish_too() {
    let Some(mut stockfish) = Program::find() else {
        eprintln!("stockfish is not installed: nothing was compared");
        return;
    };
    let (mut random, mut decided) = (Random::new(0x5eed, 0), 0);
    for number in 0..45 {
        let sort = [Sort::Natural, Sort::Locked, Sort::Variant][number % 3];
        let fen = board(sort, 2 + number % 4, &mut random);
        let Ok(request) = Request::new(&fen) else { continue };
        let budget = Budget::unlimited().with_nodes(100_000);
        let Some(ending) = prove(&request.board, tables(), &budget).ending else { continue };
        decided += 1;
        let mover = if request.board.to_move() == Player::Left { 1 } else { -1 };
        let agrees = |score: i32| match ending {
            Ending::White => score >= 150,
            Ending::Draw => score.abs() < 150,
            Ending::Black => score <= -150,
        };
        let mut score = mover * stockfish.score(&fen, 100_000);
        if !agrees(score) {
            score = mover * stockfish.score(&fen, 5_000_000);
        }
        assert!(agrees(score), "{fen}: {ending:?}, but Stockfish says {score} for White");
    }
    assert!(decided >= 10, "{decided}");
}
