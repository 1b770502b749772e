//! The record of a game between any two players: positions, moves, who is to move, and the game as SGF.

use gb_rules::{MoveError, OpenError, Player, Position};

use crate::session::State;
use crate::{Origin, Raw, RecordError, error_at};

/// A game in progress, by the rules of its positions: one line of moves, where a [`Session`](crate::session::Session) has a
/// tree of them.
#[derive(Debug)]
pub struct GameRecord {
    start: State,
    entries: Vec<Entry>,
    resigned: Option<Player>,
}

#[derive(Debug)]
struct Entry {
    who: Player,
    text: String,
    after: State,
}

/// How a game and a position are opened by their names.
pub type OpenPosition<'a> = dyn Fn(&str, &str) -> Result<Position, OpenError> + 'a;

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameStatus {
    /// This player is to move.
    ToMove(Player),
    /// This player has won.
    Won(Player),
    /// Nobody has won.
    Drawn,
}

impl GameRecord {
    /// A game from a position.
    pub fn new(position: Position, first: Player) -> GameRecord {
        let start = State { position, to_play: first, points: 0 };
        GameRecord { start, entries: vec![], resigned: None }
    }

    fn state(&self) -> &State {
        self.entries.last().map_or(&self.start, |entry| &entry.after)
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.state().position
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        &self.start.position
    }

    /// Left's points less Right's so far.
    pub fn points(&self) -> i64 {
        self.state().points
    }

    /// How many moves were made.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// No move yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves so far: who, and the text.
    pub fn moves(&self) -> impl Iterator<Item = (Player, &str)> {
        self.entries.iter().map(|entry| (entry.who, entry.text.as_str()))
    }

    fn can_move(&self, who: Player) -> bool {
        self.position().global_win().is_none() && !self.position().moves(who, 1).is_empty()
    }

    /// Who is to move, or how the game ended. Where points are moves to spare, a player without moves on the board has
    /// lost if the opponent has at least as many to spare.
    pub fn status(&self) -> GameStatus {
        if let Some(loser) = self.resigned {
            return GameStatus::Won(loser.opponent());
        }
        if let Some(winner) = self.position().global_win() {
            return GameStatus::Won(winner);
        }
        let who = self.state().to_play;
        if self.can_move(who) {
            return GameStatus::ToMove(who);
        }
        let points = if who == Player::Left { self.points() } else { -self.points() };
        if self.start().ends_in_score() {
            if self.can_move(who.opponent()) {
                return GameStatus::ToMove(who.opponent());
            }
            return match points.signum() {
                0 => GameStatus::Drawn,
                1 => GameStatus::Won(who),
                _ => GameStatus::Won(who.opponent()),
            };
        }
        // Points are moves to spare, and there is nothing else left for this player.
        if points > 0 && !self.can_move(who.opponent()) {
            return GameStatus::Won(who);
        }
        GameStatus::Won(who.opponent())
    }

    /// Makes a move given by its text.
    ///
    /// # Errors
    /// If it is not this player's move at all.
    pub fn play(&mut self, who: Player, text: &str) -> Result<(), MoveError> {
        let (after, text) = self.state().after(who, text)?;
        self.entries.push(Entry { who, text, after });
        Ok(())
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        self.entries.pop().is_some()
    }

    /// A player gives up.
    pub fn resign(&mut self, who: Player) {
        self.resigned = Some(who);
    }

    /// Whether a player has given up.
    pub fn is_resigned(&self) -> bool {
        self.resigned.is_some()
    }

    /// The main line of the game as a record, with the names of the players. Every front end opens it.
    pub fn to_sgf(&self, names: [&str; 2]) -> String {
        let mut root =
            crate::head(&self.start().info().name, &self.start().show(), self.start.to_play == Player::Left);
        for (property, name) in ["PB", "PW"].into_iter().zip(names) {
            if !name.is_empty() {
                root.push(Raw::new(property, name));
            }
        }
        let result = match self.status() {
            GameStatus::ToMove(_) => None,
            GameStatus::Drawn => Some("0".to_string()),
            GameStatus::Won(who) => {
                Some(format!("{}+{}", letter(who), if self.is_resigned() { "R" } else { "" }))
            }
        };
        root.extend(result.map(|result| Raw::new("RE", result)));
        let mut nodes = vec![(None, root)];
        for entry in &self.entries {
            nodes.push((Some(nodes.len() - 1), vec![Raw::new(letter(entry.who), &entry.text)]));
        }
        crate::write(&nodes)
    }

    /// The game that the main line of a record tells; `open` opens a position of a game by its name.
    ///
    /// # Errors
    /// If the text is no record, of another kind of game, or a move in it is illegal; with the place.
    pub fn from_sgf(text: &str, open: &OpenPosition<'_>) -> Result<GameRecord, RecordError> {
        let text = text.trim_start_matches('\u{feff}');
        let nodes = crate::read(text, crate::MAX_NODES)?;
        let root = &nodes[0];
        let (game, position) = match crate::origin(root) {
            Ok(Origin::Named { game, position }) => (game, position),
            Ok(Origin::Go { .. }) => {
                let sentence = "a record of Go: `gamebench analyze go`, `gamebench gtp` and the page open it";
                return Err(error_at(text, root.place, sentence));
            }
            Err(error) => return Err(error.at(text, root)),
        };
        let start = open(&game, &position)
            .map_err(|error| error_at(text, root.place_of("POS", 0), error.to_string()))?;
        let black = root.get("PL").and_then(crate::is_black).unwrap_or(true);
        let mut record = GameRecord::new(start, if black { Player::Left } else { Player::Right });
        for node in crate::main_line(&nodes).skip(1) {
            if node.get("POS").is_some() {
                let sentence =
                    "a position is set up in the middle of the game: only the page opens such records";
                return Err(error_at(text, node.place_of("POS", 0), sentence));
            }
            for who in [Player::Left, Player::Right] {
                let Some(raw) = node.get(letter(who)) else { continue };
                if let Err(error) = record.play(who, raw.value()) {
                    return Err(error_at(text, node.place_of(letter(who), 0), error.to_string()));
                }
            }
        }
        record.resigned = match root.get("RE").map_or("", Raw::value).trim() {
            "B+R" => Some(Player::Right),
            "W+R" => Some(Player::Left),
            _ => None,
        };
        Ok(record)
    }
}

fn letter(who: Player) -> &'static str {
    crate::colour(who == Player::Left)
}
