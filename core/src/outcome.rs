//! Outcomes: how a call went, told apart finely enough to notice something new and coarsely enough to see sameness.

use crate::exchange::{Exchange, Reply};
use crate::pointer::Members;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The kind.
    pub kind: OutcomeKind,
    /// Equal for answers of the same kind and shape: keys and types of JSON, first words of text with values masked.
    pub class: u64,
}

/// The kinds of outcomes. Only [`OutcomeKind::Ok`] is a real success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutcomeKind {
    /// A result that says nothing of an error.
    Ok,
    /// Error text, or JSON that says error, in a result without `isError: true`.
    SoftError,
    /// `isError: true`.
    ToolError,
    /// A JSON-RPC error with that code.
    RpcError(i64),
    /// The server wants input that the tester could not give.
    InputRequired,
    /// Something that is no JSON-RPC response.
    Malformed,
    /// No answer in time.
    Timeout,
    /// The server ended or closed the connection.
    Crash,
}

impl OutcomeKind {
    /// In a few words, for reports.
    pub fn describe(self) -> String {
        match self {
            Self::Ok => "ok".to_owned(),
            Self::SoftError => "error text without isError".to_owned(),
            Self::ToolError => "tool error".to_owned(),
            Self::RpcError(code) => format!("error {code}"),
            Self::InputRequired => "input required".to_owned(),
            Self::Malformed => "malformed answer".to_owned(),
            Self::Timeout => "no answer".to_owned(),
            Self::Crash => "crash".to_owned(),
        }
    }

    /// The server told, one way or another, that it will not do this call.
    pub fn is_refusal(self) -> bool {
        matches!(self, Self::SoftError | Self::ToolError | Self::RpcError(_))
    }
}

impl Outcome {
    /// Classifies an exchange.
    pub fn of(exchange: &Exchange) -> Self {
        let mut hasher = DefaultHasher::new();
        let kind = match &exchange.reply {
            Reply::Result(result) => classify_result(exchange, result, &mut hasher),
            Reply::Error(error) => {
                hash_text(&error.message, &mut hasher);
                OutcomeKind::RpcError(error.code.unwrap_or_default())
            }
            Reply::Malformed(_) => OutcomeKind::Malformed,
            Reply::Silence { .. } => OutcomeKind::Timeout,
            Reply::Closed(exit) => {
                (exit.code, exit.signal).hash(&mut hasher);
                OutcomeKind::Crash
            }
        };
        kind.hash(&mut hasher);
        Self { kind, class: hasher.finish() }
    }
}

fn classify_result(exchange: &Exchange, result: &Value, hasher: &mut DefaultHasher) -> OutcomeKind {
    let failed = result.member("isError").and_then(Value::as_bool) == Some(true);
    let structured = result.member("structuredContent");
    if let Some(structured) = structured {
        hash_shape(structured, 3, hasher);
    }
    let blocks = result.member("content").and_then(Value::as_array);
    let mut soft = structured.is_some_and(says_error);
    for (index, block) in blocks.into_iter().flatten().take(4).enumerate() {
        match block.member("text").and_then(Value::as_str) {
            Some(text) => {
                let document = exchange.document(index);
                soft |= hash_block_text(text, document, structured.is_some(), hasher);
            }
            None => block.member("type").and_then(Value::as_str).hash(hasher),
        }
    }
    if blocks.is_none() && structured.is_none() {
        hash_shape(result, 3, hasher);
    }
    match (failed, soft) {
        (true, _) => OutcomeKind::ToolError,
        _ if result.member("resultType").and_then(Value::as_str) == Some("input_required") => {
            OutcomeKind::InputRequired
        }
        (false, true) => OutcomeKind::SoftError,
        (false, false) => OutcomeKind::Ok,
    }
}

/// Adds a text block to the class; returns whether it reads as an error.
fn hash_block_text(
    text: &str,
    document: Option<&Value>,
    mirrored: bool,
    hasher: &mut DefaultHasher,
) -> bool {
    if let Some(value) = document {
        if !mirrored {
            hash_shape(value, 3, hasher);
        }
        return says_error(value);
    }
    hash_text(text, hasher);
    reads_as_error(text.trim_start())
}

/// Whether JSON says, in one of the common ways, that the call failed.
pub fn says_error(value: &Value) -> bool {
    let Value::Object(members) = value else {
        return false;
    };
    let text = |name: &str| members.member(name).and_then(Value::as_str);
    let flag = |name: &str| members.member(name).and_then(Value::as_bool);
    let status = text("status").is_some_and(|s| {
        ["error", "failed", "failure", "fail"].iter().any(|w| s.eq_ignore_ascii_case(w))
    });
    let error = match members.member("error") {
        Some(Value::String(message)) => !message.is_empty(),
        Some(Value::Object(inner)) => {
            inner.member("message").is_some() || inner.member("code").is_some()
        }
        Some(Value::Bool(flag)) => *flag,
        _ => false,
    };
    status || error || flag("success") == Some(false) || flag("ok") == Some(false)
}

/// Whether a text's first words say that the call failed.
pub fn reads_as_error(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "error:",
        "error ",
        "an error occurred",
        "failed to ",
        "failed:",
        "failure:",
        "exception:",
        "traceback (most recent call last)",
        "database error",
        "internal error",
        "internal server error",
        "unexpected error",
        "fatal:",
        "❌",
        "validation error",
        "invalid input",
        "invalid argument",
        "invalid parameter",
        "unable to ",
        "could not ",
        "cannot ",
    ];
    let head: String = text.chars().take(48).flat_map(char::to_lowercase).collect();
    let head = head.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '❌');
    STARTS.iter().any(|start| head.starts_with(start)) || is_error_name(text)
}

/// `KeyError: …`, `java.lang.IllegalStateException: …`: an exception's name, then a colon.
fn is_error_name(text: &str) -> bool {
    let Some((name, _)) = text.split_once(':') else {
        return false;
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    name.len() <= 80
        && !name.contains(char::is_whitespace)
        && (last.ends_with("Error") || last.ends_with("Exception"))
        && last.len() > 5
}

/// Adds keys and types of JSON down to `depth` to the class.
fn hash_shape(value: &Value, depth: usize, hasher: &mut DefaultHasher) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Object(members) if depth > 0 => {
            for (key, member) in members.iter().take(24) {
                if !is_value_like(key) {
                    key.hash(hasher);
                }
                hash_shape(member, depth - 1, hasher);
            }
        }
        Value::Array(items) => {
            items.is_empty().hash(hasher);
            if let (Some(first), true) = (items.first(), depth > 0) {
                hash_shape(first, depth - 1, hasher);
            }
        }
        Value::Bool(flag) => flag.hash(hasher),
        _ => {}
    }
}

/// Whether an object's key looks like an id rather than a name.
fn is_value_like(key: &str) -> bool {
    key.bytes().any(|b| b.is_ascii_digit()) || key.len() > 40
}

/// Adds the first words of a text, values masked, to the class.
fn hash_text(text: &str, hasher: &mut DefaultHasher) {
    for word in text.split_whitespace().take(8) {
        if word.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b':' | b',' | b'.')) {
            word.hash(hasher);
        } else {
            0u8.hash(hasher);
        }
    }
}

/// A text with its values masked: quoted spans, numbers, ids, paths and times become `…`. For fingerprints and tallies.
pub fn template(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(160));
    let mut quote: Option<char> = None;
    let mut word = String::new();
    for c in text.chars().chain(Some(' ')) {
        if out.len() > 160 {
            break;
        }
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '`' | '\'') && !word.ends_with(char::is_alphanumeric) => {
                flush(&mut word, &mut out);
                out.push('…');
                quote = Some(c);
            }
            None if c.is_whitespace() => {
                flush(&mut word, &mut out);
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            None => word.push(c),
        }
    }
    out.trim().to_owned()
}

fn flush(word: &mut String, out: &mut String) {
    let masked = word.bytes().any(|b| b.is_ascii_digit())
        || word.contains('/')
        || word.len() > 32
        || !word.is_ascii();
    if masked && !out.ends_with('…') {
        out.push('…');
    } else if !masked {
        out.push_str(word);
    }
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn error_text_is_told_from_content() {
        assert!(reads_as_error("Error: no such file"));
        assert!(reads_as_error("KeyError: 'x'"));
        assert!(reads_as_error("❌ not found"));
        assert!(!reads_as_error("Errors are listed below: none"));
        assert!(!reads_as_error("The file has 3 lines"));
    }

    #[test]
    fn error_json_is_told_from_content() {
        assert!(says_error(&json!({"status": "error", "message": "x"})));
        assert!(says_error(&json!({"success": false})));
        assert!(!says_error(&json!({"error": null, "items": []})));
        assert!(!says_error(&json!({"errors": 0})));
    }

    #[test]
    fn templates_mask_values() {
        assert_eq!(template("Task tsk_12ab not found"), template("Task tsk_99ff not found"));
        assert_eq!(template("no file \"a b\" in /tmp/x"), template("no file \"c\" in /tmp/y"));
        assert_ne!(template("Task not found"), template("Project not found"));
    }
}
