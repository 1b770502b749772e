//! Thermographs: how a game's Left and Right stops close in on its mean as the tax on moves rises.

use std::fmt;

use num_bigint::BigInt;
use smallvec::SmallVec;

use crate::Dyadic;

#[cfg(test)]
mod tests;

/// The thermograph of a short game, exact, on all temperatures `t >= -1`.
///
/// The walls follow from the walls of the options: the left scaffold is `max RW(G^L)(t) - t`, the right one
/// `min LW(G^R)(t) + t`; below the temperature, where they meet, they are the walls, and above it stands the mast
/// (Berlekamp, Conway, Guy, Winning Ways, 1982, chapter 6; Siegel, Combinatorial Game Theory, 2013, section II.5).
///
/// # Representation
///
/// A left wall has only the slopes 0 and -1, a right wall 0 and 1, and the top is vertical: the mast and the
/// temperatures at which a wall turns say everything. Turns below 0 need not be kept. There, all that matters of a wall
/// is the number `y` where orthodox play stops and who made the last move: the left wall is `LW(y)(t)` if Right did and
/// `RW(y)(t) - t` if Left did, because these maps keep the order of all such stops and so choose the same option at
/// every `t < 0`. The slope just below 0 tells the two apart. Hence a game plus any number is a new mast with the same
/// turns, and cold games are decided without touching a list.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Thermograph {
    mast: Dyadic,
    left: Turns,
    right: Turns,
}

/// The temperatures `>= 0` at which a wall changes between vertical and sloping, the highest first. A turn at 0 is
/// there if the slopes just below and just above 0 differ. Above the first turn the wall is vertical.
type Turns = SmallVec<[Dyadic; 4]>;

/// A point where a wall begins or turns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Corner {
    /// Where it is, horizontally.
    pub value: Dyadic,
    /// And vertically.
    pub temperature: Dyadic,
}

/// One wall as its corners from `t = -1` upward; the last one is where it becomes vertical for good.
///
/// Displayed as `2@-1 2@-1/2 1/2@1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Wall(Vec<Corner>);

impl Thermograph {
    /// The thermograph of a number: a mast, with small steps below 0 unless it is an integer.
    pub fn of_number(x: &Dyadic) -> Thermograph {
        Thermograph { mast: x.clone(), left: Turns::new(), right: Turns::new() }
    }

    /// The thermograph of `{lefts | rights}`, for options in any form, dominated and reversible ones included.
    pub fn of_options<'a>(
        lefts: impl IntoIterator<Item = &'a Thermograph>,
        rights: impl IntoIterator<Item = &'a Thermograph>,
    ) -> Thermograph {
        // Negating Right's options turns their left walls into right walls and the minimum into a maximum,
        // so that both sides are the same problem.
        let left = highest(lefts.into_iter().map(|g| Rising { mast: g.mast.clone(), turns: &g.right }));
        let right = highest(rights.into_iter().map(|g| Rising { mast: -&g.mast, turns: &g.left }));
        let (Some(left), Some(right)) = (&left, &right) else {
            return Self::simplest(left.as_ref(), right.as_ref());
        };
        match meeting(left, right) {
            None => Self::simplest(Some(left), Some(right)),
            Some(temperature) => {
                let mast = left.view().at(&temperature) - &temperature;
                let (left, right) = (taxed(&left.turns, &temperature), taxed(&right.turns, &temperature));
                Thermograph { mast, left, right }
            }
        }
    }

    /// The simplest number that no option rules out, for scaffolds that do not meet at or above 0.
    fn simplest(left: Option<&Highest>, right: Option<&Highest>) -> Thermograph {
        // A wall that slopes just below 0 belongs to a stop after which it is the other player's turn, so the number
        // itself is still possible.
        let lo = left.map(|wall| &wall.foot);
        let hi = right.map(|wall| -&wall.foot);
        let open = |side: Option<&Highest>| side.is_some_and(|wall| !wall.slopes_below_zero());
        let x = Dyadic::simplest_between(lo, open(left), hi.as_ref(), open(right));
        Self::of_number(&x.expect("scaffolds that do not meet leave room for a number"))
    }

    /// The mean value: where the mast stands.
    pub fn mean(&self) -> &Dyadic {
        &self.mast
    }

    /// The temperature: where the mast begins; `-1` for integers, `-1/2^k` for other numbers.
    pub fn temperature(&self) -> Dyadic {
        match (self.left.first(), self.right.first()) {
            (Some(a), Some(b)) => a.max(b).clone(),
            (Some(a), None) | (None, Some(a)) => a.clone(),
            (None, None) => -tick(self.mast.exponent()),
        }
    }

    /// Is the game equal to a number?
    pub fn is_number(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }

    /// The number that optimal play arrives at if Left begins.
    pub fn left_stop(&self) -> Dyadic {
        self.left_at(&Dyadic::ZERO)
    }

    /// The number that optimal play arrives at if Right begins.
    pub fn right_stop(&self) -> Dyadic {
        self.right_at(&Dyadic::ZERO)
    }

    /// The left wall at temperature `t`; below -1, where thermographs end, as at -1.
    pub fn left_at(&self, t: &Dyadic) -> Dyadic {
        match t.signum() {
            ..0 => self.left_wall().at(t),
            _ => -Rising { mast: -&self.mast, turns: &self.left }.at(t),
        }
    }

    /// The right wall at temperature `t`; below -1, where thermographs end, as at -1.
    pub fn right_at(&self, t: &Dyadic) -> Dyadic {
        match t.signum() {
            ..0 => self.right_wall().at(t),
            _ => Rising { mast: self.mast.clone(), turns: &self.right }.at(t),
        }
    }

    /// The corners of the left wall.
    pub fn left_wall(&self) -> Wall {
        let mut wall = rising_wall(Rising { mast: -&self.mast, turns: &self.left });
        for corner in &mut wall.0 {
            corner.value = -&corner.value;
        }
        wall
    }

    /// The corners of the right wall.
    pub fn right_wall(&self) -> Wall {
        rising_wall(Rising { mast: self.mast.clone(), turns: &self.right })
    }

    /// The thermograph of `G + x`.
    pub fn translate(&self, x: &Dyadic) -> Thermograph {
        Thermograph { mast: &self.mast + x, left: self.left.clone(), right: self.right.clone() }
    }

    /// The thermograph of `-G`.
    pub fn negate(&self) -> Thermograph {
        Thermograph { mast: -&self.mast, left: self.right.clone(), right: self.left.clone() }
    }

    /// A short text that [`of_compact`](Thermograph::of_compact) reads: the mast, and the temperatures at which the left
    /// and the right wall turn, such as `1/2;3,1;`.
    pub fn compact(&self) -> String {
        let turns = |turns: &Turns| turns.iter().map(Dyadic::to_string).collect::<Vec<_>>().join(",");
        format!("{};{};{}", self.mast, turns(&self.left), turns(&self.right))
    }

    /// Reads what [`compact`](Thermograph::compact) writes; `None` for other texts.
    pub fn of_compact(text: &str) -> Option<Thermograph> {
        let mut fields = text.split(';');
        let mast = fields.next()?.parse().ok()?;
        let mut turns = || -> Option<Turns> {
            let turns: Option<Turns> =
                fields.next()?.split(',').filter(|t| !t.is_empty()).map(|t| t.parse().ok()).collect();
            turns.filter(|t| t.windows(2).all(|pair| pair[0] > pair[1]))
        };
        let graph = Thermograph { mast, left: turns()?, right: turns()? };
        fields.next().is_none().then_some(graph)
    }
}

impl fmt::Debug for Thermograph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Thermograph({} / {})", self.left_wall(), self.right_wall())
    }
}

impl Wall {
    /// The corners, the lowest (at -1) first.
    pub fn corners(&self) -> &[Corner] {
        &self.0
    }

    /// Where the wall stands at temperature `t`; below -1 as at -1.
    pub fn at(&self, t: &Dyadic) -> Dyadic {
        let above = self.0.partition_point(|corner| corner.temperature <= *t);
        let Some(from) = above.checked_sub(1).map(|i| &self.0[i]) else { return self.0[0].value.clone() };
        match self.0.get(above) {
            Some(to) if to.value > from.value => &from.value + (t - &from.temperature),
            Some(to) if to.value < from.value => &from.value - (t - &from.temperature),
            _ => from.value.clone(),
        }
    }
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Corner { value, temperature }) in self.0.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{value}@{temperature}")?;
        }
        Ok(())
    }
}

/// `1/2^k`
fn tick(k: u32) -> Dyadic {
    Dyadic::new(1, k)
}

/// A right wall, or the mirror image of a left one: it rises with slope 1 or stands still.
#[derive(Clone)]
struct Rising<'a> {
    mast: Dyadic,
    turns: &'a [Dyadic],
}

impl Rising<'_> {
    /// The value at `t >= 0`.
    fn at(&self, t: &Dyadic) -> Dyadic {
        let mut value = self.mast.clone();
        for piece in self.turns.chunks(2) {
            if piece[0] <= *t {
                break;
            }
            value -= &(&piece[0] - piece.get(1).unwrap_or(&Dyadic::ZERO).max(t));
        }
        value
    }
}

/// The pointwise maximum of some rising walls.
struct Highest {
    mast: Dyadic,
    turns: Turns,
    /// The value at 0, and so the least of all that is kept.
    foot: Dyadic,
}

impl Highest {
    fn new(mast: Dyadic, turns: Turns) -> Highest {
        let foot = Rising { mast: mast.clone(), turns: &turns }.at(&Dyadic::ZERO);
        Highest { mast, turns, foot }
    }

    fn view(&self) -> Rising<'_> {
        Rising { mast: self.mast.clone(), turns: &self.turns }
    }

    /// Does the wall slope just below 0?
    fn slopes_below_zero(&self) -> bool {
        self.turns.len() % 2 == 1
    }
}

/// The pointwise maximum, `None` of nothing.
fn highest<'a>(mut walls: impl Iterator<Item = Rising<'a>>) -> Option<Highest> {
    let first = walls.next()?;
    let mut best = Highest::new(first.mast, first.turns.iter().cloned().collect());
    walls.for_each(|wall| raise(&mut best, wall));
    Some(best)
}

/// Raises `a` to the pointwise maximum of both.
#[inline]
fn raise(a: &mut Highest, b: Rising<'_>) {
    // Most walls do not overlap at all.
    if b.mast < a.foot || a.mast == b.mast && a.turns[..] == *b.turns {
        return;
    }
    let b_foot = b.at(&Dyadic::ZERO);
    if a.mast < b_foot {
        a.turns.clear();
        a.turns.extend(b.turns.iter().cloned());
        (a.mast, a.foot) = (b.mast, b_foot);
        return;
    }
    a.turns = higher(a, &b);
    if a.mast < b.mast {
        a.mast = b.mast;
    }
    if a.foot < b_foot {
        a.foot = b_foot;
    }
}

/// The turns of the pointwise maximum of two walls, in one pass from the masts down to just below 0.
fn higher(a: &Highest, b: &Rising<'_>) -> Turns {
    let mut lead = &a.mast - &b.mast;
    let mut sweep = Sweep::new(&a.turns, b.turns);
    let mut turns = Turns::new();
    let mut sloping = false;
    loop {
        let slopes = sweep.slopes;
        let (above, more) = sweep.descend();
        if slopes.0 != slopes.1 {
            let height = &above - &sweep.t;
            // If the one that slopes is in the lead, it may fall behind on the way down.
            let falling = if slopes.0 { lead.clone() } else { -&lead };
            if falling.signum() > 0 && falling < height {
                turns.push(&above - falling);
                sloping = false;
            }
            lead = if slopes.0 { lead - height } else { lead + height };
        }
        let slopes = sweep.slopes;
        let now = match lead.signum() {
            1 => slopes.0,
            0 => slopes.0 && slopes.1,
            _ => slopes.1,
        };
        if now != sloping {
            turns.push(sweep.t.clone());
            sloping = now;
        }
        if !more {
            return turns;
        }
    }
}

/// The least `t >= 0` at which the scaffolds `left - t` and `t - right` meet; `None` if they already do so below 0.
fn meeting(left: &Highest, right: &Highest) -> Option<Dyadic> {
    let at_zero = &left.foot + &right.foot;
    if at_zero.signum() < 0 {
        return None;
    }
    if at_zero.is_zero() {
        let both_taxed_away = left.slopes_below_zero() && right.slopes_below_zero();
        return if both_taxed_away { None } else { Some(Dyadic::ZERO) };
    }
    let mut sum = &left.mast + &right.mast;
    let mut sweep = Sweep::new(&left.turns, &right.turns);
    loop {
        let slopes = sweep.slopes;
        let (above, _) = sweep.descend();
        let below = match slopes {
            (false, false) => sum.clone(),
            (true, true) => &sum - (&above - &sweep.t).double(),
            _ => &sum - (&above - &sweep.t),
        };
        if below > sweep.t.double() {
            // They meet between the two levels, where at most one of the walls slopes. At the latest this is so on the
            // way to 0, where the sum is positive.
            return Some(match slopes {
                (false, false) => sum.half(),
                _ => sum - above,
            });
        }
        sum = below;
    }
}

/// The turns of the wall that a rising wall, taxed for one more move, makes under a mast beginning at `temperature`:
/// what rose now stands still, what stood still now slopes the other way.
fn taxed(turns: &[Dyadic], temperature: &Dyadic) -> Turns {
    let passed = turns.iter().take_while(|t| *t >= temperature).count();
    let mut taxed = Turns::new();
    if passed % 2 == 0 {
        taxed.push(temperature.clone());
    }
    taxed.extend(turns[passed..].iter().cloned());
    taxed
}

/// Walks down two lists of turns at once, and ends at 0.
struct Sweep<'a> {
    turns: (&'a [Dyadic], &'a [Dyadic]),
    /// The level reached. Before the first step, 0 stands for "above everything".
    t: Dyadic,
    /// Do the walls slope just below `t`?
    slopes: (bool, bool),
}

impl<'a> Sweep<'a> {
    fn new(a: &'a [Dyadic], b: &'a [Dyadic]) -> Self {
        Sweep { turns: (a, b), t: Dyadic::ZERO, slopes: (false, false) }
    }

    /// Goes down to the next turn of either wall, at last to 0. Gives the level left and whether there is more below.
    fn descend(&mut self) -> (Dyadic, bool) {
        let next = match (self.turns.0.first(), self.turns.1.first()) {
            (Some(a), Some(b)) => a.max(b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => &Dyadic::ZERO,
        };
        for (turns, slope) in
            [(&mut self.turns.0, &mut self.slopes.0), (&mut self.turns.1, &mut self.slopes.1)]
        {
            if let Some((turn, rest)) = turns.split_first()
                && turn == next
            {
                *turns = rest;
                *slope = !*slope;
            }
        }
        let above = std::mem::replace(&mut self.t, next.clone());
        (above, !self.t.is_zero())
    }
}

/// The corners of a rising wall, with its part below 0.
fn rising_wall(wall: Rising<'_>) -> Wall {
    // Corners are collected from the top down.
    let mut corners = Vec::with_capacity(wall.turns.len() + 2);
    let mut at = Corner { value: wall.mast, temperature: Dyadic::ZERO };
    let mut sloping = false;
    let mut turn = |at: &mut Corner, sloping: &mut bool, temperature: Dyadic, turns: bool| {
        if *sloping {
            at.value -= &(&at.temperature - &temperature);
        }
        at.temperature = temperature;
        if turns {
            corners.push(at.clone());
            *sloping = !*sloping;
        }
    };
    for t in wall.turns {
        turn(&mut at, &mut sloping, t.clone(), true);
    }
    turn(&mut at, &mut sloping, Dyadic::ZERO, false);
    // Between -1/2^(j-1) and -1/2^j the right wall of a number slopes if its j-th binary digit is 1, its left wall if
    // the j-th digit of its negative is; the tax of an odd last move swaps sloping and standing.
    let odd = sloping;
    let stop = if odd { -&at.value } else { at.value.clone() };
    let (digits, length) = (stop.numerator(), stop.exponent());
    let slopes = |j: u32| odd != digit(&digits, length, j);
    for j in (1..=length).rev() {
        let turns = slopes(j) != sloping;
        turn(&mut at, &mut sloping, -tick(j), turns);
    }
    turn(&mut at, &mut sloping, Dyadic::integer(-1), false);
    corners.push(at);
    corners.reverse();
    Wall(corners)
}

/// The `j`-th binary digit after the point of `numerator / 2^length`, in two's complement, for `1 <= j <= length`.
fn digit(numerator: &BigInt, length: u32, j: u32) -> bool {
    numerator.bit(u64::from(length - j))
}
