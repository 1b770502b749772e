//! The Go Text Protocol, version 2, by which programs such as GoGui, Sabaki and gogui-twogtp talk to engines.
//!
//! A [`Session`] turns one line into one answer; reading and writing is left to the caller.

use gb_value::{Budget, Player, Store};

use crate::analysis::{Settings, analyse};
use crate::board::{Board, MAX_SIZE, MIN_SIZE};
use crate::game::{Game, KoRule, Move};
use crate::play::{Why, choose};
use crate::report::Report;
use crate::safety::Safety;
use crate::sgf;

const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "gamebench-analyze",
    "genmove",
    "gogui-analyze_commands",
    "known_command",
    "komi",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// A game in progress, and what the engine knows about it.
pub struct Session {
    game: Game,
    /// Positions to go back to.
    earlier: Vec<Game>,
    komi: f64,
    settings: Settings,
    budget: fn() -> Budget,
    /// What was safe after our last move.
    safe_before: Option<Safety>,
    over: bool,
}

/// What went wrong, as the protocol says it.
type Answer = Result<String, String>;

impl Session {
    /// A session with an empty board of 19 lines. `budget` is asked for each analysis.
    pub fn new(settings: Settings, budget: fn() -> Budget) -> Session {
        let game = Game::new(Board::new(MAX_SIZE), Player::Left, KoRule::Simple);
        Session { game, earlier: vec![], komi: 0.0, settings, budget, safe_before: None, over: false }
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

    /// Begins with a position.
    pub fn set_game(&mut self, game: Game) {
        self.earlier.clear();
        self.safe_before = None;
        self.game = game;
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
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("Game Bench".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(arguments.first().is_some_and(|name| COMMANDS.contains(name)).to_string()),
            "quit" => {
                self.over = true;
                Ok(String::new())
            }
            "boardsize" => {
                let size = argument(arguments, 0)?.parse().map_err(|_| "boardsize not an integer")?;
                if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
                    return Err("unacceptable size".into());
                }
                self.set_game(Game::new(Board::new(size), Player::Left, KoRule::Simple));
                Ok(String::new())
            }
            "clear_board" => {
                self.set_game(Game::new(Board::new(self.game.board.size()), Player::Left, KoRule::Simple));
                Ok(String::new())
            }
            "komi" => {
                let komi: f64 = argument(arguments, 0)?.parse().map_err(|_| "komi not a float")?;
                if !komi.is_finite() {
                    return Err("komi not a float".into());
                }
                self.komi = komi;
                Ok(String::new())
            }
            "play" => self.play(colour(arguments)?, argument(arguments, 1)?),
            "genmove" => self.generate(colour(arguments)?, true),
            "reg_genmove" => self.generate(colour(arguments)?, false),
            "undo" => {
                self.game = self.earlier.pop().ok_or("cannot undo")?;
                self.safe_before = None;
                Ok(String::new())
            }
            "showboard" => Ok(format!("\n{}", self.game.board)),
            "final_score" => self.final_score(),
            "gamebench-analyze" => self.analysis(),
            "gogui-analyze_commands" => Ok("string/Game Bench Analysis/gamebench-analyze".into()),
            "loadsgf" => self.load(arguments),
            // There is no clock: a move takes as long as its budget.
            "time_settings" | "time_left" => Ok(String::new()),
            _ => Err("unknown command".into()),
        }
    }

    fn make(&mut self, player: Player, mv: Move) -> Result<(), String> {
        let before = self.game.clone();
        self.game.play(player, mv).map_err(|illegal| format!("illegal move: {illegal}"))?;
        self.earlier.push(before);
        Ok(())
    }

    fn play(&mut self, player: Player, vertex: &str) -> Answer {
        let mv = match vertex.to_ascii_lowercase().as_str() {
            "pass" => Move::Pass,
            "resign" => return Ok(String::new()),
            _ => {
                Move::Stone(self.game.board.point_of(vertex).map_err(|e| format!("invalid coordinate: {e}"))?)
            }
        };
        self.make(player, mv)?;
        Ok(String::new())
    }

    fn generate(&mut self, player: Player, make: bool) -> Answer {
        let store = Store::new();
        let budget = (self.budget)();
        let kernel = store.kernel(&budget);
        let choice = choose(&kernel, &self.game, player, self.safe_before.as_ref(), &self.settings);
        let choice = choice.map_err(|stop| format!("no move found: {stop}"))?;
        if make {
            self.make(player, choice.mv)?;
            self.safe_before = Some(Safety::of(&self.game.board, &self.settings.effort));
        }
        let vertex = match choice.mv {
            Move::Stone(point) => self.game.board.name(point),
            Move::Pass => "pass".into(),
        };
        debug_assert!(choice.why != Why::Reply || choice.mv != Move::Pass);
        Ok(vertex)
    }

    /// The score with best play from here, which is the score if the game is over.
    fn final_score(&self) -> Answer {
        let (store, budget) = (Store::new(), (self.budget)());
        let analysis =
            analyse(&store.kernel(&budget), &self.game, &self.settings).map_err(|e| e.to_string())?;
        let score = analysis.score.as_ref().ok_or("cannot score: some areas have no value")?;
        let score = &score[self.game.to_play as usize];
        let exact = score.to_i64().ok_or("cannot score: the score is not an integer")?;
        let score = exact as f64 - self.komi;
        Ok(match score.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => format!("B+{score}"),
            std::cmp::Ordering::Less => format!("W+{}", -score),
            std::cmp::Ordering::Equal => "0".into(),
        })
    }

    fn analysis(&self) -> Answer {
        let (store, budget) = (Store::new(), (self.budget)());
        let kernel = store.kernel(&budget);
        let analysis = analyse(&kernel, &self.game, &self.settings).map_err(|e| e.to_string())?;
        Ok(format!("\n{}", Report { game: &self.game, analysis: &analysis, line: &[] }.text(&kernel)))
    }

    fn load(&mut self, arguments: &[&str]) -> Answer {
        let path = argument(arguments, 0)?;
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot load file: {error}"))?;
        let game = sgf::read(&text).map_err(|error| format!("cannot load file: {error}"))?;
        let to_play = game.to_play;
        self.set_game(game);
        Ok(if to_play == Player::Left { "black" } else { "white" }.into())
    }
}

fn argument<'a>(arguments: &[&'a str], index: usize) -> Result<&'a str, String> {
    arguments.get(index).copied().ok_or_else(|| "syntax error: an argument is missing".into())
}

fn colour(arguments: &[&str]) -> Result<Player, String> {
    match argument(arguments, 0)?.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::Left),
        "w" | "white" => Ok(Player::Right),
        _ => Err("invalid color: expected black or white".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session::new(Settings::default(), Budget::unlimited)
    }

    fn say(session: &mut Session, line: &str) -> String {
        session.answer(line).expect("a command")
    }

    #[test]
    fn the_usual_conversation() {
        let mut s = session();
        assert_eq!(say(&mut s, "1 protocol_version"), "=1 2\n\n");
        assert_eq!(say(&mut s, "boardsize 5"), "= \n\n");
        assert_eq!(say(&mut s, "play b C3"), "= \n\n");
        assert_eq!(say(&mut s, "17 play white c3"), "?17 illegal move: there is a stone already\n\n");
        assert!(say(&mut s, "showboard").contains("..X.."));
        assert_eq!(say(&mut s, "undo"), "= \n\n");
        assert_eq!(say(&mut s, "undo"), "? cannot undo\n\n");
        assert_eq!(s.answer("  # a comment"), None);
        assert_eq!(s.answer(""), None);
        assert_eq!(say(&mut s, "quit"), "= \n\n");
        assert!(s.is_over());
    }

    #[test]
    fn wrong_commands_are_answered() {
        let mut s = session();
        assert_eq!(say(&mut s, "boardsize 20"), "? unacceptable size\n\n");
        assert_eq!(say(&mut s, "boardsize x"), "? boardsize not an integer\n\n");
        assert_eq!(say(&mut s, "komi nan"), "? komi not a float\n\n");
        assert_eq!(say(&mut s, "play"), "? syntax error: an argument is missing\n\n");
        assert_eq!(say(&mut s, "play green A1"), "? invalid color: expected black or white\n\n");
        assert!(say(&mut s, "play b Z99").starts_with("? invalid coordinate"));
        assert_eq!(say(&mut s, "dance"), "? unknown command\n\n");
        assert_eq!(say(&mut s, "known_command dance"), "= false\n\n");
        assert!(say(&mut s, "loadsgf /no/such/file").starts_with("? cannot load file"));
    }

    #[test]
    fn it_plays_a_corridor_out_and_passes() {
        let mut s = session();
        let board = Board::read("OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|XXX.XXX|X.X.X.X|XXXXXXX").unwrap();
        s.set_game(Game::new(board, Player::Right, KoRule::Simple));
        assert_eq!(say(&mut s, "final_score"), "= B+1\n\n");
        assert_eq!(say(&mut s, "genmove w"), "= D4\n\n");
        assert_eq!(say(&mut s, "genmove b"), "= D3\n\n");
        assert_eq!(say(&mut s, "genmove w"), "= pass\n\n");
        assert_eq!(say(&mut s, "final_score"), "= B+1\n\n");
    }

    #[test]
    fn an_empty_board_is_admitted_to_be_too_large() {
        let mut s = session();
        assert!(say(&mut s, "gamebench-analyze").contains("one area of 361 points, too large"));
        assert_eq!(say(&mut s, "genmove b"), "= pass\n\n");
        assert!(say(&mut s, "final_score").starts_with("? cannot score"));
    }
}
