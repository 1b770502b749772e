//! What is known about a board, and the numbers that facts have while a table is being built.

use std::sync::{Arc, Mutex, MutexGuard};

use gb_value::{Halt, Kernel, Outcome, Player, Thermograph, Value};
use rustc_hash::FxHashMap;

use crate::small::{self, AllSmall};

/// What is known about a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Its value.
    Exact(Value),
    /// Less than its value, which was too much to compute.
    Partial(Partial),
}

/// What is known about a board without its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Partial {
    /// Who wins.
    pub outcome: Outcome,
    /// Mean, temperature and stops.
    pub thermograph: Arc<Thermograph>,
    /// Its atomic weight, if the board is all-small as it stands: both players can move or neither, down to the end.
    pub small: Option<AllSmall>,
}

impl Fact {
    /// The value, if it is known.
    pub fn value(&self) -> Option<Value> {
        match self {
            Fact::Exact(value) => Some(*value),
            Fact::Partial(_) => None,
        }
    }

    /// Who wins.
    pub fn outcome(&self, kernel: &Kernel<'_>) -> Result<Outcome, Halt> {
        match self {
            Fact::Exact(value) => kernel.outcome(*value),
            Fact::Partial(partial) => Ok(partial.outcome),
        }
    }

    /// Mean, temperature and stops.
    pub fn thermograph(&self, kernel: &Kernel<'_>) -> Result<Arc<Thermograph>, Halt> {
        match self {
            // Values of boards that can be tabulated are short, so only the budget can be in the way.
            Fact::Exact(value) => kernel.thermograph(*value).map_err(|e| match e {
                gb_value::ValueError::Halt(stop) => stop,
                _ => Halt::Loopy,
            }),
            Fact::Partial(partial) => Ok(partial.thermograph.clone()),
        }
    }

    /// The atomic weight, if the board is known to be all-small.
    pub fn small(&self, kernel: &Kernel<'_>) -> Result<Option<AllSmall>, Halt> {
        match self {
            Fact::Exact(value) => AllSmall::of_value(*value, kernel),
            Fact::Partial(partial) => Ok(partial.small.clone()),
        }
    }

    /// What is known without the value.
    pub fn partial(&self, kernel: &Kernel<'_>) -> Result<Partial, Halt> {
        let (outcome, thermograph) = (self.outcome(kernel)?, self.thermograph(kernel)?);
        Ok(Partial { outcome, thermograph, small: self.small(kernel)? })
    }

    /// The fact about the negative.
    pub fn negate(&self, kernel: &Kernel<'_>) -> Result<Fact, Halt> {
        Ok(match self {
            Fact::Exact(value) => Fact::Exact(kernel.neg(*value)?),
            Fact::Partial(partial) => Fact::Partial(partial.negate(kernel)?),
        })
    }
}

impl Partial {
    /// The same about the negative.
    pub fn negate(&self, kernel: &Kernel<'_>) -> Result<Partial, Halt> {
        Ok(Partial {
            outcome: small::negative(self.outcome),
            thermograph: Arc::new(self.thermograph.negate()),
            small: self.small.as_ref().map(|small| small.negate(kernel)).transpose()?,
        })
    }

    /// What follows from what is known about the options.
    pub fn of_options(
        lefts: &[Arc<Partial>],
        rights: &[Arc<Partial>],
        kernel: &Kernel<'_>,
    ) -> Result<Partial, Halt> {
        // Who moves wins if some option is won moving second.
        let wins = |side: &[Arc<Partial>], winner| {
            side.iter().any(|option| option.outcome == winner || option.outcome == Outcome::P)
        };
        let outcome = small::outcome(wins(lefts, Outcome::L), wins(rights, Outcome::R));
        fn graphs(side: &[Arc<Partial>]) -> impl Iterator<Item = &Thermograph> {
            side.iter().map(|p| &*p.thermograph)
        }
        let thermograph = Arc::new(Thermograph::of_options(graphs(lefts), graphs(rights)));
        fn smalls(side: &[Arc<Partial>]) -> Option<Vec<&AllSmall>> {
            side.iter().map(|p| p.small.as_ref()).collect()
        }
        let small = match (smalls(lefts), smalls(rights)) {
            (Some(lefts), Some(rights)) => AllSmall::of_options(&lefts, &rights, kernel)?,
            _ => None,
        };
        Ok(Partial { outcome, thermograph, small })
    }
}

/// What a fact takes besides its value: its places in the list and under its name, and, when the file is written, its
/// options and its final number.
const BYTES_A_FACT: u64 = 200;

/// Facts by number, in the order in which they were found; the options of a value always come before it.
#[derive(Default)]
pub(crate) struct Facts {
    list: boxcar::Vec<Fact>,
    numbers: Mutex<Numbers>,
}

#[derive(Default)]
struct Numbers {
    values: FxHashMap<Value, u32>,
    partial: FxHashMap<Partial, u32>,
}

impl Facts {
    /// How many facts there are.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// How much memory they take, without their values.
    pub(crate) fn bytes(&self) -> u64 {
        self.len() as u64 * BYTES_A_FACT
    }

    fn lock(&self) -> MutexGuard<'_, Numbers> {
        self.numbers.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The fact with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Fact {
        &self.list[number as usize]
    }

    /// The number of a fact.
    pub(crate) fn number(&self, fact: &Fact, kernel: &Kernel<'_>) -> u32 {
        let mut numbers = self.lock();
        match fact {
            Fact::Exact(value) => self.number_of_value(&mut numbers, *value, kernel),
            Fact::Partial(partial) => {
                if let Some(&number) = numbers.partial.get(partial) {
                    return number;
                }
                // Whoever reads the fact has to know the atomic weight already.
                if let Some(small) = &partial.small {
                    self.number_of_value(&mut numbers, small.atomic_weight, kernel);
                }
                let number = self.push(fact);
                numbers.partial.insert(partial.clone(), number);
                number
            }
        }
    }

    fn number_of_value(&self, numbers: &mut Numbers, value: Value, kernel: &Kernel<'_>) -> u32 {
        if let Some(&number) = numbers.values.get(&value) {
            return number;
        }
        // Options first, without recursion.
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            if !numbers.values.contains_key(&top) {
                let unknown = |v: &Value| !numbers.values.contains_key(v);
                stack.extend(options(kernel, top).filter(unknown));
            }
            if stack.len() == before {
                stack.pop();
                numbers.values.entry(top).or_insert_with(|| self.push(&Fact::Exact(top)));
            }
        }
        numbers.values[&value]
    }

    /// The number of a value that has one.
    pub(crate) fn known_number(&self, value: Value) -> u32 {
        self.lock().values[&value]
    }

    /// The numbers of the facts that have to be known before one: options, or an atomic weight.
    pub(crate) fn needed(&self, fact: &Fact, kernel: &Kernel<'_>) -> Vec<u32> {
        match fact {
            Fact::Exact(value) => {
                let numbers = self.lock();
                options(kernel, *value).map(|option| numbers.values[&option]).collect()
            }
            Fact::Partial(partial) => {
                partial.small.iter().map(|small| self.known_number(small.atomic_weight)).collect()
            }
        }
    }

    /// Only called with the numbers locked, so that facts are pushed in the order of their numbers.
    fn push(&self, fact: &Fact) -> u32 {
        self.list.push(fact.clone()) as u32
    }

    /// The numbers of the options of a value that has a number itself.
    pub(crate) fn option_numbers(&self, value: Value, player: Player, kernel: &Kernel<'_>) -> Vec<u32> {
        let numbers = self.lock();
        let mut list: Vec<u32> = stored_options(kernel, value, player).map(|v| numbers.values[&v]).collect();
        list.sort_unstable();
        list
    }
}

impl Numbers {
    fn len(&self) -> usize {
        self.values.len() + self.partial.len()
    }
}

/// The options of a value that have to be written down: none if a closed form says them.
fn stored_options<'k>(
    kernel: &Kernel<'k>,
    value: Value,
    player: Player,
) -> impl Iterator<Item = Value> + use<'k> {
    let closed = is_closed(kernel, value);
    kernel.options(value, player).take(if closed { 0 } else { usize::MAX })
}

fn options<'k>(kernel: &Kernel<'k>, value: Value) -> impl Iterator<Item = Value> + use<'k> {
    let [left, right] = Player::BOTH.map(|player| stored_options(kernel, value, player));
    left.chain(right)
}

/// Whether a value is written down as a number, ups and a star, or by its name.
pub(crate) fn is_closed(kernel: &Kernel<'_>, value: Value) -> bool {
    value == Value::ON || value == Value::OFF || kernel.as_number_up_star(value).is_some()
}
