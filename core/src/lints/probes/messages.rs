//! Probes of what every server has: messages, lists, logs, resources, completions.

use super::{ask, harmless, message_of, notify, raw, rough, shared};
use crate::catalog::ListKind;
use crate::lints::ListContext;
use crate::lints::look::declares;
use crate::probe::{Probe, ProbeRun, ProbeStep};
use serde_json::{Value, json};

/// Notifications that no server knows.
pub(in crate::lints) fn notification_probes(_context: &ListContext<'_>) -> Vec<Probe> {
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
pub(in crate::lints) fn undeclared_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let undeclared =
        ListKind::ALL.into_iter().filter(|list| !declares(context.server, list.capability()));
    let asks: Vec<ProbeStep> = undeclared.map(|list| ask(list.method(), json!({}))).collect();
    if asks.is_empty() {
        return Vec::new();
    }
    vec![shared("lists whose capability is not declared", asks)]
}

/// Two pings and a notification in one array; the pings have the ids 9101 and 9102.
pub(in crate::lints) fn batch_probe() -> Probe {
    let batch = json!([
        {"jsonrpc": "2.0", "id": 9101, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/tooltest_unknown"},
        {"jsonrpc": "2.0", "id": 9102, "method": "ping"},
    ]);
    rough("a batch of requests", vec![raw(&batch.to_string())])
}

/// How many of a batch's two pings were answered with a result.
pub(in crate::lints) fn batch_results(run: &ProbeRun) -> usize {
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

/// Every log level in turn, `emergency` last, then a harmless request; nothing where logging is not declared.
pub(in crate::lints) fn log_levels_probe(context: &ListContext<'_>) -> Vec<Probe> {
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

/// Reads of a resource of an unknown scheme and of one beside a listed one; nothing where no resources are offered.
pub(in crate::lints) fn missing_resource_probe(context: &ListContext<'_>) -> Vec<Probe> {
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
pub(in crate::lints) fn completion_probes(context: &ListContext<'_>, max: usize) -> Vec<Probe> {
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
