//! The graph of local positions: every position is met once, and what play can come back to is valued by a fixpoint.
//!
//! Positions that can come back to each other form a strongly connected component, found by R. Tarjan's algorithm (Depth-first
//! search and linear graph algorithms, 1972) while the graph is made. Outside of components the value of a position follows
//! from those of its options. Within one, bounds are improved step by step. The lower one begins with a number below
//! everything that can happen there, and a step replaces the bound of a position by the game of the bounds of its options.
//! By induction each step gives a game that is at most the position, if play without end is bad for Black; and bounds only
//! grow, because a game grows with its options. For a single threshold that is the same as forbidding Black to repeat: who
//! wins a game of reaching something wins it without coming back. The upper bound is the same for White.

use gb_value::{Dyadic, Halt, Kernel, PlayStop, Player, Value};
use rustc_hash::FxHashMap;

use crate::area::{Area, Key};
use crate::local::{LocalFailure, LocalSearch};

/// What a position is worth at least and at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least, whatever is repeated.
    pub lower: Value,
    /// At most, whatever is repeated.
    pub upper: Value,
}

impl Bounds {
    /// Both the same.
    pub fn exactly(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// Whether both are the same.
    pub fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    pub(crate) fn plus(self, kernel: &Kernel<'_>, other: Bounds) -> Result<Bounds, Halt> {
        let lower = kernel.add(self.lower, other.lower)?;
        let upper =
            if self.is_exact() && other.is_exact() { lower } else { kernel.add(self.upper, other.upper)? };
        Ok(Bounds { lower, upper })
    }

    fn turned(self, kernel: &Kernel<'_>, swapped: bool) -> Result<Bounds, Halt> {
        if !swapped {
            return Ok(self);
        }
        let lower = kernel.neg(self.upper)?;
        let upper = if self.is_exact() { lower } else { kernel.neg(self.lower)? };
        Ok(Bounds { lower, upper })
    }
}

/// One option: something known, and positions of the graph, some with the colours exchanged.
struct Edge {
    known: Value,
    parts: Vec<(u32, bool)>,
}

struct Node {
    /// Known when the component is finished; before, what was found so far.
    bounds: Bounds,
    is_done: bool,
    /// Whether it can come back to itself at once.
    is_own_option: bool,
    /// Number in the order of discovery, and the least of those that can be reached and are not done.
    low: u32,
    /// Below everything that can happen here.
    depth: i64,
    /// What it counts if nobody moves here any more.
    rest: i64,
    sides: [Vec<Edge>; 2],
}

/// All positions met so far.
#[derive(Default)]
pub(crate) struct Graph {
    index: FxHashMap<Key, u32>,
    nodes: Vec<Node>,
    stack: Vec<u32>,
}

/// After so many rounds through a component its bounds are taken as they are: some get better for ever, by less and less.
const ROUNDS: usize = 40;

/// Positions that took fewer nodes are not remembered beyond the search, unless they were asked for.
const WORTH_KEEPING: u64 = 32;

impl Graph {
    /// A position whose bounds are known without a search.
    fn add_known(&mut self, key: Key, bounds: Bounds) -> u32 {
        let node = self.nodes.len() as u32;
        self.index.insert(key, node);
        self.nodes.push(Node {
            bounds,
            is_done: true,
            is_own_option: false,
            low: node,
            depth: 0,
            rest: 0,
            sides: Default::default(),
        });
        node
    }
}

impl LocalSearch<'_> {
    /// The bounds of a part.
    pub(crate) fn part(&mut self, area: &Area) -> Result<Bounds, LocalFailure> {
        match self.asked(area) {
            Ok((node, swapped)) => {
                Ok(self.graph.nodes[node as usize].bounds.turned(self.kernel(), swapped)?)
            }
            Err(failure) => {
                // What was begun and not finished must not be met again.
                let graph = &mut self.graph;
                graph.index.retain(|_, node| graph.nodes[*node as usize].is_done);
                graph.stack.clear();
                Err(failure)
            }
        }
    }

    /// The node of a position that is asked for: its bounds are remembered even if a ko decides.
    fn asked(&mut self, area: &Area) -> Result<(u32, bool), LocalFailure> {
        let (key, swapped) = area.normal_form();
        if let Some(&node) = self.graph.index.get(&key) {
            return Ok((node, swapped));
        }
        if let Some(bounds) = self.recall(&key)? {
            return Ok((self.graph.add_known(key, bounds), swapped));
        }
        let found = self.visit(area)?;
        self.remember(&key, self.graph.nodes[found.0 as usize].bounds);
        Ok(found)
    }

    /// Finds or makes the node of a position, with everything that can be reached from it.
    fn visit(&mut self, area: &Area) -> Result<(u32, bool), LocalFailure> {
        let (key, swapped) = area.normal_form();
        if let Some(&node) = self.graph.index.get(&key) {
            return Ok((node, swapped));
        }
        if let Some(bounds) = self.recall(&key)?.filter(Bounds::is_exact) {
            return Ok((self.graph.add_known(key, bounds), swapped));
        }
        let before = self.nodes();
        self.count()?;
        // The node is about the normal colours.
        let normal = if swapped { area.swapped() } else { area.clone() };
        let leaf = self.leaf(&normal)?;
        let rest = if leaf.is_some() { 0 } else { self.rest(&normal)? };
        let node = self.graph.nodes.len() as u32;
        self.graph.index.insert(key.clone(), node);
        self.graph.nodes.push(Node {
            bounds: Bounds::exactly(leaf.unwrap_or(Value::ZERO)),
            is_done: leaf.is_some(),
            is_own_option: false,
            low: node,
            depth: 4 * area.len() as i64 + 16,
            rest,
            sides: Default::default(),
        });
        if leaf.is_none() {
            self.graph.stack.push(node);
            stacker::maybe_grow(64 << 10, 4 << 20, || self.expand(node, &normal))?;
            if self.graph.nodes[node as usize].low == node {
                let from = self.graph.stack.iter().rposition(|&n| n == node).unwrap_or(0);
                let component = self.graph.stack.split_off(from);
                self.finish(&component)?;
                let bounds = self.graph.nodes[node as usize].bounds;
                if bounds.is_exact() && self.nodes() - before >= WORTH_KEEPING {
                    self.remember(&key, bounds);
                }
            }
        }
        Ok((node, swapped))
    }

    fn expand(&mut self, node: u32, area: &Area) -> Result<(), LocalFailure> {
        for player in Player::BOTH {
            for (known, areas) in self.options(area, player)? {
                let mut parts = vec![];
                for part in &areas {
                    let (next, swapped) = self.visit(part)?;
                    let (is_done, low) = {
                        let next = &self.graph.nodes[next as usize];
                        (next.is_done, next.low)
                    };
                    let own = &mut self.graph.nodes[node as usize];
                    if !is_done {
                        own.low = own.low.min(low);
                        own.is_own_option |= next == node;
                    }
                    parts.push((next, swapped));
                }
                self.graph.nodes[node as usize].sides[player as usize].push(Edge { known, parts });
            }
        }
        Ok(())
    }

    /// Values the positions of a component; everything else that they lead to is done.
    fn finish(&mut self, component: &[u32]) -> Result<(), LocalFailure> {
        let kernel = self.kernel();
        if let [node] = component[..]
            && !self.graph.nodes[node as usize].is_own_option
        {
            let bounds = self.by_options(node)?;
            self.graph.nodes[node as usize].bounds = bounds;
        } else {
            for &node in component {
                let node = &mut self.graph.nodes[node as usize];
                let (lower, upper) = (kernel.integer(-node.depth), kernel.integer(node.depth));
                node.bounds = Bounds { lower, upper };
            }
            // What is reached first is needed by the others: components come from the stack in the order of discovery.
            for _ in 0..ROUNDS {
                let mut changed = false;
                for &node in component.iter().rev() {
                    let old = self.graph.nodes[node as usize].bounds;
                    if old.is_exact() {
                        continue;
                    }
                    let new = self.by_options(node)?;
                    changed |= new != old;
                    self.graph.nodes[node as usize].bounds = new;
                }
                if !changed {
                    break;
                }
            }
        }
        for &node in component {
            let node = &mut self.graph.nodes[node as usize];
            node.is_done = true;
            node.sides = Default::default();
        }
        Ok(())
    }

    fn by_options(&self, node: u32) -> Result<Bounds, LocalFailure> {
        let kernel = self.kernel();
        let node = &self.graph.nodes[node as usize];
        let mut sides: [[Vec<Value>; 2]; 2] = Default::default();
        let mut is_exact = true;
        for player in Player::BOTH {
            for edge in &node.sides[player as usize] {
                let mut sum = Bounds::exactly(edge.known);
                for &(next, swapped) in &edge.parts {
                    let bounds = self.graph.nodes[next as usize].bounds.turned(kernel, swapped)?;
                    sum = sum.plus(kernel, bounds)?;
                }
                is_exact &= sum.is_exact();
                sides[0][player as usize].push(sum.lower);
                sides[1][player as usize].push(sum.upper);
            }
        }
        let lower = at_rest(kernel, kernel.from_options(&sides[0][0], &sides[0][1])?, &sides[0], node.rest)?;
        let upper = if is_exact {
            lower
        } else {
            at_rest(kernel, kernel.from_options(&sides[1][0], &sides[1][1])?, &sides[1], node.rest)?
        };
        Ok(Bounds { lower, upper })
    }
}

/// A position in which nobody wants to move counts what it counts as it stands, or what a player gets who moves there after
/// all. That is not always the number that is simplest between its options: nobody has to move.
fn at_rest(kernel: &Kernel<'_>, value: Value, sides: &[Vec<Value>; 2], rest: i64) -> Result<Value, Halt> {
    if !kernel.is_number(value) {
        return Ok(value);
    }
    let stops = |player: Player| -> Result<Vec<Dyadic>, Halt> {
        let stop = |&option: &Value| kernel.play_stop(option, player.opponent());
        let stops = sides[player as usize].iter().map(stop).collect::<Result<Vec<PlayStop>, Halt>>()?;
        Ok(stops
            .into_iter()
            .filter_map(|s| if let PlayStop::Number(x) = s { Some(x) } else { None })
            .collect())
    };
    let mut count = Dyadic::from(rest);
    if let Some(least) = stops(Player::Left)?.into_iter().max() {
        count = count.max(least);
    }
    if let Some(most) = stops(Player::Right)?.into_iter().min() {
        count = count.min(most);
    }
    Ok(kernel.number(&count))
}
