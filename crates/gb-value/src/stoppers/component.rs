//! From a component of positions to names of canonical games.

use std::hash::BuildHasher;

use super::tarjan::Components;
use super::{Id, Link, Node, Stoppers};
use crate::loopy::LoopyError;
use crate::player::Player;
use crate::refine::refine;
use crate::value::Value;

impl Stoppers<'_, '_> {
    /// The game with these options, which are known.
    pub(super) fn with_options(&mut self, mut node: Node) -> Result<Id, LoopyError> {
        node.tidy();
        match values_of(&node) {
            Some([lefts, rights]) => Ok(Id::Short(self.kernel.from_options(&lefts, &rights)?)),
            None => Ok(self.component(vec![node])?[0]),
        }
    }

    /// The games of positions whose options are each other (`Temp`) or known, without an infinite alternating run.
    pub(super) fn component(&mut self, nodes: Vec<Node>) -> Result<Vec<Id>, LoopyError> {
        self.order.forget_temporary();
        self.temps = nodes;
        let reduced = self.reduce();
        let nodes = std::mem::take(&mut self.temps);
        self.order.forget_temporary();
        reduced?;
        self.intern(nodes)
    }

    /// The names of positions in which no option is dominated or reversible. Options that are positions of the list are `Temp`.
    pub(super) fn intern(&mut self, nodes: Vec<Node>) -> Result<Vec<Id>, LoopyError> {
        let next = |v: u32, i: usize| {
            let [left, right] = &nodes[v as usize].sides;
            let option = left.get(i).or_else(|| right.get(i.checked_sub(left.len())?))?;
            Some(match option {
                Id::Temp(w) => Some(*w),
                _ => None,
            })
        };
        let components = Components::of(nodes.len(), next, |n| self.work(n))?;
        let mut names: Vec<Option<Id>> = vec![None; nodes.len()];
        for members in components.iter() {
            let mut local = vec![Node::default(); members.len()];
            for (node, &v) in local.iter_mut().zip(members) {
                for who in Player::BOTH {
                    let renamed = nodes[v as usize].of(who).iter().map(|&option| match option {
                        Id::Temp(w) => match names[w as usize] {
                            Some(name) => name,
                            // Found in what is a short list nearly always.
                            None => Id::Temp(members.iter().position(|&m| m == w).unwrap_or(0) as u32),
                        },
                        known => known,
                    });
                    node.sides[who as usize] = renamed.collect();
                }
                node.tidy();
                self.work(1 + node.sides[0].len() + node.sides[1].len())?;
            }
            for (name, &v) in self.intern_component(local)?.into_iter().zip(members) {
                names[v as usize] = Some(name);
            }
        }
        // Every node is in some component.
        Ok(names.into_iter().flatten().collect())
    }

    /// The names of a strongly connected component of canonical positions.
    fn intern_component(&mut self, nodes: Vec<Node>) -> Result<Vec<Id>, LoopyError> {
        if let [node] = &nodes[..]
            && node.sides.iter().flatten().all(|id| !matches!(id, Id::Temp(_)))
        {
            return Ok(vec![self.intern_node(node)?]);
        }
        let names = self.known_names(&nodes)?;
        if names.iter().any(Option::is_some) {
            // Positions of the component equal games it leads to. Nothing else holds it together then, mostly.
            return self.intern_with_names(nodes, names);
        }
        let (fused, class) = self.fuse(nodes)?;
        if let [node] = &fused[..] {
            let itself = [Id::Temp(0)];
            match (node.of(Player::Left), node.of(Player::Right)) {
                (left, []) if left == itself => return Ok(vec![Id::Short(Value::ON); class.len()]),
                ([], right) if right == itself => return Ok(vec![Id::Short(Value::OFF); class.len()]),
                _ => {}
            }
        }
        let first = match self.components.get(&fused) {
            Some(&first) => first,
            None => {
                let first = self.add_component(&fused)?;
                self.components.insert(fused, first);
                first
            }
        };
        Ok(class.into_iter().map(|c| Id::Loop(first + c)).collect())
    }

    /// The name of a position whose options have names, and which is canonical.
    fn intern_node(&mut self, node: &Node) -> Result<Id, LoopyError> {
        if let Some([lefts, rights]) = values_of(node) {
            return Ok(Id::Short(self.kernel.from_options(&lefts, &rights)?));
        }
        let mut at = self.by_hash.get(&hash_of(node)).copied();
        while let Some(found) = at {
            if self.nodes[found as usize] == *node {
                return Ok(Id::Loop(found));
            }
            at = self.links[found as usize].same_hash;
        }
        Ok(Id::Loop(self.add_component(std::slice::from_ref(node))?))
    }

    /// Which positions of a component equal games with loops that it leads to: the same canonical game can have been found in two
    /// ways, and the component contain moves to both. Whatever is equal has equal options, so partitions are refined as in `fuse`, over
    /// the component and those that its moves lead to.
    fn known_names(&self, nodes: &[Node]) -> Result<Vec<Option<Id>>, LoopyError> {
        let mut around: Vec<u32> = vec![];
        for id in nodes.iter().flat_map(|node| node.sides.iter().flatten()) {
            if let Id::Loop(at) = *id {
                let Link { first, len, .. } = self.links[at as usize];
                if !around.contains(&first) {
                    around.extend(first..first + len);
                }
            }
        }
        if around.is_empty() {
            return Ok(vec![None; nodes.len()]);
        }
        around.sort_unstable();
        let base = nodes.len() as u32;
        let mut all = nodes.to_vec();
        all.extend(around.iter().map(|&at| self.nodes[at as usize].clone()));
        for option in all.iter_mut().flat_map(|node| node.sides.iter_mut().flatten()) {
            if let Id::Loop(at) = *option
                && let Ok(place) = around.binary_search(&at)
            {
                *option = Id::Temp(base + place as u32);
            }
        }
        let (_, class) = self.fuse(all)?;
        let (ours, theirs) = class.split_at(nodes.len());
        let name = |c: &u32| theirs.iter().position(|t| t == c).map(|place| Id::Loop(around[place]));
        Ok(ours.iter().map(name).collect())
    }

    fn intern_with_names(&mut self, nodes: Vec<Node>, names: Vec<Option<Id>>) -> Result<Vec<Id>, LoopyError> {
        let mut named = nodes;
        for option in named.iter_mut().flat_map(|node| node.sides.iter_mut().flatten()) {
            if let Id::Temp(w) = *option
                && let Some(name) = names[w as usize]
            {
                *option = name;
            }
        }
        // At least one position fewer is left to be named.
        let mut places = vec![0u32; named.len()];
        let mut rest = vec![];
        for (at, name) in names.iter().enumerate() {
            if name.is_none() {
                places[at] = rest.len() as u32;
                rest.push(std::mem::take(&mut named[at]));
            }
        }
        for option in rest.iter_mut().flat_map(|node| node.sides.iter_mut().flatten()) {
            if let Id::Temp(w) = option {
                *w = places[*w as usize];
            }
        }
        rest.iter_mut().for_each(Node::tidy);
        let mut found = self.intern(rest)?.into_iter();
        Ok(names.into_iter().filter_map(|name| name.or_else(|| found.next())).collect())
    }

    fn add_component(&mut self, fused: &[Node]) -> Result<u32, LoopyError> {
        let first = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&n| n < u32::MAX / 2)
            .ok_or(LoopyError::TooLarge { limit: u32::MAX as usize / 2, unit: "nodes" })?;
        self.kernel.step()?;
        for node in fused {
            let mut named = node.clone();
            for option in named.sides.iter_mut().flatten() {
                if let Id::Temp(w) = *option {
                    *option = Id::Loop(first + w);
                }
            }
            named.tidy();
            // Twice: as a node, and in the key of its component.
            let options = named.sides[0].len() + named.sides[1].len();
            self.node_bytes += 2 * (size_of::<Node>() + options * size_of::<Id>() + 32) as u64;
            let same_hash = self.by_hash.insert(hash_of(&named), self.nodes.len() as u32);
            self.links.push(Link { first, len: fused.len() as u32, same_hash });
            self.nodes.push(named);
        }
        Ok(first)
    }

    /// Fuses positions with the same options and numbers them in a way that depends on the values alone: by their known options, then
    /// by what is known of the others, until that changes nothing. Also says what became of each position.
    fn fuse(&self, nodes: Vec<Node>) -> Result<(Vec<Node>, Vec<u32>), LoopyError> {
        let (class, sides) = refine(vec![0; nodes.len()], |at, class| {
            let node = &nodes[at];
            self.work(1 + node.sides[0].len() + node.sides[1].len())?;
            let mut seen = node.clone();
            for option in seen.sides.iter_mut().flatten() {
                if let Id::Temp(w) = *option {
                    *option = Id::Temp(class[w as usize]);
                }
            }
            seen.tidy();
            Ok::<_, LoopyError>(seen.sides)
        })?;
        Ok((sides.into_iter().map(|sides| Node { sides }).collect(), class))
    }
}

/// The options if all of them are values.
fn values_of(node: &Node) -> Option<[Vec<Value>; 2]> {
    let values = |side: &[Id]| -> Option<Vec<Value>> {
        side.iter().map(|&id| if let Id::Short(value) = id { Some(value) } else { None }).collect()
    };
    Some([values(&node.sides[0])?, values(&node.sides[1])?])
}

fn hash_of(node: &Node) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(node)
}
