//! Why the engine has no answer.

use gb_db::StoreError;
use gb_play::matches::StartError;
use gb_play::strategy::StrategyError;
use gb_play::{PlayError, SpecError};
use gb_proof::ProofError;
use gb_rules::{NameError, OpenError};
use gb_search::ScoreError;
use gb_value::Halt;

use crate::calc::CalcError;

/// Why the engine has no answer to a question. What a search did not reach within its budget is no error: the answer says so.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no such game, or the text is no position of it.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The game has no databases.
    #[error(transparent)]
    Database(#[from] std::sync::Arc<StoreError>),
    /// The game does not end in a score, or the depth is 0.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player has no move.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The strategy does not fit the game, or has no move.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// A position of the strategy could not be set up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The strategy has chosen parts that no move leaves.
    #[error("no move leaves the parts that {strategy} has chosen")]
    NoSuchMove {
        /// The strategy.
        strategy: String,
    },
    /// A summand is no expression.
    #[error("{}", error.explain(piece))]
    Calc {
        /// The summand.
        piece: String,
        /// What is wrong with it.
        error: CalcError,
    },
    /// There is no proof, or it was refused.
    #[error(transparent)]
    Proof(#[from] std::sync::Arc<ProofError>),
    /// What a search finds means nothing to another process, or is not kept.
    #[error(
        "a search {0} cannot be saved: only those of single boards whose play ends and is decided by who moves last, in games on grids"
    )]
    CannotBeSaved(String),
    /// A summand is neither a position nor a value.
    #[error("{0}")]
    Summand(String),
}

impl EngineError {
    /// Which limit ended the work, if one did.
    pub fn halt(&self) -> Option<Halt> {
        match self {
            EngineError::Proof(proof) => match **proof {
                ProofError::Halt(halt) => Some(halt),
                _ => None,
            },
            _ => None,
        }
    }
}

impl From<NameError> for EngineError {
    fn from(error: NameError) -> EngineError {
        EngineError::Open(error.into())
    }
}

impl From<gb_board::BoardError> for EngineError {
    fn from(error: gb_board::BoardError) -> EngineError {
        EngineError::Open(error.into())
    }
}

impl From<ProofError> for EngineError {
    fn from(error: ProofError) -> EngineError {
        EngineError::Proof(std::sync::Arc::new(error))
    }
}

impl From<std::io::Error> for EngineError {
    /// Files are read and written only where proofs are.
    fn from(error: std::io::Error) -> EngineError {
        ProofError::Io(error).into()
    }
}
