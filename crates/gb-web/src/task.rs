//! Searches that pages ask for: what to find out, and what becomes of it. Plain data, so that they can be carried out
//! elsewhere, by another thread or another worker of a browser.

use std::time::Duration;

use gb_engine::Engine;
use gb_rules::Player;
use gb_value::{Budget, Cancel};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::analysts::{self, Chosen, Effort, Event, Question};
use crate::calculator;
use crate::catalog::AllGames;
use crate::error::ApiError;
use crate::trainer::{Judged, Lesson};

/// How long a search may take at most.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Seconds; the bench has a limit as well.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

/// How much of a record is to be followed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walk {
    /// The first move, counted from 1.
    #[serde(default)]
    pub(crate) from: usize,
    /// Seconds for all of it.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

/// What the engine is asked to do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Who chooses the move.
    #[serde(default)]
    pub(crate) player: Option<String>,
    /// Seconds for the move.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
    /// Only say which move, do not make it.
    #[serde(default)]
    pub(crate) hint: bool,
}

impl Asked {
    pub(crate) const USUAL: Duration = Duration::from_secs(2);
}

/// Which position the explorer asks about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Further {
    /// The moves that lead there, each with who makes it.
    pub(crate) path: Vec<Turn>,
    /// Seconds.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

impl Further {
    pub(crate) const USUAL: Duration = Duration::from_secs(5);
}

/// A move and who makes it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    #[serde(with = "gb_record::view::side")]
    player: Player,
    #[serde(rename = "move")]
    text: String,
}

/// A certificate that somebody has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    pub(crate) certificate: String,
}

impl Sent {
    /// How long a proof is looked for, or checked, where nothing else is said.
    pub(crate) const USUAL: Duration = Duration::from_secs(20);
}

/// The last move of a session is to be judged and answered.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// Which exercise it belongs to.
    pub(crate) exercise: String,
    /// Seconds for it.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

impl Made {
    pub(crate) const USUAL: Duration = Duration::from_secs(4);
}

/// A line of the calculator, and the variables of the lines before.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub(crate) line: String,
    /// Names and values, in the order in which they were given.
    #[serde(default)]
    pub(crate) variables: Vec<(String, String)>,
}

/// A position to be looked at, as text.
#[derive(Clone, Serialize, Deserialize)]
pub struct Posed {
    /// The text of its game, if it is one.
    pub(crate) text: Option<String>,
    pub(crate) game: String,
    pub(crate) position: String,
    #[serde(with = "gb_record::view::side")]
    pub(crate) to_play: Player,
    pub(crate) ends_in_score: bool,
}

impl Posed {
    /// The text of its game may have to be read again.
    fn read(self, games: &AllGames) -> Result<Question, ApiError> {
        let games = match &self.text {
            Some(text) => games.with_game(text).map_err(ApiError::input)?,
            None => games.clone(),
        };
        let Posed { game, position, to_play, ends_in_score, .. } = self;
        Ok(Question { games, game, position, to_play, ends_in_score })
    }
}

/// What to find out.
#[derive(Clone, Serialize, Deserialize)]
pub enum Work {
    /// All about a position, told in events.
    Analyse {
        /// The position.
        question: Posed,
    },
    /// All about the moves of a record, told in events.
    Follow {
        /// The game.
        game: String,
        /// The record.
        record: String,
        /// The first move, counted from 1.
        from: usize,
    },
    /// The options of a position further down.
    Explore {
        /// The position.
        question: Posed,
        /// The moves from there.
        path: Vec<Turn>,
    },
    /// A move.
    Choose {
        /// The position.
        question: Posed,
        /// Who chooses it.
        player: Option<String>,
    },
    /// A certificate of who wins.
    Prove {
        /// The position.
        question: Posed,
    },
    /// What a certificate proves.
    Check {
        /// The certificate.
        certificate: String,
    },
    /// What a move of a learner was worth.
    Judge(Lesson),
    /// A line of the calculator.
    Calculate(Line),
}

/// What becomes of what was found.
#[derive(Clone, Serialize, Deserialize)]
pub enum Then {
    /// It is the answer.
    Tell,
    /// It is saved as a file of this name.
    Save(String),
    /// It is a move of the engine.
    Play {
        /// Which session it is made in.
        session: String,
        /// The position that was asked about.
        position: String,
        /// Whose turn it was.
        #[serde(with = "gb_record::view::side")]
        to_play: Player,
        /// The move is shown and not made.
        hint: bool,
    },
    /// It is the answer to the move of a learner.
    Reply {
        /// Which session it is made in.
        session: String,
        /// The node of the learner's move.
        node: usize,
    },
}

/// A search that a request has to wait for.
#[derive(Clone, Serialize, Deserialize)]
pub struct Task {
    /// For which session.
    pub session: Option<String>,
    /// What to find out.
    pub work: Work,
    /// How long it may take.
    pub time: Duration,
    /// Bytes that it may hold.
    pub bytes: u64,
    /// What becomes of it.
    pub then: Then,
}

/// What was found.
#[derive(Clone, Serialize, Deserialize)]
pub enum Found {
    /// Data.
    Json(Json),
    /// A text.
    Text(String),
    /// A move.
    Chosen(Chosen),
    /// What a move was worth.
    Judged(Judged),
}

impl Task {
    /// How much may be spent. To be called by the thread that searches.
    pub fn effort(&self, cancel: &Cancel) -> Effort {
        Effort::new(self.time, self.bytes, cancel)
    }

    /// Whether what is found is told little by little, in events.
    pub fn tells(&self) -> bool {
        matches!(self.work, Work::Analyse { .. } | Work::Follow { .. })
    }
}

impl Work {
    /// Finds it out. What is known on the way is told; an analysis tells everything.
    ///
    /// # Errors
    /// A sentence, if there is no answer.
    pub fn run(
        self,
        engine: &Engine,
        games: &AllGames,
        effort: &Effort,
        tell: &dyn Fn(Event),
    ) -> Result<Found, ApiError> {
        let wrong = |error: analysts::AnalystError| ApiError::input(error.to_string());
        match self {
            Work::Analyse { question } => {
                analysts::analyse(engine, &question.read(games)?, effort, tell);
                Ok(Found::Json(Json::Null))
            }
            Work::Follow { game, record, from } => {
                analysts::follow(&game, &record, from, effort, tell);
                Ok(Found::Json(Json::Null))
            }
            Work::Explore { question, path } => {
                let path: Vec<_> = path.into_iter().map(|turn| (turn.player, turn.text)).collect();
                let found =
                    analysts::explore(engine, &question.read(games)?, &path, effort).map_err(wrong)?;
                Ok(Found::Json(json!(found)))
            }
            Work::Choose { question, player } => {
                let question = question.read(games)?;
                analysts::choose(engine, &question, player.as_deref(), effort)
                    .map(Found::Chosen)
                    .map_err(wrong)
            }
            Work::Prove { question } => {
                let found = analysts::prove(engine, &question.read(games)?, effort).map_err(wrong)?;
                Ok(Found::Text(String::from_utf8_lossy(&found).into_owned()))
            }
            Work::Check { certificate } => {
                let checked = engine.check_proof(certificate.as_bytes(), &effort.all(), None);
                let checked = checked.map_err(|error| ApiError::input(error.to_string()))?;
                let claims: Vec<String> = checked.claims.iter().map(ToString::to_string).collect();
                Ok(Found::Json(json!({ "claims": claims, "lines": checked.lines })))
            }
            Work::Judge(lesson) => lesson.judge(games, effort).map(Found::Judged),
            Work::Calculate(line) => calculate(&line, &effort.all()),
        }
    }
}

/// Carries out a line of the calculator, which needs no engine.
///
/// # Errors
/// A sentence, if the line is wrong.
pub fn calculate(line: &Line, budget: &Budget) -> Result<Found, ApiError> {
    calculator::run(line, budget).map(|answer| Found::Json(json!(answer)))
}
