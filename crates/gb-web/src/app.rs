//! What the server is made of, and its routes.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};
use gb_engine::Engine;

use crate::bench::Bench;
use crate::settings::Settings;
use crate::{api, assets, engine, guard, searches};

/// Everything that requests share.
pub struct Server {
    pub(crate) bench: Arc<Bench>,
    pub(crate) searches: searches::Searches,
    pub(crate) engine: engine::Pool<Engine>,
    pub(crate) calculators: engine::Pool<()>,
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
        let searches = searches::Searches::default();
        let bench = Arc::new(Bench::new(settings, searches::random_name));
        Ok(Arc::new(Server { bench, searches, engine, calculators }))
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

/// The routes. Those of the bench are found by [`bench::Route`](crate::bench::Route).
pub fn make_app(app: App) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/{file}", get(assets::file))
        .route("/api/status", get(api::status))
        .route("/api/searches/{id}/stop", post(searches::stop))
        .route("/api/{*rest}", any(api::answer))
        .fallback(api::nothing)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
