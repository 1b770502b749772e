//! What a single ko is worth: its mean and its temperature with either player as komaster (E. Berlekamp, The economist's view
//! of combinatorial games, 1996; M. Mueller, E. Berlekamp and W. Spight, Generalized thermography, TR-96-030, 1996).
//!
//! The komaster has threats enough to win the ko, and no more. He may take it back at once, because an exchange of threats
//! costs nothing; the other may not. But if the other moves elsewhere then, the komaster has to go on in the area: his threats
//! would not last for ever.
//!
//! The game is played beside a stack of coupons, each worth a little less than the one before: taking the top one stands for a
//! move elsewhere. What the area adds to the result is its thermograph at the temperature of the top coupon. Coupons are
//! 1/48 point apart, and what is read off is rounded to twelfths, because the temperatures of single kos are thirds.

use std::fmt;

use gb_value::Player;
use rustc_hash::FxHashMap;

use crate::area::{Area, bits};
use crate::local::{LocalFailure, LocalSearch, Scoring};

/// Coupons for a point.
const COUPONS: i64 = 48;
/// The temperature of the highest coupon.
const HOTTEST: i64 = 12;
/// More positions than this are not played out.
const MOST_POSITIONS: usize = 1500;

/// A number of twelfths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Twelfths(pub i64);

impl fmt::Display for Twelfths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divisor = [12, 6, 4, 3, 2].into_iter().find(|d| self.0 % d == 0).unwrap_or(1);
        match 12 / divisor {
            1 => write!(f, "{}", self.0 / divisor),
            below => write!(f, "{}/{below}", self.0 / divisor),
        }
    }
}

/// What an area with a ko is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KoFacts {
    /// What it counts, under area scoring without the stones that are there already.
    pub mean: Twelfths,
    /// What a move there is worth.
    pub temperature: Twelfths,
}

/// Stones, and what follows from a ko that the komaster has taken.
type Position = ([u64; 2], Ko);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ko {
    None,
    /// The other may not take back here.
    Ban(usize),
    /// The other has moved elsewhere, and the komaster has to go on.
    Duty,
}

/// All positions of an area for one komaster.
struct Positions {
    master: Player,
    moves: Vec<[Vec<(usize, i64)>; 2]>,
    /// The position after a move elsewhere.
    after_tenuki: Vec<usize>,
    /// Whether the komaster, who is to move, may not move elsewhere.
    has_duty: Vec<bool>,
    /// What each counts in the end.
    ends: Vec<i64>,
}

/// The facts about an area with Black, with White as komaster; `None` if there are too many positions, if play repeats in
/// another way than by one ko, or if it is hotter than 12 points.
pub(crate) fn facts(
    search: &mut LocalSearch<'_>,
    area: &Area,
    scoring: Scoring,
) -> Result<Option<[KoFacts; 2]>, LocalFailure> {
    let mut found = vec![];
    for master in Player::BOTH {
        let Some(positions) = Positions::new(search, area, scoring, master)? else { return Ok(None) };
        let Some(facts) = positions.facts() else { return Ok(None) };
        found.push(facts);
    }
    Ok(<[KoFacts; 2]>::try_from(found).ok())
}

impl Positions {
    fn new(
        search: &mut LocalSearch<'_>,
        area: &Area,
        scoring: Scoring,
        master: Player,
    ) -> Result<Option<Positions>, LocalFailure> {
        let start = [area.stones(Player::Left), area.stones(Player::Right)];
        let mut index: FxHashMap<Position, usize> = FxHashMap::from_iter([((start, Ko::None), 0)]);
        let mut all: Vec<Position> = vec![(start, Ko::None)];
        let (moves, after_tenuki, has_duty, ends) = Default::default();
        let mut positions = Positions { master, moves, after_tenuki, has_duty, ends };
        while let Some(&(stones, ko)) = all.get(positions.moves.len()) {
            if all.len() > MOST_POSITIONS {
                return Ok(None);
            }
            search.count()?;
            let mut id = |position: Position| {
                *index.entry(position).or_insert_with(|| {
                    all.push(position);
                    all.len() - 1
                })
            };
            let mut sides: [Vec<(usize, i64)>; 2] = Default::default();
            for player in Player::BOTH {
                let sign = if player == Player::Left { 1 } else { -1 };
                for point in bits(area.all() & !stones[0] & !stones[1]) {
                    if ko == Ko::Ban(point) && player != master {
                        continue;
                    }
                    let Some((after, captured)) = area.place_stone(stones, player, point) else { continue };
                    let alone = area.neighbours(point) & after[player as usize] == 0;
                    let liberties = area.neighbours(point) & !after[0] & !after[1];
                    let is_ko = captured.count_ones() == 1
                        && alone
                        && liberties == captured
                        && area.walls(player) >> point & 1 == 0;
                    let next = match is_ko && player == master {
                        true => Ko::Ban(captured.trailing_zeros() as usize),
                        false => Ko::None,
                    };
                    let gain = if scoring == Scoring::Area { 0 } else { captured.count_ones() as i64 };
                    sides[player as usize].push((id((after, next)), sign * gain * COUPONS));
                }
            }
            let next = if matches!(ko, Ko::Ban(_)) { Ko::Duty } else { Ko::None };
            positions.after_tenuki.push(id((stones, next)));
            positions.has_duty.push(ko == Ko::Duty && !sides[master as usize].is_empty());
            positions.moves.push(sides);
            let here = area.with_stones(stones);
            let end = match scoring {
                Scoring::Area => {
                    here.surrounded_difference() + here.stone_difference() - area.stone_difference()
                }
                _ => search.settled_points(&here)?,
            };
            positions.ends.push(end * COUPONS);
        }
        Ok(Some(positions))
    }

    /// Plays beside more and more coupons.
    fn facts(&self) -> Option<KoFacts> {
        let count = self.moves.len();
        let mut below = vec![[0; 2]; count];
        let mut walls = vec![];
        for coupons in 0..=COUPONS * HOTTEST {
            let mut layer = Layer { positions: self, coupons, below: &below, known: vec![[None; 4]; count] };
            let mut here = vec![[0; 2]; count];
            for (position, scores) in here.iter_mut().enumerate() {
                *scores = [layer.score(position, 0, 0)?, layer.score(position, 1, 0)?];
            }
            // The one who moves gets this much out of the coupons alone.
            let alone = (coupons + 1) / 2;
            walls.push([here[0][0] - alone, here[0][1] + alone]);
            below = here;
        }
        let twice_mean: i64 = walls.last()?.iter().sum();
        // Below the temperature a wall is elsewhere; near it, by less than a few coupons.
        let is_off = |wall: &[i64; 2]| wall.iter().any(|side| (2 * side - twice_mean).abs() > 4);
        let temperature = walls.iter().rposition(is_off).map_or(0, |coupons| coupons as i64 + 2);
        let twelfth = COUPONS / 12;
        let round = |x: i64, unit: i64| Twelfths((2 * x + unit).div_euclid(2 * unit));
        (temperature < COUPONS * HOTTEST).then(|| KoFacts {
            mean: round(twice_mean, 2 * twelfth),
            temperature: round(temperature, twelfth),
        })
    }
}

/// The results of play beside so many coupons.
struct Layer<'a> {
    positions: &'a Positions,
    coupons: i64,
    /// The results with one coupon less.
    below: &'a [[i64; 2]],
    /// For each position, with Black and White to move, not after and after a pass. `Some(None)` is being worked out.
    known: Vec<[Option<Option<i64>>; 4]>,
}

impl Layer<'_> {
    /// `None` if play comes back to a position without a coupon between.
    fn score(&mut self, position: usize, player: usize, passed: usize) -> Option<i64> {
        if let Some(known) = self.known[position][2 * passed + player] {
            return known;
        }
        self.known[position][2 * passed + player] = Some(None);
        let after = self.positions.after_tenuki[position];
        let sign = if player == 0 { 1 } else { -1 };
        let mut best = match (self.coupons, passed) {
            _ if self.positions.has_duty[position] && player == self.positions.master as usize => {
                -sign * i64::MAX / 2
            }
            (0, 0) => self.score(after, 1 - player, 1)?,
            (0, _) => self.positions.ends[position],
            (coupon, _) => sign * coupon + self.below[after][1 - player],
        };
        for index in 0..self.positions.moves[position][player].len() {
            let (next, gain) = self.positions.moves[position][player][index];
            let score = gain + self.score(next, 1 - player, 0)?;
            best = if player == 0 { best.max(score) } else { best.min(score) };
        }
        self.known[position][2 * passed + player] = Some(Some(best));
        Some(best)
    }
}
