//! The Go Text Protocol, version 2, by which programs such as GoGui, Sabaki and gogui-twogtp talk to engines.
//!
//! A [`Session`] turns one line into one answer; reading and writing is left to the caller. The protocol leaves no room for
//! words beside a move, so what there is to say about it is kept for [`Session::take_remark`] and for `gamebench-why`.

use std::time::Duration;

use gb_record::gtp;
use gb_record::gtp::{Answer, Engine, Failure, argument, cannot_load, colour, done, missing};
use gb_value::clock::Instant;
use gb_value::{Budget, Player, Store};

use crate::analysis::{Analysis, Settings, analyse};
use crate::board::{Board, MAX_SIZE, MIN_SIZE, Point};
use crate::game::{Game, KoRule, Move};
use crate::play::{Why, choose};
use crate::report::{Report, points_text};
use crate::rival::Rival;
use crate::safety::Safety;
use crate::sgf;

/// What GoGui offers in its menu.
const ANALYZE_COMMANDS: &str = "gfx/Game Bench Areas/gamebench-areas\n\
                                string/Game Bench Analysis/gamebench-analyze\n\
                                string/Game Bench Why/gamebench-why\n\
                                plist/Game Bench Dead Stones/final_status_list dead";

/// A game in progress, and what the engine knows about it.
pub struct Session {
    game: Game,
    rule: KoRule,
    /// Games to go back to: not a `GameRecord`, whose positions hold no history, because superko forbids what was on the board.
    earlier: Vec<Game>,
    komi: f64,
    settings: Settings,
    budget: fn() -> Budget,
    /// What there is to say about the last move, and whether that was said.
    why: String,
    is_told: bool,
    /// Another program, for positions that are not decided.
    engine: Option<Rival>,
    /// How long commands took.
    busy: Duration,
    over: bool,
}

impl Session {
    /// A session with an empty board of 19 lines. `budget` is asked for each analysis.
    pub fn new(settings: Settings, rule: KoRule, budget: fn() -> Budget) -> Session {
        // What was found for one move serves the next.
        let memory = Some(settings.memory.unwrap_or_default());
        let settings = Settings { effort: settings.effort.impatient(), memory, ..settings };
        Session {
            game: Game::new(Board::new(MAX_SIZE), Player::Left, rule),
            rule,
            earlier: vec![],
            komi: 0.0,
            settings,
            budget,
            why: String::new(),
            is_told: true,
            engine: None,
            busy: Duration::ZERO,
            over: false,
        }
    }

    /// Leaves positions that are not decided to another program.
    pub fn set_engine(&mut self, engine: Rival) {
        self.engine = Some(engine);
    }

    /// Whether `quit` was answered.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How positions are analysed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What one analysis may take.
    pub fn budget(&self) -> Budget {
        (self.budget)()
    }

    fn safety(&self, board: &Board, budget: &Budget) -> Safety {
        Safety::remembering(board, &self.settings.effort, budget, self.settings.memory.as_ref())
    }

    /// What there is to say about the last generated move, once: for a log beside the protocol.
    pub fn take_remark(&mut self) -> Option<&str> {
        let is_told = std::mem::replace(&mut self.is_told, true);
        (!is_told).then_some(&self.why)
    }

    /// Begins with a position.
    pub fn set_game(&mut self, game: Game) {
        self.earlier.clear();
        self.game = game;
    }

    /// Answers one line; `None` for lines without a command.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let start = Instant::now();
        let answer = gtp::answer(self, line);
        self.busy += start.elapsed();
        answer
    }

    /// The position from which the moves of this session were made.
    fn beginning(&self) -> &Game {
        self.earlier.first().unwrap_or(&self.game)
    }

    /// The moves of this session, in order.
    fn moves(&self) -> Vec<(Player, Move)> {
        self.earlier
            .iter()
            .skip(1)
            .chain([&self.game])
            .take(self.earlier.len())
            .filter_map(Game::last)
            .collect()
    }

    /// Asks the other program for a move in this position: it is told everything from the beginning, so that it cannot have
    /// missed anything.
    fn ask_engine(&mut self, player: Player) -> Option<Result<Move, Failure>> {
        let (beginning, moves, komi) = (self.beginning().clone(), self.moves(), self.komi);
        let engine = self.engine.as_mut()?;
        let board = &beginning.board;
        let ask = || {
            engine.say(&format!("boardsize {}", board.size()))?;
            engine.say("clear_board")?;
            engine.say(&format!("komi {komi}"))?;
            for (point, stone) in board.points().filter_map(|p| board.at(p).map(|stone| (p, stone))) {
                engine.say(&format!("play {} {}", gtp::colour_word(stone), board.name(point)))?;
            }
            for (player, mv) in moves {
                let name = match mv {
                    Move::Stone(point) => board.name(point),
                    Move::Pass => "pass".into(),
                };
                engine.say(&format!("play {} {name}", gtp::colour_word(player)))?;
            }
            engine.say(&format!("genmove {}", gtp::colour_word(player)))
        };
        let answer = ask().map_err(|error: crate::rival::RivalError| Failure::from(error.to_string()));
        Some(answer.and_then(|vertex| match vertex.to_ascii_lowercase().as_str() {
            "pass" | "resign" => Ok(Move::Pass),
            _ => board.point_of(&vertex).map(Move::Stone).map_err(|error| error.to_string().into()),
        }))
    }

    fn clear(&mut self, size: usize) -> Answer {
        self.set_game(Game::new(Board::new(size), Player::Left, self.rule));
        done()
    }

    fn make(&mut self, player: Player, mv: Move) -> Result<(), Failure> {
        let before = self.game.clone();
        self.game.play(player, mv).map_err(|illegal| format!("illegal move: {illegal}"))?;
        self.earlier.push(before);
        Ok(())
    }

    fn point(&self, vertex: &str) -> Result<Point, Failure> {
        self.game.board.point_of(vertex).map_err(|error| format!("invalid coordinate: {error}").into())
    }

    fn play(&mut self, player: Player, vertex: &str) -> Answer {
        let mv = match vertex.to_ascii_lowercase().as_str() {
            "pass" => Move::Pass,
            // Who resigns makes no move, and there is nothing to forbid.
            "resign" => return done(),
            _ => Move::Stone(self.point(vertex)?),
        };
        self.make(player, mv)?;
        done()
    }

    fn generate(&mut self, player: Player, make: bool) -> Answer {
        let store = Store::new();
        let budget = self.budget();
        let kernel = store.kernel(&budget);
        let before = self.earlier.last().map(|game| self.safety(&game.board, &budget));
        let mut choice = choose(&kernel, &self.game, player, before.as_ref(), &self.settings);
        // What is only guessed is left to the other program, if there is one.
        let mut complaint = String::new();
        if matches!(choice.why, Why::Likely | Why::Playouts | Why::Undecided)
            && let Some(answer) = self.ask_engine(player)
        {
            match answer {
                Ok(Move::Stone(point)) if !self.game.is_legal(player, point) => {
                    complaint = format!(
                        " The other program wanted {}, which is illegal.",
                        self.game.board.name(point)
                    );
                }
                Ok(mv) => (choice.mv, choice.why) = (mv, Why::Engine),
                Err(error) => complaint = format!(" The other program gave no move: {error}."),
            }
        }
        let unlimited = Budget::unlimited();
        self.why = choice.text(&store.kernel(&unlimited), &self.game.board, player) + &complaint;
        self.is_told = false;
        if make {
            self.make(player, choice.mv)?;
        }
        Ok(match choice.mv {
            Move::Stone(point) => self.game.board.name(point),
            Move::Pass => "pass".into(),
        })
    }

    fn analysed<T>(&self, tell: impl FnOnce(&Analysis, &gb_value::Kernel<'_>) -> T) -> T {
        let (store, budget) = (Store::new(), self.budget());
        let analysis = analyse(&store.kernel(&budget), &self.game, &self.settings);
        let unlimited = Budget::unlimited();
        tell(&analysis, &store.kernel(&unlimited))
    }

    /// The score with best play from here, which is the score if the game is over.
    fn final_score(&self) -> Answer {
        let scores = self.analysed(|analysis, _| analysis.score.clone());
        let scores = scores.ok_or("cannot score: some areas have no value")?;
        let score = &scores[self.game.to_play as usize];
        let exact = score.to_i64().ok_or("cannot score: the score is not an integer")?;
        let score = exact as f64 - self.komi;
        Ok(match score.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => format!("B+{score}"),
            std::cmp::Ordering::Less => format!("W+{}", -score),
            std::cmp::Ordering::Equal => "0".into(),
        })
    }

    /// Stones that are dead: in the opponent's territory; alive: safe; in seki: where nobody gains by moving.
    fn final_status(&self, status: &str) -> Answer {
        let board = &self.game.board;
        let is_listed: Box<dyn Fn(&Point) -> bool> = match status {
            "dead" | "alive" => {
                let safety = self.safety(board, &self.budget());
                let is_alive = status == "alive";
                Box::new(move |&p| match (board.at(p), safety.owner(p)) {
                    (Some(stone), Some(owner)) => (stone == owner) == is_alive,
                    _ => false,
                })
            }
            "seki" => {
                let points = self.analysed(|analysis, _| analysis.seki_points());
                Box::new(move |p| board.at(*p).is_some() && points.contains(p))
            }
            _ => return Err("invalid status: expected dead, alive or seki".into()),
        };
        Ok(board.names(&board.points().filter(is_listed).collect::<Vec<_>>()))
    }

    fn board_text(&self) -> String {
        let board = &self.game.board;
        let columns: String = board.columns().flat_map(|c| [' ', c]).collect();
        let mut text = format!("\n  {columns}\n");
        for (row, stones) in board.to_string().lines().enumerate() {
            let number = board.size() - row;
            let points: String = stones.chars().flat_map(|c| [' ', c]).collect();
            text += &format!("{number:2}{points} {number}\n");
        }
        let [black, white] = self.game.prisoners;
        let to_play = if self.game.to_play == Player::Left { "Black (X)" } else { "White (O)" };
        text + &format!("  {columns}\n{to_play} to play. Captured by Black: {black}, by White: {white}.")
    }

    fn analysis_text(&self) -> Answer {
        Ok(self.analysed(|analysis, kernel| {
            format!("\n{}", Report { game: &self.game, analysis, line: &[] }.text(kernel))
        }))
    }

    /// For GoGui to draw: territories, and letters on open areas.
    fn areas_text(&self) -> Answer {
        let board = &self.game.board;
        Ok(self.analysed(|analysis, _| {
            let mut lines = vec![];
            for (name, player) in [("BLACK", Player::Left), ("WHITE", Player::Right)] {
                let is_territory =
                    |p: &Point| analysis.safety.owner(*p) == Some(player) && board.at(*p) != Some(player);
                let points: Vec<Point> = board.points().filter(is_territory).collect();
                if !points.is_empty() {
                    lines.push(format!("{name} {}", board.names(&points)));
                }
            }
            for area in &analysis.areas {
                for &point in &area.points {
                    lines.push(format!("LABEL {} {}", board.name(point), area.letter));
                }
            }
            lines.push(format!("TEXT {}", points_text(analysis)));
            lines.join("\n")
        }))
    }

    fn load(&mut self, arguments: &[&str]) -> Answer {
        // Names of files may have spaces in them; a number at the end says where to stop.
        let (path, before) = match arguments {
            [] => return Err(missing()),
            [path @ .., last] if !path.is_empty() && last.bytes().all(|b| b.is_ascii_digit()) => {
                (path.join(" "), last.parse().ok())
            }
            all => (all.join(" "), None),
        };
        let game = sgf::read(&gtp::load(&path)?, self.rule, before).map_err(cannot_load)?;
        let to_play = game.to_play;
        self.set_game(game);
        Ok(gtp::colour_word(to_play).into())
    }

    fn print(&self, arguments: &[&str]) -> Answer {
        let komi = self.komi.to_string();
        let moves: Vec<(Player, Move, String)> =
            self.moves().into_iter().map(|(player, mv)| (player, mv, String::new())).collect();
        let text = sgf::write(&sgf::Record {
            game: self.beginning(),
            komi: &komi,
            labels: &[],
            territory: &[],
            comment: "",
            moves: &moves,
        });
        gtp::save(text, arguments)
    }

    /// Stones set up without playing: `b A1 w B2`.
    fn set_up(&mut self, arguments: &[&str]) -> Answer {
        let mut board = Board::new(self.game.board.size());
        if !arguments.len().is_multiple_of(2) {
            return Err(missing());
        }
        for stone in arguments.chunks(2) {
            let point = self.point(stone[1])?;
            board.set(point, Some(colour(stone, 0)?));
        }
        let lost = board.points().find(|&p| board.at(p).is_some() && board.block(p).liberties.is_empty());
        if let Some(point) = lost {
            return Err(format!("invalid position: the stone on {} has no liberty", board.name(point)).into());
        }
        self.set_game(Game::new(board, self.game.to_play, self.rule));
        done()
    }

    fn handicap(&mut self, arguments: &[&str]) -> Answer {
        let count: usize = argument(arguments, 0)?.parse().map_err(|_| "handicap not an integer")?;
        let board = &self.game.board;
        if board.points().any(|p| board.at(p).is_some()) {
            return Err("board not empty".into());
        }
        let points = handicap_points(board, count).ok_or("invalid number of stones")?;
        let names = board.names(&points);
        self.place(&points);
        Ok(names)
    }

    fn free_handicap(&mut self, arguments: &[&str]) -> Answer {
        let board = &self.game.board;
        if board.points().any(|p| board.at(p).is_some()) {
            return Err("board not empty".into());
        }
        let points: Vec<Point> =
            arguments.iter().map(|vertex| self.point(vertex)).collect::<Result<_, _>>()?;
        let mut distinct = points.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < 2 || distinct.len() != points.len() || points.len() == board.points().len() {
            return Err("bad vertex list".into());
        }
        self.place(&points);
        done()
    }

    /// Handicap stones: White is to play after them.
    fn place(&mut self, points: &[Point]) {
        let mut board = self.game.board.clone();
        points.iter().for_each(|&p| board.set(p, Some(Player::Left)));
        self.set_game(Game::new(board, Player::Right, self.rule));
    }
}

impl Engine for Session {
    const COMMANDS: &'static [&'static str] = &[
        "boardsize",
        "clear_board",
        "cputime",
        "final_score",
        "final_status_list",
        "fixed_handicap",
        "gamebench-analyze",
        "gamebench-areas",
        "gamebench-why",
        "genmove",
        "gogui-analyze_commands",
        "gogui-interrupt",
        "gogui-setup",
        "gogui-setup_player",
        "kgs-genmove_cleanup",
        "kgs-time_settings",
        "komi",
        "loadsgf",
        "place_free_handicap",
        "play",
        "printsgf",
        "reg_genmove",
        "set_free_handicap",
        "showboard",
        "time_left",
        "time_settings",
        "undo",
    ];

    fn name(&self) -> String {
        "Game Bench".into()
    }

    fn quit(&mut self) {
        self.over = true;
    }

    fn command(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match command {
            "boardsize" => {
                let size = argument(arguments, 0)?.parse().map_err(|_| "boardsize not an integer")?;
                if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
                    return Err("unacceptable size".into());
                }
                self.clear(size)
            }
            "clear_board" => self.clear(self.game.board.size()),
            "komi" => {
                let komi: f64 = argument(arguments, 0)?.parse().map_err(|_| "komi not a float")?;
                if !komi.is_finite() {
                    return Err("komi not a float".into());
                }
                self.komi = komi;
                done()
            }
            "fixed_handicap" | "place_free_handicap" => self.handicap(arguments),
            "set_free_handicap" => self.free_handicap(arguments),
            "play" => {
                at_most(arguments, 2)?;
                self.play(colour(arguments, 0)?, argument(arguments, 1)?)
            }
            "genmove" | "kgs-genmove_cleanup" => self.generate(colour(arguments, 0)?, true),
            "reg_genmove" => self.generate(colour(arguments, 0)?, false),
            "undo" => {
                self.game = self.earlier.pop().ok_or("cannot undo")?;
                done()
            }
            "showboard" => Ok(self.board_text()),
            "final_score" => self.final_score(),
            "final_status_list" => self.final_status(argument(arguments, 0)?),
            "gamebench-analyze" => self.analysis_text(),
            "gamebench-areas" => self.areas_text(),
            "gamebench-why" if self.why.is_empty() => Err("no move was generated yet".into()),
            "gamebench-why" => Ok(self.why.clone()),
            "gogui-analyze_commands" => Ok(ANALYZE_COMMANDS.into()),
            "gogui-setup" => self.set_up(arguments),
            "gogui-setup_player" => {
                self.game.to_play = colour(arguments, 0)?;
                done()
            }
            // The command is there to say that a comment line interrupts; a move is short enough not to need it.
            "gogui-interrupt" => done(),
            "loadsgf" => self.load(arguments),
            "printsgf" => self.print(arguments),
            // There is no clock: a move takes as long as its budget.
            "time_settings" => numbers(arguments, 3),
            "time_left" => colour(arguments, 0).and_then(|_| numbers(&arguments[1..], 2)),
            "kgs-time_settings" => argument(arguments, 0).and_then(|_| done()),
            "cputime" => Ok(format!("{:.3}", self.busy.as_secs_f64())),
            _ => Err("unknown command".into()),
        }
    }
}

/// The points of fixed handicaps, in the order of the protocol's specification (section 4.1.1).
fn handicap_points(board: &Board, count: usize) -> Option<Vec<Point>> {
    let size = board.size();
    let most = match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if count < 2 || count > most {
        return None;
    }
    let near = if size >= 13 { 3 } else { 2 };
    let (low, middle, high) = (near, size / 2, size - 1 - near);
    // Columns from the left, rows from the bottom: corners, then sides, then the middle where the number is odd.
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let with_middle = count >= 5 && count % 2 == 1;
    let outer = count - usize::from(with_middle);
    let mut places: Vec<(usize, usize)> = corners.into_iter().chain(sides).take(outer).collect();
    places.extend(with_middle.then_some((middle, middle)));
    Some(places.into_iter().map(|(x, y)| board.point(x, size - 1 - y)).collect())
}

/// Checks that nothing comes after so many arguments.
fn at_most(arguments: &[&str], count: usize) -> Answer {
    match arguments.get(count) {
        Some(extra) => Err(format!("syntax error: `{extra}` is too much").into()),
        None => done(),
    }
}

/// Checks that there are so many numbers.
fn numbers(arguments: &[&str], count: usize) -> Answer {
    for i in 0..count {
        argument(arguments, i)?.parse::<f64>().map_err(|_| "syntax error: expected a number")?;
    }
    done()
}
