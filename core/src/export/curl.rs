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

# post NAME MESSAGE: sends a message and keeps the answer in $work/NAME.
post() {
  curl -sS -D "$work/headers" "${headers[@]}" "${session[@]}" -H 'Content-Type: application/json' \
    -H 'Accept: application/json, text/event-stream' --data-binary "$2" "$url" \
    | sed 's/^data: *//' | grep '^{' | grep -E '"(result|error)"' > "$work/$1" || true
  local id
  id=$(sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: *//p' "$work/headers" | tr -d '\r')
  if [ -n "$id" ]; then session=(-H "Mcp-Session-Id: $id"); fi
  echo "--> $2"
  echo "<-- $(cat "$work/$1")"
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
        "#!/usr/bin/env bash\n# {}\n# Needs curl and jq.\nset -euo pipefail\n\n",
        comment(failure)
    );
    let url = http.get("url").and_then(Value::as_str).unwrap_or_default();
    let _ = writeln!(out, "url={}", quote(url));
    let _ = writeln!(out, "headers=({})\n", headers(http, failure).join(" "));
    out.push_str(FUNCTIONS);
    for (number, message) in opening(failure.revision).iter().enumerate() {
        let _ = writeln!(out, "\npost opening{number} {}", quote(&message.to_string()));
    }
    for (index, step) in failure.case.steps.iter().enumerate() {
        let message = request(failure.revision, step, index + 1);
        let _ = writeln!(out, "\nmessage={}", quote(&message.to_string()));
        for binding in &step.bindings {
            fill(&mut out, step, binding);
        }
        let _ = writeln!(out, "post step{} \"$message\"", index + 1);
    }
    Ok(out)
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

/// Puts a value of an earlier answer into the message, where `jq` can find it there.
fn fill(out: &mut String, step: &Step, binding: &Binding) {
    let place = jq_path(&format!("{}{}", arguments_pointer(&step.action), binding.at));
    let from = format!("\"$work/step{}\"", binding.step + 1);
    let found = match &binding.from {
        Source::Result { pointer } => {
            format!("jq -c {} {from}", quote(&format!(".result{}", jq_path(pointer))))
        }
        Source::TextJson { block, pointer } => {
            format!(
                "jq -c {} {from}",
                quote(&format!(".result.content[{block}].text | fromjson | .{}", jq_path(pointer)))
            )
        }
        Source::Argument { .. } | Source::TextToken { .. } => {
            let _ = writeln!(
                out,
                "# The value at {} came from step {}; put the one of this run here.",
                place.replace('\n', " "),
                binding.step + 1
            );
            return;
        }
    };
    let _ = writeln!(
        out,
        "message=$(jq -c --argjson value \"$({found})\" {} <<< \"$message\")",
        quote(&format!(".{place} = $value"))
    );
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
