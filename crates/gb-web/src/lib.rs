//! The bench in the browser: a server for this machine, with its page inside.
//!
//! [`make_app`] is used by the program and by the tests alike. Requests are answered at once; what takes longer is sent to
//! the [`engine`], and its progress comes back as server-sent events. `docs/api.md` describes the interface.

pub mod analysts;
mod api;
mod assets;
mod body;
mod calculator;
pub mod catalog;
pub mod engine;
mod error;
mod guard;
mod proofs;
mod searches;
mod server;
mod sessions;
mod settings;
mod trainer;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use gb_engine::Engine;

pub use assets::sizes;
pub use error::ApiError;
pub use server::{run, serve};
pub use settings::Settings;

/// Everything that requests share.
pub struct Server {
    settings: Settings,
    catalog: Arc<catalog::AllGames>,
    sessions: sessions::Sessions,
    searches: searches::Searches,
    engine: engine::Pool<Engine>,
    calculators: engine::Pool<()>,
}

/// The server, shared.
pub type App = Arc<Server>;

/// An engine that holds more than this is cleared away after a search, so that memory goes back to its level.
const WORN_DESK: u64 = 32 << 20;

impl Server {
    /// Starts the engine.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn start(settings: Settings) -> std::io::Result<App> {
        let threads = settings.threads;
        let is_worn = |engine: &Engine| engine.store.bytes() > WORN_DESK;
        let engine = engine::Pool::start(
            "search",
            settings.searches,
            settings.waiting,
            move || Engine::new(threads),
            is_worn,
        )?;
        let calculators = engine::Pool::start("calculator", 2, settings.waiting, || (), |()| false)?;
        let sessions = sessions::Sessions::new(settings.sessions);
        let searches = searches::Searches::default();
        Ok(Arc::new(Server { settings, catalog: Arc::default(), sessions, searches, engine, calculators }))
    }

    /// Stops all searches, so that the program can end.
    pub fn stop(&self) {
        self.searches.stop_all();
    }

    /// How many searches are running or waiting.
    pub fn running(&self) -> usize {
        self.searches.len()
    }
}

/// The routes.
pub fn make_app(app: App) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/{file}", get(assets::file))
        .route("/api/games", get(api::games))
        .route("/api/games/{name}/picture", get(api::example))
        .route("/api/status", get(api::status))
        .route("/api/sessions", post(api::open))
        .route("/api/sessions/{id}", get(api::view).post(api::command).delete(api::close))
        .route("/api/sessions/{id}/record", get(api::record))
        .route("/api/sessions/{id}/picture", get(api::picture))
        .route("/api/sessions/{id}/analysis", post(searches::analysis))
        .route("/api/sessions/{id}/engine", post(searches::engine_move))
        .route("/api/sessions/{id}/explore", post(searches::explore))
        .route("/api/sessions/{id}/proof", post(proofs::prove))
        .route("/api/check", post(proofs::check))
        .route("/api/sessions/{id}/lesson", post(trainer::lesson))
        .route("/api/exercises", get(trainer::exercises))
        .route("/api/searches/{id}/stop", post(searches::stop))
        .route("/api/calc", post(calculator::calculate))
        .fallback(api::nothing)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
