//! Players by name, for those who know positions as texts only.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

use gb_board::Random;
use gb_board::{BoardError, nearest};
use gb_rules::Player as Side;
use gb_search::{AnySolved, Solved, with_solved};
use gb_value::Store;

use crate::alphabeta::AlphaBeta;
use crate::knowledge::{Knowledge, KnowledgeError};
use crate::limits::{HaltReason, Limits};
use crate::mcts::{Mcts, Settings};

/// A way to find moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// Monte-Carlo tree search.
    Mcts,
    /// Alpha-beta.
    AlphaBeta,
    /// Any move.
    Random,
}

/// The engines: name, and what it does.
pub const PLAYER_KINDS: &[(&str, &str)] = &[
    ("mcts", "Monte-Carlo tree search."),
    ("ab", "Alpha-beta on the whole board."),
    ("random", "Any move, each as likely as any other."),
];

/// Whether a text begins with the name of a kind of player, and so means a player of whole games.
pub fn is_player(text: &str) -> bool {
    let name = text.split('+').next().unwrap_or_default().trim();
    PLAYER_KINDS.iter().any(|(engine, _)| *engine == name)
}

/// A player as typed: `mcts`, `mcts+all`, `ab+solved+atomic`, `random`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// How moves are found.
    pub engine: PlayerKind,
    /// What the player knows.
    pub knowledge: Knowledge,
}

/// Why a text is no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such kind of player.
    #[error("there is no player `{name}`; {hint}")]
    PlayerKind {
        /// What was typed.
        name: String,
        /// What could have been meant.
        hint: String,
    },
    /// There is no such knowledge.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (name, knowledge) = text.trim().split_once('+').unwrap_or((text.trim(), ""));
        let engine = match name.trim() {
            "mcts" => PlayerKind::Mcts,
            "ab" => PlayerKind::AlphaBeta,
            "random" => PlayerKind::Random,
            other => {
                let names = || PLAYER_KINDS.iter().map(|(name, _)| *name);
                let hint = match nearest(other, names()).first() {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "players are mcts, ab and random, with knowledge as in `mcts+all`".into(),
                };
                return Err(SpecError::PlayerKind { name: other.into(), hint });
            }
        };
        Ok(Spec { engine, knowledge: knowledge.parse()? })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.engine {
            PlayerKind::Mcts => "mcts",
            PlayerKind::AlphaBeta => "ab",
            PlayerKind::Random => "random",
        })?;
        if self.knowledge == Knowledge::NONE { Ok(()) } else { write!(f, "+{}", self.knowledge) }
    }
}

/// A move that a player has chosen, as texts.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The move.
    pub mv: String,
    /// The position after it.
    pub after: String,
    /// Left's points less Right's after it.
    pub points: i64,
    /// The share of points that the mover expects, if the player thinks in those terms.
    pub chance: Option<f64>,
    /// How much better the mover stands, if the player thinks in those terms; without a unit.
    pub score: Option<i32>,
    /// Who wins, if that is proven.
    pub winner: Option<Side>,
    /// Playouts, or positions searched.
    pub nodes: u64,
    /// How deep the search has been, if the player thinks in those terms.
    pub depth: Option<u32>,
    /// Why the player stopped thinking.
    pub stopped: HaltReason,
}

/// Why a player makes no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The text is no position.
    #[error(transparent)]
    Position(#[from] BoardError),
    /// There is no move.
    #[error("{who} has no move")]
    NoMove {
        /// Who was to move.
        who: Side,
    },
}

/// Somebody who plays one game, and remembers what it thought about before.
pub trait Player: Send {
    /// Chooses a move for `who`. `points` are Left's points less Right's so far. The store must be the same for all moves.
    ///
    /// # Errors
    /// If the text is no position, or there is no move in it.
    fn choose(
        &mut self,
        position: &str,
        points: i64,
        who: Side,
        store: &Store,
        limits: &Limits,
    ) -> Result<Chosen, PlayError>;
}

/// A player of a game. Players of one game share tables, but must then also share the store. Not generic, so that players are compiled
/// here and nowhere else.
pub fn player(solved: AnySolved, spec: Spec, seed: u64) -> Box<dyn Player> {
    with_solved!(solved, solved => seat(solved, spec, seed))
}

fn seat<const N: usize>(solved: Arc<Solved<N>>, spec: Spec, seed: u64) -> Box<dyn Player> {
    let game = &solved.game;
    let mind = match spec.engine {
        PlayerKind::Mcts => {
            let settings = Settings::for_knowledge(spec.knowledge);
            Mind::Mcts(Box::new(Mcts::new(game.clone(), spec.knowledge, settings, seed)))
        }
        PlayerKind::AlphaBeta => {
            Mind::AlphaBeta(Box::new(AlphaBeta::new(game.clone(), spec.knowledge, seed)))
        }
        PlayerKind::Random => Mind::Random(Random::new(seed, 1)),
    };
    Box::new(Seat { solved, mind })
}

struct Seat<const N: usize> {
    solved: Arc<Solved<N>>,
    mind: Mind<N>,
}

enum Mind<const N: usize> {
    Mcts(Box<Mcts<N>>),
    AlphaBeta(Box<AlphaBeta<N>>),
    Random(Random),
}

impl<const N: usize> Player for Seat<N> {
    fn choose(
        &mut self,
        position: &str,
        points: i64,
        who: Side,
        store: &Store,
        limits: &Limits,
    ) -> Result<Chosen, PlayError> {
        let Solved { game, tables } = &*self.solved;
        let board = game.read(position)?;
        let no_move = PlayError::NoMove { who };
        let mut chosen = Chosen {
            mv: String::new(),
            after: String::new(),
            points,
            chance: None,
            score: None,
            winner: None,
            nodes: 0,
            depth: None,
            stopped: HaltReason::Solved,
        };
        let mv = match &mut self.mind {
            Mind::Mcts(mcts) => {
                let choice = mcts.choose(&board, points, who, tables, store, limits).ok_or(no_move)?;
                chosen.chance = Some(f64::from(choice.chance));
                (chosen.winner, chosen.nodes, chosen.stopped) =
                    (choice.winner, choice.playouts, choice.stopped);
                choice.mv
            }
            Mind::AlphaBeta(search) => {
                let choice = search.choose(&board, points, who, tables, store, limits).ok_or(no_move)?;
                (chosen.score, chosen.depth) = (Some(choice.score), Some(choice.depth));
                (chosen.winner, chosen.nodes, chosen.stopped) = (choice.winner, choice.nodes, choice.stopped);
                choice.mv
            }
            Mind::Random(random) => {
                let mut moves = vec![];
                let _ = game.moves(&board, who, &mut |mv| {
                    moves.push(mv);
                    ControlFlow::Continue(())
                });
                if moves.is_empty() {
                    return Err(no_move);
                }
                moves.swap_remove(random.index(moves.len() as u32) as usize)
            }
        };
        let (after, points) = game.play(&board, who, mv);
        chosen.mv = game.move_text(&board, who, mv);
        chosen.after = game.show(&after);
        chosen.points += points;
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_written() {
        for text in ["mcts", "mcts+all", "ab+solved+atomic", "random", "ab"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert_eq!(error("mtcs+all"), "there is no player `mtcs`; did you mean `mcts`?");
        assert_eq!(error("mcts+sovled"), "there is no knowledge called `sovled`; did you mean `solved`?");
        assert!(error("deep blue").contains("players are mcts, ab and random"));
    }
}
