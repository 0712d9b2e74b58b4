//! Probes of tasks.

use crate::lints::ListContext;
use crate::lints::look::{CLIENT_CAPABILITIES, TASKS_EXTENSION};
use crate::probe::{Probe, ProbeBinding, ProbeRequest, ProbeSession, ProbeStep};
use crate::sequence::intent::Intent;
use crate::session::MetaOption;
use serde_json::{Value, json};

/// Whether the server declares the tasks extension.
pub(in crate::lints) fn offers_tasks(context: &ListContext<'_>) -> bool {
    let extensions = context.server.capabilities.get("extensions");
    extensions.is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some())
}

/// A request that declares the tasks extension.
pub(in crate::lints) fn with_tasks(
    context: &ListContext<'_>,
    method: &str,
    params: Value,
) -> ProbeStep {
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

/// A call that the run has made before and that only looks, by its tool's hints or name.
fn looking_call<'a>(context: &ListContext<'a>) -> Option<&'a (String, Value)> {
    context.seen.calls.iter().find(|(name, _)| {
        context
            .catalog
            .tool(name)
            .is_some_and(|tool| tool.hints.read_only || Intent::of(tool).looks_read_only())
    })
}

fn call_params(call: &(String, Value)) -> Value {
    let mut params = json!({"name": call.0});
    if !call.1.is_null() {
        params["arguments"] = call.1.clone();
    }
    params
}

/// A request for the task that step 0 made; `from` is where its id stands in that step's result.
fn of_task(method: &str, from: &str, meta: MetaOption) -> ProbeStep {
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params: json!({}),
        meta,
        bindings: vec![ProbeBinding {
            step: 0,
            from: from.to_owned(),
            member: "taskId".to_owned(),
        }],
        ..ProbeRequest::default()
    })
}

/// 2025-11-25: a call made as a task. Step 0 makes it, 1 gets it, 2 lists, 3 takes the result, 4 gets it again. Nothing where
/// the server does not offer it, or no tool that takes part in it has been called.
pub(in crate::lints) fn task_d_probe(context: &ListContext<'_>) -> Vec<Probe> {
    if context.server.capabilities.pointer("/tasks/requests/tools/call").is_none() {
        return Vec::new();
    }
    let supports = |name: &str| {
        let tool = context.catalog.tool(name)?;
        tool.raw.pointer("/execution/taskSupport")?.as_str().map(str::to_owned)
    };
    let call = context
        .seen
        .calls
        .iter()
        .find(|(name, _)| matches!(supports(name).as_deref(), Some("optional" | "required")));
    let Some(call) = call else {
        return Vec::new();
    };
    let mut params = call_params(call);
    params["task"] = json!({"ttl": 60_000});
    let of = |method: &str| of_task(method, "/task/taskId", MetaOption::Full);
    let steps = vec![
        super::ask("tools/call", params),
        of("tasks/get"),
        super::ask("tasks/list", json!({})),
        of("tasks/result"),
        of("tasks/get"),
        ProbeStep::Fence,
    ];
    vec![Probe { name: "a call made as a task".to_owned(), session: ProbeSession::Own, steps }]
}

/// 2025-11-25: a harmless call made as a task on a server that does not offer it, after the same call made plainly.
pub(in crate::lints) fn undeclared_task_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let offered = context.server.capabilities.pointer("/tasks/requests/tools/call").is_some();
    let Some(call) = looking_call(context).filter(|_| !offered) else {
        return Vec::new();
    };
    let plain = call_params(call);
    let mut as_task = plain.clone();
    as_task["task"] = json!({"ttl": 60_000});
    let steps =
        vec![super::ask("tools/call", plain), super::ask("tools/call", as_task), ProbeStep::Fence];
    vec![Probe { name: "a task nobody offered".to_owned(), session: ProbeSession::Own, steps }]
}

/// 2026-07-28: a call by a client that offers tasks. Step 0 makes it, 1 gets the task at once, 2 cancels it, 3 gets it again.
pub(in crate::lints) fn task_e_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Some(call) = context.seen.calls.first().filter(|_| offers_tasks(context)) else {
        return Vec::new();
    };
    let mut first = with_tasks(context, "tools/call", call_params(call));
    let meta = match &mut first {
        ProbeStep::Request(request) => {
            request.unanswered = true;
            request.meta.clone()
        }
        _ => MetaOption::Full,
    };
    let of = |method: &str| of_task(method, "/taskId", meta.clone());
    let steps = vec![first, of("tasks/get"), of("tasks/cancel"), of("tasks/get"), ProbeStep::Fence];
    vec![Probe {
        name: "a call that may become a task".to_owned(),
        session: ProbeSession::Own,
        steps,
    }]
}
