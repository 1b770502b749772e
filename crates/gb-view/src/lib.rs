//! Session, tree, pictures: what front ends show, without I/O.

pub mod picture;
pub mod report;
