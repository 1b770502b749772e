//! The trainer: exercises, and what the moves of a learner were worth.

use gb_chess::{ChessError, EXERCISES, Exercise, Request, Tables, judge};
use gb_record::session::{Session, SessionError, read_position};
use gb_record::tree::Property;
use gb_rules::Player;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::analysts::Effort;
use crate::catalog::AllGames;
use crate::error::ApiError;

/// The game that the exercises are about.
const GAME: &str = crate::analysts::CHESS;

/// All exercises.
pub(crate) fn exercises() -> Json {
    let shown = |exercise: &Exercise| {
        let mut shown = serde_json::to_value(exercise).unwrap_or(Json::Null);
        shown["game"] = json!(GAME);
        shown["learner"] = json!(exercise.learner().to_string());
        shown["task"] = json!(exercise.task());
        shown
    };
    json!({ "exercises": EXERCISES.iter().map(shown).collect::<Vec<_>>() })
}

/// A move of a learner that is to be judged.
#[derive(Clone, Serialize, Deserialize)]
pub struct Lesson {
    exercise: String,
    /// The position before the move.
    before: String,
    /// The move.
    text: String,
    /// The positions of the whole line, the move included.
    line: Vec<String>,
}

/// What a move was worth.
#[derive(Clone, Serialize, Deserialize)]
pub struct Judged {
    judgement: Json,
    /// The exercise is over.
    standing: Json,
}

impl Judged {
    /// The answer, unless the game is over.
    pub(crate) fn reply(&self) -> Option<&str> {
        self.judgement["reply"]["text"].as_str()
    }
}

impl Lesson {
    /// The last move of a session.
    pub(crate) fn of(session: &Session, exercise: &Exercise) -> Result<Lesson, ApiError> {
        let (before, text) = last_move(session, exercise.learner())?;
        let line = session.line().iter().map(|state| state.position.show()).collect();
        Ok(Lesson { exercise: exercise.id.to_owned(), before, text, line })
    }

    /// Judges the move and finds the best defence.
    pub(crate) fn judge(&self, games: &AllGames, effort: &Effort) -> Result<Judged, ApiError> {
        let wrong = |error: ChessError| ApiError::input(error.to_string());
        let exercise = Exercise::find(&self.exercise)
            .ok_or_else(|| ApiError::input(format!("there is no exercise `{}`", self.exercise)))?;
        let request = Request::new(&self.before).map_err(wrong)?;
        let tables = Tables::new(Tables::folder_of_user().as_deref());
        let judgement = judge(&request.board, &self.text, &tables, &effort.budget).map_err(wrong)?;
        let (mut line, Some(here)) = (self.line.clone(), self.line.last()) else {
            return Err(ApiError::input("a line of moves has at least one position"));
        };
        let mut position = here.clone();
        if let Some(reply) = &judgement.reply {
            let here = read_position(games, GAME, here)?;
            let after = here.play(exercise.learner().opponent(), &reply.text).map_err(SessionError::from)?;
            position = after.show();
            line.push(position.clone());
        }
        let seen = line.iter().filter(|other| places(other) == places(&position)).count();
        let standing = exercise.standing(&judgement, seen);
        Ok(Judged { judgement: json!(judgement), standing: json!(standing) })
    }
}

/// The last move of a session, with the position before it.
fn last_move(session: &Session, learner: Player) -> Result<(String, String), ApiError> {
    let here = &session.tree().node(session.at()).properties;
    let made = here.iter().find_map(|property| match property {
        Property::Move { player, text } if *player == learner => Some(text.clone()),
        _ => None,
    });
    let line = session.line();
    match (made, line.len().checked_sub(2).and_then(|index| line.get(index))) {
        (Some(text), Some(before)) if session.info().name == GAME => Ok((before.position.show(), text)),
        _ => Err(ApiError::input(format!("the last move has to be one of {learner} in a game of {GAME}"))),
    }
}

/// A position without its clocks: pieces, whose turn, en passant.
fn places(fen: &str) -> Vec<&str> {
    fen.split(' ').take(4).collect()
}
