//! What is seen of a sum without searching it: by inspection, by means and temperatures, and by its summands alone.

use gb_rules::{BoundFeatures, Player, Sign, StaticResult};
use gb_value::{Halt, Value, ValueError};
use smallvec::SmallVec;

use super::super::key::key_of;
use super::super::sum::{Component, State, What, as_whom};
use super::heat::{HEAT_BITS, Heat, winner};
use super::{EVAL, Searcher};

impl<const N: usize> Searcher<'_, N> {
    /// How much a move in a value seems to be worth, as an order score: what it changes the mean by.
    pub(super) fn gain(&self, value: Value, option: Value, who: Player) -> Result<i32, Halt> {
        let (Some(before), Some(after)) = (self.heat(value)?, self.heat(option)?) else { return Ok(0) };
        let gain = after.mean.saturating_sub(before.mean);
        let gain = if who == Player::Left { gain } else { gain.saturating_neg() };
        Ok((gain.saturating_mul((2 * EVAL).into()) >> HEAT_BITS).clamp(-1 << 20, 1 << 20) as i32)
    }

    /// Mean and temperature of a value, unless they are fine or large numbers.
    pub(super) fn heat(&self, value: Value) -> Result<Option<Heat>, Halt> {
        let key = key_of(&value);
        if let Some(&heat) = self.local.heats.borrow().get(key) {
            return Ok(heat);
        }
        if self.many_values && !value.is_packed() {
            return Ok(None);
        }
        let heat = match self.kernel.thermograph(value) {
            Ok(graph) => Heat::of(&graph),
            Err(ValueError::Halt(stop)) => return Err(stop),
            Err(_) => None,
        };
        self.local.heats.borrow_mut().set(key, heat);
        Ok(heat)
    }

    /// Whether the player to move wins, if that is seen at once.
    #[inline]
    pub(super) fn on_sight(
        &self,
        state: &State<N>,
        to_move: Player,
        inspect: bool,
    ) -> Result<Option<bool>, Halt> {
        if state.parts.is_empty() {
            return Ok(Some(self.begins_and_wins(state.value, state.subtrahend, to_move)?));
        }
        if let [part] = state.parts.as_slice()
            && state.value == state.subtrahend
            && let Some(wins) = self.archived(part, to_move)
        {
            return Ok(Some(wins));
        }
        if inspect && self.settings.static_results {
            let features = state.parts.iter().map(|part| self.features(part));
            let features = features.fold(BoundFeatures::default(), BoundFeatures::plus);
            let rest = self.rest(state)?;
            if let StaticResult::Winner(winner) = self.game.static_result(&features, rest, to_move) {
                return Ok(Some(winner == to_move));
            }
            if let Some(wins) = self.by_heat(state, to_move)? {
                return Ok(Some(wins));
            }
        }
        Ok(None)
    }

    /// Whether there are several summands, about each of which something may be known.
    pub(super) fn is_sum(&self, state: &State<N>) -> bool {
        self.settings.summands && (state.parts.len() > 1 || state.value != state.subtrahend)
    }

    /// Whether the player who begins wins a part alone, if that was found at another time.
    fn archived(&self, part: &Component<N>, first: Player) -> Option<bool> {
        match part.what {
            What::Board(board, sign) => self.values.wins(&board, as_whom(first, sign)),
            What::Value(_) => None,
        }
    }

    pub(super) fn features(&self, part: &Component<N>) -> BoundFeatures {
        match part.what {
            What::Board(board, Sign::Plus) => self.game.features(&board),
            What::Board(board, Sign::Minus) => self.game.features(&board).turned(),
            What::Value(_) => BoundFeatures::default(),
        }
    }

    /// Integers around everything but the boards.
    pub(super) fn rest(&self, state: &State<N>) -> Result<(i64, i64), Halt> {
        let (mut low, mut high) = self.integers_around(state.value)?;
        let mut side_by_side = false;
        for part in &state.parts {
            if let What::Value(value) = part.what {
                let (part_low, part_high) = self.integers_around(value)?;
                (low, high) = (low.saturating_add(part_low), high.saturating_add(part_high));
                side_by_side = true;
            }
        }
        if state.subtrahend != Value::ZERO {
            let (rival_low, rival_high) = self.integers_around(state.subtrahend)?;
            (low, high) = (low.saturating_sub(rival_high), high.saturating_sub(rival_low));
        }
        // Only one of several hot values is played in at a time.
        if side_by_side && let Some((mean, temperature)) = self.heat_of_rest(state)? {
            low = low.max(-((temperature - mean) >> HEAT_BITS) - 1);
            high = high.min(((mean + temperature) >> HEAT_BITS) + 1);
        }
        Ok((low, high))
    }

    /// Integers `low <= value <= high`.
    fn integers_around(&self, value: Value) -> Result<(i64, i64), Halt> {
        if value == Value::ZERO {
            return Ok((0, 0));
        }
        // A value lies between its stops, give or take an infinitesimal if it is no number.
        let number = self.kernel.is_number(value);
        let low = self.kernel.stop(value, Player::Right)?.and_then(|stop| {
            let slack = i64::from(!number && stop.is_integer());
            stop.floor().to_i64()?.checked_sub(slack)
        });
        let high = self.kernel.stop(value, Player::Left)?.and_then(|stop| {
            let slack = i64::from(!number && stop.is_integer());
            stop.ceil().to_i64()?.checked_add(slack)
        });
        Ok((low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX)))
    }

    /// Mean and temperature of everything but the boards, as far as the temperature is known not to be higher.
    fn heat_of_rest(&self, state: &State<N>) -> Result<Option<(i64, i64)>, Halt> {
        let heats = self.heats_of_rest(state)?;
        Ok(heats.map(|heats| {
            heats.iter().fold((0, 0), |(mean, most), heat| (mean + heat.mean, most.max(heat.temperature)))
        }))
    }

    pub(super) fn heats_of_rest(&self, state: &State<N>) -> Result<Option<SmallVec<[Heat; 8]>>, Halt> {
        let mut heats = SmallVec::new();
        let values = state.parts.iter().filter_map(|part| match part.what {
            What::Value(value) => Some(value),
            What::Board(..) => None,
        });
        for value in values.chain([state.value]).filter(|&value| value != Value::ZERO) {
            let Some(heat) = self.heat(value)? else { return Ok(None) };
            heats.push(heat);
        }
        if state.subtrahend != Value::ZERO {
            let Some(heat) = self.heat(state.subtrahend)? else { return Ok(None) };
            heats.push(heat.negative());
        }
        Ok(Some(heats))
    }

    /// What follows from the thermographs, where all summands have values.
    fn by_heat(&self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        let is_value = |part: &Component<N>| matches!(part.what, What::Value(_));
        if !state.parts.iter().all(is_value) {
            return Ok(None);
        }
        let Some(heats) = self.heats_of_rest(state)? else { return Ok(None) };
        Ok(winner(&heats, to_move).map(|winner| winner == to_move))
    }

    /// What follows from what was found before of the summands, together or alone.
    pub(super) fn by_what_is_known(
        &mut self,
        state: &State<N>,
        to_move: Player,
    ) -> Result<Option<bool>, Halt> {
        if let Some(wins) = self.by_summands(state, to_move)? {
            return Ok(Some(wins));
        }
        match self.by_witnesses(state, to_move)? {
            None => self.by_bands(state, to_move),
            known => Ok(known),
        }
    }

    /// Whether it is remembered which values win beside which parts.
    pub(super) fn asks_witnesses(&self) -> bool {
        self.settings.witnesses && self.local.witnesses.are_worth_it()
    }

    /// What follows from sums of the same parts with other values.
    pub(super) fn by_witnesses(&self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        if !self.asks_witnesses() {
            return Ok(None);
        }
        let sum = state.beside(to_move, &self.kernel, &self.local.value_keys)?;
        self.local.witnesses.winner(sum, &self.kernel)
    }

    /// What follows from the summands alone, as far as they are known: a player who wins each of them moving second
    /// wins the sum moving second, and one who wins one of them moving first and the others moving second wins the sum
    /// moving first.
    fn by_summands(&self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        if !self.is_sum(state) {
            return Ok(None);
        }
        for who in Player::BOTH {
            // Whether `who` wins a difference of values moving second, and moving first.
            let known = |a: Value, b: Value| {
                let (a, b) = if who == Player::Left { (a, b) } else { (b, a) };
                Ok::<_, Halt>((self.kernel.le(b, a)?, !self.kernel.le(a, b)?))
            };
            let mut tally = Tally::default();
            let (second, first) = known(state.value, state.subtrahend)?;
            tally.count(second, first);
            for part in &state.parts {
                if tally.lost() {
                    break;
                }
                let (second, first) = match part.what {
                    What::Value(value) => known(value, Value::ZERO)?,
                    What::Board(..) => {
                        let found = |first| self.wins.get(part.key_for(first));
                        let wins = |first| found(first).or_else(|| self.archived(part, first));
                        (wins(who.opponent()) == Some(false), wins(who) == Some(true))
                    }
                };
                tally.count(second, first);
            }
            if who == to_move && tally.wins_first() {
                return Ok(Some(true));
            }
            if who != to_move && tally.wins_second() {
                return Ok(Some(false));
            }
        }
        Ok(None)
    }
}

/// How many summands a player is known to win.
#[derive(Default)]
struct Tally {
    /// Not known to be won moving second.
    not_second: u32,
    /// Of these: won moving first.
    only_first: u32,
    /// Some summand is won moving first.
    any_first: bool,
}

impl Tally {
    fn count(&mut self, second: bool, first: bool) {
        self.not_second += u32::from(!second);
        self.only_first += u32::from(!second && first);
        self.any_first |= first;
    }

    fn lost(&self) -> bool {
        self.not_second > 1 || self.not_second > self.only_first
    }

    fn wins_second(&self) -> bool {
        self.not_second == 0
    }

    fn wins_first(&self) -> bool {
        !self.lost() && self.any_first
    }
}
