//! Boards as text and as bits: grids, strips, heaps, graphs, their symmetries and connected parts, and scenes for front
//! ends. This crate knows no rules and no values.
//!
//! ```
//! use gb_board::{Alphabet, BitGrid};
//! const STONES: Alphabet = Alphabet(&[('.', "empty"), ('x', "Left's stone"), ('o', "Right's stone")]);
//! let board = BitGrid::<u64, 2>::read("xo.|.ox", &STONES).unwrap();
//! assert_eq!(board.transpose().show(&STONES), "x.|oo|.x");
//! let error = BitGrid::<u64, 2>::read("xo.|.qx", &STONES).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "row 2, column 2: found `q`, expected `.` (empty), `x` (Left's stone) or `o` (Right's stone)"
//! );
//! ```

mod alphabet;
mod bitgrid;
mod codes;
mod connected;
mod error;
mod field;
mod frame;
mod graph;
mod grid;
mod heaps;
mod pieces;
mod plain;
mod random;
mod scene;
mod size;
mod sorting;
mod symmetry;
pub mod testing;
mod wide;
mod word;

pub use alphabet::Alphabet;
pub use bitgrid::BitGrid;
pub use codes::Codes;
pub use error::{BoardError, nearest};
pub use field::Field;
pub use frame::Frame;
pub use graph::Graph;
pub use grid::Grid;
pub use heaps::{MAX_HEAP, read_heaps, show_heaps};
pub use plain::Plain;
pub use random::{Random, Xorshift};
pub use scene::{Item, Look, Paint, Scene, Shape, Spot, column_name, gesture_text};
pub use size::Size;
pub use sorting::{sort_by, sort_by_key};
pub use wide::Wide;
pub use word::{Bits, Word};
