//! What inspection sees of a game without playing it.

use gb_value::Player;

/// What inspection says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticResult {
    /// This player wins.
    Winner(Player),
    /// It is not known who wins, but it looks as good for Left as this number is great.
    Eval(i32),
}

impl StaticResult {
    /// What integers `low <= G <= high` say (missing: unbounded) when `first` moves first.
    #[inline]
    pub fn of_bounds(low: Option<i64>, high: Option<i64>, first: Player) -> StaticResult {
        // Who moves second wins 0.
        let enough = |who: Player| i64::from(first == who);
        if low.is_some_and(|low| low >= enough(Player::Left)) {
            return StaticResult::Winner(Player::Left);
        }
        if high.is_some_and(|high| high <= -enough(Player::Right)) {
            return StaticResult::Winner(Player::Right);
        }
        let eval = low.zip(high).map_or(0, |(low, high)| low.saturating_add(high));
        StaticResult::Eval(eval.clamp(-1 << 20, 1 << 20) as i32)
    }

    /// What is said of the negative of the game.
    #[inline]
    #[must_use]
    pub fn turned(self) -> StaticResult {
        match self {
            StaticResult::Winner(player) => StaticResult::Winner(player.opponent()),
            StaticResult::Eval(eval) => StaticResult::Eval(-eval),
        }
    }
}

/// How many numbers [`BoundFeatures`] have for a player.
pub const COUNTS: usize = 4;

/// Numbers that each player can count on a board. The numbers of a sum are the sums of the numbers of its parts, and
/// those of the negative of a board have the players swapped. What they mean only the game knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoundFeatures(pub [[i64; COUNTS]; 2]);

impl BoundFeatures {
    /// Those of the negative of the board.
    #[inline]
    #[must_use]
    pub fn turned(self) -> BoundFeatures {
        let [left, right] = self.0;
        BoundFeatures([right, left])
    }

    /// Those of the sum.
    #[inline]
    #[must_use]
    pub fn plus(self, other: BoundFeatures) -> BoundFeatures {
        self.each(other, i64::saturating_add)
    }

    /// Those of the sum without one of its summands.
    #[inline]
    #[must_use]
    pub fn minus(self, other: BoundFeatures) -> BoundFeatures {
        self.each(other, i64::saturating_sub)
    }

    #[inline]
    fn each(mut self, other: BoundFeatures, combine: impl Fn(i64, i64) -> i64) -> BoundFeatures {
        for (own, other) in self.0.iter_mut().flatten().zip(other.0.as_flattened()) {
            *own = combine(*own, *other);
        }
        self
    }

    /// Integers `low <= G <= high` as features: each player gets at most so much, and whether that is unknown.
    #[inline]
    pub(crate) fn of_bounds((low, high): (Option<i64>, Option<i64>)) -> BoundFeatures {
        let side = |most: Option<i64>| {
            let most = most.filter(|most| most.unsigned_abs() < 1 << 20);
            [most.unwrap_or(0), i64::from(most.is_none()), 0, 0]
        };
        BoundFeatures([side(high), side(low.and_then(i64::checked_neg))])
    }

    /// What is said of features that were made of bounds.
    #[inline]
    pub(crate) fn by_bounds(&self, rest: (i64, i64), first: Player) -> StaticResult {
        let most = |who: Player| {
            let [most, unknown, ..] = self.0[who as usize];
            (unknown == 0).then_some(most)
        };
        let low = most(Player::Right).and_then(|most| rest.0.checked_sub(most));
        let high = most(Player::Left).and_then(|most| rest.1.checked_add(most));
        StaticResult::of_bounds(low, high, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{Left, Right};

    #[test]
    fn bounds_of_sums() {
        let one = BoundFeatures::of_bounds((Some(-1), Some(2)));
        let other = BoundFeatures::of_bounds((Some(1), None));
        assert_eq!(one.plus(other).by_bounds((0, 0), Right), StaticResult::Winner(Left));
        assert_eq!(one.plus(other).by_bounds((0, 0), Left), StaticResult::Eval(0));
        assert_eq!(one.plus(other).minus(other), one);
        assert_eq!(one.turned(), BoundFeatures::of_bounds((Some(-2), Some(1))));
        assert_eq!(one.by_bounds((-2, -2), Left), StaticResult::Winner(Right));
        assert_eq!(one.by_bounds((-3, -3), Right), StaticResult::Winner(Right));
        assert_eq!(one.by_bounds((1, 1), Right), StaticResult::Winner(Left));
        assert_eq!(one.by_bounds((0, 0), Right), StaticResult::Eval(1));
    }
}
