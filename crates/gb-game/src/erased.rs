//! Games without types, for front ends: texts, gestures and scenes.

use std::fmt;
use std::ops::ControlFlow;

use gb_board::{BoardError, Scene, Size, Spot, nearest};

use crate::{GameVisitor, Info, Player, Rules};

/// A game that is only known by its name.
pub trait Game: Send + Sync {
    /// Name, title, rules, alphabet, example.
    fn info(&self) -> Info;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Box<dyn Position>, BoardError>;
    /// The usual starting position of a size.
    fn start(&self, size: Size) -> Result<Box<dyn Position>, BoardError>;
}

/// A position with the rules of its game.
pub trait Position: Send + Sync + fmt::Debug {
    /// The rules' description.
    fn info(&self) -> Info;
    /// The position as text.
    fn show(&self) -> String;
    /// What to draw.
    fn scene(&self) -> Scene;
    /// The moves of a player, at most `limit` of them.
    fn moves(&self, who: Player, limit: usize) -> Vec<Choice>;
    /// Makes a move given by its text.
    fn make(&self, who: Player, text: &str) -> Result<Made, MoveError>;
    /// The parts, each with the spots it takes up on this board (no spots where the game does not say).
    fn parts(&self) -> Vec<(Box<dyn Position>, Vec<Spot>)>;
    /// The player who has won everywhere, in games with global threats.
    fn global_win(&self) -> Option<Player>;
    /// Whose turn it is, if the position says so.
    fn to_play(&self) -> Option<Player>;
    /// Whether points decide, and not who moves last.
    fn ends_in_score(&self) -> bool;
    /// A copy.
    fn copy(&self) -> Box<dyn Position>;

    /// The position after a move given by its text.
    fn play(&self, who: Player, text: &str) -> Result<Box<dyn Position>, MoveError> {
        self.make(who, text).map(|made| made.after)
    }

    /// The positions a player can move to, as texts without repetition, in order of the moves.
    fn options(&self, who: Player) -> Vec<String> {
        let mut options: Vec<String> = vec![];
        for choice in self.moves(who, usize::MAX) {
            if !options.contains(&choice.result) {
                options.push(choice.result);
            }
        }
        options
    }
}

/// A move as a front end sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What to type.
    pub text: String,
    /// What to point at, in turn.
    pub gesture: Vec<Spot>,
    /// The position afterwards, as text.
    pub result: String,
    /// The points it earns for Left, in games that keep a score.
    pub points: i64,
}

/// A move that was made.
#[derive(Debug)]
pub struct Made {
    /// The position afterwards.
    pub after: Box<dyn Position>,
    /// The move as the game writes it.
    pub text: String,
    /// The points it earned for Left, in games that keep a score.
    pub points: i64,
}

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// There are moves, but not this one.
    #[error("{who} has no move `{text}` here; {hint}")]
    Illegal {
        /// Who wanted to move.
        who: Player,
        /// What was typed.
        text: String,
        /// Moves like it.
        hint: String,
    },
    /// There are no moves at all.
    #[error("{who} has no move at all here")]
    Over {
        /// Who wanted to move.
        who: Player,
    },
}

/// The visitor that forgets the type of a game.
pub struct Erase;

impl GameVisitor for Erase {
    type Out = Box<dyn Game>;

    fn visit<const N: usize>(self, game: crate::Game<N>) -> Box<dyn Game> {
        Box::new(Erased(game))
    }
}

struct Erased<R>(R);

#[derive(Clone)]
struct Placed<R: Rules> {
    rules: R,
    board: R::Board,
}

impl<R: Rules> fmt::Debug for Placed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rules.info().name, self.rules.show(&self.board))
    }
}

impl<R: Rules> Game for Erased<R> {
    fn info(&self) -> Info {
        self.0.info()
    }
    fn read(&self, text: &str) -> Result<Box<dyn Position>, BoardError> {
        Ok(Box::new(Placed { rules: self.0.clone(), board: self.0.read(text)? }))
    }
    fn start(&self, size: Size) -> Result<Box<dyn Position>, BoardError> {
        Ok(Box::new(Placed { rules: self.0.clone(), board: self.0.start(size)? }))
    }
}

impl<R: Rules> Placed<R> {
    fn at(&self, board: R::Board) -> Box<dyn Position> {
        Box::new(Placed { rules: self.rules.clone(), board })
    }
    fn after(&self, who: Player, mv: &R::Move) -> R::Board {
        let mut board = self.board.clone();
        self.rules.play(&mut board, who, mv);
        board
    }
}

impl<R: Rules> Position for Placed<R> {
    fn info(&self) -> Info {
        self.rules.info()
    }
    fn show(&self) -> String {
        self.rules.show(&self.board)
    }
    fn scene(&self) -> Scene {
        self.rules.scene(&self.board)
    }
    fn moves(&self, who: Player, limit: usize) -> Vec<Choice> {
        let mut choices = vec![];
        let _ = self.rules.moves(&self.board, who, &mut |mv| {
            if choices.len() == limit {
                return ControlFlow::Break(());
            }
            choices.push(Choice {
                text: self.rules.move_text(&self.board, who, &mv),
                gesture: self.rules.gesture(&self.board, who, &mv),
                result: self.rules.show(&self.after(who, &mv)),
                points: self.rules.points(&self.board, who, &mv),
            });
            ControlFlow::Continue(())
        });
        choices
    }
    fn make(&self, who: Player, text: &str) -> Result<Made, MoveError> {
        let wanted = text.trim().to_lowercase();
        let mut texts = vec![];
        let mut found = None;
        let _ = self.rules.moves(&self.board, who, &mut |mv| {
            let text = self.rules.move_text(&self.board, who, &mv);
            if text.to_lowercase() == wanted {
                let points = self.rules.points(&self.board, who, &mv);
                found = Some(Made { after: self.at(self.after(who, &mv)), text, points });
                return ControlFlow::Break(());
            }
            texts.push(text);
            ControlFlow::Continue(())
        });
        if let Some(made) = found {
            return Ok(made);
        }
        let Some(first) = texts.first() else { return Err(MoveError::Over { who }) };
        let near = nearest(&wanted, texts.iter().map(String::as_str));
        let hint = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("moves look like `{first}`"),
        };
        Err(MoveError::Illegal { who, text: text.trim().to_string(), hint })
    }
    fn parts(&self) -> Vec<(Box<dyn Position>, Vec<Spot>)> {
        let mut parts = vec![];
        self.rules.regions(&self.board, &mut |board, spots| parts.push((self.at(board), spots)));
        parts
    }
    fn global_win(&self) -> Option<Player> {
        self.rules.global_win(&self.board)
    }
    fn to_play(&self) -> Option<Player> {
        self.rules.to_play(&self.board)
    }
    fn ends_in_score(&self) -> bool {
        self.rules.ends_in_score()
    }
    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}
