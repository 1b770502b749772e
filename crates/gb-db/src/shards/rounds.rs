//! Which tasks there are to end a layer, one step after the other, and its files at the end (`tasks.rs` says what they are).
//!
//! After every step it is written down how far the layer is, so that whoever goes on after an accident loses one step at most.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use super::files::{Folder, MANY, for_each_record};
use super::merge::{BYTES_A_VALUE, Found, width_of, write_levels};
use super::tasks::{BUCKETS, MergeTask, Round, Step, copy_piece};
use crate::error::StoreError;
use crate::file;

/// A layer that is being ended in tasks.
pub(super) struct Rounds {
    found: Found,
    base: u64,
    memory: u64,
    /// The shards of each group.
    groups: Vec<Range<u64>>,
    round: Round,
    step: Step,
    /// How many parts this round has, once that is known.
    parts: u64,
    /// The rounds that gave numbers: which, with how many parts, and the first number.
    levels: Vec<(u64, u64, u64)>,
}

impl Rounds {
    /// Begins, or goes on, with so much memory for each task.
    pub(super) fn open(folder: &Folder, found: Found, base: u64, memory: u64) -> Result<Rounds, StoreError> {
        let (mut groups, mut values): (Vec<Range<u64>>, u64) = (vec![], 0);
        for (shard, &count) in (0..).zip(&found.counts) {
            values += count;
            match groups.last_mut().filter(|_| values.saturating_mul(BYTES_A_VALUE) <= memory) {
                Some(group) => group.end = shard + 1,
                None => {
                    groups.push(shard..shard + 1);
                    values = count;
                }
            }
        }
        let text = format!("{base} {memory} {groups:?} {:?}", found.counts);
        let mut cut = [0; 8];
        cut.copy_from_slice(&file::checksum(text.as_bytes())[..8]);
        let round = Round {
            layer: found.layer as u64,
            cut: u64::from_le_bytes(cut),
            number: 0,
            numbers: false,
            end: base,
            before: (0, false, 0),
            wide: base + found.values() > found.many,
        };
        let (step, parts, levels) = (Step::Ready, 0, vec![]);
        let mut rounds = Rounds { found, base, memory, groups, round, step, parts, levels };
        rounds.read(folder);
        Ok(rounds)
    }

    fn path(&self, folder: &Folder) -> PathBuf {
        folder.path.join(format!("{:02}-{:016x}.rounds", self.round.layer, self.round.cut))
    }

    /// Writes down how far it is.
    fn write(&self, folder: &Folder) -> Result<(), StoreError> {
        let mut out = folder.create(&self.path(folder), self.base, 0)?;
        out.set("task", self.task(0).to_string());
        out.set("parts", self.parts.to_string());
        out.section("levels")?;
        for &(round, parts, first) in &self.levels {
            [round, parts, first].iter().try_for_each(|word| out.write(&word.to_le_bytes()))?;
        }
        out.end_section("levels")?;
        out.finish()
    }

    /// Goes on where it was; where nothing was written down, or it is damaged, it begins anew.
    fn read(&mut self, folder: &Folder) {
        let state = || -> Result<_, StoreError> {
            let reader = folder.open(&self.path(folder))?;
            let section = reader.section("levels")?;
            let bytes = reader.bytes_once(section, 0..section.length)?;
            let words: Vec<u64> =
                bytes.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect();
            let levels = words.as_chunks::<3>().0.iter().map(|&[round, parts, first]| (round, parts, first));
            let task: MergeTask = reader.field("task")?.parse()?;
            Ok((task.round, task.step, reader.number("parts")?, levels.collect()))
        };
        let Ok((round, step, parts, levels)) = state() else { return };
        let fresh = (self.round.clone(), self.step, self.parts, vec![]);
        (self.round, self.step, self.parts, self.levels) = (round, step, parts, levels);
        let sound = |path: &PathBuf| folder.open(path).is_ok_and(|reader| reader.check_all().is_ok());
        if !self.needed(folder).iter().all(sound) {
            (self.round, self.step, self.parts, self.levels) = fresh;
        }
    }

    /// The files of earlier steps that are read from now on.
    fn needed(&self, folder: &Folder) -> Vec<PathBuf> {
        let mut needed = self.values(folder);
        let groups = || 0..self.groups.len() as u64;
        if self.step != Step::Ready {
            // If numbers are given, what this step gives is among the values.
            needed.retain(|path| {
                !(0..self.parts).any(|part| *path == folder.part(&self.round, part, self.parts))
            });
            needed.extend(groups().map(|group| folder.ready(&self.round, group)));
        } else if let Some(number) = self.round.number.checked_sub(1) {
            let before = Round { number, ..self.round.clone() };
            needed.extend(groups().map(|group| folder.ready(&before, group)));
            let parts = self.round.before.0;
            needed.extend((0..parts).map(|part| folder.part(&before, part, parts)));
        }
        needed
    }

    fn task(&self, number: u64) -> MergeTask {
        let shards = match self.step {
            Step::Part => 0..0,
            _ => self.groups[number as usize].clone(),
        };
        let (groups, parts) = (self.groups.len() as u64, self.parts);
        MergeTask { round: self.round.clone(), step: self.step, number, shards, groups, parts }
    }

    fn file(&self, folder: &Folder, number: u64) -> PathBuf {
        match self.step {
            Step::Ready => folder.ready(&self.round, number),
            Step::Part => folder.part(&self.round, number, self.parts),
            Step::Boards => folder.piece(&self.round, number),
        }
    }

    fn count(&self) -> u64 {
        if self.step == Step::Part { self.parts } else { self.groups.len() as u64 }
    }

    /// The tasks of this step that nobody has done yet.
    pub(super) fn tasks(&self, folder: &Folder) -> Vec<MergeTask> {
        let is_done = |number: &u64| {
            folder.open(&self.file(folder, *number)).is_ok_and(|reader| reader.check_all().is_ok())
        };
        (0..self.count()).filter(|number| !is_done(number)).map(|number| self.task(number)).collect()
    }

    /// The sum of what the files of this step say.
    fn sum(&self, folder: &Folder, key: &str) -> Result<u64, StoreError> {
        (0..self.count())
            .try_fold(0, |sum, number| Ok(sum + folder.open(&self.file(folder, number))?.number(key)?))
    }

    /// Goes on to the next step, when all tasks of this one are done. Returns whether there is one; otherwise the files of the layer are there.
    pub(super) fn next(&mut self, folder: &Folder) -> Result<bool, StoreError> {
        match self.step {
            Step::Ready => self.after_ready(folder)?,
            Step::Part => {
                let new = self.sum(folder, "count")?;
                self.round.before = (self.parts, self.round.numbers, self.round.end);
                self.round.end += new;
                self.round.number += 1;
                self.step = Step::Ready;
            }
            Step::Boards => {
                self.finish(folder)?;
                return Ok(false);
            }
        }
        self.write(folder)?;
        self.forget(folder);
        Ok(true)
    }

    fn after_ready(&mut self, folder: &Folder) -> Result<(), StoreError> {
        let ready = self.sum(folder, "count")?;
        if ready > 0 {
            let bytes = ready.saturating_mul(BYTES_A_VALUE);
            self.parts = bytes.div_ceil(self.memory.max(1)).clamp(1, BUCKETS);
            if self.round.numbers {
                self.levels.push((self.round.number, self.parts, self.round.end));
            }
            self.step = Step::Part;
            return Ok(());
        }
        if !self.round.numbers {
            // All that earlier layers have is found.
            self.round.numbers = true;
            self.round.before = (0, false, 0);
            self.round.number += 1;
            return Ok(());
        }
        if self.sum(folder, "unknown")? > 0 {
            return Err(StoreError::Foreign("some values have options that nobody has found".into()));
        }
        self.step = Step::Boards;
        self.round.wide = self.words(folder)? >= 2 * MANY || self.round.end > self.found.many;
        Ok(())
    }

    /// The files with the new values, in their order.
    fn values(&self, folder: &Folder) -> Vec<PathBuf> {
        let parts = |&(number, parts, _): &(u64, u64, u64)| {
            let round = Round { number, ..self.round.clone() };
            (0..parts).map(move |part| folder.part(&round, part, parts))
        };
        self.levels.iter().flat_map(parts).collect()
    }

    /// How many words the new values have.
    fn words(&self, folder: &Folder) -> Result<u64, StoreError> {
        self.values(folder).iter().try_fold(0, |sum, path| Ok(sum + folder.open(path)?.number("words")?))
    }

    /// Removes what is not needed any more: maps that there are newer ones of, and answers that are in them.
    fn forget(&self, folder: &Folder) {
        // In the first step of a round those of the round before are read.
        let Some(before) = self.round.number.checked_sub(if self.step == Step::Ready { 2 } else { 1 }) else {
            return;
        };
        let round = Round { number: before, ..self.round.clone() };
        for group in 0..self.groups.len() as u64 {
            let _ = fs::remove_file(folder.ready(&round, group));
        }
        // What they say about values that have numbers now makes the layer.
        if self.step == Step::Part && !self.round.before.1 {
            for part in 0..self.round.before.0 {
                let _ = fs::remove_file(folder.part(&round, part, self.round.before.0));
            }
        }
    }

    /// Puts the files of the layer together.
    fn finish(&self, folder: &Folder) -> Result<(), StoreError> {
        let layer = self.found.layer;
        let (count, values) = (self.round.end - self.base, self.values(folder));
        let width = width_of(self.round.end, self.words(folder)?, self.found.many)?;
        let mut out = folder.create_words(&folder.values(layer), (self.base, count), width)?;
        out.section("values")?;
        for path in &values {
            for_each_record(&folder.open(path)?, &mut |record| out.write(&width.bytes_of(record.0)))?;
        }
        out.end_section("values")?;
        // They are read a second time, so that nothing has to be held.
        out.section("places")?;
        let mut place = 0;
        for path in &values {
            for_each_record(&folder.open(path)?, &mut |record| {
                out.write(&width.bytes_of(&[place]))?;
                place += record.0.len() as u64;
                Ok(())
            })?;
        }
        out.end_section("places")?;
        write_levels(&mut out, &self.levels.iter().map(|level| level.2).collect::<Vec<u64>>())?;
        out.finish()?;
        let mut out = folder.create_words(&folder.boards(layer), self.found.boards, width)?;
        out.section("boards")?;
        for group in 0..self.groups.len() as u64 {
            copy_piece(&folder.open(&folder.piece(&self.round, group))?, width, &mut out)?;
        }
        out.end_section("boards")?;
        out.finish()
    }
}

/// Removes what the end of a layer has left.
pub(super) fn remove(folder: &Folder, layer: usize) {
    for entry in fs::read_dir(&folder.path).into_iter().flatten().flatten() {
        if Folder::is_of_tasks(layer, &entry.file_name().to_string_lossy()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
