//! The options of a value, stored or computed on the way.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::dyadic::Dyadic;
use crate::player::Player;
use crate::store::Store;
use crate::value::{NumberUpStar, Packed, Value};

/// Iterates over the canonical options of a value for one player.
pub struct Options<'a>(Source<'a>);

enum Source<'a> {
    Stored(StoredOptions<'a>),
    /// A packed number and the stars `next..end` on top of it.
    Stars {
        base: Value,
        next: u32,
        end: u32,
    },
    One(Option<Value>),
    /// The same for a number too large to be packed, or stars too large.
    WideStars {
        store: &'a Store,
        number: Dyadic,
        next: u32,
        end: u32,
    },
}

impl Iterator for Options<'_> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match &mut self.0 {
            Source::Stored(options) => options.next(),
            Source::One(value) => value.take(),
            Source::Stars { base, next, end } => (next < end).then(|| {
                *next += 1;
                Value(base.0 | (*next - 1))
            }),
            Source::WideStars { store, number, next, end } => (next < end).then(|| {
                *next += 1;
                store.number_up_star(number, 0, *next - 1)
            }),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = match &self.0 {
            Source::Stored(options) => options.len(),
            Source::One(value) => value.is_some() as usize,
            Source::Stars { next, end, .. } | Source::WideStars { next, end, .. } => (end - next) as usize,
        };
        (n, Some(n))
    }
}

impl ExactSizeIterator for Options<'_> {}

/// Options in the store, two to a word.
#[derive(Clone)]
pub(crate) struct StoredOptions<'a> {
    words: &'a [AtomicU64],
    next: u32,
    end: u32,
}

impl<'a> StoredOptions<'a> {
    #[inline]
    pub(crate) fn new(words: &'a [AtomicU64], next: u32, end: u32) -> Self {
        StoredOptions { words, next, end }
    }
}

impl Iterator for StoredOptions<'_> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        (self.next < self.end).then(|| {
            let word = self.words[self.next as usize / 2].load(Relaxed);
            let value = Value((word >> (self.next % 2 * 32)) as u32);
            self.next += 1;
            value
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = (self.end - self.next) as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for StoredOptions<'_> {}

impl Store {
    /// The canonical options of `value` for `player`.
    #[inline]
    pub fn options(&self, value: Value, player: Player) -> Options<'_> {
        Options(if value.is_packed() {
            packed_options(value, player)
        } else if self.is_wide(value) {
            self.wide_options(value, player)
        } else {
            let (lefts, rights) = self.stored_options(value.0);
            Source::Stored(if player == Player::Left { lefts } else { rights })
        })
    }

    fn wide_options(&self, value: Value, player: Player) -> Source<'_> {
        let Some(NumberUpStar { number, ups, star }) = self.as_number_up_star(value) else {
            return Source::One(None);
        };
        let star_end = match shape(ups, star, player) {
            Shape::Number => {
                return Source::One(number_option(&number, player).map(|x| self.number_up_star(&x, 0, 0)));
            }
            Shape::Stars(end) => end,
            Shape::Reply => {
                return Source::One(Some(self.number_up_star(&number, ups - ups.signum(), star ^ 1)));
            }
        };
        Source::WideStars { store: self, number, next: 0, end: star_end }
    }
}

/// What the options of `x + k.up + *m` look like for one player.
enum Shape {
    /// It is a number.
    Number,
    /// `x + *j` for all `j` below this.
    Stars(u32),
    /// One up less, and the star flipped: `k.up + *m = {0 | (k-1).up + *(m^1)}`.
    Reply,
}

fn shape(ups: i64, star: u32, player: Player) -> Shape {
    let towards = if player == Player::Left { ups } else { -ups };
    match towards {
        0 if star == 0 => Shape::Number,
        0 => Shape::Stars(star),
        // ^* = {0,*|0} is the one with two options.
        1 if star == 1 => Shape::Stars(2),
        1.. => Shape::Stars(1),
        _ => Shape::Reply,
    }
}

fn packed_options<'a>(value: Value, player: Player) -> Source<'a> {
    let Packed { num, exp, ups, star } = value.unpack();
    match shape(ups as i64, star, player) {
        Shape::Number => Source::One(
            number_option(&Dyadic::new(num as i64, exp), player).and_then(|x| Value::pack(&x, 0, 0)),
        ),
        Shape::Stars(end) => {
            Source::Stars { base: Packed { num, exp, ups: 0, star: 0 }.value(), next: 0, end }
        }
        Shape::Reply => {
            Source::One(Some(Packed { num, exp, ups: ups - ups.signum(), star: star ^ 1 }.value()))
        }
    }
}

/// The canonical option of a number: n = {n-1|}, -n = {|1-n}, m/2^k = {(m-1)/2^k | (m+1)/2^k}.
fn number_option(x: &Dyadic, player: Player) -> Option<Dyadic> {
    let direction = if player == Player::Left { -1 } else { 1 };
    if x.is_integer() {
        return (x.signum() == -direction).then(|| x + &Dyadic::from(direction as i64));
    }
    Some(x + &Dyadic::new(direction as i64, x.exponent()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(store: &Store, value: Value) -> [Vec<Value>; 2] {
        Player::BOTH.map(|p| store.options(value, p).collect())
    }

    #[test]
    fn options_of_packed_and_of_wide_values_have_the_same_shape() {
        let store = Store::new();
        let huge = Dyadic::from(1 << 40);
        for (ups, star) in [
            (0, 0),
            (0, 1),
            (0, 3),
            (1, 0),
            (1, 1),
            (1, 2),
            (2, 0),
            (2, 1),
            (5, 7),
            (-1, 0),
            (-1, 1),
            (-3, 2),
        ] {
            let small = listed(&store, store.number_up_star(&Dyadic::from(0), ups, star));
            let wide = listed(&store, store.number_up_star(&huge, ups, star));
            if (ups, star) == (0, 0) {
                assert_eq!((wide[0].len(), wide[1].len()), (1, 0));
                continue;
            }
            for (small, wide) in small.iter().zip(&wide) {
                let expected: Vec<Value> = small
                    .iter()
                    .map(|&v| {
                        let p = v.unpack();
                        store.number_up_star(&huge, p.ups as i64, p.star)
                    })
                    .collect();
                assert_eq!(&expected, wide);
            }
        }
    }
}
