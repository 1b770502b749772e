//! The list of the games: the only place to add one.

use gb_board::{BitGrid, Graph, Wide};
use gb_rules::{AnyGame, GameName, Info, NameError, OpenError, Position};

use crate::games::*;
use crate::shared::heaps;
use crate::texts;

/// Makes [`NAMES`] and `any` of one list. Each line is a name, how its board is chosen, and the rules: `plain` has a single
/// kind of board, which is plain data, and names the function that reads its parameters; `kept` has boards that are none;
/// `heaps` has heaps; `sized` has boards in words of 64 bits, and larger ones; `field` has these and graphs; `wide` has grids
/// of up to 256 cells, and graphs; `text` is a text.
macro_rules! games {
    ($($name:literal => $kind:ident $($rules:ident)::+;)*) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$($name),*];

        /// Looks a game up by its name, and chooses the board that fits `text` (a position or a size).
        ///
        /// # Errors
        /// If there is no such game, or its parameters are missing or wrong.
        fn any(name: &GameName, text: &str) -> Result<AnyGame, NameError> {
            let variant = name.variant;
            match name.base.as_str() {
                $($name => games!(@$kind name variant text $($rules)::+),)*
                other => Err(NameError::unknown(other, NAMES.iter().copied())),
            }
        }
    };
    (@plain $name:ident $variant:ident $text:ident $($rules:ident)::+) => {
        Ok(AnyGame::direct($variant, $($rules)::+(&$name.arguments)?))
    };
    (@kept $name:ident $variant:ident $text:ident $($rules:ident)::+) => {
        Ok(AnyGame::interned($variant, $($rules)::+(&$name.arguments)?))
    };
    (@heaps $name:ident $variant:ident $text:ident $($rules:ident)::+) => {
        Ok(heaps::any($variant, $($rules)::+(&$name.arguments)?))
    };
    (@text $name:ident $variant:ident $text:ident $($game:ident)::+) => {{
        $name.arguments.none()?;
        Ok($($game)::+.open($variant, $text))
    }};
    (@sized $name:ident $variant:ident $text:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        Ok(if is_small($text) {
            AnyGame::direct($variant, $($rules)::+::<u64>::default())
        } else {
            AnyGame::direct($variant, $($rules)::+::<u128>::default())
        })
    }};
    (@field $name:ident $variant:ident $text:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        Ok(if $text.contains(';') {
            AnyGame::interned($variant, $($rules)::+::<Graph<3>>::default())
        } else if is_small($text) {
            AnyGame::direct($variant, $($rules)::+::<BitGrid<u64, 3>>::default())
        } else {
            AnyGame::direct($variant, $($rules)::+::<BitGrid<u128, 3>>::default())
        })
    }};
    (@wide $name:ident $variant:ident $text:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        Ok(if $text.contains(';') {
            AnyGame::interned($variant, $($rules)::+::<Graph<2>>::default())
        } else if fits::<u64>($text) {
            AnyGame::direct($variant, $($rules)::+::<BitGrid<u64, 2>>::default())
        } else {
            AnyGame::direct($variant, $($rules)::+::<BitGrid<Wide, 2>>::default())
        })
    }};
}

games! {
    "amazons" => sized amazons::Amazons;
    "blockbusting" => sized blockbusting::Blockbusting;
    "chess" => plain chess::chess;
    "clobber" => sized clobber::Clobber;
    "col" => field col::Col;
    "cram" => sized cram::Cram;
    "cutcake" => kept cutcake::cutcake;
    "dawsons-kayles" => heaps octal::dawsons_kayles;
    "domineering" => sized domineering::Domineering;
    "elephants-and-rhinos" => sized elephants_and_rhinos::ElephantsAndRhinos;
    "fission" => text texts::FISSION;
    "fox-and-geese" => sized fox_and_geese::FoxAndGeese;
    "hackenbush" => kept hackenbush::hackenbush;
    "kayles" => heaps octal::kayles;
    "konane" => text texts::KONANE;
    "maundy-cake" => kept maundy_cake::maundy_cake;
    "nim" => heaps nim::nim;
    "nogo" => sized nogo::NoGo;
    "octal" => heaps octal::octal;
    "pawns" => plain pawns::pawns;
    "peg-duotaire" => text texts::PEG_DUOTAIRE;
    "regio" => wide regio::Regio;
    "snort" => field snort::Snort;
    "subtraction" => heaps subtraction::subtraction;
    "toads-and-frogs" => sized toads_and_frogs::ToadsAndFrogs;
    "toppling-dominoes" => text texts::TOPPLING_DOMINOES;
}

/// Whether a position or a size has at most 64 cells. Texts that are no boards count as small: reading them fails anyway.
fn is_small(text: &str) -> bool {
    fits::<u64>(text) || !fits::<u128>(text)
}

/// Whether a position or a size fits into a word.
fn fits<W: gb_board::Word>(text: &str) -> bool {
    let (rows, cols) = match gb_board::Size::read(text) {
        Ok(size) => size.grid(),
        Err(_) => {
            let lines = text.trim().split(['|', '\n']);
            (lines.clone().count(), lines.map(|line| line.trim().chars().count()).max().unwrap_or(0))
        }
    };
    gb_board::Frame::<W>::fits(rows, cols)
}

/// A game, for boards as large as this position or size.
///
/// # Errors
/// If there is no such game, or its parameters are missing or wrong.
pub fn open(name: &str, text: &str) -> Result<AnyGame, NameError> {
    let name = GameName::read(name)?;
    let game = any(&name, text)?;
    if !name.misere {
        return Ok(game);
    }
    let plain = GameName { misere: false, ..name };
    game.misere(true).map_err(|problem| NameError::Misere { game: plain.to_string(), problem })
}

/// A game, for grids of any size.
///
/// # Errors
/// If there is no such game, or its parameters are missing or wrong.
pub fn game(name: &str) -> Result<AnyGame, NameError> {
    open(name, "1x128")
}

/// A position of a game, or the starting position of a size.
///
/// # Errors
/// If there is no such game, or the text is neither.
pub fn position(game: &str, text: &str) -> Result<Position, OpenError> {
    Ok(open(game, text)?.read_or_start(text)?)
}

/// What a game of the list is about; a game that needs parameters is described with an example of them.
///
/// # Errors
/// If there is no such game.
pub fn info(name: &str) -> Result<Info, NameError> {
    match game(name) {
        Err(NameError::Parameter { example, .. }) => Ok(game(&example)?.info()),
        other => Ok(other?.info()),
    }
}
