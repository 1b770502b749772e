//! Searches against known results and against each other.

mod bounds;
mod bridges;
mod facts;
mod fox;
mod outcome;
mod pawn_facts;
mod positions;
mod regio;
mod repeat;
mod threats;
mod tree;
mod trees;
