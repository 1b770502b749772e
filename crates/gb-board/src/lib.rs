//! Boards as text and as bits: grids, strips, heaps, graphs, their symmetries and connected parts, and scenes for front
//! ends. This crate knows no rules and no values.
