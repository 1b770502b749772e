//! A text protocol for every board game: the commands of the Go Text Protocol, version 2, with moves as they are typed
//! everywhere on the bench (`a1-b1`). Left is black, Right is white.
//!
//! A [`Session`] turns one line into one answer; reading and writing is left to the caller.

use std::path::Path;
use std::time::Duration;

use gb_rules::Player as Side;
use gb_rules::{OpenError, Position};

use crate::contest::PlayerCatalog;
use crate::game_record::GameRecord;
use crate::limits::Limits;
use crate::player::{PlayError, Player, Spec};

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "gamebench-moves",
    "gamebench-position",
    "genmove",
    "known_command",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "printsgf",
    "protocol_version",
    "quit",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// How many moves of ours a time for the whole game is spread over.
const MOVES_OF_A_GAME: u32 = 25;
/// Nobody has less time for a move than this, however late it is.
const LEAST_TIME: Duration = Duration::from_millis(10);

/// How a board is drawn.
pub type Draw = fn(&Position) -> String;

/// A game in progress over the protocol.
pub struct Session<'h> {
    catalog: &'h dyn PlayerCatalog,
    game: String,
    spec: Spec,
    limits: Limits,
    draw: Draw,
    sheet: GameRecord,
    player: Box<dyn Player>,
    over: bool,
}

type Answer = Result<String, String>;

impl<'h> Session<'h> {
    /// A session that begins with a position, or the starting position of a size.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub fn new(
        catalog: &'h dyn PlayerCatalog,
        game: &str,
        start: &str,
        spec: Spec,
        limits: Limits,
        draw: Draw,
    ) -> Result<Session<'h>, OpenError> {
        let position = catalog.open(game, start)?;
        let player = catalog.player(game, &position.show(), spec, 1)?;
        let sheet = GameRecord::new(position, Side::Left);
        Ok(Session { catalog, game: game.into(), spec, limits, draw, sheet, player, over: false })
    }

    /// Whether `quit` was answered.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The game so far.
    pub fn sheet(&self) -> &GameRecord {
        &self.sheet
    }

    /// Answers one line; `None` for lines without a command.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let line = line.split('#').next().unwrap_or("");
        let clean: String =
            line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let mut words: Vec<&str> = clean.split_whitespace().collect();
        let id = match words.first() {
            Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => words.remove(0),
            _ => "",
        };
        let (command, arguments) = words.split_first()?;
        let (sign, text) = match self.command(command, arguments) {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // An empty line ends an answer, so there may be none in it.
        let body: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        Some(format!("{sign}{id} {}\n\n", body.join("\n")))
    }

    fn command(&mut self, command: &str, arguments: &[&str]) -> Answer {
        let nothing = Ok(String::new());
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok(format!("Game Bench {} ({})", self.sheet.start().info().title, self.spec)),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(arguments.first().is_some_and(|name| COMMANDS.contains(name)).to_string()),
            "quit" => {
                self.over = true;
                nothing
            }
            "boardsize" => {
                let size = match arguments {
                    [] => {
                        return Err("boardsize needs a size, such as 8, or 6 8 for six rows of eight".into());
                    }
                    [size] if size.contains('x') => (*size).to_string(),
                    [size] => format!("{size}x{size}"),
                    [rows, cols, ..] => format!("{rows}x{cols}"),
                };
                self.begin(&size).map_err(|error| format!("unacceptable size: {error}"))?;
                nothing
            }
            "gamebench-position" => {
                self.begin(&arguments.join(" ")).map_err(|error| error.to_string())?;
                nothing
            }
            "clear_board" => {
                let start = self.sheet.start().show();
                self.begin(&start).map_err(|error| error.to_string())?;
                nothing
            }
            "play" => self.play(colour(arguments)?, argument(arguments, 1)?),
            "genmove" => self.generate(colour(arguments)?),
            "undo" if self.sheet.undo() => nothing,
            "undo" => Err("cannot undo: no move was made".into()),
            "showboard" => Ok(format!("\n{}", (self.draw)(self.sheet.position()))),
            "gamebench-moves" => {
                let moves = self.sheet.position().moves(colour(arguments)?, usize::MAX);
                Ok(moves.iter().map(|choice| choice.text.as_str()).collect::<Vec<_>>().join(" "))
            }
            "loadsgf" => self.load(&arguments.join(" ")),
            "printsgf" => self.print(&arguments.join(" ")),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            _ => Err("unknown command".into()),
        }
    }

    fn begin(&mut self, text: &str) -> Result<(), OpenError> {
        let position = self.catalog.open(&self.game, text)?;
        self.player = self.catalog.player(&self.game, &position.show(), self.spec, 1)?;
        self.sheet = GameRecord::new(position, Side::Left);
        Ok(())
    }

    fn load(&mut self, path: &str) -> Answer {
        let failed = |error: String| format!("cannot load file: {error}");
        let bytes = gb_record::files::read(Path::new(path), gb_record::MAX_BYTES)
            .map_err(|error| failed(error.to_string()))?;
        let sheet = GameRecord::from_sgf(&String::from_utf8_lossy(&bytes), &|game, position| {
            self.catalog.open(game, position)
        })
        .map_err(|error| failed(error.to_string()))?;
        let game = sheet.start().info().name;
        let player = self.catalog.player(&game, &sheet.start().show(), self.spec, 1);
        self.player = player.map_err(|error| failed(error.to_string()))?;
        (self.sheet, self.game) = (sheet, game);
        Ok(String::new())
    }

    fn print(&self, path: &str) -> Answer {
        let text = self.sheet.to_sgf(["", ""]);
        if path.is_empty() {
            return Ok(text);
        }
        gb_record::files::write(Path::new(path), text.as_bytes())
            .map_err(|error| format!("cannot save file: {error}"))?;
        Ok(String::new())
    }

    fn play(&mut self, who: Side, text: &str) -> Answer {
        match text.to_ascii_lowercase().as_str() {
            "resign" => self.sheet.resign(who),
            "pass" => {
                let title = self.sheet.start().info().title;
                return Err(format!("illegal move: nobody may pass in {title}"));
            }
            _ => self.sheet.play(who, text).map_err(|error| format!("illegal move: {error}"))?,
        }
        Ok(String::new())
    }

    fn generate(&mut self, who: Side) -> Answer {
        let position = self.sheet.position().show();
        let (points, store) = (self.sheet.points(), self.catalog.store());
        match self.player.choose(&position, points, who, store, &self.limits) {
            Ok(chosen) => {
                self.sheet.play(who, &chosen.mv).map_err(|error| error.to_string())?;
                Ok(chosen.mv)
            }
            // Who cannot move has lost.
            Err(PlayError::NoMove { .. }) => Ok("resign".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// `main_time byo_yomi_time byo_yomi_stones`, in seconds.
    fn time_settings(&mut self, arguments: &[&str]) -> Answer {
        let [main, extra, moves] = [0, 1, 2].map(|i| number(arguments, i));
        let (main, extra, moves) = (main?, extra?, moves?);
        if main == 0 && extra == 0 {
            return Err("a time limit of zero: a move needs some time, so the old setting stays".into());
        }
        if extra > 0 && moves == 0 {
            // By the protocol: no limit at all.
            self.limits.time = Limits::default().time;
        } else if moves > 0 && extra > 0 {
            self.set_time(Duration::from_secs(extra) / u32::try_from(moves).unwrap_or(u32::MAX));
        } else {
            self.set_time(Duration::from_secs(main) / MOVES_OF_A_GAME);
        }
        Ok(String::new())
    }

    /// `color time stones`.
    fn time_left(&mut self, arguments: &[&str]) -> Answer {
        colour(arguments)?;
        let (seconds, moves) = (number(arguments, 1)?, number(arguments, 2)?);
        let moves = if moves == 0 { MOVES_OF_A_GAME } else { u32::try_from(moves).unwrap_or(u32::MAX) };
        self.set_time(Duration::from_secs(seconds) / moves);
        Ok(String::new())
    }

    fn set_time(&mut self, time: Duration) {
        self.limits.time = Some(time.max(LEAST_TIME));
    }
}

fn argument<'a>(arguments: &[&'a str], index: usize) -> Result<&'a str, String> {
    arguments.get(index).copied().ok_or_else(|| "syntax error: an argument is missing".into())
}

fn number(arguments: &[&str], index: usize) -> Result<u64, String> {
    let text = argument(arguments, index)?;
    text.parse().map_err(|_| format!("`{text}` is no number of seconds or moves"))
}

fn colour(arguments: &[&str]) -> Result<Side, String> {
    match argument(arguments, 0)?.to_ascii_lowercase().as_str() {
        "b" | "black" | "left" | "l" => Ok(Side::Left),
        "w" | "white" | "right" | "r" => Ok(Side::Right),
        other => Err(format!("invalid color `{other}`: expected black (Left) or white (Right)")),
    }
}
