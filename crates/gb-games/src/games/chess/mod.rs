//! Chess with kings and pawns alone. A king moves one square and must not be left in check; who promotes a pawn wins
//! everywhere at once; who cannot move loses. White is Left.
//!
//! How such positions are taken apart and valued is no matter of rules and has a crate of its own.
//!
//! ```
//! let chess = gb_games::game("chess").unwrap();
//! let at = chess.read("8/8/8/4k3/4Pp2/5K2/8/8 w - - 0 1").unwrap();
//! assert!(at.moves(gb_rules::Player::Left, 99).iter().any(|choice| choice.text == "Kf3-e2"));
//! assert_eq!(
//!     chess.read("8/8/8/4k3/8/5K2/8/R7 w - - 0 1").unwrap_err().to_string(),
//!     "row 8, column 1: found `R`, expected kings and pawns only (a white rook cannot be handled)"
//! );
//! ```

mod board;
mod fen;

use std::ops::ControlFlow;

use gb_board::{BoardError, Item, Look, Paint, Scene, Shape, Spot};
use gb_rules::{Arguments, GlobalWins, Info, NameError, Notation, Player, Rules};

pub use board::{ChessBoard, Step, square_name};

/// The rules of chess with kings and pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chess;

/// The game for the list.
pub(crate) fn chess(arguments: &Arguments) -> Result<Chess, NameError> {
    arguments.none()?;
    Ok(Chess)
}

impl Rules for Chess {
    type Board = ChessBoard;
    type Move = Step;

    fn info(&self) -> Info {
        Info {
            name: "chess".into(),
            title: "Chess: kings and pawns",
            rules: "Kings and pawns move as in chess, given as FEN; who promotes a pawn wins everywhere at once. Who cannot \
                    move loses.",
            alphabet: &[
                ('K', "White's king (Left)"),
                ('P', "White's pawn"),
                ('k', "Black's king (Right)"),
                ('p', "Black's pawn"),
            ],
            example: "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1",
            impartial: false,
            loopy: true,
        }
    }
    fn read(&self, text: &str) -> Result<ChessBoard, BoardError> {
        fen::read(text)
    }
    fn show(&self, at: &ChessBoard) -> String {
        fen::show(at)
    }
    fn moves(
        &self,
        at: &ChessBoard,
        who: Player,
        emit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for step in at.with_move(who).legal_moves() {
            emit(step)?;
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut ChessBoard, who: Player, step: &Step) {
        *at = at.with_move(who).after(*step);
    }
    fn gesture(&self, _at: &ChessBoard, _who: Player, step: &Step) -> Vec<Spot> {
        vec![spot(step.from), spot(step.to)]
    }
    fn scene(&self, at: &ChessBoard) -> Scene {
        let mut items = vec![];
        for square in (0..64).map(|i| 8 * (7 - i / 8) + i % 8) {
            let (col, row) = (100 * (square % 8) as i32, 100 * (7 - square / 8) as i32);
            let letter = at.letter(square).unwrap_or('.');
            let paint = match letter {
                '.' => Paint::Empty,
                _ if letter.is_ascii_uppercase() => Paint::Left,
                _ => Paint::Right,
            };
            items.push(Item { spot: spot(square), shape: Shape::Square(col, row), letter, paint });
        }
        Scene { items, look: Look::Checkered }
    }
    gb_rules::has!(global_wins, notation);
}

impl GlobalWins<ChessBoard> for Chess {
    fn global_win(&self, at: &ChessBoard) -> Option<Player> {
        at.promoted()
    }
}

impl Notation<ChessBoard, Step> for Chess {
    fn move_text(&self, at: &ChessBoard, who: Player, step: &Step) -> Option<String> {
        Some(at.with_move(who).step_text(*step))
    }
    fn to_play(&self, at: &ChessBoard) -> Option<Player> {
        Some(at.to_move())
    }
}

fn spot(square: u8) -> Spot {
    Spot::Cell { row: 7 - square as u32 / 8, col: square as u32 % 8 }
}
