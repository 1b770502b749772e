//! One file for each command.

pub mod analyze;
pub mod app;
pub mod calc;
pub mod chess;
pub mod db;
pub mod deepen;
pub mod games;
pub mod go;
pub mod gtp;
pub mod match_;
mod match_players;
pub mod outcome;
pub mod play;
pub mod thermograph;
pub mod value;
