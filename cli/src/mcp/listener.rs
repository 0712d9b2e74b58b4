//! The accept loop: at most so many connections at once, and none that takes its time with the head of a request.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Connections at once.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// How long the head of a request may take to arrive; also how long a connection may be idle.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(15);
/// How long answers that are under way may take once the end is wanted.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\nconnection: close\r\n\r\n";

/// Serves until `end`.
pub(crate) async fn listen(listener: TcpListener, routes: Router, end: CancellationToken) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end.cancelled() => break,
        };
        let Ok((stream, _)) = accepted else {
            // Most often this process has too many open files; some will be closed.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        match Arc::clone(&slots).try_acquire_owned() {
            Ok(slot) => {
                let connection = graceful.watch(connection(stream, routes.clone()));
                tokio::spawn(async move {
                    // A client that breaks the connection harms nobody else.
                    let _ = connection.await;
                    drop(slot);
                });
            }
            // Whoever does not get this answer sees the connection close.
            Err(_) => drop(stream.try_write(BUSY)),
        }
    }
    let _ = tokio::time::timeout(LAST_ANSWERS, graceful.shutdown()).await;
}

fn connection(
    stream: TcpStream,
    routes: Router,
) -> http1::Connection<TokioIo<TcpStream>, TowerToHyperService<Router>> {
    let _ = stream.set_nodelay(true);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes))
}
