//! Rectangular cakes, side by side: `2x3,1x4` (rows x columns).

use std::ops::ControlFlow;

use gb_board::{BoardError, Item, Scene, Size, Spot};
use gb_rules::{Info, Player, Rules, Sign, Theorems};
use gb_value::{Halt, Kernel, Value};
use smallvec::{SmallVec, smallvec};

/// Rows and columns of a cake.
type Cake = (u32, u32);
/// The cakes on the table.
pub type Cakes = SmallVec<[Cake; 2]>;

/// What tells the games of cutting apart.
pub trait Kind: Clone + Send + Sync + 'static {
    /// What a front end shows.
    fn info() -> Info;
    /// How a side of this length may be cut: the length of the first piece, ascending.
    fn first_pieces(length: u32) -> impl Iterator<Item = u32>;
    /// The lengths of all pieces after such a cut.
    fn pieces(length: u32, first: u32) -> impl Iterator<Item = u32>;
    /// The value of a single cake by a theorem.
    fn known(rows: u32, cols: u32) -> Option<i64>;
}

/// Left cuts a cake between columns, Right between rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutting<K>(K);

impl<K: Kind + Default> Rules for Cutting<K> {
    type Board = Cakes;
    /// The cake, and the length of the first piece.
    type Move = (u32, u32);

    fn info(&self) -> Info {
        K::info()
    }
    fn read(&self, text: &str) -> Result<Cakes, BoardError> {
        read(text)
    }
    fn show(&self, at: &Cakes) -> String {
        at.iter().map(|(rows, cols)| format!("{rows}x{cols}")).collect::<Vec<_>>().join(",")
    }
    fn start(&self, size: Size) -> Result<Cakes, BoardError> {
        let (rows, cols) = size.grid();
        Ok(smallvec![cake(rows, cols)?])
    }
    fn moves(
        &self,
        at: &Cakes,
        who: Player,
        emit: &mut impl FnMut((u32, u32)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (index, &(rows, cols)) in at.iter().enumerate() {
            for piece in K::first_pieces(if who == Player::Left { cols } else { rows }) {
                emit((index as u32, piece))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Cakes, who: Player, &(index, piece): &(u32, u32)) {
        let (rows, cols) = at.remove(index as usize);
        let pieces: Cakes = match who {
            Player::Left => K::pieces(cols, piece).map(|cols| (rows, cols)).collect(),
            Player::Right => K::pieces(rows, piece).map(|rows| (rows, cols)).collect(),
        };
        at.insert_many(index as usize, pieces);
    }
    /// The squares on both sides of the first cut.
    fn gesture(&self, at: &Cakes, who: Player, &(index, piece): &(u32, u32)) -> Vec<Spot> {
        let left = offset(at, index as usize);
        let spot = |k| match who {
            Player::Left => Spot::Cell { row: 0, col: left + k },
            Player::Right => Spot::Cell { row: k, col: left },
        };
        vec![spot(piece - 1), spot(piece)]
    }
    fn scene(&self, at: &Cakes) -> Scene {
        scene(at)
    }

    /// Each cake that can be cut is a part.
    fn parts(&self, at: &Cakes, emit: &mut impl FnMut(Cakes)) {
        for &cake in at.iter().filter(|cake| **cake != (1, 1)) {
            emit(smallvec![cake]);
        }
    }
    fn regions(&self, at: &Cakes, emit: &mut impl FnMut(Cakes, Vec<Spot>)) {
        // What is not drawn has no spots.
        let is_drawn = is_drawn(at);
        for (index, &(rows, cols)) in at.iter().enumerate().filter(|(_, cake)| **cake != (1, 1)) {
            if !is_drawn {
                emit(smallvec![(rows, cols)], vec![]);
                continue;
            }
            let left = offset(at, index);
            let spots = (0..rows).flat_map(|row| (left..left + cols).map(move |col| Spot::Cell { row, col }));
            emit(smallvec![(rows, cols)], spots.collect());
        }
    }
    /// Turning the cake swaps the players.
    fn normalise(&self, mut at: Cakes) -> (Cakes, Sign) {
        match at.as_slice() {
            [(rows, cols)] if rows > cols => {
                at[0] = (at[0].1, at[0].0);
                (at, Sign::Minus)
            }
            _ => (at, Sign::Plus),
        }
    }
    gb_rules::has!(theorems, same_when_impartial);
}

impl<K: Kind + Default> Theorems<Cakes, (u32, u32)> for Cutting<K> {
    fn known(&self, at: &Cakes, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let [(rows, cols)] = *at.as_slice() else { return Ok(None) };
        Ok(K::known(rows, cols).map(|value| kernel.integer(value)))
    }
}

/// How many squares a cake may have; a front end draws them all.
const MAX_SQUARES: u64 = 10_000;

fn cake(rows: usize, cols: usize) -> Result<Cake, BoardError> {
    if (rows as u64).saturating_mul(cols as u64) > MAX_SQUARES {
        return Err(BoardError::TooLarge {
            found: format!("a cake of {rows}x{cols}"),
            limit: format!("at most {MAX_SQUARES} squares"),
        });
    }
    Ok((rows as u32, cols as u32))
}

fn read(text: &str) -> Result<Cakes, BoardError> {
    const EXPECTED: &str = "a cake such as `2x3` (rows x columns)";
    if text.trim().is_empty() {
        return Err(BoardError::Empty { expected: EXPECTED.into() });
    }
    let mut at = 0;
    let mut cakes = Cakes::new();
    for word in text.split(',') {
        match Size::read(word.trim()) {
            Ok(Size::Grid(rows, cols)) => cakes.push(cake(rows, cols)?),
            _ => return Err(BoardError::syntax(text, at, EXPECTED)),
        }
        at += word.len() + 1;
    }
    Ok(cakes)
}

/// The first column of a cake in the scene: cakes stand side by side with a gap.
fn offset(cakes: &Cakes, index: usize) -> u32 {
    cakes[..index].iter().map(|(_, cols)| cols + 1).sum()
}

/// A crumb of a sum of many large cakes is nothing to look at, and the picture would take more memory than the search may.
fn is_drawn(cakes: &Cakes) -> bool {
    cakes.iter().map(|&(rows, cols)| u64::from(rows) * u64::from(cols)).sum::<u64>() <= Scene::MOST_TOKENS
}

fn scene(cakes: &Cakes) -> Scene {
    let mut items = vec![];
    if !is_drawn(cakes) {
        return Scene::new(items);
    }
    for (index, &(rows, cols)) in cakes.iter().enumerate() {
        let left = offset(cakes, index);
        for row in 0..rows {
            for col in left..left + cols {
                items.push(Item::square(Spot::Cell { row, col }, col as i32, row as i32, '.'));
            }
        }
    }
    Scene::new(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::maundy_cake::MaundyCake;

    #[test]
    fn sums_of_many_large_cakes_are_not_drawn() {
        for (text, squares) in [("60x60,2x3", 3_606), ("100x100", 10_000), ("60x60,60x60,60x60", 0)] {
            let (rules, at) = (MaundyCake::default(), read(text).unwrap());
            assert_eq!(rules.scene(&at).items.len(), squares, "{text}");
            let (mut parts, mut spots) = (0, 0);
            rules.regions(&at, &mut |_, more| {
                parts += 1;
                spots += more.len();
            });
            assert_eq!((parts, spots), (at.len(), squares), "{text}");
        }
    }
}
