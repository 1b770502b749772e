//! The bench in the browser.
//!
//! [`Bench`] answers what pages ask, without threads and sockets; what takes longer is a [`Task`](task::Task). With the feature
//! `server` (the default) there is a server for this machine with the page inside: [`make_app`] is used by the program and by the
//! tests alike. It sends tasks to the [`engine`], and their progress comes back as server-sent events. Without it, `gb-wasm` runs the same
//! bench in the browser itself. `docs/api.md` describes the interface.

pub mod analysts;
pub mod bench;
mod calculator;
pub mod catalog;
mod error;
mod positions;
mod sessions;
mod settings;
pub mod task;
mod trainer;

#[cfg(feature = "server")]
mod api;
#[cfg(feature = "server")]
mod app;
#[cfg(feature = "server")]
mod assets;
#[cfg(feature = "server")]
mod body;
#[cfg(feature = "server")]
pub mod engine;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod searches;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "server")]
pub use app::{App, Server, make_app};
#[cfg(feature = "server")]
pub use assets::sizes;
pub use bench::Bench;
pub use error::ApiError;
#[cfg(feature = "server")]
pub use server::{run, serve};
pub use settings::Settings;
