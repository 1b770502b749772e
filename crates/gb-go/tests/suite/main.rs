//! Go, from the rules to whole boards.

mod facts;
mod random;
mod safety;
