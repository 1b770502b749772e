//! Between values of a store and games with loops.

use rustc_hash::FxHashMap;

use super::{Builder, LoopyError, LoopyGame, NodeId};
use crate::budget::Halt;
use crate::kernel::Kernel;
use crate::player::Player::{Left, Right};
use crate::value::Value;

impl Kernel<'_> {
    /// The canonical form of a value as a graph of at most `max_nodes` positions. An integer has a position for every
    /// move in it.
    pub fn to_loopy(&self, value: Value, max_nodes: usize) -> Result<LoopyGame, LoopyError> {
        let mut builder = Builder::new(max_nodes);
        let mut known: FxHashMap<Value, NodeId> = FxHashMap::default();
        known.insert(value, builder.declare()?);
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let mut sides = [vec![], vec![]];
            for (side, player) in sides.iter_mut().zip([Left, Right]) {
                for option in self.options(value, player) {
                    self.step()?;
                    let node = match known.get(&option) {
                        Some(&node) => node,
                        None => {
                            let node = builder.declare()?;
                            known.insert(option, node);
                            open.push(option);
                            node
                        }
                    };
                    side.push(node);
                }
            }
            builder.set(known[&value], &sides[0], &sides[1])?;
        }
        builder.build(known[&value])
    }

    /// The value of a game in which there are no loops but `on` and `off`; `None` if there are others.
    pub fn from_loopy(&self, game: &LoopyGame) -> Result<Option<Value>, Halt> {
        self.from_loopy_at(game, game.root())
    }

    /// The same for a position of a game.
    pub fn from_loopy_at(&self, game: &LoopyGame, at: NodeId) -> Result<Option<Value>, Halt> {
        let mut values: FxHashMap<NodeId, Value> = FxHashMap::default();
        // Positions are looked at twice: when they are found, and when all their options have values.
        let mut path = vec![(at, false)];
        let mut entered: rustc_hash::FxHashSet<NodeId> = Default::default();
        while let Some((node, again)) = path.pop() {
            if values.contains_key(&node) {
                continue;
            }
            self.step()?;
            if let Some(value) = on_or_off(game, node) {
                values.insert(node, value);
                continue;
            }
            if !again {
                if !entered.insert(node) {
                    // Found again below itself.
                    return Ok(None);
                }
                path.push((node, true));
                path.extend(
                    game.left(node)
                        .chain(game.right(node))
                        .filter(|n| !values.contains_key(n))
                        .map(|n| (n, false)),
                );
                continue;
            }
            let lefts: Vec<Value> = game.left(node).map(|n| values[&n]).collect();
            let rights: Vec<Value> = game.right(node).map(|n| values[&n]).collect();
            values.insert(node, self.from_options(&lefts, &rights)?);
        }
        Ok(values.get(&at).copied())
    }
}

fn on_or_off(game: &LoopyGame, node: NodeId) -> Option<Value> {
    let alone = |mut options: Box<dyn ExactSizeIterator<Item = NodeId> + '_>| {
        options.len() == 1 && options.next() == Some(node)
    };
    match (game.left(node).len(), game.right(node).len()) {
        (1, 0) if alone(Box::new(game.left(node))) => Some(Value::ON),
        (0, 1) if alone(Box::new(game.right(node))) => Some(Value::OFF),
        _ => None,
    }
}
