//! What a single ko is worth: its thermograph with either player as komaster (E. Berlekamp, The economist's view of
//! combinatorial games, 1996; M. Mueller, E. Berlekamp and W. Spight, Generalized thermography, TR-96-030, 1996), and where the
//! threats are equal (W. Spight, Extended thermography for multiple kos in Go, 1998).
//!
//! *Komaster.* The komaster has threats enough to win the ko, and no more. He may take it back at once, because an exchange of
//! threats costs nothing; the other may not. But if the other moves elsewhere then, the komaster has to go on in the area: his
//! threats would not last for ever. He is komaster of all kos in the area: what the other may not take back, he may not take as long as
//! both do nothing there but take kos, or else two kos would be taken in turn for ever.
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
    /// With equal threats; missing where neither player, having taken, could go on, and where several kos may be taken in turn.
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

/// The thermographs of an area, with kos or without, found without canonical forms; `None` if there are too many positions, or if play
/// repeats in another way than by kos.
///
/// # Errors
/// If the budget runs out, or if it is not found out whose a part of the area is.
pub fn thermographs(
    search: &mut LocalSearch<'_>,
    area: &Area,
    scoring: Scoring,
) -> Result<Option<KoReport>, LocalFailure> {
    let (ground, known) = (Ground::new(search, area, scoring), FxHashMap::default());
    let (threats, keeps_bans, has_several) = (Threats::Neutral, true, false);
    let mut graphs = Graphs { ground, threats, keeps_bans, known, has_several };
    let Some(black) = graphs.with(Threats::Komaster(Player::Left))? else { return Ok(None) };
    let Some(white) = graphs.with(Threats::Komaster(Player::Right))? else { return Ok(None) };
    // Several kos at once are fought for one after the other, which the formula for equal threats does not know, unless play would end
    // with a ban on the last one alone.
    if graphs.has_several {
        graphs.keeps_bans = false;
        for master in Player::BOTH {
            if graphs.with(Threats::Komaster(master))?.is_none() {
                return Ok(Some(KoReport { masters: [black, white], neutral: None }));
            }
        }
    }
    Ok(Some(KoReport { masters: [black, white], neutral: graphs.with(Threats::Neutral)? }))
}

/// Stones, and what follows from kos that the komaster has taken.
type Position = ([u64; 2], Ko);

/// The points are those where the other may not take back.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ko {
    None,
    /// The other is to move.
    Ban(u64),
    /// The other has taken another ko, and the komaster is to move.
    Held(u64),
    /// The other has moved elsewhere, and the komaster has to go on.
    Duty(u64),
}

/// A move: where, the stones after it, what it captures in points of Black, and the point where a ko could be taken back.
pub(crate) struct Move {
    pub point: usize,
    pub stones: [u64; 2],
    pub gain: i64,
    pub ko: Option<usize>,
}

/// An area with its moves, kos among them, and what its positions count.
pub(crate) struct Ground<'a, 's> {
    pub search: &'a mut LocalSearch<'s>,
    area: &'a Area,
    scoring: Scoring,
    /// What positions count if nobody moves any more, and the points that are not settled.
    ends: FxHashMap<[u64; 2], (i64, u64)>,
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
    ground: Ground<'a, 's>,
    threats: Threats,
    /// Whether a ban outlasts the taking of another ko.
    keeps_bans: bool,
    /// `None` is being worked out.
    known: FxHashMap<Position, Option<[KoWall; 2]>>,
    /// Whether a ko can be taken while another may not be taken back.
    has_several: bool,
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
    fn with(&mut self, threats: Threats) -> Told<KoFacts> {
        self.threats = threats;
        self.known.clear();
        let start = Player::BOTH.map(|player| self.ground.area.stones(player));
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
        self.ground.search.count()?;
        self.known.insert(position, None);
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.found(position))?;
        self.known.insert(position, found.clone());
        Ok(found)
    }

    fn found(&mut self, (stones, ko): Position) -> Told<[KoWall; 2]> {
        match (ko, self.threats) {
            (Ko::Ban(bans), Threats::Komaster(master)) => {
                let other = master.opponent();
                let moves = self.ground.moves(stones, other, bans)?;
                let elsewhere = told!(self.walls((stones, Ko::Duty(bans)))?)[master as usize].clone();
                let here = match moves.is_empty() {
                    true => elsewhere,
                    false => {
                        let here = told!(self.scaffold(stones, other, &moves, bans)?);
                        told!(here.extreme(&elsewhere, better(other)))
                    }
                };
                Ok(Some([here.clone(), here]))
            }
            (Ko::Held(bans) | Ko::Duty(bans), Threats::Komaster(master)) => {
                let moves = self.ground.moves(stones, master, 0)?;
                let here = match moves.is_empty() {
                    true => None,
                    false => Some(told!(self.scaffold(stones, master, &moves, bans)?)),
                };
                let wall = match here {
                    Some(here) if matches!(ko, Ko::Duty(_)) => here,
                    here => {
                        let elsewhere =
                            told!(self.walls((stones, Ko::None))?)[master.opponent() as usize].clone();
                        match here {
                            Some(here) => told!(here.extreme(&elsewhere, better(master))),
                            None => elsewhere,
                        }
                    }
                };
                Ok(Some([wall.clone(), wall]))
            }
            _ => {
                let (points, open) = self.ground.end(stones)?;
                let points = Fraction::integer(points);
                if open == 0 {
                    return Ok(Some([KoWall::level(points), KoWall::level(points)]));
                }
                let mut scaffolds = [None, None];
                for player in Player::BOTH {
                    let moves = self.ground.moves(stones, player, 0)?;
                    if !moves.is_empty() {
                        scaffolds[player as usize] = Some(told!(self.scaffold(stones, player, &moves, 0)?));
                    }
                }
                Ok(walls([scaffolds[0].as_ref(), scaffolds[1].as_ref()], points))
            }
        }
    }

    /// The best of what moves of a player lead to, less their price, where some points may not be taken back.
    fn scaffold(&mut self, stones: [u64; 2], player: Player, moves: &[Move], bans: u64) -> Told<KoWall> {
        let mut best: Option<KoWall> = None;
        for mv in moves {
            self.has_several |= bans != 0 && mv.ko.is_some();
            let bans = if self.keeps_bans { bans } else { 0 };
            let ko = match (mv.ko, self.threats) {
                (Some(point), Threats::Komaster(master)) if master == player => Ko::Ban(bans | 1 << point),
                (Some(_), Threats::Komaster(_)) if bans != 0 => Ko::Held(bans),
                _ => Ko::None,
            };
            let wall = match (mv.ko, self.threats) {
                (Some(_), Threats::Neutral) => told!(self.fought(stones, player, mv)?),
                _ => told!(self.walls((mv.stones, ko))?)[player.opponent() as usize].clone(),
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
        let moves = self.ground.moves(taken.stones, other, taken.ko.map_or(0, |point| 1 << point))?;
        let moves: Vec<Move> = moves.into_iter().filter(|mv| mv.ko.is_none()).collect();
        if !moves.is_empty() {
            let here = told!(self.scaffold(taken.stones, other, &moves, 0)?);
            best = told!(best.extreme(&here, better(other)));
        }
        Ok(Some(best))
    }

    /// The best that a player's moves other than in a ko lead to, before their price.
    fn going_on(&mut self, stones: [u64; 2], player: Player) -> Told<KoWall> {
        let moves = self.ground.moves(stones, player, 0)?;
        let moves: Vec<Move> = moves.into_iter().filter(|mv| mv.ko.is_none()).collect();
        let paid = told!(self.scaffold(stones, player, &moves, 0)?);
        Ok(paid.plus(Fraction::ZERO, price(player.opponent())))
    }
}

impl<'a, 's> Ground<'a, 's> {
    pub fn new(search: &'a mut LocalSearch<'s>, area: &'a Area, scoring: Scoring) -> Self {
        Ground { search, area, scoring, ends: FxHashMap::default() }
    }

    /// The legal moves of a player where something is not settled, but for some points.
    pub fn moves(&mut self, stones: [u64; 2], player: Player, bans: u64) -> Result<Vec<Move>, LocalFailure> {
        let (_, open) = self.end(stones)?;
        let area = self.area;
        let mut moves = vec![];
        for point in bits(open & !stones[0] & !stones[1] & !bans) {
            let Some((after, captured)) = area.place_stone(stones, player, point) else { continue };
            let alone = area.neighbours(point) & after[player as usize] == 0;
            let liberties = area.neighbours(point) & !after[0] & !after[1];
            let is_ko = captured.count_ones() == 1
                && alone
                && liberties == captured
                && area.walls(player) >> point & 1 == 0;
            let gain = if self.scoring == Scoring::Area { 0 } else { i64::from(captured.count_ones()) };
            moves.push(Move {
                point,
                stones: after,
                gain: sign(player) * gain,
                ko: is_ko.then(|| captured.trailing_zeros() as usize),
            });
        }
        Ok(moves)
    }

    /// What a position counts if nobody moves any more, and the points that are not settled.
    pub fn end(&mut self, stones: [u64; 2]) -> Result<(i64, u64), LocalFailure> {
        if let Some(&known) = self.ends.get(&stones) {
            return Ok(known);
        }
        let here = self.area.with_stones(stones);
        let end = match self.scoring {
            Scoring::Area => {
                let stones = here.stone_difference() - self.area.stone_difference();
                (here.surrounded_difference() + stones, self.area.all())
            }
            _ => self.search.settled_points(&here)?,
        };
        self.ends.insert(stones, end);
        Ok(end)
    }
}

fn sign(player: Player) -> i64 {
    if player == Player::Left { 1 } else { -1 }
}
