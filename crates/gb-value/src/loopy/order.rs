//! The order of stoppers: G >= H when Left, moving second, survives G - H.
//!
//! Survival is a greatest fixed point over pairs of positions: Left may use any reply that is not known to
//! fail. Pairs are looked at on demand, and a reply only when the replies before it have failed (in the
//! manner of X. Liu and S. A. Smolka, "Simple linear-time algorithms for minimal fixed points", ICALP 1998),
//! so the product graph is built no further than the question needs.

use super::graph::{Node, id};
use super::{LoopyError, LoopyGame, Work};
use crate::Player;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

impl LoopyGame {
    /// Whether `self >= other`; both must be stoppers.
    pub fn ge(&self, other: &LoopyGame, work: &mut Work) -> Result<bool, LoopyError> {
        let (nodes, g, h) = self.beside(other)?;
        Order::default().ge(&nodes, g, h, work)
    }

    /// How `self` compares with `other`, `None` when they are confused with each other; both must be stoppers.
    pub fn compare(&self, other: &LoopyGame, work: &mut Work) -> Result<Option<Ordering>, LoopyError> {
        let (nodes, g, h) = self.beside(other)?;
        let mut order = Order::default();
        let above = order.ge(&nodes, g, h, work)?;
        let below = order.ge(&nodes, h, g, work)?;
        Ok(match (above, below) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        })
    }

    /// Both games in one graph.
    fn beside(&self, other: &LoopyGame) -> Result<(Vec<Node>, u32, u32), LoopyError> {
        if !self.is_stopper() || !other.is_stopper() {
            return Err(LoopyError::NotStopper);
        }
        let base = id(self.nodes.len())?;
        id(self.nodes.len() + other.nodes.len())?;
        let mut nodes = self.nodes.to_vec();
        nodes.extend(other.nodes.iter().map(|n| n.map(|v| v + base)));
        Ok((nodes, self.root, base + other.root))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fails,
    Survives,
    /// Not decided; touched last by the query of this number.
    Open(u32),
}

/// Left signatures x - y; `mover` is to move.
struct State {
    x: u32,
    y: u32,
    mover: Player,
    verdict: Verdict,
    /// The next of Left's replies to try, when Left is to move.
    next: usize,
    /// States that count on this one to survive.
    waiters: Vec<u32>,
}

/// Answers to comparisons within one graph, remembered. The graph may be replaced between two questions by one
/// in which every node keeps its value: answers are about values.
#[derive(Default)]
pub(super) struct Order {
    index: FxHashMap<(u32, u32, bool), u32>,
    states: Vec<State>,
    query: u32,
    /// The states touched by the current query, and those of them not yet expanded.
    touched: Vec<u32>,
    unexpanded: Vec<u32>,
}

impl Order {
    /// Whether the stopper at `x` is greater than or equal to the one at `y`.
    pub(super) fn ge(&mut self, nodes: &[Node], x: u32, y: u32, work: &mut Work) -> Result<bool, LoopyError> {
        if x == y {
            return Ok(true);
        }
        self.query += 1;
        self.touched.clear();
        self.unexpanded.clear();
        let root = self.touch(x, y, Player::Right, work)?;
        while self.states[root].verdict == Verdict::Open(self.query) {
            match self.unexpanded.pop() {
                Some(s) => self.expand(nodes, s as usize, work)?,
                None => {
                    // No state left to look at: those not failing justify each other.
                    for &s in &self.touched {
                        let verdict = &mut self.states[s as usize].verdict;
                        if *verdict != Verdict::Fails {
                            *verdict = Verdict::Survives;
                        }
                    }
                }
            }
        }
        Ok(self.states[root].verdict == Verdict::Survives)
    }

    /// The number of a state; it is queued for expansion if this query meets it for the first time.
    fn touch(&mut self, x: u32, y: u32, mover: Player, work: &mut Work) -> Result<usize, LoopyError> {
        work.spend(1)?;
        let fresh = id(self.states.len())?;
        let s = *self.index.entry((x, y, mover == Player::Left)).or_insert(fresh);
        if s == fresh {
            // Answering every move of Right by its mirror image, Left survives x - x.
            let verdict = if x == y && mover == Player::Right { Verdict::Survives } else { Verdict::Open(0) };
            self.states.push(State { x, y, mover, verdict, next: 0, waiters: Vec::new() });
        }
        let state = &mut self.states[s as usize];
        if let Verdict::Open(query) = state.verdict
            && query != self.query
        {
            // An earlier query ended before this was decided: begin again.
            state.verdict = Verdict::Open(self.query);
            state.next = 0;
            state.waiters.clear();
            self.touched.push(s);
            self.unexpanded.push(s);
        }
        Ok(s as usize)
    }

    /// The `i`-th state that the mover can choose: first the moves in x, then those in -y.
    fn successor(&self, nodes: &[Node], s: usize, i: usize) -> Option<(u32, u32, Player)> {
        let State { x, y, mover, .. } = self.states[s];
        let in_x = nodes[x as usize].of(mover);
        let in_y = nodes[y as usize].of(mover.opponent());
        match in_x.get(i) {
            Some(&x) => Some((x, y, mover.opponent())),
            None => in_y.get(i - in_x.len()).map(|&y| (x, y, mover.opponent())),
        }
    }

    fn expand(&mut self, nodes: &[Node], s: usize, work: &mut Work) -> Result<(), LoopyError> {
        if self.states[s].verdict == Verdict::Fails {
            return Ok(());
        }
        let survives = match self.states[s].mover {
            Player::Left => self.find_reply(nodes, s, work)?,
            Player::Right => {
                let mut i = 0;
                loop {
                    let Some((x, y, mover)) = self.successor(nodes, s, i) else { break true };
                    i += 1;
                    let t = self.touch(x, y, mover, work)?;
                    match self.states[t].verdict {
                        Verdict::Fails => break false,
                        Verdict::Survives => {}
                        Verdict::Open(_) => self.states[t].waiters.push(id(s)?),
                    }
                }
            }
        };
        if !survives { self.fail(nodes, s, work) } else { Ok(()) }
    }

    /// Goes on to Left's next reply that is not known to fail and waits for it; false if there is none.
    fn find_reply(&mut self, nodes: &[Node], s: usize, work: &mut Work) -> Result<bool, LoopyError> {
        while let Some((x, y, mover)) = self.successor(nodes, s, self.states[s].next) {
            self.states[s].next += 1;
            let t = self.touch(x, y, mover, work)?;
            match self.states[t].verdict {
                Verdict::Fails => {}
                Verdict::Survives => return Ok(true),
                Verdict::Open(_) => {
                    self.states[t].waiters.push(id(s)?);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Records that Left cannot survive at `s`, and what follows from it.
    fn fail(&mut self, nodes: &[Node], s: usize, work: &mut Work) -> Result<(), LoopyError> {
        let mut failing = vec![s];
        while let Some(f) = failing.pop() {
            if self.states[f].verdict == Verdict::Fails {
                continue;
            }
            self.states[f].verdict = Verdict::Fails;
            for w in std::mem::take(&mut self.states[f].waiters) {
                let w = w as usize;
                if self.states[w].verdict == Verdict::Fails {
                    continue;
                }
                if self.states[w].mover == Player::Right || !self.find_reply(nodes, w, work)? {
                    failing.push(w);
                }
            }
        }
        Ok(())
    }
}
