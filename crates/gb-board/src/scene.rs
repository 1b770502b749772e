//! What front ends draw and what people click, as plain data.

use std::fmt;

/// Something that can be pointed at. Its text is what people type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// A cell of a grid, `b3`: column letter, then row number from the top. Both count from 0 here.
    Cell {
        /// The row, from 0.
        row: u32,
        /// The column, from 0.
        col: u32,
    },
    /// A token of a heap, `b3`: heap letter, then the number of the token, from 1. Both count from 0 here.
    Token {
        /// The heap, from 0.
        heap: u32,
        /// The token, from 0 at the bottom.
        index: u32,
    },
    /// A node of a graph, `3`.
    Node(u32),
    /// An edge of a graph, `e3`: the third edge of the text (2 here).
    Edge(u32),
}

/// The name of a column or a heap: 0 -> `a`, 25 -> `z`, 26 -> `aa`.
pub fn column_name(mut n: u32) -> String {
    let mut text = vec![];
    loop {
        text.push(char::from(b'a' + (n % 26) as u8));
        if n < 26 {
            break;
        }
        n = n / 26 - 1;
    }
    text.iter().rev().collect()
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Spot::Cell { row, col } => write!(f, "{}{}", column_name(col), row + 1),
            Spot::Token { heap, index } => write!(f, "{}{}", column_name(heap), index + 1),
            Spot::Node(node) => write!(f, "{node}"),
            Spot::Edge(edge) => write!(f, "e{}", edge + 1),
        }
    }
}

/// The text of a move made by pointing at these spots in turn: `a1-b1`.
pub fn gesture_text(spots: &[Spot]) -> String {
    spots.iter().map(Spot::to_string).collect::<Vec<_>>().join("-")
}

/// Whose a thing looks to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Nothing there.
    Empty,
    /// Not part of the board.
    Hole,
    /// Left's: black, blue.
    Left,
    /// Right's: white, red.
    Right,
    /// Anyone's: green, grey.
    Both,
}

impl Paint {
    /// The paint that the letters of all our alphabets stand for.
    pub fn of(letter: char) -> Paint {
        match letter {
            '.' => Paint::Empty,
            '#' => Paint::Hole,
            'x' | 'X' | 't' | 'l' | 'B' => Paint::Left,
            'o' | 'O' | 'f' | 'r' | 'R' => Paint::Right,
            _ => Paint::Both,
        }
    }
}

/// The shape of a thing. Places are in hundredths of a cell, x to the right and y downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A square of side 100 whose upper left corner is here.
    Square(i32, i32),
    /// A disc around this centre.
    Disc(i32, i32),
    /// A line between two places.
    Line((i32, i32), (i32, i32)),
}

/// A thing to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// What pointing at it means in a gesture.
    pub spot: Spot,
    /// Where it is.
    pub shape: Shape,
    /// Its letter in the board text, for front ends that can write it.
    pub letter: char,
    /// Its colour.
    pub paint: Paint,
}

impl Item {
    /// The square of a grid cell at this column and row.
    pub fn square(spot: Spot, col: i32, row: i32, letter: char) -> Item {
        Item { spot, shape: Shape::Square(100 * col, 100 * row), letter, paint: Paint::of(letter) }
    }
    /// A disc.
    pub fn disc(spot: Spot, at: (i32, i32), letter: char) -> Item {
        Item { spot, shape: Shape::Disc(at.0, at.1), letter, paint: Paint::of(letter) }
    }
    /// A line.
    pub fn line(spot: Spot, from: (i32, i32), to: (i32, i32), letter: char) -> Item {
        Item { spot, shape: Shape::Line(from, to), letter, paint: Paint::of(letter) }
    }
}

/// What the things stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// Squares side by side, or nothing.
    #[default]
    Cells,
    /// Light and dark squares. Left is White, and rows are counted from below, as players of chess do.
    Checkered,
    /// Lines whose crossings are the middles of the squares. Left is Black, and rows are counted from below, as players
    /// of Go do.
    Lines,
    /// The lower edge is the ground.
    Ground,
    /// Tiles that stand side by side on the lower edges of their squares.
    Tiles,
}

impl Look {
    /// Whether the lowest row is the first.
    pub fn counts_from_below(self) -> bool {
        matches!(self, Look::Checkered | Look::Lines)
    }
}

/// What to draw, in this order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// The things.
    pub items: Vec<Item>,
    /// What they stand on.
    pub look: Look,
}

impl Scene {
    /// How many tokens of heaps are drawn at most.
    pub const MOST_TOKENS: u64 = 10_000;

    /// Things with the plainest look.
    pub fn new(items: Vec<Item>) -> Scene {
        Scene { items, look: Look::default() }
    }

    /// Stacks of tokens, side by side, growing upwards. More tokens than [`Scene::MOST_TOKENS`] are not drawn: a sum of many such
    /// heaps would take more than its limit of memory, and nobody could see them.
    pub fn heaps(heaps: &[u32]) -> Scene {
        if heaps.iter().map(|&size| u64::from(size)).sum::<u64>() > Scene::MOST_TOKENS {
            return Scene::default();
        }
        let tallest = heaps.iter().copied().max().unwrap_or(0) as i32;
        let mut items = vec![];
        for (heap, &size) in heaps.iter().enumerate() {
            for index in 0..size {
                let at = (100 * heap as i32 + 50, 100 * (tallest - 1 - index as i32) + 50);
                items.push(Item::disc(Spot::Token { heap: heap as u32, index }, at, '*'));
            }
        }
        Scene::new(items)
    }

    /// A square for each letter of rows separated by `|`.
    pub fn of_text(text: &str) -> Scene {
        let mut items = vec![];
        for (row, line) in text.split('|').enumerate() {
            for (col, letter) in line.chars().enumerate() {
                let spot = Spot::Cell { row: row as u32, col: col as u32 };
                items.push(Item::square(spot, col as i32, row as i32, letter));
            }
        }
        Scene::new(items)
    }

    /// The spots that look different, or are missing, in another scene.
    pub fn changes(&self, other: &Scene) -> Vec<Spot> {
        self.items.iter().filter(|item| !other.items.contains(item)).map(|item| item.spot).collect()
    }

    /// The corner of the scene: everything lies between (0, 0) and here.
    pub fn corner(&self) -> (i32, i32) {
        let reach = |item: &Item| match item.shape {
            Shape::Square(x, y) => (x + 100, y + 100),
            Shape::Disc(x, y) => (x + 50, y + 50),
            Shape::Line(from, to) => (from.0.max(to.0), from.1.max(to.1)),
        };
        self.items.iter().map(reach).fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_as_text() {
        assert_eq!(Spot::Cell { row: 0, col: 1 }.to_string(), "b1");
        assert_eq!(Spot::Cell { row: 11, col: 27 }.to_string(), "ab12");
        assert_eq!(Spot::Cell { row: 0, col: 26 * 27 }.to_string(), "aaa1");
        assert_eq!(gesture_text(&[Spot::Node(3), Spot::Edge(0)]), "3-e1");
    }
}
