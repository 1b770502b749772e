//! The engine: threads that work on what they are sent, so that whoever answers requests never waits for a search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::http::StatusCode;
use gb_value::Cancel;

use crate::error::ApiError;

/// Work to be done at a place that keeps something from one work to the next.
type Job<P> = Box<dyn FnOnce(&mut P) + Send>;

/// Some threads, and a queue of limited length before them.
pub struct Pool<P> {
    queue: SyncSender<Job<P>>,
    threads: usize,
}

impl<P: 'static> Pool<P> {
    /// Starts the threads. Each has a place of its own, made by `place`; `tidy` is called after each work, and the place is
    /// made anew if it says so or if the work has panicked.
    ///
    /// The threads end when the pool is dropped.
    pub fn start(
        name: &str,
        threads: usize,
        waiting: usize,
        place: impl Fn() -> P + Send + Sync + 'static,
        is_worn: impl Fn(&P) -> bool + Send + Sync + 'static,
    ) -> std::io::Result<Pool<P>> {
        let (queue, jobs) = sync_channel::<Job<P>>(waiting);
        let jobs: Arc<Mutex<Receiver<Job<P>>>> = Arc::new(Mutex::new(jobs));
        let makers = Arc::new((place, is_worn));
        for number in 0..threads.max(1) {
            let (jobs, makers) = (jobs.clone(), makers.clone());
            thread::Builder::new().name(format!("{name}-{number}")).stack_size(16 << 20).spawn(
                move || {
                    let (place, is_worn) = &*makers;
                    let mut here = place();
                    loop {
                        let next = jobs.lock().unwrap_or_else(|e| e.into_inner()).recv();
                        let Ok(job) = next else { break };
                        let done = catch_unwind(AssertUnwindSafe(|| job(&mut here)));
                        if done.is_err() || is_worn(&here) {
                            here = place();
                        }
                    }
                },
            )?;
        }
        Ok(Pool { queue, threads: threads.max(1) })
    }

    /// Has some work done as soon as a thread is free.
    ///
    /// # Errors
    /// If too much is waiting already.
    pub fn send(&self, job: impl FnOnce(&mut P) + Send + 'static) -> Result<(), ApiError> {
        match self.queue.try_send(Box::new(job)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!(
                    "all {} engines are busy, and too many requests are waiting: try again later",
                    self.threads
                ),
            )),
            Err(TrySendError::Disconnected(_)) => {
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the engine has stopped"))
            }
        }
    }
}

/// Cancels a search when whoever wanted to know is gone.
pub struct CancelOnDrop(pub Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_ends_the_work_but_not_the_thread() {
        let pool = Pool::start("test", 1, 4, || 0u32, |_| false).unwrap();
        let (tell, told) = channel();
        let done = tell.clone();
        pool.send(move |place| {
            *place = 7;
            done.send(*place).unwrap();
        })
        .unwrap();
        pool.send(|_| panic!("on purpose, in a test")).unwrap();
        pool.send(move |place| tell.send(*place).unwrap()).unwrap();
        assert_eq!((told.recv().unwrap(), told.recv().unwrap()), (7, 0), "the place is made anew");
    }

    #[test]
    fn the_queue_has_an_end() {
        let pool = Pool::start("test", 1, 1, || (), |_| false).unwrap();
        let (release, wait) = channel::<()>();
        let (begun, started) = channel();
        pool.send(move |()| {
            begun.send(()).unwrap();
            wait.recv().unwrap_or(());
        })
        .unwrap();
        started.recv().unwrap();
        pool.send(|()| {}).unwrap();
        let full = pool.send(|()| {}).unwrap_err();
        assert_eq!(full.status, StatusCode::SERVICE_UNAVAILABLE);
        drop(release);
    }
}
