//! A graph of positions, one strongly connected component after the other.

use super::equations::{Equations, Opt, Side};
use super::tarjan::Components;
use super::{Id, Node, SidedId, StopperId, Stoppers};
use crate::budget::{Halt, Limit};
use crate::loopy::LoopyError;
use crate::player::Player;

/// A position that has no value yet.
const OPEN: Option<SidedId> = None;
/// Games with more options than this are not played through beside a loop.
const MAX_OPTIONS: usize = 1 << 20;

impl Stoppers<'_, '_> {
    /// The values of all positions of a graph.
    ///
    /// # Errors
    /// When the budget runs out, or [`LoopyError::NoSides`] when sidling does not come to rest at a component.
    pub fn solve(&mut self, graph: &Equations) -> Result<Vec<SidedId>, LoopyError> {
        if let Some(node) = graph.missing() {
            return Err(LoopyError::Undefined { node: node as usize });
        }
        let bytes = graph.len() as u64 * (Components::BYTES_A_NODE + size_of::<Option<SidedId>>() as u64);
        self.charge(bytes)?;
        let solved = self.solve_components(graph);
        self.release(bytes);
        solved
    }

    fn solve_components(&mut self, graph: &Equations) -> Result<Vec<SidedId>, LoopyError> {
        let components = Components::of(graph.len(), |v, i| graph.next(v, i), |n| self.work(n))?;
        let mut values = vec![OPEN; graph.len()];
        // The place of a position in its component.
        let mut places = vec![0u32; graph.len()];
        for members in components.iter() {
            for (place, &v) in (0..).zip(members) {
                places[v as usize] = place;
            }
            self.kernel.step()?;
            self.solve_component(graph, members, &places, &mut values)?;
        }
        // Every position is in some component.
        Ok(values.into_iter().flatten().collect())
    }

    fn check_length(&self, game: SidedId) -> Result<(), Halt> {
        self.check_options(game.onside.0)?;
        self.check_options(game.offside.0)
    }

    /// A nimber such as `*4294967295` cannot be gone through option by option: to list them alone would take 32 GB.
    pub(super) fn check_options(&self, id: Id) -> Result<(), Halt> {
        let Id::Short(value) = id else { return Ok(()) };
        if Player::BOTH.into_iter().any(|who| self.kernel.options(value, who).len() > MAX_OPTIONS) {
            return Err(Halt::TooLarge(Limit::Moves));
        }
        Ok(())
    }

    fn solve_component(
        &mut self,
        graph: &Equations,
        members: &[u32],
        places: &[u32],
        values: &mut [Option<SidedId>],
    ) -> Result<(), LoopyError> {
        let mut two_sided = false;
        let mut inside = false;
        let mut nodes = [Side::On, Side::Off].map(|_| Vec::with_capacity(members.len()));
        for &v in members {
            let mut both = [Node::default(), Node::default()];
            for who in Player::BOTH {
                for option in graph.options(v, who) {
                    self.work(1)?;
                    let known = match option {
                        Opt::Known(known) => {
                            self.check_length(known)?;
                            Some(known)
                        }
                        Opt::Node(w) => values[w as usize].or_else(|| {
                            inside = true;
                            let id = Id::Temp(places[w as usize]);
                            both.iter_mut().for_each(|node| node.sides[who as usize].push(id));
                            None
                        }),
                    };
                    if let Some(known) = known {
                        two_sided |= known.as_stopper().is_none();
                        for (node, side) in both.iter_mut().zip([Side::On, Side::Off]) {
                            node.sides[who as usize].push(known.side(side));
                        }
                    }
                }
            }
            let [mut on, mut off] = both;
            on.tidy();
            off.tidy();
            nodes[0].push(on);
            nodes[1].push(off);
        }
        let [on, off] = nodes;
        let stops = !inside || self.stops(&on)?;
        let onsides = self.onsides(on, stops)?;
        let offsides = if stops && !two_sided { onsides.clone() } else { self.offsides(off, stops)? };
        for ((&v, on), off) in members.iter().zip(onsides).zip(offsides) {
            values[v as usize] = Some(SidedId { onside: StopperId(on), offside: StopperId(off) });
        }
        Ok(())
    }

    /// What positions that lead to each other and to known games equal if infinite play is a win for Left.
    pub(super) fn onsides(&mut self, mut nodes: Vec<Node>, stops: bool) -> Result<Vec<Id>, LoopyError> {
        match (stops, nodes.len()) {
            (true, 1) => {
                let node = nodes.pop().unwrap_or_default();
                let loops = node.sides.iter().flatten().any(|id| matches!(id, Id::Temp(_)));
                if loops { self.component(vec![node]) } else { Ok(vec![self.with_options(node)?]) }
            }
            (true, _) => self.component(nodes),
            (false, _) => self.sidle(nodes),
        }
    }

    /// The same if infinite play is a win for Right: the players change places twice.
    fn offsides(&mut self, nodes: Vec<Node>, stops: bool) -> Result<Vec<Id>, LoopyError> {
        if stops {
            return self.onsides(nodes, true);
        }
        let mut turned = Vec::with_capacity(nodes.len());
        for node in &nodes {
            turned.push(self.negative_node(node)?);
        }
        let negatives = self.onsides(turned, false)?;
        negatives.into_iter().map(|id| self.negative(id)).collect()
    }

    /// The values of positions that need not be one component, as long as every alternating run ends.
    pub(super) fn solve_stoppers(&mut self, nodes: &[Node]) -> Result<Vec<Id>, LoopyError> {
        let mut graph = Equations::default();
        let option = |&id: &Id| match id {
            Id::Temp(w) => Opt::Node(w),
            known => Opt::Known(StopperId(known).into()),
        };
        for node in nodes {
            let [left, right] = Player::BOTH.map(|who| node.of(who).iter().map(option).collect::<Vec<_>>());
            graph.push(&left, &right);
        }
        Ok(self.solve_components(&graph)?.into_iter().map(|value| value.onside.0).collect())
    }

    /// Whether every alternating run inside a component ends: (position, player to move) has no cycle.
    pub(super) fn stops(&self, nodes: &[Node]) -> Result<bool, LoopyError> {
        let next = |state: u32, i: usize| {
            let who = Player::BOTH[state as usize % 2];
            Some(match nodes[state as usize / 2].of(who).get(i)? {
                Id::Temp(w) => Some(2 * w + who.opponent() as u32),
                _ => None,
            })
        };
        let components = Components::of(2 * nodes.len(), next, |n| self.work(n))?;
        // A move changes who is to move, so a cycle has at least two states.
        Ok(components.iter().all(|members| members.len() == 1))
    }
}
