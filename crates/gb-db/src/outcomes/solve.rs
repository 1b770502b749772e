//! The block of a set, from the blocks of those sets that moves lead to.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use gb_rules::ComingRule;

use super::sets::{Index, Sets};
use super::truth::{self, New};
use crate::error::StoreError;

/// Bytes of the header: it is written last, when the counts are known.
pub(super) const HEADER: u64 = 1 << 14;

pub(super) fn place_in_file(word: u64) -> u64 {
    HEADER + 8 * word
}

/// What all threads share, and nobody changes while they work.
pub(super) struct Job<'a> {
    pub(super) sets: &'a Sets,
    pub(super) index: &'a Index,
    pub(super) path: PathBuf,
    /// The blocks of each size that are in memory.
    pub(super) held: Vec<Option<Vec<u64>>>,
}

pub(super) fn read_words(
    file: &mut File,
    word: u64,
    into: &mut Vec<u64>,
    count: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.resize(8 * count, 0);
    file.seek(SeekFrom::Start(place_in_file(word)))?;
    file.read_exact(bytes)?;
    into.clear();
    into.extend(bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)));
    Ok(())
}

/// A thread at work.
pub(super) struct Worker<'a> {
    pub(super) job: &'a Job<'a>,
    file: File,
    bytes: Vec<u8>,
    raw: Vec<u64>,
    rest: Vec<u64>,
    wider: Vec<u64>,
    sum: Vec<u64>,
    moved: Vec<u64>,
    wins: Vec<u64>,
    loses: Vec<u64>,
    /// Where groups must breathe: the colourings in which all do, and where Left wins if Right begins, nobody being able to move in the others.
    breathing: Vec<u64>,
    loses_or_dead: Vec<u64>,
}

/// The cells of a set.
fn cells(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(cell)
    })
}

/// Which variable of the table of a set a cell is.
fn variable(set: u32, cell: u32) -> usize {
    (set & ((1 << cell) - 1)).count_ones() as usize
}

fn zeros(table: &mut Vec<u64>, variables: u32) {
    table.clear();
    table.resize(truth::words(variables as usize), 0);
}

impl<'a> Worker<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Result<Worker<'a>, StoreError> {
        let file = File::open(&job.path).map_err(StoreError::io(&job.path))?;
        let [raw, rest, wider, sum, moved, wins, loses, breathing, loses_or_dead] = Default::default();
        Ok(Worker {
            job,
            file,
            bytes: vec![],
            raw,
            rest,
            wider,
            sum,
            moved,
            wins,
            loses,
            breathing,
            loses_or_dead,
        })
    }

    /// Leaves in `rest` for every colouring of a set whether Left wins if Right begins.
    fn look_up(&mut self, set: u32) -> Result<(), StoreError> {
        let &Job { sets, index, ref held, ref path } = self.job;
        let active = sets.active(set);
        let (least, number) = sets.least(active);
        let (size, not_kept) =
            (least.count_ones() as usize, || StoreError::Foreign("a set has no block".into()));
        let place = index.place(sets, least).ok_or_else(not_kept)? as usize;
        let words = truth::words(size);
        match &held[size] {
            Some(blocks) => {
                self.raw.clear();
                self.raw.extend_from_slice(&blocks[place * words..][..words]);
            }
            None => {
                let start = index.start(size) + (place * words) as u64;
                read_words(&mut self.file, start, &mut self.raw, words, &mut self.bytes)
                    .map_err(StoreError::io(path))?;
            }
        }
        let mut old = [0; 32];
        for (cell, old) in cells(active).zip(&mut old) {
            *old = variable(least, sets.image(1 << cell, number).trailing_zeros()) as u8;
        }
        if (0..size).all(|v| usize::from(old[v]) == v) {
            std::mem::swap(&mut self.raw, &mut self.rest);
        } else {
            truth::permute(&mut self.raw, &old[..size], &mut self.rest);
        }
        let mut have = active;
        for cell in cells(set & !active) {
            zeros(&mut self.wider, have.count_ones() + 1);
            truth::or_wider(&mut self.wider, &self.rest, variable(have, cell), New::Either);
            std::mem::swap(&mut self.wider, &mut self.rest);
            have |= 1 << cell;
        }
        Ok(())
    }

    /// Leaves in `wins` for every colouring of a set whether Left wins if she begins, and in `loses` whether she wins if Right does.
    pub(super) fn solve(&mut self, set: u32) -> Result<(), StoreError> {
        zeros(&mut self.wins, set.count_ones());
        if let Some(rule) = self.job.sets.coming {
            return self.solve_coming(set, rule);
        }
        for group in self.job.sets.groups.iter().filter(|group| set & group.removed == group.removed) {
            let mut moves =
                group.placements.iter().filter(|found| set & found.cells == found.cells).peekable();
            if moves.peek().is_none() {
                continue;
            }
            let after = set & !group.removed;
            self.look_up(after)?;
            zeros(&mut self.sum, after.count_ones());
            for found in moves {
                let mut stay =
                    found.stay.iter().map(|&(cell, from, to)| (variable(after, cell.into()), from, to));
                let last = stay.next_back();
                let mut table = &self.rest;
                for (at, from, to) in stay {
                    // Two buffers in turn: what was moved is what is moved next.
                    zeros(&mut self.wider, after.count_ones());
                    truth::or_moved(&mut self.wider, table, at, from, to);
                    std::mem::swap(&mut self.wider, &mut self.moved);
                    table = &self.moved;
                }
                match last {
                    Some((at, from, to)) => truth::or_moved(&mut self.sum, table, at, from, to),
                    None => self.sum.iter_mut().zip(table).for_each(|(sum, word)| *sum |= word),
                }
            }
            let mut have = after;
            for cell in cells(group.removed) {
                let (at, new) =
                    (variable(have, cell), if group.left >> cell & 1 == 1 { New::One } else { New::Zero });
                have |= 1 << cell;
                if have == set {
                    truth::or_wider(&mut self.wins, &self.sum, at, new);
                } else {
                    zeros(&mut self.wider, have.count_ones());
                    truth::or_wider(&mut self.wider, &self.sum, at, new);
                    std::mem::swap(&mut self.wider, &mut self.sum);
                }
            }
        }
        truth::dual(&self.wins, &mut self.loses);
        Ok(())
    }

    /// The same where stones come. Of boards in which a group does not breathe the block says that Left does not win, whoever begins, so that nobody
    /// moves there.
    fn solve_coming(&mut self, set: u32, rule: ComingRule) -> Result<(), StoreError> {
        let sets = self.job.sets;
        for cell in cells(!set & ((1 << sets.cells) - 1)) {
            let after = set | 1 << cell;
            self.look_up(after)?;
            truth::cofactor(&self.rest, variable(after, cell), true, &mut self.sum);
            let beside = cells(sets.near[cell as usize] & set).map(|near| variable(set, near));
            match rule {
                ComingRule::NotBesideOwn => beside.for_each(|near| truth::keep(&mut self.sum, near, false)),
                ComingRule::NotBesideOther => beside.for_each(|near| truth::keep(&mut self.sum, near, true)),
                // The block says so.
                ComingRule::GroupsBreathe => {}
            }
            self.wins.iter_mut().zip(&self.sum).for_each(|(wins, word)| *wins |= word);
        }
        truth::dual(&self.wins, &mut self.loses);
        if rule == ComingRule::GroupsBreathe {
            breathing(sets, set, &mut self.breathing);
            self.loses_or_dead.clear();
            let dead = self.loses.iter().zip(&self.breathing).map(|(loses, breathes)| loses | !breathes);
            self.loses_or_dead.extend(dead);
            self.loses.iter_mut().zip(&self.breathing).for_each(|(loses, breathes)| *loses &= breathes);
        }
        Ok(())
    }

    /// For every colouring of the set whether Left wins if she begins.
    pub(super) fn wins(&self) -> &[u64] {
        &self.wins
    }

    /// And whether she wins if Right does.
    pub(super) fn loses(&self) -> &[u64] {
        match self.job.sets.coming {
            Some(ComingRule::GroupsBreathe) => &self.loses_or_dead,
            _ => &self.loses,
        }
    }

    /// The block of the set.
    pub(super) fn block(&self) -> &[u64] {
        &self.loses
    }
}

/// For every colouring of a set whether all groups of stones of one colour are beside an empty cell. Word by word: what a stone knows goes to
/// its neighbours of the same colour until nothing changes.
fn breathing(sets: &Sets, set: u32, into: &mut Vec<u64>) {
    zeros(into, set.count_ones());
    let sure =
        cells(set).filter(|&cell| sets.near[cell as usize] & !set != 0).fold(0, |all, cell| all | 1 << cell);
    // Stones that depend on others, and these.
    let links: Vec<(usize, Vec<usize>)> = cells(set & !sure)
        .map(|cell| {
            (variable(set, cell), cells(sets.near[cell as usize]).map(|near| variable(set, near)).collect())
        })
        .collect();
    let mut breathes = [u64::MAX; 32];
    for (at, word) in into.iter_mut().enumerate() {
        links.iter().for_each(|(stone, _)| breathes[*stone] = 0);
        loop {
            let mut changed = 0;
            for (stone, near) in &links {
                let own = truth::variable_word(*stone, at);
                let more = near
                    .iter()
                    .fold(0, |all, &near| all | breathes[near] & !(own ^ truth::variable_word(near, at)));
                changed |= more & !breathes[*stone];
                breathes[*stone] |= more;
            }
            if changed == 0 {
                break;
            }
        }
        *word = links.iter().fold(u64::MAX, |all, (stone, _)| all & breathes[*stone]);
    }
}
