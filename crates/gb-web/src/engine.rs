//! The engine: threads that work on what they are sent, so that whoever answers requests never waits for a search.
//!
//! Searches obey their budgets, and end soon after they are cancelled. Should one ever fail to, a watchdog gives its thread
//! up and starts another, so that a search cannot take the engine away from everybody else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use gb_value::{Account, Cancel};

use crate::error::ApiError;

/// Work to be done at a place that keeps something from one work to the next.
pub struct Job<P> {
    /// What to do.
    pub work: Box<dyn FnOnce(&mut P) + Send>,
    /// How long it may take, counted from its beginning.
    pub time: Duration,
    /// Ends the work early.
    pub cancel: Cancel,
    /// What to say if the work had to be given up.
    pub lost: Box<dyn FnOnce() + Send>,
}

/// Work that is past its time by more than this is given up.
const GRACE: Duration = Duration::from_secs(2);
/// How often the watchdog looks.
const LOOK: Duration = Duration::from_millis(100);

/// What a thread is doing.
struct Doing {
    since: Instant,
    time: Duration,
    cancel: Cancel,
    /// When it was first seen to be cancelled.
    cancelled: Option<Instant>,
    lost: Box<dyn FnOnce() + Send>,
}

impl Doing {
    /// Whether nobody should wait for this any longer.
    fn is_past_hope(&mut self) -> bool {
        if self.cancel.is_cancelled() {
            return self.cancelled.get_or_insert_with(Instant::now).elapsed() > GRACE;
        }
        self.since.elapsed() > self.time + self.time / 10 + GRACE
    }
}

/// The threads of a pool, and what is known of them.
struct Crew<P> {
    name: String,
    jobs: Mutex<Receiver<Job<P>>>,
    make: Box<dyn Fn() -> P + Send + Sync>,
    is_worn: Box<dyn Fn(&P) -> bool + Send + Sync>,
    state: Mutex<CrewState>,
}

#[derive(Default)]
struct CrewState {
    /// By the number of the thread. A thread whose number is not here has been given up.
    threads: Vec<(usize, Option<Doing>)>,
    next: usize,
    lost: usize,
    is_over: bool,
}

impl<P: 'static> Crew<P> {
    fn state(&self) -> MutexGuard<'_, CrewState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hire(self: &Arc<Self>) -> std::io::Result<()> {
        let number = {
            let mut state = self.state();
            state.next += 1;
            let number = state.next;
            state.threads.push((number, None));
            number
        };
        let crew = self.clone();
        let thread = thread::Builder::new().name(format!("{}-{number}", self.name)).stack_size(16 << 20);
        thread.spawn(move || crew.work(number)).map(drop)
    }

    fn work(&self, number: usize) {
        // What a search takes, its thread pays for, and nobody else.
        let _account = Account::open().enter();
        let mut place = (self.make)();
        loop {
            let next = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { work, time, cancel, lost }) = next else { return };
            if !self.note(number, Some(Doing { since: Instant::now(), time, cancel, cancelled: None, lost }))
            {
                return;
            }
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut place)));
            if !self.note(number, None) {
                return;
            }
            if done.is_err() || (self.is_worn)(&place) {
                place = (self.make)();
            }
        }
    }

    /// Notes what a thread is doing. False if the thread has been given up.
    fn note(&self, number: usize, doing: Option<Doing>) -> bool {
        let mut state = self.state();
        let Some((_, slot)) = state.threads.iter_mut().find(|(other, _)| *other == number) else {
            return false;
        };
        *slot = doing;
        true
    }

    /// Gives up threads that do not end what they do, and hires others in their place.
    fn watch(self: &Arc<Self>) {
        loop {
            thread::sleep(LOOK);
            let mut lost = vec![];
            {
                let mut state = self.state();
                if state.is_over {
                    return;
                }
                state.threads.retain_mut(|(_, doing)| {
                    let is_lost = doing.as_mut().is_some_and(Doing::is_past_hope);
                    if is_lost {
                        lost.extend(doing.take());
                    }
                    !is_lost
                });
                state.lost += lost.len();
            }
            for doing in lost {
                doing.cancel.cancel();
                (doing.lost)();
                // Without a new thread there is one fewer; the others go on.
                let _ = self.hire();
            }
        }
    }
}

/// Some threads, and a queue of limited length before them.
pub struct Pool<P: 'static> {
    queue: SyncSender<Job<P>>,
    crew: Arc<Crew<P>>,
}

/// How busy a pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Threads.
    pub threads: usize,
    /// Those that are working.
    pub busy: usize,
    /// How many had to be given up so far, because they did not stop.
    pub lost: usize,
}

impl<P: 'static> Pool<P> {
    /// Starts the threads. Each has a place of its own, made by `make`, which is made anew after a work if `is_worn` says so
    /// or if the work has panicked.
    ///
    /// The threads end when the pool is dropped.
    pub fn start(
        name: &str,
        threads: usize,
        waiting: usize,
        make: impl Fn() -> P + Send + Sync + 'static,
        is_worn: impl Fn(&P) -> bool + Send + Sync + 'static,
    ) -> std::io::Result<Pool<P>> {
        let (queue, jobs) = sync_channel::<Job<P>>(waiting);
        let crew = Arc::new(Crew {
            name: name.to_owned(),
            jobs: Mutex::new(jobs),
            make: Box::new(make),
            is_worn: Box::new(is_worn),
            state: Mutex::default(),
        });
        for _ in 0..threads.max(1) {
            crew.hire()?;
        }
        let watched = crew.clone();
        thread::Builder::new().name(format!("{name}-watchdog")).spawn(move || watched.watch())?;
        Ok(Pool { queue, crew })
    }

    /// Has some work done as soon as a thread is free.
    ///
    /// # Errors
    /// If too much is waiting already.
    pub fn send(&self, job: Job<P>) -> Result<(), ApiError> {
        match self.queue.try_send(job) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!(
                    "all {} engines are busy, and too many requests are waiting: try again later",
                    self.load().threads
                ),
            )),
            Err(TrySendError::Disconnected(_)) => {
                Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the engine has stopped"))
            }
        }
    }

    /// How busy it is.
    pub fn load(&self) -> Load {
        let state = self.crew.state();
        let busy = state.threads.iter().filter(|(_, doing)| doing.is_some()).count();
        Load { threads: state.threads.len(), busy, lost: state.lost }
    }
}

impl<P> Drop for Pool<P> {
    fn drop(&mut self) {
        self.crew.state().is_over = true;
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

    fn job<P>(work: impl FnOnce(&mut P) + Send + 'static) -> Job<P> {
        Job {
            work: Box::new(work),
            time: Duration::from_secs(600),
            cancel: Cancel::default(),
            lost: Box::new(|| {}),
        }
    }

    #[test]
    fn a_panic_ends_the_work_but_not_the_thread() {
        let pool = Pool::start("test", 1, 4, || 0u32, |_| false).unwrap();
        let (tell, told) = channel();
        let done = tell.clone();
        pool.send(job(move |place: &mut u32| {
            *place = 7;
            done.send(*place).unwrap();
        }))
        .unwrap();
        pool.send(job(|_| panic!("on purpose, in a test"))).unwrap();
        pool.send(job(move |place: &mut u32| tell.send(*place).unwrap())).unwrap();
        assert_eq!((told.recv().unwrap(), told.recv().unwrap()), (7, 0), "the place is made anew");
    }

    #[test]
    fn the_queue_has_an_end() {
        let pool = Pool::start("test", 1, 1, || (), |_| false).unwrap();
        let (release, wait) = channel::<()>();
        let (begun, started) = channel();
        pool.send(job(move |()| {
            begun.send(()).unwrap();
            wait.recv().unwrap_or(());
        }))
        .unwrap();
        started.recv().unwrap();
        pool.send(job(|()| {})).unwrap();
        let full = pool.send(job(|()| {})).unwrap_err();
        assert_eq!(full.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(pool.load(), Load { threads: 1, busy: 1, lost: 0 });
        drop(release);
    }

    #[test]
    fn who_does_not_stop_is_given_up_and_replaced() {
        let pool = Pool::start("test", 1, 4, || (), |_| false).unwrap();
        let (release, wait) = channel::<()>();
        let (tell, told) = channel();
        let (say, said) = (tell.clone(), tell.clone());
        let deaf = Job {
            work: Box::new(move |()| wait.recv().unwrap_or(())),
            time: Duration::from_millis(1),
            cancel: Cancel::default(),
            lost: Box::new(move || say.send("lost").unwrap()),
        };
        pool.send(deaf).unwrap();
        pool.send(job(move |()| said.send("next").unwrap())).unwrap();
        assert_eq!((told.recv(), told.recv()), (Ok("lost"), Ok("next")));
        assert_eq!(pool.load().lost, 1);
        drop(release);
        // The one that was given up takes no more work.
        pool.send(job(move |()| tell.send("another").unwrap())).unwrap();
        assert_eq!(told.recv(), Ok("another"));
        assert_eq!(pool.load().threads, 1);
    }
}
