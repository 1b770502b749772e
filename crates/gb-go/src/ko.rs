//! What a single ko is worth: its thermograph with either player as komaster (E. Berlekamp, The economist's view of
//! combinatorial games, 1996; M. Mueller, E. Berlekamp and W. Spight, Generalized thermography, TR-96-030, 1996), and where the
//! threats are equal (W. Spight, Extended thermography for multiple kos in Go, 1998).
//!
//! *Komaster.* The komaster has threats enough to win the ko, and no more. He may take it back at once, because an exchange of
//! threats costs nothing; the other may not. But if the other moves elsewhere then, the komaster has to go on in the area: his
//! threats would not last for ever.
//!
//! *Neutral.* Both have the same threats, of all sizes. Whoever has just taken the ko is threatened, and may answer, so that the other
//! takes back, or ignore the threat and go on here. Each chooses threats of the size at which that is all the same to the
//! opponent. Let `a` be what the area counts after Black has gone on and White is to move, `b` the same with colours exchanged. After a threat of
//! Black that is worth `s` and is ignored, the result is `b + s - t`; after it is answered and the ko taken back, it is `y - t`, where `y` is what
//! White, to move, then has: the same. Likewise for White's threats, `a - s + t = x + t`, with `x` what Black, to move, had. So `y = s`, `x = y - t`,
//! and `y = (a + b + t) / 2`.
//!
//! All of this is exact: walls are piecewise linear ([`KoWall`]), from temperature 0 upwards. The game behind them is played beside a
//! stack of coupons, each worth a little less than the one before: taking the top one stands for a move elsewhere. What
//! the area adds to the result is its thermograph at the temperature of the top coupon.

use std::cmp::Ordering;

use gb_value::Player;
use rustc_hash::FxHashMap;

use crate::area::{Area, bits};
use crate::local::{LocalFailure, LocalSearch, Scoring};
use crate::wall::{Fraction, KoWall, walls};

/// More positions than this are not looked at.
const MOST_POSITIONS: usize = 4000;

/// Who has the threats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Threats {
    /// One player is komaster.
    Komaster(Player),
    /// Both have the same.
    Neutral,
}

impl Threats {
    /// In two words.
    pub fn text(self) -> &'static str {
        match self {
            Threats::Komaster(Player::Left) => "Black komaster",
            Threats::Komaster(Player::Right) => "White komaster",
            Threats::Neutral => "equal threats",
        }
    }
}

/// What an area with a ko is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KoFacts {
    /// What it counts, under area scoring without the stones that are there already.
    pub mean: Fraction,
    /// What a move there is worth.
    pub temperature: Fraction,
    /// What it counts at each temperature if Black, if White is to move.
    pub walls: [KoWall; 2],
}

/// The thermographs of an area with a ko.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KoReport {
    /// With Black, with White as komaster.
    pub masters: [KoFacts; 2],
    /// With equal threats; missing where neither player, having taken, could go on.
    pub neutral: Option<KoFacts>,
}

impl KoReport {
    /// The thermograph for some threats.
    pub fn with(&self, threats: Threats) -> Option<&KoFacts> {
        match threats {
            Threats::Komaster(player) => Some(&self.masters[player as usize]),
            Threats::Neutral => self.neutral.as_ref(),
        }
    }
}

/// The report on an area; `None` if there are too many positions, or if play repeats in another way than by one ko.
pub(crate) fn report(
    search: &mut LocalSearch<'_>,
    area: &Area,
    scoring: Scoring,
) -> Result<Option<KoReport>, LocalFailure> {
    let (known, ends) = Default::default();
    let mut graphs = Graphs { search, area, scoring, threats: Threats::Neutral, known, ends };
    let mut with = |threats| {
        graphs.threats = threats;
        graphs.known.clear();
        graphs.facts()
    };
    let Some(black) = with(Threats::Komaster(Player::Left))? else { return Ok(None) };
    let Some(white) = with(Threats::Komaster(Player::Right))? else { return Ok(None) };
    Ok(Some(KoReport { masters: [black, white], neutral: with(Threats::Neutral)? }))
}

/// Stones, and what follows from a ko that the komaster has taken.
type Position = ([u64; 2], Ko);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ko {
    None,
    /// The other is to move, and may not take back here.
    Ban(usize),
    /// The other has moved elsewhere, and the komaster has to go on.
    Duty,
}

/// A move: the stones after it, what it captures in points of Black, and the point where a ko could be taken back.
struct Move {
    stones: [u64; 2],
    gain: i64,
    ko: Option<usize>,
}

/// `None` where something cannot be told.
type Told<T> = Result<Option<T>, LocalFailure>;

/// Goes on only with what can be told.
macro_rules! told {
    ($told:expr) => {
        match $told {
            Some(told) => told,
            None => return Ok(None),
        }
    };
}

/// The walls of all positions of an area.
struct Graphs<'a, 's> {
    search: &'a mut LocalSearch<'s>,
    area: &'a Area,
    scoring: Scoring,
    threats: Threats,
    /// `None` is being worked out.
    known: FxHashMap<Position, Option<[KoWall; 2]>>,
    /// What positions count if nobody moves any more, and the points that are not settled.
    ends: FxHashMap<[u64; 2], (Fraction, u64)>,
}

/// The better of two for a player.
fn better(player: Player) -> Ordering {
    if player == Player::Left { Ordering::Greater } else { Ordering::Less }
}

/// What a move costs a player at temperature 1.
fn price(player: Player) -> Fraction {
    Fraction::integer(if player == Player::Left { -1 } else { 1 })
}

impl Graphs<'_, '_> {
    fn facts(&mut self) -> Told<KoFacts> {
        let start = [self.area.stones(Player::Left), self.area.stones(Player::Right)];
        let walls = told!(self.walls((start, Ko::None))?);
        let [left, right] = [told!(walls[0].mast()), told!(walls[1].mast())];
        Ok((left.0 == right.0).then(|| KoFacts { mean: left.0, temperature: left.1.max(right.1), walls }))
    }

    /// The walls of a position. After a ko was taken, only that of the player who is to move means something.
    fn walls(&mut self, position: Position) -> Told<[KoWall; 2]> {
        if let Some(known) = self.known.get(&position) {
            return Ok(known.clone());
        }
        if self.known.len() >= MOST_POSITIONS {
            return Ok(None);
        }
        self.search.count()?;
        self.known.insert(position, None);
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.found(position))?;
        self.known.insert(position, found.clone());
        Ok(found)
    }

    fn found(&mut self, (stones, ko): Position) -> Told<[KoWall; 2]> {
        match (ko, self.threats) {
            (Ko::Ban(point), Threats::Komaster(master)) => {
                let other = master.opponent();
                let moves = self.moves(stones, other, Some(point))?;
                let elsewhere = told!(self.walls((stones, Ko::Duty))?)[master as usize].clone();
                let here = match moves.is_empty() {
                    true => elsewhere,
                    false => {
                        let here = told!(self.scaffold(stones, other, &moves)?);
                        told!(here.extreme(&elsewhere, better(other)))
                    }
                };
                Ok(Some([here.clone(), here]))
            }
            (Ko::Duty, Threats::Komaster(master)) => {
                let moves = self.moves(stones, master, None)?;
                let wall = match moves.is_empty() {
                    true => told!(self.walls((stones, Ko::None))?)[master.opponent() as usize].clone(),
                    false => told!(self.scaffold(stones, master, &moves)?),
                };
                Ok(Some([wall.clone(), wall]))
            }
            _ => {
                let (points, open) = self.end(stones)?;
                if open == 0 {
                    return Ok(Some([KoWall::level(points), KoWall::level(points)]));
                }
                let mut scaffolds = [None, None];
                for player in Player::BOTH {
                    let moves = self.moves(stones, player, None)?;
                    if !moves.is_empty() {
                        scaffolds[player as usize] = Some(told!(self.scaffold(stones, player, &moves)?));
                    }
                }
                Ok(walls([scaffolds[0].as_ref(), scaffolds[1].as_ref()], points))
            }
        }
    }

    /// The best of what moves of a player lead to, less their price.
    fn scaffold(&mut self, stones: [u64; 2], player: Player, moves: &[Move]) -> Told<KoWall> {
        let mut best: Option<KoWall> = None;
        for mv in moves {
            let wall = match (mv.ko, self.threats) {
                (Some(_), Threats::Neutral) => told!(self.fought(stones, player, mv)?),
                (Some(point), Threats::Komaster(master)) if master == player => {
                    told!(self.walls((mv.stones, Ko::Ban(point)))?)[player.opponent() as usize].clone()
                }
                _ => told!(self.walls((mv.stones, Ko::None))?)[player.opponent() as usize].clone(),
            };
            let paid = told!(wall.plus(Fraction::integer(mv.gain), price(player)));
            best = Some(match best {
                None => paid,
                Some(best) => told!(best.extreme(&paid, better(player))),
            });
        }
        Ok(best)
    }

    /// With equal threats: what a position is worth after a player has taken a ko, without what that has captured.
    fn fought(&mut self, before: [u64; 2], player: Player, taken: &Move) -> Told<KoWall> {
        let other = player.opponent();
        // Without the price: that is part of what the two exchange.
        let on = told!(self.going_on(taken.stones, player)?);
        let back = told!(self.going_on(before, other)?);
        let back = told!(back.plus(Fraction::integer(-taken.gain), Fraction::ZERO));
        let half = told!(Fraction::new(sign(player).into(), 2));
        let fight = told!(told!(on.middle(&back)).plus(Fraction::ZERO, half));
        // The other may also leave the ko to the player, or move here.
        let left = told!(on.plus(Fraction::ZERO, price(player)));
        let mut best = told!(fight.extreme(&left, better(other)));
        let moves: Vec<Move> =
            self.moves(taken.stones, other, taken.ko)?.into_iter().filter(|mv| mv.ko.is_none()).collect();
        if !moves.is_empty() {
            let here = told!(self.scaffold(taken.stones, other, &moves)?);
            best = told!(best.extreme(&here, better(other)));
        }
        Ok(Some(best))
    }

    /// The best that a player's moves other than in a ko lead to, before their price.
    fn going_on(&mut self, stones: [u64; 2], player: Player) -> Told<KoWall> {
        let moves: Vec<Move> =
            self.moves(stones, player, None)?.into_iter().filter(|mv| mv.ko.is_none()).collect();
        let paid = told!(self.scaffold(stones, player, &moves)?);
        Ok(paid.plus(Fraction::ZERO, price(player.opponent())))
    }

    /// The legal moves of a player where something is not settled.
    fn moves(
        &mut self,
        stones: [u64; 2],
        player: Player,
        banned: Option<usize>,
    ) -> Result<Vec<Move>, LocalFailure> {
        let (_, open) = self.end(stones)?;
        let area = self.area;
        let mut moves = vec![];
        for point in bits(open & !stones[0] & !stones[1]) {
            if banned == Some(point) {
                continue;
            }
            let Some((after, captured)) = area.place_stone(stones, player, point) else { continue };
            let alone = area.neighbours(point) & after[player as usize] == 0;
            let liberties = area.neighbours(point) & !after[0] & !after[1];
            let is_ko = captured.count_ones() == 1
                && alone
                && liberties == captured
                && area.walls(player) >> point & 1 == 0;
            let gain = if self.scoring == Scoring::Area { 0 } else { i64::from(captured.count_ones()) };
            moves.push(Move {
                stones: after,
                gain: sign(player) * gain,
                ko: is_ko.then(|| captured.trailing_zeros() as usize),
            });
        }
        Ok(moves)
    }

    /// What a position counts if nobody moves any more, and the points that are not settled.
    fn end(&mut self, stones: [u64; 2]) -> Result<(Fraction, u64), LocalFailure> {
        if let Some(&known) = self.ends.get(&stones) {
            return Ok(known);
        }
        let here = self.area.with_stones(stones);
        let (points, open) = match self.scoring {
            Scoring::Area => {
                let stones = here.stone_difference() - self.area.stone_difference();
                (here.surrounded_difference() + stones, self.area.all())
            }
            _ => self.search.settled_points(&here)?,
        };
        let end = (Fraction::integer(points), open);
        self.ends.insert(stones, end);
        Ok(end)
    }
}

fn sign(player: Player) -> i64 {
    if player == Player::Left { 1 } else { -1 }
}
