//! From options to the canonical form: dominated options go, reversible ones are bypassed, until nothing changes.

use smallvec::SmallVec;

use crate::budget::Stop;
use crate::dyadic::Dyadic;
use crate::fingerprint::Fingerprint;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left, Right};
use crate::stopkey::StopKey;
use crate::value::{NumberUpStar, Value};

type Values = SmallVec<[Value; 16]>;

/// A game that is no number and not yet in canonical form. Its value never changes while it is simplified.
struct Raw<'r> {
    lefts: &'r [Value],
    rights: &'r [Value],
    stops: (StopKey, StopKey),
    fingerprint: Fingerprint,
    has_on_or_off: bool,
}

impl Kernel<'_> {
    /// The value of the game with these options.
    pub fn from_options(&self, lefts: &[Value], rights: &[Value]) -> Result<Value, Stop> {
        self.step()?;
        if let Some(number) = self.simplest_number(lefts, rights)? {
            return Ok(self.number(&number));
        }
        let lefts = self.undominated(lefts, Left)?;
        let rights = self.undominated(rights, Right)?;
        let raw = self.raw(&lefts, &rights);
        self.raw_memo.borrow_mut().clear();
        let mut new_lefts = self.bypass_reversible(&raw, Left)?;
        let mut new_rights = self.bypass_reversible(&raw, Right)?;
        if self.raw_memo.borrow().capacity() > 1 << 12 {
            self.raw_memo.take();
        }
        let (stops, fingerprint) = (raw.stops, raw.fingerprint);
        self.intern_simplified(&mut new_lefts, &mut new_rights, stops, fingerprint)
    }

    /// The value with these options, which are known to form a canonical form that is no number.
    pub(crate) fn intern_canonical(&self, lefts: &mut Values, rights: &mut Values) -> Result<Value, Stop> {
        let raw = self.raw(lefts, rights);
        let (stops, fingerprint) = (raw.stops, raw.fingerprint);
        self.intern_simplified(lefts, rights, stops, fingerprint)
    }

    fn intern_simplified(
        &self,
        lefts: &mut Values,
        rights: &mut Values,
        stops: (StopKey, StopKey),
        fingerprint: Fingerprint,
    ) -> Result<Value, Stop> {
        lefts.sort_unstable();
        rights.sort_unstable();
        match (lefts.as_slice(), rights.as_slice()) {
            ([Value::ON], []) => return Ok(Value::ON),
            ([], [Value::OFF]) => return Ok(Value::OFF),
            _ => {}
        }
        if let Some(value) = self.recognise_number_up_star(lefts, rights) {
            return Ok(value);
        }
        self.store.intern(lefts, rights, stops, fingerprint)
    }

    fn raw<'r>(&self, lefts: &'r [Value], rights: &'r [Value]) -> Raw<'r> {
        let left_stop = lefts.iter().map(|&v| self.store.stop_keys(v).1).max().unwrap_or(StopKey::OFF);
        let right_stop = rights.iter().map(|&v| self.store.stop_keys(v).0).min().unwrap_or(StopKey::ON);
        let zero = StopKey::of_scaled(0);
        let fingerprint = if right_stop > zero {
            Fingerprint::HIGH
        } else if left_stop < zero {
            Fingerprint::LOW
        } else {
            let above = lefts.iter().fold(0, |set, &v| set | self.store.fingerprint(v).above);
            let below = rights.iter().fold(0, |set, &v| set | self.store.fingerprint(v).below);
            Fingerprint::of_options(above, below)
        };
        let has_on_or_off = lefts.iter().chain(rights).any(|&v| self.store.has_on_or_off(v));
        Raw { lefts, rights, stops: (left_stop, right_stop), fingerprint, has_on_or_off }
    }

    /// The number that the game with these options equals, if it equals one.
    ///
    /// It does if and only if some number x has `G^L <| x <| G^R` for all options, and then it equals the simplest such x.
    /// All x strictly between the greatest Right stop of a Left option and the least Left stop of a Right option do; the
    /// ends themselves have to be tried.
    fn simplest_number(&self, lefts: &[Value], rights: &[Value]) -> Result<Option<Dyadic>, Stop> {
        let low_key = lefts.iter().map(|&v| self.store.stop_keys(v).1).max().unwrap_or(StopKey::OFF);
        let high_key = rights.iter().map(|&v| self.store.stop_keys(v).0).min().unwrap_or(StopKey::ON);
        if low_key > high_key || low_key == StopKey::ON || high_key == StopKey::OFF {
            return Ok(None);
        }
        if low_key == high_key
            && let Some(x) = low_key.number()
        {
            // The usual case: one candidate, and some option reaches it.
            let no =
                self.some_option_reaches(lefts, &x, Left)? || self.some_option_reaches(rights, &x, Right)?;
            return Ok(if no { None } else { Some(x) });
        }
        let low = self.extreme_stop(lefts, Right)?;
        let high = self.extreme_stop(rights, Left)?;
        let (mut low_open, mut high_open) = (false, false);
        loop {
            let Some(x) = Dyadic::simplest_between(low.as_ref(), low_open, high.as_ref(), high_open) else {
                return Ok(None);
            };
            if low.as_ref() == Some(&x) && self.some_option_reaches(lefts, &x, Left)? {
                low_open = true;
            } else if high.as_ref() == Some(&x) && self.some_option_reaches(rights, &x, Right)? {
                high_open = true;
            } else {
                return Ok(Some(x));
            }
        }
    }

    /// The greatest Right stop of Left options, or the least Left stop of Right options: `None` if there is none.
    fn extreme_stop(&self, options: &[Value], which: Player) -> Result<Option<Dyadic>, Stop> {
        let mut extreme: Option<Dyadic> = None;
        for &option in options {
            if let Some(stop) = self.stop(option, which)? {
                let better =
                    extreme.as_ref().is_none_or(|e| if which == Right { stop > *e } else { stop < *e });
                if better {
                    extreme = Some(stop);
                }
            }
        }
        Ok(extreme)
    }

    /// Whether some Left option is `>= x` (or some Right option `<= x`), so that the game is not x.
    fn some_option_reaches(&self, options: &[Value], x: &Dyadic, player: Player) -> Result<bool, Stop> {
        let x = self.number(x);
        for &option in options {
            let reaches = if player == Left { self.le(x, option)? } else { self.le(option, x)? };
            if reaches {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The Left or the Right stop of a value: the number that play ends in when that player begins. `None` if it is
    /// `on` or `off`.
    pub fn stop(&self, value: Value, first: Player) -> Result<Option<Dyadic>, Stop> {
        let (left, right) = self.store.stop_keys(value);
        let key = if first == Left { left } else { right };
        if key == StopKey::ON || key == StopKey::OFF {
            return Ok(None);
        }
        if let Some(number) = key.number() {
            return Ok(Some(number));
        }
        if let Some(parts) = self.as_number_up_star(value) {
            return Ok(Some(parts.number));
        }
        // Only a neighbourhood is stored: look among the options with the same key.
        self.step()?;
        let mut extreme: Option<Dyadic> = None;
        for option in self.options(value, first) {
            let (l, r) = self.store.stop_keys(option);
            if (if first == Left { r } else { l }) == key {
                let Some(stop) = deeper(|| self.stop(option, first.opponent()))? else { continue };
                let better =
                    extreme.as_ref().is_none_or(|e| if first == Left { stop > *e } else { stop < *e });
                if better {
                    extreme = Some(stop);
                }
            }
        }
        Ok(extreme)
    }

    /// Whether `player` likes `a` at least as much as `b`.
    fn at_least_as_good(&self, a: Value, b: Value, player: Player) -> Result<bool, Stop> {
        if player == Left { self.le(b, a) } else { self.le(a, b) }
    }

    /// The options that are not dominated by another one, each once.
    pub(crate) fn undominated(&self, options: &[Value], player: Player) -> Result<Values, Stop> {
        let mut sorted: Values = options.into();
        sorted.sort_unstable();
        sorted.dedup();
        let mut kept = Values::new();
        for option in sorted {
            self.add_undominated(&mut kept, option, player)?;
        }
        Ok(kept)
    }

    /// Adds an option to a list without dominated options, and tells whether it stayed.
    fn add_undominated(&self, kept: &mut Values, option: Value, player: Player) -> Result<bool, Stop> {
        let mut i = 0;
        while i < kept.len() {
            if self.at_least_as_good(kept[i], option, player)? {
                return Ok(false);
            }
            if self.at_least_as_good(option, kept[i], player)? {
                kept.swap_remove(i);
            } else {
                i += 1;
            }
        }
        kept.push(option);
        Ok(true)
    }

    /// Replaces every reversible option: for Left, an option with a reply `G^LR <= G`, by the Left options of that reply.
    fn bypass_reversible(&self, raw: &Raw<'_>, player: Player) -> Result<Values, Stop> {
        let mut unchecked: Values = if player == Left { raw.lefts } else { raw.rights }.into();
        let mut kept = Values::new();
        while let Some(option) = unchecked.pop() {
            match self.reversing_reply(raw, option, player)? {
                None => kept.push(option),
                Some(reply) => {
                    for next in self.options(reply, player) {
                        if !self.is_dominated_by(&kept, next, player)?
                            && self.add_undominated(&mut unchecked, next, player)?
                        {
                            let mut i = 0;
                            while i < kept.len() {
                                if self.at_least_as_good(next, kept[i], player)? {
                                    kept.swap_remove(i);
                                } else {
                                    i += 1;
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(kept)
    }

    fn is_dominated_by(&self, kept: &[Value], option: Value, player: Player) -> Result<bool, Stop> {
        for &other in kept {
            if self.at_least_as_good(other, option, player)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reversing_reply(&self, raw: &Raw<'_>, option: Value, player: Player) -> Result<Option<Value>, Stop> {
        for reply in self.options(option, player.opponent()) {
            let reverses = if player == Left { self.le_raw(reply, raw)? } else { self.raw_le(raw, reply)? };
            if reverses {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// `x <= G` for the game under construction.
    fn le_raw(&self, x: Value, raw: &Raw<'_>) -> Result<bool, Stop> {
        let header = self.store.header(x);
        let ((x_left, x_right), (left, right)) = (header.stops(), raw.stops);
        if x_left > left || x_right > right {
            return Ok(false);
        }
        if x_left < right {
            return Ok(true);
        }
        if let Some(answer) = header.fingerprint().le(raw.fingerprint) {
            return Ok(answer);
        }
        self.with_raw_memo(x, true, || {
            if raw.has_on_or_off && self.store.has_on_or_off(x) {
                return self.le_raw_by_survival(x, raw);
            }
            for &right in raw.rights {
                if self.le(right, x)? {
                    return Ok(false);
                }
            }
            if !self.is_number(x) {
                for left in self.options(x, Left) {
                    if self.raw_le(raw, left)? {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })
    }

    /// `G <= x` for the game under construction.
    fn raw_le(&self, raw: &Raw<'_>, x: Value) -> Result<bool, Stop> {
        let header = self.store.header(x);
        let ((x_left, x_right), (left, right)) = (header.stops(), raw.stops);
        if left > x_left || right > x_right {
            return Ok(false);
        }
        if left < x_right {
            return Ok(true);
        }
        if let Some(answer) = raw.fingerprint.le(header.fingerprint()) {
            return Ok(answer);
        }
        self.with_raw_memo(x, false, || {
            if raw.has_on_or_off && self.store.has_on_or_off(x) {
                return self.raw_le_by_survival(raw, x);
            }
            for &left in raw.lefts {
                if self.le(x, left)? {
                    return Ok(false);
                }
            }
            if !self.is_number(x) {
                for right in self.options(x, Right) {
                    if self.le_raw(right, raw)? {
                        return Ok(false);
                    }
                }
            }
            Ok(true)
        })
    }

    fn with_raw_memo(
        &self,
        x: Value,
        below: bool,
        work: impl FnOnce() -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        if let Some(&answer) = self.raw_memo.borrow().get(&(x, below)) {
            return Ok(answer);
        }
        self.step()?;
        let answer = deeper(work)?;
        self.raw_memo.borrow_mut().insert((x, below), answer);
        Ok(answer)
    }

    /// `x <= G` where `on` or `off` occurs in both (see `le_by_survival` in order.rs).
    fn le_raw_by_survival(&self, x: Value, raw: &Raw<'_>) -> Result<bool, Stop> {
        if x == Value::OFF {
            return Ok(true);
        }
        for &right in raw.rights {
            if !self.left_survives_first(x, right)? {
                return Ok(false);
            }
        }
        for left in self.options(x, Left) {
            // Left moves first in G - left.
            let mut survives = false;
            for &own in raw.lefts {
                survives = survives || self.le(left, own)?;
            }
            for reply in self.options(left, Right) {
                survives = survives || self.le_raw(reply, raw)?;
            }
            if !survives {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `G <= x` where `on` or `off` occurs in both.
    fn raw_le_by_survival(&self, raw: &Raw<'_>, x: Value) -> Result<bool, Stop> {
        if x == Value::ON {
            return Ok(true);
        }
        for &left in raw.lefts {
            if !self.left_survives_first(left, x)? {
                return Ok(false);
            }
        }
        for right in self.options(x, Right) {
            // Left moves first in right - G: in `right`, or to a Right option of G.
            let mut survives = false;
            for own in self.options(right, Left) {
                survives = survives || self.raw_le(raw, own)?;
            }
            for &reply in raw.rights {
                survives = survives || self.le(reply, right)?;
            }
            if !survives {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The sum of a number, ups and a star that has these canonical options, if there is one.
    fn recognise_number_up_star(&self, lefts: &[Value], rights: &[Value]) -> Option<Value> {
        let all = |values: &[Value]| -> Option<SmallVec<[NumberUpStar; 4]>> {
            values.iter().map(|&v| self.as_number_up_star(v)).collect()
        };
        let ([first, ..], [_, ..]) = (lefts, rights) else { return None };
        let shape = [lefts.len().min(rights.len()), lefts.len().max(rights.len())];
        if lefts != rights && shape != [1, 1] && shape != [1, 2] {
            return None;
        }
        let number = self.as_number_up_star(*first)?.number;
        let same_number = |parts: &[NumberUpStar]| parts.iter().all(|p| p.number == number);
        if lefts == rights {
            // x + *m has the options x + *0 ... x + *(m-1).
            let mut stars = all(lefts)?;
            stars.sort_unstable_by_key(|p| p.star);
            let complete = stars.iter().enumerate().all(|(i, p)| p.ups == 0 && p.star == i as u32);
            return (complete && same_number(&stars))
                .then(|| self.store.number_up_star(&number, 0, stars.len() as u32));
        }
        for (own, other, sign) in [(lefts, rights, 1), (rights, lefts, -1)] {
            let ([.., _], &[reply]) = (own, other) else { continue };
            if own.len() > 2 {
                continue;
            }
            let (own, reply) = (all(own)?, self.as_number_up_star(reply)?);
            if !same_number(&own) || reply.number != number || own.iter().any(|p| p.ups != 0) {
                continue;
            }
            let stars: SmallVec<[u32; 4]> = own.iter().map(|p| p.star).collect();
            let is_up_star = matches!(stars.as_slice(), [0, 1] | [1, 0]) && reply.ups == 0 && reply.star == 0;
            if is_up_star {
                return Some(self.store.number_up_star(&number, sign, 1));
            }
            // x + k.up + *m = {x | x + (k-1).up + *(m^1)}; the case {x|x} = x* was caught above.
            if stars.as_slice() == [0] && reply.ups * sign >= 0 {
                return Some(self.store.number_up_star(&number, reply.ups + sign, reply.star ^ 1));
            }
        }
        None
    }
}
