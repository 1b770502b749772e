//! The search for life: whether the owner of a region keeps all of it, and the blocks around it, although the attacker begins.
//!
//! Depth-first proof-number search (A. Nagai, Df-pn algorithm for searching AND/OR trees, 2002; for life and death in Go A.
//! Kishimoto and M. Mueller, Search versus knowledge for solving life and death problems in Go, 2005). A position is proven
//! only from positions proven before, so that no proof rests on repetition; a position that comes back counts for the
//! attacker. Positions that inspection finds safe are not searched (see `field`).
//!
//! Stones of the owner that live whatever happens cut the region into parts, and each part is searched by itself and
//! remembered by what is in it: the attacker moves in one of them, and the owner answers there.

use gb_value::{Budget, Halt};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::area::bits;
use crate::field::{Field, Part};
use crate::numbers::{INFINITE, Interrupted, Numbers, PROVEN, REFUTED};

/// A part and whether the owner is to move.
type State = (Part, bool);

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
    /// For parts that are proven with the owner to move: where he plays.
    replies: FxHashMap<Part, usize>,
    line: FxHashSet<State>,
    left: usize,
}

/// How many positions a comparison with a proven one may take.
const COMPARISON: usize = 200;

/// How much inspection counts against the work that was done already.
const GUIDE: u32 = 2;

/// How many positions a search may remember.
const MOST: usize = 12_000_000;

impl<'a> Life<'a> {
    /// A search that may expand so many positions.
    pub fn new(field: &'a Field, budget: &'a Budget, nodes: usize) -> Life<'a> {
        let (table, replies, line) = Default::default();
        Life { field, budget, table, replies, line, left: nodes }
    }

    /// How many positions it may still expand.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Whether the owner keeps everything if the attacker begins.
    ///
    /// # Errors
    /// If the budget ran out.
    pub fn keeps(&mut self) -> Result<Verdict, Halt> {
        if self.field.is_lost(&self.field.start, false) {
            return Ok(Verdict::Lost);
        }
        for part in self.field.split(&self.field.start, false) {
            match self.run((part, false))? {
                Verdict::Kept => {}
                other => return Ok(other),
            }
        }
        Ok(Verdict::Kept)
    }

    /// A move of the owner, who is to move, after which he keeps everything.
    ///
    /// # Errors
    /// If the budget ran out.
    pub fn rescue(&mut self) -> Result<Option<usize>, Halt> {
        let root = self.field.start;
        if self.run((root, true))? != Verdict::Kept {
            return Ok(None);
        }
        let moves = self.answers(&root);
        Ok(moves.into_iter().find(|(_, parts)| parts.is_empty()).map(|(vertex, _)| vertex))
    }

    fn run(&mut self, root: State) -> Result<Verdict, Halt> {
        let first = self.first(root);
        if first.proof == 0 && !root.1 {
            return Ok(Verdict::Kept);
        }
        if first.refutation == 0 {
            return Ok(Verdict::Lost);
        }
        let mut proven = 0;
        loop {
            match self.search(root, INFINITE, INFINITE) {
                Err(Interrupted::Halted(stop)) => return Err(stop),
                Err(Interrupted::Nodes) => return Ok(Verdict::Unknown),
                Ok(Numbers { proof: 0, .. }) => return Ok(Verdict::Kept),
                Ok(_) => {}
            }
            // What was refuted by a repetition may be refuted in one line only: all but the proofs is forgotten, and if there
            // are new ones, they may lead on.
            self.table.retain(|_, numbers| numbers.proof == 0);
            if self.table.len() == proven {
                return Ok(Verdict::Lost);
            }
            proven = self.table.len();
        }
    }

    /// What can be said about a position when it is met first.
    fn first(&mut self, state: State) -> Numbers {
        if let Some(&numbers) = self.table.get(&state) {
            return numbers;
        }
        let (part, owner_to_move) = state;
        let numbers = if self.field.is_lost(&part, owner_to_move) {
            REFUTED
        } else {
            let distance = match owner_to_move {
                false => self.field.distance(&part),
                true => {
                    let sum = |parts: &[Part]| parts.iter().map(|part| self.field.distance(part)).sum();
                    let least = self.splits(&part).iter().map(|parts| sum(parts)).min().unwrap_or(0);
                    // If a block needs a liberty, passing is no answer.
                    least.max(u32::from(self.field.is_lost(&part, false)))
                }
            };
            match distance {
                0 => PROVEN,
                _ if owner_to_move => Numbers { proof: distance, refutation: 1 },
                _ => Numbers { proof: 1 + GUIDE * distance, refutation: 1 },
            }
        };
        self.table.insert(state, numbers);
        numbers
    }

    fn known(&self, state: State) -> Numbers {
        if self.line.contains(&state) {
            return REFUTED;
        }
        self.table.get(&state).copied().unwrap_or(Numbers { proof: 1, refutation: 1 })
    }

    /// The ways to take a part to pieces; to keep all pieces of one of them is enough.
    fn splits(&self, part: &Part) -> Vec<Vec<Part>> {
        let immortal = self.field.immortal(part);
        let coarse = self.field.split_at(part, immortal, false);
        let fine = self.field.split_at(part, immortal, true);
        if fine.len() > coarse.len() { vec![fine, coarse] } else { vec![coarse] }
    }

    /// The moves of the owner, each with the parts that it leaves to be proven.
    fn answers(&mut self, part: &Part) -> Vec<(usize, Vec<Part>)> {
        let mut answers = vec![];
        for vertex in bits(self.field.empties(part)) {
            let Some(after) = self.field.place(part, vertex, true) else { continue };
            for mut parts in self.splits(&after) {
                parts.retain(|&part| self.first((part, false)).proof != 0);
                answers.push((vertex, parts));
            }
        }
        answers
    }

    /// The positions after one move of the attacker. He may pass: then the owner has to make something of it, unless nothing
    /// is left of the attacker.
    fn attacks(&self, part: &Part) -> Vec<Part> {
        let moves = bits(self.field.empties(part)).filter_map(|vertex| self.field.place(part, vertex, false));
        let pass = (part.foe != 0).then_some(*part);
        moves.chain(pass).collect()
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
            // A table that is full is doubled.
            let bytes = 2 * self.table.capacity() * size_of::<(State, Numbers)>();
            let is_full = self.table.len() + self.table.len() / 16 >= self.table.capacity();
            if self.table.len() >= MOST || is_full && !self.budget.has_room(bytes as u64) {
                return Err(Interrupted::Nodes);
            }
        }
        self.line.insert(state);
        let result = stacker::maybe_grow(64 << 10, 4 << 20, || match state {
            (part, true) => self.defend(&part, proof_limit, refutation_limit),
            (part, false) => self.attack(&part, proof_limit, refutation_limit),
        });
        self.line.remove(&state);
        let numbers = result?;
        self.table.insert(state, numbers);
        Ok(numbers)
    }

    /// The attacker is to move: all that he can do has to be answered.
    fn attack(
        &mut self,
        part: &Part,
        proof_limit: u32,
        refutation_limit: u32,
    ) -> Result<Numbers, Interrupted> {
        let mut moves = self.attacks(part);
        for &after in &moves {
            if self.first((after, true)).refutation == 0 {
                return Ok(REFUTED);
            }
        }
        loop {
            moves.retain(|&after| self.known((after, true)).proof != 0);
            let (mut sum, mut best, mut second) = (PROVEN, None, INFINITE);
            for &after in &moves {
                let numbers = self.known((after, true));
                if numbers.refutation < sum.refutation {
                    second = sum.refutation;
                    best = Some((after, numbers));
                } else {
                    second = second.min(numbers.refutation);
                }
                sum = sum.and(numbers);
            }
            let Some((child, numbers)) = best else { return Ok(sum) };
            if sum.refutation == 0 || sum.proof >= proof_limit || sum.refutation >= refutation_limit {
                return Ok(sum);
            }
            let found = self.search(
                (child, true),
                proof_limit - sum.proof + numbers.proof,
                refutation_limit.min(second.saturating_add(1 + second / 4)),
            )?;
            // What answers one attack answers many.
            if found.proof == 0 {
                for &other in &moves {
                    let mut left = COMPARISON;
                    if self.known((other, true)).proof != 0 {
                        self.is_answered_like(&other, &child, &mut left);
                    }
                    self.left = self.left.saturating_sub((COMPARISON - left) / 16);
                }
            }
        }
    }

    /// Tries the answers of a proof for a similar position, with the owner to move (Y. Kawano, Using similar positions to
    /// search game trees, 1996). Nothing is taken from that proof but its moves.
    fn is_answered_like(&mut self, part: &Part, like: &Part, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match self.first((*part, true)) {
            Numbers { proof: 0, .. } => return true,
            // What is lost stays lost, whatever came of it.
            Numbers { refutation: 0, .. } => return false,
            _ => {}
        }
        let Some(&vertex) = self.replies.get(like) else { return false };
        let (Some(after), Some(like_after)) =
            (self.placed(part, vertex, true), self.placed(like, vertex, true))
        else {
            return false;
        };
        let like_parts: Vec<Part> = self.splits(&like_after).concat();
        let is_kept = self.splits(&after).into_iter().any(|parts| {
            parts.iter().all(|part| {
                let common = |like: &&Part| (like.points & part.points).count_ones();
                self.first((*part, false)).proof == 0
                    || like_parts
                        .iter()
                        .max_by_key(common)
                        .is_some_and(|like| self.is_kept_like(part, like, left))
            })
        });
        if is_kept {
            self.table.insert((*part, true), PROVEN);
            self.replies.insert(*part, vertex);
        }
        is_kept
    }

    /// The same with the attacker to move.
    fn is_kept_like(&mut self, part: &Part, like: &Part, left: &mut usize) -> bool {
        if self.first((*part, false)).refutation == 0 {
            return false;
        }
        for vertex in bits(self.field.empties(part)) {
            let Some(after) = self.field.place(part, vertex, false) else { continue };
            if self.first((after, true)).proof == 0 {
                continue;
            }
            let Some(like_after) = self.placed(like, vertex, false) else { return false };
            if !self.is_answered_like(&after, &like_after, left) {
                return false;
            }
        }
        if part.foe != 0 && !self.is_answered_like(part, like, left) {
            return false;
        }
        self.table.insert((*part, false), PROVEN);
        true
    }

    fn placed(&self, part: &Part, vertex: usize, by_owner: bool) -> Option<Part> {
        let is_empty = self.field.empties(part) >> vertex & 1 == 1;
        if is_empty { self.field.place(part, vertex, by_owner) } else { None }
    }

    /// The owner is to move: one good answer is enough.
    fn defend(
        &mut self,
        part: &Part,
        proof_limit: u32,
        refutation_limit: u32,
    ) -> Result<Numbers, Interrupted> {
        let mut answers = self.answers(part);
        loop {
            // The greatest number and not the sum: the attack that refutes one answer often refutes the others.
            let (mut best, mut second, mut least, mut most) = (None, INFINITE, REFUTED, 0);
            for (index, (vertex, parts)) in answers.iter_mut().enumerate() {
                parts.retain(|&rest| self.known((rest, false)).proof != 0);
                let all = parts.iter().fold(PROVEN, |all, &part| all.and(self.known((part, false))));
                if all.proof == 0 {
                    self.replies.insert(*part, *vertex);
                    return Ok(PROVEN);
                }
                most = most.max(all.refutation);
                if all.proof < least.proof {
                    second = least.proof;
                    least = all;
                    best = Some(index);
                } else {
                    second = second.min(all.proof);
                }
            }
            let numbers = Numbers { proof: least.proof, refutation: most };
            let Some(index) = best else { return Ok(REFUTED) };
            if most == 0 || numbers.proof >= proof_limit || most >= refutation_limit {
                return Ok(numbers);
            }
            let proof_limit = proof_limit.min(second.saturating_add(1 + second / 4));
            // Of the parts that all have to be kept, the one that is most in danger.
            let (mut worst, mut next): (Option<(Part, Numbers)>, u32) = (None, INFINITE);
            for &part in &answers[index].1 {
                let numbers = self.known((part, false));
                match worst {
                    Some((_, of_worst)) if numbers.refutation >= of_worst.refutation => {
                        next = next.min(numbers.refutation)
                    }
                    Some((_, of_worst)) => {
                        next = of_worst.refutation;
                        worst = Some((part, numbers));
                    }
                    None => worst = Some((part, numbers)),
                }
            }
            let Some((part, of_part)) = worst else { return Ok(PROVEN) };
            self.search(
                (part, false),
                proof_limit - least.proof + of_part.proof,
                refutation_limit.min(next.saturating_add(1 + next / 4)),
            )?;
        }
    }
}
