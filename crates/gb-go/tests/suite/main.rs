//! Go, from the rules to whole boards.

mod cycles;
mod facts;
mod gtp;
mod random;
mod rivals;
mod safety;
