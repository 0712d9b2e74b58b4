//! Probes and their parts, as lints plan them.

use super::look::{CLIENT_CAPABILITIES, TASKS_EXTENSION, declares};
use super::{ListContext, ProbeContext};
use crate::catalog::ListKind;
use crate::exchange::{Exchange, HttpExchange, Reply};
use crate::probe::{Probe, ProbeBody, ProbeHttp, ProbeRequest, ProbeRun, ProbeSession, ProbeStep};
use crate::protocol::{Era, Revision};
use crate::session::MetaOption;
use serde_json::{Value, json};
use std::time::Duration;

/// A harmless probe on the session that such probes share, with a fence after it.
pub(super) fn shared(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    fenced(name.into(), ProbeSession::Shared, steps)
}

/// A probe with faulty messages, with a fence after it.
pub(super) fn rough(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    fenced(name.into(), ProbeSession::Rough, steps)
}

/// A probe on a connection on which nothing has been sent.
pub(super) fn unopened(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    Probe { name: name.into(), session: ProbeSession::Unopened, steps }
}

fn fenced(name: String, session: ProbeSession, mut steps: Vec<ProbeStep>) -> Probe {
    steps.push(ProbeStep::Fence);
    Probe { name, session, steps }
}

/// A request.
pub(super) fn ask(method: &str, params: Value) -> ProbeStep {
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        ..ProbeRequest::default()
    })
}

/// A notification.
pub(super) fn notify(method: &str, params: Value) -> ProbeStep {
    ProbeStep::Notify { method: method.to_owned(), params }
}

/// A line, or the body of a POST.
pub(super) fn raw(text: &str) -> ProbeStep {
    ProbeStep::Raw(text.as_bytes().to_vec())
}

/// A POST of a request with some headers set or left out.
pub(super) fn post(method: &str, params: Value, headers: &[(&str, Option<&str>)]) -> ProbeStep {
    ProbeStep::Http(ProbeHttp {
        body: ProbeBody::Request(method.to_owned(), params),
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned)))
            .collect(),
        ..ProbeHttp::default()
    })
}

/// An HTTP request without a body that waits at most that many milliseconds for the end of its response.
pub(super) fn bare(method: &str, headers: &[(&str, Option<&str>)], wait: u64) -> ProbeStep {
    ProbeStep::Http(ProbeHttp {
        method: method.to_owned(),
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned)))
            .collect(),
        wait: Some(wait),
        ..ProbeHttp::default()
    })
}

/// A harmless request that the server surely serves: a list that it declares, else the era's known-good request.
pub(super) fn harmless(context: &ListContext<'_>) -> (&'static str, Value) {
    let list = ListKind::ALL.into_iter().find(|list| {
        declares(context.server, list.capability())
            && context
                .catalog
                .listing(*list)
                .is_some_and(|l| l.pages.iter().any(|p| p.result().is_some()))
    });
    match (list, context.revision.era()) {
        (Some(list), _) => (list.method(), json!({})),
        (None, Era::Legacy) => ("ping", json!({})),
        (None, Era::Modern) => ("server/discover", json!({})),
    }
}

/// The first exchange of the first probe, if it got that far.
pub(super) fn first<'a>(context: &ProbeContext<'a>) -> Option<&'a Exchange> {
    context.runs.first()?.exchange(0)
}

/// The exchanges of the probes' requests, fences left out, each with its run.
pub(super) fn asked<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (&'a ProbeRun, &'a Exchange)> {
    context.runs.iter().flat_map(|run| {
        let steps = run.probe.steps.iter().zip(&run.steps);
        let asked = steps.filter(|(step, _)| !matches!(step, ProbeStep::Fence | ProbeStep::Open));
        asked.flat_map(|(_, outcome)| &outcome.exchanges).map(move |exchange| (run, exchange))
    })
}

/// The HTTP responses of the probes' free requests, each with its run.
pub(super) fn responses<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (&'a ProbeRun, &'a HttpExchange)> {
    let answered = |response: &&HttpExchange| response.status != 0;
    context.runs.iter().flat_map(move |run| {
        let responses = run.steps.iter().filter_map(|step| step.http.as_ref()).filter(answered);
        responses.map(move |response| (run, response))
    })
}

/// What an exchange came to, in a few words.
pub(super) fn outcome(exchange: &Exchange) -> String {
    match &exchange.reply {
        Reply::Result(result) => format!("the result {}", super::look::show(result)),
        Reply::Error(error) => match error.code {
            Some(code) => {
                format!("the error {code} ({})", super::look::shorten(&error.message, 80))
            }
            None => "an error without a code".to_owned(),
        },
        Reply::Malformed(what) => format!("a malformed answer ({what})"),
        Reply::Silence { .. } => "no answer".to_owned(),
        Reply::Closed(_) => "the end of the connection".to_owned(),
    }
}

/// The JSON-RPC message in an HTTP response: its body, or the last message of its events.
pub(super) fn message_of(response: &HttpExchange) -> Option<Value> {
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
pub(super) fn error_code(response: &HttpExchange) -> Option<i64> {
    message_of(response)?.get("error")?.get("code")?.as_i64()
}

/// Whether an HTTP response carries a JSON-RPC result.
pub(super) fn has_result(response: &HttpExchange) -> bool {
    response.status == 200
        && message_of(response).is_some_and(|message| message.get("result").is_some())
}

/// Notifications that no server knows.
pub(super) fn notification_probes(_context: &ListContext<'_>) -> Vec<Probe> {
    let progress = json!({"progressToken": "tooltest-none", "progress": 1});
    vec![shared(
        "notifications that nobody knows",
        vec![
            notify("notifications/tooltest_unknown", json!({})),
            notify("notifications/progress", progress),
        ],
    )]
}

/// Requests for every list whose capability the server does not declare.
pub(super) fn undeclared_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let undeclared =
        ListKind::ALL.into_iter().filter(|list| !declares(context.server, list.capability()));
    let asks: Vec<ProbeStep> = undeclared.map(|list| ask(list.method(), json!({}))).collect();
    if asks.is_empty() {
        return Vec::new();
    }
    vec![shared("lists whose capability is not declared", asks)]
}

/// Two pings and a notification in one array; the pings have the ids 9101 and 9102.
pub(super) fn batch_probe() -> Probe {
    let batch = json!([
        {"jsonrpc": "2.0", "id": 9101, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/tooltest_unknown"},
        {"jsonrpc": "2.0", "id": 9102, "method": "ping"},
    ]);
    rough("a batch of requests", vec![raw(&batch.to_string())])
}

/// How many of a batch's two pings were answered with a result.
pub(super) fn batch_results(run: &ProbeRun) -> usize {
    let ids = [json!(9101), json!(9102)];
    let frames =
        run.steps.iter().flat_map(|step| &step.frames).filter_map(|frame| frame.value.as_ref());
    let body = run.http(0).filter(|http| http.status == 200).and_then(message_of);
    let events = run.http(0).into_iter().flat_map(|http| &http.events);
    let events: Vec<Value> =
        events.filter_map(|event| serde_json::from_str(&event.data).ok()).collect();
    let listed = body.iter().chain(&events).flat_map(|value| match value {
        Value::Array(messages) => messages.iter().collect(),
        message => vec![message],
    });
    let messages: Vec<&Value> = frames.chain(listed).collect();
    let answered = |id: &&Value| {
        messages.iter().any(|m| m.get("id") == Some(*id) && m.get("result").is_some())
    };
    ids.iter().filter(answered).count()
}

/// `initialize` for that version, as the first message of a connection.
pub(super) fn initialize_probe(context: &ListContext<'_>, version: &str) -> Probe {
    let params = initialize_params(context, version);
    unopened(format!("initialize for {version}"), vec![ask("initialize", params)])
}

/// The parameters of the run's own `initialize`, with another version.
pub(super) fn initialize_params(context: &ListContext<'_>, version: &str) -> Value {
    let own = context.server.opening.as_ref().filter(|opening| opening.method == "initialize");
    let own = |name: &str| own.and_then(|opening| opening.params.get(name)).cloned();
    json!({
        "protocolVersion": version,
        "capabilities": own("capabilities").unwrap_or_else(|| json!({})),
        "clientInfo": own("clientInfo").unwrap_or_else(|| json!({"name": "tooltest", "version": "0"})),
    })
}

/// `initialize` for the oldest version (or the newest, where the oldest is in use).
pub(super) fn oldest_version_probe(context: &ListContext<'_>) -> Probe {
    let other = match context.revision {
        Revision::V2024_11_05 => Revision::NEWEST_LEGACY,
        _ => Revision::V2024_11_05,
    };
    initialize_probe(context, other.as_str())
}

/// `initialize` for a version that never was.
pub(super) fn unknown_version_probe(context: &ListContext<'_>) -> Probe {
    initialize_probe(context, "1999-01-01")
}

/// The version that an `initialize` asked for.
pub(super) fn asked_version(exchange: &Exchange) -> Option<&str> {
    exchange.params.get("protocolVersion")?.as_str()
}

/// The version that an `initialize` was answered with.
pub(super) fn answered_version(exchange: &Exchange) -> Option<&str> {
    exchange.result()?.get("protocolVersion")?.as_str()
}

/// A connection that is watched before, during and after `initialize`, with a client capability that nobody knows. Step 0
/// listens, step 1 asks, step 2 listens.
pub(super) fn watched_opening(context: &ListContext<'_>) -> Probe {
    let mut params = initialize_params(context, context.revision.as_str());
    params["capabilities"]["tooltest-unknown"] = json!({"flag": true});
    let steps = vec![ProbeStep::Listen(300), ask("initialize", params), ProbeStep::Listen(500)];
    unopened("an opening that is watched", steps)
}

/// Every log level in turn, `emergency` last, then a harmless request; nothing where logging is not declared.
pub(super) fn log_levels_probe(context: &ListContext<'_>) -> Vec<Probe> {
    if !declares(context.server, "logging") {
        return Vec::new();
    }
    let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    let mut steps: Vec<ProbeStep> =
        levels.into_iter().map(|level| ask("logging/setLevel", json!({"level": level}))).collect();
    let (method, params) = harmless(context);
    steps.push(ask(method, params));
    vec![shared("log levels", steps)]
}

/// `initialize` for the newest listed version that has a handshake, or for the newest there is; whether it was listed.
pub(super) fn legacy_probe(context: &ListContext<'_>) -> (Probe, bool) {
    let listed = context
        .server
        .opening
        .as_ref()
        .and_then(|o| o.result()?.get("supportedVersions")?.as_array());
    let listed =
        listed.into_iter().flatten().filter_map(|version| Revision::parse(version.as_str()?));
    let newest = listed.filter(|revision| revision.era() == Era::Legacy).max();
    let version = newest.unwrap_or(Revision::NEWEST_LEGACY).as_str();
    let request = ProbeRequest {
        method: "initialize".to_owned(),
        params: initialize_params(context, version),
        meta: MetaOption::Omit,
        headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"]
            .map(|name| (name.to_owned(), None))
            .to_vec(),
        ..ProbeRequest::default()
    };
    let probe = unopened("initialize of an older client", vec![ProbeStep::Request(request)]);
    (probe, newest.is_some())
}

/// A list as the first request of a connection.
pub(super) fn fresh_list_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    unopened("a list as the first request", vec![ask(method, params)])
}

/// What the requests of [`meta_missing_probe`] lack, in order.
pub(super) const META_MISSING: [&str; 4] =
    ["_meta", "protocolVersion in _meta", "clientCapabilities in _meta", "_meta"];

/// Requests that lack what every request must carry; see [`META_MISSING`].
pub(super) fn meta_missing_probe(context: &ListContext<'_>) -> Probe {
    let (method, params) = harmless(context);
    let without =
        |name: &str| MetaOption::Patch(json!({format!("io.modelcontextprotocol/{name}"): null}));
    let request = |method: &str, params: &Value, meta: MetaOption| {
        let (method, params) = (method.to_owned(), params.clone());
        ProbeStep::Request(ProbeRequest { method, params, meta, ..ProbeRequest::default() })
    };
    rough(
        "requests without their _meta",
        vec![
            request(method, &params, MetaOption::Omit),
            request(method, &params, without("protocolVersion")),
            request(method, &params, without("clientCapabilities")),
            request("server/discover", &json!({}), MetaOption::Omit),
        ],
    )
}

/// `server/discover` and another request for a version that never was.
pub(super) fn unsupported_version_probe(context: &ListContext<'_>) -> Probe {
    let version = "1900-01-01";
    let (method, params) = harmless(context);
    let request = |method: &str, params: Value| {
        ProbeStep::Request(ProbeRequest {
            method: method.to_owned(),
            params,
            meta: MetaOption::Patch(json!({"io.modelcontextprotocol/protocolVersion": version})),
            headers: vec![("MCP-Protocol-Version".to_owned(), Some(version.to_owned()))],
            ..ProbeRequest::default()
        })
    };
    rough(
        "requests for a version that never was",
        vec![request("server/discover", json!({})), request(method, params)],
    )
}

/// How long a subscription is watched.
const LISTEN: Duration = Duration::from_millis(700);

/// A subscription to every list's changes, with the id 0, watched for a while and cancelled; nothing where the server
/// offers no notifications.
pub(super) fn listen_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let offers = [
        "tools/listChanged",
        "prompts/listChanged",
        "resources/listChanged",
        "resources/subscribe",
    ];
    if !offers.iter().any(|capability| declares(context.server, capability)) {
        return Vec::new();
    }
    let filter =
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
    let request = ProbeRequest {
        method: "subscriptions/listen".to_owned(),
        params: json!({ "notifications": filter }),
        id: Some(json!(0)),
        timeout: Some(LISTEN),
        ..ProbeRequest::default()
    };
    vec![shared("a subscription", vec![ProbeStep::Request(request)])]
}

/// Reads of a resource of an unknown scheme and of one beside a listed one; nothing where no resources are offered.
pub(super) fn missing_resource_probe(context: &ListContext<'_>) -> Vec<Probe> {
    if !declares(context.server, "resources") {
        return Vec::new();
    }
    let read = |uri: &str| ask("resources/read", json!({ "uri": uri }));
    let mut reads = vec![read("tooltest-unknown://nothing/here")];
    if let Some(resource) = context.catalog.resources.first() {
        let beside = resource.uri.trim_end_matches('/');
        reads.push(read(&format!("{beside}-tooltest-no-such-resource")));
    }
    vec![shared("resources that do not exist", reads)]
}

/// Completions of the arguments of prompts and the variables of templates; nothing where completions are not declared.
pub(super) fn completion_probes(context: &ListContext<'_>, max: usize) -> Vec<Probe> {
    if !declares(context.server, "completions") {
        return Vec::new();
    }
    let arguments = context.catalog.prompts.iter().flat_map(|prompt| {
        let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
        let names =
            arguments.into_iter().flatten().filter_map(|argument| argument.get("name")?.as_str());
        names.map(|name| (json!({"type": "ref/prompt", "name": prompt.name}), name.to_owned()))
    });
    let variables = context.catalog.templates.iter().flat_map(|template| {
        let names = template
            .uri_template
            .split('{')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('}')?.0));
        let bare =
            names.map(|name| name.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned());
        bare.map(|name| (json!({"type": "ref/resource", "uri": template.uri_template}), name))
    });
    let asks: Vec<ProbeStep> = arguments
        .chain(variables)
        .take(max)
        .map(|(reference, name)| {
            ask(
                "completion/complete",
                json!({"ref": reference, "argument": {"name": name, "value": ""}}),
            )
        })
        .collect();
    if asks.is_empty() { Vec::new() } else { vec![shared("completions", asks)] }
}

/// Whether the server declares the tasks extension.
pub(super) fn offers_tasks(context: &ListContext<'_>) -> bool {
    let extensions = context.server.capabilities.get("extensions");
    extensions.is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some())
}

/// A request that declares the tasks extension.
pub(super) fn with_tasks(context: &ListContext<'_>, method: &str, params: Value) -> ProbeStep {
    let own = context
        .server
        .opening
        .as_ref()
        .and_then(|o| o.params.get("_meta")?.get(CLIENT_CAPABILITIES));
    let mut capabilities = own.cloned().unwrap_or_else(|| json!({}));
    capabilities["extensions"][TASKS_EXTENSION] = json!({});
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        meta: MetaOption::Patch(json!({CLIENT_CAPABILITIES: capabilities})),
        ..ProbeRequest::default()
    })
}
