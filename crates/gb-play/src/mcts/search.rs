//! Selection, expansion, playout and backpropagation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use gb_board::sort_by;
use gb_rules::Player;
use smallvec::SmallVec;

use super::tree::{Block, Edge, Tree};
use super::{Choice, Puct, Settings, TreeOf};
use crate::limits::{Clock, HaltReason};
use crate::root::Root;
use crate::search_state::{SearchState, Step, WHOLE, share, won_by};
use crate::swindle;

/// How many playouts a thread makes between looks at the clock.
const PLAYOUTS_BETWEEN_LOOKS: u64 = 32;
/// No way through the tree is longer, in a game where play may repeat.
const LONGEST_PATH: usize = 1_000;

/// Habits are sixteenths of a natural logarithm.
const PRIORS_PER_LOGARITHM: f32 = 16.0;

/// Edges for some moves, with how likely they are, if that is asked for and known of all.
fn edges(
    settings: &Settings,
    steps: impl Iterator<Item = Step>,
    prior: impl Fn(&Step) -> Option<i32>,
) -> Box<[Edge]> {
    let mut edges: Box<[Edge]> = steps.map(Edge::new).collect();
    if settings.puct.is_some()
        && let Some(priors) =
            edges.iter().map(|edge| prior(&edge.step)).collect::<Option<SmallVec<[i32; 64]>>>()
    {
        let most = priors.iter().copied().max().unwrap_or(0);
        let weight = |prior: i32| (prior.saturating_sub(most) as f32 / PRIORS_PER_LOGARITHM).exp();
        let sum: f32 = priors.iter().map(|&prior| weight(prior)).sum();
        for (edge, prior) in edges.iter_mut().zip(priors) {
            edge.prior = (weight(prior) / sum).max(f32::MIN_POSITIVE);
        }
    }
    edges
}

/// A tree for a new root; what an earlier tree knows of the position goes into it.
pub(super) fn plant<const N: usize>(
    settings: &Settings,
    root: &Root<N>,
    kept: Option<(&Root<N>, TreeOf<N>)>,
    search_state: &mut SearchState<'_, N>,
    max_bytes: u64,
) -> TreeOf<N> {
    let prior = |step: &Step| match step {
        Step::Real(i) => search_state.game.move_prior(&root.board, root.who, root.moves[usize::from(*i)].0),
        Step::In(..) | Step::Spare => None,
    };
    let edges = edges(settings, (0..root.moves.len()).map(|i| Step::Real(i as u16)), prior);
    let key = search_state.key(&root.state, root.who);
    let tree =
        Tree::new(Block { state: root.state.clone(), key, edges }, search_state.knowledge().transpositions);
    let Some((old_root, old)) = kept else { return tree };
    let Some(block) = find(root, old_root, &old, search_state) else { return tree };
    for edge in &block.edges {
        let mut after = block.state.clone();
        search_state.play(&mut after, root.who, &edge.step);
        let key = search_state.key(&after, root.who.opponent());
        if let Some(i) = root.keys.iter().position(|&other| other == key) {
            tree.adopt(&tree.root().edges[i], &old, edge, max_bytes / 2);
        }
    }
    tree
}

/// The block of the new root's position in the old tree: two moves below its root.
fn find<'t, const N: usize>(
    root: &Root<N>,
    old_root: &Root<N>,
    old: &'t Tree<N>,
    search_state: &mut SearchState<'_, N>,
) -> Option<&'t Block<N>> {
    if root.who != old_root.who {
        return None;
    }
    let wanted = search_state.key(&root.state, root.who);
    for edge in &old.root().edges {
        let Some(block) = edge.block().map(|number| old.block(number)) else { continue };
        for reply in &block.edges {
            let Some(number) = reply.block() else { continue };
            if search_state.key(&old.block(number).state, root.who) == wanted {
                return Some(old.block(number));
            }
        }
    }
    None
}

/// One search for a move.
pub(super) struct Searcher<'s, const N: usize> {
    pub(super) settings: Settings,
    pub(super) root: &'s Root<N>,
    pub(super) tree: &'s Tree<N>,
    pub(super) clock: &'s Clock,
    pub(super) bytes: u64,
}

/// What threads share besides the tree.
struct Shared {
    playouts: AtomicU64,
    over: AtomicBool,
    reason: Mutex<HaltReason>,
}

impl<const N: usize> Searcher<'_, N> {
    /// Searches until the clock runs out or the winner is known. If there are `others`, each thread has a tree of its own,
    /// and in the end the counts of their roots are added up ("root parallel", Chaslot and others 2008).
    pub(super) fn run(&self, others: &[Tree<N>], worlds: &mut [SearchState<'_, N>]) -> Choice {
        let shared = Shared {
            playouts: AtomicU64::new(0),
            over: AtomicBool::new(false),
            reason: Mutex::new(HaltReason::Solved),
        };
        let winners = self.root.solve(&mut worlds[0], self.clock, self.settings.root_share);
        for tree in others.iter().chain([self.tree]) {
            for (edge, winner) in tree.root().edges.iter().zip(&winners) {
                if let Some(winner) = winner {
                    edge.prove(*winner);
                }
            }
        }
        if self.root.moves.len() > 1 && !self.root_is_proven() {
            let (first, rest) = worlds.split_at_mut(1);
            std::thread::scope(|scope| {
                for (i, search_state) in rest.iter_mut().enumerate() {
                    let shared = &shared;
                    let searcher = Searcher { tree: others.get(i).unwrap_or(self.tree), ..*self };
                    scope.spawn(move || searcher.work(search_state, shared));
                }
                self.work(&mut first[0], &shared);
            });
        }
        for other in others {
            self.tree.join(other);
        }
        let playouts = shared.playouts.load(Relaxed);
        let reason = *shared.reason.lock().unwrap_or_else(|e| e.into_inner());
        let mut choice = self.choice(playouts, reason);
        if choice.winner == Some(self.root.who.opponent())
            && let Some(hardest) = swindle::hardest(self.root, &mut worlds[0], self.clock)
        {
            choice.mv = hardest;
        }
        choice
    }

    fn work(&self, search_state: &mut SearchState<'_, N>, shared: &Shared) {
        let mut path = vec![];
        let mut steps = vec![];
        // A counter that all threads write to at every playout slows them down.
        let counts_together = self.clock.max_nodes().is_some();
        let mut done = 0;
        while !shared.over.load(Relaxed) {
            let playouts = if counts_together { shared.playouts.fetch_add(1, Relaxed) } else { done };
            let expired = if (done + 1) % PLAYOUTS_BETWEEN_LOOKS == 0 {
                self.clock.expired(playouts)
            } else {
                self.clock.counted_out(playouts).then_some(HaltReason::Nodes)
            };
            // There is at least one playout, however short the time.
            if let Some(reason) = expired.filter(|_| playouts > 0) {
                if counts_together {
                    shared.playouts.fetch_sub(1, Relaxed);
                }
                if !shared.over.swap(true, Relaxed) {
                    *shared.reason.lock().unwrap_or_else(|e| e.into_inner()) = reason;
                }
                break;
            }
            done += 1;
            if self.simulate(search_state, &mut path, &mut steps) {
                shared.over.store(true, Relaxed);
            }
        }
        if !counts_together {
            shared.playouts.fetch_add(done, Relaxed);
        }
    }

    /// One playout. True if the winner of the root is known.
    fn simulate(
        &self,
        search_state: &mut SearchState<'_, N>,
        path: &mut Vec<(usize, usize)>,
        steps: &mut Vec<Step>,
    ) -> bool {
        path.clear();
        let (mut number, mut who) = (0, self.root.who);
        let result = loop {
            let block = self.tree.block(number);
            let Some(chosen) = self.select(block, who) else {
                // All moves lose, which was proven by another thread or on another way to the same position.
                self.prove(path, who.opponent());
                break share(won_by(who.opponent()));
            };
            if path.len() > LONGEST_PATH {
                break WHOLE / 2;
            }
            let edge = &block.edges[chosen];
            let visits = edge.visits();
            edge.visit();
            path.push((number, chosen));
            let mover = who;
            who = who.opponent();
            if let Some(winner) = edge.winner() {
                self.prove(path, winner);
                break share(won_by(winner));
            }
            if let Some(next) = edge.block() {
                number = next;
                continue;
            }
            let state = match &edge.step {
                Step::Real(i) => self.root.moves[usize::from(*i)].1.clone(),
                step => {
                    let mut state = block.state.clone();
                    search_state.play(&mut state, mover, step);
                    state
                }
            };
            if visits == 0
                && let Some(result) = search_state.verdict(&state, who)
            {
                if result != 0 {
                    let winner = if result > 0 { Player::Left } else { Player::Right };
                    self.prove(path, winner);
                }
                break share(result);
            }
            let expands = visits >= self.settings.expand_after;
            let shares = self.tree.shares();
            let key = if shares && (visits == 0 || expands) { search_state.key(&state, who) } else { 0 };
            if shares
                && visits == 0
                && let Some(next) = self.tree.link(edge, key)
            {
                number = next;
                continue;
            }
            if expands && self.tree.bytes() < self.bytes && edge.claim() {
                if search_state.knowledge().endgame
                    && search_state.open_moves(&state) <= self.settings.leaf_moves
                    && let Some(result) = search_state.search(&state, who, self.settings.leaf_nodes)
                {
                    edge.release();
                    self.prove(path, if result > 0 { Player::Left } else { Player::Right });
                    break share(result);
                }
                if let Some(next) = self.tree.link(edge, key) {
                    number = next;
                    continue;
                }
                search_state.moves(&state, who, steps);
                if steps.is_empty() {
                    // The mover passes, which only playouts can do.
                    edge.release();
                } else {
                    let prior = |step: &Step| search_state.move_prior(&state, who, step);
                    let edges = edges(&self.settings, steps.drain(..), prior);
                    self.tree.grow(edge, Block { state: state.clone(), key, edges });
                }
            }
            let cutoff = search_state.knowledge().playout_cutoff.then_some(self.settings.cutoff);
            break search_state.playout(&state, who, cutoff);
        };
        let mut who = self.root.who;
        for &(number, chosen) in path.iter() {
            let share = if who == Player::Left { result } else { WHOLE - result };
            self.tree.block(number).edges[chosen].reward(share);
            who = who.opponent();
        }
        path.first().is_none_or(|&(_, chosen)| {
            self.tree.root().edges[chosen].winner().is_some() && self.root_is_proven()
        })
    }

    /// The move to follow: the one with the greatest upper confidence bound, or by how likely moves are if that is known.
    #[inline]
    fn select(&self, block: &Block<N>, who: Player) -> Option<usize> {
        if let Some(puct) = self.settings.puct
            && block.edges.first().is_some_and(|edge| edge.prior > 0.0)
        {
            return select_by_puct(puct, block, who);
        }
        let all: u64 = block.edges.iter().map(|edge| u64::from(edge.visits())).sum();
        let explore = self.settings.exploration * (all.max(1) as f32).ln().sqrt();
        best(block, who, |edge| {
            let (visits, shares) = edge.counts();
            let n = visits as f32;
            if visits == 0 { self.settings.first_play } else { shares / n + explore / n.sqrt() }
        })
    }

    /// Notes the winner at the end of the path, and what follows from it above: a move that wins decides, and so do moves
    /// that all lose (section 5.3).
    fn prove(&self, path: &[(usize, usize)], winner: Player) {
        let mut who = if path.len() % 2 == 1 { self.root.who } else { self.root.who.opponent() };
        for &(number, chosen) in path.iter().rev() {
            let edges = &self.tree.block(number).edges;
            edges[chosen].prove(winner);
            // If the mover has lost here, another move may still win.
            if winner != who && edges.iter().any(|edge| edge.winner() != Some(winner)) {
                return;
            }
            who = who.opponent();
        }
    }

    fn root_is_proven(&self) -> bool {
        let edges = &self.tree.root().edges;
        edges.iter().any(|edge| edge.winner() == Some(self.root.who))
            || edges.iter().all(|edge| edge.winner().is_some())
    }

    /// The move to make: one that wins, otherwise the one with the best lower bound ("secure child", Chaslot and others
    /// 2008), among moves that are not proven to lose, if there are any.
    fn choice(&self, playouts: u64, stopped: HaltReason) -> Choice {
        let edges = &self.tree.root().edges;
        let secure = |edge: &Edge| {
            edge.mean().map_or(-1.0e6, |mean| mean - self.settings.caution / (edge.visits() as f32).sqrt())
        };
        let rank = |edge: &Edge| match edge.winner() {
            Some(winner) => {
                if winner == self.root.who {
                    2
                } else {
                    0
                }
            }
            None => 1,
        };
        let mut order: Vec<usize> = (0..edges.len()).collect();
        sort_by(&mut order, |&a, &b| {
            let (a, b) = (&edges[a], &edges[b]);
            rank(b).cmp(&rank(a)).then(secure(b).total_cmp(&secure(a)))
        });
        let best = &edges[order[0]];
        let winner = best.winner().filter(|_| self.root_is_proven());
        let mv = |i: usize| self.root.moves[i].0;
        Choice {
            mv: mv(order[0]),
            chance: match winner {
                Some(winner) => {
                    if winner == self.root.who {
                        1.0
                    } else {
                        0.0
                    }
                }
                None => best.mean().unwrap_or(0.5),
            },
            winner,
            playouts,
            positions: self.tree.len(),
            tried: order
                .iter()
                .map(|&i| (mv(i), edges[i].visits(), edges[i].mean().unwrap_or(0.0)))
                .collect(),
            stopped,
        }
    }
}

#[inline]
fn select_by_puct<const N: usize>(puct: Puct, block: &Block<N>, who: Player) -> Option<usize> {
    let (mut all, mut sum) = (0, 0.0);
    for edge in &block.edges {
        let (visits, shares) = edge.counts();
        all += visits;
        sum += shares;
    }
    let all = all.max(1) as f32;
    let (unknown, explore) = (sum / all - puct.fpu_reduction, puct.exploration * all.sqrt());
    best(block, who, |edge| {
        let (visits, shares) = edge.counts();
        let n = visits as f32;
        let mean = if visits == 0 { unknown } else { shares / n };
        mean + explore * edge.prior / (1.0 + n)
    })
}

/// The move with the highest score, or one that wins. Proven losses are never followed; `None` if there is nothing else.
#[inline]
fn best<const N: usize>(block: &Block<N>, who: Player, score: impl Fn(&Edge) -> f32) -> Option<usize> {
    let mut best = (f32::NEG_INFINITY, None);
    for (i, edge) in block.edges.iter().enumerate() {
        let score = score(edge);
        if score > best.0 {
            match edge.winner() {
                Some(winner) if winner == who => return Some(i),
                Some(_) => {}
                None => best = (score, Some(i)),
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::Knowledge;
    use crate::search_state::State;

    #[test]
    fn likelier_moves_are_tried_first_where_that_is_known() {
        let settings = Settings::for_knowledge(Knowledge::ALL);
        let steps = || (0..3).map(Step::Real);
        let prior = |step: &Step| match step {
            Step::Real(number) => Some([0, 32, 16][usize::from(*number)]),
            _ => None,
        };
        let edges = edges(&settings, steps(), prior);
        assert!((edges.iter().map(|edge| edge.prior).sum::<f32>() - 1.0).abs() < 1e-5);
        let puct = settings.puct.unwrap();
        let block = Block { state: State::<3>::default(), key: 0, edges };
        assert_eq!(select_by_puct(puct, &block, Player::Left), Some(1));
        // Once they have failed, others have their turn; what is proven lost, never.
        for _ in 0..20 {
            block.edges[1].visit();
        }
        assert_eq!(select_by_puct(puct, &block, Player::Left), Some(2));
        block.edges[2].prove(Player::Right);
        assert_eq!(select_by_puct(puct, &block, Player::Left), Some(0));
        block.edges[0].prove(Player::Left);
        assert_eq!(select_by_puct(puct, &block, Player::Left), Some(0));
        // Nothing is known of one of the moves, or nobody asks.
        let unknown = |step: &Step| prior(step).filter(|&prior| prior > 0);
        assert!(super::edges(&settings, steps(), unknown).iter().all(|edge| edge.prior == 0.0));
        assert!(super::edges(&Settings::default(), steps(), prior).iter().all(|edge| edge.prior == 0.0));
    }
}
