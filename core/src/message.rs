//! Frames: messages exactly as they came off the wire, with everything odd about their bytes.

use crate::pointer::Members;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// One message from the server as observed, judged by lints, never normalised.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The bytes of the message: a line without its terminator, an HTTP body, or the data of an SSE event.
    pub bytes: Arc<[u8]>,
    /// The JSON in `bytes`, when it is JSON.
    pub value: Option<Value>,
    /// What is odd about the bytes, in the order found.
    pub anomalies: Vec<Anomaly>,
    /// How the frame arrived.
    pub channel: Channel,
}

/// How a frame arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A line on standard output.
    Line,
    /// The body of an HTTP response.
    HttpBody,
    /// An event of the SSE stream that answers a POST.
    PostStream,
    /// An event of the stand-alone SSE stream opened with GET.
    GetStream,
    /// A message of an in-process server.
    Memory,
}

/// Something about a frame's bytes that a well-behaved server does not produce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Anomaly {
    /// The bytes are not UTF-8; `offset` is the first bad byte.
    NotUtf8 {
        /// Byte offset.
        offset: usize,
    },
    /// The text is not one JSON value; `offset` is where parsing stopped.
    NotJson {
        /// Byte offset.
        offset: usize,
        /// What the parser said.
        reason: String,
    },
    /// An object has the same member twice.
    DuplicateKey {
        /// JSON Pointer of the repeated member.
        pointer: String,
    },
    /// A string has half of a surrogate pair as a `\u` escape, which is no character; some parsers refuse the whole message.
    UnpairedSurrogate {
        /// Byte offset of the escape.
        offset: usize,
    },
    /// The frame starts with a byte order mark.
    ByteOrderMark,
    /// The line ends in CR LF.
    CarriageReturn,
    /// The line is empty.
    BlankLine,
    /// The stream ended before the line's terminator.
    Unterminated,
    /// The frame is longer than the cap and was cut.
    TooLong {
        /// Bytes seen before reading stopped keeping them.
        bytes: usize,
    },
    /// A JSON-RPC batch (array) where single messages are due.
    Batch,
}

/// What a frame is in JSON-RPC terms, by its members alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// `method` and `id`.
    Request,
    /// `method` without `id`.
    Notification,
    /// `id` and `result`.
    Result,
    /// `error`, with or without `id`.
    Error,
    /// Anything else: not JSON, not an object, or a mixture of kinds.
    Invalid,
}

impl Frame {
    /// What kind of message this is; mixtures such as `result` with `error` are [`FrameKind::Invalid`].
    pub fn kind(&self) -> FrameKind {
        let Some(Value::Object(members)) = &self.value else {
            return FrameKind::Invalid;
        };
        let has = |name: &str| members.member(name).is_some();
        match (has("method"), has("result"), has("error")) {
            (true, false, false) if has("id") => FrameKind::Request,
            (true, false, false) => FrameKind::Notification,
            (false, true, false) => FrameKind::Result,
            (false, false, true) => FrameKind::Error,
            _ => FrameKind::Invalid,
        }
    }

    /// The `method` member, for requests and notifications.
    pub fn method(&self) -> Option<&str> {
        self.value.as_ref()?.member("method")?.as_str()
    }

    /// The `id` member as sent, if there is one.
    pub fn id(&self) -> Option<&Value> {
        self.value.as_ref()?.member("id")
    }

    /// The start of the bytes as text, for messages to people; at most `limit` characters.
    pub fn preview(&self, limit: usize) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut shown: String = text.chars().take(limit).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    }
}
