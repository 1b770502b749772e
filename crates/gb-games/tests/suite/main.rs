//! What holds for all games of the list.

mod conformance;
mod errors;
mod list;
