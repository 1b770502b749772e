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
mod trainer;

use std::sync::OnceLock;

use gb_chess::Tables;

/// Tables for all tests: making them takes longer than most proofs.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(None))
}
