//! Searches against known results and against each other.

mod bounds;
mod facts;
mod outcome;
mod positions;
mod regio;
mod tree;
mod trees;
