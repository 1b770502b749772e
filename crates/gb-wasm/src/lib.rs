//! The bench as WebAssembly, for a page without a server.
//!
//! A page has several workers with an instance each: one keeps the sessions and answers at once (`answer`, `finish`), the others
//! carry out the tasks that it hands over (`run`). Texts go in by `input` and come out by `output`; what is known while a task
//! goes on is told by the page's `tell`. Nothing here can be interrupted, but every search asks for the time again and again, and
//! there the page may `cancel` it.

#![cfg(all(target_family = "wasm", target_os = "unknown"))]
// Sound because nothing is done with pointers here: names are claimed that nobody else has, the page's functions take and give
// numbers, and a page that writes elsewhere than it was told harms only itself.
#![allow(unsafe_code)]

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use gb_engine::Engine;
use gb_value::{Budget, Cancel};
use gb_web::analysts::Event;
use gb_web::bench::{Reply, Route, Step};
use gb_web::task::{Found, Task, Then};
use gb_web::{ApiError, Bench, Settings};
use serde_json::{Value as Json, json};

#[global_allocator]
static ALLOCATOR: gb_memory::Counting = gb_memory::Counting;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// A random number from 0 to 1.
    safe fn random() -> f64;
    /// [`output`] holds something to be told while a task goes on.
    safe fn tell();
    /// [`output`] holds why the program is about to end.
    safe fn fail();
}

/// Bytes that a search may hold: a page has at most 4 GB, and memory it once had is never given back.
const MEMORY: u64 = 1 << 30;

static INPUT: Mutex<Vec<u8>> = Mutex::new(vec![]);
static OUTPUT: Mutex<String> = Mutex::new(String::new());
static BENCH: LazyLock<Bench> =
    LazyLock::new(|| Bench::new(Settings { search_memory: MEMORY, ..Settings::default() }, name));
static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(1));
/// What ends the search that runs, and what it has spent.
static RUNNING: Mutex<Option<(Cancel, Arc<Budget>)>> = Mutex::new(None);

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name that no other page of this browser has.
fn name() -> Result<String, ApiError> {
    Ok(format!("{:013x}{:013x}", (random() * 2f64.powi(52)) as u64, (random() * 2f64.powi(52)) as u64))
}

fn answered(data: Json) {
    *lock(&OUTPUT) = data.to_string();
}

fn reply(reply: Reply) -> Json {
    json!({ "status": reply.status.as_u16(), "kind": reply.kind, "file": reply.file, "body": reply.body })
}

fn refused(error: ApiError) -> Json {
    let body = json!({ "error": error.message }).to_string();
    json!({ "status": error.status.as_u16(), "kind": "application/json", "body": body })
}

/// To be called before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    gb_value::clock::lend(|| now());
    std::panic::set_hook(Box::new(|panic| {
        // Whoever panics may hold a lock, and there is no other thread to wait for.
        if let Ok(mut output) = OUTPUT.try_lock() {
            *output = panic.to_string();
            drop(output);
            fail();
        }
    }));
}

/// Where to write a text of so many bytes before it is asked about.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    input.clear();
    input.resize(bytes, 0);
    input.as_mut_ptr()
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    lock(&OUTPUT).as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    lock(&OUTPUT).len()
}

/// A request: a method, a path and a body as a list. The answer is a reply (`status`, `kind`, `body`), or a `task` that has to be
/// [`run`] elsewhere, and [`finish`]ed here.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let asked = std::mem::take(&mut *lock(&INPUT));
    let (method, path, body): (String, String, String) = serde_json::from_slice(&asked).unwrap_or_default();
    let step = Route::find(&method, &path).and_then(|route| BENCH.answer(route, body.as_bytes()));
    answered(match step {
        Ok(Step::Done(done)) => reply(done),
        Ok(Step::Search(task)) => json!({ "tells": task.tells(), "then": task.then, "task": task }),
        Err(error) => refused(error),
    });
}

/// Carries out a task. The answer is what was `found`, or a reply that says why nothing was.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    let asked = std::mem::take(&mut *lock(&INPUT));
    let task: Task = match serde_json::from_slice(&asked) {
        Ok(task) => task,
        Err(error) => return answered(refused(ApiError::input(error.to_string()))),
    };
    let cancel = Cancel::default();
    let effort = task.effort(&cancel);
    *lock(&RUNNING) = Some((cancel, effort.budget.clone()));
    let told = |event: Event| {
        answered(json!({ "event": event.event, "data": event.data }));
        tell();
    };
    let found = task.work.run(&ENGINE, BENCH.games(), &effort, &told);
    *lock(&RUNNING) = None;
    answered(match found {
        Ok(found) => json!({ "found": found }),
        Err(error) => refused(error),
    });
}

/// The answer to a request, from a list of what was to become of its task and what was found.
#[unsafe(no_mangle)]
pub extern "C" fn finish() {
    let asked = std::mem::take(&mut *lock(&INPUT));
    let read: Result<(Then, Found), _> = serde_json::from_slice(&asked);
    let finished = match read {
        Ok((then, found)) => BENCH.finish(then, found),
        Err(error) => Err(ApiError::input(error.to_string())),
    };
    answered(finished.map_or_else(refused, reply));
}

/// Ends the task that runs. May be called by the page's clock.
#[unsafe(no_mangle)]
pub extern "C" fn cancel() {
    if let Some((cancel, _)) = &*lock(&RUNNING) {
        cancel.cancel();
    }
}

/// How many nodes the task has spent that runs. May be called by the page's clock.
#[unsafe(no_mangle)]
pub extern "C" fn nodes() -> f64 {
    lock(&RUNNING).as_ref().map_or(0.0, |(_, budget)| budget.nodes() as f64)
}
