//! The search for life: whether the owner of a region keeps all of it, and the blocks around it, although the attacker begins.
//!
//! Depth-first proof-number search (A. Nagai, Df-pn algorithm for searching AND/OR trees, 2002; for life and death in Go A.
//! Kishimoto and M. Mueller, Search versus knowledge for solving life and death problems in Go, 2005). A position is proven
//! only from positions proven before, so that no proof rests on repetition; a position that comes back counts for the
//! attacker. Positions that inspection finds safe are not searched (see `field`).
//!
//! Stones of the owner that live whatever happens cut the region into parts, and each part is searched by itself and
//! remembered by what is in it: the attacker moves in one of them, and the owner answers there.
//!
//! Every proof has a zone (C. Shih and others, A novel approach to solving goal-achieving problems for board games, 2022):
//! wherever else the attacker has stones or has none, the proof is the same. So a proven position stands for all with the
//! same stones of the owner that look alike in the zone. And if the answer to an attack does not care for the
//! attacking stone, it answers every attack outside of its zone.

use std::cmp::Reverse;

use gb_value::{Budget, Halt};
use rustc_hash::FxHashMap;

use crate::area::bits;
use crate::field::{Field, Part};
use crate::numbers::{INFINITE, Interrupted, Numbers, PROVEN, REFUTED};

mod zone;

use zone::Zone;

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

/// What is known about a position: how much is left to do, and the zone of its proof.
#[derive(Clone, Copy)]
struct Entry {
    numbers: Numbers,
    zone: u64,
}

/// What a position is besides the attacker's stones.
type Frame = (Part, bool);

/// One way to take a part to pieces.
struct Way {
    /// All of them have to be kept.
    parts: Vec<Part>,
    /// Which of the attacker's stones have to be where they are, so that it can be done.
    zone: u64,
}

/// A move of the owner.
struct Answer {
    vertex: usize,
    /// The part with the stone on it.
    after: Part,
    /// What it leaves, and what of that is still to be proven.
    way: Way,
    open: Vec<Part>,
}

pub(crate) struct Life<'a> {
    field: &'a Field,
    budget: &'a Budget,
    table: FxHashMap<State, Entry>,
    /// Zones of proven positions, and where the attacker has stones in them.
    patterns: FxHashMap<Frame, Vec<(u64, u64)>>,
    /// For parts that are proven with the owner to move: where he plays.
    replies: FxHashMap<Part, usize>,
    /// How often each vertex was an answer that left nothing to be proven.
    merits: [u32; 64],
    left: usize,
    /// Whether there is another search at the same time.
    is_shared: bool,
}

/// How many positions a comparison with a proven one may take.
const COMPARISON: usize = 200;

/// How many proofs are compared with a position.
const COMPARISONS: usize = 32;

/// How much inspection counts against the work that was done already.
const GUIDE: u32 = 4;

/// How many positions a search may remember.
const MOST: usize = 12_000_000;

impl<'a> Life<'a> {
    /// A search that may expand so many positions, alone or with another one beside it that takes memory from the same budget.
    pub fn new(field: &'a Field, budget: &'a Budget, nodes: usize, is_shared: bool) -> Life<'a> {
        let (table, patterns, replies) = Default::default();
        Life { field, budget, table, patterns, replies, merits: [0; 64], left: nodes, is_shared }
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
        Ok(moves.into_iter().find(|answer| answer.open.is_empty()).map(|answer| answer.vertex))
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
            self.table.retain(|_, entry| entry.numbers.proof == 0);
            if self.table.len() == proven {
                return Ok(Verdict::Lost);
            }
            proven = self.table.len();
        }
    }

    /// What can be said about a position when it is met first.
    fn first(&mut self, state: State) -> Numbers {
        if let Some(entry) = self.table.get(&state) {
            return entry.numbers;
        }
        let entry = self.inspect(state);
        self.table.insert(state, entry);
        if entry.numbers.proof == 0 {
            self.add_pattern(state, entry.zone);
        }
        entry.numbers
    }

    fn inspect(&self, state: State) -> Entry {
        let (part, owner_to_move) = state;
        if self.field.is_lost(&part, owner_to_move) || self.field.is_lived_in(&part) {
            return Entry { numbers: REFUTED, zone: 0 };
        }
        let is_zoned = self.is_zoned(&part);
        if is_zoned && let Some(zone) = self.alike(&state) {
            return Entry { numbers: PROVEN, zone };
        }
        let (distance, zone) = match owner_to_move {
            false => self.field.distance(&part),
            true => {
                let sum = |way: &Way| {
                    way.parts.iter().fold((0, way.zone), |(sum, all), part| {
                        let (distance, zone) = self.field.distance(part);
                        (sum + distance, all | zone)
                    })
                };
                let (least, zone) =
                    self.splits(&part).iter().map(sum).min_by_key(|(sum, _)| *sum).unwrap_or((0, 0));
                // If a block needs a liberty, passing is no answer.
                (least.max(u32::from(self.field.is_lost(&part, false))), zone)
            }
        };
        let numbers = match distance {
            0 => PROVEN,
            _ if owner_to_move => Numbers { proof: distance, refutation: 1 },
            _ => Numbers { proof: 1 + GUIDE * distance, refutation: 1 },
        };
        Entry { numbers, zone: if is_zoned { zone | self.field.liberties(&part).0 } else { part.points } }
    }

    /// Whether zones are kept for a part: blocks that need eyes rely on nearly everything.
    fn is_zoned(&self, part: &Part) -> bool {
        !self.field.has_precious(part)
    }

    fn frame(&self, (part, owner_to_move): &State) -> Frame {
        (Part { foe: 0, ..*part }, *owner_to_move)
    }

    /// The zone of a proof for a position that looks the same in it.
    fn alike(&self, state: &State) -> Option<u64> {
        let patterns = self.patterns.get(&self.frame(state))?;
        patterns.iter().find(|(zone, foe)| state.0.foe & zone == *foe).map(|(zone, _)| *zone)
    }

    fn add_pattern(&mut self, state: State, zone: u64) {
        if !self.is_zoned(&state.0) {
            return;
        }
        let (frame, foe) = (self.frame(&state), state.0.foe & zone);
        let patterns = self.patterns.entry(frame).or_default();
        if patterns.iter().any(|&(other, stones)| other & !zone == 0 && stones == foe & other) {
            return;
        }
        // What is more special says nothing any more.
        patterns.retain(|&(other, stones)| zone & !other != 0 || stones & zone != foe);
        if patterns.len() < COMPARISONS {
            patterns.push((zone, foe));
        }
    }

    fn known(&self, state: State) -> Numbers {
        self.known_or(state, Numbers { proof: 1, refutation: 1 })
    }

    /// What is known about a position, or something else if it was not met yet.
    fn known_or(&self, state: State, unseen: Numbers) -> Numbers {
        self.table.get(&state).map_or(unseen, |entry| entry.numbers)
    }

    /// The zone of a position that is proven.
    fn zone(&self, state: &State) -> u64 {
        self.table.get(state).map_or(state.0.points, |entry| entry.zone)
    }

    /// The ways to take a part to pieces; to keep all pieces of one of them is enough.
    fn splits(&self, part: &Part) -> Vec<Way> {
        let (immortal, zone) = self.field.immortal(part);
        let coarse = self.field.split_at(part, immortal, false);
        let fine = self.field.split_at(part, immortal, true);
        let mut ways = Vec::with_capacity(2);
        if fine.len() > coarse.len() {
            ways.push(Way { parts: fine, zone });
        }
        ways.push(Way { parts: coarse, zone });
        ways
    }

    /// The moves of the owner, each with the parts that it leaves to be proven; where zones do not matter, no more of them after
    /// one that leaves nothing. Those that did so elsewhere come first.
    fn answers(&mut self, part: &Part) -> Vec<Answer> {
        let mut answers = vec![];
        let is_zoned = self.is_zoned(part);
        let mut tries: Vec<usize> = bits(self.field.empties(part)).collect();
        if !is_zoned {
            tries.sort_by_key(|&vertex| Reverse(self.merits[vertex]));
        }
        for vertex in tries {
            let Some(after) = self.field.place(part, vertex, true) else { continue };
            let captured = part.foe & !after.foe;
            for mut way in self.splits(&after) {
                way.zone |= captured | 1 << vertex;
                let mut open = way.parts.clone();
                open.retain(|&part| self.first((part, false)).proof != 0);
                let is_good = open.is_empty();
                answers.push(Answer { vertex, after, way, open });
                // One is enough, unless the one with the smallest zone is looked for.
                if is_good && !is_zoned {
                    self.merits[vertex] += 1;
                    return answers;
                }
            }
        }
        answers
    }

    /// The positions after one move of the attacker. He may pass: then the owner has to make something of it, unless nothing
    /// is left of the attacker.
    fn attacks(&self, part: &Part) -> Vec<(Option<usize>, Part)> {
        let place = |vertex: usize| Some((Some(vertex), self.field.place(part, vertex, false)?));
        let moves = bits(self.field.empties(part)).filter_map(place);
        let pass = (part.foe != 0).then_some((None, *part));
        if self.is_zoned(part) {
            // If passing is answered, many attacks are.
            pass.into_iter().chain(moves).collect()
        } else {
            moves.chain(pass).collect()
        }
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
            // A table that is full is doubled, and another search may do so at the same moment.
            let bytes =
                if self.is_shared { 4 } else { 2 } * self.table.capacity() * size_of::<(State, Entry)>();
            let is_full = self.table.len() + self.table.len() / 16 >= self.table.capacity();
            if self.table.len() >= MOST || is_full && !self.budget.has_room(bytes as u64) {
                return Err(Interrupted::Nodes);
            }
        }
        // If it comes back below, that counts for the attacker.
        self.table.insert(state, Entry { numbers: REFUTED, zone: 0 });
        let result = stacker::maybe_grow(64 << 10, 4 << 20, || match state {
            (part, true) => self.defend(&part, proof_limit, refutation_limit),
            (part, false) => self.attack(&part, proof_limit, refutation_limit),
        });
        let entry = result?;
        self.table.insert(state, entry);
        if entry.numbers.proof == 0 {
            self.add_pattern(state, entry.zone);
        }
        Ok(entry.numbers)
    }

    /// The attacker is to move: all that he can do has to be answered.
    fn attack(&mut self, part: &Part, proof_limit: u32, refutation_limit: u32) -> Result<Entry, Interrupted> {
        let mut moves = self.attacks(part);
        // Where a block can be lost, some attack may do so at once.
        let is_zoned = self.is_zoned(part);
        if !is_zoned {
            for &(_, after) in &moves {
                if self.first((after, true)).refutation == 0 {
                    return Ok(Entry { numbers: REFUTED, zone: 0 });
                }
            }
        }
        let unseen =
            Numbers { proof: if is_zoned { self.field.distance(part).0.max(1) } else { 1 }, refutation: 1 };
        let mut zone = Zone::new(self.field.liberties(part));
        loop {
            let is_known = |&(vertex, after): &(Option<usize>, Part)| {
                let state = (after, true);
                let is_proven = self.known(state).proof == 0;
                if is_proven {
                    zone.add(vertex, self.zone(&state));
                }
                !is_proven
            };
            moves.retain(is_known);
            moves.retain(|&(vertex, _)| zone.is_relevant(vertex));
            let (mut sum, mut best, mut second) = (PROVEN, None, INFINITE);
            for &(_, after) in &moves {
                let numbers = self.known_or((after, true), unseen);
                if numbers.refutation < sum.refutation {
                    second = sum.refutation;
                    best = Some((after, numbers));
                } else {
                    second = second.min(numbers.refutation);
                }
                sum = sum.and(numbers);
            }
            let Some((child, numbers)) = best else {
                return Ok(Entry { numbers: sum, zone: self.zone_of_all(part, &zone) });
            };
            if sum.refutation == 0 || sum.proof >= proof_limit || sum.refutation >= refutation_limit {
                return Ok(Entry { numbers: sum, zone: 0 });
            }
            // Attacks are inspected when their turn comes: most of them never are, because the answer to another is good for them.
            if !self.table.contains_key(&(child, true)) {
                if self.first((child, true)).refutation == 0 {
                    return Ok(Entry { numbers: REFUTED, zone: 0 });
                }
                continue;
            }
            let found = self.search(
                (child, true),
                proof_limit - sum.proof + numbers.proof,
                refutation_limit.min(second.saturating_add(1 + second / 4)),
            )?;
            // What answers one attack answers many.
            if found.proof == 0 && !is_zoned {
                for &(_, other) in &moves {
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
        let like_parts: Vec<Part> = self.splits(&like_after).into_iter().flat_map(|way| way.parts).collect();
        for mut way in self.splits(&after) {
            let is_kept = way.parts.iter().all(|part| {
                let common = |like: &&Part| (like.points & part.points).count_ones();
                self.first((*part, false)).proof == 0
                    || like_parts
                        .iter()
                        .max_by_key(common)
                        .is_some_and(|like| self.is_kept_like(part, like, left))
            });
            if is_kept {
                way.zone |= part.foe & !after.foe | 1 << vertex;
                let zone = self.zone_of_answer(&after, &way);
                self.prove((*part, true), zone);
                self.replies.insert(*part, vertex);
                return true;
            }
        }
        false
    }

    /// The same with the attacker to move.
    fn is_kept_like(&mut self, part: &Part, like: &Part, left: &mut usize) -> bool {
        if self.first((*part, false)).refutation == 0 {
            return false;
        }
        let mut zone = Zone::new(self.field.liberties(part));
        for (vertex, after) in self.attacks(part) {
            if !zone.is_relevant(vertex) {
                continue;
            }
            if self.first((after, true)).proof != 0 {
                let like_after = match vertex {
                    Some(vertex) => self.placed(like, vertex, false),
                    None => Some(*like),
                };
                if !like_after.is_some_and(|like| self.is_answered_like(&after, &like, left)) {
                    return false;
                }
            }
            zone.add(vertex, self.zone(&(after, true)));
        }
        let zone = self.zone_of_all(part, &zone);
        self.prove((*part, false), zone);
        true
    }

    fn placed(&self, part: &Part, vertex: usize, by_owner: bool) -> Option<Part> {
        let is_empty = self.field.empties(part) >> vertex & 1 == 1;
        if is_empty { self.field.place(part, vertex, by_owner) } else { None }
    }

    /// The zone of an answer after which all is kept that a way to take it to pieces leaves.
    fn zone_of_answer(&self, after: &Part, way: &Way) -> u64 {
        if !self.is_zoned(after) {
            return after.points;
        }
        let zone = way.parts.iter().fold(way.zone, |all, &part| all | self.zone(&(part, false)));
        self.field.with_liberties(after, zone)
    }

    fn prove(&mut self, state: State, zone: u64) {
        self.table.insert(state, Entry { numbers: PROVEN, zone });
        self.add_pattern(state, zone);
    }

    /// The zone of a position all attacks on which are answered: that of one answer which does not care for the attack, and those
    /// of the answers to attacks within it.
    fn zone_of_all(&self, part: &Part, zone: &Zone) -> u64 {
        let empties = self.field.empties(part);
        let size = |set: u64| (set & part.points).count_ones();
        let mut best = part.points;
        if !self.is_zoned(part) {
            return best;
        }
        let bases = zone.answered.iter().filter(|&&(vertex, of_answer)| zone.is_base(vertex, of_answer));
        for &(_, base) in bases {
            let mut all = zone.needed | base;
            for attack in bits(empties & (base | zone.last)) {
                if size(all) >= size(best) {
                    break;
                }
                let answer = zone.answered.iter().find(|(vertex, _)| *vertex == Some(attack));
                all |= match answer {
                    Some((_, of_answer)) => *of_answer,
                    // Where he may not play, he may if other stones stand around.
                    None if self.field.place(part, attack, false).is_none() => {
                        self.field.forbidding(part, attack)
                    }
                    // Another answer is good for it, whatever it is.
                    None => {
                        let others = zone.answered.iter().filter(|&&(vertex, of_answer)| {
                            zone.is_base(vertex, of_answer) && (of_answer | zone.last) >> attack & 1 == 0
                        });
                        let least =
                            others.map(|(_, of_answer)| *of_answer).min_by_key(|&set| size(set & !all));
                        least.unwrap_or(part.points)
                    }
                };
            }
            if size(all) < size(best) {
                best = all & part.points;
            }
        }
        best
    }

    /// The owner is to move: one good answer is enough.
    fn defend(&mut self, part: &Part, proof_limit: u32, refutation_limit: u32) -> Result<Entry, Interrupted> {
        let mut answers = self.answers(part);
        loop {
            // The greatest number and not the sum: the attack that refutes one answer often refutes the others.
            let (mut best, mut second, mut least, mut most) = (None, INFINITE, REFUTED, 0);
            let mut found: Option<(u64, usize)> = None;
            for (index, answer) in answers.iter_mut().enumerate() {
                answer.open.retain(|&rest| self.known((rest, false)).proof != 0);
                let all = answer.open.iter().fold(PROVEN, |all, &part| all.and(self.known((part, false))));
                if all.proof == 0 {
                    let zone = self.zone_of_answer(&answer.after, &answer.way);
                    if found.is_none_or(|(other, _)| zone.count_ones() < other.count_ones()) {
                        found = Some((zone, answer.vertex));
                    }
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
            if let Some((zone, vertex)) = found {
                self.replies.insert(*part, vertex);
                return Ok(Entry { numbers: PROVEN, zone });
            }
            let numbers = Numbers { proof: least.proof, refutation: most };
            let Some(index) = best else { return Ok(Entry { numbers: REFUTED, zone: 0 }) };
            if most == 0 || numbers.proof >= proof_limit || most >= refutation_limit {
                return Ok(Entry { numbers, zone: 0 });
            }
            let proof_limit = proof_limit.min(second.saturating_add(1 + second / 4));
            // Of the parts that all have to be kept, the one that is most in danger.
            let (mut worst, mut next): (Option<(Part, Numbers)>, u32) = (None, INFINITE);
            for &part in &answers[index].open {
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
            let Some((part, of_part)) = worst else { continue };
            self.search(
                (part, false),
                proof_limit - least.proof + of_part.proof,
                refutation_limit.min(next.saturating_add(1 + next / 4)),
            )?;
        }
    }
}

#[cfg(test)]
mod tests;
