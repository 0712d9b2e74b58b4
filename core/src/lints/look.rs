//! What lints ask of exchanges, frames and inputs again and again.

use super::ResponseContext;
use crate::case::{Role, Step};
use crate::exchange::{Exchange, HttpExchange};
use crate::input::{Target, TooltestInput};
use crate::message::{Channel, Frame, FrameKind};
use crate::pointer::Members;
use crate::session::ServerIdentity;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The member of `_meta` that says what the client can do (2026-07-28).
pub(super) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The member of `capabilities.extensions` that stands for tasks (2026-07-28).
pub(super) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// All frames that came in with the exchange: the answer first.
pub(super) fn frames<'a>(context: &ResponseContext<'a>) -> impl Iterator<Item = &'a Frame> {
    let exchange = context.exchange;
    exchange.frame.iter().chain(&exchange.side).chain(context.stray)
}

/// The frames besides the answer.
pub(super) fn other_frames<'a>(context: &ResponseContext<'a>) -> impl Iterator<Item = &'a Frame> {
    context.exchange.side.iter().chain(context.stray)
}

/// The notifications among the frames: method and whole message.
pub(super) fn notifications<'a>(
    context: &ResponseContext<'a>,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    of_kind(context, FrameKind::Notification)
}

/// The requests of the server among the frames: method and whole message.
pub(super) fn requests<'a>(
    context: &ResponseContext<'a>,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    of_kind(context, FrameKind::Request)
}

fn of_kind<'a>(
    context: &ResponseContext<'a>,
    kind: FrameKind,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    other_frames(context)
        .filter(move |frame| frame.kind() == kind)
        .filter_map(|frame| Some((frame.method()?, frame.value.as_ref()?)))
}

/// The results that asked for input before the exchange was complete, and the last one if it does.
pub(super) fn input_required<'a>(context: &ResponseContext<'a>) -> impl Iterator<Item = &'a Value> {
    let last = context.exchange.result().filter(|result| result_type(result) == "input_required");
    context.exchange.rounds.iter().chain(last)
}

/// Everything that the server asked of the client, as requests or as input requests: method and params.
pub(super) fn asks<'a>(context: &ResponseContext<'a>) -> Vec<(&'a str, &'a Value)> {
    let exchange = context.exchange;
    let last = exchange.result().map_or("complete", result_type);
    let silent = exchange.side.is_empty() && context.stray.is_empty();
    if silent && exchange.rounds.is_empty() && last != "input_required" {
        return Vec::new();
    }
    let as_requests =
        requests(context).map(|(method, message)| (method, member(message, "params")));
    let as_inputs = input_required(context)
        .filter_map(|result| result.member("inputRequests")?.as_object())
        .flat_map(Map::values)
        .filter_map(|ask| Some((ask.member("method")?.as_str()?, member(ask, "params"))));
    as_requests.chain(as_inputs).collect()
}

/// A member, or null.
pub(super) fn member<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.member(name).unwrap_or(&Value::Null)
}

/// The `resultType`; `complete` where there is none.
pub(super) fn result_type(result: &Value) -> &str {
    result.member("resultType").and_then(Value::as_str).unwrap_or("complete")
}

/// The result of a finished request: no question, no task.
pub(super) fn complete<'a>(context: &ResponseContext<'a>) -> Option<&'a Value> {
    let result = context.exchange.result()?;
    (result_type(result) == "complete").then_some(result)
}

/// The result of a finished `tools/call`.
pub(super) fn call_result<'a>(context: &ResponseContext<'a>) -> Option<&'a Value> {
    let result = complete(context).filter(|_| context.exchange.method == "tools/call")?;
    (result.member("task").is_none() || result.member("content").is_some()).then_some(result)
}

/// The content blocks of a finished `tools/call`.
pub(super) fn blocks<'a>(context: &ResponseContext<'a>) -> impl Iterator<Item = &'a Value> {
    let blocks = call_result(context).and_then(|result| result.member("content")?.as_array());
    blocks.into_iter().flatten()
}

/// The `type` of a content block.
pub(super) fn kind_of(block: &Value) -> &str {
    block.member("type").and_then(Value::as_str).unwrap_or_default()
}

/// What the tester said that it can do.
pub(super) fn client_capabilities<'a>(context: &ResponseContext<'a>) -> &'a Value {
    let per_request =
        context.exchange.params.member("_meta").and_then(|meta| meta.member(CLIENT_CAPABILITIES));
    let at_opening = || context.server.opening.as_ref()?.params.member("capabilities");
    per_request.or_else(at_opening).unwrap_or(&Value::Null)
}

/// Whether the server declares that capability: a name, or a path such as `resources/subscribe`.
pub(super) fn declares(server: &ServerIdentity, capability: &str) -> bool {
    let value = server.capabilities.pointer(&format!("/{capability}"));
    value.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

/// Whether the target is a process on pipes.
pub(super) fn is_stdio(input: &TooltestInput) -> bool {
    matches!(input.target, Target::Stdio(_))
}

/// Whether the target is a Streamable HTTP endpoint.
pub(super) fn is_http(input: &TooltestInput) -> bool {
    matches!(input.target, Target::Http(_))
}

/// The beginning of a text on one line, for messages.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The beginning of a value's JSON text, for messages.
pub(super) fn show(value: &Value) -> String {
    shorten(&value.to_string(), 120)
}

/// What is wrong with three ids that nobody should be able to guess, if anything.
pub(super) fn guessable(ids: [&str; 3]) -> Option<&'static str> {
    let [a, b, c] = ids;
    if a == b || b == c || a == c {
        Some("the same id is given several times")
    } else if is_counted(a, b) && is_counted(b, c) {
        Some("ids are counted up")
    } else {
        ids.iter().all(|id| id.len() < 16).then_some("ids are shorter than 16 characters")
    }
}

/// Whether two ids are the same but for a number at one place that differs by little.
fn is_counted(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = |(x, y): &(&u8, &u8)| x == y;
    let head = a.iter().zip(b).take_while(same).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(same).count();
    // Digits that both share belong to the number, too.
    let start = head - a[..head].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let number = |text: &[u8]| -> Option<u64> {
        std::str::from_utf8(&text[start..text.len() - tail]).ok()?.parse().ok()
    };
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.abs_diff(y) <= 3,
        _ => false,
    }
}

/// Whether two JSON values are equal, numbers by value and members in any order.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(name, x)| y.get(name).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}

/// The tool of an earlier call of the case that was cancelled without an answer.
pub(super) fn cancelled_before<'a>(context: &ResponseContext<'a>) -> Option<(usize, &'a str)> {
    let is_cancelled =
        |(step, _): &(Step, Arc<Exchange>)| matches!(step.role, Role::Cancelled { .. });
    let cancelled = context.history.iter().rposition(is_cancelled)?;
    Some((cancelled, context.history[cancelled].0.action.tool()?))
}

/// The event stream that answered the request, if that is how it was answered.
pub(super) fn event_stream<'a>(context: &ResponseContext<'a>) -> Option<&'a HttpExchange> {
    let http = context.exchange.http.as_ref().filter(|http| http.status == 200)?;
    let kind = http.header("content-type")?.split(';').next()?.trim();
    (kind.eq_ignore_ascii_case("text/event-stream") && is_streamable(context.input, context.server))
        .then_some(http)
}

/// Whether the server is reached over Streamable HTTP.
pub(super) fn is_streamable(input: &TooltestInput, server: &ServerIdentity) -> bool {
    is_http(input) && !is_sse(input, server)
}

/// Whether the server was reached over HTTP+SSE of 2024-11-05, as wanted or because it offers nothing else.
pub(super) fn is_sse(input: &TooltestInput, server: &ServerIdentity) -> bool {
    let answer = server.opening.as_ref().and_then(|opening| opening.frame.as_ref());
    matches!(input.target, Target::Sse(_))
        || (is_http(input) && answer.is_some_and(|frame| frame.channel == Channel::GetStream))
}
