//! Connections: how many, how slow, and how they end.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::{App, Server, Settings, make_app};

/// How long requests in progress may take after the server was told to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// Answers requests until `stop` is done; then ends all searches, and the program may end.
///
/// # Errors
/// Never at present; connections that fail concern only whoever made them.
pub async fn serve(app: App, listener: TcpListener, stop: impl Future<Output = ()>) -> std::io::Result<()> {
    let mut builder = http1::Builder::new();
    // Someone who sends a header letter by letter does not keep a connection for ever.
    builder.timer(TokioTimer::new()).header_read_timeout(app.bench.settings.arrival);
    let room = Arc::new(Semaphore::new(app.bench.settings.connections));
    let service = TowerToHyperService::new(make_app(app.clone()));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let seat = tokio::select! {
            seat = room.clone().acquire_owned() => seat,
            () = &mut stop => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (Ok(seat), Ok((stream, _))) = (seat, accepted) else {
            // Out of handles, most likely: wait until some are given back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Answers are small, and someone is waiting for them.
        _ = stream.set_nodelay(true);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service.clone()));
        tokio::spawn(async move {
            _ = connection.await;
            drop(seat);
        });
    }
    app.stop();
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(PATIENCE) => {}
    }
    Ok(())
}

/// Serves until the program is interrupted (Ctrl-C) or asked to end. `ready` is told the address.
///
/// # Errors
/// If the address cannot be listened at, or threads cannot be started.
pub fn run(
    address: &str,
    port: u16,
    settings: Settings,
    ready: impl FnOnce(SocketAddr),
) -> std::io::Result<()> {
    let app = Server::start(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(16)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind((address, port)).await?;
        ready(listener.local_addr()?);
        serve(app, listener, interrupted()).await
    });
    // Searches look at their flags often, but nobody should have to wait for them.
    runtime.shutdown_timeout(PATIENCE);
    served
}

async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut end) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = end.recv() => {}
            }
            return;
        }
    }
    _ = tokio::signal::ctrl_c().await;
}
