//! Frames that are no messages, told apart: who printed them, and why.

use crate::message::{Anomaly, Channel, Frame};
use serde_json::Value;

/// Why a frame is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// Something that starts like a message and is not JSON.
    BrokenJson,
    /// A line of text: a banner, a log line.
    Text,
    /// An empty line.
    Blank,
    /// A line of a message that is spread over several lines.
    Fragment,
    /// A header of another protocol's framing.
    Header,
    /// JSON, but no JSON-RPC message.
    OtherJson,
}

/// What is wrong with a frame that is no message; `None` for messages, good and bad.
pub(super) fn noise(frame: &Frame) -> Option<Noise> {
    if frame.anomalies.iter().any(|a| matches!(a, Anomaly::NotUtf8 { .. })) {
        return Some(Noise::NotUtf8);
    }
    if frame.anomalies.iter().any(|a| matches!(a, Anomaly::TooLong { .. })) {
        return None;
    }
    match &frame.value {
        Some(Value::Object(members)) if is_rpc(members.keys().map(String::as_str)) => None,
        Some(Value::Array(_)) if frame.anomalies.contains(&Anomaly::Batch) => None,
        Some(Value::Array(items)) if items.is_empty() && is_line(frame) => Some(Noise::Fragment),
        Some(Value::Object(members)) if members.is_empty() && is_line(frame) => {
            Some(Noise::OtherJson)
        }
        Some(_) => Some(Noise::OtherJson),
        None => Some(text_noise(frame)),
    }
}

/// Whether an object is meant as a JSON-RPC message.
fn is_rpc<'a>(mut keys: impl Iterator<Item = &'a str>) -> bool {
    keys.any(|key| matches!(key, "jsonrpc" | "method" | "result" | "error"))
}

fn is_line(frame: &Frame) -> bool {
    frame.channel == Channel::Line
}

fn text_noise(frame: &Frame) -> Noise {
    let text = String::from_utf8_lossy(&frame.bytes);
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    if !is_line(frame) {
        return Noise::BrokenJson;
    }
    if trimmed.is_empty() {
        return Noise::Blank;
    }
    let lower = trimmed.get(..15).unwrap_or(trimmed).to_ascii_lowercase();
    if lower.starts_with("content-length:") || lower.starts_with("content-type:") {
        return Noise::Header;
    }
    if is_fragment(&text, trimmed) {
        return Noise::Fragment;
    }
    if trimmed.starts_with("{\"") || trimmed.starts_with("[{") {
        return Noise::BrokenJson;
    }
    Noise::Text
}

/// A line as pretty-printing makes it: a bracket alone, or an indented member.
fn is_fragment(text: &str, trimmed: &str) -> bool {
    let bracket = trimmed.trim_end_matches(',');
    let closes = !bracket.is_empty() && bracket.bytes().all(|b| b"{}[]".contains(&b));
    let is_member = text.starts_with([' ', '\t']) && trimmed.starts_with('"');
    closes || (is_member && trimmed.contains("\":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Frame {
        let value = serde_json::from_str(text).ok();
        Frame {
            bytes: text.as_bytes().into(),
            value,
            anomalies: Vec::new(),
            channel: Channel::Line,
        }
    }

    #[test]
    fn noise_is_told_apart() {
        let cases = [
            ("Server listening on stdio", Some(Noise::Text)),
            ("[info] ready", Some(Noise::Text)),
            ("", Some(Noise::Blank)),
            ("{", Some(Noise::Fragment)),
            ("  \"jsonrpc\": \"2.0\",", Some(Noise::Fragment)),
            ("}", Some(Noise::Fragment)),
            ("Content-Length: 52", Some(Noise::Header)),
            ("{\"jsonrpc\": \"2.0\", \"id\"", Some(Noise::BrokenJson)),
            ("{\"level\": \"info\"}", Some(Noise::OtherJson)),
            ("42", Some(Noise::OtherJson)),
            ("{\"jsonrpc\": \"2.0\"}", None),
            ("{\"id\": 1, \"result\": {}}", None),
        ];
        for (text, expected) in cases {
            assert_eq!(noise(&line(text)), expected, "{text:?}");
        }
    }
}
