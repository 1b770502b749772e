//! The tree that threads share: append-only blocks of edges, all counts atomic.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use gb_rules::Player;
use rustc_hash::FxHashMap;

use crate::search_state::{State, Step, WHOLE};

/// What is proven about the position an edge leads to: nothing, or who wins.
const NOTHING: u8 = 0;
const LEFT_WINS: u8 = 1;
const RIGHT_WINS: u8 = 2;

/// Room for 2^28 visits and their shares.
const SHARE_BITS: u32 = 36;
const SHARES: u64 = (1 << SHARE_BITS) - 1;

/// No block yet; somebody is making it.
const NONE: u32 = 0;
const BUSY: u32 = u32::MAX;

/// A move, and what is known of the position after it.
pub(super) struct Edge {
    pub(super) step: Step,
    /// Visits in the high bits; the shares of whoever makes the move, added up, in the low ones.
    counts: AtomicU64,
    block: AtomicU32,
    proof: AtomicU8,
    /// How likely the move is before it is tried, all moves of a block together 1; or 0, of all of them, if that is not known.
    pub(super) prior: f32,
}

impl Edge {
    #[inline]
    pub(super) fn new(step: Step) -> Self {
        Edge {
            step,
            counts: AtomicU64::new(0),
            block: AtomicU32::new(NONE),
            proof: AtomicU8::new(NOTHING),
            prior: 0.0,
        }
    }

    /// Visits, and the sum of the mover's shares.
    #[inline]
    pub(super) fn counts(&self) -> (u32, f32) {
        let counts = self.counts.load(Relaxed);
        ((counts >> SHARE_BITS) as u32, (counts & SHARES) as f32 * (1.0 / WHOLE as f32))
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.counts().0
    }

    /// The share of points, if there were visits.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        let (visits, shares) = self.counts();
        (visits > 0).then(|| shares / visits as f32)
    }

    /// Counts a visit that is lost until [`reward`](Edge::reward) says otherwise, so that threads keep apart.
    #[inline]
    pub(super) fn visit(&self) {
        self.counts.fetch_add(1 << SHARE_BITS, Relaxed);
    }

    #[inline]
    pub(super) fn reward(&self, share: u32) {
        self.counts.fetch_add(u64::from(share), Relaxed);
    }

    #[inline]
    pub(super) fn winner(&self) -> Option<Player> {
        match self.proof.load(Relaxed) {
            LEFT_WINS => Some(Player::Left),
            RIGHT_WINS => Some(Player::Right),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn prove(&self, winner: Player) {
        self.proof.store(if winner == Player::Left { LEFT_WINS } else { RIGHT_WINS }, Relaxed);
    }

    /// The block of the moves after this one.
    #[inline]
    pub(super) fn block(&self) -> Option<usize> {
        match self.block.load(Relaxed) {
            NONE | BUSY => None,
            number => Some(number as usize - 1),
        }
    }

    /// The right to make the block, given to one thread only.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.block.compare_exchange(NONE, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Gives the right back.
    #[inline]
    pub(super) fn release(&self) {
        self.block.store(NONE, Relaxed);
    }

    #[inline]
    fn set_block(&self, number: usize) {
        // The block is in the list before its number is: boxcar's own release and acquire order the contents.
        self.block.store(number as u32 + 1, Relaxed);
    }

    #[inline]
    fn copy(&self) -> Self {
        Edge {
            step: self.step.clone(),
            counts: AtomicU64::new(self.counts.load(Relaxed)),
            block: AtomicU32::new(NONE),
            proof: AtomicU8::new(self.proof.load(Relaxed)),
            prior: self.prior,
        }
    }
}

/// A position and its moves. The state is kept because what is known of parts, and so how a sum is written, may change.
pub(super) struct Block<const N: usize> {
    pub(super) state: State<N>,
    /// The key of the state, if equal positions share a block.
    pub(super) key: u64,
    pub(super) edges: Box<[Edge]>,
}

/// The tree. Block 0 is the root. Where equal positions share a block, it is no tree, but has no cycles either as long as
/// play does not repeat.
pub(super) struct Tree<const N: usize> {
    blocks: boxcar::Vec<Block<N>>,
    bytes: AtomicU64,
    /// Blocks by the keys of their states, if equal positions share one.
    shared: Option<Mutex<FxHashMap<u64, u32>>>,
}

impl<const N: usize> Tree<N> {
    pub(super) fn new(root: Block<N>, shares: bool) -> Self {
        let shared = shares.then(|| Mutex::new(FxHashMap::default()));
        let tree = Tree { blocks: boxcar::Vec::new(), bytes: AtomicU64::new(0), shared };
        tree.push(root);
        tree
    }

    /// Whether equal positions share a block.
    pub(super) fn shares(&self) -> bool {
        self.shared.is_some()
    }

    fn push(&self, block: Block<N>) -> usize {
        let bytes = size_of::<Block<N>>() + size_of_val(&*block.edges) + 48;
        self.bytes.fetch_add(bytes as u64, Relaxed);
        let key = block.key;
        let number = self.blocks.push(block);
        if let Some(shared) = &self.shared {
            shared.lock().unwrap_or_else(|e| e.into_inner()).insert(key, number as u32);
        }
        number
    }

    /// Hangs the block of an equal position below an edge, if there is one.
    pub(super) fn link(&self, edge: &Edge, key: u64) -> Option<usize> {
        let shared = self.shared.as_ref()?;
        let number = *shared.lock().unwrap_or_else(|e| e.into_inner()).get(&key)? as usize;
        edge.set_block(number);
        Some(number)
    }

    pub(super) fn block(&self, number: usize) -> &Block<N> {
        &self.blocks[number]
    }

    pub(super) fn root(&self) -> &Block<N> {
        self.block(0)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.count()
    }

    /// Hangs a block below an edge that the caller has claimed.
    pub(super) fn grow(&self, edge: &Edge, block: Block<N>) {
        edge.set_block(self.push(block));
    }

    /// Adds the counts of the moves of another tree's root, and what it has proven.
    pub(super) fn join(&self, other: &Self) {
        for (edge, other) in self.root().edges.iter().zip(&*other.root().edges) {
            edge.counts.fetch_add(other.counts.load(Relaxed), Relaxed);
            if let Some(winner) = other.winner() {
                edge.prove(winner);
            }
        }
    }

    /// Copies what is below an edge of another tree below an edge of this one, counts included, as far as there is room.
    pub(super) fn adopt(&self, edge: &Edge, other: &Tree<N>, old: &Edge, max_bytes: u64) {
        edge.counts.store(old.counts.load(Relaxed), Relaxed);
        edge.proof.store(old.proof.load(Relaxed), Relaxed);
        let mut work = vec![];
        let hang = |edge: &Edge, old: &Edge, work: &mut Vec<(usize, usize)>| {
            let Some(number) = old.block().filter(|_| self.bytes() < max_bytes) else { return };
            let block = other.block(number);
            if self.link(edge, block.key).is_some() {
                return;
            }
            let edges = block.edges.iter().map(Edge::copy).collect();
            let new = self.push(Block { state: block.state.clone(), key: block.key, edges });
            edge.set_block(new);
            work.push((new, number));
        };
        hang(edge, old, &mut work);
        while let Some((new, number)) = work.pop() {
            for (edge, old) in self.block(new).edges.iter().zip(&*other.block(number).edges) {
                hang(edge, old, &mut work);
            }
        }
    }
}
