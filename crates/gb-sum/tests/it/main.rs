//! Sums against facts and against plain search.

mod facts;
mod strategies;
mod tutorial;
