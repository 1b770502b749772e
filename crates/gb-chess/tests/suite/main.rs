//! Tests of the analyst of chess.
#[path = "../../examples/judge/boards.rs"]
mod boards;
mod errors;
mod facts;
mod games;
mod legality;
#[path = "../../examples/judge/stockfish.rs"]
mod program;
mod proofs;
mod stockfish;
