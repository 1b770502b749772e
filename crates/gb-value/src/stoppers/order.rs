//! The order of stoppers: G >= H when Left, moving second, survives G - H.
//!
//! Survival is a greatest fixed point over pairs of positions, looked for on demand as in [`crate::loopy`]: a reply is tried only when
//! the replies before it have failed (X. Liu and S. A. Smolka, "Simple linear-time algorithms for minimal fixed points", ICALP
//! 1998). Two values of the store are left to the kernel, and what was decided about a pair of names is remembered.
//!
//! Nobody needs to move in a number beside a stopper that is none. For suppose that Left wins G + x, moving first, by a move to
//! G + x^L. G is not -x^L, so G + x^L > 0, and by induction on x Left also wins that by a move in G: then G^L + x > G^L + x^L >= 0.
//! A short game beside a stopper makes no new infinite play, so survival is winning here.

use rustc_hash::FxHashMap;

use super::{Id, Ids, Stoppers};
use crate::loopy::LoopyError;
use crate::player::Player;

/// Left signatures x - y, and this player is to move.
type Pair = (Id, Id, Player);

/// Comparisons that were decided.
#[derive(Default)]
pub(super) struct Memo {
    /// Pairs of names that stay.
    kept: FxHashMap<Pair, bool>,
    /// Pairs with a position of the component that is being solved.
    temporary: FxHashMap<Pair, bool>,
}

/// What an entry of a table of pairs takes.
const BYTES_A_PAIR: u64 = 28;

impl Memo {
    pub(super) fn bytes(&self) -> u64 {
        (self.kept.capacity() + self.temporary.capacity()) as u64 * BYTES_A_PAIR
    }

    pub(super) fn forget_temporary(&mut self) {
        if self.temporary.capacity() > 1 << 12 {
            self.temporary = FxHashMap::default();
        } else {
            self.temporary.clear();
        }
    }

    fn of(&self, pair: &Pair) -> Option<bool> {
        let table = if is_temporary(pair) { &self.temporary } else { &self.kept };
        table.get(pair).copied()
    }

    fn set(&mut self, pair: Pair, survives: bool) {
        let table = if is_temporary(&pair) { &mut self.temporary } else { &mut self.kept };
        table.insert(pair, survives);
    }
}

fn is_temporary(&(x, y, _): &Pair) -> bool {
    matches!(x, Id::Temp(_)) || matches!(y, Id::Temp(_))
}

/// A pair that is being decided.
struct State {
    pair: Pair,
    fails: bool,
    /// The next of Left's replies to try, when Left is to move.
    next: usize,
    /// Pairs that count on this one to survive.
    waiters: Vec<u32>,
}

/// One question.
#[derive(Default)]
struct Query {
    index: FxHashMap<Pair, u32>,
    states: Vec<State>,
    unexpanded: Vec<u32>,
}

const BYTES_A_STATE: usize = size_of::<State>() + BYTES_A_PAIR as usize + 12;

impl Query {
    /// The number of a state, queued for expansion when it is new.
    fn touch(&mut self, pair: Pair) -> u32 {
        let fresh = self.states.len() as u32;
        let s = *self.index.entry(pair).or_insert(fresh);
        if s == fresh {
            self.states.push(State { pair, fails: false, next: 0, waiters: vec![] });
            self.unexpanded.push(s);
        }
        s
    }
}

enum Reply {
    None,
    Survives,
    WaitFor(u32),
}

impl Stoppers<'_, '_> {
    pub(super) fn greater_or_equal(&mut self, x: Id, y: Id) -> Result<bool, LoopyError> {
        let root = (x, y, Player::Right);
        if let Some(known) = self.at_once(root)? {
            return Ok(known);
        }
        let mut query = Query::default();
        let root = query.touch(root) as usize;
        let mut charged = 0;
        while !query.states[root].fails {
            self.work(1)?;
            if query.states.len() > charged + 4096 {
                self.charge(((query.states.len() - charged) * BYTES_A_STATE) as u64)?;
                charged = query.states.len();
            }
            let Some(s) = query.unexpanded.pop() else { break };
            if !query.states[s as usize].fails && !self.expand(&mut query, s)? {
                self.fail(&mut query, s)?;
            }
        }
        self.release((charged * BYTES_A_STATE) as u64);
        // Where no pair is left to look at, those that do not fail justify each other.
        let survives = !query.states[root].fails;
        for state in &query.states {
            if state.fails || survives {
                self.order.set(state.pair, !state.fails);
            }
        }
        Ok(survives)
    }

    /// What needs no search.
    fn at_once(&self, pair: Pair) -> Result<Option<bool>, LoopyError> {
        let (x, y, mover) = pair;
        if let (Id::Short(a), Id::Short(b)) = (x, y) {
            return Ok(Some(match mover {
                Player::Right => self.kernel.le(b, a)?,
                Player::Left if self.kernel.is_short(a) || self.kernel.is_short(b) => {
                    !self.kernel.le(a, b)?
                }
                Player::Left => self.kernel.left_survives_first(b, a)?,
            }));
        }
        // Answering every move of Right by its mirror image, Left survives x - x.
        if x == y && mover == Player::Right {
            return Ok(Some(true));
        }
        Ok(self.order.of(&pair))
    }

    /// All pairs that the mover can choose.
    fn successors(&self, (x, y, mover): Pair) -> Result<smallvec::SmallVec<[Pair; 16]>, LoopyError> {
        self.check_options(x)?;
        self.check_options(y)?;
        let is_number = |id: Id| matches!(id, Id::Short(value) if self.kernel.is_number(value));
        // Canonical games with loops are no numbers; those that are not yet canonical may be.
        let other = mover.opponent();
        let none = || Ids::new();
        let in_x = if is_number(x) && matches!(y, Id::Loop(_)) { none() } else { self.listed(x, mover)? };
        let in_y = if is_number(y) && matches!(x, Id::Loop(_)) { none() } else { self.listed(y, other)? };
        let in_x = in_x.into_iter().map(|x| (x, y, other));
        Ok(in_x.chain(in_y.into_iter().map(|y| (x, y, other))).collect())
    }

    /// Looks at the moves of a pair; false if it is seen to fail.
    fn expand(&self, query: &mut Query, s: u32) -> Result<bool, LoopyError> {
        let pair = query.states[s as usize].pair;
        if pair.2 == Player::Left {
            return self.find_reply(query, s);
        }
        let successors = self.successors(pair)?;
        self.work(successors.len())?;
        let mut open = smallvec::SmallVec::<[Pair; 16]>::new();
        for next in successors {
            match self.at_once(next)? {
                Some(false) => return Ok(false),
                Some(true) => {}
                None => open.push(next),
            }
        }
        for next in open {
            let t = query.touch(next) as usize;
            if query.states[t].fails {
                return Ok(false);
            }
            query.states[t].waiters.push(s);
        }
        Ok(true)
    }

    /// Goes on to Left's next reply that is not known to fail and waits for it; false if there is none.
    fn find_reply(&self, query: &mut Query, s: u32) -> Result<bool, LoopyError> {
        let state = &query.states[s as usize];
        let successors = self.successors(state.pair)?;
        self.work(1 + successors.len())?;
        if state.next == 0 {
            for &next in &successors {
                if self.at_once(next)? == Some(true) {
                    return Ok(true);
                }
            }
        }
        let mut next = state.next;
        let mut reply = Reply::None;
        while let Some(&pair) = successors.get(next) {
            next += 1;
            match self.at_once(pair)? {
                Some(false) => continue,
                Some(true) => reply = Reply::Survives,
                None => {
                    let t = query.touch(pair);
                    if query.states[t as usize].fails {
                        continue;
                    }
                    reply = Reply::WaitFor(t);
                }
            }
            break;
        }
        query.states[s as usize].next = next;
        Ok(match reply {
            Reply::None => false,
            Reply::Survives => true,
            Reply::WaitFor(t) => {
                query.states[t as usize].waiters.push(s);
                true
            }
        })
    }

    /// Records that Left cannot survive at `s`, and what follows from it.
    fn fail(&self, query: &mut Query, s: u32) -> Result<(), LoopyError> {
        let mut failing = vec![s];
        while let Some(f) = failing.pop() {
            if std::mem::replace(&mut query.states[f as usize].fails, true) {
                continue;
            }
            for w in std::mem::take(&mut query.states[f as usize].waiters) {
                let state = &query.states[w as usize];
                if state.fails {
                    continue;
                }
                if state.pair.2 == Player::Right || !self.find_reply(query, w)? {
                    failing.push(w);
                }
            }
        }
        Ok(())
    }
}
