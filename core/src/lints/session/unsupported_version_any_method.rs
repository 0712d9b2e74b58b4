//! `unsupported_version_any_method`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{later_unsupported_version_probe, outcome, unsupported_version_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// Only `server/discover` refuses versions that do not exist.
    ///
    /// Every request carries its version, and each must be held to it.
    UnsupportedVersionAnyMethod(Probe, Error) {}
    spec: "basic/versioning#protocol-version-negotiation", fix: "Check the version of every request.", since: V2026_07_28
}

impl Lint for UnsupportedVersionAnyMethod {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![unsupported_version_probe(context), later_unsupported_version_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let run = context.runs.first();
        let (Some(discover), Some(other)) =
            (run.and_then(|r| r.exchange(0)), run.and_then(|r| r.exchange(1)))
        else {
            return;
        };
        let refused =
            |reply: &Reply| matches!(reply, Reply::Error(error) if error.code == Some(-32022));
        let answered = matches!(other.reply, Reply::Result(_) | Reply::Error(_));
        // Where discover does not refuse either, `unsupported_version_error` says so.
        if refused(&discover.reply) && answered && !refused(&other.reply) {
            problems.push(Problem::new(
                "not refused",
                format!(
                    "{} for the version 1900-01-01 got {}, not -32022",
                    other.method,
                    outcome(other)
                ),
            ));
            return;
        }
        // The TypeScript SDK v2 keeps to the first version that it sees on a pipe, and looks at no other.
        let later = context.runs.get(1).and_then(|run| run.exchange(0));
        if let Some(later) = later.filter(|later| later.result().is_some() && refused(&other.reply))
        {
            let message = format!(
                "{} for the version 1900-01-01 is refused at first, but later got {}",
                later.method,
                outcome(later)
            );
            problems.push(Problem::new("served later", message).warning());
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = || {
        Scene::at(Revision::V2026_07_28)
            .tool(json!({"name": "a", "inputSchema": {"type": "object"}}))
    };
    Examples::of(&ENTRY)
        .flags(
            "tools/list for the version 1900-01-01",
            modern().answers(|method, _| match method {
                "server/discover" => error(-32022, "no"),
                _ => Reply::Result(json!({"tools": []})),
            }),
        )
        .flags(
            "but later got the result",
            modern().answers(|_, _| error(-32022, "no")).runs_changed(|run| {
                if run.probe.name.starts_with("a later") {
                    run.steps[0].exchanges[0].reply = Reply::Result(json!({"tools": []}));
                }
            }),
        )
        .passes(modern().answers(|_, _| error(-32022, "no")))
}
