//! The search that proves an area settled: its owner ends up with every point, although the opponent moves first.
//!
//! Both play in turn and may pass; two passes end it. A line that repeats counts as a success of the attacker, so that the
//! proven positions are a least fixpoint: a proof never rests on repetition (M. Mueller, Playing it safe, 1997).

use gb_value::{Budget, Halt, Player};
use rustc_hash::FxHashSet;

use crate::area::{Area, bits};

/// What a proof search found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The owner keeps everything.
    Proven,
    /// The attacker gets something, or keeps repeating.
    Refuted,
    /// The search was too large.
    Unknown,
}

/// How many positions a proof may visit by default.
pub const PROOF_LIMIT: usize = 400_000;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    stones: [u64; 2],
    owner_to_move: bool,
    passed: bool,
}

struct Search<'a> {
    area: &'a Area,
    owner: Player,
    /// Stones of the owner that must not be captured at all, because what lies behind them is not in this area.
    precious: u64,
    proven: FxHashSet<State>,
    seen: FxHashSet<State>,
    left: usize,
    budget: Option<&'a Budget>,
    /// Why the budget ended the search.
    stop: Option<Halt>,
}

struct OutOfNodes;

/// Whether `owner` ends up with every point of the area when the opponent begins. `precious` stones of the owner must
/// survive.
pub fn settled(area: &Area, owner: Player, precious: u64, limit: usize) -> Proof {
    let state = State {
        stones: [area.stones(Player::Left), area.stones(Player::Right)],
        owner_to_move: false,
        passed: false,
    };
    let mut search = Search::new(area, owner, precious, limit);
    search.run(state)
}

/// As [`settled`], within a budget, with no stones that must survive.
///
/// # Errors
/// If the budget runs out.
pub(crate) fn settled_within(
    area: &Area,
    owner: Player,
    limit: usize,
    budget: &Budget,
) -> Result<Proof, Halt> {
    let state = State {
        stones: [area.stones(Player::Left), area.stones(Player::Right)],
        owner_to_move: false,
        passed: false,
    };
    let mut search = Search { budget: Some(budget), ..Search::new(area, owner, 0, limit) };
    let proof = search.run(state);
    search.stop.map_or(Ok(proof), Err)
}

impl<'a> Search<'a> {
    fn new(area: &'a Area, owner: Player, precious: u64, limit: usize) -> Self {
        let (proven, seen) = Default::default();
        Search { area, owner, precious, proven, seen, left: limit, budget: None, stop: None }
    }

    fn run(&mut self, root: State) -> Proof {
        loop {
            let known = self.proven.len();
            self.seen.clear();
            match self.is_proven(root) {
                Err(OutOfNodes) => return Proof::Unknown,
                Ok(true) => return Proof::Proven,
                // What was taken for unproven in one round may have been proven later in it.
                Ok(false) if self.proven.len() == known => return Proof::Refuted,
                Ok(false) => {}
            }
        }
    }

    fn own(&self, state: &State) -> u64 {
        state.stones[self.owner as usize]
    }

    fn attackers(&self, state: &State) -> u64 {
        state.stones[self.owner.opponent() as usize]
    }

    /// The attacker has, or can make at once, a stone that touches a wall of his.
    fn is_lost(&self, state: &State) -> bool {
        let wall = self.area.walls(self.owner.opponent());
        self.attackers(state) & wall != 0
            || self.precious & !self.own(state) != 0
            || !state.owner_to_move && wall & self.area.all() & !self.own(state) != 0
    }

    /// Every point that is not held for good is next to a safe stone of the owner: the attacker cannot get an eye, and the
    /// owner can take every point when he likes.
    fn is_covered(&self, state: &State) -> bool {
        let wall = self.area.walls(self.owner);
        let held = self.area.flood(self.own(state) & wall, self.own(state));
        let covered = wall | self.area.grown(held);
        self.area.all() & !held & !covered == 0 && self.area.walls(self.owner.opponent()) & !held == 0
    }

    /// Whether the owner has everything if the game ends here.
    fn is_won(&self, state: &State) -> bool {
        self.attackers(state) == 0
            && self.area.walls(self.owner.opponent()) & !self.own(state) == 0
            && (self.own(state) | self.area.walls(self.owner)) != 0
    }

    fn is_proven(&mut self, state: State) -> Result<bool, OutOfNodes> {
        if self.is_lost(&state) {
            return Ok(false);
        }
        if self.proven.contains(&state) || self.is_covered(&state) {
            return Ok(true);
        }
        if !self.seen.insert(state) {
            return Ok(false);
        }
        self.left = self.left.checked_sub(1).ok_or(OutOfNodes)?;
        // Positions of proofs are small: some dozens of them count as a node.
        if self.left.is_multiple_of(256)
            && let Some(Err(stop)) = self.budget.map(|budget| budget.spend(4, 0))
        {
            self.stop = Some(stop);
            return Err(OutOfNodes);
        }
        let proven = stacker::maybe_grow(64 << 10, 4 << 20, || {
            if state.owner_to_move { self.owner_moves(state) } else { self.attacker_moves(state) }
        })?;
        if proven {
            self.proven.insert(state);
        }
        Ok(proven)
    }

    fn attacker_moves(&mut self, state: State) -> Result<bool, OutOfNodes> {
        let empties = self.area.all() & !state.stones[0] & !state.stones[1];
        for point in bits(empties) {
            if let Some((stones, _)) = self.area.place_stone(state.stones, self.owner.opponent(), point)
                && !self.is_proven(State { stones, owner_to_move: true, passed: false })?
            {
                return Ok(false);
            }
        }
        if state.passed {
            return Ok(self.is_won(&state));
        }
        self.is_proven(State { owner_to_move: true, passed: true, ..state })
    }

    fn owner_moves(&mut self, state: State) -> Result<bool, OutOfNodes> {
        if state.passed && self.is_won(&state) {
            return Ok(true);
        }
        let empties = self.area.all() & !state.stones[0] & !state.stones[1];
        // Captures first, then moves that touch the attacker's stones, then those with most room.
        let near = self.area.grown(self.attackers(&state));
        let mut moves: Vec<(u32, usize, [u64; 2])> = bits(empties)
            .filter_map(|point| {
                let (stones, captured) = self.area.place_stone(state.stones, self.owner, point)?;
                let room = (self.area.neighbours(point) & empties).count_ones();
                let promise = captured.count_ones() * 16 + (near >> point & 1) as u32 * 8 + room;
                Some((promise, point, stones))
            })
            .collect();
        moves.sort_by_key(|&(promise, point, _)| (std::cmp::Reverse(promise), point));
        for (.., stones) in moves {
            if self.is_proven(State { stones, owner_to_move: false, passed: false })? {
                return Ok(true);
            }
        }
        Ok(!state.passed && self.is_proven(State { owner_to_move: false, passed: true, ..state })?)
    }
}
