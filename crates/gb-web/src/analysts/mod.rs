//! Who knows what about a position: most games are sums, and some have analysts of their own. All of them say what they
//! found in the same form, so that one page shows it.

mod chess;
mod go;
mod sums;

use std::sync::Arc;
use std::time::Duration;

use gb_board::BoardError;
use gb_chess::ChessError;
use gb_engine::analysis_json::{Facts, WinningJson};
use gb_engine::picture::thermograph;
use gb_engine::{Allowance, Engine, EngineError, Goal};
use gb_play::strategy::PlanError;
use gb_record::session::SessionError;
use gb_rules::{Choice, Player};
use gb_value::text::{Script, Style};
use gb_value::{Budget, Cancel, Kernel, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::catalog::AllGames;

pub use chess::NAME as CHESS;
pub use go::{go_json, ko_drawings, ko_json, step_json};
pub use sums::players;

/// Values on a page are typeset; it folds those that are long.
const TYPESET: Style = Style { script: Script::Unicode, plain: false, slashes: true, max_len: 1_500 };
/// Where values stand in sentences and in lists.
const SHORT: Style = Style { max_len: 160, ..TYPESET };

/// A position to be looked at.
#[derive(Clone)]
pub struct Question {
    /// Where its game comes from.
    pub games: AllGames,
    /// The game with its parameters.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// Whose turn it is.
    pub to_play: Player,
    /// Whether points count at the end.
    pub ends_in_score: bool,
}

/// Something to be told while a search goes on.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of thing.
    pub event: &'static str,
    /// The thing.
    pub data: Json,
}

/// A part of a position, as a page shows it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShownPart {
    /// Its letter.
    pub name: String,
    /// The part as text.
    pub position: String,
    /// Where it is on the board.
    pub cells: Vec<String>,
    /// What is known about its value.
    pub facts: Option<Facts>,
    /// What else there is to say.
    pub note: String,
    /// Its thermograph as SVG.
    pub thermograph: Option<String>,
}

/// A move worth making.
#[derive(Clone, Debug, Serialize)]
pub struct ShownMove {
    /// The move as text.
    pub text: String,
    /// What to point at.
    pub gesture: Vec<String>,
    /// Why.
    pub reason: String,
}

/// What was found, as a page shows it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AnalysisView {
    /// Who wins, in a sentence.
    pub verdict: String,
    /// Why not more is known.
    pub stopped: Option<String>,
    /// The parts.
    pub parts: Vec<ShownPart>,
    /// The sum.
    pub sum: Option<ShownPart>,
    /// What the moves below do: win, or lose nothing.
    pub title: String,
    /// Good first moves of Left and of Right.
    pub moves: [Vec<ShownMove>; 2],
    /// The report of an analyst of this game.
    pub report: Option<String>,
    /// What is written on the board, such as the labels of corresponding squares.
    pub labels: Vec<ShownLabel>,
    /// What every move of Left and of Right leaves.
    pub options: [Vec<ShownOption>; 2],
    /// What the strongest player thinks, where it is not known who wins.
    pub estimate: Option<Estimate>,
    /// Thermographs of several parts in one picture, as SVG.
    pub together: Option<String>,
}

/// A move and what it leaves.
#[derive(Clone, Debug, Serialize)]
pub struct ShownOption {
    /// The move as text.
    pub text: String,
    /// What to point at.
    pub gesture: Vec<String>,
    /// The part it is made in.
    pub part: Option<usize>,
    /// What it makes of that part.
    pub to: Option<String>,
    /// What is left of the whole position.
    pub facts: Option<Facts>,
    /// Where points decide: what best play ends with after it.
    pub score: Option<String>,
    /// Where there are no values: who wins after it, `Left`, `Right` or `Draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<&'static str>,
    /// It is neither dominated nor reversible in its part, as far as that is known.
    pub sensible: bool,
    /// It is known to win, or where points decide, to lose nothing.
    pub wins: bool,
}

impl ShownOption {
    /// A legal move of which nothing is known.
    fn unknown(choice: &Choice) -> ShownOption {
        ShownOption {
            text: choice.text.clone(),
            gesture: choice.gesture.iter().map(|spot| spot.to_string()).collect(),
            part: None,
            to: None,
            facts: None,
            score: None,
            winner: None,
            sensible: true,
            wins: false,
        }
    }
}

/// A position further down, with its options.
#[derive(Clone, Debug, Serialize)]
pub struct Explored {
    /// The position as text.
    pub position: String,
    /// What is known about its value.
    pub facts: Option<Facts>,
    /// The moves of Left and of Right.
    pub options: [Vec<ShownOption>; 2],
}

/// What a player thinks of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The player.
    pub player: String,
    /// Who is to move.
    #[serde(with = "gb_record::view::side")]
    pub to_play: Player,
    /// The best move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// What to point at.
    pub gesture: Vec<String>,
    /// The share of games that the player to move is expected to win.
    pub share: Option<f64>,
    /// It is no guess.
    pub proven: bool,
    /// Playouts.
    pub nodes: u64,
    /// How long it has thought.
    pub seconds: f64,
}

/// A word on the board that concerns one player.
#[derive(Clone, Debug, Serialize)]
pub struct ShownLabel {
    /// Where.
    pub spot: String,
    /// What.
    pub text: String,
    /// Whom it concerns.
    #[serde(with = "gb_record::view::side")]
    pub player: Player,
}

/// A move that was chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chosen {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// What to point at.
    pub gesture: Vec<String>,
    /// Why, in a few words.
    pub why: String,
}

/// How much may be spent on a question.
pub struct Effort {
    /// For everything that is to be exact.
    pub budget: Arc<Budget>,
    /// All of it.
    pub allowance: Allowance,
}

impl Effort {
    /// To be called by the thread that searches ([`Allowance::values`]).
    pub fn new(time: Duration, bytes: u64, cancel: &Cancel) -> Effort {
        let allowance = Allowance { time: Some(time), bytes, nodes: None, cancel: cancel.clone() };
        Effort { budget: Arc::new(allowance.values()), allowance }
    }

    fn rest(&self) -> Budget {
        self.allowance.rest()
    }

    /// A budget for work that needs no second part.
    pub(crate) fn all(&self) -> Budget {
        let Allowance { time, bytes, cancel, .. } = &self.allowance;
        let budget = Budget::unlimited().with_bytes(*bytes).with_cancel(cancel.clone());
        match time {
            Some(time) => budget.with_time(*time),
            None => budget,
        }
    }
}

/// Why there is no analysis, or no move.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// The engine has no answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no such game, or the text is no position of it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The text is no position of chess, or none that is analysed.
    #[error(transparent)]
    Chess(#[from] ChessError),
    /// The text is no board of Go.
    #[error(transparent)]
    Go(#[from] BoardError),
    /// The text is no record of Go.
    #[error(transparent)]
    Record(#[from] gb_record::RecordError),
    /// There is nobody who follows records of this game.
    #[error("records of Go are followed move by move, and this is one of {0}")]
    NotFollowed(String),
    /// Nobody would wait for so much.
    #[error("the record has {count} moves, and at most {most} are followed: begin later")]
    LongRecord {
        /// Moves that were asked for.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// There is no such player.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is nothing to choose from.
    #[error("{0} has no move")]
    NoMove(Player),
    /// The engine has looked at nothing.
    #[error("the position was not searched")]
    NotSearched,
}

type Analyse = fn(&Engine, &Question, &Effort, &dyn Fn(Event)) -> Result<(), AnalystError>;
type Options = fn(&Question, &Effort) -> Result<[Vec<ShownOption>; 2], AnalystError>;
type Choose = fn(&Engine, &Question, Option<&str>, &Effort) -> Result<Chosen, AnalystError>;

/// Games with analysts of their own. All others are sums.
const ANALYSTS: &[(&str, Analyse, Choose, Options)] = &[
    (chess::NAME, chess::analyse, chess::choose, chess::options),
    (gb_go::bench::NAME, go::analyse, go::choose, go::options),
];

fn analyst(game: &str) -> (Analyse, Choose) {
    let own = ANALYSTS.iter().find(|(name, ..)| *name == game);
    own.map_or((sums::analyse as Analyse, sums::choose as Choose), |&(_, analyse, choose, _)| {
        (analyse, choose)
    })
}

/// Finds out what there is to find out. The last event is `result`, or `error`; before `result` comes `shown`.
pub fn analyse(engine: &Engine, question: &Question, effort: &Effort, tell: &dyn Fn(Event)) {
    let own = own_engine(engine, question);
    let engine = own.as_ref().unwrap_or(engine);
    if let Err(error) = analyst(&question.game).0(engine, question, effort, tell) {
        tell(error_event(&error.to_string()));
    }
}

/// The moves of a position that is reached from a question's by moves, with what they leave.
///
/// # Errors
/// If there is no such move, or the position cannot be looked at.
pub fn explore(
    engine: &Engine,
    question: &Question,
    path: &[(Player, String)],
    effort: &Effort,
) -> Result<Explored, AnalystError> {
    let own = own_engine(engine, question);
    let mut position =
        gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    for (player, text) in path {
        position = position.play(*player, text).map_err(SessionError::from)?;
    }
    let to_play = path.last().map_or(question.to_play, |(player, _)| player.opponent());
    let question = Question { position: position.show(), to_play, ..question.clone() };
    if let Some((.., options)) = ANALYSTS.iter().find(|(name, ..)| *name == question.game) {
        let options = options(&question, effort)?;
        return Ok(Explored { position: question.position, facts: None, options });
    }
    sums::explore(own.as_ref().unwrap_or(engine), &question, effort)
}

/// Chooses a move for the player whose turn it is.
///
/// # Errors
/// If there is no move or no such player.
pub fn choose(
    engine: &Engine,
    question: &Question,
    player: Option<&str>,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    let own = own_engine(engine, question);
    analyst(&question.game).1(own.as_ref().unwrap_or(engine), question, player, effort)
}

/// Follows the main line of a record from a move on, counted from 1. An event `step` tells of each move, the last moves first; the last
/// event is `result`, or `error`.
pub fn follow(game: &str, record: &str, from: usize, effort: &Effort, tell: &dyn Fn(Event)) {
    let followed = match game {
        gb_go::bench::NAME => go::follow(record, from, effort, tell),
        _ => Err(AnalystError::NotFollowed(game.to_owned())),
    };
    if let Err(error) = followed {
        tell(error_event(&error.to_string()));
    }
}

/// The position as it is typed for commands: a sum without the name that it has as a game.
fn as_typed(question: &Question) -> String {
    if question.game == gb_engine::SUM {
        return question.position.clone();
    }
    format!("{} {}", question.game, question.position)
}

/// A certificate of who wins, whoever begins.
///
/// # Errors
/// If it is not found, or the game has no proofs.
pub fn prove(engine: &Engine, question: &Question, effort: &Effort) -> Result<Vec<u8>, AnalystError> {
    let own = own_engine(engine, question);
    let mut certificate = vec![];
    own.as_ref().unwrap_or(engine).prove(
        &as_typed(question),
        &Goal::Outcome,
        &effort.budget,
        &mut certificate,
        None,
    )?;
    Ok(certificate)
}

/// Games that are texts get an engine of their own: what others have found in a game of the same name is not to be believed, since anybody
/// can write one.
fn own_engine(engine: &Engine, question: &Question) -> Option<Engine> {
    question.games.games().map(|games| engine.for_games(games))
}

/// An error as the last event.
pub fn error_event(sentence: &str) -> Event {
    Event { event: "error", data: json!({ "error": sentence }) }
}

/// Any data as an event.
fn event(name: &'static str, data: &impl Serialize) -> Event {
    Event { event: name, data: serde_json::to_value(data).unwrap_or(Json::Null) }
}

fn finish(tell: &dyn Fn(Event), shown: &AnalysisView, result: &impl Serialize) {
    tell(event("shown", shown));
    tell(event("result", result));
}

fn drawn(kernel: &Kernel<'_>, name: &str, value: Value) -> Option<String> {
    kernel.thermograph(value).ok().map(|graph| thermograph::svg(&[(name, &graph)]))
}

impl From<&WinningJson> for ShownMove {
    fn from(found: &WinningJson) -> Self {
        ShownMove {
            text: found.at.text.clone().unwrap_or_default(),
            gesture: found.at.gesture.clone(),
            reason: found.reason.clone(),
        }
    }
}
