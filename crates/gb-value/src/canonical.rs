//! From options to the canonical form: dominated options go, reversible ones are bypassed, until nothing changes.

use smallvec::SmallVec;

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::kernel::{Kernel, deeper};
use crate::player::Player::{self, Left, Right};
use crate::stopkey::StopKey;
use crate::store::Signature;
use crate::value::{NumberUpStar, Value};

type Values = SmallVec<[Value; 16]>;
type Faces = SmallVec<[Signature; 16]>;

/// A game that is no number and not yet in canonical form. Its value never changes while it is simplified.
struct Raw<'r> {
    lefts: &'r [Value],
    rights: &'r [Value],
    signature: Signature,
    has_on_or_off: bool,
}

/// Options of one player with their signatures, each once.
#[derive(Default)]
struct OptionList {
    values: Values,
    signatures: Faces,
}

impl Kernel<'_> {
    /// The value of the game with these options.
    pub fn from_options(&self, lefts: &[Value], rights: &[Value]) -> Result<Value, Halt> {
        self.step()?;
        let (mut left_list, mut right_list) = (OptionList::default(), OptionList::default());
        self.list_options(lefts, Left, &mut left_list);
        self.list_options(rights, Right, &mut right_list);
        let (lefts, rights) = (&mut left_list, &mut right_list);
        if let Some(number) = self.simplest_number(lefts, rights)? {
            return Ok(self.number(&number));
        }
        self.drop_dominated(lefts, Left)?;
        self.drop_dominated(rights, Right)?;
        let signature = Signature::of_options(&lefts.signatures, &rights.signatures);
        let (lefts, rights) = (&lefts.values, &rights.values);
        let has_on_or_off = lefts.iter().chain(rights).any(|&v| self.store.has_on_or_off(v));
        let raw = Raw { lefts, rights, signature, has_on_or_off };
        self.clear_raw_memo();
        let new_lefts = self.bypass_reversible(&raw, Left)?;
        let new_rights = self.bypass_reversible(&raw, Right)?;
        if let Some(new) = new_lefts {
            left_list.values = new;
        }
        if let Some(new) = new_rights {
            right_list.values = new;
        }
        self.intern_simplified(&mut left_list.values, &mut right_list.values, &signature)
    }

    fn clear_raw_memo(&self) {
        let mut memo = self.raw_memo.borrow_mut();
        if memo.capacity() > 1 << 12 {
            *memo = Default::default();
        } else if !memo.is_empty() {
            memo.clear();
        }
    }

    /// The value with these options, for those who have written down the options of a stored value and read them again: they must be
    /// those of a canonical form that is no sum of a number, ups and a nimber. Nothing is compared, which makes this many times as fast as
    /// [`from_options`](Kernel::from_options); with other options the result would be no value.
    pub fn of_canonical_options(&self, lefts: &[Value], rights: &[Value]) -> Result<Value, Halt> {
        self.step()?;
        self.intern_canonical(&mut lefts.into(), &mut rights.into())
    }

    /// The value with these options, which are known to form a canonical form that is no number.
    pub(crate) fn intern_canonical(&self, lefts: &mut Values, rights: &mut Values) -> Result<Value, Halt> {
        let signatures =
            |values: &[Value]| values.iter().map(|&v| self.store.signature(v)).collect::<Faces>();
        let signature = Signature::of_options(&signatures(lefts), &signatures(rights));
        self.intern_simplified(lefts, rights, &signature)
    }

    fn intern_simplified(
        &self,
        lefts: &mut Values,
        rights: &mut Values,
        signature: &Signature,
    ) -> Result<Value, Halt> {
        lefts.sort_unstable();
        rights.sort_unstable();
        match (lefts.as_slice(), rights.as_slice()) {
            ([Value::ON], []) => return Ok(Value::ON),
            ([], [Value::OFF]) => return Ok(Value::OFF),
            _ => {}
        }
        // Of these the stops are equal.
        if signature.stops.0 == signature.stops.1
            && let Some(value) = self.recognise_number_up_star(lefts, rights)
        {
            return Ok(value);
        }
        self.store.intern(lefts, rights, signature, self.budget())
    }

    /// Lists the options with their signatures, each once, in an order in which most are dominated by the first.
    fn list_options(&self, options: &[Value], player: Player, list: &mut OptionList) {
        let mut order: SmallVec<[u64; 32]> = SmallVec::new();
        for &option in options {
            let strength = self.store.strength(option);
            let rank = if player == Left { !strength } else { strength };
            order.push(((rank as u32 ^ 1 << 31) as u64) << 32 | option.0 as u64);
        }
        order.sort_unstable();
        order.dedup();
        for key in order {
            let value = Value(key as u32);
            list.values.push(value);
            list.signatures.push(self.store.signature(value));
        }
    }

    /// The number that the game with these options equals, if it equals one.
    ///
    /// It does if and only if some number x has `G^L <| x <| G^R` for all options, and then it equals the simplest such x.
    /// All x strictly between the greatest Right stop of a Left option and the least Left stop of a Right option do; the
    /// ends themselves have to be tried.
    fn simplest_number(&self, lefts: &OptionList, rights: &OptionList) -> Result<Option<Dyadic>, Halt> {
        let low_key = lefts.signatures.iter().map(|f| f.stops.1).max().unwrap_or(StopKey::OFF);
        let high_key = rights.signatures.iter().map(|f| f.stops.0).min().unwrap_or(StopKey::ON);
        if low_key > high_key || low_key == StopKey::ON || high_key == StopKey::OFF {
            return Ok(None);
        }
        if low_key == high_key
            && let Some(x) = low_key.number()
        {
            // The usual case: one candidate, and some option reaches it.
            let no = lefts.signatures.iter().any(|f| f.reaches(low_key, Left))
                || rights.signatures.iter().any(|f| f.reaches(high_key, Right));
            return Ok(if no { None } else { Some(x) });
        }
        let (lefts, rights) = (lefts.values.as_slice(), rights.values.as_slice());
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
    fn extreme_stop(&self, options: &[Value], which: Player) -> Result<Option<Dyadic>, Halt> {
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
    fn some_option_reaches(&self, options: &[Value], x: &Dyadic, player: Player) -> Result<bool, Halt> {
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
    pub fn stop(&self, value: Value, first: Player) -> Result<Option<Dyadic>, Halt> {
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
    fn at_least_as_good(&self, a: Value, b: Value, player: Player) -> Result<bool, Halt> {
        if player == Left { self.le(b, a) } else { self.le(a, b) }
    }

    /// The options that are not dominated by another one, each once.
    pub(crate) fn undominated(&self, options: &[Value], player: Player) -> Result<Values, Halt> {
        let mut list = OptionList::default();
        self.list_options(options, player, &mut list);
        self.drop_dominated(&mut list, player)?;
        Ok(list.values)
    }

    fn drop_dominated(&self, list: &mut OptionList, player: Player) -> Result<(), Halt> {
        let OptionList { values, signatures } = list;
        let mut kept = 0;
        'options: for next in 0..values.len() {
            self.work(1 + kept as u32 / 8)?;
            let (option, signature) = (values[next], signatures[next]);
            let mut i = 0;
            while i < kept {
                if self.is_at_least_as_good((values[i], &signatures[i]), (option, &signature), player)? {
                    continue 'options;
                }
                if self.is_at_least_as_good((option, &signature), (values[i], &signatures[i]), player)? {
                    kept -= 1;
                    (values[i], signatures[i]) = (values[kept], signatures[kept]);
                } else {
                    i += 1;
                }
            }
            (values[kept], signatures[kept]) = (option, signature);
            kept += 1;
        }
        values.truncate(kept);
        signatures.truncate(kept);
        Ok(())
    }

    /// Whether `player` likes `a` at least as much as `b`, which is another value; both with their signatures.
    #[inline]
    fn is_at_least_as_good(
        &self,
        a: (Value, &Signature),
        b: (Value, &Signature),
        player: Player,
    ) -> Result<bool, Halt> {
        let (low, high) = if player == Left { (b, a) } else { (a, b) };
        match low.1.le(high.1) {
            Some(answer) => Ok(answer),
            None => self.le_beyond_faces(low.0, high.0),
        }
    }

    /// Adds an option to a list without dominated options, and tells whether it stayed.
    fn add_undominated(&self, kept: &mut Values, option: Value, player: Player) -> Result<bool, Halt> {
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
    /// `None` if there is none.
    fn bypass_reversible(&self, raw: &Raw<'_>, player: Player) -> Result<Option<Values>, Halt> {
        let options = if player == Left { raw.lefts } else { raw.rights };
        let mut first = None;
        for (i, &option) in options.iter().enumerate() {
            self.work(1)?;
            if let Some(reply) = self.reversing_reply(raw, option, player)? {
                first = Some((i, reply));
                break;
            }
        }
        let Some((at, reply)) = first else { return Ok(None) };
        let mut kept: Values = options[..at].into();
        let mut unchecked: Values = options[at + 1..].into();
        self.replace_by_options(reply, &mut kept, &mut unchecked, player)?;
        while let Some(option) = unchecked.pop() {
            self.work(1)?;
            match self.reversing_reply(raw, option, player)? {
                None => kept.push(option),
                Some(reply) => self.replace_by_options(reply, &mut kept, &mut unchecked, player)?,
            }
        }
        Ok(Some(kept))
    }

    /// Adds the options of a reversing reply to the unchecked ones, and drops what they dominate.
    fn replace_by_options(
        &self,
        reply: Value,
        kept: &mut Values,
        unchecked: &mut Values,
        player: Player,
    ) -> Result<(), Halt> {
        for next in self.options(reply, player) {
            self.work(1)?;
            if !self.is_dominated_by(kept, next, player)? && self.add_undominated(unchecked, next, player)? {
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
        Ok(())
    }

    fn is_dominated_by(&self, kept: &[Value], option: Value, player: Player) -> Result<bool, Halt> {
        for &other in kept {
            if self.at_least_as_good(other, option, player)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reversing_reply(&self, raw: &Raw<'_>, option: Value, player: Player) -> Result<Option<Value>, Halt> {
        for reply in self.options(option, player.opponent()) {
            // A nimber may have thousands of millions.
            self.work(1)?;
            let reverses = if player == Left { self.le_raw(reply, raw)? } else { self.raw_le(raw, reply)? };
            if reverses {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// `x <= G` for the game under construction.
    fn le_raw(&self, x: Value, raw: &Raw<'_>) -> Result<bool, Halt> {
        if let Some(answer) = self.store.signature(x).le(&raw.signature) {
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
    fn raw_le(&self, raw: &Raw<'_>, x: Value) -> Result<bool, Halt> {
        if let Some(answer) = raw.signature.le(&self.store.signature(x)) {
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
        work: impl FnOnce() -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        if let Some(&answer) = self.raw_memo.borrow().get(&(x, below)) {
            return Ok(answer);
        }
        self.step()?;
        let answer = deeper(work)?;
        self.raw_memo.borrow_mut().insert((x, below), answer);
        Ok(answer)
    }

    /// `x <= G` where `on` or `off` occurs in both (see `le_by_survival` in order.rs).
    fn le_raw_by_survival(&self, x: Value, raw: &Raw<'_>) -> Result<bool, Halt> {
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
    fn raw_le_by_survival(&self, raw: &Raw<'_>, x: Value) -> Result<bool, Halt> {
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
