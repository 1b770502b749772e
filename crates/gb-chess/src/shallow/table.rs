//! A table of positions of fixed size, by the 64 bits of their hash.

use cozy_chess::{Move, Piece, Square};
use gb_search::alphabeta::Bound;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<Move>,
    pub(super) score: i32,
}

/// 16 bytes: with boards in full the table would hold a fifth as much.
#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    score: i32,
    best: u16,
    depth: u8,
    bound: Bound,
}

/// Places at first, and at most.
const FIRST: usize = 1 << 14;
const MOST: usize = 1 << 22;

/// Each place holds the deepest result and the latest one: in pawn endings the same positions come back at all depths, and what
/// is newest ([`ReplacingTable`](gb_search::alphabeta::ReplacingTable)) is seldom what took long to find.
pub(super) struct Table {
    places: Vec<[Option<Entry>; 2]>,
    /// Places in use.
    filled: usize,
}

impl Table {
    pub(super) fn new() -> Table {
        Table { places: vec![[None; 2]; FIRST], filled: 0 }
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.places.len() - 1)
    }

    pub(super) fn get(&self, hash: u64) -> Option<Seen> {
        let entries = &self.places[self.place(hash)];
        let entry = entries.iter().flatten().find(|entry| entry.hash == hash)?;
        Some(Seen { depth: entry.depth, bound: entry.bound, best: unpack(entry.best), score: entry.score })
    }

    pub(super) fn put(&mut self, hash: u64, seen: Seen) {
        let best = seen.best.map_or(0, pack);
        self.enter(Entry { hash, score: seen.score, best, depth: seen.depth, bound: seen.bound });
        if 2 * self.filled > self.places.len() && self.places.len() < MOST {
            self.grow();
        }
    }

    fn enter(&mut self, entry: Entry) {
        let place = self.place(entry.hash);
        let [deepest, latest] = &mut self.places[place];
        match deepest {
            Some(old) if old.hash != entry.hash && entry.depth < old.depth => *latest = Some(entry),
            Some(old) if old.hash == entry.hash => *old = entry,
            old => {
                self.filled += usize::from(old.is_none());
                if old.is_some() {
                    *latest = *old;
                }
                *old = Some(entry);
            }
        }
    }

    /// Small games do not pay for a large table.
    fn grow(&mut self) {
        let larger = vec![[None; 2]; self.places.len() * 4];
        let old = std::mem::replace(&mut self.places, larger);
        self.filled = 0;
        for entry in old.into_iter().flatten().flatten() {
            self.enter(entry);
        }
    }
}

/// From, to, and one of five promotions. A move never goes from a1 to a1, so 0 is no move.
fn pack(mv: Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

fn unpack(bits: u16) -> Option<Move> {
    let square = |bits: u16| Square::index(usize::from(bits % 64));
    let promotion = match bits >> 12 {
        0 => None,
        piece => Piece::try_index(piece.into()),
    };
    (bits != 0).then(|| Move { from: square(bits), to: square(bits >> 6), promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found() {
        let mut table = Table::new();
        let seen = |n: u64| Seen {
            depth: (n % 50) as u8,
            bound: [Bound::Exact, Bound::AtLeast, Bound::AtMost][n as usize % 3],
            best: Some(Move {
                from: Square::index(n as usize % 64),
                to: Square::index((n as usize + 8) % 64),
                promotion: [None, Some(Piece::Knight), Some(Piece::Rook), Some(Piece::Queen)][n as usize % 4],
            }),
            score: n as i32 - 5_000,
        };
        let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for n in 1..100_000 {
            table.put(hash(n), seen(n));
            assert_eq!(table.get(hash(n)), Some(seen(n)));
        }
        let kept = (1..100_000).filter(|&n| table.get(hash(n)).is_some()).collect::<Vec<_>>();
        assert!(kept.len() > 50_000, "{}", kept.len());
        assert!(kept.iter().all(|&n| table.get(hash(n)) == Some(seen(n))));
        assert_eq!(size_of::<Option<Entry>>(), 16);
    }
}
