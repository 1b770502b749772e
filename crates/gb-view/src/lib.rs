//! Session, tree, pictures: what front ends show, without I/O.
//!
//! A [`Session`](session::Session) is a game on the bench with all that was tried: a [`Tree`](tree::Tree) of moves with
//! properties and a place in it. Front ends send [`Command`](session::Command)s and show the [`View`](view::View) they get
//! back. The tree is written and read as SGF, whatever the game ([`gb_record`]).

pub mod findings;
pub mod picture;
pub mod report;
pub mod session;
pub mod tree;
pub mod view;
