//! Exchanges: a request, what came back, and everything seen in between.

use crate::message::Frame;
use crate::pointer::Members;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Duration;

/// One request and its outcome.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The method.
    pub method: String,
    /// The `params` as sent (after bindings were filled in and `_meta` was added), or null.
    pub params: Value,
    /// The request's id as sent.
    pub id: Value,
    /// What came back.
    pub reply: Reply,
    /// The frame that carried the answer. In its `value` the `result` is null: it was moved to `reply`, not copied.
    pub frame: Option<Frame>,
    /// Other frames that arrived while waiting: notifications, requests of the server, stray messages.
    pub side: Vec<Frame>,
    /// The HTTP response, on HTTP transports.
    pub http: Option<HttpExchange>,
    /// Results of type `input_required` that the tester answered before this reply came (2026-07-28), oldest first.
    pub rounds: Vec<Value>,
    /// From the first byte sent to the answer's last byte, or to giving up.
    pub elapsed: Duration,
    /// See [`Exchange::document`].
    pub documents: Documents,
}

/// JSON documents in text blocks, read when first asked for: several parts of the engine look at each. A copy reads them anew.
#[derive(Debug, Default)]
pub struct Documents(OnceLock<Vec<Option<Value>>>);

impl Clone for Documents {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Text blocks of one result that are read as JSON.
const DOCUMENTS: usize = 8;

/// What came back for a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A JSON-RPC result.
    Result(Value),
    /// A JSON-RPC error, its members as sent.
    Error(RpcError),
    /// Something with the right id that is neither result nor error, or (HTTP) a body that is no JSON-RPC message.
    Malformed(String),
    /// Nothing came before the deadline.
    Silence {
        /// Whether the server still answered another request (a ping or a discover) meanwhile.
        responsive: bool,
    },
    /// The process ended or the connection was closed before an answer came.
    Closed(Exit),
}

/// The `error` member of a JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The code; `None` where it is no integer.
    pub code: Option<i64>,
    /// The message; empty where it is no string.
    pub message: String,
    /// The whole `error` member as sent.
    pub raw: Value,
}

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Exit {
    /// The exit code, if the process ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal's number, if one ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// What is known otherwise, for example "connection reset".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The end of standard error, at most 64 KiB.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// The HTTP side of an exchange.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpExchange {
    /// The status code.
    pub status: u16,
    /// The response headers in order, names as sent.
    pub headers: Vec<(String, String)>,
    /// The body where it was not an event stream; at most the frame cap.
    pub body: Vec<u8>,
    /// The events where it was one; of a stream that never ends, the first 1000.
    pub events: Vec<SseEvent>,
    /// Whether the server ended the stream (rather than the tester).
    pub ended: bool,
    /// What broke below HTTP, if something did. Without a response `status` is 0.
    pub fault: Option<HttpFault>,
}

/// Why an HTTP request got no response, or only a part of one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpFault {
    /// Nothing listens at the port.
    #[error("connection refused")]
    Refused,
    /// The host's name has no address, or no route leads there.
    #[error("{0}")]
    Unreachable(String),
    /// The TLS handshake failed.
    #[error("{0}")]
    Tls(String),
    /// The connection broke or was closed too early.
    #[error("{0}")]
    Closed(String),
    /// What came is not HTTP.
    #[error("{0}")]
    NotHttp(String),
    /// The tester stopped waiting.
    #[error("no response in time")]
    Timeout,
}

impl HttpExchange {
    /// The first header of that name, compared without case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// One server-sent event as parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    /// The `event` field; empty means `message`.
    pub event: String,
    /// The `data` lines joined with newlines.
    pub data: String,
    /// The `id` field, if present.
    pub id: Option<String>,
    /// The `retry` field in milliseconds, if present and numeric.
    pub retry: Option<u64>,
}

impl Exchange {
    /// The result value, if there is one.
    pub fn result(&self) -> Option<&Value> {
        match &self.reply {
            Reply::Result(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the result says `isError: true`.
    pub fn is_tool_error(&self) -> bool {
        self.result().and_then(|r| r.member("isError")).and_then(Value::as_bool) == Some(true)
    }

    /// The JSON object or array that is the whole text of the content block with that index, if it is one; of the first eight blocks.
    pub fn document(&self, block: usize) -> Option<&Value> {
        let read = |block: &Value| json_text(block.member("text")?.as_str()?);
        let blocks = || self.result().and_then(|r| r.member("content")).and_then(Value::as_array);
        let documents = self
            .documents
            .0
            .get_or_init(|| blocks().into_iter().flatten().take(DOCUMENTS).map(read).collect());
        documents.get(block)?.as_ref()
    }

    /// The text blocks of the result's `content`, joined with newlines.
    pub fn text(&self) -> String {
        let blocks = self.result().and_then(|r| r.member("content")).and_then(Value::as_array);
        let texts = blocks.into_iter().flatten().filter_map(|b| b.member("text")?.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// The JSON object or array that a text is, if it is one.
pub(crate) fn json_text(text: &str) -> Option<Value> {
    let begins = text.trim_start().starts_with(['{', '[']);
    begins.then(|| serde_json::from_str(text).ok()).flatten()
}
