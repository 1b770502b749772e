//! Games in which cells are filled, and it does not matter by whom: a board is a set of empty cells, and nothing else.
//!
//! So the boards of a rectangle are the assignments of one truth table, with a variable for each cell: 1 if it is empty. A move leads to a board with a
//! smaller number, and of 64 boards of a word, those that differ in the first six cells, all are found together: a move that fills none of these leads to
//! another word, one that fills some of them to a shifted one. There is a bit for each player: whether he wins if he begins.

use std::fs;
use std::path::Path;

use gb_rules::{Filling, GridTraits, Player, Sign};
use gb_value::Budget;

use super::table::{KIND, Outcomes};
use super::truth;
use crate::build::Built;
use crate::error::StoreError;
use crate::file::{Fields, Writer};
use crate::game::TabulatedGame;
use crate::scope::Scope;
use crate::unfinished;

/// So many cells at most: 2^30 boards.
pub(super) const MAX_CELLS: usize = 30;
/// How the line with the moves begins.
const NAME: &str = "filling";

/// What the rules mean for such a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FlatForm {
    pub(super) filling: Filling,
    /// Which board a lying board is: the same, or the one with the players exchanged; or neither is known.
    pub(super) transpose: Option<Sign>,
}

impl FlatForm {
    pub(super) fn of(traits: &GridTraits, filling: &Filling) -> FlatForm {
        FlatForm { filling: filling.clone(), transpose: traits.transpose }
    }

    /// As a line of a header.
    pub(super) fn text(&self) -> String {
        let sign = match self.transpose {
            None => "?",
            Some(Sign::Plus) => "+",
            Some(Sign::Minus) => "-",
        };
        let one = |cells: &Vec<(i32, i32)>| {
            cells.iter().map(|(down, right)| format!("{down},{right}")).collect::<Vec<_>>().join("+")
        };
        let side = |moves: &Vec<Vec<(i32, i32)>>| moves.iter().map(one).collect::<Vec<_>>().join(" ");
        let [left, right] = &self.filling.moves;
        format!("{NAME} {sign} {} / {}", side(left), side(right))
    }

    /// From such a line.
    pub(super) fn read(text: &str) -> Option<FlatForm> {
        let (name, rest) = text.split_once(' ')?;
        let (sign, moves) = rest.split_once(' ').filter(|_| name == NAME)?;
        let transpose = match sign {
            "?" => None,
            "+" => Some(Sign::Plus),
            "-" => Some(Sign::Minus),
            _ => return None,
        };
        let cell = |text: &str| {
            let (down, right) = text.split_once(',')?;
            Some((down.parse().ok()?, right.parse().ok()?))
        };
        let one = |text: &str| text.split('+').map(cell).collect::<Option<Vec<_>>>();
        let side =
            |text: &str| text.split(' ').filter(|text| !text.is_empty()).map(one).collect::<Option<Vec<_>>>();
        let (left, right) = moves.split_once(" / ")?;
        Some(FlatForm { filling: Filling { moves: [side(left)?, side(right)?] }, transpose })
    }

    /// Where moves of a player can be made: sets of cells, row by row.
    fn placements(&self, who: Player, rows: usize, cols: usize) -> Vec<u32> {
        let mut found = vec![];
        for cells in &self.filling.moves[who as usize] {
            for base in 0..rows * cols {
                let place = |from: usize, step: i32, end: usize| {
                    from.checked_add_signed(step as isize).filter(|&place| place < end)
                };
                let cell = |&(down, right): &(i32, i32)| {
                    Some(1 << (place(base / cols, down, rows)? * cols + place(base % cols, right, cols)?))
                };
                let set = cells.iter().map(cell).try_fold(0, |set: u32, cell| Some(set | cell?));
                found.extend(set);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// A move in terms of words: the outer cells as a number of a word, the inner ones as a shift, and the bits of a word that have these.
struct Step {
    outer: usize,
    shift: u32,
    bits: u64,
}

impl Step {
    fn of(set: u32) -> Step {
        let shift = set & ((1 << truth::INNER) - 1);
        let inner = (0..truth::INNER).filter(|cell| shift >> cell & 1 == 1);
        let bits = inner.fold(u64::MAX, |bits, cell| bits & truth::variable_word(cell, 0));
        Step { outer: (set >> truth::INNER) as usize, shift, bits }
    }

    /// The boards of a word from which this move leads to a board of another word that has the bit.
    fn before(&self, after: u64) -> u64 {
        (after << self.shift) & self.bits
    }
}

/// For all boards whether Left wins if she begins, and whether Right does.
fn solve(form: &FlatForm, rows: usize, cols: usize, budget: &Budget) -> Result<[Vec<u64>; 2], StoreError> {
    let words = truth::words(rows * cols);
    let steps = Player::BOTH.map(|who| {
        let (inner, outer): (Vec<Step>, Vec<Step>) =
            form.placements(who, rows, cols).into_iter().map(Step::of).partition(|step| step.outer == 0);
        (inner, outer)
    });
    let mut wins = [vec![0u64; words], vec![0u64; words]];
    for word in 0..words {
        if word.is_multiple_of(1 << 12) {
            budget.spend(1 << 12, 16 * words as u64)?;
        }
        let by_others = [0, 1].map(|who: usize| {
            let there = &wins[1 - who];
            let fits = steps[who].1.iter().filter(|step| word & step.outer == step.outer);
            fits.fold(0, |found, step| found | step.before(!there[word & !step.outer]))
        });
        let mut found = by_others;
        // A board of the word depends on those of it with fewer inner cells: after so many rounds all are right.
        for _ in 0..truth::INNER {
            found = [0, 1].map(|who: usize| {
                let add = |all: u64, step: &Step| all | step.before(!found[1 - who]);
                steps[who].0.iter().fold(by_others[who], add)
            });
        }
        [wins[0][word], wins[1][word]] = found;
    }
    Ok(wins)
}

/// Boards by outcome, for every number of empty cells.
fn count([left, right]: &[Vec<u64>; 2], cells: usize) -> Vec<Outcomes> {
    let mut found = vec![Outcomes::default(); cells + 1];
    // The boards of a word with so many inner cells.
    let mut of_size = [0u64; truth::INNER + 1];
    let inside = if cells < truth::INNER { (1u64 << (1 << cells)) - 1 } else { u64::MAX };
    for bit in (0..64u32).filter(|bit| inside >> bit & 1 == 1) {
        of_size[bit.count_ones() as usize] |= 1 << bit;
    }
    for (word, (left, right)) in left.iter().zip(right).enumerate() {
        for (inner, bits) in of_size.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let layer = &mut found[word.count_ones() as usize + inner];
            let ones = |word: u64| u64::from((word & bits).count_ones());
            layer.left += ones(left & !right);
            layer.right += ones(right & !left);
            layer.next += ones(left & right);
            layer.previous += ones(!left & !right);
        }
    }
    found
}

/// Builds a table. It takes seconds, so that nothing is kept of a build that is killed.
pub(super) fn build(
    game: &TabulatedGame,
    filling: &Filling,
    (rows, cols): (usize, usize),
    folder: &Path,
    budget: &Budget,
) -> Result<Built, StoreError> {
    let (form, scope, name) =
        (FlatForm::of(&game.traits(), filling), Scope::Outcomes(rows, cols), game.name());
    let cells = rows.checked_mul(cols).filter(|cells| (1..=MAX_CELLS).contains(cells)).ok_or_else(|| {
        StoreError::Invalid(format!(
            "{rows}x{cols} has too many cells for a table of outcomes: at most {MAX_CELLS} are possible"
        ))
    })?;
    let needed = budget.account().bytes() + 16 * truth::words(cells) as u64;
    if needed > budget.max_bytes() {
        let what = format!("{name} {scope}");
        let holds = "two bits for every set of cells";
        return Err(StoreError::Memory { what, holds, needed, limit: budget.max_bytes() });
    }
    fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
    let path = folder.join(scope.file_name(&name));
    let lock = unfinished::lock(&path)?;
    unfinished::clean_up(folder);
    let wins = solve(&form, rows, cols, budget)?;
    let layers = count(&wins, cells);
    let mut fields: Fields = [
        ("kind", KIND.to_owned()),
        ("game", name),
        ("rows", rows.to_string()),
        ("cols", cols.to_string()),
        ("boards", (1u64 << cells).to_string()),
        ("moves", form.text()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    for (empty, Outcomes { left, right, next, previous }) in layers.into_iter().enumerate() {
        fields.insert(format!("empty-{empty:02}"), format!("{left} {right} {next} {previous}"));
    }
    let mut out = Writer::create(&path, fields)?;
    for (name, wins) in ["left", "right"].into_iter().zip(&wins) {
        out.section(name)?;
        for some in wins.chunks(1 << 13) {
            let bytes: Vec<u8> = some.iter().flat_map(|word| word.to_le_bytes()).collect();
            out.write(&bytes)?;
        }
        out.end_section(name)?;
    }
    out.finish()?;
    drop(lock);
    Ok(Built { path, was_there: false, resumed: 0 })
}
