//! One file for each command.

pub mod analyze;
pub mod calc;
pub mod chess;
pub mod games;
pub mod outcome;
pub mod thermograph;
pub mod value;
