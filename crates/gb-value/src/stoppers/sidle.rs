//! Components with infinite alternating runs: what they equal if infinite play is a win for Left.
//!
//! Sidling as in [`crate::loopy`], on one component: cut moves until every alternating run ends, let the cut moves lead to guesses, at
//! first `on`, and take the values of the positions they led to as the next guesses, until these repeat. Where that does not come to rest,
//! the component is written out as a plain graph, where moves that are reversible in the biased order can be bypassed first.

use super::tarjan::Components;
use super::{Id, Node, Stoppers};
use crate::loopy::graph::Node as PlainNode;
use crate::loopy::sides::{loop_closing_moves, onside};
use crate::loopy::{LoopyError, LoopyGame, Work};
use crate::player::Player;
use crate::value::Value;

/// Rounds before the plain graph is tried.
const ROUNDS: usize = 8;
/// The largest plain graph, and the most steps on it.
const MAX_PLAIN_NODES: usize = 2_000;
/// Bytes that the biased order takes for each pair of its positions.
const BYTES_A_PAIR: u64 = 12;
const MAX_PLAIN_STEPS: usize = 1 << 28;

impl Stoppers<'_, '_> {
    pub(super) fn sidle(&mut self, nodes: Vec<Node>) -> Result<Vec<Id>, LoopyError> {
        let endless = self.endless(&nodes)?;
        if endless.contains(&true) {
            return self.sidle_beside(nodes, &endless);
        }
        let inner: Vec<PlainNode> = nodes
            .iter()
            .map(|node| {
                let [left, right] = Player::BOTH.map(|who| {
                    let inner = node.of(who).iter().filter_map(|id| match id {
                        Id::Temp(w) => Some(*w),
                        _ => None,
                    });
                    inner.collect()
                });
                PlainNode::new(left, right)
            })
            .collect();
        // Right should shun infinite play, so moves of his are the natural ones to cut.
        for cutting in [Player::Right, Player::Left] {
            let cut = loop_closing_moves(&inner, cutting, || Ok(self.work(1)?))?;
            if let Some(found) = self.sidle_along(&nodes, &cut)? {
                return Ok(found);
            }
        }
        self.sidle_on_plain_graph(&nodes)
    }

    /// The positions that equal `on` if infinite play is a win for Left: those in which she always has a move to another such position,
    /// whatever Right does, and if he passes. For then she survives G + off moving second, and G is at least `on`. The greatest set
    /// of this kind is what is left when positions that fail are taken away.
    fn endless(&self, nodes: &[Node]) -> Result<Vec<bool>, LoopyError> {
        let on = Id::Short(Value::ON);
        let mut endless = vec![true; nodes.len()];
        loop {
            let mut changed = false;
            for v in 0..nodes.len() {
                if !endless[v] {
                    continue;
                }
                let goes_on = |id: Id| match id {
                    Id::Temp(w) => nodes[w as usize].of(Player::Left).iter().any(|&option| match option {
                        Id::Temp(u) => endless[u as usize],
                        known => known == on,
                    }),
                    known => self.options(known, Player::Left).contains(&on),
                };
                let right = nodes[v].of(Player::Right);
                self.work(1 + nodes[v].of(Player::Left).len() + 4 * right.len())?;
                let stays = goes_on(Id::Temp(v as u32)) && right.iter().all(|&option| goes_on(option));
                if !stays {
                    endless[v] = false;
                    changed = true;
                }
            }
            if !changed {
                return Ok(endless);
            }
        }
    }

    /// The onsides of positions some of which are `on`: the others may fall apart into several components.
    fn sidle_beside(&mut self, nodes: Vec<Node>, endless: &[bool]) -> Result<Vec<Id>, LoopyError> {
        let on = Id::Short(Value::ON);
        let mut found: Vec<Option<Id>> = endless.iter().map(|&is_on| is_on.then_some(on)).collect();
        let next = |v: u32, i: usize| {
            let [left, right] = &nodes[v as usize].sides;
            let option = left.get(i).or_else(|| right.get(i.checked_sub(left.len())?))?;
            Some(match option {
                Id::Temp(w) if !endless[*w as usize] => Some(*w),
                _ => None,
            })
        };
        let components = Components::of(nodes.len(), next, |n| self.work(n))?;
        let mut places = vec![0; nodes.len()];
        for members in components.iter().filter(|members| !endless[members[0] as usize]) {
            for (place, &v) in (0..).zip(members) {
                places[v as usize] = place;
            }
            let mut local = vec![Node::default(); members.len()];
            for (node, &v) in local.iter_mut().zip(members) {
                for who in Player::BOTH {
                    let named = nodes[v as usize].of(who).iter().map(|&option| match option {
                        Id::Temp(w) => found[w as usize].unwrap_or(Id::Temp(places[w as usize])),
                        known => known,
                    });
                    node.sides[who as usize] = named.collect();
                }
                node.tidy();
            }
            let stops = self.stops(&local)?;
            for (id, &v) in self.onsides(local, stops)?.into_iter().zip(members) {
                found[v as usize] = Some(id);
            }
        }
        // Every position is `on` or in some component.
        Ok(found.into_iter().flatten().collect())
    }

    fn sidle_along(
        &mut self,
        nodes: &[Node],
        cut: &[(u32, Player, u32)],
    ) -> Result<Option<Vec<Id>>, LoopyError> {
        let mut targets: Vec<u32> = cut.iter().map(|&(_, _, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        let mut guesses = vec![Id::Short(Value::ON); targets.len()];
        for _ in 0..ROUNDS {
            let mut guessed = nodes.to_vec();
            for &(from, who, to) in cut {
                let options = &mut guessed[from as usize].sides[who as usize];
                if let (Some(option), Ok(target)) =
                    (options.iter_mut().find(|o| **o == Id::Temp(to)), targets.binary_search(&to))
                {
                    *option = guesses[target];
                }
            }
            let values = self.solve_stoppers(&guessed)?;
            let next: Vec<Id> = targets.iter().map(|&to| values[to as usize]).collect();
            if next == guesses {
                return Ok(Some(values));
            }
            guesses = next;
        }
        Ok(None)
    }

    fn sidle_on_plain_graph(&mut self, nodes: &[Node]) -> Result<Vec<Id>, LoopyError> {
        let plain = match self.unfold(nodes, MAX_PLAIN_NODES) {
            Err(LoopyError::TooLarge { .. }) => return Err(LoopyError::NoSides { rounds: ROUNDS }),
            plain => plain?,
        };
        let bytes = (plain.len() * plain.len()) as u64 * BYTES_A_PAIR;
        self.charge(bytes)?;
        let found = self.onsides_of_plain_graph(&plain, nodes.len());
        self.release(bytes);
        found
    }

    /// The onsides of the first positions of a plain graph.
    fn onsides_of_plain_graph(&mut self, plain: &[PlainNode], roots: usize) -> Result<Vec<Id>, LoopyError> {
        let kernel = self.kernel;
        let mut found = vec![];
        for root in 0..roots as u32 {
            let mut stopped = None;
            let mut go_on = || {
                stopped = kernel.budget().spend(0, kernel.store().bytes()).err();
                stopped.is_none()
            };
            let side = onside(plain, root, &mut Work::new(MAX_PLAIN_STEPS, &mut go_on));
            match (side, stopped) {
                (Err(LoopyError::Cancelled), Some(stop)) => return Err(stop.into()),
                (side, _) => found.push(self.import_stopper(&side?.game())?),
            }
        }
        Ok(found)
    }

    /// The canonical name of a graph that is a stopper.
    fn import_stopper(&mut self, game: &LoopyGame) -> Result<Id, LoopyError> {
        let nodes: Vec<Node> = game
            .nodes
            .iter()
            .map(|n| Node { sides: [&n.left, &n.right].map(|s| s.iter().map(|&w| Id::Temp(w)).collect()) })
            .collect();
        Ok(self.solve_stoppers(&nodes)?[game.root as usize])
    }

    /// Positions written out move by move, the given ones first.
    pub(super) fn unfold(&self, nodes: &[Node], max_nodes: usize) -> Result<Vec<PlainNode>, LoopyError> {
        let mut places = rustc_hash::FxHashMap::default();
        let mut ids: Vec<Id> = (0..nodes.len() as u32).map(Id::Temp).collect();
        places.extend(ids.iter().copied().zip(0u32..));
        let mut plain = vec![];
        while let Some(&id) = ids.get(plain.len()) {
            self.work(1)?;
            let sides = Player::BOTH.map(|who| match id {
                Id::Temp(at) => nodes[at as usize].of(who).into(),
                _ => self.options(id, who),
            });
            let sides = sides.map(|side| {
                let place = |option: Id| {
                    *places.entry(option).or_insert_with(|| {
                        ids.push(option);
                        ids.len() as u32 - 1
                    })
                };
                side.into_iter().map(place).collect()
            });
            if ids.len() > max_nodes {
                return Err(LoopyError::TooLarge { limit: max_nodes, unit: "nodes" });
            }
            let [left, right] = sides;
            plain.push(PlainNode::new(left, right));
        }
        Ok(plain)
    }
}
