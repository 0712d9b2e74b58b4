//! Probes of tasks.

use crate::exchange::Exchange;
use crate::lints::ListContext;
use crate::lints::look::{CLIENT_CAPABILITIES, TASKS_EXTENSION};
use crate::probe::{Becomes, Probe, ProbeBinding, ProbeRequest, ProbeRun, ProbeSession, ProbeStep};
use crate::sequence::intent::Intent;
use crate::session::MetaOption;
use serde_json::{Value, json};
use std::time::Duration;

/// How many tools are called in the hope of a task.
const TASK_CALLS: usize = 8;

/// Whether the server declares the tasks extension.
pub(in crate::lints) fn offers_tasks(context: &ListContext<'_>) -> bool {
    let extensions = context.server.capabilities.get("extensions");
    extensions.is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some())
}

/// What the tester says in each request that it can do.
pub(in crate::lints) fn own_capabilities(context: &ListContext<'_>) -> Value {
    let opening = context.server.opening.as_ref();
    let own = opening.and_then(|o| o.params.get("_meta")?.get(CLIENT_CAPABILITIES));
    own.cloned().unwrap_or_else(|| json!({}))
}

/// A request that declares the tasks extension.
pub(in crate::lints) fn with_tasks(
    context: &ListContext<'_>,
    method: &str,
    params: Value,
) -> ProbeStep {
    let mut capabilities = own_capabilities(context);
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
    context.seen.calls.iter().find(|(name, _)| only_looks(context, name))
}

/// Calls that the run has made before and that may change something.
pub(in crate::lints) fn changing_calls(
    context: &ListContext<'_>,
) -> impl Iterator<Item = ProbeStep> {
    let calls = context.seen.calls.iter().filter(move |(name, _)| !only_looks(context, name));
    calls.map(|call| super::ask("tools/call", call_params(call)))
}

fn only_looks(context: &ListContext<'_>, tool: &str) -> bool {
    let tool = context.catalog.tool(tool);
    tool.is_some_and(|tool| tool.hints.read_only || Intent::of(tool).looks_read_only())
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
            becomes: Becomes::Itself,
        }],
        ..ProbeRequest::default()
    })
}

/// 2025-11-25: the parameters of a call made as a task, where the server offers it and a tool that takes part was called.
fn task_call(context: &ListContext<'_>) -> Option<Value> {
    context.server.capabilities.pointer("/tasks/requests/tools/call")?;
    let takes_part = |name: &str| {
        let tool = context.catalog.tool(name);
        let support = tool.and_then(|tool| tool.raw.pointer("/execution/taskSupport")?.as_str());
        matches!(support, Some("optional" | "required"))
    };
    let call = context.seen.calls.iter().find(|(name, _)| takes_part(name))?;
    let mut params = call_params(call);
    params["task"] = json!({"ttl": 60_000});
    Some(params)
}

/// 2025-11-25: a call made as a task. Step 0 makes it, 1 gets it, 2 lists, 3 takes the result, 4 gets it again. Nothing where
/// the server does not offer it, or no tool that takes part in it has been called.
pub(in crate::lints) fn task_d_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Some(params) = task_call(context) else {
        return Vec::new();
    };
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

/// 2026-07-28: a call of each of some tools by a client that offers tasks, and the `_meta` of those. Which of them becomes a
/// task is up to the server; nothing where it has no tasks.
fn task_calls_e(context: &ListContext<'_>) -> Option<(Vec<ProbeStep>, MetaOption)> {
    let mut calls: Vec<&(String, Value)> = Vec::new();
    for call in context.seen.calls.iter().filter(|_| offers_tasks(context)) {
        if calls.len() < TASK_CALLS && calls.iter().all(|(tool, _)| *tool != call.0) {
            calls.push(call);
        }
    }
    let steps = calls.into_iter().filter_map(|call| {
        match with_tasks(context, "tools/call", call_params(call)) {
            ProbeStep::Request(request) => Some(ProbeRequest { unanswered: true, ..request }),
            _ => None,
        }
    });
    let steps: Vec<ProbeRequest> = steps.collect();
    let meta = steps.first()?.meta.clone();
    Some((steps.into_iter().map(ProbeStep::Request).collect(), meta))
}

/// 2026-07-28: calls by a client that offers tasks; the first task is got at once, cancelled, and got again.
pub(in crate::lints) fn task_e_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Some((mut steps, meta)) = task_calls_e(context) else {
        return Vec::new();
    };
    let of = |method: &str| of_task(method, "/taskId", meta.clone());
    steps.extend([of("tasks/get"), of("tasks/cancel"), of("tasks/get"), ProbeStep::Fence]);
    vec![Probe {
        name: "calls that may become tasks".to_owned(),
        session: ProbeSession::Own,
        steps,
    }]
}

/// The exchanges of a probe with that method.
pub(in crate::lints) fn of_method<'a>(
    run: &'a ProbeRun,
    method: &'static str,
) -> impl Iterator<Item = &'a Exchange> {
    let exchanges = run.steps.iter().flat_map(|step| &step.exchanges);
    exchanges.filter(move |exchange| exchange.method == method)
}

/// Calls that become at least three tasks, in either revision that has tasks.
pub(in crate::lints) fn three_tasks_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let as_task = task_call(context).map(|params| vec![super::ask("tools/call", params)]);
    let Some(calls) = as_task.or_else(|| Some(task_calls_e(context)?.0)) else {
        return Vec::new();
    };
    let thrice = calls.into_iter().flat_map(|call| [call.clone(), call.clone(), call]);
    let steps = thrice.chain([ProbeStep::Fence]).collect();
    vec![Probe { name: "three tasks".to_owned(), session: ProbeSession::Own, steps }]
}

/// 2026-07-28: calls that may become a task, whose questions are answered twice.
pub(in crate::lints) fn task_questions_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Some((mut steps, meta)) = task_calls_e(context) else {
        return Vec::new();
    };
    for round in 0..3 {
        steps.push(ProbeStep::Listen(300));
        let asked = steps.len();
        steps.push(of_task("tasks/get", "/taskId", meta.clone()));
        let mut answer = of_task("tasks/update", "/taskId", meta.clone());
        if let ProbeStep::Request(request) = &mut answer {
            request.bindings.push(ProbeBinding {
                step: asked,
                from: "/inputRequests".to_owned(),
                member: "inputResponses".to_owned(),
                becomes: Becomes::Answers,
            });
        }
        if round < 2 {
            steps.push(answer);
        }
    }
    steps.push(ProbeStep::Fence);
    vec![Probe { name: "the questions of a task".to_owned(), session: ProbeSession::Own, steps }]
}

/// 2026-07-28: calls that may become a task, and a subscription to the first that did.
pub(in crate::lints) fn task_listen_probe(context: &ListContext<'_>) -> Vec<Probe> {
    let Some((mut steps, meta)) = task_calls_e(context) else {
        return Vec::new();
    };
    steps.push(ProbeStep::Request(ProbeRequest {
        method: "subscriptions/listen".to_owned(),
        params: json!({"notifications": {"taskIds": [null]}}),
        meta,
        timeout: Some(Duration::from_millis(1500)),
        bindings: vec![ProbeBinding {
            step: 0,
            from: "/taskId".to_owned(),
            member: "/notifications/taskIds/0".to_owned(),
            becomes: Becomes::Itself,
        }],
        ..ProbeRequest::default()
    }));
    steps.push(ProbeStep::Fence);
    vec![Probe { name: "a subscription to a task".to_owned(), session: ProbeSession::Own, steps }]
}
