//! Who wins a sum of values, by their thermographs.

use gb_rules::Player;
use gb_value::{Dyadic, Thermograph, Wall};
use smallvec::SmallVec;

/// Temperatures and what is measured by them are counted in units of 1 / 2^HEAT_BITS.
pub(super) const HEAT_BITS: u32 = 20;
/// None is larger than this in what is counted.
const MOST_HEAT: i64 = 1 << 20;
/// So many turns of a wall are kept.
const TURNS: usize = 4;
/// No more temperatures than this are looked at.
const MOST_TEMPERATURES: usize = 64;
/// Stands for no turn.
const NEVER: i64 = i64::MIN / 4;

/// The thermograph of a value, at temperatures from 0 on: its mast, and where its walls turn, the highest first. If they turn too often, the lowest turns are
/// left out, and below them a wall is known between bounds only: then less is known than could be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) struct Heat {
    pub(super) mean: i64,
    /// Not below 0.
    pub(super) temperature: i64,
    left: Turns,
    right: Turns,
}

/// Where a wall turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Turns {
    turns: [i64; TURNS],
    /// It turns more often than that. Where the last of these turns lets it slope, it may stop sloping.
    cut: bool,
}

/// A number in these units, if it is a multiple of them and not large.
fn fixed(number: &Dyadic) -> Option<i64> {
    let (number, exponent) = number.as_small()?;
    let fits = exponent <= HEAT_BITS
        && number >> exponent.min(62) < MOST_HEAT
        && number >> exponent.min(62) > -MOST_HEAT;
    fits.then(|| number << (HEAT_BITS - exponent))
}

impl Turns {
    /// How far the wall is from the mast, at least and at most: it slopes from the first turn to the second, from the third to the fourth, and so on down.
    #[inline]
    fn away(&self, t: i64) -> (i64, i64) {
        let [a, b, c, d] = self.turns;
        let (first, second) = ((a - b.max(t)).max(0), (c - d.max(t)).max(0));
        (if self.cut { first } else { first + second }, first + second)
    }
}

impl Heat {
    /// Unless there are fine or large numbers in it.
    pub(super) fn of(graph: &Thermograph) -> Option<Heat> {
        let turns = |wall: &Wall| {
            let mut all = [NEVER; TURNS];
            // Its lowest corner is where it begins.
            let turns = wall.corners().iter().skip(1).filter(|corner| corner.temperature.signum() >= 0);
            let count = turns.clone().count();
            let kept = if count > TURNS { TURNS - 1 } else { count };
            for (turn, place) in turns.rev().take(kept).zip(&mut all) {
                *place = fixed(&turn.temperature)?;
            }
            Some(Turns { turns: all, cut: count > TURNS })
        };
        Some(Heat {
            mean: fixed(graph.mean())?,
            temperature: fixed(&graph.temperature())?.max(0),
            left: turns(&graph.left_wall())?,
            right: turns(&graph.right_wall())?,
        })
    }

    pub(super) fn negative(&self) -> Heat {
        Heat { mean: -self.mean, temperature: self.temperature, left: self.right, right: self.left }
    }
}

/// Who wins a sum of values, if that is seen from their thermographs.
///
/// Let `L_t` and `R_t` be the walls at a temperature `t >= 0`, that is, the stops of a game whose moves cost `t`. Games that are taxed add up, and of stops
/// `R(G + H) >= R(G) + R(H)` and `L(G + H) >= L(G) + R(H)`. With rising temperature left walls go to the right with slope 0 or 1, and right walls to the left. So
/// whatever `t` is, the left stop of a sum is at least `L_t` of one summand plus `R_t` of the others, and the right stop is at least `R_t` of all of them,
/// less `t`. If the stop is positive when a player begins, Left wins. (This is the strategy that plays where the thermograph is widest: Berlekamp, Conway, Guy,
/// Winning Ways, 1982, chapter 6, Thermostrat. At the highest temperature of all it says what means say.)
pub(super) fn winner(heats: &[Heat], to_move: Player) -> Option<Player> {
    let turned: SmallVec<[Heat; 8]>;
    let heats = if to_move == Player::Left {
        heats
    } else {
        turned = heats.iter().map(Heat::negative).collect();
        &turned
    };
    // As if Left were to move.
    let mean: i64 = heats.iter().map(|heat| heat.mean).sum();
    let hottest = heats.iter().map(|heat| heat.temperature).max().unwrap_or(0);
    match mean {
        1.. => return Some(to_move),
        _ if mean < -hottest => return Some(to_move.opponent()),
        _ => {}
    }
    let turns = heats.iter().flat_map(|heat| heat.left.turns.iter().chain(&heat.right.turns));
    for &t in turns.filter(|&&t| t > 0).take(MOST_TEMPERATURES).chain(&[0]) {
        let (mut left, mut right, mut widest) = (mean, mean, 0);
        for heat in heats {
            let ((surely, to_left), (_, to_right)) = (heat.left.away(t), heat.right.away(t));
            (left, right, widest) = (left + to_left, right - to_right, widest.max(surely + to_right));
        }
        if right + widest > 0 {
            return Some(to_move);
        }
        if left + t < 0 {
            return Some(to_move.opponent());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use gb_board::Random;
    use gb_value::{Budget, Kernel, Store, Value};

    use super::*;

    /// Some hot game, of switches of switches. Deep ones have walls that turn often.
    fn random_value(kernel: &Kernel<'_>, random: &mut Random, depth: u32) -> Value {
        let integer = |random: &mut Random| kernel.integer(random.between(-6, 6));
        if depth == 0 || random.below(4) == 0 {
            return integer(random);
        }
        if depth > 3 {
            let mut around = |low: i64| {
                let far = |random: &mut Random| kernel.integer(random.between(low, low + 16));
                let some =
                    (0..4).map(|_| kernel.add(random_value(kernel, random, depth - 1), far(random)).unwrap());
                some.collect::<Vec<_>>()
            };
            let (lefts, rights) = (around(0), around(-16));
            return kernel.from_options(&lefts, &rights).unwrap();
        }
        let options = |random: &mut Random| {
            (0..1 + random.below(2)).map(|_| random_value(kernel, random, depth - 1)).collect::<Vec<_>>()
        };
        let (lefts, rights) = (options(random), options(random));
        kernel.from_options(&lefts, &rights).unwrap()
    }

    /// Against the order of values.
    #[test]
    fn winners_by_thermographs_win() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let mut random = Random::new(3, 0);
        let (mut said, mut by_means, mut cut) = (0, 0, 0);
        for round in 0..6000 {
            let (depth, most) = if round % 3 == 0 { (5, 2) } else { (3, 4) };
            let values: Vec<Value> =
                (0..1 + random.below(most)).map(|_| random_value(&kernel, &mut random, depth)).collect();
            let heats: Option<Vec<Heat>> =
                values.iter().map(|&value| Heat::of(&kernel.thermograph(value).unwrap())).collect();
            let heats = heats.unwrap();
            cut += heats.iter().filter(|heat| heat.left.cut || heat.right.cut).count();
            let sum = values.iter().fold(Value::ZERO, |sum, &value| kernel.add(sum, value).unwrap());
            let mean: i64 = heats.iter().map(|heat| heat.mean).sum();
            let hottest = heats.iter().map(|heat| heat.temperature).max().unwrap();
            for to_move in Player::BOTH {
                let loses = match to_move {
                    Player::Left => kernel.le(sum, Value::ZERO).unwrap(),
                    Player::Right => kernel.le(Value::ZERO, sum).unwrap(),
                };
                let right = if loses { to_move.opponent() } else { to_move };
                if let Some(winner) = winner(&heats, to_move) {
                    assert_eq!(winner, right, "{heats:?}");
                    said += 1;
                }
                let lead = if to_move == Player::Left { mean } else { -mean };
                by_means += usize::from(lead > 0 || lead < -hottest);
            }
        }
        assert!(said > by_means + 300 && cut > 50, "{said} {by_means} {cut}");
    }
}
