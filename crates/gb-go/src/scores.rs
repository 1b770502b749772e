//! Scores of areas without values: what each player can make sure of, by proof-number search.
//!
//! The value of an area says what it is worth beside everything else, and takes a canonical form for every position. If
//! nothing else is left to play, the score is enough, and much larger areas have one that can be proven: Black gets at least
//! so much, and White sees to it that it is no more. So are fights with shared liberties: in a seki the score is what it counts
//! as it stands, whoever begins.
//!
//! Both may pass, and two passes end it. As in `life`, a position is proven only from positions proven before, and one that
//! comes back counts against whoever wants to prove something; what both have proven is true whatever the rule of repetition.

use gb_value::{Budget, Halt, Player};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::area::{Area, Key, bits};
use crate::local::{Scoring, points_for};
use crate::numbers::{INFINITE, Interrupted, Numbers, PROVEN, REFUTED};
use crate::proof::{Proof, settled_within};

/// How many positions it may take to find out whose a part is: few where there is much room, for there it would be in vain.
fn settled_nodes(part: &Area) -> usize {
    if part.empties().count_ones() <= 8 { 20_000 } else { 200 }
}

/// What an area counts with best play, relative to the stones that are in it (see `LocalSearch`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AreaScores {
    /// If Black, if White begins.
    pub scores: [i64; 2],
    /// A move with which Black, White gets that; `None` if passing does.
    pub moves: [Option<usize>; 2],
    /// Whether it is a seki: nobody gains by moving, and stones of both colours stay in a part that is nobody's for good.
    pub is_seki: bool,
}

/// A position: stones, who is to move (Black wants to prove something), whether the other has just passed, and how much is
/// needed from here on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct State {
    stones: [u64; 2],
    mover: Player,
    passed: bool,
    need: i64,
}

/// What can be said about stones without search.
#[derive(Clone, Copy)]
struct Look {
    /// Where somebody may still want to move.
    open: u64,
    /// What Black gets at least and at most from here on, and what he gets if both pass.
    least: i64,
    most: i64,
    as_it_stands: i64,
}

/// The question whether Black gets at least so much in an area.
struct Claim<'a> {
    area: &'a Area,
    scoring: Scoring,
    budget: &'a Budget,
    table: FxHashMap<State, Numbers>,
    looks: FxHashMap<[u64; 2], Look>,
    owners: FxHashMap<Key, [Option<Proof>; 2]>,
    line: FxHashSet<State>,
    left: usize,
}

/// The scores of an area, if at most `nodes` positions are needed for each question about it.
///
/// # Errors
/// If the budget runs out.
pub fn area_scores(
    area: &Area,
    scoring: Scoring,
    nodes: usize,
    budget: &Budget,
) -> Result<Option<AreaScores>, Halt> {
    let swapped = area.swapped();
    let mut black = Claim::new(area, scoring, budget);
    let mut white = Claim::new(&swapped, scoring, budget);
    let (mut scores, mut moves) = ([0; 2], [None; 2]);
    let as_it_stands = black.look(Player::BOTH.map(|player| area.stones(player)))?.as_it_stands;
    let mut guess = as_it_stands;
    for first in Player::BOTH {
        let mut steps = 0;
        loop {
            // Points of the whole area, counted twice, are more than there are scores.
            steps += 1;
            if steps > 4 * area.len() + 2 {
                return Ok(None);
            }
            let at_least = black.holds(first, guess, nodes)?;
            let at_most = white.holds(first.opponent(), -guess, nodes)?;
            match (at_least, at_most) {
                (true, true) => break,
                (true, false) => guess += 1,
                (false, true) => guess -= 1,
                (false, false) => return Ok(None),
            }
        }
        scores[first as usize] = guess;
        moves[first as usize] = match first {
            Player::Left => black.best_move(guess),
            Player::Right => white.best_move(-guess),
        };
    }
    let is_still = scores == [as_it_stands; 2] && moves == [None; 2];
    let is_seki = is_still && black.has_fight(area)?;
    Ok(Some(AreaScores { scores, moves, is_seki }))
}

impl<'a> Claim<'a> {
    fn new(area: &'a Area, scoring: Scoring, budget: &'a Budget) -> Claim<'a> {
        let (table, looks, owners, line) = Default::default();
        Claim { area, scoring, budget, table, looks, owners, line, left: 0 }
    }

    fn root(&self, first: Player, need: i64) -> State {
        let stones = Player::BOTH.map(|player| self.area.stones(player));
        State { stones, mover: first, passed: false, need }
    }

    /// Whether it is proven that Black gets at least `need` if `first` begins.
    fn holds(&mut self, first: Player, need: i64, nodes: usize) -> Result<bool, Halt> {
        self.left = nodes;
        let root = self.root(first, need);
        if self.first(root)? == PROVEN {
            return Ok(true);
        }
        let mut proven = self.forget();
        loop {
            match self.search(root, INFINITE, INFINITE) {
                Err(Interrupted::Halted(stop)) => return Err(stop),
                Err(Interrupted::Nodes) => {
                    self.line.clear();
                    return Ok(false);
                }
                Ok(PROVEN) => return Ok(true),
                Ok(_) => {}
            }
            let now = self.forget();
            if now == proven {
                return Ok(false);
            }
            proven = now;
        }
    }

    /// Forgets all but what is proven, and counts that: what was refuted by a repetition may be refuted in one line only.
    fn forget(&mut self) -> usize {
        self.table.retain(|_, numbers| numbers.proof == 0);
        self.table.len()
    }

    /// Where Black plays to get what is proven.
    fn best_move(&mut self, need: i64) -> Option<usize> {
        let options = self.options(self.root(Player::Left, need)).ok()?;
        let is_proven = |state: &State| self.table.get(state).is_some_and(|numbers| numbers.proof == 0);
        // Passing first: nobody has to move where nothing is to be gained.
        options.into_iter().rev().find(|(_, state)| is_proven(state))?.0
    }

    /// Whose a part is for good, as far as that is found out: proven for Black, for White.
    fn owners(&mut self, part: &Area) -> Result<[Proof; 2], Halt> {
        let (key, swapped) = part.normal_form();
        let mut found = [Proof::Unknown; 2];
        for owner in Player::BOTH {
            let slot = if swapped { owner.opponent() } else { owner } as usize;
            let known = self.owners.get(&key).and_then(|proofs| proofs[slot]);
            found[owner as usize] = match known {
                Some(proof) => proof,
                None => {
                    let proof = settled_within(part, owner, settled_nodes(part), self.budget)?;
                    self.owners.entry(key.clone()).or_default()[slot] = Some(proof);
                    proof
                }
            };
        }
        Ok(found)
    }

    /// Whether stones of both colours are in a part that is not one player's for good.
    fn has_fight(&mut self, area: &Area) -> Result<bool, Halt> {
        for part in area.split() {
            let has_both = Player::BOTH.iter().all(|&player| part.stones(player) != 0);
            if has_both && self.owners(&part)? == [Proof::Refuted; 2] {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn look(&mut self, stones: [u64; 2]) -> Result<Look, Halt> {
        if let Some(&look) = self.looks.get(&stones) {
            return Ok(look);
        }
        let here = self.area.with_stones(stones);
        let mut look = Look { open: 0, least: 0, most: 0, as_it_stands: 0 };
        let parts = here.split();
        for part in &parts {
            self.budget.spend(4, 0)?;
            let [black, white] = self.owners(part)?;
            let count = part.len() as i64;
            // With area scoring every point counts once, and stones are points.
            let all = |owner: Player| match (self.scoring, owner) {
                (Scoring::Area, Player::Left) => count,
                (Scoring::Area, Player::Right) => -count,
                _ => points_for(part, owner),
            };
            let fixed = match (black, white) {
                (Proof::Proven, _) => Some(all(Player::Left)),
                (_, Proof::Proven) => Some(all(Player::Right)),
                _ => None,
            };
            if let Some(points) = fixed {
                look.least += points;
                look.most += points;
                look.as_it_stands += points;
                continue;
            }
            // A player who only passes loses no more than everything.
            look.least += all(Player::Right);
            look.most += all(Player::Left);
            look.as_it_stands += match self.scoring {
                Scoring::Area => part.surrounded_difference() + part.stone_difference(),
                // What may be White's is taken to be his.
                _ if white == Proof::Unknown => all(Player::Right),
                _ => 0,
            };
            let points = (0..part.len()).filter_map(|i| self.area.at_place(part.place(i)));
            look.open |= points.fold(0, |set, point| set | 1 << point);
        }
        if self.scoring == Scoring::Area {
            // Stones on walls are in no part; those that were there at the beginning do not count.
            let in_parts: i64 = parts.iter().map(Area::stone_difference).sum();
            let others = here.stone_difference() - in_parts - self.area.stone_difference();
            look.least += others;
            look.most += others;
            look.as_it_stands += others;
        }
        self.looks.insert(stones, look);
        Ok(look)
    }

    /// What is known about a position when it is met first.
    fn first(&mut self, state: State) -> Result<Numbers, Halt> {
        if let Some(&numbers) = self.table.get(&state) {
            return Ok(numbers);
        }
        let look = self.look(state.stones)?;
        let numbers = if look.least >= state.need {
            PROVEN
        } else if look.most < state.need {
            REFUTED
        } else {
            // How far what is there is from what is needed.
            let missing = (state.need - look.as_it_stands).clamp(-8, 8);
            Numbers { proof: 1 + missing.max(0) as u32, refutation: 1 + (-missing).max(0) as u32 }
        };
        self.table.insert(state, numbers);
        Ok(numbers)
    }

    /// All that the mover can do: moves, and passing, which comes last. After the second pass there is no position but a result.
    fn options(&mut self, state: State) -> Result<Vec<(Option<usize>, State)>, Halt> {
        let look = self.look(state.stones)?;
        let empties = look.open & !state.stones[0] & !state.stones[1];
        let sign = if state.mover == Player::Left { 1 } else { -1 };
        let mut options = vec![];
        for point in bits(empties) {
            let Some((stones, captured)) = self.area.place_stone(state.stones, state.mover, point) else {
                continue;
            };
            let gain =
                if self.scoring == Scoring::Area { 0 } else { sign * i64::from(captured.count_ones()) };
            let need = state.need - gain;
            options.push((Some(point), State { stones, mover: state.mover.opponent(), passed: false, need }));
        }
        if !state.passed {
            options.push((None, State { mover: state.mover.opponent(), passed: true, ..state }));
        }
        Ok(options)
    }

    fn known(&self, state: State) -> Numbers {
        if self.line.contains(&state) {
            return REFUTED;
        }
        self.table.get(&state).copied().unwrap_or(Numbers { proof: 1, refutation: 1 })
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
        self.line.insert(state);
        let result =
            stacker::maybe_grow(64 << 10, 4 << 20, || self.expand(state, proof_limit, refutation_limit));
        self.line.remove(&state);
        let numbers = result?;
        self.table.insert(state, numbers);
        Ok(numbers)
    }

    fn expand(
        &mut self,
        state: State,
        proof_limit: u32,
        refutation_limit: u32,
    ) -> Result<Numbers, Interrupted> {
        let is_prover = state.mover == Player::Left;
        let mut options = vec![];
        for (_, option) in self.options(state).map_err(Interrupted::Halted)? {
            self.first(option).map_err(Interrupted::Halted)?;
            options.push(option);
        }
        // A second pass ends it.
        let end = match state.passed {
            true => {
                let look = self.look(state.stones).map_err(Interrupted::Halted)?;
                Some(if look.as_it_stands >= state.need { PROVEN } else { REFUTED })
            }
            false => None,
        };
        loop {
            // The mover's own number is the least of the options', the other's is the greatest, as in `life`: refutations of
            // one move are often refutations of others.
            let (mut best, mut least, mut second, mut most) = (None, INFINITE, INFINITE, 0);
            let own = |numbers: Numbers| if is_prover { numbers.proof } else { numbers.refutation };
            let other = |numbers: Numbers| if is_prover { numbers.refutation } else { numbers.proof };
            if let Some(end) = end {
                least = own(end);
                most = other(end);
            }
            for &option in &options {
                let numbers = self.known(option);
                most = most.max(other(numbers));
                if own(numbers) < least {
                    second = least;
                    least = own(numbers);
                    best = Some((option, numbers));
                } else {
                    second = second.min(own(numbers));
                }
            }
            let numbers = match is_prover {
                true => Numbers { proof: least, refutation: if least == 0 { INFINITE } else { most } },
                false => Numbers { proof: if least == 0 { INFINITE } else { most }, refutation: least },
            };
            if numbers.proof == 0 {
                return Ok(PROVEN);
            }
            if numbers.refutation == 0 {
                return Ok(REFUTED);
            }
            let Some((option, _)) = best else { return Ok(numbers) };
            if numbers.proof >= proof_limit || numbers.refutation >= refutation_limit {
                return Ok(numbers);
            }
            let closer = second.saturating_add(1 + second / 4);
            let (proof_limit, refutation_limit) = match is_prover {
                true => (proof_limit.min(closer), refutation_limit),
                false => (proof_limit, refutation_limit.min(closer)),
            };
            self.search(option, proof_limit, refutation_limit)?;
        }
    }
}
