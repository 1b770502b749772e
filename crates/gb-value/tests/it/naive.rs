//! Games as plain trees, compared and simplified by the definitions and nothing else.

use std::collections::HashMap;

use gb_value::{Kernel, Player, Value};

/// A game by its options.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Tree {
    pub lefts: Vec<Tree>,
    pub rights: Vec<Tree>,
}

impl Tree {
    pub fn new(lefts: Vec<Tree>, rights: Vec<Tree>) -> Tree {
        let mut tree = Tree { lefts, rights };
        tree.lefts.sort();
        tree.lefts.dedup();
        tree.rights.sort();
        tree.rights.dedup();
        tree
    }

    /// The canonical form of a value, written out.
    pub fn of(kernel: &Kernel<'_>, value: Value) -> Tree {
        let side = |p| kernel.options(value, p).map(|v| Tree::of(kernel, v)).collect();
        Tree::new(side(Player::Left), side(Player::Right))
    }

    pub fn value(&self, kernel: &Kernel<'_>) -> Value {
        let side = |list: &[Tree]| list.iter().map(|t| t.value(kernel)).collect::<Vec<_>>();
        kernel.from_options(&side(&self.lefts), &side(&self.rights)).unwrap()
    }

    pub fn neg(&self) -> Tree {
        let side = |list: &[Tree]| list.iter().map(Tree::neg).collect();
        Tree::new(side(&self.rights), side(&self.lefts))
    }

    pub fn add(&self, other: &Tree) -> Tree {
        let side = |mine: &[Tree], theirs: &[Tree]| {
            mine.iter().map(|t| t.add(other)).chain(theirs.iter().map(|t| self.add(t))).collect()
        };
        Tree::new(side(&self.lefts, &other.lefts), side(&self.rights, &other.rights))
    }
}

/// Compares trees by the definition, remembering pairs.
#[derive(Default)]
pub struct Naive {
    memo: HashMap<(Tree, Tree), bool>,
}

impl Naive {
    pub fn le(&mut self, g: &Tree, h: &Tree) -> bool {
        let key = (g.clone(), h.clone());
        if let Some(&answer) = self.memo.get(&key) {
            return answer;
        }
        let answer = !g.lefts.iter().any(|l| self.le(h, l)) && !h.rights.iter().any(|r| self.le(r, g));
        self.memo.insert(key, answer);
        answer
    }

    /// Dominated options deleted and reversible ones bypassed, one at a time, until nothing changes.
    pub fn canonical(&mut self, g: &Tree) -> Tree {
        let lefts: Vec<Tree> = g.lefts.iter().map(|t| self.canonical(t)).collect();
        let rights: Vec<Tree> = g.rights.iter().map(|t| self.canonical(t)).collect();
        let mut g = Tree::new(lefts, rights);
        while let Some(next) = self.simplify_once(&g) {
            g = next;
        }
        g
    }

    fn simplify_once(&mut self, g: &Tree) -> Option<Tree> {
        for (i, a) in g.lefts.iter().enumerate() {
            if g.lefts.iter().enumerate().any(|(j, b)| i != j && self.le(a, b)) {
                let mut next = g.clone();
                next.lefts.remove(i);
                return Some(next);
            }
            if let Some(reply) = a.rights.iter().find(|r| self.le(r, g)) {
                let mut lefts = g.lefts.clone();
                lefts.remove(i);
                lefts.extend(reply.lefts.iter().cloned());
                return Some(Tree::new(lefts, g.rights.clone()));
            }
        }
        for (i, a) in g.rights.iter().enumerate() {
            if g.rights.iter().enumerate().any(|(j, b)| i != j && self.le(b, a)) {
                let mut next = g.clone();
                next.rights.remove(i);
                return Some(next);
            }
            if let Some(reply) = a.lefts.iter().find(|l| self.le(g, l)) {
                let mut rights = g.rights.clone();
                rights.remove(i);
                rights.extend(reply.rights.iter().cloned());
                return Some(Tree::new(g.lefts.clone(), rights));
            }
        }
        None
    }
}
