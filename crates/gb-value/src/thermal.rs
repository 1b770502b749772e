//! Temperature: thermographs, and the operations that make games colder and hotter.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::error::ValueError;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left};
use crate::stopkey::StopKey;
use crate::thermograph::Thermograph;
use crate::value::{NumberUpStar, Value};

type Values = SmallVec<[Value; 16]>;
type Memo = FxHashMap<Value, Value>;

/// Where play ends if both players stop as soon as a number is reached.
/// The order is that of the values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PlayStop {
    /// In `off`.
    Off,
    /// In a number.
    Number(Dyadic),
    /// In `on`.
    On,
}

impl fmt::Display for PlayStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayStop::Number(x) => x.fmt(f),
            PlayStop::On => f.write_str("on"),
            PlayStop::Off => f.write_str("off"),
        }
    }
}

/// What overheating does to a value: the unit that integers are multiples of, and the heat of a move.
struct Oven {
    /// `None`: numbers stay what they are.
    unit: Option<Value>,
    heat: Value,
    minus_heat: Value,
}

impl Kernel<'_> {
    /// The Left stop (`first` is Left) or the Right stop.
    pub fn play_stop(&self, value: Value, first: Player) -> Result<PlayStop, Halt> {
        Ok(match self.stop(value, first)? {
            Some(number) => PlayStop::Number(number),
            None => {
                let (left, right) = self.store.stop_keys(value);
                let key = if first == Left { left } else { right };
                if key == StopKey::ON { PlayStop::On } else { PlayStop::Off }
            }
        })
    }

    /// The thermograph. Only short games have one.
    pub fn thermograph(&self, value: Value) -> Result<Arc<Thermograph>, ValueError> {
        if self.store.has_on_or_off(value) {
            return Err(ValueError::NotShort("the thermograph"));
        }
        Ok(Arc::new(self.thermograph_of_short(value)?.clone()))
    }

    fn thermograph_of_short(&self, value: Value) -> Result<&Thermograph, Halt> {
        if let Some(place) = self.store.thermograph_places.get(value) {
            return Ok(&self.store.thermographs[place as usize]);
        }
        self.step()?;
        let graph = match self.as_number_up_star(value) {
            Some(parts) => of_number_up_star(&parts),
            None => deeper(|| -> Result<Thermograph, Halt> {
                let mut lists: [SmallVec<[&Thermograph; 16]>; 2] = Default::default();
                for (list, player) in lists.iter_mut().zip(Player::BOTH) {
                    for option in self.options(value, player) {
                        list.push(self.thermograph_of_short(option)?);
                    }
                }
                let [lefts, rights] = lists;
                Ok(Thermograph::of_options(lefts, rights))
            })?,
        };
        let place = self.store.thermographs.push(graph);
        self.store.thermograph_places.set(value, place as u32, size_of::<Thermograph>() + 1);
        Ok(&self.store.thermographs[place])
    }

    /// The mean: what many copies of the game are worth, per copy.
    pub fn mean(&self, value: Value) -> Result<Dyadic, ValueError> {
        Ok(self.thermograph(value)?.mean().clone())
    }

    /// The temperature: the tax on a move above which nobody wants to move. Negative for numbers.
    pub fn temperature(&self, value: Value) -> Result<Dyadic, ValueError> {
        Ok(self.thermograph(value)?.temperature())
    }

    /// `G` cooled by `t > -1`: the mean if `t` is above the temperature, otherwise `{G^L_t - t | G^R_t + t}`.
    ///
    /// At the temperature itself the result is the mean plus an infinitesimal, in which the particle that a game freezes
    /// to is kept (Winning Ways, chapter 6). Below 0 integers are fixed, and other numbers become hot (Siegel,
    /// Combinatorial Game Theory, 2013, section II.5).
    pub fn cool(&self, value: Value, by: &Dyadic) -> Result<Value, ValueError> {
        if self.store.has_on_or_off(value) {
            return Err(ValueError::NotShort("cooling"));
        }
        if *by <= Dyadic::integer(-1) {
            return Err(ValueError::ColdBelowMinusOne);
        }
        if by.is_zero() {
            return Ok(value);
        }
        let taxes = [self.number(&-by), self.number(by)];
        Ok(self.cool_with(value, by, taxes, &mut Memo::default())?)
    }

    fn cool_with(
        &self,
        value: Value,
        by: &Dyadic,
        taxes: [Value; 2],
        memo: &mut Memo,
    ) -> Result<Value, Halt> {
        if self.as_number(value).is_some_and(|number| by.signum() > 0 || number.is_integer()) {
            return Ok(value);
        }
        if let Some(&known) = memo.get(&value) {
            return Ok(known);
        }
        self.step()?;
        let graph = self.thermograph_of_short(value)?;
        let cooled = if *by > graph.temperature() {
            self.number(graph.mean())
        } else {
            self.check_size(value)?;
            let mut lists = [Values::new(), Values::new()];
            for ((list, player), tax) in lists.iter_mut().zip(Player::BOTH).zip(taxes) {
                for option in self.options(value, player) {
                    let option = deeper(|| self.cool_with(option, by, taxes, memo))?;
                    list.push(self.add(option, tax)?);
                }
            }
            self.from_options(&lists[0], &lists[1])?
        };
        memo.insert(value, cooled);
        Ok(cooled)
    }

    /// `G` cooled by its temperature: its mean plus an infinitesimal. Numbers stay what they are.
    pub fn freeze(&self, value: Value) -> Result<Value, ValueError> {
        match self.temperature(value)? {
            t if t.signum() > 0 => self.cool(value, &t),
            _ => Ok(value),
        }
    }

    /// `G` cooled by 1.
    pub fn chill(&self, value: Value) -> Result<Value, ValueError> {
        self.cool(value, &Dyadic::ONE)
    }

    /// `G` heated by any game `t`: numbers stay, and otherwise it is `{heat(G^L) + t | heat(G^R) - t}`.
    ///
    /// Undoes cooling by a number `t`. Neither additive nor order preserving in general; it depends on the form, which
    /// is the canonical one (Winning Ways, chapter 6).
    pub fn heat(&self, value: Value, by: Value) -> Result<Value, ValueError> {
        self.bake(value, None, by, "heating")
    }

    /// `G` overheated from `s` to `t`: an integer n becomes n copies of `s`, and otherwise it is
    /// `{ov(G^L) + t | ov(G^R) - t}` (E. Berlekamp, Blockbusting and Domineering, 1988). Depends on the form, which is
    /// the canonical one.
    pub fn overheat(&self, value: Value, from: Value, to: Value) -> Result<Value, ValueError> {
        self.bake(value, Some(from), to, "overheating")
    }

    /// `G` warmed: overheated from `1*` to `1`.
    ///
    /// Undoes chilling for the even positions of the Go endgame (E. Berlekamp and D. Wolfe, Mathematical Go, 1994,
    /// section 3.5).
    pub fn warm(&self, value: Value) -> Result<Value, ValueError> {
        let one_star = self.add(Value::ONE, Value::STAR)?;
        self.bake(value, Some(one_star), Value::ONE, "warming")
    }

    fn bake(
        &self,
        value: Value,
        unit: Option<Value>,
        heat: Value,
        what: &'static str,
    ) -> Result<Value, ValueError> {
        if [Some(value), unit, Some(heat)].into_iter().flatten().any(|v| self.store.has_on_or_off(v)) {
            return Err(ValueError::NotShort(what));
        }
        let oven = Oven { unit, heat, minus_heat: self.neg(heat)? };
        Ok(self.bake_with(value, &oven, &mut Memo::default())?)
    }

    fn bake_with(&self, value: Value, oven: &Oven, memo: &mut Memo) -> Result<Value, Halt> {
        match oven.unit {
            None if self.is_number(value) => return Ok(value),
            None => {}
            Some(unit) => {
                if let Some(copies) = self.copies(value, unit) {
                    return copies;
                }
            }
        }
        if let Some(&known) = memo.get(&value) {
            return Ok(known);
        }
        self.step()?;
        self.check_size(value)?;
        let mut lists = [Values::new(), Values::new()];
        let heats = [oven.heat, oven.minus_heat];
        for ((list, player), heat) in lists.iter_mut().zip(Player::BOTH).zip(heats) {
            for option in self.options(value, player) {
                let option = deeper(|| self.bake_with(option, oven, memo))?;
                list.push(self.add(option, heat)?);
            }
        }
        let baked = self.from_options(&lists[0], &lists[1])?;
        memo.insert(value, baked);
        Ok(baked)
    }
}

/// The thermograph of a number-up-star that is no number, without playing it through.
///
/// The number alone is the best option of a player who has it, and what the other one does with his options `k.up + *m`
/// leads to only two cases: the walls of `x + *`, which `x + *m` and `x + ^*` have too, and those of `x + ^`.
fn of_number_up_star(parts: &NumberUpStar) -> Thermograph {
    let number = Thermograph::of_number(&parts.number);
    if parts.ups == 0 && parts.star == 0 {
        return number;
    }
    let star = Thermograph::of_options([&number], [&number]);
    match (parts.ups, parts.star) {
        (0, _) | (1 | -1, 1) => star,
        (1.., _) => Thermograph::of_options([&number], [&star]),
        (..0, _) => Thermograph::of_options([&star], [&number]),
    }
}
