//! The search for a winner: does the player to move win?

mod bands;
mod heat;
mod parts;
mod sight;
mod total;

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gb_board::sort_by_key;
use gb_rules::{BoundFeatures, DynGame, Inspection, Key, Piece, Player, Sign, StaticResult};
use gb_value::{Halt, Kernel, Value, deeper};
use smallvec::SmallVec;

pub(super) use self::heat::Heat;
use self::total::Rounds;
use super::key::SumKey;
use super::shared::{Busy, Leave};
use super::sum::{State, What, as_whom};
use super::table::Handle;
use super::{Local, Memory, Settings};
use crate::question::ExactValue;
use crate::search::{SearchContext, TableFor};

/// How much the static evaluation of a sum counts beside the order score of a move.
const EVAL: i32 = 64;
/// How deep a search must be before it looks for repetition; a cycle is always deep enough sooner or later.
const DEPTH_OF_FIRST_CYCLE_CHECK: usize = 512;
/// How often the bytes of all tables are compared with the budget, in nodes.
const NODES_BETWEEN_BYTES: u64 = 1024;
/// Values and their table may take this share of the memory.
const SHARE_OF_VALUES: u64 = 4;
/// How often a thread asks whether another has found what it is looking for, in nodes.
const NODES_BETWEEN_ASKING: u64 = 64;
/// How large a search must become before more threads join in.
const NODES_ALONE: u64 = 2_000;
/// So many moves are looked at together: whether one of them leaves a sum that is known to be lost, before any is searched.
const AT_ONCE: usize = 4;

/// What a move leaves of the part it was made in.
#[derive(Clone, Copy)]
enum After<const N: usize> {
    /// A board that was not taken apart yet, and points.
    Board(Key<N>, i64),
    Value(Value),
}

/// A move that has been made in a part.
struct Made<const N: usize> {
    order_score: i32,
    part: usize,
    after: After<N>,
}

/// What inspection sees of a sum whose moves are tried.
#[derive(Default)]
struct Seen {
    /// Integers around everything but the boards.
    rest: (i64, i64),
    /// Of each part; of one that stands alone nothing, since nobody asks for the others.
    features: SmallVec<[BoundFeatures; 4]>,
    all: BoundFeatures,
}

impl Seen {
    fn others(&self, part: usize) -> BoundFeatures {
        self.all.minus(self.features[part])
    }
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
    wins: Handle<'a>,
    local: &'a mut Local,
    kernel: Kernel<'a>,
    /// Where others work, if there are others.
    busy: Option<&'a Busy>,
    over: &'a AtomicBool,
    stop_when_large: bool,
    rounds: Rounds,
    /// No new values are looked for: there are so many that the memory is needed for other things. What is known is never thrown away, but
    /// the search can do without.
    many_values: bool,
    pub(super) nodes: u64,
    /// Those of earlier searches with the same memory.
    nodes_before: u64,
    path: Vec<SumKey>,
    spare_moves: Vec<Vec<Made<N>>>,
    spare_children: Vec<Vec<Child<N>>>,
    pieces: Vec<Piece<N>>,
    scratch: bands::Scratch<N>,
}

impl<'a, const N: usize> Searcher<'a, N> {
    /// One of several threads if there is a list of where they work; otherwise alone, and if more threads might join in, only as long as
    /// the search is small.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        game: &'a dyn DynGame<N>,
        settings: &'a Settings,
        values: &'a TableFor<N, ExactValue>,
        memory: &'a Memory,
        local: &'a mut Local,
        context: &SearchContext<'a>,
        busy: Option<&'a Busy>,
        over: &'a AtomicBool,
    ) -> Self {
        Searcher {
            game,
            settings,
            values,
            wins: memory.wins.handle(),
            nodes_before: local.nodes,
            local,
            kernel: context.store.kernel(context.budget),
            busy,
            over,
            stop_when_large: busy.is_none() && context.threads > 1,
            rounds: Rounds::NEVER,
            many_values: false,
            nodes: 0,
            path: vec![],
            spare_moves: vec![],
            spare_children: vec![],
            pieces: vec![],
            scratch: bands::Scratch::default(),
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

    /// Whether the player to move wins, if that is seen at once or was found before.
    pub(super) fn known(&mut self, state: &State<N>, to_move: Player) -> Result<Option<bool>, Halt> {
        match self.on_sight(state, to_move, true)? {
            Some(wins) => Ok(Some(wins)),
            None => Ok(self.wins.get(state.key(to_move, &self.kernel, &self.local.value_keys)?)),
        }
    }

    /// Whether the player to move wins.
    pub(super) fn wins(&mut self, state: &State<N>, to_move: Player) -> Result<bool, Leave> {
        if let Some(wins) = self.on_sight(state, to_move, true)? {
            return Ok(wins);
        }
        let key = state.key(to_move, &self.kernel, &self.local.value_keys)?;
        if let Some(wins) = self.wins.get(key) {
            return Ok(wins);
        }
        match self.by_what_is_known(state, to_move)? {
            Some(wins) => Ok(wins),
            None => self.wins_by_moves(state, to_move, key),
        }
    }

    /// By trying the moves. Leaves the answer in the table.
    fn wins_by_moves(&mut self, state: &State<N>, who: Player, key: SumKey) -> Result<bool, Leave> {
        let before = self.nodes;
        self.enter(key)?;
        let depth = self.path.len();
        let found = self.try_moves(state, who);
        self.path.truncate(depth - 1);
        if let Some(busy) = self.busy {
            busy.leave(key);
        }
        match found {
            Ok(wins) => {
                if self.asks_witnesses() {
                    let sum = state.beside(who, &self.kernel, &self.local.value_keys)?;
                    self.local.witnesses.note(sum, wins, &self.kernel)?;
                }
                self.wins.set(key, wins, self.nodes - before, self.kernel.budget());
                Ok(wins)
            }
            Err(Leave::Solved { depth: solved, wins }) if solved == depth => Ok(wins),
            Err(leave) => Err(leave),
        }
    }

    fn enter(&mut self, key: SumKey) -> Result<(), Leave> {
        self.kernel.step()?;
        self.nodes += 1;
        self.wins.refresh();
        if self.nodes.is_multiple_of(NODES_BETWEEN_BYTES) {
            let values = self.bytes_of_values();
            let budget = self.kernel.budget();
            self.many_values = values > budget.max_bytes() / SHARE_OF_VALUES;
            budget.spend(0, self.wins.bytes() + self.local.bytes() + values)?;
        }
        if let Some(busy) = self.busy {
            if self.over.load(Relaxed) {
                return Err(Leave::Over);
            }
            if self.nodes.is_multiple_of(NODES_BETWEEN_ASKING) {
                self.ask_others()?;
            }
            busy.enter(key);
        } else if self.stop_when_large && self.nodes > NODES_ALONE {
            return Err(Leave::MoreThreads);
        }
        if self.nodes > self.rounds.limit {
            return Err(Leave::Limit);
        }
        self.path.push(key);
        if self.path.len() >= DEPTH_OF_FIRST_CYCLE_CHECK && self.path.len().is_power_of_two() {
            let mut keys = self.path.clone();
            keys.sort_unstable();
            if keys.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(Halt::Repetition.into());
            }
        }
        Ok(())
    }

    fn bytes_of_values(&self) -> u64 {
        self.values.bytes() + self.kernel.store().bytes()
    }

    /// Bytes that values may still take.
    fn room_for_values(&self) -> u64 {
        (self.kernel.budget().max_bytes() / SHARE_OF_VALUES).saturating_sub(self.bytes_of_values())
    }

    /// Whether another thread has found something on the way here, so that it need not be searched any longer.
    fn ask_others(&self) -> Result<(), Leave> {
        for (depth, &key) in (1..).zip(&self.path) {
            if let Some(wins) = self.wins.get(key) {
                return Err(Leave::Solved { depth, wins });
            }
        }
        Ok(())
    }

    fn try_moves(&mut self, state: &State<N>, who: Player) -> Result<bool, Leave> {
        let mut moves = self.spare_moves.pop().unwrap_or_default();
        let mut children = self.spare_children.pop().unwrap_or_default();
        let seen = self.seen(state)?;
        let wins = self.moves(state, who, &seen, &mut moves)? || {
            sort_by_key(&mut moves, |made| Reverse(made.order_score));
            self.try_in_order(state, who, &seen, &moves, &mut children)?
        };
        moves.clear();
        children.clear();
        self.spare_moves.push(moves);
        self.spare_children.push(children);
        Ok(wins)
    }

    /// Whether one of these moves wins, or one in what is known. The boards after moves are taken apart and looked up only when the
    /// moves before them have not won, unless a look at all of them has proved to be worth it.
    fn try_in_order(
        &mut self,
        state: &State<N>,
        who: Player,
        seen: &Seen,
        moves: &[Made<N>],
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Leave> {
        let mut hints = SmallVec::from_elem(0, state.parts.len());
        let mut left_to_others: SmallVec<[usize; 16]> = SmallVec::new();
        let few = moves.len() <= AT_ONCE;
        let far = few || self.local.glances.look_far();
        for (i, some) in moves.chunks(AT_ONCE).enumerate() {
            let before = children.len();
            if self.children(state, who, seen, &mut hints, some, children)? {
                if far && !few {
                    self.local.glances.note(i * AT_ONCE, i > 0 && before > 0);
                }
                return Ok(true);
            }
            if !far && self.search_children(children, before, who, &mut left_to_others)? {
                return Ok(true);
            }
        }
        if far && !few {
            self.local.glances.note(moves.len() - AT_ONCE, false);
        }
        // Moves in what is known come last: if it is a number, they are hardly ever needed.
        let before = if far { 0 } else { children.len() };
        if self.children_by_values(state, who, children)?
            || self.search_children(children, before, who, &mut left_to_others)?
        {
            return Ok(true);
        }
        for i in left_to_others {
            if !self.child_wins(&children[i], who.opponent())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of the sums after moves of `who`, from this one on, is lost for the opponent.
    fn search_children(
        &mut self,
        children: &[Child<N>],
        from: usize,
        who: Player,
        left_to_others: &mut SmallVec<[usize; 16]>,
    ) -> Result<bool, Leave> {
        for (i, child) in children.iter().enumerate().skip(from) {
            // The first is searched by all who come by: most of the time it decides.
            if i > 0 && self.busy.is_some_and(|busy| busy.is_at(child.key)) {
                left_to_others.push(i);
            } else if !self.child_wins(child, who.opponent())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn child_wins(&mut self, child: &Child<N>, to_move: Player) -> Result<bool, Leave> {
        // The search of another move may have answered this one.
        if let Some(wins) = self.wins.get(child.key) {
            return Ok(wins);
        }
        match self.by_witnesses(&child.state, to_move)? {
            Some(wins) => Ok(wins),
            None => deeper(|| self.wins_by_moves(&child.state, to_move, child.key)),
        }
    }

    fn seen(&self, state: &State<N>) -> Result<Seen, Halt> {
        let features: SmallVec<[BoundFeatures; 4]> = if state.parts.len() == 1 {
            SmallVec::from_elem(BoundFeatures::default(), 1)
        } else {
            state.parts.iter().map(|part| self.features(part)).collect()
        };
        let all = features.iter().fold(BoundFeatures::default(), |sum, &part| sum.plus(part));
        Ok(Seen { rest: self.rest(state)?, features, all })
    }

    /// Whether the opponent of `who` has an answer to a move that wins by inspection: then what the move leaves is not taken apart, and
    /// not looked up. Most moves that are tried in vain are answered in this way, and most of them by the same answer.
    fn is_answered(
        &self,
        state: &State<N>,
        who: Player,
        seen: &Seen,
        hints: &mut [u64],
        made: &Made<N>,
    ) -> bool {
        let (After::Board(board, 0), What::Board(_, sign)) = (made.after, state.parts[made.part].what) else {
            return false;
        };
        let others = seen.others(made.part);
        let inspection = Inspection { others: &others, sign, rest: seen.rest, first: who, to_win: true };
        let answers = as_whom(who.opponent(), sign);
        self.settings.static_results
            && self.game.wins_on_sight(&board, answers, &inspection, &mut hints[made.part])
    }

    /// Makes all moves in the parts, without taking the boards apart. True if inspection says that one wins; those that
    /// lose on inspection are left out.
    fn moves(
        &self,
        state: &State<N>,
        who: Player,
        seen: &Seen,
        made: &mut Vec<Made<N>>,
    ) -> Result<bool, Halt> {
        let (game, rest) = (self.game, seen.rest);
        for (i, part) in state.parts.iter().enumerate() {
            if state.parts[..i].iter().any(|other| other.key == part.key) {
                continue;
            }
            let (board, sign) = match part.what {
                What::Board(board, sign) => (board, sign),
                What::Value(value) => {
                    for option in self.kernel.options(value, who) {
                        self.kernel.work(1)?;
                        let order_score = self.gain(value, option, who)?;
                        made.push(Made { order_score, part: i, after: After::Value(option) });
                    }
                    continue;
                }
            };
            let others = seen.others(i);
            let mut stopped = Ok(());
            let first = who.opponent();
            let inspection = Inspection { others: &others, sign, rest, first, to_win: true };
            let inspection = self.settings.static_results.then_some(&inspection);
            let flow = game.successors(&board, as_whom(who, sign), inspection, true, &mut |next| {
                stopped = self.kernel.work(1);
                if stopped.is_err() {
                    return ControlFlow::Break(());
                }
                let points = if sign == Sign::Plus { next.points } else { -next.points };
                let mut order_score = next.order_score;
                match next.result {
                    StaticResult::Winner(winner) if winner == who => return ControlFlow::Break(()),
                    StaticResult::Winner(_) => return ControlFlow::Continue(()),
                    StaticResult::Eval(eval) => {
                        let eval = if who == Player::Left { eval } else { -eval };
                        order_score = order_score.saturating_add(eval.saturating_mul(EVAL));
                    }
                }
                made.push(Made { order_score, part: i, after: After::Board(next.after, points) });
                ControlFlow::Continue(())
            });
            stopped?;
            if flow.is_break() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the boards after some moves apart, and looks up what is known of them. True if one of the moves wins; otherwise those sums
    /// are appended that have to be searched.
    fn children(
        &mut self,
        state: &State<N>,
        who: Player,
        seen: &Seen,
        hints: &mut SmallVec<[u64; 4]>,
        moves: &[Made<N>],
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Halt> {
        let before = children.len();
        for made in moves {
            self.kernel.work(1)?;
            if self.is_answered(state, who, seen, hints, made) {
                continue;
            }
            let (next, sharper) = self.after(state, made)?;
            match self.on_sight(&next, who.opponent(), sharper)? {
                Some(false) => return Ok(true),
                Some(true) => {}
                None => {
                    let key = next.key(who.opponent(), &self.kernel, &self.local.value_keys)?;
                    self.wins.begin(key);
                    if self.is_sum(&next) {
                        for part in &next.parts {
                            self.wins.begin(part.key);
                            self.wins.begin(part.negative);
                        }
                    }
                    children.push(Child { key, state: next });
                }
            }
        }
        // There may be thousands of moves.
        self.kernel.work((before / 128) as u32)?;
        let mut kept = before;
        for i in before..children.len() {
            let known = match self.wins.get(children[i].key) {
                None => self.by_what_is_known(&children[i].state, who.opponent())?,
                known => known,
            };
            match known {
                Some(false) => return Ok(true),
                None if is_new(&children[..kept], children[i].key) => {
                    children.swap(kept, i);
                    kept += 1;
                }
                _ => {}
            }
        }
        children.truncate(kept);
        Ok(false)
    }

    /// As [`children`](Searcher::children), for the moves in what is known.
    fn children_by_values(
        &mut self,
        state: &State<N>,
        who: Player,
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Halt> {
        for option in self.kernel.options(state.value, who) {
            let next = State { parts: state.parts.clone(), value: option, subtrahend: state.subtrahend };
            if self.follow_value(next, who, children)? {
                return Ok(true);
            }
        }
        for option in self.kernel.options(state.subtrahend, who.opponent()) {
            let next = State { parts: state.parts.clone(), value: state.value, subtrahend: option };
            if self.follow_value(next, who, children)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The sum after a move, and whether inspection might see more in it than it saw before the board was taken apart.
    fn after(&mut self, state: &State<N>, made: &Made<N>) -> Result<(State<N>, bool), Halt> {
        let mut next = State { parts: SmallVec::new(), value: state.value, subtrahend: state.subtrahend };
        let others = state.parts.iter().enumerate().filter(|(j, _)| *j != made.part);
        next.parts.extend(others.map(|(_, part)| *part));
        match (made.after, state.parts[made.part].what) {
            (After::Value(value), _) => {
                self.add_value(value, &mut next)?;
                return Ok((next, true));
            }
            (After::Board(board, points), What::Board(_, sign)) => {
                if points != 0 {
                    next.value = self.kernel.add(next.value, self.kernel.integer(points))?;
                }
                self.split(&board, sign, &mut next)?;
            }
            (After::Board(..), What::Value(_)) => unreachable!("no board comes of a value"),
        }
        let sharper = next.value != state.value;
        Ok((next, sharper))
    }

    /// Puts a sum after a move of `who` in what is known on the list, unless it is known who wins. True if that is `who`.
    fn follow_value(
        &mut self,
        next: State<N>,
        who: Player,
        children: &mut Vec<Child<N>>,
    ) -> Result<bool, Halt> {
        if let Some(loses) = self.on_sight(&next, who.opponent(), true)? {
            return Ok(!loses);
        }
        let key = next.key(who.opponent(), &self.kernel, &self.local.value_keys)?;
        if let Some(loses) = self.wins.get(key) {
            return Ok(!loses);
        }
        if let Some(loses) = self.by_what_is_known(&next, who.opponent())? {
            return Ok(!loses);
        }
        // A value may have tens of thousands of options.
        self.kernel.work((children.len() / 500) as u32)?;
        if is_new(children, key) {
            children.push(Child { key, state: next });
        }
        Ok(false)
    }
}

/// Whether no sum on the list has this key.
fn is_new<const N: usize>(children: &[Child<N>], key: SumKey) -> bool {
    children.iter().all(|child| child.key != key)
}
