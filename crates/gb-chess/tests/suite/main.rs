//! The analyst against known-right facts.

mod check;
mod errors;
mod facts;
mod games;
mod stockfish;
