//! What pages ask of the bench, whoever carries their requests: a server, or a page whose engine runs beside it.
//!
//! [`Route::find`] says what a request is about, and [`Bench::answer`] answers it, or says which [`Task`] has to be carried
//! out first. No threads, no sockets, no waiting.

use std::sync::Arc;

use gb_chess::Exercise;
use gb_engine::{Games, SummandView, picture, summand_views};
use gb_record::session::{Command, MAX_MOVES, Session, read_position};
use gb_record::tree::Property;
use gb_record::view::{GameView, View, look_name};
use gb_rules::Position;
use gb_text::Derived;
use http::StatusCode;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::catalog::{self, AllGames};
use crate::error::ApiError;
use crate::sessions::{Sessions, Shared};
use crate::settings::Settings;
use crate::task::{Asked, Found, Further, Line, Made, Posed, Sent, Task, Then, Walk, Wanted, Work};
use crate::trainer;

/// A session and what it shows.
#[derive(Serialize)]
pub struct Answer {
    session: String,
    #[serde(flatten)]
    view: View,
    /// The text that the game was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What was found out about it, when the session is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<Json>,
    /// What was pointed at to make the last move.
    last: Vec<String>,
    /// The summands, if the position is a sum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    summands: Vec<SummandAnswer>,
}

/// A summand of a sum: where it lies in the scene, and what it is.
#[derive(Serialize)]
pub(crate) struct SummandAnswer {
    game: String,
    title: String,
    text: String,
    look: &'static str,
    x: i32,
    width: i32,
    height: i32,
    /// Its spots are those of the scene moved back by so many columns.
    column: u32,
    /// For a value: the options of Left and of Right.
    options: [Vec<String>; 2],
}

impl SummandAnswer {
    /// Those of a position, if it is a sum of these games.
    pub(crate) fn all(position: &Position, games: &Games) -> Vec<SummandAnswer> {
        let summands = match &*position.info().name {
            gb_engine::SUM => summand_views(games, &position.show()).unwrap_or_default(),
            _ => vec![],
        };
        let summand = |view: SummandView| SummandAnswer {
            game: view.game,
            title: view.title,
            text: view.text,
            look: look_name(view.look),
            x: view.frame.0,
            width: view.frame.1,
            height: view.frame.2,
            column: view.moved.0,
            options: view.options,
        };
        summands.into_iter().map(summand).collect()
    }
}

/// What was pointed at to make the move that led here.
fn last_gesture(session: &Session) -> Vec<String> {
    let here = &session.tree().node(session.at()).properties;
    let made = here.iter().find_map(|property| match property {
        Property::Move { player, text } => Some((*player, text)),
        _ => None,
    });
    let line = session.line();
    let (Some((player, text)), [.., before, _]) = (made, &line[..]) else { return vec![] };
    let choices = before.position.moves(player, MAX_MOVES);
    let choice = choices.into_iter().find(|choice| choice.text == *text);
    choice.map_or(vec![], |choice| choice.gesture.iter().map(|spot| spot.to_string()).collect())
}

/// What a new session begins with: a position, or a record; perhaps of a game that is a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    text: Option<String>,
    #[serde(default)]
    game: String,
    #[serde(default)]
    position: String,
    record: Option<String>,
}

/// What a request is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// The list of games.
    Games,
    /// The example of a game as a picture.
    Example(String),
    /// A new session.
    Open,
    /// What a session shows.
    View(String),
    /// A command for a session.
    Command(String),
    /// The end of a session.
    Close(String),
    /// The tree of a session as SGF.
    Record(String),
    /// The board of a session as a picture.
    Picture(String),
    /// The analysis of a session's position.
    Analysis(String),
    /// What the moves of a session's record were worth.
    Follow(String),
    /// A move of the engine.
    Engine(String),
    /// The options of a position further down.
    Explore(String),
    /// A certificate of who wins.
    Proof(String),
    /// What a certificate proves.
    Check,
    /// What the last move of a learner was worth.
    Lesson(String),
    /// The exercises.
    Exercises,
    /// A line of the calculator.
    Calc,
}

impl Route {
    /// The route of a method and a path that begins with `/api/`.
    ///
    /// # Errors
    /// If there is nothing at this path, or it does not take this method.
    pub fn find(method: &str, path: &str) -> Result<Route, ApiError> {
        let words: Vec<String> = path
            .trim_start_matches("/api/")
            .split('/')
            .map(|word| percent_decode_str(word).decode_utf8_lossy().into_owned())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let of = |route: fn(String) -> Route, id: &str| route(id.to_owned());
        let (asked, sent, removed) = match words[..] {
            ["games"] => (Some(Route::Games), None, None),
            ["games", name, "picture"] => (Some(of(Route::Example, name)), None, None),
            ["sessions"] => (None, Some(Route::Open), None),
            ["sessions", id] => {
                (Some(of(Route::View, id)), Some(of(Route::Command, id)), Some(of(Route::Close, id)))
            }
            ["sessions", id, "record"] => (Some(of(Route::Record, id)), None, None),
            ["sessions", id, "picture"] => (Some(of(Route::Picture, id)), None, None),
            ["sessions", id, "analysis"] => (None, Some(of(Route::Analysis, id)), None),
            ["sessions", id, "follow"] => (None, Some(of(Route::Follow, id)), None),
            ["sessions", id, "engine"] => (None, Some(of(Route::Engine, id)), None),
            ["sessions", id, "explore"] => (None, Some(of(Route::Explore, id)), None),
            ["sessions", id, "proof"] => (None, Some(of(Route::Proof, id)), None),
            ["sessions", id, "lesson"] => (None, Some(of(Route::Lesson, id)), None),
            ["check"] => (None, Some(Route::Check), None),
            ["exercises"] => (Some(Route::Exercises), None, None),
            ["calc"] => (None, Some(Route::Calc), None),
            _ => return Err(ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")),
        };
        let route = match method {
            "GET" | "HEAD" => asked,
            "POST" => sent,
            "DELETE" => removed,
            _ => None,
        };
        let wrong =
            || ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method");
        route.ok_or_else(wrong)
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The type of the body.
    pub kind: &'static str,
    /// The name under which the body is saved, if it is a file.
    pub file: Option<String>,
    /// For how many seconds it stays the same.
    pub lasting: u32,
    /// The answer itself.
    pub body: String,
}

impl Reply {
    fn of(kind: &'static str, body: String) -> Reply {
        Reply { status: StatusCode::OK, kind, file: None, lasting: 0, body }
    }

    fn json(data: &impl Serialize) -> Result<Reply, ApiError> {
        let failed = |error: serde_json::Error| {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the answer cannot be written: {error}"))
        };
        Ok(Reply::of("application/json", serde_json::to_string(data).map_err(failed)?))
    }
}

/// What becomes of a request.
pub enum Step {
    /// It is answered.
    Done(Reply),
    /// Something has to be found out first. What is found goes to [`Bench::finish`].
    Search(Task),
}

/// A maker of names for sessions.
pub type Namer = fn() -> Result<String, ApiError>;

/// The sessions of all pages, and all games.
pub struct Bench {
    /// Limits.
    pub settings: Settings,
    catalog: Arc<AllGames>,
    /// The sessions.
    pub sessions: Sessions,
    name: Namer,
}

/// The longest line that is explored.
const LONGEST_PATH: usize = 100;
/// How many variables the calculator is told.
const MAX_VARIABLES: usize = 100;

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let wrong = |error| ApiError::new(StatusCode::BAD_REQUEST, format!("the body is wrong: {error}"));
    serde_json::from_slice(body).map_err(wrong)
}

fn with<T>(session: &Shared, work: impl FnOnce(&mut Session) -> T) -> T {
    work(&mut session.lock().unwrap_or_else(|e| e.into_inner()))
}

fn changed() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "the position was changed meanwhile")
}

/// An answer with the session after it.
#[derive(Serialize)]
struct Together<'a, T> {
    #[serde(flatten)]
    found: &'a T,
    #[serde(flatten)]
    answer: Answer,
}

impl Bench {
    /// No sessions yet; names of new ones come from `name`.
    pub fn new(settings: Settings, name: Namer) -> Bench {
        let sessions = Sessions::new(settings.sessions);
        Bench { settings, catalog: Arc::default(), sessions, name }
    }

    /// All games.
    pub fn games(&self) -> &Arc<AllGames> {
        &self.catalog
    }

    /// Answers a request, or says what has to be found out first.
    ///
    /// # Errors
    /// If the body is not what the route expects, there is no such session, or what is asked is wrong.
    pub fn answer(&self, route: Route, body: &[u8]) -> Result<Step, ApiError> {
        let done = match route {
            Route::Games => {
                let games: Vec<GameView> = catalog::all().iter().map(GameView::from).collect();
                Reply::json(&json!({ "games": games, "players": crate::analysts::players() }))?
            }
            Route::Example(game) => {
                let position = read_position(&*self.catalog, &game, "")?;
                let svg = picture::scene::svg(&position.scene(), &[]);
                Reply { lasting: 3600, ..Reply::of("image/svg+xml", svg) }
            }
            Route::Open => Reply { status: StatusCode::CREATED, ..Reply::json(&self.open(&read(body)?)?)? },
            Route::View(id) => {
                let session = self.sessions.get(&id)?;
                Reply::json(&with(&session, |session| self.answer_of(id, session)))?
            }
            Route::Command(id) => Reply::json(&self.command(id, read(body)?)?)?,
            Route::Close(id) => {
                self.sessions.remove(&id);
                Reply { status: StatusCode::NO_CONTENT, ..Reply::of("text/plain", String::new()) }
            }
            Route::Record(id) => {
                let session = self.sessions.get(&id)?;
                let (name, text) = with(&session, |session| (session.info().name.clone(), session.record()));
                let plain: String =
                    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
                let file = Some(format!("{}.sgf", plain.trim_matches('-')));
                Reply { file, ..Reply::of("application/x-go-sgf; charset=utf-8", text) }
            }
            Route::Picture(id) => {
                let session = self.sessions.get(&id)?;
                let svg = with(&session, |session| {
                    let position = &session.state().position;
                    let parts: Vec<_> = position.parts().into_iter().map(|(_, spots)| spots).collect();
                    picture::scene::svg(&position.scene(), &parts)
                });
                Reply::of("image/svg+xml", svg)
            }
            Route::Exercises => Reply::json(&trainer::exercises())?,
            search => return self.task(search, body).map(Step::Search),
        };
        Ok(Step::Done(done))
    }

    /// What a session shows.
    fn answer_of(&self, id: String, session: &Session) -> Answer {
        let text = session.text();
        // The text was read when the session was opened, and is still there, or read again.
        let games =
            text.as_ref().and_then(|text| self.catalog.with_game(text).ok()?.games()).unwrap_or_default();
        Answer {
            session: id,
            view: session.view(),
            derived: None,
            last: last_gesture(session),
            summands: SummandAnswer::all(&session.state().position, &games),
            text,
        }
    }

    fn check_size(&self, position: &str) -> Result<(), ApiError> {
        self.settings.too_large(position).map_or(Ok(()), |sentence| Err(ApiError::input(sentence)))
    }

    fn open(&self, open: &Open) -> Result<Answer, ApiError> {
        self.check_size(&open.position)?;
        let shelf = match &open.text {
            // Whoever writes a game writes one; several are for sums.
            Some(text) if open.game.is_empty() && open.record.is_none() => {
                Arc::new(self.catalog.with_one_game(text).map_err(ApiError::input)?)
            }
            Some(text) => Arc::new(self.catalog.with_game(text).map_err(ApiError::input)?),
            None => self.catalog.clone(),
        };
        let written = shelf.written().cloned();
        let game = match &written {
            Some(written) if open.game.is_empty() => &written.name,
            _ => &open.game,
        };
        let session = match &open.record {
            Some(record) => Session::from_record(shelf, record)?,
            None => Session::open(shelf, game, &open.position)?,
        };
        self.check_size(&session.state().position.show())?;
        let mut answer = self.answer_of((self.name)()?, &session);
        answer.derived = written.map(|written| {
            let Derived { symmetry, parts, ends, .. } = written.derived;
            let warnings: Vec<String> = written.warnings.iter().map(|warning| warning.to_string()).collect();
            json!({ "alike": symmetry, "parts": parts, "ends": ends, "warnings": warnings })
        });
        self.sessions.add(answer.session.clone(), session);
        Ok(answer)
    }

    fn command(&self, id: String, command: Command) -> Result<Answer, ApiError> {
        if let Command::Open { position, .. } | Command::Setup { position } = &command {
            self.check_size(position)?;
        }
        with(&self.sessions.get(&id)?, |session| {
            session.apply(command)?;
            Ok(self.answer_of(id, session))
        })
    }

    /// What a session asks.
    fn posed(&self, id: &str) -> Result<Posed, ApiError> {
        Ok(with(&self.sessions.get(id)?, |session| {
            let state = session.state();
            Posed {
                text: session.text(),
                game: session.info().name.clone(),
                position: state.position.show(),
                to_play: state.to_play,
                ends_in_score: state.position.ends_in_score(),
            }
        }))
    }

    fn task(&self, route: Route, body: &[u8]) -> Result<Task, ApiError> {
        let settings = &self.settings;
        let (session, work, time, then) = match route {
            Route::Analysis(id) => {
                let (Wanted { seconds }, question) = (read(body)?, self.posed(&id)?);
                let time = settings.time(seconds, settings.search_time)?;
                (Some(id), Work::Analyse { question }, time, Then::Tell)
            }
            Route::Follow(id) => {
                let Walk { from, seconds } = read(body)?;
                let time = settings.time(seconds, settings.search_time)?;
                let (game, record) =
                    with(&self.sessions.get(&id)?, |session| (session.info().name.clone(), session.record()));
                (Some(id), Work::Follow { game, record, from }, time, Then::Tell)
            }
            Route::Explore(id) => {
                let Further { path, seconds } = read(body)?;
                if path.len() > LONGEST_PATH {
                    let sentence = format!("the line is too long: at most {LONGEST_PATH} moves");
                    return Err(ApiError::input(sentence));
                }
                let time = settings.time(seconds, Further::USUAL)?;
                let question = self.posed(&id)?;
                (Some(id), Work::Explore { question, path }, time, Then::Tell)
            }
            Route::Engine(id) => {
                let (Asked { player, seconds, hint }, question) = (read(body)?, self.posed(&id)?);
                let time = settings.time(seconds, Asked::USUAL)?;
                let then = Then::Play {
                    session: id.clone(),
                    position: question.position.clone(),
                    to_play: question.to_play,
                    hint,
                };
                (Some(id), Work::Choose { question, player }, time, then)
            }
            Route::Proof(id) => {
                let (Wanted { seconds }, question) = (read(body)?, self.posed(&id)?);
                let time = settings.time(seconds, Sent::USUAL)?;
                (Some(id), Work::Prove { question }, time, Then::Save("gamebench.proof".into()))
            }
            Route::Check => {
                let sent: Sent = read(body)?;
                let work = Work::Check { certificate: sent.certificate };
                (None, work, settings.time(None, Sent::USUAL)?, Then::Tell)
            }
            Route::Lesson(id) => {
                let made: Made = read(body)?;
                let exercise = Exercise::find(&made.exercise).ok_or_else(|| {
                    let name = &made.exercise;
                    ApiError::input(format!("there is no exercise `{name}`: /api/exercises lists them"))
                })?;
                let (node, lesson) = with(&self.sessions.get(&id)?, |session| {
                    Ok::<_, ApiError>((session.at().0, trainer::Lesson::of(session, exercise)?))
                })?;
                let time = settings.time(made.seconds, Made::USUAL)?;
                (Some(id.clone()), Work::Judge(lesson), time, Then::Reply { session: id, node })
            }
            Route::Calc => {
                let line: Line = read(body)?;
                if line.variables.len() > MAX_VARIABLES {
                    return Err(ApiError::input(format!("too many variables: at most {MAX_VARIABLES}")));
                }
                (None, Work::Calculate(line), settings.calculation_time, Then::Tell)
            }
            other => {
                let sentence = format!("{other:?} is no search");
                return Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence));
            }
        };
        Ok(Task { session, work, time, bytes: settings.search_memory, then })
    }

    /// The answer to a request, when everything is found that it needs.
    ///
    /// # Errors
    /// If the session was changed or forgotten meanwhile.
    pub fn finish(&self, then: Then, found: Found) -> Result<Reply, ApiError> {
        match (then, found) {
            (Then::Play { session: id, position, to_play, hint }, Found::Chosen(chosen)) => {
                with(&self.sessions.get(&id)?, |session| {
                    let state = session.state();
                    if !hint && (state.position.show() != position || state.to_play != to_play) {
                        return Err(changed());
                    }
                    if !hint {
                        session.play(&chosen.text)?;
                    }
                    Reply::json(&Together { found: &chosen, answer: self.answer_of(id, session) })
                })
            }
            (Then::Reply { session: id, node }, Found::Judged(judged)) => {
                with(&self.sessions.get(&id)?, |session| {
                    if session.at().0 != node {
                        return Err(changed());
                    }
                    if let Some(reply) = judged.reply() {
                        session.play(reply)?;
                    }
                    Reply::json(&Together { found: &judged, answer: self.answer_of(id, session) })
                })
            }
            (Then::Save(name), Found::Text(text)) => {
                Ok(Reply { file: Some(name), ..Reply::of("text/plain; charset=utf-8", text) })
            }
            (_, Found::Text(text)) => Ok(Reply::of("text/plain; charset=utf-8", text)),
            (_, Found::Json(data)) => Reply::json(&data),
            (_, Found::Chosen(_) | Found::Judged(_)) => {
                let sentence = "something else was found than was asked for";
                Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_methods_say_what_is_asked() {
        assert_eq!(Route::find("GET", "/api/games"), Ok(Route::Games));
        assert_eq!(Route::find("HEAD", "/api/sessions/7"), Ok(Route::View("7".into())));
        assert_eq!(Route::find("DELETE", "/api/sessions/7"), Ok(Route::Close("7".into())));
        let example = Route::find("GET", "/api/games/nim%20%2F/picture");
        assert_eq!(example, Ok(Route::Example("nim /".into())));
        let status = |method, path| Route::find(method, path).unwrap_err().status;
        assert_eq!(status("GET", "/api/calc"), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(status("PATCH", "/api/games"), StatusCode::METHOD_NOT_ALLOWED);
        for nothing in ["/api/", "/api/nothing", "/api/games/", "/api/sessions/7/record/more"] {
            assert_eq!(status("GET", nothing), StatusCode::NOT_FOUND, "{nothing}");
        }
    }
}
