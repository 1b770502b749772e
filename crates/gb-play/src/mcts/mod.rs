//! Monte-Carlo tree search (UCT, Kocsis and Szepesvári 2006) with proven wins and losses (MCTS-Solver, Winands, Björnsson
//! and Saito 2010), on several threads, which share the tree.

mod search;
mod tree;

use gb_rules::{Game, Key, MoveKey, Player};
use gb_search::GameTables;
use gb_value::Store;

use self::search::Searcher;
use self::tree::Tree;
use crate::knowledge::Knowledge;
use crate::limits::{HaltReason, Limits};
use crate::root::Root;
use crate::search_state::{Memory, SearchState};

/// How the move to follow is chosen where it is known how likely moves are (after Rosin 2011 and Silver and others 2016): by the
/// mean of a move and `exploration` times its likelihood times √N / (1 + n), after n of N visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Puct {
    /// How much is explored.
    pub exploration: f32,
    /// The mean of a move that was never tried is that of the position less this.
    pub fpu_reduction: f32,
}

/// Numbers that the search depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How much is explored: the `K` of UCT.
    pub exploration: f32,
    /// What a move counts that has never been tried.
    pub first_play: f32,
    /// How the move to follow is chosen instead, where it is known how likely moves are.
    pub puct: Option<Puct>,
    /// Visits of a move before the moves after it are put into the tree.
    pub expand_after: u32,
    /// How much a move is mistrusted that was seldom tried, when the move to play is chosen.
    pub caution: f32,
    /// Nodes of the search for the winner of a position of the tree, if the player knows how to search for it.
    pub leaf_nodes: u64,
    /// Only where both players together have at most so many moves.
    pub leaf_moves: u32,
    /// The share of the time for the search for the winner of the position itself.
    pub root_share: f32,
    /// After how many moves playouts are cut off, if the player evaluates the board then.
    pub cutoff: u32,
    /// Each thread has a tree of its own.
    pub separate_trees: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            exploration: 0.4,
            first_play: 1.1,
            puct: None,
            expand_after: 4,
            caution: 1.0,
            leaf_nodes: 50,
            leaf_moves: 40,
            root_share: 0.5,
            cutoff: 2,
            separate_trees: false,
        }
    }
}

impl Settings {
    /// The settings that play best with some knowledge.
    pub fn for_knowledge(knowledge: Knowledge) -> Settings {
        let puct = knowledge.priors.then_some(Puct { exploration: 1.5, fpu_reduction: 0.2 });
        let usual = Settings { puct, ..Settings::default() };
        if knowledge.playout_cutoff {
            // Shares of games are not just 0 and 1 then, so there is less to average out.
            return Settings { exploration: 0.15, first_play: 0.6, expand_after: 1, cutoff: 0, ..usual };
        }
        usual
    }
}

/// A move that the search has chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: MoveKey,
    /// The share of points that the mover can expect.
    pub chance: f32,
    /// Who wins, if that is proven.
    pub winner: Option<Player>,
    /// Playouts for this move.
    pub playouts: u64,
    /// Positions in the tree.
    pub positions: usize,
    /// How often each move was tried, and with which success, the best first.
    pub tried: Vec<(MoveKey, u32, f32)>,
    /// Why the search ended.
    pub stopped: HaltReason,
}

/// What is kept of the last search.
type Kept<const N: usize> = (Root<N>, Vec<TreeOf<N>>);
/// The tree of a game.
type TreeOf<const N: usize> = Tree<N>;

/// A player who searches by playing at random. Keeps the tree from move to move.
pub struct Mcts<const N: usize> {
    game: Game<N>,
    knowledge: Knowledge,
    settings: Settings,
    memories: Vec<Memory<N>>,
    kept: Option<Kept<N>>,
    seed: u64,
}

impl<const N: usize> Mcts<N> {
    /// A player; the seed is that of its playouts.
    pub fn new(game: Game<N>, knowledge: Knowledge, settings: Settings, seed: u64) -> Self {
        Mcts { game, knowledge, settings, memories: vec![], kept: None, seed }
    }

    /// A move in a position, or `None` if there is none. `points` are Left's points less Right's so far. `tables` and
    /// `store` must be the same for all moves of this player.
    pub fn choose(
        &mut self,
        board: &Key<N>,
        points: i64,
        who: Player,
        tables: &GameTables<N>,
        store: &Store,
        limits: &Limits,
    ) -> Option<Choice> {
        let clock = limits.start();
        let threads = limits.threads.max(1);
        self.memories.resize_with(self.memories.len().max(threads), Memory::default);
        self.seed = self.seed.wrapping_add(1);
        let budget = clock.budget();
        let (game, knowledge, seed) = (&self.game, self.knowledge, self.seed);
        let mut worlds: Vec<SearchState<'_, N>> = self.memories[..threads]
            .iter_mut()
            .enumerate()
            .map(|(i, memory)| {
                let seed = seed.wrapping_mul(0x9e37_79b9).wrapping_add(i as u64);
                SearchState::new(game, knowledge, tables, store.kernel(&budget), memory, seed)
            })
            .collect();
        let root = Root::new(board, points, who, &mut worlds[0], &clock);
        if root.moves.is_empty() {
            return None;
        }
        let (apart, between_lessons) = (worlds[0].apart, worlds[0].between_lessons);
        for search_state in &mut worlds {
            (search_state.apart, search_state.between_lessons) = (apart, between_lessons);
        }
        let trees = if self.settings.separate_trees { threads } else { 1 };
        let bytes = limits.bytes / trees as u64;
        let (old_root, old_trees) = self.kept.take().unzip();
        let mut old_trees = old_trees.unwrap_or_default().into_iter();
        let settings = self.settings;
        let trees: Vec<_> = (0..trees)
            .map(|_| {
                search::plant(
                    &settings,
                    &root,
                    old_root.as_ref().zip(old_trees.next()),
                    &mut worlds[0],
                    bytes,
                )
            })
            .collect();
        let searcher = Searcher { settings, root: &root, tree: &trees[0], clock: &clock, bytes };
        let choice = searcher.run(&trees[1..], &mut worlds);
        self.kept = Some((root, trees));
        Some(choice)
    }
}
