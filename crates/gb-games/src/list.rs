//! The list of the games: the only place to add one.

use gb_board::{BitGrid, Graph, Wide};
use gb_game::erased::{Erase, Game};
use gb_game::{GameName, GameVisitor, Info, NameError, Variant, variant};

use crate::games::*;

/// Makes [`NAMES`] and [`visit`] of one list. Each line is a name, how its board is chosen, and the rules:
/// `one` has a single kind of board, and names the function that reads its parameters; `small` is the same for games whose
/// searches are short; `sized` has boards in words of 64 bits, and larger ones; `large` has these, and is often played on
/// more than 64 cells; `field` has `sized` grids and graphs; `wide` has grids of up to 256 cells, and graphs.
///
/// Every kind of board is a visitor to compile, so only the kinds that are searched most have one of their own; variants,
/// graphs and rare sizes share [`Boxed`](gb_game::boxed::Boxed).
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
            let plain = name.variant == Variant::Plain;
            match name.base.as_str() {
                $($name => games!(@$kind name plain text visitor $($rules)::+),)*
                other => Err(NameError::unknown(other, NAMES.iter().copied())),
            }
        }
    };
    (@one $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        let rules = $($rules)::+(&$name.arguments)?;
        Ok(if $plain { $visitor.visit(rules) } else { $visitor.visit(variant::boxed($name.variant, rules)) })
    }};
    (@small $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+(&$name.arguments)?)))
    }};
    (@sized $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $plain && is_small($text) {
            return Ok($visitor.visit($($rules)::+::<u64>::default()));
        }
        Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+::<u128>::default())))
    }};
    (@large $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        if $plain && !is_small($text) {
            $name.arguments.none()?;
            return Ok($visitor.visit($($rules)::+::<u128>::default()));
        }
        games!(@sized $name $plain $text $visitor $($rules)::+)
    }};
    (@field $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $text.contains(';') {
            return Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+::<Graph<3>>::default())));
        }
        if $plain && is_small($text) {
            return Ok($visitor.visit($($rules)::+::<BitGrid<u64, 3>>::default()));
        }
        Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+::<BitGrid<u128, 3>>::default())))
    }};
    (@wide $name:ident $plain:ident $text:ident $visitor:ident $($rules:ident)::+) => {{
        $name.arguments.none()?;
        if $text.contains(';') {
            return Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+::<Graph<2>>::default())));
        }
        if $plain && fits::<u64>($text) {
            return Ok($visitor.visit($($rules)::+::<BitGrid<u64, 2>>::default()));
        }
        if $plain {
            return Ok($visitor.visit($($rules)::+::<BitGrid<Wide, 2>>::default()));
        }
        Ok($visitor.visit(variant::boxed($name.variant, $($rules)::+::<BitGrid<Wide, 2>>::default())))
    }};
}

games! {
    "amazons" => large amazons::Amazons;
    "blockbusting" => sized blockbusting::Blockbusting;
    "chess" => one chess::chess;
    "clobber" => large clobber::Clobber;
    "col" => field col::Col;
    "cram" => sized cram::Cram;
    "cutcake" => small cutcake::cutcake;
    "dawsons-kayles" => one octal::dawsons_kayles;
    "domineering" => large domineering::Domineering;
    "elephants-and-rhinos" => sized elephants_and_rhinos::ElephantsAndRhinos;
    "fission" => sized fission::Fission;
    "fox-and-geese" => sized fox_and_geese::FoxAndGeese;
    "hackenbush" => one hackenbush::hackenbush;
    "kayles" => one octal::kayles;
    "konane" => large konane::Konane;
    "maundy-cake" => small maundy_cake::maundy_cake;
    "nim" => small nim::nim;
    "nogo" => large nogo::NoGo;
    "octal" => one octal::octal;
    "pawns" => one pawns::pawns;
    "peg-duotaire" => sized peg_duotaire::PegDuotaire;
    "regio" => wide regio::Regio;
    "snort" => field snort::Snort;
    "subtraction" => small subtraction::subtraction;
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
