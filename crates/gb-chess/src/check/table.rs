//! A table of positions of fixed size. Positions are compared in full, so that a mix-up cannot prove anything.

use gb_game::Player;
use gb_games::games::chess::{ChessBoard, Step};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<Step>,
    pub(super) score: i32,
}

type Entry = Option<(ChessBoard, Seen)>;

/// Places at first, and at most.
const FIRST: usize = 1 << 14;
const MOST: usize = 1 << 21;

/// Each place holds the deepest result and the latest one.
pub(super) struct Table {
    places: Vec<[Entry; 2]>,
    filled: usize,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { places: vec![[None; 2]; FIRST], filled: 0 }
    }

    fn place(&self, at: &ChessBoard) -> usize {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let pawns = fold(
            at.pawns(Player::Left) ^ 0x9e37_79b9_7f4a_7c15,
            at.pawns(Player::Right) ^ 0xd134_2543_de82_ef95,
        );
        let kings = u64::from(at.king(Player::Left)) << 8
            | u64::from(at.king(Player::Right)) << 1
            | at.to_move() as u64;
        fold(pawns ^ kings, 0x94d0_49bb_1331_11eb) as usize & (self.places.len() - 1)
    }

    pub(super) fn get(&self, at: &ChessBoard) -> Option<&Seen> {
        self.places[self.place(at)].iter().flatten().find(|(board, _)| board == at).map(|(_, seen)| seen)
    }

    pub(super) fn put(&mut self, at: &ChessBoard, seen: Seen) {
        if self.filled > self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let place = self.place(at);
        let [deepest, latest] = &mut self.places[place];
        let replace = match deepest {
            None => true,
            Some((board, old)) => board == at || seen.depth >= old.depth,
        };
        if replace {
            self.filled += usize::from(deepest.is_none());
            if deepest.is_some_and(|(board, _)| board != *at) {
                *latest = *deepest;
            }
            *deepest = Some((*at, seen));
        } else {
            *latest = Some((*at, seen));
        }
    }

    /// Small games do not pay for a large table.
    fn grow(&mut self) {
        let larger = vec![[None; 2]; self.places.len() * 4];
        let old = std::mem::replace(&mut self.places, larger);
        self.filled = 0;
        for (board, seen) in old.into_iter().flatten().flatten() {
            self.put(&board, seen);
        }
    }
}
