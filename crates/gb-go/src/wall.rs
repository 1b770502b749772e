//! Walls of thermographs of kos: exact functions of the temperature, piecewise linear, with slopes that need not be those of
//! games without kos.

use std::cmp::Ordering;
use std::fmt;

use gb_value::Dyadic;

/// A fraction in lowest terms. What grows too large is given up by those who calculate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    above: i64,
    below: i64,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { above: 0, below: 1 };

    /// A quotient; `None` if a number is too large, or `below` is 0.
    pub fn new(above: i128, below: i128) -> Option<Fraction> {
        let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = i128::try_from(a).ok().filter(|&divisor| divisor != 0 && below != 0)? * below.signum();
        let part = |x: i128| i64::try_from(x / divisor).ok();
        Some(Fraction { above: part(above)?, below: part(below)? })
    }

    /// A whole number.
    pub const fn integer(number: i64) -> Fraction {
        Fraction { above: number, below: 1 }
    }

    /// A dyadic number, if it is not too large.
    pub fn of_dyadic(number: &Dyadic) -> Option<Fraction> {
        let (mut below, mut above) = (1_i64, number.clone());
        while !above.is_integer() {
            (below, above) = (below.checked_mul(2)?, above.double());
        }
        Fraction::new(above.to_i64()?.into(), below.into())
    }

    /// The nearest number of so many binary places, for pictures.
    pub fn rounded(self, places: u32) -> Dyadic {
        let scaled = (i128::from(self.above) << (places + 1)) + i128::from(self.below);
        let whole = scaled.div_euclid(2 * i128::from(self.below));
        i64::try_from(whole).map_or(Dyadic::ZERO, |whole| Dyadic::new(whole, places))
    }

    /// About as much.
    pub fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }

    fn plus(self, other: Fraction) -> Option<Fraction> {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Fraction::new(a * d + c * b, b * d)
    }

    fn minus(self, other: Fraction) -> Option<Fraction> {
        self.plus(Fraction { above: -other.above, ..other })
    }

    fn times(self, other: Fraction) -> Option<Fraction> {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Fraction::new(a * c, b * d)
    }

    fn over(self, other: Fraction) -> Option<Fraction> {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Fraction::new(a * d, b * c)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.below {
            1 => write!(f, "{}", self.above),
            below => write!(f, "{}/{below}", self.above),
        }
    }
}

/// `constant + slope t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    constant: Fraction,
    slope: Fraction,
}

impl Line {
    fn at(self, t: Fraction) -> Option<Fraction> {
        self.constant.plus(self.slope.times(t)?)
    }

    fn level(constant: Fraction) -> Line {
        Line { constant, slope: Fraction::ZERO }
    }

    /// Where two lines meet, strictly between two temperatures (the second may be missing: as far as one likes).
    fn meets(self, other: Line, from: Fraction, to: Option<Fraction>) -> Option<Option<Fraction>> {
        if self.slope == other.slope {
            return Some(None);
        }
        let t = other.constant.minus(self.constant)?.over(self.slope.minus(other.slope)?)?;
        Some(Some(t).filter(|&t| t > from && to.is_none_or(|to| t < to)))
    }

    /// Which of two lines is greater just above a temperature.
    fn compare(self, other: Line, t: Fraction) -> Option<Ordering> {
        Some(self.at(t)?.cmp(&other.at(t)?).then(self.slope.cmp(&other.slope)))
    }
}

/// A wall: what an area counts at each temperature from 0 upwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KoWall(Vec<(Fraction, Line)>);

/// A part of two walls in which both are straight; a wall may be missing, where a player has no move.
type Stretch = (Fraction, Option<Fraction>, [Option<Line>; 2]);

impl KoWall {
    /// The same at all temperatures.
    pub(crate) fn level(value: Fraction) -> KoWall {
        KoWall(vec![(Fraction::ZERO, Line::level(value))])
    }

    fn push(&mut self, from: Fraction, line: Line) {
        if self.0.last().is_none_or(|(_, last)| *last != line) {
            self.0.push((from, line));
        }
    }

    /// Its corners from temperature 0 upwards, each with the slope of the wall above it.
    pub fn corners(&self) -> Vec<(Fraction, Fraction, Fraction)> {
        self.0.iter().filter_map(|(t, line)| Some((line.at(*t)?, *t, line.slope))).collect()
    }

    /// What it is at a temperature.
    pub fn at(&self, t: Fraction) -> Option<Fraction> {
        self.0.iter().rfind(|(from, _)| *from <= t)?.1.at(t)
    }

    /// With a number, and a multiple of the temperature, added.
    pub(crate) fn plus(&self, number: Fraction, slope: Fraction) -> Option<KoWall> {
        let add = |line: &Line| {
            Some(Line { constant: line.constant.plus(number)?, slope: line.slope.plus(slope)? })
        };
        Some(KoWall(self.0.iter().map(|(t, line)| Some((*t, add(line)?))).collect::<Option<_>>()?))
    }

    /// Half of the sum of two.
    pub(crate) fn middle(&self, other: &KoWall) -> Option<KoWall> {
        let half = Fraction { above: 1, below: 2 };
        let mut wall = KoWall(vec![]);
        for (from, _, lines) in stretches([Some(self), Some(other)]) {
            let [Some(a), Some(b)] = lines else { return None };
            let constant = a.constant.plus(b.constant)?.times(half)?;
            wall.push(from, Line { constant, slope: a.slope.plus(b.slope)?.times(half)? });
        }
        Some(wall)
    }

    /// The greater of two at each temperature, or the smaller.
    pub(crate) fn extreme(&self, other: &KoWall, wanted: Ordering) -> Option<KoWall> {
        let mut wall = KoWall(vec![]);
        for (from, to, lines) in stretches([Some(self), Some(other)]) {
            let [Some(a), Some(b)] = lines else { return None };
            for from in [Some(from), a.meets(b, from, to)?].into_iter().flatten() {
                wall.push(from, if a.compare(b, from)? == wanted { a } else { b });
            }
        }
        Some(wall)
    }

    /// From which temperature on it is vertical, and where; `None` if it never is.
    pub(crate) fn mast(&self) -> Option<(Fraction, Fraction)> {
        let (t, line) = self.0.last()?;
        (line.slope == Fraction::ZERO).then_some((line.constant, *t))
    }
}

fn stretches(walls: [Option<&KoWall>; 2]) -> Vec<Stretch> {
    let mut turns: Vec<Fraction> =
        walls.iter().flatten().flat_map(|wall| wall.0.iter().map(|(t, _)| *t)).collect();
    turns.push(Fraction::ZERO);
    turns.sort();
    turns.dedup();
    let line =
        |wall: &KoWall, t: Fraction| wall.0.iter().rfind(|(from, _)| *from <= t).map(|(_, line)| *line);
    let next = |index: usize| turns.get(index + 1).copied();
    let lines = |t: Fraction| walls.map(|wall| wall.and_then(|wall| line(wall, t)));
    turns.iter().enumerate().map(|(index, &t)| (t, next(index), lines(t))).collect()
}

/// The walls of a position in which a move elsewhere leaves it as it is, from its scaffolds: what Black gets by moving here, what
/// White gets, if they can, with the price of the move taken off; and what it counts if nobody moves.
///
/// Where Black's scaffold is above White's, both want to move, and the scaffolds are the walls. Else the walls are one mast:
/// whoever moves elsewhere finds what the opponent left at the temperature just below. So the mast goes straight up, unless a
/// scaffold pushes it aside.
pub(crate) fn walls(scaffolds: [Option<&KoWall>; 2], end: Fraction) -> Option<[KoWall; 2]> {
    let mut walls = [KoWall(vec![]), KoWall(vec![])];
    let mut mast = end;
    for (from, to, [left, right]) in stretches(scaffolds) {
        let meeting = match (left, right) {
            (Some(left), Some(right)) => left.meets(right, from, to)?,
            _ => None,
        };
        let mut parts: Vec<(Fraction, Option<Fraction>)> = vec![(from, meeting.or(to))];
        parts.extend(meeting.map(|t| (t, to)));
        for (from, to) in parts {
            if let (Some(left), Some(right)) = (left, right)
                && left.compare(right, from)? == Ordering::Greater
            {
                walls[0].push(from, left);
                walls[1].push(from, right);
                if let Some(to) = to {
                    mast = left.at(to)?;
                }
                continue;
            }
            let value = |line: Option<Line>| line.map_or(Some(None), |line| line.at(from).map(Some));
            if let Some(least) = value(left)? {
                mast = mast.max(least);
            }
            if let Some(most) = value(right)? {
                mast = mast.min(most);
            }
            let push =
                |wall: &mut [KoWall; 2], from, line| wall.iter_mut().for_each(|one| one.push(from, line));
            push(&mut walls, from, Line::level(mast));
            // Of two scaffolds that do not cross only one can push.
            let pushing = [
                left.filter(|line| line.slope > Fraction::ZERO),
                right.filter(|line| line.slope < Fraction::ZERO),
            ];
            for line in pushing.into_iter().flatten() {
                let start = if line.at(from)? == mast {
                    Some(from)
                } else {
                    line.meets(Line::level(mast), from, to)?
                };
                if let Some(start) = start {
                    if start == from {
                        walls.iter_mut().for_each(|wall| _ = wall.0.pop_if(|last| last.0 == from));
                    }
                    push(&mut walls, start, line);
                    if let Some(to) = to {
                        mast = line.at(to)?;
                    }
                    break;
                }
            }
        }
    }
    Some(walls)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(above: i128, below: i128) -> Fraction {
        Fraction::new(above, below).unwrap()
    }

    fn line(constant: i64, slope: i64) -> KoWall {
        KoWall(vec![(
            Fraction::ZERO,
            Line { constant: Fraction::integer(constant), slope: Fraction::integer(slope) },
        )])
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(fraction(4, -6).to_string(), "-2/3");
        assert_eq!(fraction(-8, 4).to_string(), "-2");
        assert_eq!((Fraction::new(1, 0), Fraction::new(i128::MAX, 1)), (None, None));
        assert!(fraction(1, 3) < fraction(1, 2) && fraction(-1, 2) < fraction(-1, 3));
        assert_eq!(Fraction::of_dyadic(&Dyadic::new(-3, 2)), Some(fraction(-3, 4)));
        assert_eq!(fraction(1, 3).rounded(4), Dyadic::new(5, 4));
        assert_eq!(fraction(-1, 3).rounded(4), Dyadic::new(-5, 4));
    }

    /// `{4|0}` and a ko for 9 points of which Black has to make two moves.
    #[test]
    fn scaffolds_meet_in_a_mast() {
        let [left, right] = walls([Some(&line(4, -1)), Some(&line(0, 1))], Fraction::ZERO).unwrap();
        assert_eq!(left.mast(), Some((fraction(2, 1), fraction(2, 1))));
        assert_eq!(
            (left.at(fraction(1, 2)), right.at(fraction(1, 2))),
            (Some(fraction(7, 2)), Some(fraction(1, 2)))
        );
        let [left, right] = walls([Some(&line(9, -2)), Some(&line(0, 1))], Fraction::ZERO).unwrap();
        assert_eq!((left.mast(), right.mast()), (Some((fraction(3, 1), fraction(3, 1))), right.mast()));
    }

    /// Nobody wants to move; later a scaffold pushes the mast, and lets go of it.
    #[test]
    fn masts_are_pushed() {
        let [left, _] = walls([Some(&line(-5, -1)), Some(&line(7, 1))], fraction(3, 1)).unwrap();
        assert_eq!(left, KoWall::level(fraction(3, 1)));
        let hill = line(-5, 2).extreme(&line(8, -1), Ordering::Less).unwrap();
        let [left, right] = walls([Some(&hill), Some(&line(20, 1))], Fraction::ZERO).unwrap();
        assert_eq!(left, right);
        // From 0 at 5/2 to 11/3 at 13/3, and straight on.
        assert_eq!(left.mast(), Some((fraction(11, 3), fraction(13, 3))));
        assert_eq!(
            (left.at(fraction(2, 1)), left.at(fraction(3, 1))),
            (Some(Fraction::ZERO), Some(fraction(1, 1)))
        );
        let alone = walls([None, Some(&line(-2, 1))], Fraction::ZERO).unwrap();
        assert_eq!(alone[0], KoWall::level(fraction(-2, 1)));
    }

    /// Against the definition beside coupons a little apart: who moves elsewhere finds what the other has at the coupon below.
    #[test]
    fn walls_are_those_of_play_beside_coupons() {
        let mut random = gb_board::Xorshift(0x5EED_0077);
        for _ in 0..500 {
            let mut scaffold = || {
                let mut one = || line(random.below(13) as i64 - 6, random.below(5) as i64 - 2);
                let wanted = [Ordering::Less, Ordering::Greater];
                let (a, b, c) = (one(), one(), one());
                a.extreme(&b, wanted[random.below(2)]).unwrap().extreme(&c, wanted[random.below(2)]).unwrap()
            };
            let (left, right) = (scaffold(), scaffold());
            let end = Fraction::integer(random.below(9) as i64 - 4);
            let exact = walls([Some(&left), Some(&right)], end).unwrap();
            let (mut black, mut white) = (end, end);
            for step in 0..=60 * 12 {
                let t = fraction(step, 60);
                let at = |wall: &KoWall| wall.at(t).unwrap();
                // Without coupons one passes, and the other may end it.
                let passed =
                    if step == 0 { [end.min(at(&right)), end.max(at(&left))] } else { [white, black] };
                (black, white) = (at(&left).max(passed[0]), at(&right).min(passed[1]));
                for (wall, played) in exact.iter().zip([black, white]) {
                    let off = at(wall).minus(played).unwrap();
                    // Each coupon moves a scaffold by at most two sixtieths, and both sides take turns.
                    assert!(
                        off.max(Fraction::ZERO.minus(off).unwrap()) <= fraction(1, 5),
                        "{left:?} {right:?} {end} {t}: {off}"
                    );
                }
            }
        }
    }
}
