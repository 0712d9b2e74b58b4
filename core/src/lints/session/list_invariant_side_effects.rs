//! `list_invariant_side_effects`.

use crate::catalog::ListKind;
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeRun, ProbeSession, ProbeStep};
use serde_json::{Value, json};

lint! {
    /// Calls change what a list on the same connection says, and the server does not declare that the list changes.
    ///
    /// Lists must not depend on what was asked before: clients keep them, and nothing tells them to ask again. Lists of tools, prompts and resource templates are judged; resources come and go with what calls make.
    ListInvariantSideEffects(Probe, Warning) {}
    spec: "server/tools#capabilities", fix: "Make lists from what the request says and who sent it; where they must change, declare `listChanged` and tell those who listen.", since: V2026_07_28
}

/// The lists that are judged, and the capability that each belongs to.
const LISTS: [(ListKind, &str); 3] = [
    (ListKind::Tools, "tools"),
    (ListKind::Prompts, "prompts"),
    (ListKind::Templates, "resources"),
];
/// Calls made between the looks.
const CALLS: usize = 8;

impl Lint for ListInvariantSideEffects {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let steady = LISTS.iter().filter(|(list, capability)| {
            let declared = context.server.capabilities.get(*capability);
            declared.is_some_and(|declared| declared.get("listChanged") != Some(&json!(true)))
                && context.catalog.listing(*list).is_some()
        });
        let looks: Vec<ProbeStep> = steady.map(|(list, _)| ask(list.method(), json!({}))).collect();
        let mut called: Vec<&str> = Vec::new();
        let mut calls = Vec::new();
        for (tool, arguments) in &context.seen.calls {
            if calls.len() < CALLS && !called.contains(&tool.as_str()) {
                called.push(tool);
                calls.push(ask("tools/call", json!({"name": tool, "arguments": arguments})));
            }
        }
        if looks.is_empty() || calls.is_empty() {
            return Vec::new();
        }
        let steps = looks.iter().cloned().chain(calls).chain(looks.iter().cloned()).collect();
        let name = "lists before and after calls".to_owned();
        vec![Probe { name, session: ProbeSession::Own, steps }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            for (list, _) in LISTS {
                let mut looks = (0..run.steps.len())
                    .filter_map(|step| run.exchange(step))
                    .filter(|exchange| exchange.method == list.method());
                let (Some(before), Some(after)) = (looks.next(), looks.next_back()) else {
                    continue;
                };
                if let Some((name, what)) = difference(before, after, list)
                    && !was_told(run)
                {
                    let message = format!(
                        "after calls on the same connection, {} says otherwise: {name:?} {what}",
                        list.method()
                    );
                    let problem = Problem::new(format!("{} {what}", list.method()), message);
                    let tool = matches!(list, ListKind::Tools).then_some(name);
                    problems.push(match tool {
                        Some(tool) => problem.tool(tool),
                        None => problem,
                    });
                }
            }
        }
    }
}

fn ask(method: &str, params: Value) -> ProbeStep {
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        ..ProbeRequest::default()
    })
}

/// Whether a notification told of a change.
fn was_told(run: &ProbeRun) -> bool {
    let side =
        run.steps.iter().flat_map(|step| &step.exchanges).flat_map(|exchange| &exchange.side);
    let frames = run.steps.iter().flat_map(|step| &step.frames);
    side.chain(frames)
        .filter_map(|frame| frame.method())
        .any(|method| method.ends_with("/list_changed"))
}

/// The first item that is not the same in both pages, and what became of it.
fn difference<'e>(
    before: &'e Exchange,
    after: &'e Exchange,
    list: ListKind,
) -> Option<(&'e str, &'static str)> {
    let items = |page: &'e Exchange| -> Option<Vec<(&'e str, &'e Value)>> {
        let items = page.result()?.get(list.member())?.as_array()?;
        let name = |item: &'e Value| item.get("name").or_else(|| item.get("uriTemplate"))?.as_str();
        Some(items.iter().filter_map(|item| Some((name(item)?, item))).collect())
    };
    let (before, after) = (items(before)?, items(after)?);
    let find = |items: &[(&str, &'e Value)], name: &str| {
        items.iter().find(|(other, _)| *other == name).map(|(_, item)| *item)
    };
    let gone_or_changed = before.iter().find_map(|(name, item)| match find(&after, name) {
        None => Some((*name, "is gone")),
        Some(other) if other != *item => Some((*name, "is described otherwise")),
        Some(_) => None,
    });
    gone_or_changed.or_else(|| {
        let new = after.iter().find(|(name, _)| find(&before, name).is_none())?;
        Some((new.0, "is new"))
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;

    let modern = || {
        Scene::at(Revision::V2026_07_28)
            .with_server(|server| server.capabilities = json!({"tools": {}}))
            .tool(json!({"name": "a", "inputSchema": {"type": "object"}}))
            .seen_call("a", json!({}))
            .answers(|method, _| match method {
                "tools/list" => Reply::Result(json!({"tools": [{"name": "a"}]})),
                _ => Reply::Result(json!({"content": []})),
            })
    };
    let gone = |run: &mut ProbeRun| {
        if let Some(last) = run.steps.last_mut().and_then(|step| step.exchanges.first_mut()) {
            last.reply = Reply::Result(json!({"tools": []}));
        }
    };
    Examples::of(&ENTRY)
        .flags("tools/list says otherwise: \"a\" is gone", modern().runs_changed(gone))
        .passes(modern())
        .passes(
            modern()
                .with_server(|server| server.capabilities = json!({"tools": {"listChanged": true}}))
                .runs_changed(gone),
        )
}
