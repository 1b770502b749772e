//! Stoppers whose finite parts are values of a store.
//!
//! [`loopy`](crate::loopy) holds a game with loops as a plain graph, down to the last move of every number in it. That is the
//! definition, and what everything here is tested against, but a board of Fox and Geese has a million positions, and
//! `over + 1000000` as many. Here
//!
//! - a game is a node only as long as it has loops: what has none (but `on` and `off`) is a [`Value`], compared and added by
//!   the kernel, and never played through;
//! - nodes are interned: two games are equal if and only if their [`StopperId`]s are, so that comparisons are remembered by pairs
//!   of names;
//! - a graph of positions is solved one strongly connected component after the other, those that play cannot come back from first
//!   ([`Stoppers::solve`]). Only the positions of one component are ever compared move by move: for a fox and its geese those are the
//!   places where the fox can be while the geese wait.
//!
//! The theory is that of stoppers and sides (Siegel, Combinatorial Game Theory, chapter VI; Winning Ways, chapter 11). That
//! canonical forms can be interned rests on Siegel's theorem that a stopper without dominated and reversible options, equal
//! positions fused, is unique as a graph ("New results in loopy games", Games of No Chance 3).
//!
//! ```
//! use gb_value::stoppers::{Equations, Opt, Stoppers};
//! use gb_value::text::Style;
//! use gb_value::{Budget, Store, Value};
//! let (store, budget) = (Store::new(), Budget::unlimited());
//! let kernel = store.kernel(&budget);
//! let mut games = Stoppers::new(&kernel);
//! let mut graph = Equations::default();
//! graph.push(&[Opt::of(Value::ZERO)], &[Opt::Node(0)]); // a = {0|a}
//! let over = games.solve(&graph)?[0];
//! let million = games.plus(over, kernel.integer(1_000_000).into())?;
//! assert_eq!(games.export(million)?.show(&kernel, &Style::default()).text, "1000000+over");
//! # Ok::<(), gb_value::loopy::LoopyError>(())
//! ```

mod component;
mod equations;
mod form;
mod order;
mod outcome;
mod reduce;
mod sidle;
mod solve;
mod sum;
mod tarjan;

use std::cell::Cell;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::budget::Halt;
use crate::kernel::Kernel;
use crate::loopy::LoopyError;
use crate::player::Player;
use crate::value::Value;

pub use self::equations::{Equations, Opt};
pub use self::form::{Form, LoopyValue};

/// A stopper in canonical form: a name that means something together with its [`Stoppers`] and their store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StopperId(pub(crate) Id);

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Id {
    /// A game without loops but `on` and `off`.
    Short(Value),
    /// A canonical game with loops.
    Loop(u32),
    /// A position of the component that is being solved; never seen outside.
    Temp(u32),
}

/// The value of a game that need not be a stopper: what it equals if infinite play is won by Left, and by Right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SidedId {
    /// Infinite play is a win for Left.
    pub onside: StopperId,
    /// Infinite play is a win for Right.
    pub offside: StopperId,
}

impl From<Value> for StopperId {
    fn from(value: Value) -> Self {
        StopperId(Id::Short(value))
    }
}

impl From<StopperId> for SidedId {
    fn from(id: StopperId) -> Self {
        SidedId { onside: id, offside: id }
    }
}

impl From<Value> for SidedId {
    fn from(value: Value) -> Self {
        StopperId::from(value).into()
    }
}

impl SidedId {
    /// The stopper it is, if its sides agree.
    pub fn as_stopper(self) -> Option<StopperId> {
        (self.onside == self.offside).then_some(self.onside)
    }

    /// The value of the store it is, if it is one.
    pub fn as_value(self) -> Option<Value> {
        self.as_stopper()?.as_value()
    }
}

impl StopperId {
    /// The value of the store it is, if there are no loops in it but `on` and `off`.
    pub fn as_value(self) -> Option<Value> {
        match self.0 {
            Id::Short(value) => Some(value),
            _ => None,
        }
    }
}

/// Where each player can move to. Lists are sorted and free of repetitions once a node is interned.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Node {
    pub(crate) sides: [Vec<Id>; 2],
}

impl Node {
    pub(crate) fn of(&self, who: Player) -> &[Id] {
        &self.sides[who as usize]
    }

    fn tidy(&mut self) {
        for side in &mut self.sides {
            side.sort_unstable();
            side.dedup();
        }
    }
}

/// What belongs to a node.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The first node of its component, and how many there are.
    first: u32,
    len: u32,
    /// An earlier node with the same hash.
    same_hash: Option<u32>,
}

/// Options of a game, copied out.
pub(crate) type Ids = SmallVec<[Id; 8]>;

/// Canonical stoppers, interned, and how they compare. A handle for one thread, like the kernel it works with.
pub struct Stoppers<'k, 's> {
    pub(crate) kernel: &'k Kernel<'s>,
    /// Games with loops. Those of one component lie side by side.
    nodes: Vec<Node>,
    links: Vec<Link>,
    /// The latest node with a hash; nodes with the same hash are linked.
    by_hash: FxHashMap<u64, u32>,
    /// Where the components begin, by their nodes; options inside a component are `Temp` there, counted from its first node.
    components: FxHashMap<Vec<Node>, u32>,
    /// The component that is being solved.
    temps: Vec<Node>,
    order: order::Memo,
    unasked: Cell<u64>,
    /// Bytes that structures of a running operation take.
    extra_bytes: Cell<u64>,
    node_bytes: u64,
}

/// How much work passes between two questions to the budget: some microseconds.
const ASK_EVERY: u64 = 512;

impl<'k, 's> Stoppers<'k, 's> {
    /// No games yet.
    pub fn new(kernel: &'k Kernel<'s>) -> Self {
        Stoppers {
            kernel,
            nodes: vec![],
            links: vec![],
            by_hash: FxHashMap::default(),
            components: FxHashMap::default(),
            temps: vec![],
            order: order::Memo::default(),
            unasked: Cell::new(0),
            extra_bytes: Cell::new(0),
            node_bytes: 0,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &'k Kernel<'s> {
        self.kernel
    }

    /// How many games with loops there are.
    pub fn loops(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes are held here, the store not counted.
    pub fn bytes(&self) -> u64 {
        self.node_bytes + self.order.bytes() + self.extra_bytes.get()
    }

    /// Counts work: one unit is a position, a move or a pair of positions looked at. Asks the budget every so often.
    pub(crate) fn work(&self, units: usize) -> Result<(), Halt> {
        let unasked = self.unasked.get() + units as u64;
        if unasked < ASK_EVERY {
            self.unasked.set(unasked);
            return Ok(());
        }
        self.unasked.set(0);
        self.kernel.budget().spend(0, self.kernel.store().bytes() + self.bytes())
    }

    /// Charges for memory beside what is held here, such as that of the positions of a graph, until it is
    /// [`release`](Self::release)d; asks the budget at once, and charges nothing if it says no.
    pub fn charge(&self, bytes: u64) -> Result<(), Halt> {
        self.extra_bytes.set(self.extra_bytes.get() + bytes);
        let asked = self.kernel.budget().spend(0, self.kernel.store().bytes() + self.bytes());
        if asked.is_err() {
            self.release(bytes);
        }
        asked
    }

    /// Takes back what was charged.
    pub fn release(&self, bytes: u64) {
        self.extra_bytes.set(self.extra_bytes.get().saturating_sub(bytes));
    }

    pub(crate) fn options(&self, id: Id, who: Player) -> Ids {
        match id {
            Id::Short(value) => self.kernel.options(value, who).map(Id::Short).collect(),
            Id::Loop(at) => self.nodes[at as usize].of(who).into(),
            Id::Temp(at) => self.temps[at as usize].of(who).into(),
        }
    }

    /// The same within the budget: a nimber such as `*997999` has as many options, and each of them becomes a value of the store.
    pub(crate) fn listed(&self, id: Id, who: Player) -> Result<Ids, Halt> {
        let Id::Short(value) = id else { return Ok(self.options(id, who)) };
        let options = self.kernel.options(value, who);
        options.map(|option| self.kernel.work(1).map(|()| Id::Short(option))).collect()
    }

    /// The options of a game.
    pub fn options_of(&self, id: StopperId, who: Player) -> Vec<StopperId> {
        self.options(id.0, who).into_iter().map(StopperId).collect()
    }

    /// Whether `on` or `off` can be reached in a game.
    pub fn has_on_or_off(&self, game: SidedId) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![game.onside.0, game.offside.0];
        while let Some(id) = open.pop() {
            match id {
                Id::Short(value) if !self.kernel.is_short(value) => return true,
                Id::Loop(_) if seen.insert(id) => {
                    open.extend(Player::BOTH.into_iter().flat_map(|who| self.options(id, who)));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether `a >= b`.
    pub fn ge(&mut self, a: StopperId, b: StopperId) -> Result<bool, LoopyError> {
        self.greater_or_equal(a.0, b.0)
    }
}
