//! Heaps of tokens, side by side.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Scene, Size, Spot};
use gb_rules::{AnyGame, Coded, Coding, Info, Interned, Key, Player, Rules, Sign, Theorems, Variant};
use gb_value::{Halt, Kernel, Value};
use smallvec::{SmallVec, smallvec};

/// Heap sizes.
pub type Heaps = SmallVec<[u32; 4]>;

/// A game on heaps for the engine.
pub(crate) fn any<R: Rules<Board = Heaps>>(variant: Variant, rules: R) -> AnyGame {
    AnyGame::W2(Arc::new(Coded::new(rules, HeapKeys::default()))).varied(variant)
}

/// Heaps as keys: few and small ones by their sizes, 16 bits each behind their number; others are kept.
#[derive(Default)]
pub(crate) struct HeapKeys {
    others: Interned<Heaps>,
}

/// So many heaps fit into a key of two words.
const HEAPS_IN_KEY: usize = 7;
/// What a key says of heaps that are kept, in the place of how many there are.
const KEPT: u128 = 0xffff;

impl Coding<Heaps, 2> for HeapKeys {
    #[inline]
    fn key(&self, heaps: &Heaps) -> Key<2> {
        let mut word = heaps.len() as u128;
        if heaps.len() > HEAPS_IN_KEY || heaps.iter().any(|&size| size > u32::from(u16::MAX)) {
            word = KEPT | u128::from(self.others.number(heaps)) << 16;
        } else {
            for (i, &size) in heaps.iter().enumerate() {
                word |= u128::from(size) << (16 * (i + 1));
            }
        }
        Key([word as u64, (word >> 64) as u64])
    }
    #[inline]
    fn board<'a>(&'a self, key: &'a Key<2>) -> Cow<'a, Heaps> {
        let word = u128::from(key.0[0]) | u128::from(key.0[1]) << 64;
        match word & KEPT {
            KEPT => Cow::Borrowed(self.others.numbered((word >> 16) as u32)),
            count => Cow::Owned((1..=count as usize).map(|i| (word >> (16 * i)) as u16 as u32).collect()),
        }
    }
}

pub(crate) fn read(text: &str) -> Result<Heaps, BoardError> {
    Ok(gb_board::read_heaps(text)?.into())
}

pub(crate) fn show(at: &Heaps) -> String {
    gb_board::show_heaps(at)
}

/// A single heap.
pub(crate) fn start(size: Size) -> Result<Heaps, BoardError> {
    read(&size.length()?.to_string())
}

/// Each heap with tokens is a part.
pub(crate) fn parts(at: &Heaps, emit: &mut impl FnMut(Heaps)) {
    for &size in at.iter().filter(|size| **size > 0) {
        emit(smallvec![size]);
    }
}

/// The parts with their tokens.
pub(crate) fn regions(at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
    // What is not drawn has no spots.
    let drawn = at.iter().map(|&size| u64::from(size)).sum::<u64>() <= Scene::MOST_TOKENS;
    for (heap, &size) in at.iter().enumerate().filter(|(_, size)| **size > 0) {
        let tokens = if drawn { 0..size } else { 0..0 };
        let spots = tokens.map(|index| Spot::Token { heap: heap as u32, index });
        emit(smallvec![size], spots.collect());
    }
}

/// What tells the games apart in which a player takes tokens from one heap.
pub trait Kind: Clone + Send + Sync + 'static {
    /// What a front end shows.
    fn info(&self) -> Info;
    /// What may be left of a heap.
    fn rests(&self, size: u32) -> impl Iterator<Item = u32>;
    /// The nimber of a heap by a theorem.
    fn nimber(&self, size: u32) -> Option<u32>;
}

/// A player takes tokens from one heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taking<K>(pub K);

impl<K: Kind> Rules for Taking<K> {
    type Board = Heaps;
    /// The heap and what remains of it.
    type Move = (u32, u32);

    fn info(&self) -> Info {
        self.0.info()
    }
    fn read(&self, text: &str) -> Result<Heaps, BoardError> {
        read(text)
    }
    fn show(&self, at: &Heaps) -> String {
        show(at)
    }
    fn start(&self, size: Size) -> Result<Heaps, BoardError> {
        start(size)
    }
    fn moves(
        &self,
        at: &Heaps,
        _who: Player,
        emit: &mut impl FnMut((u32, u32)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (heap, &size) in at.iter().enumerate() {
            for rest in self.0.rests(size) {
                emit((heap as u32, rest))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Heaps, _who: Player, &(heap, rest): &(u32, u32)) {
        at[heap as usize] = rest;
    }
    /// The lowest token that is taken.
    fn gesture(&self, _at: &Heaps, _who: Player, &(heap, rest): &(u32, u32)) -> Vec<Spot> {
        vec![Spot::Token { heap, index: rest }]
    }
    fn scene(&self, at: &Heaps) -> Scene {
        Scene::heaps(at)
    }

    fn parts(&self, at: &Heaps, emit: &mut impl FnMut(Heaps)) {
        parts(at, emit);
    }
    fn regions(&self, at: &Heaps, emit: &mut impl FnMut(Heaps, Vec<Spot>)) {
        regions(at, emit);
    }
    fn normalise(&self, mut at: Heaps) -> (Heaps, Sign) {
        at.sort_unstable();
        (at, Sign::Plus)
    }
    gb_rules::has!(theorems, same_when_impartial);
}

impl<K: Kind> Theorems<Heaps, (u32, u32)> for Taking<K> {
    fn known(&self, at: &Heaps, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let sum = at.iter().try_fold(0, |sum, &heap| Some(sum ^ self.0.nimber(heap)?));
        Ok(sum.map(|nimber| kernel.nimber(nimber)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_come_back_from_their_keys() {
        let keys = HeapKeys::default();
        let lists: Vec<Heaps> = vec![
            smallvec![],
            smallvec![0],
            smallvec![65_535],
            smallvec![65_536, 1],
            (1..=7).collect(),
            (1..=8).collect(),
            smallvec![3; 100],
        ];
        let found: Vec<Key<2>> = lists.iter().map(|heaps| keys.key(heaps)).collect();
        for (i, (heaps, key)) in lists.iter().zip(&found).enumerate() {
            assert_eq!(&*keys.board(key), heaps);
            assert!(found[..i].iter().all(|other| other != key));
        }
    }
}
