//! The simplest form of a stopper.
//!
//! Conway showed that stoppers have a simplest form, Siegel ("New results in loopy games") that it is unique
//! as a graph once equal positions are fused. Why each step here is sound:
//!
//! - Values of nodes never change, so one memo of the order serves throughout.
//! - Bypassing a reversible option replaces a run of three alternating moves by its last one. So the graph
//!   stays a stopper, and since it has fewer alternating runs each time, bypassing comes to an end.
//! - Positions are fused last, when no option is dominated or reversible: then equal positions have pairwise
//!   equal options, so that "equal" is "bisimilar", and a loop of the fused graph is a loop of the old one.
//!   (Fusing earlier could close an alternating loop.)

use super::graph::{LoopyGame, Node, heights, id, negated, reachable, stops};
use super::order::Order;
use super::{LoopyError, Work};
use crate::Player;
use crate::refine::refine;
use crate::text::Style;
use std::sync::Arc;

/// A stopper in simplest form, its positions numbered in a way that depends on its value alone: two stoppers
/// are equal games exactly if they are equal as data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stopper {
    nodes: Arc<[Node]>,
    root: u32,
}

impl std::fmt::Debug for Stopper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let style = Style { max_len: 1000, ..Style::default() };
        write!(f, "Stopper({})", self.game().show(&|_, _| None, &style))
    }
}

impl Stopper {
    /// The form as a game.
    pub fn game(&self) -> LoopyGame {
        LoopyGame { nodes: self.nodes.clone(), root: self.root }
    }

    /// The number of positions, the stopper itself included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The negative.
    pub fn negate(&self, work: &mut Work) -> Result<Stopper, LoopyError> {
        Stopper::extract(&negated(&self.nodes), self.root, work)
    }

    /// The simplest form of a node in a graph where [`reduce`] has been.
    pub(super) fn extract(reduced: &[Node], root: u32, work: &mut Work) -> Result<Stopper, LoopyError> {
        let (part, roots) = reachable(reduced, &[root]);
        let (nodes, roots) = fuse(&part, &roots, work)?;
        Ok(Stopper { nodes: nodes.into(), root: roots[0] })
    }
}

impl LoopyGame {
    /// The simplest form of a stopper; [`LoopyError::NotStopper`] for any other game.
    pub fn canonical(&self, work: &mut Work) -> Result<Stopper, LoopyError> {
        let (nodes, roots) = reachable(&self.nodes, &[self.root]);
        let (mut nodes, roots) = fuse(&nodes, &roots, work)?;
        if !stops(&nodes) {
            return Err(LoopyError::NotStopper);
        }
        reduce(&mut nodes, work)?;
        Stopper::extract(&nodes, roots[0], work)
    }
}

/// Removes all dominated and bypasses all reversible options of a graph of stoppers, in place.
pub(super) fn reduce(nodes: &mut [Node], work: &mut Work) -> Result<(), LoopyError> {
    let mut order = Order::default();
    loop {
        let mut changed = false;
        for x in 0..id(nodes.len())? {
            for who in Player::BOTH {
                let options = best_options(nodes, x, who, &mut order, work)?;
                if options != nodes[x as usize].of(who) {
                    *nodes[x as usize].of_mut(who) = options;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// The options of `who` at `x` after bypassing what is reversible, then dropping what is dominated.
fn best_options(
    nodes: &[Node],
    x: u32,
    who: Player,
    order: &mut Order,
    work: &mut Work,
) -> Result<Vec<u32>, LoopyError> {
    // At least as good for `who`.
    let mut good = |a: u32, b: u32, work: &mut Work| match who {
        Player::Left => order.ge(nodes, a, b, work),
        Player::Right => order.ge(nodes, b, a, work),
    };
    let mut seen = nodes[x as usize].of(who).to_vec();
    let mut kept: Vec<u32> = Vec::new();
    let mut next = 0;
    'options: while let Some(&y) = seen.get(next) {
        next += 1;
        work.spend(1)?;
        for &k in nodes[y as usize].of(who.opponent()) {
            if good(x, k, work)? {
                for &z in nodes[k as usize].of(who) {
                    if !seen.contains(&z) {
                        seen.push(z);
                    }
                }
                continue 'options;
            }
        }
        kept.push(y);
    }
    let mut best: Vec<u32> = Vec::new();
    'candidates: for y in kept {
        for &b in &best {
            if good(b, y, work)? {
                continue 'candidates;
            }
        }
        let mut undominated = Vec::with_capacity(best.len() + 1);
        for &b in &best {
            if !good(y, b, work)? {
                undominated.push(b);
            }
        }
        undominated.push(y);
        best = undominated;
    }
    best.sort_unstable();
    Ok(best)
}

/// Fuses bisimilar nodes and numbers the classes in a way that is the same for isomorphic graphs: nodes from
/// which play ends come first, by height; classes are split by their options' classes until that changes nothing.
pub(super) fn fuse(
    nodes: &[Node],
    roots: &[u32],
    work: &mut Work,
) -> Result<(Vec<Node>, Vec<u32>), LoopyError> {
    let first: Vec<u32> = heights(nodes).iter().map(|h| h.unwrap_or(u32::MAX)).collect();
    let (class, fused) = refine(first, |at, class| {
        work.spend(1 + nodes[at].edges())?;
        Ok::<_, LoopyError>(nodes[at].map(|w| class[w as usize]))
    })?;
    Ok((fused, roots.iter().map(|&r| class[r as usize]).collect()))
}
