//! What kind of value each of a table's values is, found from the kinds of its options and without its canonical form in memory.
//!
//! Options come before the values that have them, so that one pass over the facts is enough: four bytes are carried forward for each, the number of
//! its *face*. Values with the same face are alike in all that values made of them may depend on here.

use gb_value::{
    Budget, Dyadic, Kernel, Kind, NumberUpStar, Outcome, Store, Thermograph, Uptimal, Value, ValueError,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::StoreError;
use crate::fact::Fact;
use crate::record::Raw;
use crate::small;

/// What is known of values that are alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Face {
    pub(crate) outcome: Outcome,
    /// Whether both players can move or none, in every position.
    pub(crate) all_small: bool,
    thermograph: u32,
    /// Which sum of a number, powers of up and a nimber it is, if it is one.
    uptimal: Option<u32>,
}

/// A thermograph, and what is asked of it.
struct Graph {
    graph: Thermograph,
    temperature: Dyadic,
    /// The stops are equal: a number plus an infinitesimal.
    numberish: bool,
    /// The stops are 0.
    infinitesimal: bool,
}

/// What is left open of a value that is `{0 | T}` or `{T | 0}`: it is a tiny or a miny if `T` is a threat of the right form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Threat {
    pub(crate) of: u64,
    /// `{0 | T}`.
    pub(crate) tiny: bool,
}

/// What was found about a fact.
pub(crate) enum Seen {
    /// A value: the number of its face, and its kind, which is different if `threat` turns out to be one.
    Value { face: u32, kind: Kind, threat: Option<Threat> },
    /// Something else than a value.
    Partial { outcome: Outcome, temperature: Dyadic },
}

/// Lists of thermographs of which it is remembered what follows.
const REMEMBERED: usize = 1 << 20;
/// So large a store of uptimals is thrown away, and made again with those that are known.
const STORE: u64 = 32 << 20;
/// The face of what is no value.
const NONE: u32 = u32::MAX;
/// What separates Left's options from Right's.
const BETWEEN: u32 = u32::MAX;

/// The faces of a table's values, in the order of their numbers.
pub(crate) struct Faces {
    of_fact: Vec<u32>,
    faces: Vec<Face>,
    numbers: FxHashMap<Face, u32>,
    graphs: Vec<Graph>,
    graph_numbers: FxHashMap<Thermograph, u32>,
    /// The thermograph of a game from those of its options.
    remembered: FxHashMap<Box<[u32]>, u32>,
    uptimals: Uptimals,
    /// The face of 0, once it was met.
    zero: Option<u32>,
    key: Vec<u32>,
}

impl Faces {
    /// For so many facts.
    pub(crate) fn new(facts: usize) -> Faces {
        Faces {
            of_fact: Vec::with_capacity(facts),
            faces: vec![],
            numbers: FxHashMap::default(),
            graphs: vec![],
            graph_numbers: FxHashMap::default(),
            remembered: FxHashMap::default(),
            uptimals: Uptimals::default(),
            zero: None,
            key: vec![],
        }
    }

    /// Bytes that are held for so many facts.
    pub(crate) fn bytes(facts: usize) -> u64 {
        facts as u64 * size_of::<u32>() as u64
    }

    pub(crate) fn face(&self, number: u32) -> &Face {
        &self.faces[number as usize]
    }

    pub(crate) fn temperature(&self, face: &Face) -> &Dyadic {
        &self.graphs[face.thermograph as usize].temperature
    }

    pub(crate) fn is_infinitesimal(&self, face: &Face) -> bool {
        self.graphs[face.thermograph as usize].infinitesimal
    }

    /// Whether the value with a number is 0.
    pub(crate) fn is_zero(&self, number: u64) -> bool {
        self.zero.is_some() && self.of_fact.get(number as usize).copied() == self.zero
    }

    /// Who wins a value with a number, if there was one.
    pub(crate) fn outcome_of(&self, number: u64) -> Option<Outcome> {
        Some(self.faces.get(*self.of_fact.get(number as usize)? as usize)?.outcome)
    }

    /// Adds the next fact. `None` if it makes no sense.
    pub(crate) fn add(&mut self, raw: &Raw, kernel: &Kernel<'_>) -> Result<Option<Seen>, StoreError> {
        kernel.step()?;
        let seen = match raw {
            Raw::Ready(Fact::Exact(value)) => self.closed(*value, kernel)?,
            Raw::Options(lists) => match self.of_options(lists, kernel.budget())? {
                Some(seen) => seen,
                None => return Ok(None),
            },
            Raw::Ready(Fact::Partial(partial)) | Raw::AllSmall(partial, ..) => {
                Seen::Partial { outcome: partial.outcome, temperature: partial.thermograph.temperature() }
            }
        };
        self.of_fact.push(match seen {
            Seen::Value { face, .. } => face,
            Seen::Partial { .. } => NONE,
        });
        Ok(Some(seen))
    }

    /// A value that is written without options.
    fn closed(&mut self, value: Value, kernel: &Kernel<'_>) -> Result<Seen, StoreError> {
        let failed = |error: ValueError| match error {
            ValueError::Halt(stop) => StoreError::Stopped(stop),
            error => StoreError::Invalid(error.to_string()),
        };
        let graph = kernel.thermograph(value).map_err(failed)?;
        let face = Face {
            outcome: kernel.outcome(value)?,
            all_small: kernel.is_all_small(value),
            thermograph: self.graph((*graph).clone()),
            uptimal: kernel.as_uptimal(value)?.map(|found| self.uptimals.number(&found)),
        };
        let face = self.number(face);
        if value == Value::ZERO {
            self.zero = Some(face);
        }
        Ok(Seen::Value { face, kind: kernel.kind(value)?, threat: None })
    }

    fn of_options(&mut self, lists: &[Vec<u64>; 2], budget: &Budget) -> Result<Option<Seen>, StoreError> {
        let mut found: [SmallVec<[u32; 16]>; 2] = Default::default();
        for (found, list) in found.iter_mut().zip(lists) {
            for &option in list {
                match self.of_fact.get(option as usize) {
                    Some(&face) if face != NONE => found.push(face),
                    _ => return Ok(None),
                }
            }
        }
        let [lefts, rights] = &found;
        // Who moves wins if some option is won moving second.
        let wins = |side: &[u32], winner| {
            side.iter().any(|&face| {
                let outcome = self.face(face).outcome;
                outcome == winner || outcome == Outcome::P
            })
        };
        let outcome = small::outcome(wins(lefts, Outcome::L), wins(rights, Outcome::R));
        let all_small = !lefts.is_empty()
            && !rights.is_empty()
            && found.iter().flatten().all(|&face| self.face(face).all_small);
        let thermograph = self.thermograph(lefts, rights);
        let Graph { numberish, infinitesimal, .. } = self.graphs[thermograph as usize];
        let uptimal = match numberish {
            true => self.uptimal(lefts, rights, budget)?,
            false => None,
        };
        let number = self.number(Face { outcome, all_small, thermograph, uptimal });
        let single = match (lists[0].as_slice(), lists[1].as_slice()) {
            ([left], [right]) => Some((*left, *right)),
            _ => None,
        };
        let is_number = |face: u32| self.uptimals.is_number(self.face(face).uptimal);
        let is_switch = single.is_some() && is_number(lefts[0]) && is_number(rights[0]);
        let kind = match () {
            () if uptimal.is_some() => Kind::Uptimal,
            () if all_small => Kind::AllSmall,
            () if infinitesimal => Kind::Infinitesimal,
            () if numberish => Kind::Numberish,
            () if is_switch => Kind::Switch,
            () => Kind::Hot,
        };
        let threat = single.filter(|_| uptimal.is_none()).and_then(|(left, right)| {
            match (Some(lefts[0]) == self.zero, Some(rights[0]) == self.zero) {
                (true, _) => Some(Threat { of: right, tiny: true }),
                (_, true) => Some(Threat { of: left, tiny: false }),
                _ => None,
            }
        });
        Ok(Some(Seen::Value { face: number, kind, threat }))
    }

    fn number(&mut self, face: Face) -> u32 {
        if let Some(&number) = self.numbers.get(&face) {
            return number;
        }
        let number = self.faces.len() as u32;
        self.faces.push(face.clone());
        self.numbers.insert(face, number);
        number
    }

    fn graph(&mut self, graph: Thermograph) -> u32 {
        if let Some(&number) = self.graph_numbers.get(&graph) {
            return number;
        }
        let number = self.graphs.len() as u32;
        let (left, right) = (graph.left_stop(), graph.right_stop());
        self.graphs.push(Graph {
            graph: graph.clone(),
            temperature: graph.temperature(),
            numberish: left == right,
            infinitesimal: left.is_zero() && right.is_zero(),
        });
        self.graph_numbers.insert(graph, number);
        number
    }

    /// The thermograph of a game, given the faces of its options.
    fn thermograph(&mut self, lefts: &[u32], rights: &[u32]) -> u32 {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for side in [lefts, rights] {
            let mut graphs: SmallVec<[u32; 16]> =
                side.iter().map(|&face| self.face(face).thermograph).collect();
            graphs.sort_unstable();
            graphs.dedup();
            key.extend(graphs);
            key.push(BETWEEN);
        }
        let number = match self.remembered.get(key.as_slice()) {
            Some(&number) => number,
            None => {
                let mut sides = key.split(|&graph| graph == BETWEEN);
                let mut side = || {
                    let numbers = sides.next().unwrap_or_default();
                    numbers.iter().map(|&number| &self.graphs[number as usize].graph)
                };
                let graph = Thermograph::of_options(side(), side());
                let number = self.graph(graph);
                if self.remembered.len() == REMEMBERED {
                    self.remembered.clear();
                }
                self.remembered.insert(key.as_slice().into(), number);
                number
            }
        };
        self.key = key;
        number
    }

    /// Which uptimal a game is, given the faces of its options, which form a canonical form.
    ///
    /// All positions of a sum of a number, powers of up and a nimber are such sums, if nobody moves in the number (and in canonical forms
    /// of what is no number nobody does): the options of `^<n>` are 0 and the negative sum of smaller powers with a star. Options of the canonical form are
    /// positions of any form, so a game with another option is none. And one player has a single option (see `as_uptimal`).
    fn uptimal(&mut self, lefts: &[u32], rights: &[u32], budget: &Budget) -> Result<Option<u32>, StoreError> {
        if lefts.len() != 1 && rights.len() != 1 {
            return Ok(None);
        }
        let uptimals =
            |side: &[u32]| side.iter().map(|&face| self.face(face).uptimal).collect::<Option<Vec<u32>>>();
        match (uptimals(lefts), uptimals(rights)) {
            (Some(lefts), Some(rights)) => self.uptimals.of_options(&lefts, &rights, budget),
            _ => Ok(None),
        }
    }
}

/// Sums of a number, powers of up and a nimber, and a store in which they are values.
#[derive(Default)]
struct Uptimals {
    list: Vec<Uptimal>,
    numbers: FxHashMap<Uptimal, u32>,
    store: Store,
    /// Those of the list that are in the store.
    values: Vec<Value>,
}

impl Uptimals {
    fn number(&mut self, uptimal: &Uptimal) -> u32 {
        if let Some(&number) = self.numbers.get(uptimal) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(uptimal.clone());
        self.numbers.insert(uptimal.clone(), number);
        number
    }

    fn is_number(&self, number: Option<u32>) -> bool {
        let is_number = |uptimal: &Uptimal| uptimal.powers.is_empty() && uptimal.star == 0;
        number.is_some_and(|number| is_number(&self.list[number as usize]))
    }

    /// The uptimal with these options, if it is one.
    fn of_options(
        &mut self,
        lefts: &[u32],
        rights: &[u32],
        budget: &Budget,
    ) -> Result<Option<u32>, StoreError> {
        if self.store.bytes() > STORE {
            (self.store, self.values) = (Store::new(), vec![]);
        }
        let kernel = self.store.kernel(budget);
        for uptimal in &self.list[self.values.len()..] {
            self.values.push(kernel.uptimal(uptimal)?);
        }
        let values = |side: &[u32]| side.iter().map(|&n| self.values[n as usize]).collect::<Vec<Value>>();
        let value = kernel.from_options(&values(lefts), &values(rights))?;
        let found = kernel.as_uptimal(value)?;
        drop(kernel);
        Ok(found.map(|found| self.number(&found)))
    }
}

/// Whether a fact is a multiple of up plus a nimber.
pub(crate) fn is_up_star(raw: &Raw, kernel: &Kernel<'_>) -> bool {
    let parts = match raw {
        Raw::Ready(Fact::Exact(value)) => kernel.as_number_up_star(*value),
        _ => None,
    };
    matches!(parts, Some(NumberUpStar { number, .. }) if number.is_zero())
}
