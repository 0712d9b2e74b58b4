//! The accept loop: at most so many connections at once, and none that takes its time with the head of a request.

use super::guard::{Guard, Peer};
use crate::runner::{Code, Refusal};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
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

/// How often it is recorded, at the most, that there are too many connections.
const BUSY_RECORD: Duration = Duration::from_secs(1);

/// Serves until `end`. The guard records who is turned away before there is a request.
pub(crate) async fn listen(
    listener: TcpListener,
    routes: Router,
    guard: Arc<Guard>,
    end: CancellationToken,
) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut busy_since = None;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = end.cancelled() => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Most often this process has too many open files; some will be closed.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let guard = Arc::clone(&guard);
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            // Whoever does not get this answer sees the connection close.
            let _ = stream.try_write(BUSY);
            if busy_since.is_none_or(|since: Instant| since.elapsed() >= BUSY_RECORD) {
                busy_since = Some(Instant::now());
                tokio::spawn(async move {
                    guard.record("a connection".to_owned(), Some(peer), crowded()).await;
                });
            }
            continue;
        };
        let heard = Heard::default();
        let connection = connection(stream, peer, routes.clone(), heard.clone());
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks the connection harms nobody else.
            let ended = connection.await;
            drop(slot);
            if ended.is_err_and(|error| error.is_timeout()) && heard.within_a_request() {
                guard.record("a connection".to_owned(), Some(peer), slow()).await;
            }
        });
    }
    let _ = tokio::time::timeout(LAST_ANSWERS, graceful.shutdown()).await;
}

fn slow() -> Refusal {
    let seconds = HEAD_TIME.as_secs();
    Refusal::new(
        Code::Timeout,
        format!("the head of the request took too long to arrive; {seconds} s are allowed"),
    )
}

fn crowded() -> Refusal {
    Refusal::new(
        Code::Policy,
        format!("there are too many connections; {MAX_CONNECTIONS} at once are allowed"),
    )
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    routes: Router,
    heard: Heard,
) -> http1::Connection<TokioIo<Stream>, Served> {
    let _ = stream.set_nodelay(true);
    let stream = Stream { inner: stream, heard: heard.clone() };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), Served { routes, peer, heard })
}

/// The routes for one connection; its requests carry the address of its other end.
struct Served {
    routes: Router,
    peer: SocketAddr,
    heard: Heard,
}

impl Service<Request<Incoming>> for Served {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(Peer(self.peer));
        let answer = TowerToHyperService::new(self.routes.clone()).call(request);
        let heard = self.heard.clone();
        Box::pin(async move {
            let answer = answer.await;
            heard.0.store(false, Ordering::Relaxed);
            answer
        })
    }
}

/// Whether anything came since the last answer: then a connection that is too slow is not just idle.
#[derive(Debug, Clone, Default)]
struct Heard(Arc<AtomicBool>);

impl Heard {
    fn within_a_request(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection that notes when something comes.
struct Stream {
    inner: TcpStream,
    heard: Heard,
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            self.heard.0.store(true, Ordering::Relaxed);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}
