//! Messages to bytes.

use serde_json::Value;

/// Appends a request and a line feed. `params` that are null are left out.
pub(super) fn request(out: &mut Vec<u8>, id: &Value, method: &str, params: &Value) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    json(out, id);
    method_and_params(out, method, params);
}

/// Appends a notification and a line feed.
pub(super) fn notification(out: &mut Vec<u8>, method: &str, params: &Value) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    method_and_params(out, method, params);
}

/// Appends a response and a line feed; `member` is `result` or `error`.
pub(super) fn response(out: &mut Vec<u8>, id: &Value, member: &str, content: &Value) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    json(out, id);
    out.extend_from_slice(b",\"");
    out.extend_from_slice(member.as_bytes());
    out.extend_from_slice(b"\":");
    json(out, content);
    out.extend_from_slice(b"}\n");
}

fn method_and_params(out: &mut Vec<u8>, method: &str, params: &Value) {
    out.extend_from_slice(br#","method":"#);
    serde_json::to_writer(&mut *out, method).expect("a string into memory");
    if !params.is_null() {
        out.extend_from_slice(br#","params":"#);
        json(out, params);
    }
    out.extend_from_slice(b"}\n");
}

fn json(out: &mut Vec<u8>, value: &Value) {
    serde_json::to_writer(out, value).expect("a JSON value into memory");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_one_line_each() {
        let mut out = Vec::new();
        request(&mut out, &json!(7), "a/b", &json!({"x": "line\nfeed"}));
        notification(&mut out, "note", &Value::Null);
        response(&mut out, &json!("q"), "result", &json!({}));
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            r#"{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":"line\nfeed"}}"#
        );
        assert_eq!(lines[1], r#"{"jsonrpc":"2.0","method":"note"}"#);
        assert_eq!(lines[2], r#"{"jsonrpc":"2.0","id":"q","result":{}}"#);
        assert_eq!(lines.len(), 3);
    }
}
