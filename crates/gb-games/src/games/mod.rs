//! One file a game, or a folder.

pub mod amazons;
pub mod blockbusting;
pub mod chess;
pub mod clobber;
pub mod col;
pub mod cram;
pub mod cutcake;
pub mod domineering;
pub mod elephants_and_rhinos;
pub mod fox_and_geese;
pub mod hackenbush;
pub mod maundy_cake;
pub mod nim;
pub mod nogo;
pub mod octal;
pub mod pawns;
pub mod regio;
pub mod snort;
pub mod subtraction;
pub mod toads_and_frogs;
