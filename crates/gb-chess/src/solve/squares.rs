//! Corresponding squares: where the kings are in mutual zugzwang while the pawns stand still.

use std::fmt::Write;

use cozy_chess::{Board, Color, Piece, Square};
use serde::Serialize;

use super::bits::{bit, squares};
use super::book::{Book, Outlook};
use super::cell::{Cell, OPEN, SURE};
use super::layer::{Outside, Place};
use super::spot::pawns;
use super::structure::Side;

/// Two squares that correspond: with the kings there, whoever has to move is worse off than if it were the other's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair {
    white: u8,
    black: u8,
}

/// The corresponding squares of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Squares {
    /// Squares of White's king and of Black's king with the same label correspond.
    pub labels: Vec<Label>,
    /// The kings stand on corresponding squares now.
    pub now: bool,
    /// What chess players call it, if they have a name for it.
    pub name: Option<&'static str>,
}

/// Squares that correspond to each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    /// One character.
    pub label: char,
    /// For White's king.
    pub white: Vec<String>,
    /// For Black's king.
    pub black: Vec<String>,
}

/// Labels in the order in which they are used.
const LABELS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// -1, 0 or 1 for White, if it is proved.
fn worth(cell: &Cell, king: u8) -> Option<i8> {
    let at = |word: u64| word & bit(king) != 0;
    match () {
        () if !at(cell.valid) => None,
        () if at(cell.white[SURE]) => Some(1),
        () if at(cell.black[SURE]) => Some(-1),
        () if !at(cell.white[OPEN]) && !at(cell.black[OPEN]) => Some(0),
        () => None,
    }
}

/// All pairs in which both turns are proved.
fn pairs(book: &Book<'_>, board: &Board) -> Vec<Pair> {
    let structure = pawns(board);
    if book.get(&Place::of(None, structure).key).is_none() {
        return vec![];
    }
    let outside = Outlook::new(book);
    let mut planes = [[Cell::default(); 64]; 2];
    for side in Side::BOTH {
        outside.plane(None, structure, side, &mut planes[side as usize]);
    }
    let mut found = vec![];
    for black in 0..64u8 {
        let [first, second] = [0, 1].map(|side: usize| planes[side][black as usize]);
        for white in squares(first.valid & second.valid) {
            if let (Some(moving), Some(waiting)) = (worth(&first, white), worth(&second, white))
                && moving < waiting
            {
                found.push(Pair { white, black });
            }
        }
    }
    found
}

/// The corresponding squares around a position that has kings and pawns only; `None` if there are none near the kings.
pub(super) fn find(book: &Book<'_>, board: &Board) -> Option<Squares> {
    if board.pieces(Piece::Pawn).is_empty() || board.occupied().len() != board.pieces(Piece::Pawn).len() + 2 {
        return None;
    }
    let mut pairs = pairs(book, board);
    let kings = [board.king(Color::White) as u8, board.king(Color::Black) as u8];
    let distance = |a: u8, b: u8| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
    // On a board with many, those near the kings matter.
    for near in (1..8).rev() {
        if classes(&pairs).len() <= LABELS.len() {
            break;
        }
        pairs.retain(|pair| distance(pair.white, kings[0]) < near && distance(pair.black, kings[1]) < near);
    }
    if pairs.is_empty() {
        return None;
    }
    let here = Pair { white: kings[0], black: kings[1] };
    let now = pairs.contains(&here);
    let names = |list: &[u8]| list.iter().map(|&square| Square::index(square as usize).to_string()).collect();
    let labels = classes(&pairs)
        .iter()
        .zip(LABELS)
        .map(|((white, black), &label)| Label {
            label: label.into(),
            white: names(white),
            black: names(black),
        })
        .collect();
    Some(Squares { labels, now, name: if now { opposition(here) } else { None } })
}

/// Squares that are connected by pairs belong together.
fn classes(pairs: &[Pair]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut classes: Vec<(Vec<u8>, Vec<u8>)> = vec![];
    for pair in pairs {
        let (mut white, mut black) = (vec![pair.white], vec![pair.black]);
        classes.retain(|class| {
            let touches = class.0.contains(&pair.white) || class.1.contains(&pair.black);
            if touches {
                white.extend(&class.0);
                black.extend(&class.1);
            }
            !touches
        });
        for list in [&mut white, &mut black] {
            list.sort_unstable();
            list.dedup();
        }
        classes.push((white, black));
    }
    classes.sort();
    classes
}

/// What chess players call kings that hold each other off.
fn opposition(pair: Pair) -> Option<&'static str> {
    let files = (pair.white % 8).abs_diff(pair.black % 8);
    let ranks = (pair.white / 8).abs_diff(pair.black / 8);
    match (files, ranks) {
        (0, 2) | (2, 0) => Some("the opposition"),
        (2, 2) => Some("the diagonal opposition"),
        (0, 4 | 6) | (4 | 6, 0) => Some("the distant opposition"),
        (4, 4) | (6, 6) => Some("the distant diagonal opposition"),
        _ => None,
    }
}

impl Squares {
    /// Two boards side by side: squares for White's king, squares for Black's king.
    pub fn picture(&self, letters: impl Fn(u8) -> Option<char>) -> String {
        let mut text = String::from("    White's king           Black's king\n");
        let label = |white: bool, square: u8| {
            let name = Square::index(square as usize).to_string();
            let of = |label: &&Label| {
                if white { label.white.contains(&name) } else { label.black.contains(&name) }
            };
            self.labels.iter().find(of).map(|label| label.label)
        };
        for rank in (0..8u8).rev() {
            let row = |white: bool| {
                (0..8u8)
                    .map(|file| {
                        let square = 8 * rank + file;
                        let pawn = letters(square).filter(|letter| matches!(letter, 'P' | 'p'));
                        let cell = pawn.map(|letter| if letter == 'P' { '^' } else { 'v' });
                        format!("{} ", cell.or(label(white, square)).unwrap_or('.'))
                    })
                    .collect::<String>()
            };
            let line = format!("  {} {}     {} {}", rank + 1, row(true), rank + 1, row(false));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text.push_str("    a b c d e f g h        a b c d e f g h\n");
        text
    }
}
