//! `task_e_routing_headers`.

use crate::exchange::Reply;
use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{first, mismatch, offers_tasks, shared, with_tasks};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};
use crate::probe::{Probe, ProbeStep};
use serde_json::json;

lint! {
    /// A request for a task whose `Mcp-Name` contradicts its body is not refused as it should be.
    ///
    /// Gateways find the server that has the task by this header.
    TaskERoutingHeaders(Probe, Warning) {}
    spec: "SEP-2663", fix: "Answer with status 400 and the error -32020.", since: V2026_07_28
}

impl Lint for TaskERoutingHeaders {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) || !offers_tasks(context) {
            return Vec::new();
        }
        let mut step = with_tasks(context, "tasks/get", json!({"taskId": "tooltest-no-such-task"}));
        if let ProbeStep::Request(request) = &mut step {
            request.headers = vec![("Mcp-Name".to_owned(), Some("tooltest-other".to_owned()))];
        }
        vec![shared("another task in Mcp-Name", vec![step])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = first(context) else {
            return;
        };
        // Where the extension itself is refused, the header was not looked at.
        let answered = !matches!(&exchange.reply, Reply::Error(error) if matches!(error.code, Some(-32021 | -32601)));
        if let Some(response) = exchange.http.as_ref().filter(|_| answered)
            && !matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32020))
        {
            problems.extend(mismatch(response, "another task in its Mcp-Name than in its body"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let server = |change: fn(&mut crate::probe::ProbeRun)| {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .capabilities(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}))
            .answers(|_, _| error(-32602, "no such task"))
            .runs_changed(change)
    };
    Examples::of(&ENTRY)
        .flags(
            "got status 200 with the error -32602",
            server(|run| {
                run.steps[0].exchanges[0].http = Some(http(200, r#"{"error":{"code":-32602}}"#));
            }),
        )
        .passes(server(|run| {
            run.steps[0].exchanges[0].reply = error(-32020, "mismatch");
            run.steps[0].exchanges[0].http = Some(http(400, r#"{"error":{"code":-32020}}"#));
        }))
}
