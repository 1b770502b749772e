//! Records of games: the one reader and the one writer of SGF (Smart Game Format FF\[4\]), for every game and every front
//! end, files that are read within a limit and written whole, and the frame of the protocol by which programs play.
//!
//! The game is named by `GAME[clobber]` and its position by `POS[xo.|.ox]`, in the root or wherever a position is set up;
//! moves are `B[a1-b1]` for Left and `W[..]` for Right, as people type them. Records of Go are ordinary ones (`GM[1]`, `SZ`,
//! `AB`, moves as points), so that other programs read them.
//!
//! This crate knows texts only: which moves are legal is found out by whoever plays them through.

pub mod files;
mod game_record;
pub mod go;
pub mod gtp;
mod head;
pub mod session;
mod sgf;
pub mod tree;
pub mod view;

pub use game_record::{GameRecord, GameStatus, OpenPosition};
pub use head::{Origin, colour, head, is_black, origin};
pub use sgf::{PropertyError, Raw, RawNode, RecordError, error_at, main_line, read, write};

/// Records are no longer than this, in bytes: a tree of a hundred thousand moves with comments has a few megabytes.
pub const MAX_BYTES: u64 = 16 << 20;
/// Records have no more nodes than this, where nobody says less.
pub const MAX_NODES: usize = 200_000;
