//! Fuzz targets of the Game Bench.

pub mod targets;
