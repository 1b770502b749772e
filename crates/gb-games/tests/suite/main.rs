//! What holds for all games of the list.

mod chess;
mod claims;
mod conformance;
mod errors;
mod facts;
mod list;
mod values;
