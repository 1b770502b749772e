//! Moves of kings and pawns against an independent move generator.

use cozy_chess::{Board, Color, Move as CozyMove, Piece};
use gb_games::games::chess::{Chess, ChessBoard, square_name};
use gb_rules::{Player, Rules};

/// The moves as texts `e2e4`, promotions once.
fn ours(at: &ChessBoard) -> Vec<String> {
    let mut moves: Vec<String> =
        at.legal_moves().iter().map(|step| square_name(step.from) + &square_name(step.to)).collect();
    moves.sort();
    moves
}

fn theirs(board: &Board) -> Vec<(String, CozyMove)> {
    let mut moves = vec![];
    board.generate_moves(|set| {
        for mv in set {
            if mv.promotion.is_none_or(|piece| piece == Piece::Queen) {
                moves.push((format!("{}{}", mv.from, mv.to), mv));
            }
        }
        false
    });
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    moves
}

#[test]
fn moves_agree_with_an_independent_generator() {
    let mut random = gb_board::Random::new(1, 0);
    let (mut positions, mut passed, mut checks) = (0, 0, 0);
    for fen in [
        "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "8/5p1p/p3kp2/2p5/2p1PKP1/8/PP5P/8 b - - 0 1",
        "8/2p1p1p1/8/1P1P1P2/2p1p1k1/8/1P1P1P1K/8 w - - 0 1",
    ] {
        for _ in 0..150 {
            let mut at = Chess.read(fen).unwrap();
            let mut board: Board = fen.parse().unwrap();
            for _ in 0..80 {
                let expected = theirs(&board);
                let names: Vec<String> = expected.iter().map(|(name, _)| name.clone()).collect();
                assert_eq!(ours(&at), names, "{board}");
                positions += 1;
                let mover = if board.side_to_move() == Color::White { Player::Left } else { Player::Right };
                checks += at.is_check(mover) as usize;
                passed += board.en_passant().is_some() as usize;
                if expected.is_empty() {
                    break;
                }
                let (name, mv) = &expected[random.below(expected.len())];
                let step = at
                    .legal_moves()
                    .into_iter()
                    .find(|step| square_name(step.from) + &square_name(step.to) == *name)
                    .unwrap();
                at = at.after(step);
                board.play_unchecked(*mv);
                if at.promoted().is_some() {
                    break;
                }
            }
        }
    }
    assert!(positions > 10_000 && passed > 50 && checks > 100, "{positions} {passed} {checks}");
}
