//! Searches against known results and against each other.

mod boards;
mod bounds;
mod bridges;
mod couples;
mod facts;
mod fox;
mod misere;
mod outcome;
mod pawn_facts;
mod playthrough;
mod positions;
mod questions;
mod regio;
mod repeat;
mod sum_facts;
mod threats;
mod tree;
mod trees;
mod tutorial;
