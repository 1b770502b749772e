//! One file for each command.

pub mod analyze;
#[cfg(feature = "app")]
pub mod app;
mod ask;
pub mod calc;
pub mod chess;
pub mod db;
pub mod doctor;
mod explain;
pub mod games;
pub mod go;
pub mod gtp;
pub mod heuristic;
mod match_players;
pub mod outcome;
pub mod play;
pub mod prove;
pub mod shell;
pub mod sum_match;
pub mod thermograph;
pub mod value;
