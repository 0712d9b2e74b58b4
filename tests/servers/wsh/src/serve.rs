//! Starting the server, and ending it with everything it started.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Config};
use crate::http;
use crate::mcp::Wsh;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// MCP on standard input and output, HTTP beside it. Ends when standard input does.
pub(crate) async fn mcp(bind: SocketAddr, config: Config) -> Outcome {
    let app = Arc::new(App::new(config));
    let end = CancellationToken::new();
    let listening = listen(bind, &app, &end).await?;
    let connection = crate::bugs::wire::stdio(&end);
    tokio::select! {
        served = Wsh::new(Arc::clone(&app)).serve(connection) => match served {
            Ok(service) => {
                let ending = service.cancellation_token();
                tokio::select! {
                    waited = service.waiting() => { waited?; }
                    () = asked_to_end() => ending.cancel(),
                }
            }
            // A client that goes away before it says anything is no fault.
            Err(error) => tracing::info!(%error, "the client left before the connection was made"),
        },
        () = asked_to_end() => {}
    }
    finish(&app, &end, listening).await
}

/// The HTTP API and MCP over HTTP. Ends when it is asked to.
pub(crate) async fn serve(bind: SocketAddr, config: Config) -> Outcome {
    let app = Arc::new(App::new(config));
    let end = CancellationToken::new();
    let listening = listen(bind, &app, &end).await?;
    asked_to_end().await;
    finish(&app, &end, listening).await
}

/// Binds, tells where, and serves in the background until `end`.
async fn listen(
    bind: SocketAddr,
    app: &Arc<App>,
    end: &CancellationToken,
) -> Result<JoinHandle<()>, String> {
    let listener = TcpListener::bind(bind)
        .await
        .map_err(|error| format!("{bind} cannot be bound: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!("listening on http://{address}");
    let server = axum::serve(listener, http::routes(app, end))
        .with_graceful_shutdown(end.clone().cancelled_owned());
    Ok(tokio::spawn(async move {
        if let Err(error) = server.await {
            tracing::error!(%error, "the HTTP side failed");
        }
    }))
}

/// Ends programs first, then connections; a connection that does not end is left.
async fn finish(app: &App, end: &CancellationToken, listening: JoinHandle<()>) -> Outcome {
    app.sessions.end().await;
    end.cancel();
    let _ = tokio::time::timeout(std::time::Duration::from_millis(500), listening).await;
    Ok(())
}

/// Waits for the signals that ask a process to end.
async fn asked_to_end() {
    let wait = |kind| async move {
        match signal(kind) {
            Ok(mut signals) => {
                signals.recv().await;
            }
            Err(error) => {
                tracing::warn!(%error, "a signal cannot be handled");
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        () = wait(SignalKind::terminate()) => {}
        () = wait(SignalKind::interrupt()) => {}
        () = wait(SignalKind::hangup()) => {}
    }
}
