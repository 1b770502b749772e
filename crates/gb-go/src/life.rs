//! The search for life: whether the owner of a region keeps all of it, and the blocks around it, although the attacker begins.
//!
//! Depth-first proof-number search (A. Nagai, Df-pn algorithm for searching AND/OR trees, 2002; for life and death in Go A.
//! Kishimoto and M. Mueller, Search versus knowledge for solving life and death problems in Go, 2005). A position is proven
//! only from positions proven before, so that no proof rests on repetition; a position that comes back counts for the
//! attacker. Positions that inspection finds safe are not searched (see `field`).

use gb_value::{Budget, Halt};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::area::bits;
use crate::field::{Field, Stones};

const INFINITE: u32 = 1 << 30;

/// A position and who is to move.
type State = (Stones, bool);

/// Proof and disproof numbers: how much is left to do to prove, to refute that the owner keeps everything.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    proof: u32,
    refutation: u32,
}

const PROVEN: Numbers = Numbers { proof: 0, refutation: INFINITE };
const REFUTED: Numbers = Numbers { proof: INFINITE, refutation: 0 };

/// What a search found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The owner keeps everything.
    Kept,
    /// The attacker gets something, or goes on for ever, as far as was seen.
    Lost,
    /// That would have taken longer.
    Unknown,
}

pub(crate) struct Life<'a> {
    field: &'a Field,
    budget: &'a Budget,
    table: FxHashMap<State, Numbers>,
    line: FxHashSet<State>,
    left: usize,
}

enum Interrupted {
    Nodes,
    Halted(Halt),
}

impl<'a> Life<'a> {
    /// A search that may expand so many positions.
    pub fn new(field: &'a Field, budget: &'a Budget, nodes: usize) -> Life<'a> {
        let (table, line) = Default::default();
        Life { field, budget, table, line, left: nodes }
    }

    /// Whether the owner keeps everything if the attacker begins.
    ///
    /// # Errors
    /// If the budget ran out.
    pub fn keeps(&mut self) -> Result<Verdict, Halt> {
        self.run((self.field.start, false))
    }

    /// A move of the owner, who is to move, after which he keeps everything.
    ///
    /// # Errors
    /// If the budget ran out.
    pub fn rescue(&mut self) -> Result<Option<usize>, Halt> {
        let root = (self.field.start, true);
        if self.run(root)? != Verdict::Kept {
            return Ok(None);
        }
        let children = self.children(root);
        Ok(children.into_iter().find(|child| self.known(*child).proof == 0).and_then(|child| {
            let placed = child.0.own & !root.0.own;
            (placed != 0).then(|| placed.trailing_zeros() as usize)
        }))
    }

    fn run(&mut self, root: State) -> Result<Verdict, Halt> {
        if self.field.is_lost(root.0) {
            return Ok(Verdict::Lost);
        }
        if self.field.look(root.0).is_safe {
            return Ok(Verdict::Kept);
        }
        match self.search(root, INFINITE, INFINITE) {
            Err(Interrupted::Halted(stop)) => Err(stop),
            Err(Interrupted::Nodes) => Ok(Verdict::Unknown),
            Ok(Numbers { proof: 0, .. }) => Ok(Verdict::Kept),
            Ok(_) => Ok(Verdict::Lost),
        }
    }

    fn known(&self, state: State) -> Numbers {
        self.table.get(&state).copied().unwrap_or(Numbers { proof: 1, refutation: 1 })
    }

    /// What can be said about a position when it is met first.
    fn first(&mut self, state: State) -> Numbers {
        if let Some(&numbers) = self.table.get(&state) {
            return numbers;
        }
        let (stones, owner_to_move) = state;
        let numbers = if self.field.is_lost(stones) {
            REFUTED
        } else {
            let look = self.field.look(stones);
            match look.is_safe {
                true => PROVEN,
                false if owner_to_move => Numbers { proof: look.distance, refutation: 1 },
                false => Numbers { proof: 1 + look.distance, refutation: 1 },
            }
        };
        self.table.insert(state, numbers);
        numbers
    }

    /// The positions after one move. The attacker may pass: then the owner has to make something of it, unless nothing is
    /// left of the attacker.
    fn children(&mut self, state: State) -> Vec<State> {
        let (stones, owner_to_move) = state;
        let open = self.field.look(stones).open;
        let mut children: Vec<State> = bits(self.field.empties(stones) & open)
            .filter_map(|vertex| self.field.place(stones, vertex, owner_to_move))
            .map(|after| (after, !owner_to_move))
            .collect();
        if !owner_to_move && stones.foe != 0 {
            children.push((stones, true));
        }
        children
    }

    fn search(
        &mut self,
        state: State,
        proof_limit: u32,
        refutation_limit: u32,
    ) -> Result<Numbers, Interrupted> {
        self.left = self.left.checked_sub(1).ok_or(Interrupted::Nodes)?;
        if self.left.is_multiple_of(16) {
            self.budget.spend(16, 0).map_err(Interrupted::Halted)?;
        }
        let owner_to_move = state.1;
        let children = self.children(state);
        for &child in &children {
            let numbers = self.first(child);
            if owner_to_move && numbers.proof == 0 || !owner_to_move && numbers.refutation == 0 {
                self.table.insert(state, numbers);
                return Ok(numbers);
            }
        }
        self.line.insert(state);
        let result = stacker::maybe_grow(64 << 10, 4 << 20, || {
            self.go_on(state, &children, proof_limit, refutation_limit)
        });
        self.line.remove(&state);
        result
    }

    fn go_on(
        &mut self,
        state: State,
        children: &[State],
        proof_limit: u32,
        refutation_limit: u32,
    ) -> Result<Numbers, Interrupted> {
        let owner_to_move = state.1;
        loop {
            // With the owner to move: the least proof number, and the sum of the others. With the attacker the other way.
            let (mut best, mut second, mut sum) = (None, INFINITE, 0u32);
            let mut least = INFINITE;
            for &child in children {
                let numbers = if self.line.contains(&child) { REFUTED } else { self.known(child) };
                let (key, other) = if owner_to_move {
                    (numbers.proof, numbers.refutation)
                } else {
                    (numbers.refutation, numbers.proof)
                };
                sum = sum.saturating_add(other).min(INFINITE);
                if key < least {
                    second = least;
                    least = key;
                    best = Some((child, numbers));
                } else {
                    second = second.min(key);
                }
            }
            let numbers = if owner_to_move {
                Numbers { proof: least, refutation: sum }
            } else {
                Numbers { proof: sum, refutation: least }
            };
            let is_done = numbers.proof == 0 || numbers.refutation == 0;
            if is_done || numbers.proof >= proof_limit || numbers.refutation >= refutation_limit {
                self.table.insert(state, numbers);
                return Ok(numbers);
            }
            let Some((child, of_child)) = best else {
                // The attacker has no move left.
                let numbers = if owner_to_move { REFUTED } else { PROVEN };
                self.table.insert(state, numbers);
                return Ok(numbers);
            };
            let (proof_limit, refutation_limit) = if owner_to_move {
                (
                    proof_limit.min(second.saturating_add(1 + second / 4)),
                    refutation_limit - numbers.refutation + of_child.refutation,
                )
            } else {
                (
                    proof_limit - numbers.proof + of_child.proof,
                    refutation_limit.min(second.saturating_add(1 + second / 4)),
                )
            };
            self.search(child, proof_limit, refutation_limit)?;
        }
    }
}
