//! Go, from the rules to whole boards.

mod choices;
mod cycles;
mod facts;
mod fallbacks;
mod gtp;
mod judge;
mod komasters;
mod kos;
mod memory;
mod played;
mod random;
mod rivals;
mod safety;
mod scores;
