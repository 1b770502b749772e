//! The list of the games: the only place to add one.

use gb_board::{BitGrid, Graph, Wide};
use gb_game::erased::{Erase, Game};
use gb_game::{GameName, GameVisitor, Info, NameError, Variant, variant};

use crate::games::*;

/// Makes [`NAMES`] and [`visit`] of one list. Each line is a name, how its board is chosen, and the rules:
/// `plain` has a single kind of board; `one` besides has parameters, and names the function that reads them; `sized` has
/// `u64` boards, and `u128` boards for more than 64 cells; `field` has these and graphs; `wide` has `u64` boards, boards of
/// up to 256 cells, and graphs. Variants always have the larger boards: every kind of board is a visitor to compile.
macro_rules! games {
    ($($name:literal => $kind:ident $($rules:ident)::+;)*) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$($name),*];

        /// Looks a game up by its name, chooses the board that fits `text` (a position or a size), and hands the rules
        /// to the visitor.
        ///
        /// # Errors
        /// If there is no such game, or its parameters are missing or wrong.
        pub fn visit<V: GameVisitor>(name: &GameName, text: &str, visitor: V) -> Result<V::Out, NameError> {
            match name.base.as_str() {
                $($name => games!(@$kind name text visitor $($rules)::+),)*
                other => Err(NameError::unknown(other, NAMES.iter().copied())),
            }
        }
    };
    (@one $name:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        let rules = $($rules)::+(&$name.arguments)?;
        Ok(variant::visit($name.variant, rules, $visitor))
    }};
    (@plain $name:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        Ok(variant::visit($name.variant, $($rules)::+::default(), $visitor))
    }};
    (@sized $name:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $name.variant == Variant::Plain && is_small($text) {
            Ok($visitor.visit($($rules)::+::<u64>::default()))
        } else {
            Ok(variant::visit($name.variant, $($rules)::+::<u128>::default(), $visitor))
        }
    }};
    (@field $name:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $text.contains(';') {
            Ok(variant::visit($name.variant, $($rules)::+::<Graph<3>>::default(), $visitor))
        } else if $name.variant == Variant::Plain && is_small($text) {
            Ok($visitor.visit($($rules)::+::<BitGrid<u64, 3>>::default()))
        } else {
            Ok(variant::visit($name.variant, $($rules)::+::<BitGrid<u128, 3>>::default(), $visitor))
        }
    }};
    (@wide $name:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $text.contains(';') {
            Ok(variant::visit($name.variant, $($rules)::+::<Graph<2>>::default(), $visitor))
        } else if $name.variant == Variant::Plain && fits::<u64>($text) {
            Ok($visitor.visit($($rules)::+::<BitGrid<u64, 2>>::default()))
        } else {
            Ok(variant::visit($name.variant, $($rules)::+::<BitGrid<Wide, 2>>::default(), $visitor))
        }
    }};
}

games! {
    "amazons" => sized amazons::Amazons;
    "blockbusting" => sized blockbusting::Blockbusting;
    "chess" => one chess::chess;
    "clobber" => sized clobber::Clobber;
    "col" => field col::Col;
    "cram" => sized cram::Cram;
    "cutcake" => one cutcake::cutcake;
    "dawsons-kayles" => one octal::dawsons_kayles;
    "domineering" => sized domineering::Domineering;
    "elephants-and-rhinos" => sized elephants_and_rhinos::ElephantsAndRhinos;
    "fission" => sized fission::Fission;
    "fox-and-geese" => sized fox_and_geese::FoxAndGeese;
    "hackenbush" => one hackenbush::hackenbush;
    "kayles" => one octal::kayles;
    "konane" => sized konane::Konane;
    "maundy-cake" => one maundy_cake::maundy_cake;
    "nim" => one nim::nim;
    "nogo" => sized nogo::NoGo;
    "octal" => one octal::octal;
    "pawns" => one pawns::pawns;
    "peg-duotaire" => sized peg_duotaire::PegDuotaire;
    "regio" => wide regio::Regio;
    "snort" => field snort::Snort;
    "subtraction" => one subtraction::subtraction;
    "toads-and-frogs" => sized toads_and_frogs::ToadsAndFrogs;
    "toppling-dominoes" => sized toppling_dominoes::TopplingDominoes;
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

/// A game for a front end, for boards as large as this position or size.
///
/// # Errors
/// If there is no such game, or its parameters are missing or wrong.
pub fn open(name: &str, text: &str) -> Result<Box<dyn Game>, NameError> {
    visit(&GameName::read(name)?, text, Erase)
}

/// A game for a front end, for grids of any size.
///
/// # Errors
/// If there is no such game, or its parameters are missing or wrong.
pub fn game(name: &str) -> Result<Box<dyn Game>, NameError> {
    open(name, "1x128")
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
