//! Results kept for values, found by name: an exact map, sharded so that threads rarely wait for each other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use crate::value::Value;

const SHARDS: usize = 16;

/// A map from values to results of one kind.
pub(crate) struct Cache<T> {
    shards: [Mutex<FxHashMap<Value, T>>; SHARDS],
    bytes: AtomicU64,
}

impl<T: Clone> Cache<T> {
    pub(crate) fn new() -> Self {
        Cache { shards: Default::default(), bytes: AtomicU64::new(0) }
    }

    fn shard(&self, value: Value) -> std::sync::MutexGuard<'_, FxHashMap<Value, T>> {
        let at = value.0.wrapping_mul(0x9E37_79B9) >> 28;
        self.shards[at as usize].lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(crate) fn get(&self, value: Value) -> Option<T> {
        self.shard(value).get(&value).cloned()
    }

    /// Keeps a result that takes about `bytes` bytes.
    pub(crate) fn set(&self, value: Value, result: T, bytes: usize) {
        if self.shard(value).insert(value, result).is_none() {
            self.bytes.fetch_add((bytes + size_of::<(Value, T)>() * 8 / 7 + 1) as u64, Relaxed);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }
}
