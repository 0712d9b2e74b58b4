//! Probes over HTTP.

use super::{harmless, has_result, legacy_probe, post, shared};
use crate::exchange::HttpExchange;
use crate::lints::look::is_streamable;
use crate::lints::{ListContext, ProbeContext, Problem};
use crate::probe::{Probe, ProbeHttp, ProbeRun, ProbeSession, ProbeStep};
use crate::protocol::{Era, Revision};
use crate::session::ParamHeader;
use serde_json::{Value, json};

/// A header to set, or to leave out where there is no value.
pub(in crate::lints) type Header<'a> = (&'a str, Option<&'a str>);

/// The probe where the target is a Streamable HTTP endpoint; nothing elsewhere.
pub(in crate::lints) fn over_http(
    context: &ListContext<'_>,
    probe: impl FnOnce() -> Probe,
) -> Vec<Probe> {
    if is_streamable(context.input, context.server) { vec![probe()] } else { Vec::new() }
}

/// A harmless request, once as it should be and then once with each of these changes to its headers.
pub(in crate::lints) fn with_headers(
    context: &ListContext<'_>,
    name: &str,
    changes: &[&[Header<'_>]],
) -> Probe {
    let (method, params) = harmless(context);
    let usual: [&[Header<'_>]; 1] = [&[]];
    let steps = usual.iter().chain(changes).map(|headers| post(method, params.clone(), headers));
    shared(name, steps.collect())
}

/// The responses to the changed requests of [`with_headers`], where the usual one was served; each with its position.
pub(in crate::lints) fn step_responses<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (usize, &'a HttpExchange)> {
    let served = |run: &&ProbeRun| run.http(0).is_some_and(has_result);
    context.runs.iter().filter(served).flat_map(|run| {
        let steps = run.steps.iter().skip(1).enumerate();
        steps.filter_map(|(at, step)| Some((at, step.http.as_ref()?)))
    })
}

/// Judges the answer to a request whose headers contradict its body (2026-07-28): 400 with -32020 is due. `what` is wrong with
/// the request.
pub(in crate::lints) fn mismatch(response: &HttpExchange, what: &str) -> Option<Problem> {
    let code = super::error_code(response);
    let status = response.status;
    // Who may not ask, or asks too often, is told so first; what breaks the server is another lint's.
    if matches!(status, 0 | 401 | 403 | 429 | 500..) || (status == 400 && code == Some(-32020)) {
        return None;
    }
    let got = match code {
        Some(code) => format!("status {status} with the error {code}"),
        None if has_result(response) => "a result".to_owned(),
        None => format!("status {status}"),
    };
    let problem = Problem::new(
        what.to_owned(),
        format!("a request with {what} got {got}, not status 400 with the error -32020"),
    );
    Some(if status == 400 { problem.warning() } else { problem })
}

/// The first of the changed requests of [`with_headers`] that was not refused as it should be; `faults` says what is wrong with
/// each.
pub(in crate::lints) fn first_mismatch(
    context: &ProbeContext<'_>,
    faults: &[&str],
) -> Option<Problem> {
    step_responses(context).find_map(|(at, response)| mismatch(response, faults.get(at)?))
}

/// What can be asked for by name without doing any harm: a resource that is listed, a prompt without required arguments, a
/// call that the run has made before. Method, params and the name.
pub(in crate::lints) fn named_target(
    context: &ListContext<'_>,
) -> Option<(&'static str, Value, String)> {
    let resource = context
        .catalog
        .resources
        .first()
        .map(|resource| ("resources/read", json!({"uri": resource.uri}), resource.uri.clone()));
    let free = context.catalog.prompts.iter().find(|prompt| {
        let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
        !arguments
            .into_iter()
            .flatten()
            .any(|argument| argument.get("required") == Some(&json!(true)))
    });
    let prompt =
        || free.map(|prompt| ("prompts/get", json!({"name": prompt.name}), prompt.name.clone()));
    let call = || {
        let (tool, arguments) = context.seen.calls.first()?;
        let mut params = json!({"name": tool});
        if !arguments.is_null() {
            params["arguments"] = arguments.clone();
        }
        Some(("tools/call", params, tool.clone()))
    };
    resource.or_else(prompt).or_else(call)
}

/// Whether the opening gave the session an id.
pub(in crate::lints) fn minted(context: &ListContext<'_>) -> bool {
    let opening = context.server.opening.as_ref().and_then(|opening| opening.http.as_ref());
    opening.is_some_and(|http| http.header("mcp-session-id").is_some())
}

/// A probe that ends its own session: step 0 is DELETE, step 1 a request in the same session, step 2 one in a session that
/// never was. Nothing where sessions have no ids.
pub(in crate::lints) fn session_probe(context: &ListContext<'_>) -> Vec<Probe> {
    if !is_streamable(context.input, context.server) || !minted(context) {
        return Vec::new();
    }
    let (method, params) = harmless(context);
    let unknown = [("Mcp-Session-Id", Some("00000000-0000-4000-8000-000000000000"))];
    let steps = vec![
        super::bare("DELETE", &[], 3000),
        post(method, params.clone(), &[]),
        post(method, params, &unknown),
    ];
    vec![Probe { name: "the end of a session".to_owned(), session: ProbeSession::Own, steps }]
}

/// `initialize` as the first message of a new HTTP session, beside the one at hand.
pub(in crate::lints) fn fresh_http_session(context: &ListContext<'_>) -> ProbeStep {
    let version = match context.revision.era() {
        Era::Legacy => context.revision,
        Era::Modern => Revision::NEWEST_LEGACY,
    };
    let params = super::initialize_params(context, version.as_str());
    post("initialize", params, &[("Mcp-Session-Id", None), ("MCP-Protocol-Version", None)])
}

/// DELETE for the session that step `of` opened.
pub(in crate::lints) fn end_session(of: usize) -> ProbeStep {
    ProbeStep::Http(ProbeHttp {
        method: "DELETE".to_owned(),
        session_of: Some(of),
        wait: Some(3000),
        ..ProbeHttp::default()
    })
}

/// Probes that make sense only where older clients are not served: the `initialize` of one, then those probes.
pub(in crate::lints) fn modern_only(context: &ListContext<'_>, probe: Probe) -> Vec<Probe> {
    if is_streamable(context.input, context.server) {
        vec![legacy_probe(context).0, probe]
    } else {
        Vec::new()
    }
}

/// Whether the server has refused the older client of [`modern_only`].
pub(in crate::lints) fn is_modern_only(context: &ProbeContext<'_>) -> bool {
    let tried = context.runs.first().and_then(|run| run.exchange(0));
    tried.is_some_and(|exchange| matches!(exchange.reply, crate::exchange::Reply::Error(_)))
}

/// The HTTP responses of [`modern_only`]'s own probe.
pub(in crate::lints) fn modern_responses<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = &'a HttpExchange> {
    let own = context.runs.iter().skip(1).flat_map(|run| &run.steps);
    own.filter_map(|step| step.http.as_ref()).filter(|response| response.status != 0)
}

/// A call that the run has made before and whose tool marks one of its arguments with `x-mcp-header`: params, the header's
/// name, and the argument.
pub(in crate::lints) fn marked_call(context: &ListContext<'_>) -> Option<(Value, String, Value)> {
    context.seen.calls.iter().find_map(|(name, arguments)| {
        let schema = context.catalog.tool(name)?.raw.get("inputSchema")?;
        ParamHeader::of_schema(schema).into_iter().find_map(|mark| {
            let value = arguments.pointer(&mark.pointer).filter(|value| !value.is_null())?.clone();
            let params = json!({"name": name, "arguments": arguments});
            Some((params, format!("Mcp-Param-{}", mark.name), value))
        })
    })
}

/// The scheme, host and port of a URL.
pub(in crate::lints) fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    Some(format!("{scheme}://{host}"))
}

/// Whether a URL's host is this machine.
pub(in crate::lints) fn is_loopback(url: &str) -> bool {
    origin(url).is_some_and(|origin| {
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        let name = host.strip_prefix('[').map_or_else(
            || host.split(':').next().unwrap_or_default(),
            |v6| v6.split(']').next().unwrap_or_default(),
        );
        name == "localhost" || name == "::1" || name.starts_with("127.")
    })
}
