//! Values with loops outside of the place where they were found, and their text.

use std::sync::Arc;

use super::{Id, Node, SidedId, StopperId, Stoppers};
use crate::kernel::Kernel;
use crate::loopy::graph::Node as PlainNode;
use crate::loopy::{LoopyError, LoopyGame};
use crate::player::Player;
use crate::text::{Script, Shown, Style, cut};
use crate::value::Value;

/// A stopper in canonical form, on its own. The values in it belong to a store.
#[derive(Clone, Debug)]
pub struct Form {
    /// Games with loops; `Temp` is a place in this list.
    nodes: Arc<[Node]>,
    root: Id,
}

/// The value of a game with loops, on its own: a stopper, or two sides.
#[derive(Clone, Debug)]
pub struct LoopyValue {
    onside: Form,
    /// None if it is the same.
    offside: Option<Form>,
}

impl From<Value> for LoopyValue {
    fn from(value: Value) -> Self {
        LoopyValue { onside: Form { nodes: Arc::default(), root: Id::Short(value) }, offside: None }
    }
}

impl LoopyValue {
    /// What it equals if infinite play is a win for Left.
    pub fn onside(&self) -> &Form {
        &self.onside
    }

    /// What it equals if infinite play is a win for Right.
    pub fn offside(&self) -> &Form {
        self.offside.as_ref().unwrap_or(&self.onside)
    }

    /// The stopper it is, if it is one.
    pub fn as_stopper(&self) -> Option<&Form> {
        self.offside.is_none().then_some(&self.onside)
    }

    /// The value of the store it is, if it is one.
    pub fn as_value(&self) -> Option<Value> {
        self.as_stopper()?.as_value()
    }

    /// Its text: `over`, `2+over`, `a{0|{a|*}}`, or `onside & offside`.
    pub fn show(&self, kernel: &Kernel<'_>, style: &Style) -> Shown {
        let onside = self.onside.show(kernel, style);
        let Some(offside) = &self.offside else { return onside };
        if onside.cut {
            return onside;
        }
        if (self.onside.as_value(), offside.as_value()) == (Some(Value::ON), Some(Value::OFF)) {
            return Shown { text: style.script.name("dud"), cut: false };
        }
        cut(format!("{} & {}", onside.text, offside.show(kernel, style).text), style)
    }
}

impl From<Form> for LoopyValue {
    fn from(form: Form) -> Self {
        LoopyValue { onside: form, offside: None }
    }
}

impl Form {
    /// The value of the store it is, if it has no loops but `on` and `off`.
    pub fn as_value(&self) -> Option<Value> {
        match self.root {
            Id::Short(value) => Some(value),
            _ => None,
        }
    }

    /// How many positions with loops there are in it.
    pub fn loops(&self) -> usize {
        self.nodes.len()
    }

    /// Its text, cut where it is longer than the style allows.
    pub fn show(&self, kernel: &Kernel<'_>, style: &Style) -> Shown {
        let Id::Temp(root) = self.root else {
            return self.as_value().map_or_else(too_large, |value| short(kernel, value, style));
        };
        // Values become positions without options behind those with loops, and are printed by name.
        let mut values: Vec<Value> = self
            .nodes
            .iter()
            .flat_map(|node| node.sides.iter().flatten())
            .filter_map(|&id| value(id))
            .collect();
        values.sort_unstable();
        values.dedup();
        let loops = self.nodes.len() as u32;
        let place = |id: &Id| match id {
            Id::Temp(at) => *at,
            Id::Short(value) => loops + values.binary_search(value).unwrap_or(0) as u32,
            Id::Loop(_) => loops,
        };
        let plain = self.nodes.iter().map(|node| {
            let [left, right] = Player::BOTH.map(|who| node.of(who).iter().map(place).collect());
            PlainNode::new(left, right)
        });
        let nodes: Vec<PlainNode> = plain.chain(values.iter().map(|_| PlainNode::default())).collect();
        let name = |at: u32| match values.get(at.wrapping_sub(loops) as usize) {
            Some(&value) => Some(short(kernel, value, style).text),
            None => self.name_at(at, kernel, style),
        };
        LoopyGame { nodes: nodes.into(), root }.show_with(&name, style)
    }

    /// The name of a position: over, under, upon, upon* and their negatives, beside a number.
    fn name_at(&self, at: u32, kernel: &Kernel<'_>, style: &Style) -> Option<String> {
        let itself = Id::Temp(at);
        let number = |id: Id| value(id).filter(|&value| kernel.is_number(value));
        let number_star = |id: Id| {
            let parts = kernel.as_number_up_star(value(id)?)?;
            (parts.ups == 0 && parts.star == 1).then(|| kernel.number(&parts.number))
        };
        let sides = &self.nodes[at as usize].sides;
        let (beside, minus, word, star) = match (&sides[0][..], &sides[1][..]) {
            (&[x], &[y]) if y == itself && number(x).is_some() => (number(x)?, false, "over", ""),
            (&[x], &[y]) if x == itself && number(y).is_some() => (number(y)?, false, "under", ""),
            (&[x], &[y]) if x == itself => (number_star(y)?, false, "upon", ""),
            (&[x], &[y]) if y == itself => (number_star(x)?, true, "upon", ""),
            (&[z, x], &[y]) if x == itself && z == y => (number(z)?, false, "upon", "*"),
            (&[x], &[z, y]) if y == itself && z == x => (number(z)?, true, "upon", "*"),
            _ => return None,
        };
        if beside != Value::ZERO && style.plain {
            return None;
        }
        let beside = if beside == Value::ZERO { String::new() } else { short(kernel, beside, style).text };
        let sign = match (minus, beside.is_empty()) {
            (true, _) => "-",
            (false, false) => "+",
            (false, true) => "",
        };
        let star = if style.script == Script::Unicode && !star.is_empty() { "⋆" } else { star };
        Some(format!("{beside}{sign}{}{star}", style.script.name(word)))
    }
}

fn value(id: Id) -> Option<Value> {
    match id {
        Id::Short(value) => Some(value),
        _ => None,
    }
}

fn short(kernel: &Kernel<'_>, value: Value, style: &Style) -> Shown {
    kernel
        .show(value, style)
        .unwrap_or_else(|halt| Shown { text: format!("(not printed: {halt})"), cut: true })
}

fn too_large() -> Shown {
    Shown { text: "(too large to print)".into(), cut: true }
}

impl Stoppers<'_, '_> {
    /// A game on its own.
    pub fn export(&self, game: SidedId) -> Result<LoopyValue, LoopyError> {
        let onside = self.export_stopper(game.onside)?;
        let offside = match game.as_stopper() {
            Some(_) => None,
            None => Some(self.export_stopper(game.offside)?),
        };
        Ok(LoopyValue { onside, offside })
    }

    /// A stopper on its own.
    pub fn export_stopper(&self, game: StopperId) -> Result<Form, LoopyError> {
        let mut places = rustc_hash::FxHashMap::default();
        let mut ids: Vec<u32> = vec![];
        let mut place = |id: Id, ids: &mut Vec<u32>| match id {
            Id::Loop(at) => Id::Temp(*places.entry(at).or_insert_with(|| {
                ids.push(at);
                ids.len() as u32 - 1
            })),
            other => other,
        };
        let root = place(game.0, &mut ids);
        let mut nodes: Vec<Node> = vec![];
        while let Some(&at) = ids.get(nodes.len()) {
            let mut node = self.nodes[at as usize].clone();
            self.work(1 + node.sides[0].len() + node.sides[1].len())?;
            for option in node.sides.iter_mut().flatten() {
                *option = place(*option, &mut ids);
            }
            node.tidy();
            nodes.push(node);
        }
        Ok(Form { nodes: nodes.into(), root })
    }

    /// A game that was exported, from these or from others over the same store.
    pub fn import(&mut self, game: &LoopyValue) -> Result<SidedId, LoopyError> {
        let onside = self.import_form(&game.onside)?;
        let offside = match &game.offside {
            None => onside,
            Some(form) => self.import_form(form)?,
        };
        Ok(SidedId { onside, offside })
    }

    /// A stopper that was exported.
    pub fn import_form(&mut self, form: &Form) -> Result<StopperId, LoopyError> {
        let Id::Temp(root) = form.root else { return Ok(StopperId(form.root)) };
        Ok(StopperId(self.intern(form.nodes.to_vec())?[root as usize]))
    }

    /// The value of a plain graph.
    pub fn import_graph(&mut self, game: &LoopyGame) -> Result<SidedId, LoopyError> {
        let mut graph = super::Equations::default();
        let options = |side: &[u32]| side.iter().map(|&w| super::Opt::Node(w)).collect::<Vec<_>>();
        for node in game.nodes.iter() {
            self.work(1 + node.left.len() + node.right.len())?;
            graph.push(&options(&node.left), &options(&node.right));
        }
        Ok(self.solve(&graph)?[game.root as usize])
    }

    /// A stopper as a plain graph of at most so many positions, numbers and all written out move by move.
    pub fn export_graph(&self, game: StopperId, max_nodes: usize) -> Result<LoopyGame, LoopyError> {
        let mut root = Node::default();
        for who in Player::BOTH {
            root.sides[who as usize] = self.options(game.0, who).into_vec();
        }
        let nodes = self.unfold(&[root], max_nodes)?;
        Ok(LoopyGame { nodes: nodes.into(), root: 0 })
    }
}
