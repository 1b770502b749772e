//! What a front end shows of a session, as plain data.

use gb_board::{Item, Look, Paint, Scene, Shape};
use gb_rules::{Info, Player};
use serde::Serialize;

use crate::session::{MAX_MOVES, Session};
use crate::tree::{NodeId, Property, Tree};

/// Players as `Left` and `Right`.
pub mod side {
    use gb_rules::Player;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a player.
    pub fn serialize<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(player)
    }

    /// Reads a player; the size of the letters does not matter.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.to_ascii_lowercase().as_str() {
            "left" => Ok(Player::Left),
            "right" => Ok(Player::Right),
            _ => Err(D::Error::custom(format!("`{text}` is no player: expected `Left` or `Right`"))),
        }
    }
}

/// All that is to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The game.
    pub game: GameView,
    /// The position as text.
    pub position: String,
    /// Whose turn it is.
    #[serde(with = "side")]
    pub to_play: Player,
    /// Left's points less Right's, in games that keep a score.
    pub points: Option<i64>,
    /// Why nobody moves any more, if that is so.
    pub ended: Option<String>,
    /// The board.
    pub scene: SceneView,
    /// The moves of the player whose turn it is.
    pub moves: Vec<MoveView>,
    /// Whether there are more moves than these.
    pub more_moves: bool,
    /// The tree, parents before children.
    pub tree: Vec<NodeView>,
    /// The current node.
    pub at: usize,
    /// What is said here.
    pub comment: String,
    /// What is written on the board here: spots and words.
    pub marks: Vec<(String, String)>,
}

/// What a game is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameView {
    /// The name with its parameters.
    pub name: String,
    /// The name as a headline.
    pub title: &'static str,
    /// The rules.
    pub rules: &'static str,
    /// The letters of a position.
    pub alphabet: Vec<(char, &'static str)>,
    /// A position worth looking at.
    pub example: &'static str,
    /// Both players have the same moves.
    pub impartial: bool,
    /// Play may come back to a position.
    pub loopy: bool,
}

impl From<&Info> for GameView {
    fn from(info: &Info) -> Self {
        let Info { name, title, rules, alphabet, example, impartial, loopy } = info.clone();
        GameView { name, title, rules, alphabet: alphabet.to_vec(), example, impartial, loopy }
    }
}

/// A board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SceneView {
    /// In hundredths of a cell.
    pub width: i32,
    /// In hundredths of a cell.
    pub height: i32,
    /// `cells`, `checkered`, `lines`, `ground` or `tiles`.
    pub look: &'static str,
    /// The things, in the order of drawing.
    pub items: Vec<ItemView>,
}

/// A thing on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemView {
    /// What pointing at it means.
    pub spot: String,
    /// `square`, `disc` or `line`.
    pub shape: &'static str,
    /// The corner of a square, the middle of a disc, the ends of a line.
    pub at: Vec<i32>,
    /// Its letter in the text.
    pub letter: char,
    /// `empty`, `hole`, `left`, `right` or `both`.
    pub paint: &'static str,
}

impl From<&Item> for ItemView {
    fn from(item: &Item) -> Self {
        let (shape, at) = match item.shape {
            Shape::Square(x, y) => ("square", vec![x, y]),
            Shape::Disc(x, y) => ("disc", vec![x, y]),
            Shape::Line(from, to) => ("line", vec![from.0, from.1, to.0, to.1]),
        };
        let paint = match item.paint {
            Paint::Empty => "empty",
            Paint::Hole => "hole",
            Paint::Left => "left",
            Paint::Right => "right",
            Paint::Both => "both",
        };
        ItemView { spot: item.spot.to_string(), shape, at, letter: item.letter, paint }
    }
}

/// What things stand on, in a word.
pub fn look_name(look: Look) -> &'static str {
    match look {
        Look::Cells => "cells",
        Look::Checkered => "checkered",
        Look::Lines => "lines",
        Look::Tiles => "tiles",
        Look::Ground => "ground",
    }
}

impl From<&Scene> for SceneView {
    fn from(scene: &Scene) -> Self {
        let (width, height) = scene.corner();
        SceneView {
            width,
            height,
            look: look_name(scene.look),
            items: scene.items.iter().map(ItemView::from).collect(),
        }
    }
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveView {
    /// What to type.
    pub text: String,
    /// What to point at, in turn.
    pub gesture: Vec<String>,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeView {
    /// Its name.
    pub id: usize,
    /// The node before it.
    pub parent: Option<usize>,
    /// The move, or what else happens here.
    pub label: String,
    /// Who moved.
    pub player: Option<String>,
    /// Whether something is said here.
    pub comment: bool,
    /// What a search has found here.
    pub value: Option<String>,
}

impl View {
    pub(crate) fn of(session: &Session) -> View {
        let state = session.state();
        let mut choices = state.position.moves(state.to_play, MAX_MOVES + 1);
        let ended = ended(session, choices.is_empty());
        let more_moves = choices.len() > MAX_MOVES;
        choices.truncate(MAX_MOVES);
        let spots = |spots: &[gb_board::Spot]| spots.iter().map(|spot| spot.to_string()).collect();
        let moves = choices.iter().map(|c| MoveView { text: c.text.clone(), gesture: spots(&c.gesture) });
        let here = &session.tree().node(session.at()).properties;
        let comment = here.iter().find_map(|p| match p {
            Property::Comment(text) => Some(text.clone()),
            _ => None,
        });
        let marks = here.iter().filter_map(|p| match p {
            Property::Mark { spot, text } => Some((spot.clone(), text.clone())),
            _ => None,
        });
        View {
            game: session.info().into(),
            position: state.position.show(),
            to_play: state.to_play,
            points: state.position.ends_in_score().then_some(state.points),
            moves: if ended.is_some() { vec![] } else { moves.collect() },
            ended,
            scene: (&state.position.scene()).into(),
            more_moves,
            tree: session.tree().walk().into_iter().map(|id| node(session.tree(), id)).collect(),
            at: session.at().0,
            comment: comment.unwrap_or_default(),
            marks: marks.collect(),
        }
    }
}

fn node(tree: &Tree, id: NodeId) -> NodeView {
    let node = tree.node(id);
    let mut view = NodeView {
        id: id.0,
        parent: node.parent.map(|parent| parent.0),
        label: if id == Tree::ROOT { "start".into() } else { "note".into() },
        player: None,
        comment: false,
        value: None,
    };
    for property in &node.properties {
        match property {
            Property::Move { player, text } => {
                view.label = text.clone();
                view.player = Some(player.to_string());
            }
            Property::Setup { .. } => view.label = "set up".into(),
            Property::ToPlay(player) if id != Tree::ROOT && view.player.is_none() => {
                view.label = format!("{player} to play");
            }
            Property::Comment(_) => view.comment = true,
            Property::Value(text) => view.value = Some(text.clone()),
            _ => {}
        }
    }
    view
}

/// Why nobody moves any more.
fn ended(session: &Session, no_moves: bool) -> Option<String> {
    let state = session.state();
    if let Some(winner) = state.position.global_win() {
        return Some(format!("{winner} has won."));
    }
    if state.position.ends_in_score() && no_moves {
        return Some(match state.points {
            0 => "The game is over: a draw.".into(),
            points @ 1.. => format!("The game is over: Left wins by {points}."),
            points => format!("The game is over: Right wins by {}.", points.unsigned_abs()),
        });
    }
    if no_moves {
        let loser = state.to_play;
        return Some(format!("{loser} has no move: {} wins.", loser.opponent()));
    }
    let passed = |id: NodeId| {
        let is_pass = |p: &Property| matches!(p, Property::Move { text, .. } if text == "pass");
        session.tree().node(id).properties.iter().any(is_pass)
    };
    let before = session.tree().node(session.at()).parent;
    (passed(session.at()) && before.is_some_and(passed)).then(|| "Both have passed.".into())
}
