//! One file a game. Shared ways of playing are in the files of [`shared`].

pub mod amazons;
pub mod clobber;
pub mod col;
pub mod domineering;
pub mod nim;
pub mod nogo;
pub mod octal;
pub mod snort;
