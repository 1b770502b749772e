//! One thread's handle on a store: the place where values are built and compared.

use std::cell::{Cell, RefCell};

pub(crate) use gb_memory::deeper;
use rustc_hash::FxHashMap;

use crate::budget::{Budget, Halt, Limit};
use crate::dyadic::Dyadic;
use crate::options::Options;
use crate::player::Player;
use crate::store::Store;
use crate::value::{NumberUpStar, Value};

/// A handle for one thread to build and compare values of a [`Store`] within a [`Budget`].
///
/// Every operation that can be large returns `Err(Halt)` when the budget runs out. The store is then as sound as before,
/// and whatever was finished stays in it.
pub struct Kernel<'a> {
    pub(crate) store: &'a Store,
    budget: &'a Budget,
    /// Nodes that the budget has not been told of.
    unreported: Cell<u32>,
    /// Units of work until the budget is asked again.
    until_asked: Cell<u32>,
    batch: u32,
    /// Comparisons with the game under construction, for `canonical.rs`.
    pub(crate) raw_memo: RefCell<FxHashMap<(Value, bool), bool>>,
}

impl Drop for Kernel<'_> {
    fn drop(&mut self) {
        // Nobody is left to be told that the budget is exceeded; the count should be right all the same.
        let _ = self.budget.spend(self.unreported.get() as u64, 0);
    }
}

impl<'a> Kernel<'a> {
    pub(crate) fn new(store: &'a Store, budget: &'a Budget) -> Kernel<'a> {
        // What this thread takes from now on, the budget's account pays for.
        budget.account().adopt();
        Kernel {
            store,
            budget,
            unreported: Cell::new(0),
            until_asked: Cell::new(budget.batch()),
            batch: budget.batch(),
            raw_memo: RefCell::default(),
        }
    }

    /// The store this handle works on.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// The budget this handle works within.
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Counts one node (a position searched, a value built) and asks the budget now and then.
    #[inline]
    pub fn step(&self) -> Result<(), Halt> {
        self.unreported.set(self.unreported.get() + 1);
        self.work(1)
    }

    /// Counts work that is no node: a move made, an option compared. A unit should take no more than some microseconds. The
    /// budget is asked by the work done, because a node of one game costs thousands of times as much as a node of another.
    #[inline]
    pub fn work(&self, units: u32) -> Result<(), Halt> {
        let left = self.until_asked.get();
        if units < left {
            self.until_asked.set(left - units);
            return Ok(());
        }
        self.ask()
    }

    #[cold]
    fn ask(&self) -> Result<(), Halt> {
        self.until_asked.set(self.batch);
        self.budget.spend(self.unreported.take().into(), self.store.bytes())
    }

    /// The value `n`.
    #[inline]
    pub fn integer(&self, n: i64) -> Value {
        if let Some(value) = Value::pack_integer(n) {
            return value;
        }
        self.number(&Dyadic::from(n))
    }

    /// The value of a number.
    pub fn number(&self, x: &Dyadic) -> Value {
        self.store.number_up_star(x, 0, 0)
    }

    /// The nimber `*n`.
    pub fn nimber(&self, n: u32) -> Value {
        self.store.number_up_star(&Dyadic::from(0), 0, n)
    }

    /// `n` ups (negative: downs).
    pub fn ups(&self, n: i64) -> Value {
        self.store.number_up_star(&Dyadic::from(0), n, 0)
    }

    /// The sum of a number, a multiple of up and a nimber.
    pub fn number_up_star(&self, parts: &NumberUpStar) -> Value {
        self.store.number_up_star(&parts.number, parts.ups, parts.star)
    }

    /// The parts of a value that is the sum of a number, a multiple of up and a nimber.
    pub fn as_number_up_star(&self, value: Value) -> Option<NumberUpStar> {
        self.store.as_number_up_star(value)
    }

    /// The number that a value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.as_number_up_star(value).filter(|p| p.ups == 0 && p.star == 0).map(|p| p.number)
    }

    /// The nimber that a value is, if it is one (0 is `*0`).
    pub fn as_nimber(&self, value: Value) -> Option<u32> {
        self.as_number_up_star(value).filter(|p| p.ups == 0 && p.number.is_zero()).map(|p| p.star)
    }

    /// Whether a value is a number.
    #[inline]
    pub fn is_number(&self, value: Value) -> bool {
        self.store.is_number(value)
    }

    /// The canonical options of a value for a player.
    #[inline]
    pub fn options(&self, value: Value, player: Player) -> Options<'a> {
        self.store.options(value, player)
    }

    /// The sum of two numbers-up-star.
    pub(crate) fn add_number_up_stars(&self, a: &NumberUpStar, b: &NumberUpStar) -> Result<Value, Halt> {
        let ups = a.ups.checked_add(b.ups).ok_or(Halt::TooLarge(Limit::Ups))?;
        Ok(self.store.number_up_star(&(&a.number + &b.number), ups, a.star ^ b.star))
    }
}
