//! A stream of a session's screen, for viewers.

use std::convert::Infallible;
use std::sync::{Arc, Weak};

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use serde_json::json;
use tokio::sync::watch::Receiver;
use tokio_util::sync::CancellationToken;

use super::reply::Problem;
use crate::app::App;
use crate::session::Session;

/// One viewer. It does not keep the session alive.
struct Viewer {
    session: Weak<Session>,
    attached: Receiver<u64>,
    output: Receiver<u64>,
    drawn: Receiver<()>,
    end: CancellationToken,
}

/// Sends the composed screen at once and after each change, until the session ends or viewers are detached.
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Extension(end): Extension<CancellationToken>,
    Path(name): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let session = app.sessions.find(&name)?;
    let (output, drawn) = session.changes();
    let mut viewer = Viewer {
        attached: session.attach(),
        output,
        drawn,
        end,
        session: Arc::downgrade(&session),
    };
    // The first screen comes at once.
    viewer.drawn.mark_changed();
    let stream = futures_util::stream::unfold(viewer, async |mut viewer| {
        let event = viewer.next().await?;
        Some((Ok(event), viewer))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

impl Viewer {
    async fn next(&mut self) -> Option<Event> {
        tokio::select! {
            () = self.end.cancelled() => return None,
            _ = self.attached.changed() => return None,
            change = self.drawn.changed() => change.ok()?,
            Ok(()) = self.output.changed() => {}
        }
        let session = self.session.upgrade()?;
        session.settle().await;
        let text = json!({"lines": session.composed()}).to_string();
        Some(Event::default().event("screen").data(text))
    }
}
