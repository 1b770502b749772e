//! What a record says about itself: which game it is of, and where that begins.

use crate::go;
use crate::sgf::{PropertyError, Raw, RawNode};

/// The name of a player's colour: Left is black.
pub fn colour(left: bool) -> &'static str {
    if left { "B" } else { "W" }
}

/// Whether a property such as `PL[B]` names black; `None` if it names nobody.
pub fn is_black(raw: &Raw) -> Option<bool> {
    match raw.value().trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(true),
        "w" | "white" | "2" => Some(false),
        _ => None,
    }
}

/// The first properties of the root of a record of any game but Go ([`go::head`]).
pub fn head(game: &str, position: &str, left_first: bool) -> Vec<Raw> {
    let mut raws = common();
    // No number of SGF's list, so that no program takes it for another game.
    raws.extend([Raw::new("GM", "99"), Raw::new("GAME", game), Raw::new("POS", position)]);
    raws.push(Raw::new("PL", colour(left_first)));
    raws
}

/// What all records begin with.
pub(crate) fn common() -> Vec<Raw> {
    vec![Raw::new("FF", "4"), Raw::new("CA", "UTF-8"), Raw::new("AP", "gamebench")]
}

/// Where the game of a record begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A game of the bench, and a position of it.
    Named {
        /// The name of the game.
        game: String,
        /// The position as text.
        position: String,
    },
    /// A board of Go with so many lines; stones are set up by the root.
    Go {
        /// How many lines.
        size: usize,
    },
}

/// Which game a record is of, as its root says.
///
/// # Errors
/// If the root says of which game it is in a way that is not understood.
pub fn origin(root: &RawNode) -> Result<Origin, PropertyError> {
    let wrong = |property, message| Err(PropertyError { property, value: 0, message });
    if let Some(game) = root.get("GAME") {
        let position = root.get("POS").map_or("", Raw::value).to_owned();
        return Ok(Origin::Named { game: game.value().to_owned(), position });
    }
    if let Some(named) = first_format(root) {
        return Ok(named);
    }
    match root.get("GM").map_or("1", |raw| raw.value().trim()) {
        "1" => {}
        other => {
            return wrong("GM", format!("GM is {other}, and there is no GAME[...]: which game is this?"));
        }
    }
    let size = root.get("SZ").map_or("19", |raw| raw.value().trim());
    match size.parse() {
        Ok(size) if (go::MIN_SIZE..=go::MAX_SIZE).contains(&size) => Ok(Origin::Go { size }),
        _ => wrong("SZ", format!("the size is `{size}`, expected {} to {}", go::MIN_SIZE, go::MAX_SIZE)),
    }
}

/// Records that `play --save` wrote before all front ends had one format: the game is in `GN`, the position in a comment.
fn first_format(root: &RawNode) -> Option<Origin> {
    let value = |property| root.get(property).map(Raw::value);
    if !value("AP")?.starts_with("gamebench:") {
        return None;
    }
    let position = value("C")?.strip_prefix("start: ")?.to_owned();
    Some(Origin::Named { game: value("GN")?.to_owned(), position })
}
