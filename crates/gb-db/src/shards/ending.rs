//! How a build ends a layer: in memory where that suffices, otherwise in tasks.

use std::fs;

use super::build::{ShardBuild, Space};
use super::merge::{Found, merge};
use super::rounds::{self, Rounds};
use super::tasks::{MergeTask, do_task};
use crate::error::StoreError;
use crate::outcomes::by_threads;

impl ShardBuild {
    /// Ends the layer that is being built, all shards of which have been found.
    ///
    /// # Errors
    /// If shards are missing or damaged, or a file cannot be written.
    pub fn merge(&mut self) -> Result<(), StoreError> {
        self.merge_with(1)
    }

    /// The same with so many threads.
    pub(super) fn merge_with(&mut self, threads: usize) -> Result<(), StoreError> {
        loop {
            let tasks = self.merge_tasks(threads)?;
            if tasks.is_empty() {
                return Ok(());
            }
            by_threads(threads, tasks.into_iter(), &|next| {
                while let Some(task) = next() {
                    self.merge_task(&task)?;
                }
                Ok(())
            })?;
        }
    }

    /// What is to be done next to end the layer that is being built, all shards of which have been found: tasks for anybody who has joined the
    /// build, so many at a time in one process. When they are done, this is asked again, until there are none, and the layer is ended. What fits into memory is
    /// done here and now.
    ///
    /// # Errors
    /// If shards are missing or damaged, or a file cannot be written.
    pub fn merge_tasks(&mut self, threads: usize) -> Result<Vec<MergeTask>, StoreError> {
        let Some(layer) = self.layer() else { return Ok(vec![]) };
        let memory = (self.memory() / 4).min(self.limits.merging);
        if let (Space::Parts(parts), 0) = (&self.space, layer) {
            parts.merge_walks(&self.folder, memory)?;
            return self.end_layer(layer);
        }
        loop {
            let more = match &mut self.rounds {
                Some(rounds) => rounds.next(&self.folder)?,
                None => self.begin_rounds(layer, memory, threads)?,
            };
            if !more {
                return self.end_layer(layer);
            }
            // After an accident all of a step may be done already.
            let tasks = self.rounds.as_ref().map_or(vec![], |rounds| rounds.tasks(&self.folder));
            if !tasks.is_empty() {
                return Ok(tasks);
            }
        }
    }

    /// Ends the layer in memory, or else begins with tasks. Returns whether there are some.
    fn begin_rounds(&mut self, layer: usize, memory: u64, threads: usize) -> Result<bool, StoreError> {
        self.prepare(layer, false)?;
        let (bytes, generation) = {
            let session = self.session.get_mut().unwrap_or_else(|e| e.into_inner());
            (session.bytes(), session.generation)
        };
        if bytes > self.memory() / 4 {
            self.renew(generation, 0);
        }
        let (places, shards) = (self.places_of(layer), self.shards(layer));
        let Some(opened) = self.layers.get_mut().unwrap_or_else(|e| e.into_inner()) else {
            return Err(StoreError::Foreign(format!("layer {layer} is not being built now")));
        };
        // They are not needed for merging.
        opened.keys = None;
        let (base, boards) = (opened.layers.values, (places.start, places.end - places.start));
        let found = Found::open(&self.folder, (layer, shards), boards, (base, self.limits.many))?;
        if found.fits(base, memory) {
            merge(&self.folder, &found, &opened.layers)?;
            return Ok(false);
        }
        self.rounds = Some(Rounds::open(&self.folder, found, base, memory / threads.max(1) as u64)?);
        Ok(true)
    }

    /// Does a task to end a layer. Many threads may do this at once.
    ///
    /// # Errors
    /// If files are missing or damaged, or one cannot be written.
    pub fn merge_task(&self, task: &MergeTask) -> Result<(), StoreError> {
        let layer = task.round.layer as usize;
        self.prepare(layer, false)?;
        let opened = self.layers.read().unwrap_or_else(|e| e.into_inner());
        match opened.as_ref() {
            Some(opened) => do_task(&self.folder, task, &opened.layers),
            None => Err(StoreError::Foreign(format!("layer {layer} is not being built now"))),
        }
    }

    /// Removes what a layer was made of, now that its files are there.
    fn end_layer(&mut self, layer: usize) -> Result<Vec<MergeTask>, StoreError> {
        self.rounds = None;
        *self.layers.get_mut().unwrap_or_else(|e| e.into_inner()) = None;
        for shard in 0..self.shards(layer) {
            let path = self.folder.found(layer, shard);
            fs::remove_file(&path).map_err(StoreError::io(&path))?;
        }
        rounds::remove(&self.folder, layer);
        self.advance();
        Ok(vec![])
    }
}
