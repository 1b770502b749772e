//! Sums against facts and against plain search.

mod boards;
mod facts;
mod playthrough;
mod questions;
mod strategies;
mod tutorial;
