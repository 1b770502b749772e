//! What inspection sees of a game without playing it.

use gb_value::Player;

/// What inspection says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// This player wins.
    Winner(Player),
    /// It is not known who wins, but it looks as good for Left as this number is great.
    Lean(i32),
}

impl Verdict {
    /// What integers `low <= G <= high` say (missing: unbounded) when `first` moves first.
    pub fn of_bounds(low: Option<i64>, high: Option<i64>, first: Player) -> Verdict {
        // Who moves second wins 0.
        let enough = |who: Player| i64::from(first == who);
        if low.is_some_and(|low| low >= enough(Player::Left)) {
            return Verdict::Winner(Player::Left);
        }
        if high.is_some_and(|high| high <= -enough(Player::Right)) {
            return Verdict::Winner(Player::Right);
        }
        let lean = low.zip(high).map_or(0, |(low, high)| low.saturating_add(high));
        Verdict::Lean(lean.clamp(-1 << 20, 1 << 20) as i32)
    }

    /// What is said of the negative of the game.
    #[must_use]
    pub fn turned(self) -> Verdict {
        match self {
            Verdict::Winner(player) => Verdict::Winner(player.opponent()),
            Verdict::Lean(lean) => Verdict::Lean(-lean),
        }
    }
}

/// How many numbers [`Chances`] have for a player.
pub const COUNTS: usize = 6;

/// Numbers that each player can count on a board. The numbers of a sum are the sums of the numbers of its parts, and
/// those of the negative of a board have the players swapped. What they mean only the game knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chances(pub [[i32; COUNTS]; 2]);

impl Chances {
    /// Those of the negative of the board.
    #[must_use]
    pub fn turned(self) -> Chances {
        let [left, right] = self.0;
        Chances([right, left])
    }

    /// Those of the sum.
    #[must_use]
    pub fn plus(self, other: Chances) -> Chances {
        self.each(other, i32::saturating_add)
    }

    /// Those of the sum without one of its summands.
    #[must_use]
    pub fn minus(self, other: Chances) -> Chances {
        self.each(other, i32::saturating_sub)
    }

    fn each(mut self, other: Chances, combine: impl Fn(i32, i32) -> i32) -> Chances {
        for (own, other) in self.0.iter_mut().flatten().zip(other.0.as_flattened()) {
            *own = combine(*own, *other);
        }
        self
    }

    /// Integers `low <= G <= high` as chances: each player gets at most so much, and whether that is unknown.
    pub(crate) fn of_bounds((low, high): (Option<i64>, Option<i64>)) -> Chances {
        let side = |most: Option<i64>| {
            let most = most.and_then(|most| i32::try_from(most).ok()).filter(|most| most.abs() < 1 << 20);
            [most.unwrap_or(0), i32::from(most.is_none()), 0, 0, 0, 0]
        };
        Chances([side(high), side(low.and_then(i64::checked_neg))])
    }

    /// The verdict on chances that were made of bounds.
    pub(crate) fn by_bounds(&self, rest: (i64, i64), first: Player) -> Verdict {
        let most = |who: Player| {
            let [most, unknown, ..] = self.0[who as usize];
            (unknown == 0).then_some(i64::from(most))
        };
        let low = most(Player::Right).and_then(|most| rest.0.checked_sub(most));
        let high = most(Player::Left).and_then(|most| rest.1.checked_add(most));
        Verdict::of_bounds(low, high, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{Left, Right};

    #[test]
    fn bounds_of_sums() {
        let one = Chances::of_bounds((Some(-1), Some(2)));
        let other = Chances::of_bounds((Some(1), None));
        assert_eq!(one.plus(other).by_bounds((0, 0), Right), Verdict::Winner(Left));
        assert_eq!(one.plus(other).by_bounds((0, 0), Left), Verdict::Lean(0));
        assert_eq!(one.plus(other).minus(other), one);
        assert_eq!(one.turned(), Chances::of_bounds((Some(-2), Some(1))));
        assert_eq!(one.by_bounds((-2, -2), Left), Verdict::Winner(Right));
        assert_eq!(one.by_bounds((-3, -3), Right), Verdict::Winner(Right));
        assert_eq!(one.by_bounds((1, 1), Right), Verdict::Winner(Left));
        assert_eq!(one.by_bounds((0, 0), Right), Verdict::Lean(1));
    }
}
