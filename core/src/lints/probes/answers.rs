//! What came of probes.

use crate::catalog::ListKind;
use crate::exchange::{Exchange, HttpExchange, Reply};
use crate::lints::{ProbeContext, Problem};
use crate::probe::{ProbeRun, ProbeStep};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The first exchange of the first probe, if it got that far.
pub(in crate::lints) fn first<'a>(context: &ProbeContext<'a>) -> Option<&'a Exchange> {
    context.runs.first()?.exchange(0)
}

/// The exchanges of the probes' requests, fences left out, each with its run.
pub(in crate::lints) fn asked<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (&'a ProbeRun, &'a Exchange)> {
    context.runs.iter().flat_map(|run| {
        let steps = run.probe.steps.iter().zip(&run.steps);
        let asked = steps.filter(|(step, _)| !matches!(step, ProbeStep::Fence | ProbeStep::Open));
        asked.flat_map(|(_, outcome)| &outcome.exchanges).map(move |exchange| (run, exchange))
    })
}

/// The HTTP responses of the probes' free requests, each with its run.
pub(in crate::lints) fn responses<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (&'a ProbeRun, &'a HttpExchange)> {
    let answered = |response: &&HttpExchange| response.status != 0;
    context.runs.iter().flat_map(move |run| {
        let responses = run.steps.iter().filter_map(|step| step.http.as_ref()).filter(answered);
        responses.map(move |response| (run, response))
    })
}

/// The problem of a server that no longer answers after a probe.
pub(in crate::lints) fn breakdown(context: &ProbeContext<'_>, after: &str) -> Option<Problem> {
    let broken = context.runs.iter().any(|run| run.survived() == Some(false));
    broken
        .then(|| Problem::new("breakdown", format!("after {after}, the server no longer answers")))
}

/// What an exchange came to, in a few words.
pub(in crate::lints) fn outcome(exchange: &Exchange) -> String {
    match &exchange.reply {
        Reply::Result(result) => format!("the result {}", crate::lints::look::show(result)),
        Reply::Error(error) => match error.code {
            Some(code) => {
                format!("the error {code} ({})", crate::lints::look::shorten(&error.message, 80))
            }
            None => "an error without a code".to_owned(),
        },
        Reply::Malformed(what) => format!("a malformed answer ({what})"),
        Reply::Silence { .. } => "no answer".to_owned(),
        Reply::Closed(_) => "the end of the connection".to_owned(),
    }
}

/// The JSON-RPC message in an HTTP response: its body, or the last message of its events.
pub(in crate::lints) fn message_of(response: &HttpExchange) -> Option<Value> {
    if let Ok(value) = serde_json::from_slice(&response.body) {
        return Some(value);
    }
    let events =
        response.events.iter().rev().filter_map(|event| serde_json::from_str(&event.data).ok());
    events
        .into_iter()
        .find(|message: &Value| message.get("result").is_some() || message.get("error").is_some())
}

/// The code of the JSON-RPC error in an HTTP response.
pub(in crate::lints) fn error_code(response: &HttpExchange) -> Option<i64> {
    message_of(response)?.get("error")?.get("code")?.as_i64()
}

/// Whether an HTTP response carries a JSON-RPC result.
pub(in crate::lints) fn has_result(response: &HttpExchange) -> bool {
    response.status == 200
        && message_of(response).is_some_and(|message| message.get("result").is_some())
}

/// What the items of a page are called.
pub(in crate::lints) fn item_keys(page: &Exchange, list: ListKind) -> Option<BTreeSet<String>> {
    Some(items(page, list)?.into_keys().collect())
}

/// The items of a page by what they are called.
pub(in crate::lints) fn items(page: &Exchange, list: ListKind) -> Option<BTreeMap<String, &Value>> {
    let items = page.result()?.get(list.member())?.as_array()?;
    let key = |item: &Value| {
        ["name", "uri", "uriTemplate"]
            .iter()
            .find_map(|key| item.get(key)?.as_str().map(str::to_owned))
    };
    Some(items.iter().filter_map(|item| Some((key(item)?, item))).collect())
}

/// The first request of the probes that was refused with one of these codes, and with an HTTP status other than 400.
pub(in crate::lints) fn refused_without_400<'a>(
    context: &ProbeContext<'a>,
    codes: &[i64],
) -> Option<(&'a Exchange, u16)> {
    asked(context).find_map(|(_, exchange)| {
        let Reply::Error(error) = &exchange.reply else { return None };
        let status = exchange.http.as_ref()?.status;
        let is_one = error.code.is_some_and(|code| codes.contains(&code));
        (is_one && status != 400).then_some((exchange, status))
    })
}
