//! What a table is about.

use std::fmt::{self, Display, Formatter};

use crate::parts::largest_frame;

/// What a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// All boards of a rectangle: rows, columns.
    Boards(usize, usize),
    /// All connected parts of at most so many cells, of any shape.
    Parts(usize),
    /// Who wins all boards of a rectangle, and nothing else: rows, columns.
    Outcomes(usize, usize),
    /// All connected parts that fit into a rectangle: rows, columns.
    Within(usize, usize),
    /// The same, of which less than the value is kept.
    Less(usize, usize, Less),
}

/// What is kept of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Less {
    /// Who wins, and the thermograph: mean, temperature, stops.
    Temperature,
    /// That, and the atomic weight with who wins the sums with nimbers, where the value is all-small.
    AtomicWeight,
}

impl Less {
    /// All of them.
    pub const ALL: [Less; 2] = [Less::Temperature, Less::AtomicWeight];

    /// As it is called in commands, names of files and headers.
    pub fn name(self) -> &'static str {
        match self {
            Less::Temperature => "temperature",
            Less::AtomicWeight => "atomic-weight",
        }
    }

    /// The one with a name.
    pub fn of_name(name: &str) -> Option<Less> {
        Less::ALL.into_iter().find(|less| less.name() == name)
    }
}

impl Scope {
    /// The name of the file with a table.
    pub fn file_name(self, game: &str) -> String {
        let plain: String = game.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        match self {
            Scope::Boards(rows, cols) => format!("{plain}-{rows}x{cols}.{EXTENSION}"),
            Scope::Parts(cells) => format!("{plain}-parts-{cells}.{EXTENSION}"),
            Scope::Outcomes(rows, cols) => format!("{plain}-{rows}x{cols}-outcomes.{EXTENSION}"),
            Scope::Within(rows, cols) => format!("{plain}-within-{rows}x{cols}.{EXTENSION}"),
            Scope::Less(rows, cols, less) => {
                format!("{plain}-within-{rows}x{cols}-{}.{EXTENSION}", less.name())
            }
        }
    }

    /// A size that holds every board of the table, for choosing the representation of boards.
    pub fn sample(self) -> String {
        match self {
            Scope::Boards(rows, cols)
            | Scope::Outcomes(rows, cols)
            | Scope::Within(rows, cols)
            | Scope::Less(rows, cols, _) => format!("{rows}x{cols}"),
            Scope::Parts(cells) => {
                let (rows, cols) = largest_frame(cells);
                format!("{}x{}", rows.max(1), cols.max(1))
            }
        }
    }

    /// The rectangles that hold all boards of at most so many cells, the smaller ones in the corner of larger ones.
    pub fn boards_up_to(cells: usize) -> Vec<Scope> {
        let holds = |rows: usize| cells / rows;
        (1..=cells)
            .take_while(|&rows| rows <= holds(rows))
            // Where the next rectangle is as long, it holds this one.
            .filter(|&rows| rows + 1 > holds(rows + 1) || holds(rows + 1) < holds(rows))
            .map(|rows| Scope::Boards(rows, holds(rows)))
            .collect()
    }
}

impl Display for Scope {
    /// `all boards 4x4`, `all parts up to 15 cells`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Boards(rows, cols) => write!(f, "all boards {rows}x{cols}"),
            Scope::Parts(cells) => write!(f, "all parts up to {cells} cells"),
            Scope::Outcomes(rows, cols) => write!(f, "outcomes of all boards {rows}x{cols}"),
            Scope::Within(rows, cols) => write!(f, "all parts within {rows}x{cols}"),
            Scope::Less(rows, cols, Less::Temperature) => {
                write!(f, "temperatures of all parts within {rows}x{cols}")
            }
            Scope::Less(rows, cols, Less::AtomicWeight) => {
                write!(f, "atomic weights of all parts within {rows}x{cols}")
            }
        }
    }
}

/// How the files with tables end.
pub const EXTENSION: &str = "gbtable";
