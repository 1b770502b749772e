//! The search for a winner: does the player to move win?

use std::ops::ControlFlow;

use gb_rules::{BoundFeatures, DynGame, Inspection, Key, Piece, Player, Sign, StaticResult};
use gb_value::{Halt, Kernel, Value, deeper};
use smallvec::SmallVec;

use super::key::{SumKey, key_of, signed};
use super::sum::{Component, State, as_whom, times};
use super::{Memory, PartValue, Settings};
use crate::question::ExactValue;
use crate::search::{SearchContext, TableFor, search};

/// How much the static evaluation of a sum counts beside the order score of a move.
const EVAL: i32 = 64;
/// How deep a search must be before it looks for repetition; a cycle is always deep enough sooner or later.
const DEPTH_OF_FIRST_CYCLE_CHECK: usize = 512;
/// The value of a part may take this share of the nodes that the search has taken.
const VALUES_SHARE: u64 = 8;
/// How often the bytes of all tables are compared with the budget, in nodes.
const NODES_BETWEEN_BYTES: u64 = 4096;

/// A move that has been made in a part.
struct Made<const N: usize> {
    order_score: i32,
    part: usize,
    board: Key<N>,
    points: i64,
}

/// A sum after a move that has still to be searched.
struct Child<const N: usize> {
    key: SumKey,
    state: State<N>,
}

pub(super) struct Searcher<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    settings: &'a Settings,
    values: &'a TableFor<N, ExactValue>,
    memory: &'a mut Memory,
    kernel: Kernel<'a>,
    pub(super) nodes: u64,
    path: Vec<SumKey>,
    spare_moves: Vec<Vec<Made<N>>>,
    spare_children: Vec<Vec<Child<N>>>,
    pieces: Vec<Piece<N>>,
}

impl<'a, const N: usize> Searcher<'a, N> {
    pub(super) fn new(
        game: &'a dyn DynGame<N>,
        settings: &'a Settings,
        values: &'a TableFor<N, ExactValue>,
        memory: &'a mut Memory,
        context: &SearchContext<'a>,
    ) -> Self {
        Searcher {
            game,
            settings,
            values,
            memory,
            kernel: context.store.kernel(context.budget),
            nodes: 0,
            path: vec![],
            spare_moves: vec![],
            spare_children: vec![],
            pieces: vec![],
        }
    }

    /// The sum of these boards and a value.
    pub(super) fn state(
        &mut self,
        boards: &[(Key<N>, Sign)],
        value: Value,
        subtrahend: Value,
    ) -> Result<State<N>, Halt> {
        let mut state = State { parts: SmallVec::new(), value, subtrahend };
        for (board, sign) in boards {
            self.split(board, *sign, &mut state)?;
        }
        Ok(state)
    }

    /// Whether the player to move wins.
    pub(super) fn wins(&mut self, state: &State<N>, to_move: Player) -> Result<bool, Halt> {
        if let Some(wins) = self.on_sight(state, to_move, true)? {
            return Ok(wins);
        }
        let key = state.key(to_move, &self.kernel)?;
        match self.memory.wins.get(key) {
            Some(wins) => Ok(wins),
            None => self.wins_by_moves(state, to_move, key),
        }
    }

    /// By trying the moves. Leaves the answer in the table.
    fn wins_by_moves(&mut self, state: &State<N>, who: Player, key: SumKey) -> Result<bool, Halt> {
        let before = self.nodes;
        self.enter(key)?;
        let mut children = self.spare_children.pop().unwrap_or_default();
        let mut wins = self.expand(state, who, &mut children)?;
        if !wins {
            for child in &children {
                // The search of another move may have answered this one.
                let loses = match self.memory.wins.get(child.key) {
                    Some(loses) => loses,
                    None => deeper(|| self.wins_by_moves(&child.state, who.opponent(), child.key))?,
                };
                if !loses {
                    wins = true;
                    break;
                }
            }
        }
        children.clear();
        self.spare_children.push(children);
        self.path.pop();
        self.memory.wins.set(key, wins, self.nodes - before);
        Ok(wins)
    }

    fn enter(&mut self, key: SumKey) -> Result<(), Halt> {
        self.kernel.step()?;
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_BYTES) {
            let bytes = self.memory.bytes() + self.values.bytes() + self.kernel.store().bytes();
            self.kernel.budget().spend(0, bytes)?;
        }
        self.path.push(key);
        if self.path.len() >= DEPTH_OF_FIRST_CYCLE_CHECK && self.path.len().is_power_of_two() {
            let mut keys = self.path.clone();
            keys.sort_unstable();
            if keys.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Halt::Repetition);
            }
        }
        Ok(())
    }

    /// Makes all moves. True if one is seen to win; otherwise `children` are those that have to be searched, the most
    /// promising first.
    fn expand(&mut self, state: &State<N>, who: Player, children: &mut Vec<Child<N>>) -> Result<bool, Halt> {
        let mut moves = self.spare_moves.pop().unwrap_or_default();
        let found = if self.moves(state, who, &mut moves)? {
            true
        } else {
            moves.sort_by_key(|made| std::cmp::Reverse(made.order_score));
            self.children(state, who, &moves, children)?
        };
        moves.clear();
        self.spare_moves.push(moves);
        Ok(found)
    }

    /// Makes all moves in the parts, without taking the boards apart. True if inspection says that one wins; those that
    /// lose on inspection are left out.
    fn moves(&self, state: &State<N>, who: Player, made: &mut Vec<Made<N>>) -> Result<bool, Halt> {
        let game = self.game;
        let (low, high) = self.rest(state)?;
        let features: SmallVec<[BoundFeatures; 4]> =
            state.parts.iter().map(|part| self.features(part)).collect();
        let all = features.iter().fold(BoundFeatures::default(), |sum, &part| sum.plus(part));
        for (i, part) in state.parts.iter().enumerate() {
            if state.parts[..i].iter().any(|other| other.key == part.key && other.sign == part.sign) {
                continue;
            }
            let mover = as_whom(who, part.sign);
            let others = all.minus(features[i]);
            let mut stopped = Ok(());
            let inspection =
                Inspection { others: &others, sign: part.sign, rest: (low, high), first: who.opponent() };
            let inspection = self.settings.verdicts.then_some(&inspection);
            let flow = game.successors(&part.board, mover, inspection, &mut |next| {
                stopped = self.kernel.work(1);
                if stopped.is_err() {
                    return ControlFlow::Break(());
                }
                let points = if part.sign == Sign::Plus { next.points } else { -next.points };
                let mut order_score = next.order_score;
                match next.result {
                    StaticResult::Winner(winner) if winner == who => return ControlFlow::Break(()),
                    StaticResult::Winner(_) => return ControlFlow::Continue(()),
                    StaticResult::Eval(eval) => {
                        let eval = if who == Player::Left { eval } else { -eval };
                        order_score = order_score.saturating_add(eval.saturating_mul(EVAL));
                    }
                }
                made.push(Made { order_score, part: i, board: next.after, points });
                ControlFlow::Continue(())
            });
            stopped?;
            if flow.is_break() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the boards after moves apart, and looks up what is known of them. True if one of the moves wins.
    fn children(
        &mut self,
        state: &State<N>,
        who: Player,
        moves: &[Made<N>],
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Halt> {
        for made in moves {
            self.kernel.work(1)?;
            let mut next = State { parts: SmallVec::new(), value: state.value, subtrahend: state.subtrahend };
            let others = state.parts.iter().enumerate().filter(|(j, _)| *j != made.part);
            next.parts.extend(others.map(|(_, part)| *part));
            if made.points != 0 {
                next.value = self.kernel.add(next.value, self.kernel.integer(made.points))?;
            }
            self.split(&made.board, state.parts[made.part].sign, &mut next)?;
            let sharper = next.value != state.value;
            if self.follow(next, who, sharper, children)? {
                return Ok(true);
            }
        }
        // Moves in what is known come last: if it is a number, they are hardly ever needed.
        for option in self.kernel.options(state.value, who) {
            let next = State { parts: state.parts.clone(), value: option, subtrahend: state.subtrahend };
            if self.follow(next, who, true, children)? {
                return Ok(true);
            }
        }
        for option in self.kernel.options(state.subtrahend, who.opponent()) {
            let next = State { parts: state.parts.clone(), value: state.value, subtrahend: option };
            if self.follow(next, who, true, children)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts a sum after a move of `who` on the list, unless it is known who wins. True if that is `who`.
    fn follow(
        &self,
        next: State<N>,
        who: Player,
        inspect: bool,
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Halt> {
        if let Some(loses) = self.on_sight(&next, who.opponent(), inspect)? {
            return Ok(!loses);
        }
        let key = next.key(who.opponent(), &self.kernel)?;
        if let Some(loses) = self.memory.wins.get(key) {
            return Ok(!loses);
        }
        // A value may have tens of thousands of options.
        self.kernel.work((children.len() / 500) as u32)?;
        if children.iter().all(|child| child.key != key) {
            children.push(Child { key, state: next });
        }
        Ok(false)
    }

    /// Adds the parts of a board to a sum.
    fn split(&mut self, board: &Key<N>, sign: Sign, state: &mut State<N>) -> Result<(), Halt> {
        let mut pieces = std::mem::take(&mut self.pieces);
        self.game.pieces(board, &mut pieces);
        let added = pieces.iter().try_for_each(|piece| self.add(piece, sign, state));
        pieces.clear();
        self.pieces = pieces;
        added
    }

    fn add(&mut self, piece: &Piece<N>, sign: Sign, state: &mut State<N>) -> Result<(), Halt> {
        let board = piece.key;
        let sign = times(sign, piece.sign);
        let key = key_of(&board);
        match self.value(piece, key)? {
            Some(value) => {
                let value = if sign == Sign::Plus { value } else { self.kernel.neg(value)? };
                state.value = self.kernel.add(state.value, value)?;
            }
            None => state.add(Component { board, sign, key }),
        }
        Ok(())
    }

    /// The value of a part if that is known or quickly found.
    fn value(&mut self, piece: &Piece<N>, key: SumKey) -> Result<Option<Value>, Halt> {
        let board = &piece.key;
        if piece.size > self.settings.valued_size {
            return self.game.known(board, &self.kernel);
        }
        let Settings { first_valued_nodes: first, valued_nodes: most, .. } = *self.settings;
        let allowed = (self.nodes / VALUES_SHARE).clamp(first.min(most), most);
        match self.memory.facts.get(key) {
            Some(&PartValue::Known(value)) => return Ok(Some(value)),
            Some(&PartValue::NotWith(nodes)) if allowed < nodes.saturating_mul(4) => return Ok(None),
            _ => {}
        }
        let mut value = self.game.known(board, &self.kernel)?;
        if value.is_none() {
            value = self.values.get(board);
        }
        if value.is_none() {
            let budget = self.kernel.budget().part(allowed);
            let context = SearchContext::new(self.kernel.store(), &budget);
            let found = search(self.game, &ExactValue, self.values, board, &context);
            self.kernel.budget().spend(budget.nodes(), 0)?;
            value = match found {
                Ok(value) => Some(value),
                Err(Halt::Nodes | Halt::TooLarge(_) | Halt::Repetition) => None,
                Err(stop) => return Err(stop),
            };
        }
        self.memory.facts.set(key, value.map_or(PartValue::NotWith(allowed), PartValue::Known));
        Ok(value)
    }

    /// Whether the player to move wins, if that needs no search.
    #[inline]
    fn on_sight(&self, state: &State<N>, to_move: Player, inspect: bool) -> Result<Option<bool>, Halt> {
        if state.parts.is_empty() {
            let loses = match to_move {
                Player::Left => self.kernel.le(state.value, state.subtrahend)?,
                Player::Right => self.kernel.le(state.subtrahend, state.value)?,
            };
            return Ok(Some(!loses));
        }
        if inspect && self.settings.verdicts {
            let features = state.parts.iter().map(|part| self.features(part));
            let features = features.fold(BoundFeatures::default(), BoundFeatures::plus);
            let rest = self.rest(state)?;
            if let StaticResult::Winner(winner) = self.game.static_result(&features, rest, to_move) {
                return Ok(Some(winner == to_move));
            }
        }
        if self.settings.summands && (state.parts.len() > 1 || state.value != state.subtrahend) {
            return self.by_summands(state, to_move);
        }
        Ok(None)
    }

    fn features(&self, part: &Component<N>) -> BoundFeatures {
        let features = self.game.features(&part.board);
        if part.sign == Sign::Plus { features } else { features.turned() }
    }

    /// Integers around everything but the parts.
    fn rest(&self, state: &State<N>) -> Result<(i64, i64), Halt> {
        let (low, high) = self.integers_around(state.value)?;
        if state.subtrahend == Value::ZERO {
            return Ok((low, high));
        }
        let (rival_low, rival_high) = self.integers_around(state.subtrahend)?;
        Ok((low.saturating_sub(rival_high), high.saturating_sub(rival_low)))
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

    /// What follows from the summands alone, as far as they are known: a player who wins each of them moving second
    /// wins the sum moving second, and one who wins one of them moving first and the others moving second wins the sum
    /// moving first.
    fn by_summands(&self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        for who in Player::BOTH {
            let (second, first) = match who {
                Player::Left => (
                    self.kernel.le(state.subtrahend, state.value)?,
                    !self.kernel.le(state.value, state.subtrahend)?,
                ),
                Player::Right => (
                    self.kernel.le(state.value, state.subtrahend)?,
                    !self.kernel.le(state.subtrahend, state.value)?,
                ),
            };
            let mut tally = Tally::default();
            tally.count(second, first);
            for part in &state.parts {
                if tally.lost() {
                    break;
                }
                let wins = |to_move: Player| {
                    let sign = if to_move == Player::Left { part.sign } else { -part.sign };
                    self.memory.wins.get(signed(part.key, sign))
                };
                tally.count(wins(who.opponent()) == Some(false), wins(who) == Some(true));
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
