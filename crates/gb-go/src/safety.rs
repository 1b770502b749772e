//! Whose a point is for good, and why.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use gb_value::{Budget, Halt, Player};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::benson::{Region, Surroundings, benson};
use crate::board::{Board, Point};
use crate::field::{Bordering, Field, Part};
use crate::life::{Life, Verdict};
use crate::memory::Memory;
use crate::playout::ownership;
use crate::statics;

/// Why a point is safe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Its owner need not even answer.
    Unconditional,
    /// Its owner answers every intrusion, and so keeps blocks linked and eyes whole.
    Answered,
    /// One region gives two eyes, because its owner answers there.
    TwoEyes,
    /// The opponent cannot make two eyes in there.
    Surrounded,
    /// A search has answered every attack.
    Search,
    /// Nothing is proven: games played at random from here end that way nearly always.
    Assumed,
}

impl Reason {
    /// All of them, the strongest first.
    pub const ALL: [Reason; 6] = [
        Reason::Unconditional,
        Reason::Answered,
        Reason::TwoEyes,
        Reason::Surrounded,
        Reason::Search,
        Reason::Assumed,
    ];

    /// In a few words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Unconditional => "it needs no answer",
            Reason::Answered => "every intrusion can be answered",
            Reason::TwoEyes => "one region gives two eyes if intrusions are answered",
            Reason::Surrounded => "the opponent has no room for two eyes",
            Reason::Search => "a search has answered every attack",
            Reason::Assumed => "it looks settled, which is not proven",
        }
    }
}

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Use the static rules for answered intrusions.
    pub statics: bool,
    /// Search regions with at most so many empty points (0: no search).
    pub search_empties: usize,
    /// How many positions one such search may expand.
    pub search_nodes: usize,
    /// Let searches expand more as long as there is time, if there is a limit of time.
    pub is_patient: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { statics: true, search_empties: 32, search_nodes: 60_000, is_patient: true }
    }
}

impl Effort {
    /// The same, but without going on for as long as there is time: for moves in a game, and for many positions.
    pub(crate) fn impatient(self) -> Effort {
        Effort { is_patient: false, ..self }
    }

    /// The same, going on for as long as there is time.
    pub(crate) fn patient(self) -> Effort {
        Effort { is_patient: true, ..self }
    }

    /// Benson's theorem alone.
    pub const BENSON: Effort =
        Effort { statics: false, search_empties: 0, search_nodes: 0, is_patient: false };
}

/// By how much less is tried at first, and by how much more in the end as long as there is time for it.
const LEVELS: [usize; 3] = [100, 10, 1];
const LONGER: [usize; 4] = [5, 25, 125, 625];

/// How many random games say whose a region looks.
const PLAYOUTS: usize = 48;

/// Proofs of fewer positions are not remembered beyond the question.
const WORTH_KEEPING: usize = 32;

/// What a block is to a region that it borders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It lives whatever happens here.
    Wall,
    /// It has an eye elsewhere, and needs one here.
    Guest,
    /// It needs two eyes here.
    Alone,
}

/// The searches made for one board, so that none is made twice.
#[derive(Clone)]
struct Proofs<'a> {
    board: &'a Board,
    effort: &'a Effort,
    budget: &'a Budget,
    memory: Option<&'a Memory>,
    verdicts: FxHashMap<(Player, Vec<Point>, Part), (usize, Verdict)>,
    /// For each point how likely it is Black's.
    owners: Option<Vec<f64>>,
    /// Whether there are others at the same time.
    is_shared: bool,
}

impl Proofs<'_> {
    /// Whether the owner of a region keeps it, as far as a search of so many positions finds out.
    fn keeps(
        &mut self,
        owner: Player,
        field: &Field,
        blocks: &[Bordering<'_>],
        nodes: usize,
    ) -> Result<bool, Halt> {
        let mut names = field.points.clone();
        names.extend(blocks.iter().flat_map(|block| [block.stones[0], Point::from(block.has_eye)]));
        let key = (owner, names, field.start);
        match self.verdicts.get(&key) {
            Some((_, Verdict::Kept)) => return Ok(true),
            Some((_, Verdict::Lost)) => return Ok(false),
            Some(&(tried, Verdict::Unknown)) if tried >= nodes => return Ok(false),
            _ => {}
        }
        // Only what is kept is remembered for good: the rest may be for want of time.
        let known = self.memory.filter(|_| !self.verdicts.contains_key(&key));
        if known.is_some_and(|memory| memory.is_kept(&field.key(self.board))) {
            self.verdicts.insert(key, (nodes, Verdict::Kept));
            return Ok(true);
        }
        // Long searches are for what looks promising.
        if nodes >= self.effort.search_nodes && !self.looks_good(owner, &field.points) {
            return Ok(false);
        }
        let mut life = Life::new(field, self.budget, nodes, self.is_shared);
        let verdict = life.keeps()?;
        if let Some(memory) = self.memory
            && verdict == Verdict::Kept
            && nodes - life.left() >= WORTH_KEEPING
        {
            memory.add_kept(field.key(self.board));
        }
        self.verdicts.insert(key, (nodes, verdict));
        Ok(verdict == Verdict::Kept)
    }

    fn looks_good(&mut self, owner: Player, region: &[Point]) -> bool {
        let owners = self.owners.get_or_insert_with(|| ownership(self.board, PLAYOUTS, self.budget));
        let sum: f64 = region.iter().map(|&p| owners[p as usize]).sum();
        if owner == Player::Left { sum > 0.0 } else { sum < 0.0 }
    }
}

/// Safe stones and territories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Safety {
    owners: Vec<Option<(Player, Reason)>>,
    /// Where the owner answers by rule.
    partners: BTreeMap<Point, Point>,
    /// Why the search for more was given up.
    stopped: Option<Halt>,
}

impl Safety {
    /// What is safe on a board.
    pub fn of(board: &Board, effort: &Effort) -> Safety {
        Safety::within(board, effort, &Budget::unlimited())
    }

    /// What is found to be safe on a board within a budget.
    pub fn within(board: &Board, effort: &Effort, budget: &Budget) -> Safety {
        Safety::remembering(board, effort, budget, None)
    }

    /// The same with what earlier searches have proven; it remembers what is proven now.
    pub fn remembering(board: &Board, effort: &Effort, budget: &Budget, memory: Option<&Memory>) -> Safety {
        let owners = vec![None; board.points().len()];
        let mut safety = Safety { owners, partners: BTreeMap::new(), stopped: None };
        for colour in Player::BOTH {
            safety.add(colour, Reason::Unconditional, &benson(board, colour));
        }
        let (verdicts, owners) = Default::default();
        let mut proofs = Proofs { board, effort, budget, memory, verdicts, owners, is_shared: false };
        // What is easy first: it makes the rest easier.
        let levels = LEVELS.map(|level| (effort.search_nodes / level).max(1));
        let found = Mutex::new(safety);
        Safety::extend(&found, &mut proofs, &Player::BOTH, &levels);
        if effort.is_patient && budget.deadline().is_some() {
            Safety::extend_at_length(&found, proofs);
        }
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on for as long as there is time, for both colours at once.
    fn extend_at_length(found: &Mutex<Safety>, mut proofs: Proofs<'_>) {
        let levels = LONGER.map(|longer| proofs.effort.search_nodes.saturating_mul(longer));
        let mut of_white = proofs.clone();
        of_white.is_shared = true;
        std::thread::scope(|scope| {
            let account = proofs.budget.account();
            let white = move || {
                let _entered = account.enter();
                Safety::extend(found, &mut of_white, &[Player::Right], &levels);
            };
            // Where there are no threads, the colours take turns.
            match std::thread::Builder::new().spawn_scoped(scope, white) {
                Ok(_) => {
                    proofs.is_shared = true;
                    Safety::extend(found, &mut proofs, &[Player::Left], &levels);
                }
                Err(_) => Safety::extend(found, &mut proofs, &Player::BOTH, &levels),
            }
        });
    }

    /// Adds what rules and searches prove for some colours, with searches that take longer and longer.
    fn extend(found: &Mutex<Safety>, proofs: &mut Proofs<'_>, colours: &[Player], levels: &[usize]) {
        let now = || found.lock().unwrap_or_else(PoisonError::into_inner);
        for &nodes in levels {
            // What one rule proves helps the others.
            let mut is_new = true;
            while is_new {
                is_new = false;
                for &colour in colours {
                    let mut safety = now().clone();
                    let known = safety.count();
                    if proofs.effort.statics {
                        for claim in statics::find(proofs.board, colour, &safety) {
                            safety.add(colour, claim.reason, &claim.points);
                            for (a, b) in claim.pairs {
                                safety.partners.extend([(a, b), (b, a)]);
                            }
                        }
                    }
                    if proofs.effort.search_empties > 0
                        && safety.stopped.is_none()
                        && let Err(stop) = safety.search(proofs, colour, nodes)
                    {
                        safety.stopped = Some(stop);
                    }
                    is_new |= safety.count() > known;
                    now().join(safety);
                }
            }
        }
    }

    /// Adds what is known elsewhere.
    fn join(&mut self, other: Safety) {
        for (mine, theirs) in self.owners.iter_mut().zip(other.owners) {
            *mine = mine.or(theirs);
        }
        self.partners.extend(other.partners);
        self.stopped = self.stopped.or(other.stopped);
    }

    /// Why the search for more was given up before its end, if it was.
    pub fn stopped(&self) -> Option<Halt> {
        self.stopped
    }

    /// Whose the point is.
    pub fn owner(&self, point: Point) -> Option<Player> {
        self.owners[point as usize].map(|(player, _)| player)
    }

    /// Why it is.
    pub fn reason(&self, point: Point) -> Option<Reason> {
        self.owners[point as usize].map(|(_, reason)| reason)
    }

    /// Where the owner of a point answers if the opponent plays there; `None` if no rule says so.
    pub fn partner(&self, point: Point) -> Option<Point> {
        self.partners.get(&point).copied()
    }

    /// How many points are safe.
    pub fn count(&self) -> usize {
        self.owners.iter().flatten().count()
    }

    pub(crate) fn add(&mut self, colour: Player, reason: Reason, points: &[Point]) {
        for &point in points {
            self.owners[point as usize].get_or_insert((colour, reason));
        }
    }

    /// The owner of a safe stone on a point. What is assumed to be somebody's counts as his stone.
    pub fn wall(&self, board: &Board, point: Point) -> Option<Player> {
        let (owner, reason) = self.owners[point as usize]?;
        (board.at(point) == Some(owner) || reason == Reason::Assumed).then_some(owner)
    }

    /// Adds what looks settled: points that are nearly always one player's in the end, blocks as a whole. `owners` gives for
    /// each point from -1 (White's) to 1 (Black's) how often. Only points that are `wanted` are looked at.
    pub(crate) fn assume(
        &self,
        board: &Board,
        owners: &[f64],
        threshold: f64,
        wanted: impl Fn(Point) -> bool,
    ) -> Safety {
        let mut safety = self.clone();
        let mut add = |points: &[Point]| {
            let mean = points.iter().map(|&p| owners[p as usize]).sum::<f64>() / points.len() as f64;
            if mean.abs() >= threshold && wanted(points[0]) {
                let owner = if mean > 0.0 { Player::Left } else { Player::Right };
                safety.add(owner, Reason::Assumed, points);
            }
        };
        for point in board.points().filter(|&p| board.at(p).is_none()) {
            add(&[point]);
        }
        for colour in Player::BOTH {
            for stones in board.components(|p| board.at(p) == Some(colour)) {
                add(&stones);
            }
        }
        safety
    }

    /// Tries to prove by search that regions of a colour are its own, with the blocks around them.
    ///
    /// A region can promise a block that it will have a liberty there whenever the attacker is to move; a block with two such
    /// promises is never captured, for an attack in one region leaves the other as it was until the owner has answered.
    /// All regions are taken to be good at first. Of the regions around a block the two smallest promise it a liberty, and in
    /// others it is a wall; if there is only one, that has to give two eyes. A region that cannot keep its promises is let off
    /// those that others can give; if that does not help, it goes, and what counted on it is tried again.
    fn search(&mut self, proofs: &mut Proofs<'_>, colour: Player, nodes: usize) -> Result<(), Halt> {
        let (board, effort) = (proofs.board, proofs.effort);
        let around = Surroundings::new(board, colour);
        let block_of = around.block_of(board);
        let is_safe = |b: usize| self.owner(around.blocks[b].stones[0]) == Some(colour);
        let mut good: Vec<usize> =
            (0..around.regions.len()).filter(|&r| self.is_candidate(colour, &around, r, effort)).collect();
        // Small ones first: what they miss is found soon.
        good.sort_by_key(|&r| around.regions[r].empties.len());
        let mut declined: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut proven: Vec<Option<Vec<Role>>> = vec![None; around.regions.len()];
        'changed: loop {
            for &r in &good {
                let border = &around.regions[r].border;
                let role = |b: usize| {
                    if is_safe(b) {
                        return Role::Wall;
                    }
                    let touches = |&&o: &&usize| around.regions[o].border.contains(&b);
                    let willing = good.iter().filter(touches).filter(|&&o| !declined.contains(&(o, b)));
                    let promising: Vec<usize> = willing.take(2).copied().collect();
                    match (promising.contains(&r), promising.len()) {
                        (true, 1) => Role::Alone,
                        (true, _) => Role::Guest,
                        (false, _) => Role::Wall,
                    }
                };
                let roles: Vec<Role> = border.iter().map(|&b| role(b)).collect();
                if proven[r].as_ref() == Some(&roles) {
                    continue;
                }
                let blocks: Vec<Bordering<'_>> = border
                    .iter()
                    .zip(&roles)
                    .filter(|(_, role)| **role != Role::Wall)
                    .map(|(&b, &role)| Bordering {
                        stones: &around.blocks[b].stones,
                        has_eye: role == Role::Guest,
                    })
                    .collect();
                let is_wall = |p: Point| {
                    block_of[p as usize].is_some_and(|b| {
                        border.iter().zip(&roles).any(|(&other, role)| other == b && *role == Role::Wall)
                    })
                };
                let is_kept = match Field::new(board, &around.regions[r].points, &blocks, is_wall) {
                    Some(field) => proofs.keeps(colour, &field, &blocks, nodes)?,
                    None => false,
                };
                if is_kept {
                    proven[r] = Some(roles);
                    continue;
                }
                let others = |b: usize| {
                    let touches = |o: usize| around.regions[o].border.contains(&b);
                    good.iter().filter(|&&o| o != r && touches(o) && !declined.contains(&(o, b))).count()
                };
                let spared: Vec<usize> = border
                    .iter()
                    .zip(&roles)
                    .filter(|&(&b, &role)| role == Role::Guest && others(b) >= 2)
                    .map(|(&b, _)| b)
                    .collect();
                if spared.is_empty() {
                    good.retain(|&g| g != r);
                    // Others may be asked again what they declined while this one seemed good.
                    declined.retain(|(_, b)| !border.contains(b));
                } else {
                    declined.extend(spared.into_iter().map(|b| (r, b)));
                }
                continue 'changed;
            }
            break;
        }
        for r in good {
            self.add(colour, Reason::Search, &around.regions[r].points);
            for &b in &around.regions[r].border {
                self.add(colour, Reason::Search, &around.blocks[b].stones);
            }
        }
        Ok(())
    }

    /// Whether a region may become a colour's by search, and is not yet.
    fn is_candidate(&self, colour: Player, around: &Surroundings, region: usize, effort: &Effort) -> bool {
        let Region { points, empties, border } = &around.regions[region];
        let is_settled = points.iter().all(|&p| self.owner(p) == Some(colour));
        let is_safe = |&b: &usize| self.owner(around.blocks[b].stones[0]) == Some(colour);
        empties.len() <= effort.search_empties
            && !border.is_empty()
            && !(is_settled && border.iter().all(is_safe))
            && points.iter().all(|&p| self.owner(p) != Some(colour.opponent()))
    }
}
