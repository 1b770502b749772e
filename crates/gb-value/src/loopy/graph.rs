//! Graphs of positions: building, negating, adding, and the stopper test.

use super::{LoopyError, Work};
use crate::Player;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A position of a [`Builder`] or of a [`LoopyGame`]; its number means nothing outside the one it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The number of the node in its builder or game, counted from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One position: where each player can move to. Option lists are sorted and free of repetitions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Node {
    pub(crate) left: Vec<u32>,
    pub(crate) right: Vec<u32>,
}

impl Node {
    pub(crate) fn new(left: Vec<u32>, right: Vec<u32>) -> Self {
        let mut node = Node { left, right };
        for who in Player::BOTH {
            let options = node.of_mut(who);
            options.sort_unstable();
            options.dedup();
        }
        node
    }

    pub(super) fn of(&self, who: Player) -> &[u32] {
        match who {
            Player::Left => &self.left,
            Player::Right => &self.right,
        }
    }

    pub(super) fn of_mut(&mut self, who: Player) -> &mut Vec<u32> {
        match who {
            Player::Left => &mut self.left,
            Player::Right => &mut self.right,
        }
    }

    pub(super) fn edges(&self) -> usize {
        self.left.len() + self.right.len()
    }

    /// The same position with every option renamed.
    pub(super) fn map(&self, mut rename: impl FnMut(u32) -> u32) -> Node {
        Node::new(
            self.left.iter().map(|&v| rename(v)).collect(),
            self.right.iter().map(|&v| rename(v)).collect(),
        )
    }
}

/// A game as a finite graph with a root. Immutable and cheap to clone; taken as it stands, not simplified.
#[derive(Clone, Debug)]
pub struct LoopyGame {
    pub(crate) nodes: Arc<[Node]>,
    pub(crate) root: u32,
}

impl LoopyGame {
    /// The root position.
    pub fn root(&self) -> NodeId {
        NodeId(self.root)
    }

    /// The number of positions in the graph.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Left's options at `node`, or nothing if there is no such node.
    pub fn left(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.nodes.get(node.index()).map_or(&[][..], |n| &n.left).iter().map(|&v| NodeId(v))
    }

    /// Right's options at `node`, or nothing if there is no such node.
    pub fn right(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.nodes.get(node.index()).map_or(&[][..], |n| &n.right).iter().map(|&v| NodeId(v))
    }

    /// The game that starts at `node`. Shares the graph, so this costs nothing.
    pub fn at(&self, node: NodeId) -> Result<LoopyGame, LoopyError> {
        if node.index() < self.nodes.len() {
            Ok(LoopyGame { nodes: self.nodes.clone(), root: node.0 })
        } else {
            Err(LoopyError::NoSuchNode { node: node.index() })
        }
    }

    /// The same game with the players' roles exchanged.
    pub fn negate(&self) -> LoopyGame {
        LoopyGame { nodes: negated(&self.nodes).into(), root: self.root }
    }

    /// The disjunctive sum, not simplified: one node for each reachable pair of positions.
    pub fn plus(&self, other: &LoopyGame, work: &mut Work) -> Result<LoopyGame, LoopyError> {
        let mut number: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs = vec![(self.root, other.root)];
        number.insert(pairs[0], 0);
        let mut nodes = Vec::new();
        while let Some(&(g, h)) = pairs.get(nodes.len()) {
            let mut node = Node::default();
            for who in Player::BOTH {
                let (gs, hs) = (self.nodes[g as usize].of(who), other.nodes[h as usize].of(who));
                work.spend(1 + gs.len() + hs.len())?;
                for pair in gs.iter().map(|&g| (g, h)).chain(hs.iter().map(|&h| (g, h))) {
                    let next = id(pairs.len())?;
                    let found = *number.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        next
                    });
                    node.of_mut(who).push(found);
                }
            }
            nodes.push(Node::new(node.left, node.right));
        }
        Ok(LoopyGame { nodes: nodes.into(), root: 0 })
    }

    /// Whether play can return to a position when the players need not alternate. A game without loops is a
    /// short game.
    pub fn has_loops(&self) -> bool {
        let mut reach = vec![self.root];
        let heights = heights(&self.nodes);
        let mut seen = vec![false; self.nodes.len()];
        seen[self.root as usize] = true;
        while let Some(v) = reach.pop() {
            if heights[v as usize].is_none() {
                return true;
            }
            for &w in self.nodes[v as usize].left.iter().chain(&self.nodes[v as usize].right) {
                if !std::mem::replace(&mut seen[w as usize], true) {
                    reach.push(w);
                }
            }
        }
        false
    }

    /// Whether no infinite alternating run of moves starts at any position that can be reached.
    pub fn is_stopper(&self) -> bool {
        let (nodes, _) = reachable(&self.nodes, &[self.root]);
        stops(&nodes)
    }
}

/// A node number, as long as it fits.
pub(super) fn id(n: usize) -> Result<u32, LoopyError> {
    u32::try_from(n).map_err(|_| LoopyError::TooLarge { limit: u32::MAX as usize, unit: "nodes" })
}

pub(super) fn negated(nodes: &[Node]) -> Vec<Node> {
    nodes.iter().map(|n| Node { left: n.right.clone(), right: n.left.clone() }).collect()
}

/// The part of a graph that can be reached from the roots, with the roots' new numbers.
pub(super) fn reachable(nodes: &[Node], roots: &[u32]) -> (Vec<Node>, Vec<u32>) {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; nodes.len()];
    let mut order = Vec::new();
    let mut visit = |v: u32, order: &mut Vec<u32>| {
        if number[v as usize] == UNSEEN {
            number[v as usize] = order.len() as u32; // no more than nodes.len(), which fits
            order.push(v);
        }
    };
    roots.iter().for_each(|&r| visit(r, &mut order));
    let mut next = 0;
    while let Some(&v) = order.get(next) {
        next += 1;
        let node = &nodes[v as usize];
        node.left.iter().chain(&node.right).for_each(|&w| visit(w, &mut order));
    }
    let part = order.iter().map(|&v| nodes[v as usize].map(|w| number[w as usize])).collect();
    (part, roots.iter().map(|&r| number[r as usize]).collect())
}

/// The height of every node from which all play ends (0 for no options); none for the others.
pub(super) fn heights(nodes: &[Node]) -> Vec<Option<u32>> {
    let mut parents = vec![Vec::new(); nodes.len()];
    let mut open: Vec<usize> = nodes.iter().map(Node::edges).collect();
    for (v, node) in nodes.iter().enumerate() {
        for &w in node.left.iter().chain(&node.right) {
            parents[w as usize].push(v);
        }
    }
    let mut height = vec![0; nodes.len()];
    let mut ends: Vec<usize> = (0..nodes.len()).filter(|&v| open[v] == 0).collect();
    let mut done = 0;
    while let Some(&v) = ends.get(done) {
        done += 1;
        for &u in &parents[v] {
            height[u] = height[u].max(height[v] + 1);
            open[u] -= 1;
            if open[u] == 0 {
                ends.push(u);
            }
        }
    }
    (0..nodes.len()).map(|v| (open[v] == 0).then_some(height[v])).collect()
}

/// Whether every alternating run ends: (node, player to move) has no cycle.
pub(super) fn stops(nodes: &[Node]) -> bool {
    let at = |v: u32, who: Player| 2 * v as usize + usize::from(who == Player::Right);
    let mut incoming = vec![0usize; 2 * nodes.len()];
    for node in nodes {
        for who in Player::BOTH {
            node.of(who).iter().for_each(|&w| incoming[at(w, who.opponent())] += 1);
        }
    }
    let mut free: Vec<usize> = (0..incoming.len()).filter(|&s| incoming[s] == 0).collect();
    let mut removed = 0;
    while let Some(state) = free.pop() {
        removed += 1;
        let who = if state % 2 == 0 { Player::Left } else { Player::Right };
        for &w in nodes[state / 2].of(who) {
            let next = at(w, who.opponent());
            incoming[next] -= 1;
            if incoming[next] == 0 {
                free.push(next);
            }
        }
    }
    removed == incoming.len()
}

/// Builds graphs: declare the nodes that loops come back to, then set their options; other nodes can be made
/// from their option lists at once. For `a{0|a}`: `declare` a, make 0 with `node`, `set` a, `build` a.
#[derive(Clone, Debug)]
pub struct Builder {
    nodes: Vec<Option<Node>>,
    known: FxHashMap<Node, u32>,
    max_nodes: usize,
}

impl Builder {
    /// A builder that will hold at most `max_nodes` nodes.
    pub fn new(max_nodes: usize) -> Self {
        Builder {
            nodes: Vec::new(),
            known: FxHashMap::default(),
            max_nodes: max_nodes.min(u32::MAX as usize),
        }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn push(&mut self, node: Option<Node>) -> Result<NodeId, LoopyError> {
        if self.nodes.len() >= self.max_nodes {
            return Err(LoopyError::TooLarge { limit: self.max_nodes, unit: "nodes" });
        }
        self.nodes.push(node);
        Ok(NodeId(id(self.nodes.len() - 1)?))
    }

    /// A new node whose options will be set later.
    pub fn declare(&mut self) -> Result<NodeId, LoopyError> {
        self.push(None)
    }

    fn checked(&self, left: &[NodeId], right: &[NodeId]) -> Result<Node, LoopyError> {
        match left.iter().chain(right).find(|n| n.index() >= self.nodes.len()) {
            Some(n) => Err(LoopyError::NoSuchNode { node: n.index() }),
            None => Ok(Node::new(left.iter().map(|n| n.0).collect(), right.iter().map(|n| n.0).collect())),
        }
    }

    /// Gives a declared node its options.
    pub fn set(&mut self, node: NodeId, left: &[NodeId], right: &[NodeId]) -> Result<(), LoopyError> {
        let options = self.checked(left, right)?;
        match self.nodes.get_mut(node.index()) {
            None => Err(LoopyError::NoSuchNode { node: node.index() }),
            Some(Some(_)) => Err(LoopyError::AlreadySet { node: node.index() }),
            Some(slot) => {
                *slot = Some(options);
                Ok(())
            }
        }
    }

    /// The node with these options; made only once, so short games stay small.
    pub fn node(&mut self, left: &[NodeId], right: &[NodeId]) -> Result<NodeId, LoopyError> {
        let options = self.checked(left, right)?;
        if let Some(&v) = self.known.get(&options) {
            return Ok(NodeId(v));
        }
        let made = self.push(Some(options.clone()))?;
        self.known.insert(options, made.0);
        Ok(made)
    }

    /// The integer `n`, a chain of `|n|` moves.
    pub fn integer(&mut self, n: i64) -> Result<NodeId, LoopyError> {
        if n.unsigned_abs() > self.max_nodes as u64 {
            return Err(LoopyError::TooLarge { limit: self.max_nodes, unit: "nodes" });
        }
        let mut at = self.node(&[], &[])?;
        for _ in 0..n.unsigned_abs() {
            at = if n > 0 { self.node(&[at], &[])? } else { self.node(&[], &[at])? };
        }
        Ok(at)
    }

    /// Copies a game into this builder.
    pub fn include(&mut self, game: &LoopyGame) -> Result<NodeId, LoopyError> {
        let (part, roots) = reachable(&game.nodes, &[game.root]);
        if part.len() > self.max_nodes - self.nodes.len() {
            return Err(LoopyError::TooLarge { limit: self.max_nodes, unit: "nodes" });
        }
        let base = id(self.nodes.len())?;
        self.nodes.extend(part.iter().map(|n| Some(n.map(|v| v + base))));
        Ok(NodeId(base + roots[0]))
    }

    /// The game that starts at `root`. The builder can be used further.
    pub fn build(&self, root: NodeId) -> Result<LoopyGame, LoopyError> {
        if root.index() >= self.nodes.len() {
            return Err(LoopyError::NoSuchNode { node: root.index() });
        }
        let blank = Node::default();
        // Undefined nodes matter only if the root leads to them, so look for them along the way.
        let mut seen = vec![false; self.nodes.len()];
        let mut reach = vec![root.0];
        while let Some(v) = reach.pop() {
            if std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            match &self.nodes[v as usize] {
                None => return Err(LoopyError::Undefined { node: v as usize }),
                Some(node) => reach.extend(node.left.iter().chain(&node.right)),
            }
        }
        let nodes: Vec<Node> = self.nodes.iter().map(|n| n.as_ref().unwrap_or(&blank).clone()).collect();
        let (nodes, roots) = reachable(&nodes, &[root.0]);
        Ok(LoopyGame { nodes: nodes.into(), root: roots[0] })
    }
}
