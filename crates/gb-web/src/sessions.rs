//! The sessions of all pages that are open. Nobody finds a session whose name he was not told, if names cannot be guessed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use gb_record::session::Session;
use http::StatusCode;

use crate::error::ApiError;

/// A session that several requests may ask for.
pub type Shared = Arc<Mutex<Session>>;

/// Sessions by name.
pub struct Sessions {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Each with the time it was last used, counted in requests.
    all: HashMap<String, (Shared, u64)>,
    clock: u64,
}

impl Sessions {
    /// Room for this many.
    pub fn new(most: usize) -> Sessions {
        Sessions { most: most.max(1), inner: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Keeps a session under a name. If there are too many, the one that was not used for the longest time goes.
    pub fn add(&self, name: String, session: Session) {
        let shared = Arc::new(Mutex::new(session));
        let mut inner = self.lock();
        while inner.all.len() >= self.most {
            let oldest = inner.all.iter().min_by_key(|(_, (_, used))| *used).map(|(name, _)| name.clone());
            oldest.and_then(|name| inner.all.remove(&name));
        }
        inner.clock += 1;
        let used = inner.clock;
        inner.all.insert(name, (shared, used));
    }

    /// A session.
    pub fn get(&self, name: &str) -> Result<Shared, ApiError> {
        let mut inner = self.lock();
        inner.clock += 1;
        let now = inner.clock;
        match inner.all.get_mut(name) {
            Some((shared, used)) => {
                *used = now;
                Ok(shared.clone())
            }
            None => Err(ApiError::new(StatusCode::NOT_FOUND, "there is no such session, or it was given up")),
        }
    }

    /// Forgets a session.
    pub fn remove(&self, name: &str) {
        self.lock().all.remove(name);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lock().all.len()
    }
}
