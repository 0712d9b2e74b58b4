//! What a server says when it does not do a call.

use super::ResponseContext;
use super::refusals::{Reason, static_reason};
use crate::case::Label;
use crate::catalog::Tool;
use crate::exchange::Reply;
use crate::outcome::OutcomeKind;
use crate::pointer::Members;
use serde_json::Value;

/// The tool, the text and the reason of a refusal of arguments that the input schema allows, where the reason is one that a
/// schema could have foretold.
pub(super) fn refused_though_valid<'a>(
    context: &ResponseContext<'a>,
) -> Option<(&'a Tool, String, Reason)> {
    context.step.filter(|step| step.label == Label::Valid)?;
    let tool = context.tool?;
    let text = refusal_text(context)?;
    // What was sent may be words of an earlier refusal, and a server repeats what it refuses.
    let arguments = context.exchange.params.member("arguments");
    let sent = arguments.map(crate::mask::values).unwrap_or_default();
    let phrases = sent.iter().filter_map(Value::as_str).filter(|sent| sent.len() >= ECHO);
    let own = phrases.fold(text.clone(), |text, sent| text.replace(sent, "…"));
    let reason = static_reason(&own, tool)?;
    Some((tool, text, reason))
}

/// Bytes from which on a text that was sent and comes back is taken for an echo.
const ECHO: usize = 12;

/// An argument of the call that the tool's schema does not declare, if there is one. A schema that does not forbid it makes it
/// valid by the letter; that a tool fails on it is no more than a hint to forbid it.
pub(super) fn undeclared_argument<'a>(context: &'a ResponseContext<'_>) -> Option<&'a str> {
    let schema = context.tool?.raw.member("inputSchema")?;
    let open = schema.member("additionalProperties").is_some_and(|more| *more != false)
        || ["patternProperties", "$ref", "allOf", "anyOf", "oneOf"]
            .iter()
            .any(|key| schema.get(key).is_some());
    if open {
        return None;
    }
    let declared = schema.member("properties").and_then(Value::as_object);
    let arguments = context.exchange.params.member("arguments")?.as_object()?;
    let names = arguments.keys().map(String::as_str);
    names.into_iter().find(|name| declared.is_none_or(|declared| !declared.contains_key(*name)))
}

/// The text of a refusal: a tool error, a protocol error, or error text in a result that claims success. `None` where the
/// call was not refused.
pub(super) fn refusal_text(context: &ResponseContext<'_>) -> Option<String> {
    if context.exchange.method != "tools/call" {
        return None;
    }
    match (&context.exchange.reply, context.outcome.kind) {
        (Reply::Error(error), _) => {
            let data = error.raw.member("data").filter(|data| !data.is_null());
            let data =
                data.map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned));
            Some(match data {
                Some(data) => format!("{}\n{data}", error.message),
                None => error.message.clone(),
            })
        }
        (Reply::Result(_), OutcomeKind::ToolError | OutcomeKind::SoftError) => {
            Some(context.exchange.text())
        }
        _ => None,
    }
}

/// Whether a tool's name, or what its description begins with, says that it runs code, commands or formulas of its callers.
pub(super) fn runs_code(name: &str, description: &str) -> bool {
    const WORDS: &[&str] = &[
        "exec",
        "execute",
        "executes",
        "eval",
        "evaluate",
        "evaluates",
        "run",
        "runs",
        "shell",
        "command",
        "script",
        "code",
        "python",
        "test",
        "tests",
        "build",
        "debug",
        "log",
        "logs",
        "calc",
        "calculate",
        "calculates",
        "calculator",
        "compute",
        "expression",
        "formula",
    ];
    let text = format!("{name} {}", description.split_whitespace().next().unwrap_or_default());
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
