//! A failure as a shell script that talks to an HTTP server.

use super::messages::{arguments_pointer, opening, request};
use super::{ExportError, comment};
use crate::case::{Binding, Source, Step};
use crate::failure::Failure;
use crate::target::quote;
use serde_json::Value;
use std::fmt::Write as _;

const FUNCTIONS: &str = r#"work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
session=()
failed=0

# post NAME MESSAGE [CURL ARGUMENTS]: sends a message; $work/NAME.sent holds it, and $work/NAME the answer.
post() {
  local name=$1 message=$2 id
  shift 2
  echo "--> $message"
  printf '%s' "$message" > "$work/$name.sent"
  : > "$work/headers"
  curl -sS --max-time "${TIMEOUT:-60}" -D "$work/headers" ${headers[@]+"${headers[@]}"} ${session[@]+"${session[@]}"} "$@" \
    -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
    --data-binary @"$work/$name.sent" "$url" > "$work/body" || true
  if grep -qi '^content-type: *text/event-stream' "$work/headers"; then
    tr -d '\r' < "$work/body" | sed -n 's/^data: *//p' > "$work/messages"
  else
    cp "$work/body" "$work/messages"
  fi
  jq -c 'select(type == "object" and (has("result") or has("error")))' "$work/messages" 2> "$work/jq" | tail -n 1 > "$work/$name" || true
  id=$(sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii][Dd]: *//p' "$work/headers" | tr -d '\r' | tail -n 1)
  if [ -n "$id" ]; then session=(-H "Mcp-Session-Id: $id"); fi
  if [ -s "$work/$name" ]; then
    echo "<-- $(cat "$work/$name")"
  elif jq -e 'has("id")' "$work/$name.sent" > "$work/jq"; then
    echo "<-- no answer; $(head -n 1 "$work/headers" | tr -d '\r')"
    failed=1
  fi
}
"#;

/// The script; values that came from earlier answers are read from the answers with `jq`.
pub(super) fn render(failure: &Failure) -> Result<String, ExportError> {
    let Some(http) = failure.target.get("http") else {
        let kind = failure
            .target
            .as_object()
            .and_then(|target| target.keys().next())
            .cloned()
            .unwrap_or_default();
        return Err(ExportError::NeedsHttp(kind));
    };
    let mut out = format!(
        "#!/usr/bin/env bash\n# {}\n# Needs curl and jq. Fails where a request gets no answer; whether an answer is right is for the reader to tell.\nset -euo pipefail\n\n",
        comment(failure)
    );
    let url = http.get("url").and_then(Value::as_str).unwrap_or_default();
    if url.contains("[redacted]") {
        out.push_str("url=${URL:?set it to the URL of the server, with its secrets}\n");
    } else {
        let _ = writeln!(out, "url={}", quote(url));
    }
    let _ = writeln!(out, "headers=({})\n", headers(http, failure).join(" "));
    out.push_str(FUNCTIONS);
    for (number, message) in opening(failure.revision).iter().enumerate() {
        let _ = writeln!(out, "\npost opening{number} {}", quote(&message.to_string()));
    }
    out.push_str(&steps(failure));
    out.push_str("\nexit \"$failed\"\n");
    Ok(out)
}

/// A message a step.
fn steps(failure: &Failure) -> String {
    let mut out = String::new();
    for (index, step) in failure.case.steps.iter().enumerate() {
        let message = request(failure.revision, step, index + 1);
        let _ = writeln!(out, "\nmessage={}", quote(&message.to_string()));
        for binding in &step.bindings {
            fill(&mut out, step, binding);
        }
        let extra = step_headers(failure.revision, &message);
        let _ = writeln!(out, "post step{} \"$message\"{extra}", index + 1);
    }
    out
}

/// The headers that repeat parts of the message, where the revision wants them.
fn step_headers(revision: crate::protocol::Revision, message: &Value) -> String {
    let method = message["method"].as_str().unwrap_or_default();
    let headers = crate::session::standard_headers(revision, method, &message["params"], &[]);
    let words =
        headers.iter().map(|(name, value)| format!(" -H {}", quote(&format!("{name}: {value}"))));
    words.collect()
}

/// Headers as words of the script; what was redacted is read from variables.
fn headers(http: &Value, failure: &Failure) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: &str| {
        let word = if value.contains("[redacted]") {
            let variable: String = name
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
                .collect();
            format!(
                "-H {}\"${{{variable}:?set it to the value of this header}}\"",
                quote(&format!("{name}: "))
            )
        } else {
            format!("-H {}", quote(&format!("{name}: {value}")))
        };
        words.push(word);
    };
    for (name, value) in http.get("headers").and_then(Value::as_object).into_iter().flatten() {
        add(name, value.as_str().unwrap_or_default());
    }
    if http.get("auth_token").is_some() {
        add("Authorization", "[redacted]");
    }
    if failure.revision.has_version_header() {
        add("MCP-Protocol-Version", failure.revision.as_str());
    }
    words
}

/// Puts a value of an earlier answer into the message, where it can be found there.
fn fill(out: &mut String, step: &Step, binding: &Binding) {
    let pointer = format!("{}{}", arguments_pointer(&step.action), binding.at);
    let place = jq_path(&pointer);
    let answer = format!("\"$work/step{}\"", binding.step + 1);
    let query = |path: String, file: &str| format!("jq -c {} {file}", quote(&path));
    let found = match &binding.from {
        Source::Result { pointer } => query(format!(".result{}", jq_path(pointer)), &answer),
        Source::TextJson { block, pointer } => query(
            format!(".result.content[{block}].text | fromjson | .{}", jq_path(pointer)),
            &answer,
        ),
        Source::Argument { pointer } => {
            let sent = format!("\"$work/step{}.sent\"", binding.step + 1);
            query(format!(".params.arguments{}", jq_path(pointer)), &sent)
        }
        Source::TextToken { block, .. } => {
            let literal = step.action.arguments().and_then(|all| all.pointer(&binding.at));
            let Some(shape) = literal.and_then(Value::as_str).and_then(shape) else {
                let _ = writeln!(
                    out,
                    "# The value at {} came from the text of step {}; put the one of this run here.",
                    place.replace('\n', " "),
                    binding.step + 1
                );
                return;
            };
            let text = format!("jq -r '.result.content[{block}].text' {answer}");
            format!("{text} | grep -oE {} | head -n 1 | jq -R .", quote(&shape))
        }
    };
    let _ = writeln!(
        out,
        "message=$(jq -c --argjson value \"$({found})\" {} <<< \"$message\")",
        quote(&format!(".{place} = $value"))
    );
}

/// What an id looks like, as an extended regular expression: letters before a separator stay, the rest may be any of its kind.
/// `None` for words without a digit, which look like any other.
fn shape(literal: &str) -> Option<String> {
    if !literal.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !literal.chars().all(allowed) {
        return None;
    }
    let parts = literal.split_inclusive(['_', '-']).map(|part| {
        let word = part.trim_end_matches(['_', '-']);
        let separator = &part[word.len()..];
        let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic()) && !separator.is_empty();
        let class =
            if word.bytes().all(|byte| byte.is_ascii_digit()) { "[0-9]" } else { "[0-9A-Za-z]" };
        match word {
            "" => separator.to_owned(),
            word if is_word => format!("{word}{separator}"),
            _ => format!("{class}+{separator}"),
        }
    });
    Some(parts.collect())
}

/// A JSON Pointer as a path of `jq`: `["a"][0]`.
fn jq_path(pointer: &str) -> String {
    let tokens = pointer.split('/').skip(1).map(crate::pointer::unescape);
    tokens
        .map(|token| match token.parse::<usize>() {
            Ok(index) => format!("[{index}]"),
            Err(_) => format!("[{}]", Value::from(token)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn ids_are_found_again_by_their_shape() {
        assert_eq!(shape("tsk_12ab").as_deref(), Some("tsk_[0-9A-Za-z]+"));
        assert_eq!(shape("17").as_deref(), Some("[0-9]+"));
        assert_eq!(shape("note-7").as_deref(), Some("note-[0-9]+"));
        assert_eq!(shape("alpha"), None);
        assert_eq!(shape("a b1"), None);
    }
}
