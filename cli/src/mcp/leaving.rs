//! Clients that go away. A lost connection is no cancellation in the revisions with sessions, for the client may come back for the
//! rest of its answer; one that does not come back must not leave a run behind.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Body as _, Frame, SizeHint};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long a client may be away.
const AWAY: Duration = Duration::from_secs(10);
const SESSION: &str = "mcp-session-id";

/// Handed to the handler of a request: set once its client is gone for good.
#[derive(Clone)]
pub(crate) struct Gone(Arc<CancellationToken>);

impl Gone {
    /// Waits until the client is gone.
    pub(crate) async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// How many streams each session listens to.
static LISTENING: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);

/// Watches the answers of requests within sessions.
pub(super) async fn watch(mut request: Request, next: Next) -> Response {
    let session = request.headers().get(SESSION).and_then(|value| value.to_str().ok());
    let Some(session) = session.map(str::to_owned) else { return next.run(request).await };
    let gone = Arc::new(CancellationToken::new());
    let end = if request.method() == Method::GET {
        End::Listening(Listening::new(session))
    } else {
        request.extensions_mut().insert(Gone(Arc::clone(&gone)));
        End::Answer { session, gone: Arc::downgrade(&gone) }
    };
    drop(gone);
    let ends = request.method() == Method::DELETE;
    let (mut head, body) = next.run(request).await.into_parts();
    if ends && head.status == StatusCode::ACCEPTED {
        // Clients know 200 and 204 as the end of a session, and warn of others.
        head.status = StatusCode::NO_CONTENT;
    }
    Response::from_parts(head, Body::new(Watched { inner: body, end: Some(end) }))
}

/// What the end of an answer means.
enum End {
    /// A stream of the session is gone.
    Listening(#[expect(dead_code, reason = "its end is what it does")] Listening),
    /// Nobody waits for this answer any more. The handler holds the other end while it works.
    Answer { session: String, gone: Weak<CancellationToken> },
}

/// Counts a stream of a session for as long as it lives.
struct Listening(String);

impl Listening {
    fn new(session: String) -> Self {
        *listening().entry(session.clone()).or_default() += 1;
        Self(session)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut all = listening();
        if let Some(count) = all.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.0);
            }
        }
    }
}

fn listening() -> std::sync::MutexGuard<'static, HashMap<String, usize>> {
    LISTENING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A body that tells when it is dropped before its end.
struct Watched {
    inner: Body,
    end: Option<End>,
}

impl hyper::body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        if frame.is_none() {
            self.end = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Some(End::Answer { session, gone }) = self.end.take() else { return };
        if self.inner.is_end_stream() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(give_up(session, gone));
        }
    }
}

/// Sets the handler's token once its session listens nowhere, unless the handler is done before.
async fn give_up(session: String, gone: Weak<CancellationToken>) {
    loop {
        tokio::time::sleep(AWAY).await;
        let Some(gone) = gone.upgrade() else { return };
        if !listening().contains_key(&session) {
            gone.cancel();
            return;
        }
    }
}
