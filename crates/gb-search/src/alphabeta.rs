//! What the alpha-beta searches of the bench share (D. Knuth and R. Moore, An analysis of alpha-beta pruning, 1975): the best
//! of some moves within a window, what a score found in a window says, and a table of positions with replacement.
//!
//! What a position is, how moves are ordered and which are searched less deeply differs from search to search, and stays
//! with each of them.

/// What a score says about the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The truth is at least this.
    AtLeast,
    /// The truth is at most this.
    AtMost,
}

impl Bound {
    /// What a score says that was found in a window.
    #[inline]
    pub fn of<S: PartialOrd>(score: &S, low: &S, high: &S) -> Bound {
        if score >= high {
            Bound::AtLeast
        } else if score <= low {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }

    /// Whether a score with this bound is all that a search with this window needs to know.
    #[inline]
    pub fn settles<S: PartialOrd>(self, score: &S, low: &S, high: &S) -> bool {
        match self {
            Bound::Exact => true,
            Bound::AtLeast => score >= high,
            Bound::AtMost => score <= low,
        }
    }
}

/// The best of some moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best<S> {
    /// Its score, for whoever makes the move.
    pub score: S,
    /// Which one it is, in the order in which they were tried.
    pub index: usize,
    /// What the score says.
    pub bound: Bound,
}

/// Tries moves one after the other, until one is so good that the opponent would not let it come to this. Each is scored
/// with its index and with what the best so far has reached, which is the lower end of its window. `None` if there is none.
///
/// # Errors
/// Those of the scores.
#[inline]
pub fn best_of<M, S: PartialOrd + Clone, E>(
    moves: impl IntoIterator<Item = M>,
    low: &S,
    high: &S,
    mut score: impl FnMut(usize, M, &S) -> Result<S, E>,
) -> Result<Option<Best<S>>, E> {
    let mut best: Option<(S, usize)> = None;
    let mut floor = low.clone();
    for (index, mv) in moves.into_iter().enumerate() {
        let found = score(index, mv, &floor)?;
        if best.as_ref().is_none_or(|(most, _)| found > *most) {
            if found > floor {
                floor = found.clone();
            }
            let is_cut = found >= *high;
            best = Some((found, index));
            if is_cut {
                break;
            }
        }
    }
    Ok(best.map(|(score, index)| Best { bound: Bound::of(&score, low, high), score, index }))
}

/// What entries of a [`ReplacingTable`] are found by: well mixed bits.
pub trait TableKey: Copy + Eq {
    /// The place in a table of `1 << bits` places.
    fn place(self, bits: u32) -> usize;
}

impl TableKey for u64 {
    #[inline]
    fn place(self, bits: u32) -> usize {
        self as usize & ((1 << bits) - 1)
    }
}

impl TableKey for u128 {
    #[inline]
    fn place(self, bits: u32) -> usize {
        (self >> (128 - bits)) as usize
    }
}

/// When a [`ReplacingTable`] grows. Either loses little; the games that were published were searched with these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// To twice its size, after half as many entries were written as it has places.
    Written,
    /// To four times its size, when half of its places are taken.
    Filled,
}

/// Facts by their keys, one in each place: the newest takes the place of an old one, so that the size is bounded. It starts
/// small, because a small game should not pay for a large table.
#[derive(Clone, Debug)]
pub struct ReplacingTable<K, T> {
    places: Vec<Option<(K, T)>>,
    bits: u32,
    max_bits: u32,
    growth: Growth,
    /// How many entries were written since it has grown, or how many there are.
    count: usize,
}

impl<K: TableKey, T> ReplacingTable<K, T> {
    /// A table of `1 << first_bits` places, which grows up to `1 << max_bits`.
    pub fn new(first_bits: u32, max_bits: u32, growth: Growth) -> Self {
        let mut table = ReplacingTable { places: vec![], bits: 0, max_bits, growth, count: 0 };
        table.resize(first_bits.min(max_bits));
        table
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.places.as_slice()) as u64
    }

    /// What is known, if it is still there.
    #[inline]
    pub fn get(&self, key: K) -> Option<&T> {
        match &self.places[key.place(self.bits)] {
            Some((found, fact)) if *found == key => Some(fact),
            _ => None,
        }
    }

    /// Remembers something.
    #[inline]
    pub fn set(&mut self, key: K, fact: T) {
        let step = match self.growth {
            Growth::Written => {
                self.count += 1;
                u32::from(self.count > self.places.len() / 2)
            }
            Growth::Filled => 2 * u32::from(self.count * 2 >= self.places.len()),
        };
        if step > 0 && self.bits < self.max_bits {
            self.resize((self.bits + step).min(self.max_bits));
        }
        self.put(key, fact);
    }

    #[inline]
    fn put(&mut self, key: K, fact: T) {
        let place = &mut self.places[key.place(self.bits)];
        self.count += usize::from(self.growth == Growth::Filled && place.is_none());
        *place = Some((key, fact));
    }

    /// Gives it another size, and keeps what finds its place there.
    pub fn resize(&mut self, bits: u32) {
        if bits == self.bits && !self.places.is_empty() {
            return;
        }
        let old = std::mem::take(&mut self.places);
        self.places.resize_with(1 << bits, || None);
        (self.bits, self.count) = (bits, 0);
        for (key, fact) in old.into_iter().flatten() {
            self.put(key, fact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_right_or_forgotten() {
        let key = |i: u64| u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64;
        for growth in [Growth::Written, Growth::Filled] {
            let mut facts = ReplacingTable::new(10, 13, growth);
            for i in 0..50_000u64 {
                facts.set(key(i), i);
            }
            assert!((0..50_000u64).all(|i| facts.get(key(i)).is_none_or(|&fact| fact == i)));
            assert_eq!(facts.get(key(49_999)), Some(&49_999));
            assert_eq!(facts.bytes(), (size_of::<Option<(u128, u64)>>() << 13) as u64);
        }
    }

    #[test]
    fn the_best_move_ends_the_search_where_it_is_too_good() {
        let try_all = |scores: &[i32], low, high| {
            let mut tried = 0;
            let best = best_of(scores, &low, &high, |_, &score, _| {
                tried += 1;
                Ok::<i32, ()>(score)
            });
            (best.unwrap().map(|best| (best.score, best.index, best.bound)), tried)
        };
        assert_eq!(try_all(&[1, 3, 2], -9, 9), (Some((3, 1, Bound::Exact)), 3));
        assert_eq!(try_all(&[1, 5, 9], -9, 4), (Some((5, 1, Bound::AtLeast)), 2));
        assert_eq!(try_all(&[1, 2], 3, 9), (Some((2, 1, Bound::AtMost)), 2));
        assert_eq!(try_all(&[], 3, 9), (None, 0));
        assert!(Bound::AtMost.settles(&2, &3, &9) && !Bound::AtLeast.settles(&2, &3, &9));
    }
}
