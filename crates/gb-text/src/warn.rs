//! What is right and probably not meant: moves that are never possible, parameters that nothing uses.

use std::collections::{HashSet, VecDeque};
use std::fmt;

use gb_rules::{Player, Variant};

use crate::error::Place;
use crate::game::TextGame;
use crate::tree::BoardKind;

/// So many positions are looked at.
const POSITIONS: usize = 400;
/// Where a text says nothing of its starting positions, users set boards up as they like: all boards of these sizes, if they are no
/// more than `POSITIONS`.
const SET_UP: &[(usize, usize)] = &[(1, 3), (1, 4), (1, 5), (2, 2)];
/// Sizes whose starting positions play begins from, besides the example.
const SIZES: &[&str] = &["2x3", "3x2", "3x3", "4x4", "4", "6", "9"];

/// Something that is right and probably not meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Where.
    pub at: Place,
    /// What, as a sentence.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.problem)
    }
}

pub(crate) fn of(game: &TextGame) -> Vec<Warning> {
    let unused = game.tree().parameters.iter().filter(|parameter| !parameter.used);
    let mut found: Vec<Warning> = unused
        .map(|parameter| Warning {
            at: parameter.at,
            problem: format!("no move uses the parameter `{}`", parameter.name),
        })
        .collect();
    let reached = reached(game);
    for (index, rule) in game.tree().moves.iter().enumerate() {
        let Ok(alone) = game.of_move(index) else { continue };
        // A position that a move alone does not know says nothing about it.
        let is_possible = |text: &String| match alone.open_normal(Variant::Plain, text).read(text) {
            Ok(at) => Player::BOTH.into_iter().any(|who| !at.options(who).is_empty()),
            Err(_) => true,
        };
        if !reached.iter().any(is_possible) {
            let problem = format!(
                "this move is possible in none of the {} positions that were tried, from the example and small starting positions on",
                reached.len()
            );
            found.push(Warning { at: rule.at, problem });
        }
    }
    found
}

/// Positions that play leads to, those of fewest moves first.
fn reached(game: &TextGame) -> Vec<String> {
    let mut starts = vec![game.info().example.to_string()];
    match game.tree().board {
        BoardKind::Heap(numbers) => {
            starts.extend([0, 1, 2, 3, 4, 8, 15].map(|size| vec![size.to_string(); numbers].join("x")));
        }
        _ if game.tree().start.is_some() => starts.extend(SIZES.iter().map(|size| size.to_string())),
        BoardKind::Grid | BoardKind::Strip | BoardKind::Hex => starts.extend(set_up(game)),
        _ => {}
    }
    let mut known = HashSet::new();
    let mut next: VecDeque<String> = VecDeque::new();
    for start in starts {
        let Ok(at) = game.open_normal(Variant::Plain, &start).read_or_start(&start) else { continue };
        if known.insert(at.show()) {
            next.push_back(at.show());
        }
    }
    // Boards that were set up are all looked at, and as many again that play leads to.
    let most = POSITIONS.max(2 * next.len());
    let mut reached = vec![];
    while let Some(text) = next.pop_front() {
        if reached.len() >= most {
            break;
        }
        if let Ok(at) = game.open_normal(Variant::Plain, &text).read(&text) {
            for after in Player::BOTH.into_iter().flat_map(|who| at.options(who)) {
                if known.len() < 4 * most && known.insert(after.clone()) {
                    next.push_back(after);
                }
            }
        }
        reached.push(text);
    }
    reached
}

/// All boards of some small sizes.
fn set_up(game: &TextGame) -> Vec<String> {
    let letters: Vec<char> = game.tree().cells.iter().map(|cell| cell.letter).collect();
    let mut boards = vec![];
    for &(rows, cols) in SET_UP {
        let count = letters.len().checked_pow((rows * cols) as u32).filter(|&count| count <= POSITIONS);
        let board = |number: usize| {
            let cells =
                (0..rows * cols).map(|cell| letters[number / letters.len().pow(cell as u32) % letters.len()]);
            let cells: Vec<char> = cells.collect();
            cells.chunks(cols).map(String::from_iter).collect::<Vec<_>>().join("|")
        };
        boards.extend((0..count.unwrap_or(0)).map(board));
    }
    boards
}
