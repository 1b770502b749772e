//! Positions for front ends: texts, gestures and scenes.

use std::fmt;
use std::ops::ControlFlow;

use gb_board::{Scene, Spot, nearest};

use crate::{AnyGame, DynGame, Info, Key, MoveKey, Player, WIDEST, with_game};

/// A position with the game it belongs to.
#[derive(Clone)]
pub struct Position {
    game: AnyGame,
    key: Key<WIDEST>,
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.info().name, self.show())
    }
}

/// Does something with the game and the key of a position.
macro_rules! on {
    ($position:expr, $game:ident, $key:ident => $work:expr) => {
        with_game!(&$position.game, $game => {
            let $key = &$position.key.resized();
            $work
        })
    };
}

impl Position {
    /// The position of a game with this key, which must have come from the same game.
    pub fn new(game: AnyGame, key: Key<WIDEST>) -> Position {
        Position { game, key }
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Its key, for the engine of the game's width.
    pub fn key(&self) -> &Key<WIDEST> {
        &self.key
    }

    fn at(&self, key: Key<WIDEST>) -> Position {
        Position { game: self.game.clone(), key }
    }

    /// The rules' description.
    pub fn info(&self) -> Info {
        self.game.info()
    }

    /// The position as text.
    pub fn show(&self) -> String {
        on!(self, game, key => game.show(key))
    }

    /// What to draw.
    pub fn scene(&self) -> Scene {
        on!(self, game, key => game.scene(key))
    }

    /// The moves of a player, at most `limit` of them.
    pub fn moves(&self, who: Player, limit: usize) -> Vec<Choice> {
        on!(self, game, key => choices(&**game, key, who, limit))
    }

    /// Makes a move given by its text.
    ///
    /// # Errors
    /// If the player has no such move.
    pub fn make(&self, who: Player, text: &str) -> Result<Made, MoveError> {
        let (text, after, points) = on!(self, game, key => {
            let (text, mv) = find_move(&**game, key, who, text)?;
            let (after, points) = game.play(key, who, mv);
            (text, after.resized(), points)
        });
        Ok(Made { after: self.at(after), text, points })
    }

    /// The position after a move given by its text.
    ///
    /// # Errors
    /// If the player has no such move.
    pub fn play(&self, who: Player, text: &str) -> Result<Position, MoveError> {
        self.make(who, text).map(|made| made.after)
    }

    /// The parts, each with the spots it takes up on this board (no spots where the game does not say).
    pub fn parts(&self) -> Vec<(Position, Vec<Spot>)> {
        on!(self, game, key => {
            game.regions(key).into_iter().map(|(part, spots)| (self.at(part.resized()), spots)).collect()
        })
    }

    /// The player who has won everywhere, in games with global threats.
    pub fn global_win(&self) -> Option<Player> {
        on!(self, game, key => game.global_win(key))
    }

    /// Whose turn it is, if the position says so.
    pub fn to_play(&self) -> Option<Player> {
        on!(self, game, key => game.to_play(key))
    }

    /// Whether who cannot move wins.
    pub fn is_misere(&self) -> bool {
        with_game!(&self.game, game => game.is_misere())
    }

    /// Whether points decide, and not who moves last.
    pub fn ends_in_score(&self) -> bool {
        with_game!(&self.game, game => game.ends_in_score())
    }

    /// The positions a player can move to, as texts without repetition, in order of the moves.
    pub fn options(&self, who: Player) -> Vec<String> {
        let mut options: Vec<String> = vec![];
        for choice in self.moves(who, usize::MAX) {
            if !options.contains(&choice.result) {
                options.push(choice.result);
            }
        }
        options
    }
}

fn choices<const N: usize>(game: &dyn DynGame<N>, at: &Key<N>, who: Player, limit: usize) -> Vec<Choice> {
    let mut choices = vec![];
    let _ = game.moves(at, who, &mut |mv| {
        if choices.len() == limit {
            return ControlFlow::Break(());
        }
        let (after, points) = game.play(at, who, mv);
        choices.push(Choice {
            text: game.move_text(at, who, mv),
            gesture: game.gesture(at, who, mv),
            result: game.show(&after),
            points,
        });
        ControlFlow::Continue(())
    });
    choices
}

/// The move with a text, as the game writes it.
fn find_move<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    who: Player,
    text: &str,
) -> Result<(String, MoveKey), MoveError> {
    let wanted = text.trim().to_lowercase();
    let (mut texts, mut found) = (vec![], None);
    let _ = game.moves(at, who, &mut |mv| {
        let text = game.move_text(at, who, mv);
        if text.to_lowercase() == wanted {
            found = Some((text, mv));
            return ControlFlow::Break(());
        }
        texts.push(text);
        ControlFlow::Continue(())
    });
    if let Some(found) = found {
        return Ok(found);
    }
    let Some(first) = texts.first() else { return Err(MoveError::Over { who }) };
    let near = nearest(&wanted, texts.iter().map(String::as_str));
    let hint = game.why_illegal(at, who, text.trim()).unwrap_or_else(|| match near.first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("moves look like `{first}`"),
    });
    Err(MoveError::Illegal { who, text: text.trim().to_string(), hint })
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
    pub after: Position,
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
