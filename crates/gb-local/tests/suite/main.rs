//! Searches on real games, against definitions and known-right facts.

mod fox;
mod pawn_facts;
mod threats;
