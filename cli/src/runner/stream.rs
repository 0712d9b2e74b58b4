//! A script's output as it comes: server-sent events with one JSON object each.

use super::execute::{Finished, Happening, Stream};
use super::service::Running;
use axum::body::Bytes;
use hyper::body::{Body, Frame};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// How often a caller hears that the script still runs.
const EVERY: Duration = Duration::from_secs(5);

/// The events of a run, as the body of an answer: `ping` at once and then every few seconds, `stdout` and `stderr` line by
/// line, and at the end `end` or `error`. Dropping it ends the script.
#[derive(Debug)]
pub(super) struct Events {
    running: Option<Running>,
    ping: Interval,
}

impl Events {
    pub(super) fn of(running: Running) -> Self {
        let mut ping = interval(EVERY);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { running: Some(running), ping }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.running.is_none() {
            return Poll::Ready(None);
        }
        if self.ping.poll_tick(cx).is_ready() {
            return frame("ping", &json!({ "t": milliseconds() }));
        }
        let happened = match self.running.as_mut().map(|running| running.poll_next(cx)) {
            Some(Poll::Ready(happened)) => happened,
            Some(Poll::Pending) => return Poll::Pending,
            None => None,
        };
        match happened {
            Some(Happening::Line(stream, line)) => {
                let name = if stream == Stream::Stdout { "stdout" } else { "stderr" };
                frame(name, &json!({ "line": line.text }))
            }
            Some(Happening::Done(done)) => {
                self.running = None;
                let (name, document) = last(done);
                frame(name, &document)
            }
            None => {
                self.running = None;
                Poll::Ready(None)
            }
        }
    }
}

fn last(done: Result<Finished, super::Refusal>) -> (&'static str, Value) {
    let ended = done.and_then(|Finished { duration_ms, truncated, end }| {
        Ok(json!({ "exitCode": end?, "duration_ms": duration_ms, "truncated": truncated }))
    });
    match ended {
        Ok(document) => ("end", document),
        Err(refusal) => ("error", json!(refusal)),
    }
}

fn frame(name: &str, document: &Value) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
    // JSON has no line feeds, so the object is one line of the event.
    let event = format!("event: {name}\ndata: {document}\n\n");
    Poll::Ready(Some(Ok(Frame::data(event.into()))))
}

fn milliseconds() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}
