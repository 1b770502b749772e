//! Nimbers by couples of a part and a number: is the nimber of this part `n`?
//!
//! The mex rule needs the nimbers of all options. To know whether a part has the nimber 0, one option with the nimber 0 is
//! enough to say no, and the same holds for every `n`: `P + *n` is lost for the first player exactly if the nimber of `P` is
//! `n`. So a couple `(P, n)` is searched as a game is, with cut-offs, and nimbers come out only where several parts stand side by
//! side: all but the largest of them are valued, and the largest is asked for the sum of the others. What a part is not is
//! remembered as well as what it is. When these tables have taken their share of the memory, couples go to a table of bounded size,
//! which forgets what took least work. (J. Lemoine and S. Viennot, *Nimbers are inevitable*, Theoretical Computer Science 462,
//! 2012.)

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gb_board::{sort_by, sort_by_key};
use gb_rules::{DynGame, Expansion, Key, Normal, Player, Sign};
use gb_value::{Halt, Kernel, deeper};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::outcome::{Busy, Handle, Wins, key_of};
use crate::search::{SearchContext, first_to_finish};
use crate::table::{Lookup, Reader, Table};

/// The tables of nimbers may grow until all tables together have this share of the memory, in eighths.
const SHARE_OF_NIMBERS: u64 = 5;
/// The table of couples may take this share.
const SHARE_OF_COUPLES: u64 = 2;
/// How often the memory is looked at, in nodes.
const NODES_BETWEEN_BYTES: u64 = 256;

/// Numbers that are not the nimber of a part, as bits.
pub type Excluded = u64;

/// The nimber of an impartial position.
///
/// Everything that was found stays in the tables, also when the budget runs out.
///
/// # Errors
/// When the budget runs out, or with [`Halt::Repetition`] when play can come back to a position.
pub fn nimber_of<const N: usize>(
    game: &dyn DynGame<N>,
    nimbers: &Table<Key<N>, u32>,
    excluded: &Table<Key<N>, Excluded>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<u32, Halt> {
    by_threads(game, nimbers, excluded, at, context, |search, parts| {
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ search.nimber(part)?))
    })
}

/// Whether an impartial position is lost for whoever begins.
///
/// # Errors
/// As [`nimber_of`].
pub fn is_zero<const N: usize>(
    game: &dyn DynGame<N>,
    nimbers: &Table<Key<N>, u32>,
    excluded: &Table<Key<N>, Excluded>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<bool, Halt> {
    has_nimber(game, nimbers, excluded, at, 0, context)
}

/// Whether an impartial position has the nimber `n`.
///
/// # Errors
/// As [`nimber_of`].
pub fn has_nimber<const N: usize>(
    game: &dyn DynGame<N>,
    nimbers: &Table<Key<N>, u32>,
    excluded: &Table<Key<N>, Excluded>,
    at: &Key<N>,
    n: u32,
    context: &SearchContext<'_>,
) -> Result<bool, Halt> {
    by_threads(game, nimbers, excluded, at, context, |search, parts| search.is_sum(parts, n))
}

/// The nimber of an impartial position, if it was found before or a theorem says it.
///
/// # Errors
/// When the budget runs out.
pub fn known_nimber<const N: usize>(
    game: &dyn DynGame<N>,
    nimbers: &Table<Key<N>, u32>,
    excluded: &Table<Key<N>, Excluded>,
    at: &Key<N>,
    context: &SearchContext<'_>,
) -> Result<Option<u32>, Halt> {
    let mut parts = vec![];
    game.parts(at, &mut parts);
    let (over, couples) = (AtomicBool::new(false), Wins::new(0));
    let search = CoupleSearch::new(game, nimbers, excluded, context, &over, None, &couples);
    let mut sum = 0;
    for part in search.normal_forms(&parts) {
        match search.known(&part)? {
            Some(nimber) => sum ^= nimber,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

/// Asks all threads about the parts of a position.
fn by_threads<const N: usize, T: Send>(
    game: &dyn DynGame<N>,
    nimbers: &Table<Key<N>, u32>,
    excluded: &Table<Key<N>, Excluded>,
    at: &Key<N>,
    context: &SearchContext<'_>,
    ask: impl Fn(&mut CoupleSearch<'_, N>, &[Key<N>]) -> Result<T, Halt> + Sync,
) -> Result<T, Halt> {
    let mut parts = vec![];
    game.parts(at, &mut parts);
    let (over, busy) = (AtomicBool::new(false), Busy::new());
    let couples = Wins::new(context.budget.max_bytes() / 8 * SHARE_OF_COUPLES);
    first_to_finish(context.threads, &over, |_| {
        let busy = (context.threads > 1).then_some(&busy);
        let mut search = CoupleSearch::new(game, nimbers, excluded, context, &over, busy, &couples);
        let parts = search.normal_forms(&parts);
        Some(ask(&mut search, &parts))
    })
}

/// Parts in normal form, sorted, without equal pairs.
type Parts<const N: usize> = SmallVec<[Key<N>; 4]>;

struct CoupleSearch<'a, const N: usize> {
    game: &'a dyn DynGame<N>,
    nimbers: &'a Table<Key<N>, u32>,
    excluded: &'a Table<Key<N>, Excluded>,
    // For reading, which is what takes most of the time.
    known: Reader<'a, Key<N>, u32>,
    known_not: Reader<'a, Key<N>, Excluded>,
    kernel: Kernel<'a>,
    over: &'a AtomicBool,
    /// Where others work, if there are others.
    busy: Option<&'a Busy>,
    /// Which couples are true, where there is no room for nimbers any more.
    couples: Handle<'a>,
    is_full: bool,
    nodes: u64,
    /// The couples on the way from the root: play that comes back to one repeats.
    path: FxHashSet<(Key<N>, u32)>,
    expansion: Expansion<N>,
    normals: Vec<Normal<N>>,
    begun: Vec<Lookup>,
}

impl<'a, const N: usize> CoupleSearch<'a, N> {
    fn new(
        game: &'a dyn DynGame<N>,
        nimbers: &'a Table<Key<N>, u32>,
        excluded: &'a Table<Key<N>, Excluded>,
        context: &SearchContext<'a>,
        over: &'a AtomicBool,
        busy: Option<&'a Busy>,
        couples: &'a Wins,
    ) -> Self {
        let kernel = context.store.kernel(context.budget);
        CoupleSearch {
            game,
            nimbers,
            excluded,
            known: nimbers.reader(),
            known_not: excluded.reader(),
            kernel,
            over,
            busy,
            couples: couples.handle(),
            is_full: false,
            nodes: 0,
            path: FxHashSet::default(),
            expansion: Expansion::default(),
            normals: vec![],
            begun: vec![],
        }
    }

    fn normal_forms(&self, parts: &[Key<N>]) -> Parts<N> {
        without_pairs(parts.iter().map(|part| self.game.normalise(part).0).collect())
    }

    /// The nimber of a part, if it was found before.
    fn recall(&self, part: &Key<N>) -> Option<u32> {
        self.known.refresh();
        self.known.end(self.known.begin(part), part)
    }

    /// The nimber of a part, if it is known or a theorem says it.
    fn known(&self, part: &Key<N>) -> Result<Option<u32>, Halt> {
        if let Some(nimber) = self.recall(part) {
            return Ok(Some(nimber));
        }
        // Not asked again about what nobody knew when it was first searched.
        if self.excluded_from(part) != 0 {
            return Ok(None);
        }
        let mut nimber = self.nimbers.recall(part, &self.kernel)?;
        if nimber.is_none() {
            let theorem = self.game.known(part, &self.kernel)?;
            nimber = theorem.and_then(|value| self.kernel.as_nimber(value));
        }
        if let Some(nimber) = nimber {
            self.remember(part, nimber);
        }
        Ok(nimber)
    }

    /// The nimber of a part.
    fn nimber(&mut self, part: &Key<N>) -> Result<u32, Halt> {
        if let Some(nimber) = self.known(part)? {
            return Ok(nimber);
        }
        let mut n = 0;
        while !self.is(part, n)? {
            n += 1;
        }
        Ok(n)
    }

    /// Whether the nimber of a sum is `n`.
    fn is_sum(&mut self, parts: &[Key<N>], mut n: u32) -> Result<bool, Halt> {
        let mut unknown: SmallVec<[(usize, &Key<N>); 4]> = SmallVec::new();
        for part in parts {
            match self.known(part)? {
                Some(nimber) => n ^= nimber,
                None => unknown.push((self.game.size(part), part)),
            }
        }
        sort_by_key(&mut unknown, |&(size, _)| size);
        let Some((&(_, largest), others)) = unknown.split_last() else { return Ok(n == 0) };
        for (_, part) in others {
            n ^= self.nimber(part)?;
        }
        self.is(largest, n)
    }

    /// Whether the nimber of a part that no theorem knows is `n`.
    fn is(&mut self, part: &Key<N>, n: u32) -> Result<bool, Halt> {
        if let Some(nimber) = self.recall(part) {
            return Ok(nimber == n);
        }
        if self.excluded_from(part) & bit(n) != 0 {
            return Ok(false);
        }
        if self.over.load(Relaxed) {
            return Err(Halt::Cancelled);
        }
        if let Some(found) = self.couple(part, n) {
            return Ok(found);
        }
        self.kernel.step()?;
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_BYTES) {
            let budget = self.kernel.budget();
            self.is_full |= !budget.has_room(budget.max_bytes() / 8 * (8 - SHARE_OF_NIMBERS));
        }
        if !self.path.insert((*part, n)) {
            return Err(Halt::Repetition);
        }
        let name = self.busy.map(|busy| (busy, key_of(&(*part, n))));
        if let Some((busy, name)) = name {
            busy.enter(name);
        }
        let found = deeper(|| self.search(part, n));
        if let Some((busy, name)) = name {
            busy.leave(name);
        }
        self.path.remove(&(*part, n));
        let found = found?;
        if self.is_full {
            self.couples.refresh();
            self.couples.set(key_of(&(*part, n)), found, self.nodes - before, self.kernel.budget());
        } else if found {
            self.remember(part, n);
        } else {
            self.exclude(part, bit(n));
        }
        Ok(found)
    }

    /// Whether a couple is true, if that is in the table of couples.
    #[inline]
    fn couple(&self, part: &Key<N>, n: u32) -> Option<bool> {
        if self.is_full { self.couples.get(key_of(&(*part, n))) } else { None }
    }

    /// Writes a nimber down, as long as there is room.
    fn remember(&self, part: &Key<N>, nimber: u32) {
        if !self.is_full {
            self.nimbers.finish(part, nimber);
        }
    }

    fn excluded_from(&self, part: &Key<N>) -> Excluded {
        self.known_not.refresh();
        self.known_not.end(self.known_not.begin(part), part).unwrap_or(0)
    }

    /// Another thread may write at the same time, and one of both be forgotten: then it is found once more.
    fn exclude(&self, part: &Key<N>, numbers: Excluded) {
        let before = self.excluded_from(part);
        if !self.is_full && numbers & !before != 0 && self.recall(part).is_none() {
            self.excluded.finish(part, before | numbers);
        }
    }

    fn search(&mut self, part: &Key<N>, n: u32) -> Result<bool, Halt> {
        let Options { seen, open } = self.options(part)?;
        if open.is_empty() {
            // All is known: the mex rule says it at once.
            let nimber = seen.iter().position(|seen| !seen).unwrap_or(seen.len()) as u32;
            self.remember(part, nimber);
            return Ok(nimber == n);
        }
        let numbers = seen.iter().zip(0..).filter(|(seen, _)| **seen).map(|(_, n)| bit(n));
        self.exclude(part, numbers.fold(0, |all, bit| all | bit));
        // An option with the nimber n is enough.
        if seen.get(n as usize) == Some(&true) {
            return Ok(false);
        }
        let mut left_to_others = vec![];
        for (i, Open { nimber, parts, .. }) in open.iter().enumerate() {
            let number = n ^ nimber;
            // The first is searched by all who come by, since it may decide.
            if i > 0 && self.is_at_work(parts, number) {
                left_to_others.push((parts, number));
            } else if self.is_sum(parts, number)? {
                return Ok(false);
            }
            if let Some(found) = self.found_by_others(part, n) {
                return Ok(found);
            }
        }
        for (parts, number) in left_to_others {
            if self.is_sum(parts, number)? {
                return Ok(false);
            }
            if let Some(found) = self.found_by_others(part, n) {
                return Ok(found);
            }
        }
        // No option has it, so the nimber is at most n.
        for less in 0..n {
            if self.is(part, less)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether another thread is asking whether this sum, if it is a single part, has the nimber `n`.
    fn is_at_work(&self, parts: &[Key<N>], n: u32) -> bool {
        match (self.busy, parts) {
            (Some(busy), [part]) => busy.is_at(key_of(&(*part, n))),
            _ => false,
        }
    }

    /// Whether the nimber of a part is `n`, if another thread has found that out.
    fn found_by_others(&self, part: &Key<N>, n: u32) -> Option<bool> {
        self.busy?;
        let is_excluded = || (self.excluded_from(part) & bit(n) != 0).then_some(false);
        let couple = || self.couple(part, n);
        self.recall(part).map(|nimber| nimber == n).or_else(is_excluded).or_else(couple)
    }

    fn options(&mut self, part: &Key<N>) -> Result<Options<N>, Halt> {
        let CoupleSearch { game, kernel, expansion, normals, known, begun, .. } = self;
        expansion.clear();
        game.expand(part, Player::Left, kernel, expansion)?;
        normals.clear();
        normals.extend(expansion.parts.iter().map(|&key| Normal { key, sign: Sign::Plus, tag: 0 }));
        game.normalise_all(normals);
        // All are begun to be looked up before the first is waited for.
        known.refresh();
        begun.clear();
        begun.extend(normals.iter().map(|normal| known.begin(&normal.key)));
        // A nimber is at most the number of options; larger ones among them make no difference.
        let mut seen = vec![false; expansion.options.len()];
        let mut open = vec![];
        for option in &expansion.options {
            let range = option.first_part as usize..option.end_of_parts as usize;
            let (mut nimber, mut parts) = (0, Parts::new());
            for (normal, &begun) in normals[range.clone()].iter().zip(&begun[range]) {
                let found = match known.end(begun, &normal.key) {
                    None => game.known(&normal.key, kernel)?.and_then(|value| kernel.as_nimber(value)),
                    found => found,
                };
                match found {
                    Some(found) => nimber ^= found,
                    None => parts.push(normal.key),
                }
            }
            let parts = without_pairs(parts);
            if !parts.is_empty() {
                let largest = parts.iter().map(|part| game.size(part)).max().unwrap_or(0);
                kernel.work(1)?;
                open.push(Open { largest, nimber, parts });
            } else if let Some(seen) = seen.get_mut(nimber as usize) {
                *seen = true;
            }
        }
        // What is found out about soonest comes first.
        sort_by(&mut open, Ord::cmp);
        open.dedup();
        Ok(Options { seen, open })
    }
}

/// What is known of the options of a part.
struct Options<const N: usize> {
    /// The nimbers of those that are known.
    seen: Vec<bool>,
    /// The others.
    open: Vec<Open<N>>,
}

/// An option of which something is not known.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open<const N: usize> {
    /// The size of the largest part that is not known.
    largest: usize,
    /// The nimber of what is.
    nimber: u32,
    /// The parts that are not.
    parts: Parts<N>,
}

/// The bit of a number; none if it is too large to be remembered.
fn bit(n: u32) -> Excluded {
    Excluded::from(1u8).checked_shl(n).unwrap_or(0)
}

/// Sorted, without pairs of equal parts, whose sum is 0.
fn without_pairs<const N: usize>(mut parts: Parts<N>) -> Parts<N> {
    sort_by(&mut parts, Ord::cmp);
    let mut single: Parts<N> = Parts::new();
    for part in parts {
        if single.last() == Some(&part) {
            single.pop();
        } else {
            single.push(part);
        }
    }
    single
}
