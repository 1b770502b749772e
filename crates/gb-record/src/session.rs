//! A game on the bench: the position, the tree of moves around it, and the commands that change them.

use std::sync::Arc;

use gb_board::BoardError;
use gb_rules::{AnyGame, Info, Made, MoveError, NameError, Player, Position};
use serde::Deserialize;

use crate::RecordError;
use crate::tree::{Cursor, NodeId, Property, Step, Tree};
use crate::view::{self, View};

mod files;

/// Where games come from.
pub trait Catalog: Send + Sync {
    /// A game by its name, for boards as large as this position or size.
    ///
    /// # Errors
    /// If there is no such game or its parameters are missing or wrong.
    fn open(&self, game: &str, text: &str) -> Result<AnyGame, NameError>;

    /// The text that a game was read from, if it was: records have it with them.
    fn text_of(&self, _game: &str) -> Option<String> {
        None
    }

    /// These games and that of a text; `None`: texts are not read here.
    fn with_text(&self, _text: &str) -> Option<Result<Arc<dyn Catalog>, NameError>> {
        None
    }
}

/// What a front end can ask of a session. Plain data, so that it can come from anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Puts a position on the bench, and begins a new tree. Without a position the example of the game; a size is as good
    /// as a position.
    Open {
        /// The game, with its parameters.
        game: String,
        /// The position as text.
        #[serde(default)]
        position: String,
    },
    /// Opens a record, SGF.
    OpenRecord {
        /// Its text.
        record: String,
    },
    /// The player to move makes a move.
    Play {
        /// The move as text.
        text: String,
    },
    /// Changes the position: a new node of the tree, unless nothing has happened since the last change.
    Setup {
        /// The position as text.
        position: String,
    },
    /// Says whose turn it is.
    ToPlay {
        /// Who.
        #[serde(with = "view::side")]
        player: Player,
    },
    /// To what comes before.
    Back {},
    /// On, along the line that was followed last.
    Forward {},
    /// To the root.
    First {},
    /// To the end of the line.
    Last {},
    /// To the next variation.
    Next {},
    /// To the variation before.
    Previous {},
    /// To a node of the tree.
    Go {
        /// Its name.
        node: usize,
    },
    /// Sets the comment of the current node; an empty one takes it away.
    Comment {
        /// What to say.
        text: String,
    },
    /// Writes on a spot at the current node; nothing takes it away.
    Mark {
        /// The spot as text.
        spot: String,
        /// What to write.
        text: String,
    },
    /// Notes what the current position is worth.
    Note {
        /// The value as text.
        value: String,
    },
    /// Notes how much time a player has left.
    Time {
        /// Who.
        #[serde(with = "view::side")]
        player: Player,
        /// Seconds.
        seconds: u32,
    },
    /// Cuts the current node off, with all that comes after it.
    Delete {},
    /// Makes the current line the main line.
    Promote {},
}

/// Why a command was not carried out. The session is then as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] NameError),
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] BoardError),
    /// The move is wrong.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The record is wrong.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no such node.
    #[error("there is no node {0} in this tree")]
    Node(usize),
    /// Too much of something.
    #[error("{what} is too long: at most {limit}")]
    TooLong {
        /// What.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
}

/// How many nodes a tree may have.
pub const MAX_NODES: usize = 5_000;
/// How long a comment may be, in bytes.
pub const MAX_COMMENT: usize = 20_000;
/// How many moves a front end is shown.
pub const MAX_MOVES: usize = 5_000;

/// What is on the board at a moment of a game.
#[derive(Clone, Debug)]
pub struct State {
    /// The position.
    pub position: Position,
    /// Whose turn it is.
    pub to_play: Player,
    /// Left's points less Right's, earned on the way here, in games that keep a score.
    pub points: i64,
}

impl State {
    /// What a move makes of it, and the move as it is usually written. Whoever made the move, it is the other's turn.
    ///
    /// # Errors
    /// If the player has no such move.
    pub fn after(&self, player: Player, text: &str) -> Result<(State, String), MoveError> {
        let Made { after, text, points } = self.position.make(player, text)?;
        let points = self.points.saturating_add(points);
        Ok((State { position: after, to_play: player.opponent(), points }, text))
    }
}

/// A game on the bench, with all that was tried.
pub struct Session {
    catalog: Arc<dyn Catalog>,
    info: Info,
    tree: Tree,
    cursor: Cursor,
    /// For each node that was ever made.
    states: Vec<State>,
}

/// Reads a position, or the start of a size, or (if the text is empty) the example of the game.
pub fn read_position(catalog: &dyn Catalog, game: &str, text: &str) -> Result<Position, SessionError> {
    let (game, text) = (game.trim(), text.trim());
    let opened = catalog.open(game, text)?;
    if text.is_empty() {
        return Ok(opened.read(opened.info().example)?);
    }
    Ok(opened.read_or_start(text)?)
}

impl Session {
    /// A game with a position, as [`Command::Open`].
    pub fn open(catalog: Arc<dyn Catalog>, game: &str, text: &str) -> Result<Session, SessionError> {
        let position = read_position(&*catalog, game, text)?;
        Ok(Session::of(catalog, position))
    }

    fn of(catalog: Arc<dyn Catalog>, position: Position) -> Session {
        let info = position.info();
        let to_play = position.to_play().unwrap_or(Player::Left);
        let states = vec![State { position, to_play, points: 0 }];
        Session { catalog, info, tree: Tree::default(), cursor: Cursor::default(), states }
    }

    /// What the game is about.
    pub fn info(&self) -> &Info {
        &self.info
    }
    /// The text that the game was read from, if it was.
    pub fn text(&self) -> Option<String> {
        self.catalog.text_of(&self.info.name)
    }
    /// All lines.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
    /// The current node.
    pub fn at(&self) -> NodeId {
        self.cursor.at
    }
    /// What is on the board.
    pub fn state(&self) -> &State {
        &self.states[self.cursor.at.0]
    }

    /// The positions from the beginning to the current node.
    pub fn line(&self) -> Vec<&State> {
        let mut line = vec![self.state()];
        let mut at = self.cursor.at;
        while let Some(parent) = self.tree.node(at).parent {
            line.push(&self.states[parent.0]);
            at = parent;
        }
        line.reverse();
        line
    }

    /// Carries out a command.
    pub fn apply(&mut self, command: Command) -> Result<(), SessionError> {
        match command {
            Command::Open { game, position } => {
                *self = Session::open(self.catalog.clone(), &game, &position)?
            }
            Command::OpenRecord { record } => *self = Session::from_record(self.catalog.clone(), &record)?,
            Command::Play { text } => self.play(&text)?,
            Command::Setup { position } => self.setup(&position)?,
            Command::ToPlay { player } => self.set_to_play(player)?,
            Command::Back {} => self.cursor.step(&self.tree, Step::Back),
            Command::Forward {} => self.cursor.step(&self.tree, Step::Forward),
            Command::First {} => self.cursor.step(&self.tree, Step::First),
            Command::Last {} => self.cursor.step(&self.tree, Step::Last),
            Command::Next {} => self.cursor.step(&self.tree, Step::Next),
            Command::Previous {} => self.cursor.step(&self.tree, Step::Previous),
            Command::Go { node } => {
                if !self.tree.contains(NodeId(node)) {
                    return Err(SessionError::Node(node));
                }
                self.cursor.go(&self.tree, NodeId(node));
            }
            Command::Comment { text } => {
                let text = limited("the comment", text, MAX_COMMENT)?;
                self.note(|p| matches!(p, Property::Comment(_)), &text, Property::Comment);
            }
            Command::Mark { spot, text } => {
                let spot = limited("the spot", spot, 20)?;
                let text = limited("the mark", text, 20)?;
                let same = |p: &Property| matches!(p, Property::Mark { spot: other, .. } if *other == spot);
                self.note(same, &text, |text| Property::Mark { spot: spot.clone(), text });
            }
            Command::Note { value } => {
                let value = limited("the value", value, MAX_COMMENT)?;
                self.note(|p| matches!(p, Property::Value(_)), &value, Property::Value);
            }
            Command::Time { player, seconds } => {
                let same =
                    |p: &Property| matches!(p, Property::Time { player: other, .. } if *other == player);
                self.note(same, &seconds.to_string(), |seconds| Property::Time { player, seconds });
            }
            Command::Delete {} => {
                let gone = self.cursor.at;
                self.cursor.step(&self.tree, Step::Back);
                self.tree.remove(gone);
            }
            Command::Promote {} => self.tree.promote(self.cursor.at),
        }
        Ok(())
    }

    /// Makes a move of the player to move and goes there. If it was tried before, it is not noted twice.
    pub fn play(&mut self, text: &str) -> Result<(), SessionError> {
        let player = self.state().to_play;
        let (state, text) = self.state().after(player, text)?;
        let same = Property::Move { player, text };
        let known = |&&id: &&NodeId| self.tree.node(id).properties.contains(&same);
        let found = self.tree.node(self.cursor.at).children.iter().find(known).copied();
        match found {
            Some(id) => self.cursor.go(&self.tree, id),
            None => self.grow(vec![same], state)?,
        }
        Ok(())
    }

    fn setup(&mut self, text: &str) -> Result<(), SessionError> {
        let position = read_position(&*self.catalog, &self.info.name, text)?;
        let to_play = position.to_play().unwrap_or(self.state().to_play);
        let noted = Property::Setup { position: position.show() };
        let state = State { position, to_play, points: 0 };
        let at = self.cursor.at;
        let node = self.tree.node(at);
        let was_move = node.properties.iter().any(|p| matches!(p, Property::Move { .. }));
        if was_move || !node.children.is_empty() {
            return self.grow(vec![noted], state);
        }
        self.states[at.0] = state;
        // The root is a position anyway.
        if at != Tree::ROOT {
            let properties = self.tree.properties_mut(at);
            properties.retain(|p| !matches!(p, Property::Setup { .. }));
            properties.push(noted);
        }
        Ok(())
    }

    fn set_to_play(&mut self, player: Player) -> Result<(), SessionError> {
        if self.state().to_play == player {
            return Ok(());
        }
        let at = self.cursor.at;
        if !self.tree.node(at).children.is_empty() {
            let state = State { to_play: player, ..self.state().clone() };
            return self.grow(vec![Property::ToPlay(player)], state);
        }
        self.states[at.0].to_play = player;
        let properties = self.tree.properties_mut(at);
        properties.retain(|p| !matches!(p, Property::ToPlay(_)));
        properties.push(Property::ToPlay(player));
        Ok(())
    }

    /// Adds a node here and goes there.
    fn grow(&mut self, properties: Vec<Property>, state: State) -> Result<(), SessionError> {
        let id = self.graft(self.cursor.at, properties, state)?;
        self.cursor.go(&self.tree, id);
        Ok(())
    }

    fn graft(
        &mut self,
        parent: NodeId,
        properties: Vec<Property>,
        state: State,
    ) -> Result<NodeId, SessionError> {
        if self.tree.len() >= MAX_NODES {
            return Err(SessionError::TooLong { what: "the tree of moves", limit: MAX_NODES });
        }
        let id = self.tree.add(parent, properties);
        self.states.push(state);
        Ok(id)
    }

    /// Replaces what is noted of one kind at the current node.
    fn note(&mut self, same: impl Fn(&Property) -> bool, text: &str, make: impl FnOnce(String) -> Property) {
        let properties = self.tree.properties_mut(self.cursor.at);
        properties.retain(|p| !same(p));
        if !text.trim().is_empty() {
            properties.push(make(text.to_owned()));
        }
    }

    /// All that a front end shows.
    pub fn view(&self) -> View {
        View::of(self)
    }
}

fn limited(what: &'static str, text: String, limit: usize) -> Result<String, SessionError> {
    if text.len() > limit { Err(SessionError::TooLong { what, limit }) } else { Ok(text) }
}

#[cfg(test)]
mod tests;
