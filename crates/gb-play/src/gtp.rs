//! A text protocol for every board game: the commands of the Go Text Protocol, version 2, with moves as they are typed
//! everywhere on the bench (`a1-b1`). Left is black, Right is white.
//!
//! A [`Session`] turns one line into one answer; reading and writing is left to the caller.

use std::time::Duration;

use gb_record::gtp::{Answer, Engine, Failure, argument, cannot_load, colour, done};
use gb_record::{GameRecord, gtp};
use gb_rules::Player as Side;
use gb_rules::{OpenError, Position};

use crate::limits::Limits;
use crate::matches::PlayerCatalog;
use crate::player::{PlayError, Player, Spec};

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
    /// No move takes longer, whatever time the other program gives.
    most_time: Duration,
    draw: Draw,
    record: GameRecord,
    player: Box<dyn Player>,
    over: bool,
}

impl<'h> Session<'h> {
    /// A session that begins with a position, or the starting position of a size. No move takes longer than the time of the limits; where they
    /// have neither time nor nodes, it takes what `time_settings` and `time_left` say, and a second until they have said it.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub fn new(
        catalog: &'h dyn PlayerCatalog,
        game: &str,
        start: &str,
        spec: Spec,
        mut limits: Limits,
        draw: Draw,
    ) -> Result<Session<'h>, OpenError> {
        let most_time = limits.time.unwrap_or(Duration::MAX);
        if limits.nodes.is_none() {
            limits.time = limits.time.or(Limits::default().time);
        }
        let position = catalog.open(game, start)?;
        let player = catalog.player(game, &position.show(), spec, 1)?;
        let record = GameRecord::new(position, Side::Left);
        Ok(Session { catalog, game: game.into(), spec, limits, most_time, draw, record, player, over: false })
    }

    /// Whether `quit` was answered.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The game so far.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Answers one line; `None` for lines without a command.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        gtp::answer(self, line)
    }

    fn begin(&mut self, text: &str) -> Result<(), OpenError> {
        let position = self.catalog.open(&self.game, text)?;
        self.player = self.catalog.player(&self.game, &position.show(), self.spec, 1)?;
        self.record = GameRecord::new(position, Side::Left);
        Ok(())
    }

    fn load(&mut self, path: &str) -> Answer {
        let open = |game: &str, position: &str| self.catalog.open(game, position);
        let record = GameRecord::from_sgf(&gtp::load(path)?, &open).map_err(cannot_load)?;
        let game = record.start().info().name;
        self.player =
            self.catalog.player(&game, &record.start().show(), self.spec, 1).map_err(cannot_load)?;
        (self.record, self.game) = (record, game);
        done()
    }

    fn play(&mut self, who: Side, text: &str) -> Answer {
        match text.to_ascii_lowercase().as_str() {
            "resign" => self.record.resign(who),
            "pass" => {
                let title = self.record.start().info().title;
                return Err(format!("illegal move: nobody may pass in {title}").into());
            }
            _ => self.record.play(who, text).map_err(|error| format!("illegal move: {error}"))?,
        }
        done()
    }

    fn generate(&mut self, who: Side) -> Answer {
        let position = self.record.position().show();
        let (points, store) = (self.record.points(), self.catalog.store());
        match self.player.choose(&position, points, who, store, &self.limits) {
            Ok(chosen) => {
                self.record.play(who, &chosen.mv).map_err(|error| error.to_string())?;
                Ok(chosen.mv)
            }
            // Who cannot move has lost.
            Err(PlayError::NoMove { .. }) => Ok("resign".into()),
            Err(error) => Err(error.to_string().into()),
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
            self.set_time(Limits::default().time.unwrap_or(LEAST_TIME));
        } else if moves > 0 && extra > 0 {
            self.set_time(Duration::from_secs(extra) / u32::try_from(moves).unwrap_or(u32::MAX));
        } else {
            self.set_time(Duration::from_secs(main) / MOVES_OF_A_GAME);
        }
        done()
    }

    /// `color time stones`.
    fn time_left(&mut self, arguments: &[&str]) -> Answer {
        colour(arguments, 0)?;
        let (seconds, moves) = (number(arguments, 1)?, number(arguments, 2)?);
        let moves = if moves == 0 { MOVES_OF_A_GAME } else { u32::try_from(moves).unwrap_or(u32::MAX) };
        self.set_time(Duration::from_secs(seconds) / moves);
        done()
    }

    fn set_time(&mut self, time: Duration) {
        self.limits.time = Some(time.max(LEAST_TIME).min(self.most_time));
    }
}

impl Engine for Session<'_> {
    const COMMANDS: &'static [&'static str] = &[
        "boardsize",
        "clear_board",
        "gamebench-moves",
        "gamebench-position",
        "genmove",
        "loadsgf",
        "play",
        "printsgf",
        "showboard",
        "time_left",
        "time_settings",
        "undo",
    ];

    fn name(&self) -> String {
        format!("Game Bench {} ({})", self.record.start().info().title, self.spec)
    }

    fn quit(&mut self) {
        self.over = true;
    }

    fn command(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match command {
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
                done()
            }
            "gamebench-position" => {
                self.begin(&arguments.join(" ")).map_err(|error| error.to_string())?;
                done()
            }
            "clear_board" => {
                let start = self.record.start().show();
                self.begin(&start).map_err(|error| error.to_string())?;
                done()
            }
            "play" => self.play(colour(arguments, 0)?, argument(arguments, 1)?),
            "genmove" => self.generate(colour(arguments, 0)?),
            "undo" if self.record.undo() => done(),
            "undo" => Err("cannot undo: no move was made".into()),
            "showboard" => Ok(format!("\n{}", (self.draw)(self.record.position()))),
            "gamebench-moves" => {
                let moves = self.record.position().moves(colour(arguments, 0)?, usize::MAX);
                Ok(moves.iter().map(|choice| choice.text.as_str()).collect::<Vec<_>>().join(" "))
            }
            "loadsgf" => self.load(&arguments.join(" ")),
            "printsgf" => gtp::save(self.record.to_sgf(["", ""]), arguments),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            _ => Err("unknown command".into()),
        }
    }
}

fn number(arguments: &[&str], index: usize) -> Result<u64, Failure> {
    let text = argument(arguments, index)?;
    text.parse().map_err(|_| format!("`{text}` is no number of seconds or moves").into())
}
