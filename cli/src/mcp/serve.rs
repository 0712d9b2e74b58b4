//! Serving, and ending with everything that was started.

use super::guard::Guard;
use super::http;
use super::listener;
use super::server::Server;
use crate::failure::{CommandResult, Failure};
use crate::{exit, output};
use rmcp::ServiceExt as _;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tooltest_core::session::CancelToken;

/// How often the wish to end is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// MCP on standard input and output, until the input ends.
pub(crate) fn over_stdio(server: &Server, cancel: &CancelToken) -> CommandResult {
    block_on(async {
        let (input, output) = rmcp::transport::io::stdio_pipes();
        // What runs for a client ends with its input; short answers that are under way still go out.
        let input = UntilEnd { inner: input, end: server.runs().end().clone() };
        let session = async {
            // A client that goes away before it says anything is no fault.
            if let Ok(service) = server.clone().serve((input, output)).await {
                let _ = service.waiting().await;
            }
        };
        tokio::select! {
            () = session => {}
            () = until(cancel) => {}
        }
        finish(server).await;
        Ok(exit::PASSED)
    })
}

/// MCP over HTTP at `/mcp`, until the user wants an end.
pub(crate) fn over_http(
    server: &Server,
    guard: Guard,
    bind: SocketAddr,
    cancel: &CancelToken,
) -> CommandResult {
    block_on(async {
        let failed = |error: std::io::Error| Failure::file(format!("--bind {bind}"), &error);
        let listener = TcpListener::bind(bind).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let end = server.runs().end().clone();
        let guard = Arc::new(guard.recording(server.runner().cloned()));
        let routes = http::routes(server, Arc::clone(&guard), &end);
        output::note(&format!("tooltest: listening on http://{address}/mcp"));
        let listening = tokio::spawn(listener::listen(listener, routes, guard, end.clone()));
        until(cancel).await;
        finish(server).await;
        let _ = listening.await;
        Ok(exit::PASSED)
    })
}

/// Ends everything that was started.
async fn finish(server: &Server) {
    if let Some(runner) = server.runner() {
        runner.finish().await;
    }
    server.runs().finish().await;
}

/// Waits until the user wants an end.
async fn until(cancel: &CancelToken) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(LOOK).await;
    }
}

fn block_on(work: impl Future<Output = CommandResult>) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::file("the runtime", &error))?;
    let done = runtime.block_on(work);
    // A read of standard input that is still waiting must not hold the process.
    runtime.shutdown_background();
    done
}

/// Standard input that tells when it ends: then the client is gone, and what runs for it ends.
struct UntilEnd<R> {
    inner: R,
    end: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let is_over = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_over {
            self.end.cancel();
        }
        read
    }
}
