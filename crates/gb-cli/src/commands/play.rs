//! `gamebench play`: a game in the terminal against any player.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use gb_engine::Engine;
use gb_engine::report::ending_clause;
use gb_play::{Limits, Player, PlayerCatalog, Spec, SpecError};
use gb_record::{GameRecord, GameStatus};
use gb_rules::Player as Side;
use gb_value::Budget;
use gb_value::loopy::Ending;
use serde::Serialize;

use super::gtp::draw_with;
use crate::databases::PlayersDatabases;
use crate::errors::Failure;
use crate::files;
use crate::input::next_line;
use crate::limits::{amount, think_time};
use crate::output;

/// Plays a game in the terminal, against a player or between two of them
#[derive(Args)]
pub struct Play {
    /// The game, such as clobber
    #[arg(required_unless_present = "open", default_value = "")]
    game: String,
    /// The position to start from, or a size such as 6x6; 8x8 or the game's example if nothing is said
    start: Option<String>,
    /// Who plays Left: you, or a player such as mcts+all, ab, random
    #[arg(long, default_value = "you")]
    left: String,
    /// Who plays Right
    #[arg(long, default_value = "mcts+all")]
    right: String,
    /// Right moves first
    #[arg(long)]
    right_first: bool,
    /// Time for each move of a player
    #[arg(long, value_name = "TIME", value_parser = think_time)]
    time: Option<Duration>,
    /// Playouts or positions for each move of a player, such as 10k
    #[arg(long, value_name = "COUNT", value_parser = amount)]
    nodes: Option<u64>,
    /// Go on with the game in this record (SGF), whoever wrote it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "start", "right_first"])]
    open: Option<PathBuf>,
    /// Save the game as SGF in this file when it ends or is left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Other seeds give other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object for each thing that happens
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    databases: PlayersDatabases,
}

const HELP: &str = "\
a move as the board shows it, such as a1-b1
moves    all moves
hint     what the strongest player would do
board    the board again
undo     takes your last move back
resign   gives up
save F   saves the game as SGF in file F
quit     leaves the game";

/// How many nodes are spent to find out whether a position is solved.
const NODES_TO_SOLVE: u64 = 20_000;

#[derive(Serialize)]
struct JsonMove<'a> {
    by: String,
    #[serde(rename = "move")]
    mv: &'a str,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    nodes: u64,
}

#[derive(Serialize)]
struct JsonNote<'a> {
    note: &'a str,
}

#[derive(Serialize)]
struct JsonEnd<'a> {
    winner: Option<String>,
    moves: usize,
    sgf: &'a str,
}

/// A person, or a player.
enum Seat {
    You,
    Player(Box<dyn Player>),
}

struct Table<'a> {
    command: &'a Play,
    game: String,
    engine: Engine,
    record: GameRecord,
    seats: [Seat; 2],
    limits: Limits,
    /// Who wins from here, as last announced.
    announced: Option<Ending>,
}

impl Play {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let engine = self.databases.engine()?;
        let record = match &self.open {
            Some(path) => {
                let text = files::read_record(path)?;
                let opened = GameRecord::from_sgf(&text, &|game, position| engine.open(game, position));
                opened.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?
            }
            None => {
                let games = engine.games();
                let position = match &self.start {
                    Some(start) => games.position(&self.game, start),
                    None => games.usual_start(&self.game),
                };
                let position = position.map_err(Failure::input)?;
                GameRecord::new(position, if self.right_first { Side::Right } else { Side::Left })
            }
        };
        let (game, sample) = (record.start().info().name, record.start().show());
        let seat = |name: &str, salt: u64| -> Result<Seat, Failure> {
            if name == "you" {
                return Ok(Seat::You);
            }
            let spec: Spec = name.parse().map_err(|error| {
                Failure::Usage(match error {
                    SpecError::PlayerKind { .. } => format!("{error} (`you` play yourself)"),
                    SpecError::Knowledge(_) => error.to_string(),
                })
            })?;
            let player = engine.player(&game, &sample, spec, self.seed ^ salt).map_err(Failure::input)?;
            Ok(Seat::Player(player))
        };
        if self.nodes == Some(0) {
            return Err(Failure::Usage("--nodes 0: a player needs at least one".into()));
        }
        let seats = [seat(&self.left, 1)?, seat(&self.right, 2)?];
        let limits = match (self.time, self.nodes) {
            (None, Some(nodes)) => Limits::nodes(nodes),
            (time, nodes) => Limits { nodes, ..Limits::time(time.unwrap_or(Duration::from_secs(1))) },
        };
        let mut table = Table { command: &self, game, engine, record, seats, limits, announced: None };
        table.play()
    }
}

impl Table<'_> {
    fn say(&self, text: &str) -> io::Result<()> {
        if self.command.json { output::json(&JsonNote { note: text }) } else { output::line(text) }
    }

    fn play(&mut self) -> Result<(), Failure> {
        let mut input = io::stdin().lock();
        self.show_board()?;
        loop {
            let who = match self.record.status() {
                GameStatus::ToMove(who) => who,
                GameStatus::Won(who) => {
                    let how = if self.record.is_resigned() { " by resignation" } else { "" };
                    self.say(&format!("{who} wins{how} after {} moves", self.record.len()))?;
                    return self.end(Some(who));
                }
                GameStatus::Drawn => {
                    self.say("a draw")?;
                    return self.end(None);
                }
            };
            self.announce(who)?;
            if let Seat::Player(_) = self.seats[who as usize] {
                self.player_moves(who)?;
                continue;
            }
            if !self.command.json {
                self.say(&format!("{who} to move (help shows what to type):"))?;
            }
            let Some(line) = next_line(&mut input) else {
                self.say("the input has ended in the middle of the game")?;
                return self.leave();
            };
            let line = line.map_err(|error| Failure::Input(format!("reading your move: {error}")))?;
            if !self.obey(line.trim(), who)? {
                return self.leave();
            }
        }
    }

    fn player_moves(&mut self, who: Side) -> Result<(), Failure> {
        let (position, points) = (self.record.position().show(), self.record.points());
        let Seat::Player(player) = &mut self.seats[who as usize] else { return Ok(()) };
        let chosen = player.choose(&position, points, who, &self.engine.store, &self.limits);
        let chosen = chosen.map_err(|error| Failure::Input(error.to_string()))?;
        self.record.play(who, &chosen.mv).map_err(|error| Failure::Input(error.to_string()))?;
        if self.command.json {
            output::json(&JsonMove {
                by: who.to_string(),
                mv: &chosen.mv,
                position: chosen.after.clone(),
                chance: chosen.chance,
                winner: chosen.winner.map(|who| who.to_string()),
                nodes: chosen.nodes,
            })?;
        } else {
            let sure = match (chosen.winner, chosen.chance) {
                (Some(winner), _) if winner == who => " and wins".into(),
                (Some(_), _) => ", although it loses".into(),
                (None, Some(chance)) => format!(", expecting {:.0} %", 100.0 * chance),
                (None, None) => String::new(),
            };
            self.say(&format!("{who} plays {}{sure}", chosen.mv))?;
        }
        self.show_board()
    }

    /// Does what a line says. False to leave the game.
    fn obey(&mut self, line: &str, who: Side) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => {}
            "quit" | "exit" => return Ok(false),
            "help" | "?" => self.say(HELP)?,
            "board" => self.show_board()?,
            "moves" => {
                let moves = self.record.position().moves(who, usize::MAX);
                let texts: Vec<&str> = moves.iter().map(|choice| choice.text.as_str()).collect();
                self.say(&texts.join(" "))?;
            }
            "hint" => self.hint(who)?,
            "undo" => self.undo(who)?,
            "resign" => self.record.resign(who),
            "save" if rest.is_empty() => {
                self.say("save needs the name of a file, such as `save game.sgf`")?
            }
            "save" => {
                let path = PathBuf::from(rest.trim());
                match gb_record::files::write(&path, self.sgf().as_bytes()) {
                    Ok(()) => self.say(&format!("saved in {}", path.display()))?,
                    Err(error) => self.say(&format!("not saved: {}: {error}", path.display()))?,
                }
            }
            text => match self.record.play(who, text) {
                Ok(()) => {
                    if self.command.json {
                        let position = self.record.position().show();
                        output::json(&JsonMove {
                            by: who.to_string(),
                            mv: text,
                            position,
                            chance: None,
                            winner: None,
                            nodes: 0,
                        })?;
                    }
                    self.show_board()?;
                }
                Err(error) => self.say(&error.to_string())?,
            },
        }
        Ok(true)
    }

    fn hint(&mut self, who: Side) -> Result<(), Failure> {
        let position = self.record.position().show();
        match self.engine.choose(&self.game, &position, who, "mcts+all", &self.limits) {
            Ok(chosen) => {
                let why = match (chosen.winner, chosen.chance) {
                    (Some(winner), _) if winner == who => "it wins".into(),
                    (Some(_), _) => "but every move loses".into(),
                    (None, Some(chance)) => format!("expecting {:.0} %", 100.0 * chance),
                    (None, None) => "a guess".into(),
                };
                self.say(&format!("{}: {why}", chosen.mv))?;
            }
            Err(error) => self.say(&error.to_string())?,
        }
        Ok(())
    }

    /// Takes moves back until it is the turn of the same player again.
    fn undo(&mut self, who: Side) -> Result<(), Failure> {
        if !self.record.undo() {
            self.say("there is no move to take back")?;
            return Ok(());
        }
        while !self.record.is_empty() && self.record.status() != GameStatus::ToMove(who) {
            self.record.undo();
        }
        self.announced = None;
        self.show_board()
    }

    /// Says when it becomes known who wins, and when that changes.
    fn announce(&mut self, who: Side) -> Result<(), Failure> {
        if self.record.points() != 0 || self.record.start().ends_in_score() {
            return Ok(());
        }
        let budget = Budget::unlimited().with_nodes(NODES_TO_SOLVE).with_bytes(1 << 30);
        let position = self.record.position().show();
        let found = self.engine.winners(&self.game, &position, &budget).map_err(Failure::input)?;
        let Some(Ok(ending)) = found.winners.map(|winners| winners.ending(who)) else { return Ok(()) };
        let result = ending_clause(ending);
        match self.announced.replace(ending) {
            Some(old) if old == ending => Ok(()),
            Some(_) => Ok(self.say(&format!("that move turned the game: now {result}"))?),
            None => Ok(self.say(&format!("the position is solved: {result} from here"))?),
        }
    }

    fn show_board(&self) -> Result<(), Failure> {
        if self.command.json {
            return Ok(());
        }
        Ok(output::line(draw_with(self.record.position(), output::ink()).trim_end())?)
    }

    fn sgf(&self) -> String {
        self.record.to_sgf([&self.command.left, &self.command.right])
    }

    /// Leaves a game that is not over.
    fn leave(&self) -> Result<(), Failure> {
        if self.command.save.is_none() && !self.command.json {
            self.say("the game so far:")?;
            output::line(&self.sgf())?;
        }
        self.end(None)
    }

    fn end(&self, winner: Option<Side>) -> Result<(), Failure> {
        if self.command.json {
            let winner = winner.map(|who| who.to_string());
            output::json(&JsonEnd { winner, moves: self.record.len(), sgf: &self.sgf() })?;
        }
        let Some(path) = &self.command.save else { return Ok(()) };
        files::write(path, self.sgf().as_bytes())?;
        Ok(self.say(&format!("saved in {}", path.display()))?)
    }
}
