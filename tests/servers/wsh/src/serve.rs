//! Starting the server, and ending it with everything it started.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Config};
use crate::http;
use crate::mcp::Wsh;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// MCP on standard input and output, HTTP beside it. Ends when standard input does.
pub(crate) async fn mcp(bind: SocketAddr, config: Config) -> Outcome {
    let mut signals = EndSignals::catch()?;
    let app = Arc::new(App::new(config));
    let end = CancellationToken::new();
    let listening = listen(bind, &app, &end).await?;
    let connection = crate::bugs::wire::stdio();
    let session = async {
        match Wsh::new(Arc::clone(&app)).serve(connection).await {
            Ok(service) => drop(service.waiting().await),
            // A client that goes away before it says anything is no fault.
            Err(error) => tracing::info!(%error, "the client left before the connection was made"),
        }
    };
    tokio::select! {
        () = session => {}
        () = signals.asked() => {}
    }
    finish(&app, &end, listening).await
}

/// The HTTP API and MCP over HTTP. Ends when it is asked to.
pub(crate) async fn serve(bind: SocketAddr, config: Config) -> Outcome {
    let mut signals = EndSignals::catch()?;
    let app = Arc::new(App::new(config));
    let end = CancellationToken::new();
    let listening = listen(bind, &app, &end).await?;
    signals.asked().await;
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

/// The signals that ask a process to end. They are caught from the moment this is made.
struct EndSignals([Signal; 3]);

impl EndSignals {
    fn catch() -> std::io::Result<Self> {
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let [terminate, interrupt, hangup] = kinds.map(signal);
        Ok(Self([terminate?, interrupt?, hangup?]))
    }

    /// Waits for one of them.
    async fn asked(&mut self) {
        let [terminate, interrupt, hangup] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
