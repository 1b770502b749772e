//! Points and stones of Go as SGF writes them.

use crate::head::{colour, common};
use crate::sgf::{PropertyError, Raw, RawNode};

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board.
pub const MAX_SIZE: usize = 19;

/// The point in a row and a column, both counted from 0 and the upper left corner: `cd` is row 3, column 2.
pub fn point_text(row: usize, col: usize) -> String {
    [col, row].iter().map(|&n| char::from(b'a' + n as u8)).collect()
}

/// Row and column of a point such as `cd`, on a board with so many lines.
pub fn point(text: &str, size: usize) -> Option<(usize, usize)> {
    match text.trim().as_bytes() {
        &[col @ b'a'..=b'z', row @ b'a'..=b'z'] => {
            let place = (usize::from(row - b'a'), usize::from(col - b'a'));
            (place.0 < size && place.1 < size).then_some(place)
        }
        _ => None,
    }
}

/// Whether the value of a move is a pass: nothing, or `tt` as old records say it.
pub fn is_pass(text: &str) -> bool {
    matches!(text.trim(), "" | "tt")
}

/// A point that a node sets up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The row.
    pub row: usize,
    /// The column.
    pub col: usize,
    /// A stone, black if `true`, or nothing.
    pub stone: Option<bool>,
    /// The property and the number of its value that say so, for messages.
    pub value: (&'static str, usize),
}

/// What a node sets up, point by point. `aa:cc` is a rectangle.
///
/// # Errors
/// If something is no point, or is set up twice.
pub fn set_up(node: &RawNode, size: usize) -> Result<Vec<Placed>, PropertyError> {
    let mut stones = vec![];
    let mut taken = vec![false; size * size];
    for (name, stone) in [("AB", Some(true)), ("AW", Some(false)), ("AE", None)] {
        for (i, value) in node.get(name).map_or(&[][..], |raw| &raw.values).iter().enumerate() {
            let (from, to) = value.split_once(':').unwrap_or((value, value));
            let (Some((top, left)), Some((bottom, right))) = (point(from, size), point(to, size)) else {
                let message = format!("`{value}` is no point of a board with {size} lines");
                return Err(PropertyError { property: name, value: i, message });
            };
            for row in top..=bottom {
                for col in left..=right {
                    if std::mem::replace(&mut taken[row * size + col], true) {
                        let message = format!("{} is set up twice in one node", name_of(row, col, size));
                        return Err(PropertyError { property: name, value: i, message });
                    }
                    stones.push(Placed { row, col, stone, value: (name, i) });
                }
            }
        }
    }
    Ok(stones)
}

/// Columns of a board as people write them.
const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The name that people have for a point: `C7`.
pub fn name_of(row: usize, col: usize, size: usize) -> String {
    let letter = COLUMNS.get(col).map_or('?', |&letter| char::from(letter));
    format!("{letter}{}", size.saturating_sub(row))
}

/// Row and column of a point that people call `C7`.
pub fn named(name: &str, size: usize) -> Option<(usize, usize)> {
    let (letter, number) = name.split_at_checked(1)?;
    let col = COLUMNS.iter().position(|c| c.eq_ignore_ascii_case(&letter.as_bytes()[0]))?;
    let row = size.checked_sub(number.parse().ok()?)?;
    (row < size && col < size).then_some((row, col))
}

/// The property with the position as the bench writes it, for what SGF has no words for: a ko that may not be taken back
/// now, and prisoners. `None` where stones and turn say everything.
pub fn more_than_stones(position: &str) -> Option<Raw> {
    let says_more = |word: &str| matches!(word, "ko" | "prisoners");
    position.split_whitespace().any(says_more).then(|| Raw::new("POS", position))
}

/// The first properties of the root of a record of Go: stones as points.
pub fn head(size: usize, black: Vec<String>, white: Vec<String>, black_first: bool) -> Vec<Raw> {
    let mut raws = common();
    raws.extend([Raw::new("GM", "1"), Raw::new("SZ", size.to_string())]);
    let stones = [("AB", black), ("AW", white)].map(|(name, values)| Raw { name: name.into(), values });
    raws.extend(stones.into_iter().filter(|raw| !raw.values.is_empty()));
    raws.push(Raw::new("PL", colour(black_first)));
    raws
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_two_names() {
        for size in [2, 9, 19] {
            for (row, col) in [(0, 0), (1, 0), (size - 1, 1), (size - 1, size - 1)] {
                assert_eq!(point(&point_text(row, col), size), Some((row, col)));
                assert_eq!(named(&name_of(row, col, size), size), Some((row, col)));
            }
        }
        assert_eq!(name_of(2, 2, 9), "C7");
        assert_eq!((point("jj", 9), point("a", 9), named("I3", 9), named("", 9)), (None, None, None, None));
        assert_eq!(named("é4", 9), None);
    }
}
