//! Sessions as records, and records as sessions.

use std::sync::Arc;

use crate::go::{self, point_text};
use crate::{Origin, PropertyError, Raw, RawNode, error_at};
use gb_board::{BoardError, Spot};
use gb_rules::Player;

use super::{Catalog, MAX_NODES, Session, SessionError, read_position};
use crate::tree::{NodeId, Property, Tree};

/// Records without a game's name, or of `GM[1]`, are of this game; its moves are written as points.
const GO: &str = "go";

/// The property with the text of the game, if it is one.
const TEXT: &str = "TEXT";

impl Session {
    /// The tree as SGF.
    pub fn record(&self) -> String {
        let order = self.tree.walk();
        let mut place = vec![0; self.tree.len()];
        for (index, id) in order.iter().enumerate() {
            place[id.0] = index;
        }
        let nodes: Vec<_> = order
            .iter()
            .map(|&id| {
                let node = self.tree.node(id);
                let mut raws = if id == Tree::ROOT { self.head() } else { vec![] };
                for property in &node.properties {
                    self.write_property(id, property, &mut raws);
                }
                (node.parent.map(|parent| place[parent.0]), raws)
            })
            .collect();
        crate::write(&nodes)
    }

    fn is_go(&self) -> bool {
        self.info.name == GO
    }

    fn head(&self) -> Vec<Raw> {
        let root = &self.states[0];
        let (text, left_first) = (root.position.show(), root.to_play == Player::Left);
        if self.is_go() {
            let size = go_rows(&text).len();
            let mut raws = go::head(size, go_points(&text, 'X'), go_points(&text, 'O'), left_first);
            raws.extend(go::more_than_stones(&text));
            return raws;
        }
        let mut raws = crate::head(&self.info.name, &text, left_first);
        raws.extend(self.text().map(|text| Raw::new(TEXT, text)));
        raws
    }

    fn write_property(&self, id: NodeId, property: &Property, raws: &mut Vec<Raw>) {
        let raw = match property {
            Property::Move { player, text } if self.is_go() => {
                Raw::new(colour(*player), go_point(text, self.size()))
            }
            Property::Move { player, text } => Raw::new(colour(*player), text),
            Property::Setup { position } if self.is_go() => {
                // What is empty has to be said, because stones of the node before would stay.
                for (name, letter) in [("AB", 'X'), ("AW", 'O'), ("AE", '.')] {
                    let values = go_points(position, letter);
                    if !values.is_empty() {
                        raws.push(Raw { name: name.into(), values });
                    }
                }
                raws.extend(go::more_than_stones(position));
                let said = |p: &Property| matches!(p, Property::ToPlay(_));
                if !self.tree.node(id).properties.iter().any(said) {
                    raws.push(Raw::new("PL", colour(self.states[id.0].to_play)));
                }
                return;
            }
            Property::Setup { position } => Raw::new("POS", position),
            Property::ToPlay(_) if id == Tree::ROOT => return,
            Property::ToPlay(player) => Raw::new("PL", colour(*player)),
            Property::Comment(text) => Raw::new("C", text),
            Property::Mark { spot, text } => {
                let spot = if self.is_go() { cell_to_point(spot).unwrap_or_default() } else { spot.clone() };
                Raw::new("LB", format!("{spot}:{text}"))
            }
            Property::Time { player, seconds } => Raw::new(&format!("{}L", colour(*player)), seconds),
            Property::Value(text) => Raw::new("VALUE", text),
            Property::Other { name, values } => Raw { name: name.clone(), values: values.clone() },
        };
        match raws.iter_mut().find(|other| other.name == raw.name) {
            Some(same) => same.values.extend(raw.values),
            None => raws.push(raw),
        }
    }

    /// Rows of the board, for Go.
    fn size(&self) -> usize {
        go_rows(&self.states[0].position.show()).len()
    }

    /// A session from SGF. Every move of every line has to be legal.
    ///
    /// # Errors
    /// If the text is no record, or a record of something that cannot be put on the bench; with the place.
    pub fn from_record(catalog: Arc<dyn Catalog>, text: &str) -> Result<Session, SessionError> {
        let text = text.trim_start_matches('\u{feff}');
        if text.len() as u64 > crate::MAX_BYTES {
            return Err(SessionError::TooLong { what: "the record", limit: crate::MAX_BYTES as usize });
        }
        let nodes = crate::read(text, MAX_NODES)?;
        let at = |node: &RawNode, error: SessionError| match error {
            SessionError::Record(error) => SessionError::Record(error),
            other => error_at(text, node.place, other.to_string()).into(),
        };
        let root = &nodes[0];
        let (game, position) = match crate::origin(root) {
            Ok(Origin::Named { game, position }) => (game, position),
            Ok(Origin::Go { size }) => {
                let rows = set_stones(vec![".".repeat(size); size], root);
                let rows = rows.map_err(|error| error.at(text, root))?;
                let turn = root.get("PL").and_then(player_of);
                let more = root.get("POS").map(|raw| raw.value().to_owned());
                (GO.to_owned(), more.unwrap_or_else(|| with_turn(rows, turn)))
            }
            Err(error) => return Err(error.at(text, root).into()),
        };
        let catalog = match root.get(TEXT).and_then(|raw| catalog.with_text(raw.value())) {
            Some(Ok(catalog)) => catalog,
            Some(Err(error)) => return Err(at(root, error.into())),
            None => catalog,
        };
        let mut session = match read_position(&*catalog, &game, &position) {
            Ok(position) => Session::of(catalog, position),
            Err(error) => return Err(at(root, error)),
        };
        let mut ids = vec![Tree::ROOT];
        for (index, node) in nodes.iter().enumerate() {
            match index {
                0 => session.read_root(node),
                _ => {
                    let parent = ids[node.parent.unwrap_or(0)];
                    let id = session.read_node(parent, node).map_err(|error| at(node, error))?;
                    ids.push(id);
                }
            }
        }
        Ok(session)
    }

    fn read_root(&mut self, node: &RawNode) {
        const KNOWN: &[&str] =
            &["FF", "CA", "AP", "GM", "GAME", "POS", "PL", "SZ", "AB", "AW", "AE", "ST", TEXT];
        if let Some(player) = node.get("PL").and_then(player_of) {
            self.states[0].to_play = player;
        }
        let raws = node.properties.iter().filter(|raw| !KNOWN.contains(&raw.name.as_str()));
        let notes = raws.flat_map(|raw| self.read_note(raw)).collect();
        *self.tree.properties_mut(Tree::ROOT) = notes;
    }

    /// A node as it is written becomes one of the tree; what it does is done in the order of SGF: set up, then move.
    fn read_node(&mut self, parent: NodeId, node: &RawNode) -> Result<NodeId, SessionError> {
        let mut state = self.states[parent.0].clone();
        let mut properties = vec![];
        let stones = |name| node.get(name).is_some();
        if let Some(raw) = node.get("POS") {
            state.position = read_position(&*self.catalog, &self.info.name, raw.value())?;
        } else if self.is_go() && ["AB", "AW", "AE"].into_iter().any(stones) {
            let rows = set_stones(go_rows(&state.position.show()), node);
            let rows = rows.map_err(|error| SessionError::Position(BoardError::Invalid(error.message)))?;
            // Whose turn it is does not change by setting stones.
            let turn = node.get("PL").and_then(player_of).unwrap_or(state.to_play);
            let rows = with_turn(rows, Some(turn));
            state.position = read_position(&*self.catalog, GO, &rows)?;
        }
        if ["POS", "AB", "AW", "AE"].into_iter().any(stones) {
            state.to_play = state.position.to_play().unwrap_or(state.to_play);
            properties.push(Property::Setup { position: state.position.show() });
        }
        if let Some(player) = node.get("PL").and_then(player_of) {
            state.to_play = player;
            properties.push(Property::ToPlay(player));
        }
        for (name, player) in [("B", Player::Left), ("W", Player::Right)] {
            let Some(raw) = node.get(name) else { continue };
            let text = match self.is_go() {
                true => go_move(raw.value(), self.size()).ok_or_else(|| {
                    let sentence = format!("`{}` is no point of this board", raw.value());
                    SessionError::Position(BoardError::Invalid(sentence))
                })?,
                false => raw.value().to_owned(),
            };
            // A node's own set-up comes before its move.
            let (next, text) = state.after(player, &text)?;
            state = next;
            properties.push(Property::Move { player, text });
            break;
        }
        let id = self.graft(parent, vec![], state)?;
        Ok(self.finish(id, properties, node))
    }

    fn finish(&mut self, id: NodeId, mut properties: Vec<Property>, node: &RawNode) -> NodeId {
        const DONE: &[&str] = &["POS", "AB", "AW", "AE", "PL", "B", "W"];
        let raws = node.properties.iter().filter(|raw| !DONE.contains(&raw.name.as_str()));
        properties.extend(raws.flat_map(|raw| self.read_note(raw)));
        *self.tree.properties_mut(id) = properties;
        id
    }

    fn read_note(&self, raw: &Raw) -> Vec<Property> {
        let time = |player| Property::Time { player, seconds: raw.value().to_owned() };
        match raw.name.as_str() {
            "C" => vec![Property::Comment(raw.value().to_owned())],
            "VALUE" => vec![Property::Value(raw.value().to_owned())],
            "BL" => vec![time(Player::Left)],
            "WL" => vec![time(Player::Right)],
            "LB" => {
                let marks = raw.values.iter().filter_map(|value| value.split_once(':'));
                let spot = |spot: &str| match self.is_go() {
                    true => point_to_cell(spot).unwrap_or_default(),
                    false => spot.to_owned(),
                };
                marks.map(|(at, text)| Property::Mark { spot: spot(at), text: text.to_owned() }).collect()
            }
            _ => vec![Property::Other { name: raw.name.clone(), values: raw.values.clone() }],
        }
    }
}

fn colour(player: Player) -> &'static str {
    crate::colour(player == Player::Left)
}

fn player_of(raw: &Raw) -> Option<Player> {
    Some(if crate::is_black(raw)? { Player::Left } else { Player::Right })
}

/// The text of a Go board with whose turn it is, where that is not black's.
fn with_turn(rows: String, turn: Option<Player>) -> String {
    if turn == Some(Player::Right) { rows + " white" } else { rows }
}

/// The rows of a Go board, without what is said after them.
fn go_rows(text: &str) -> Vec<String> {
    text.split_whitespace().next().unwrap_or("").split('|').map(str::to_owned).collect()
}

fn go_points(text: &str, stone: char) -> Vec<String> {
    let mut points = vec![];
    for (row, line) in go_rows(text).iter().enumerate() {
        for (col, letter) in line.chars().enumerate() {
            if letter == stone {
                points.push(point_text(row, col));
            }
        }
    }
    points
}

/// The rows with the stones of a node.
fn set_stones(rows: Vec<String>, node: &RawNode) -> Result<String, PropertyError> {
    let mut rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    for placed in go::set_up(node, rows.len())? {
        rows[placed.row][placed.col] = match placed.stone {
            Some(true) => 'X',
            Some(false) => 'O',
            None => '.',
        };
    }
    Ok(rows.into_iter().map(String::from_iter).collect::<Vec<_>>().join("|"))
}

/// `C7` on a board of 9 rows is `cc`; a pass is nothing.
fn go_point(name: &str, size: usize) -> String {
    go::named(name, size).map_or_else(String::new, |(row, col)| point_text(row, col))
}

/// `cc` on a board of 9 rows is `C7`.
fn go_move(text: &str, size: usize) -> Option<String> {
    if go::is_pass(text) {
        return Some("pass".into());
    }
    let (row, col) = go::point(text, size)?;
    Some(go::name_of(row, col, size))
}

/// The point of a spot of the scene such as `c3`.
fn cell_to_point(spot: &str) -> Option<String> {
    let (letter, number) = spot.split_at_checked(1)?;
    let row: u8 = number.parse().ok().filter(|row| (1..=26).contains(row))?;
    Some(format!("{letter}{}", char::from(b'a' + row - 1)))
}

fn point_to_cell(text: &str) -> Option<String> {
    let (row, col) = go::point(text, go::MAX_SIZE)?;
    Some(Spot::Cell { row: row as u32, col: col as u32 }.to_string())
}
