//! The shape of a canonical form: how deep, how large, of what kind.

use std::collections::VecDeque;
use std::fmt;

use num_bigint::{BigInt, BigUint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::{Halt, Limit};
use crate::dyadic::Dyadic;
use crate::kernel::{Kernel, deeper};
use crate::player::Player;
use crate::stopkey::StopKey;
use crate::value::{NumberUpStar, Value};

/// Closed forms longer than this are not played through move by move.
const MAX_MOVES: u32 = 1 << 16;

/// The positions that can be reached from a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followers {
    /// Each canonical form once, the game itself first, nearer ones before farther ones.
    pub values: Vec<Value>,
    /// Whether these are all of them.
    pub complete: bool,
}

/// Whether all plays of a game take an even or an odd number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parity {
    /// All options are odd.
    Even,
    /// All options are even.
    Odd,
}

/// What a value is, the first of these that fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// An integer.
    Integer,
    /// A dyadic rational that is no integer.
    Number,
    /// A nimber other than 0.
    Nimber,
    /// A multiple of up plus a nimber.
    UpStar,
    /// A number plus a multiple of up plus a nimber.
    NumberUpStar,
    /// A sum of a number, powers of up and a nimber.
    Uptimal,
    /// Tiny(G).
    Tiny,
    /// Miny(G).
    Miny,
    /// An infinitesimal in which both players can move or none, in every position.
    AllSmall,
    /// Smaller than every positive number and greater than every negative one.
    Infinitesimal,
    /// A number plus an infinitesimal.
    Numberish,
    /// `{x|y}` with numbers `x > y`.
    Switch,
    /// The Left stop is greater than the Right stop.
    Hot,
    /// `on` or `off` occurs in it.
    OnOff,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Nimber => "nimber",
            Kind::UpStar => "ups and star",
            Kind::NumberUpStar => "number, ups and star",
            Kind::Uptimal => "uptimal",
            Kind::Tiny => "tiny",
            Kind::Miny => "miny",
            Kind::AllSmall => "all-small",
            Kind::Infinitesimal => "infinitesimal",
            Kind::Numberish => "number plus infinitesimal",
            Kind::Switch => "switch",
            Kind::Hot => "hot",
            Kind::OnOff => "with on or off",
        })
    }
}

impl Kernel<'_> {
    /// Whether the value can be played through move by move, apart from integers in it.
    pub(crate) fn check_size(&self, value: Value) -> Result<(), Halt> {
        let fits = value.is_packed()
            || self.as_number_up_star(value).is_none_or(|parts| {
                parts.ups.unsigned_abs() <= u64::from(MAX_MOVES)
                    && parts.star <= MAX_MOVES
                    && parts.number.exponent() <= MAX_MOVES
            });
        if fits { Ok(()) } else { Err(Halt::TooLarge(Limit::Moves)) }
    }

    /// The same, integers included.
    pub(crate) fn check_size_with_integers(&self, value: Value) -> Result<(), Halt> {
        let fits = self
            .as_number_up_star(value)
            .is_none_or(|parts| parts.number.abs() <= Dyadic::from(i64::from(MAX_MOVES)));
        if fits { self.check_size(value) } else { Err(Halt::TooLarge(Limit::Moves)) }
    }

    fn both_options(&self, value: Value) -> impl Iterator<Item = Value> + '_ {
        Player::BOTH.into_iter().flat_map(move |player| self.options(value, player))
    }

    /// The birthday: the depth of the canonical form. `on` and `off` count as 0 deep.
    pub fn birthday(&self, value: Value) -> Result<BigUint, Halt> {
        self.birthday_with(value, &mut FxHashMap::default())
    }

    fn birthday_with(&self, value: Value, memo: &mut FxHashMap<Value, BigUint>) -> Result<BigUint, Halt> {
        if let Some(parts) = self.as_number_up_star(value) {
            return Ok(birthday_of(&parts));
        }
        if value == Value::ON || value == Value::OFF {
            return Ok(BigUint::ZERO);
        }
        if let Some(known) = memo.get(&value) {
            return Ok(known.clone());
        }
        self.step()?;
        let mut latest = BigUint::ZERO;
        for option in self.both_options(value) {
            latest = latest.max(deeper(|| self.birthday_with(option, memo))?);
        }
        latest += 1u32;
        memo.insert(value, latest.clone());
        Ok(latest)
    }

    /// How many different positions a canonical form has, itself and the end included.
    pub fn subpositions(&self, value: Value) -> Result<BigUint, Halt> {
        // An integer n has the positions 0..=n: the extreme ones tell how many integers there are.
        let mut integers: Option<(Dyadic, Dyadic)> = None;
        let mut seen = FxHashSet::default();
        let mut unseen = vec![value];
        while let Some(next) = unseen.pop() {
            if let Some(n) = self.as_number(next).filter(Dyadic::is_integer) {
                let (low, high) = integers.take().unwrap_or_default();
                integers = Some((low.min(n.clone()), high.max(n)));
            } else if seen.insert(next) {
                self.step()?;
                self.check_size(next)?;
                unseen.extend(self.both_options(next));
            }
        }
        let integers = integers.map_or(BigInt::ZERO, |(low, high)| (high - low).numerator() + 1);
        Ok(integers.magnitude() + seen.len())
    }

    /// The positions that can be reached from a value, at most `limit` of them.
    pub fn followers(&self, value: Value, limit: usize) -> Result<Followers, Halt> {
        let mut seen = FxHashSet::from_iter([value]);
        let mut queue = VecDeque::from([value]);
        let mut values = vec![];
        while let Some(next) = queue.pop_front() {
            if values.len() == limit {
                return Ok(Followers { values, complete: false });
            }
            self.step()?;
            values.push(next);
            // No more can be listed than the limit, so that a nimber's options do not fill the memory.
            for option in self.both_options(next) {
                if seen.len() > limit {
                    break;
                }
                if seen.insert(option) {
                    queue.push_back(option);
                }
            }
        }
        Ok(Followers { values, complete: true })
    }

    /// How many nodes the canonical form has when it is written out as a tree. `on` and `off` count as one node.
    pub fn tree_nodes(&self, value: Value) -> Result<BigUint, Halt> {
        self.tree_nodes_with(value, &mut FxHashMap::default())
    }

    fn tree_nodes_with(&self, value: Value, memo: &mut FxHashMap<Value, BigUint>) -> Result<BigUint, Halt> {
        if value == Value::ON || value == Value::OFF {
            return Ok(BigUint::from(1u32));
        }
        if let Some(n) = self.as_number(value).filter(Dyadic::is_integer) {
            return Ok(n.numerator().magnitude() + 1u32);
        }
        if let Some(m) = self.as_nimber(value) {
            // *m has m options on each side: t(m) = 1 + 2 (t(0) + ... + t(m-1)) = 3^m.
            return if m <= MAX_MOVES {
                Ok(BigUint::from(3u32).pow(m))
            } else {
                Err(Halt::TooLarge(Limit::Moves))
            };
        }
        if let Some(known) = memo.get(&value) {
            return Ok(known.clone());
        }
        self.step()?;
        self.check_size(value)?;
        let mut nodes = BigUint::from(1u32);
        for option in self.both_options(value) {
            nodes += deeper(|| self.tree_nodes_with(option, memo))?;
        }
        memo.insert(value, nodes.clone());
        Ok(nodes)
    }

    /// Whether a value is smaller than every positive number and greater than every negative one.
    pub fn is_infinitesimal(&self, value: Value) -> bool {
        // The key of 0 is exact.
        let zero = StopKey::of_scaled(0);
        self.store.stop_keys(value) == (zero, zero)
    }

    /// Whether in every position of a value both players can move or none.
    pub fn is_all_small(&self, value: Value) -> bool {
        self.store.is_all_small(value)
    }

    /// Whether a value is a number plus an infinitesimal (which may be 0).
    pub fn is_numberish(&self, value: Value) -> Result<bool, Halt> {
        Ok(self.number_close_to(value)?.is_some())
    }

    /// Whether `on` and `off` occur nowhere in a value.
    pub fn is_short(&self, value: Value) -> bool {
        !self.store.has_on_or_off(value)
    }

    /// Whether the canonical form is even (0 is, and games with odd options only) or odd, if it is one of them
    /// (Berlekamp and Wolfe, Mathematical Go, 1994).
    pub fn parity(&self, value: Value) -> Result<Option<Parity>, Halt> {
        self.parity_with(value, &mut FxHashMap::default())
    }

    fn parity_with(
        &self,
        value: Value,
        memo: &mut FxHashMap<Value, Option<Parity>>,
    ) -> Result<Option<Parity>, Halt> {
        if let Some(x) = self.as_number(value) {
            // 1/2 = {0|1} has options of both kinds, and other fractions have an option that is neither.
            let parity = if x.numerator().bit(0) { Parity::Odd } else { Parity::Even };
            return Ok(x.is_integer().then_some(parity));
        }
        if value == Value::ON || value == Value::OFF {
            return Ok(None);
        }
        if let Some(&known) = memo.get(&value) {
            return Ok(known);
        }
        self.step()?;
        self.check_size(value)?;
        let mut of_options = None;
        let mut agree = true;
        for option in self.both_options(value) {
            let parity = deeper(|| self.parity_with(option, memo))?;
            agree = agree && parity.is_some() && (of_options.is_none() || of_options == parity);
            if !agree {
                break;
            }
            of_options = parity;
        }
        let parity = of_options.filter(|_| agree).map(|parity| match parity {
            Parity::Even => Parity::Odd,
            Parity::Odd => Parity::Even,
        });
        memo.insert(value, parity);
        Ok(parity)
    }

    /// What a value is.
    pub fn kind(&self, value: Value) -> Result<Kind, Halt> {
        if !self.is_short(value) {
            return Ok(Kind::OnOff);
        }
        if let Some(parts) = self.as_number_up_star(value) {
            return Ok(match (parts.number.is_zero(), parts.ups, parts.star) {
                (_, 0, 0) if parts.number.is_integer() => Kind::Integer,
                (_, 0, 0) => Kind::Number,
                (true, 0, _) => Kind::Nimber,
                (true, _, _) => Kind::UpStar,
                (false, _, _) => Kind::NumberUpStar,
            });
        }
        let numberish = self.is_numberish(value)?;
        if numberish && self.as_uptimal(value)?.is_some() {
            return Ok(Kind::Uptimal);
        }
        if self.as_tiny(value)?.is_some() {
            return Ok(Kind::Tiny);
        }
        if self.as_miny(value)?.is_some() {
            return Ok(Kind::Miny);
        }
        let is_switch = Player::BOTH
            .into_iter()
            .all(|p| self.only_option(value, p).is_some_and(|option| self.is_number(option)));
        Ok(match () {
            () if self.is_all_small(value) => Kind::AllSmall,
            () if self.is_infinitesimal(value) => Kind::Infinitesimal,
            () if numberish => Kind::Numberish,
            () if is_switch => Kind::Switch,
            () => Kind::Hot,
        })
    }
}

/// `x + k.up + *m = {x | x + (k-1).up + *(m^1)}` until a nimber on top of `x` is left.
fn birthday_of(parts: &NumberUpStar) -> BigUint {
    let NumberUpStar { number, ups, star } = parts;
    let whole = number.abs().floor().numerator().magnitude().clone();
    let fraction = if number.exponent() == 0 { 0 } else { number.exponent() + 1 };
    let steps = ups.unsigned_abs();
    let nimber = match (steps, star ^ (steps & 1) as u32) {
        (0, star) => star,
        // ^* = {0,*|0} has an option that is further from the end than 0.
        (_, 0) => 1,
        (_, last) => last,
    };
    whole + fraction + steps + nimber
}
