//! Another program that speaks the Go Text Protocol, and games against it.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use gb_record::gtp::{colour_word, success};
use gb_value::{Dyadic, Player, Store};

use crate::analysis::analyse;
use crate::game::Game;
use crate::gtp::Session;

/// The most moves of a game that is not stopped.
const MAX_MOVES: usize = 600;

/// A running program.
pub struct Rival {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Why a game came to no end.
#[derive(Debug, thiserror::Error)]
pub enum RivalError {
    /// The program cannot be started, or does not answer.
    #[error("the other program: {0}")]
    Io(#[from] io::Error),
    /// An answer that is an error, or cannot be understood.
    #[error("`{command}` was answered with `{answer}`")]
    Answer {
        /// What was asked.
        command: String,
        /// What came back.
        answer: String,
    },
    /// The game went on and on.
    #[error("no end after {MAX_MOVES} moves")]
    Endless,
    /// The final position cannot be counted.
    #[error("the final position has areas without a value")]
    Open,
}

impl Rival {
    /// Starts GNU Go, at its usual strength, under Japanese rules, and with the same random numbers each time.
    ///
    /// # Errors
    /// If it is not installed.
    pub fn gnugo() -> io::Result<Rival> {
        let options = ["--mode", "gtp", "--japanese-rules", "--never-resign", "--level", "10", "--seed", "1"];
        // Debian installs games in a place that is not in everybody's path.
        Rival::start("gnugo", &options).or_else(|_| Rival::start("/usr/games/gnugo", &options))
    }

    /// Starts a program.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn start(program: &str, options: &[&str]) -> io::Result<Rival> {
        let mut child = Command::new(program)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || io::Error::other("no pipe to the program");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Rival { child, input, output })
    }

    /// Sends a command and returns the answer.
    ///
    /// # Errors
    /// If the program does not answer, or with an error.
    pub fn say(&mut self, command: &str) -> Result<String, RivalError> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 || line.trim().is_empty() && !answer.is_empty() {
                break;
            }
            answer += &line;
        }
        understand(command, &answer)
    }

    /// Plays from a position to the end, with the session on the side of `ours`. Returns the score, positive for Black.
    ///
    /// # Errors
    /// If the game comes to no end, or cannot be counted.
    pub fn play(&mut self, start: &Game, session: &mut Session, ours: Player) -> Result<Dyadic, RivalError> {
        self.play_out(start, session, ours)?;
        count(session)
    }

    /// As [`play`](Rival::play), but the other program counts: for positions that are not proven in the end.
    ///
    /// # Errors
    /// If the game comes to no end, or the other program does not say how it ended.
    pub fn play_and_count(
        &mut self,
        start: &Game,
        session: &mut Session,
        ours: Player,
    ) -> Result<Dyadic, RivalError> {
        self.play_out(start, session, ours)?;
        let answer = self.say("final_score")?;
        let points = match answer.split_once('+') {
            _ if answer == "0" => Some(0.0),
            Some(("B", points)) => points.parse::<f64>().ok(),
            Some(("W", points)) => points.parse::<f64>().ok().map(|points| -points),
            _ => None,
        };
        // It knows nothing of the prisoners made before the position.
        match points.filter(|points| points.fract() == 0.0) {
            Some(points) => Ok(Dyadic::from(points as i64 + start.prisoner_score())),
            None => Err(RivalError::Answer { command: "final_score".into(), answer }),
        }
    }

    fn play_out(&mut self, start: &Game, session: &mut Session, ours: Player) -> Result<(), RivalError> {
        let board = &start.board;
        self.say(&format!("boardsize {}", board.size()))?;
        self.say("clear_board")?;
        self.say("komi 0")?;
        for (point, stone) in board.points().filter_map(|p| board.at(p).map(|s| (p, s))) {
            self.say(&format!("play {} {}", colour_word(stone), board.name(point)))?;
        }
        session.set_game(start.clone());
        for _ in 0..MAX_MOVES {
            let player = session.game().to_play;
            let request = format!("genmove {}", colour_word(player));
            if player == ours {
                let vertex = say(session, &request)?;
                self.say(&format!("play {} {vertex}", colour_word(player)))?;
            } else {
                let vertex = self.say(&request)?;
                say(session, &format!("play {} {vertex}", colour_word(player)))?;
            }
            if session.game().is_over() {
                return Ok(());
            }
        }
        Err(RivalError::Endless)
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // A program that is gone already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn say(session: &mut Session, command: &str) -> Result<String, RivalError> {
    understand(command, &session.answer(command).unwrap_or_default())
}

fn understand(command: &str, answer: &str) -> Result<String, RivalError> {
    let wrong = |answer: &str| RivalError::Answer { command: command.into(), answer: answer.into() };
    success(answer).map(str::to_owned).map_err(wrong)
}

/// The score of a finished game.
fn count(session: &Session) -> Result<Dyadic, RivalError> {
    let (store, game) = (Store::new(), session.game());
    let budget = session.budget();
    let analysis = analyse(&store.kernel(&budget), game, session.settings());
    let score = analysis.score.ok_or(RivalError::Open)?;
    Ok(score[game.to_play as usize].clone())
}
