//! One file for each command.

pub mod calc;
pub mod thermograph;
