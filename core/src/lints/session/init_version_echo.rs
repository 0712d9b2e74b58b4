//! `init_version_echo`.

use crate::lints::meta::lint;
use crate::lints::probes::{
    answered_version, asked, asked_version, oldest_version_probe, unknown_version_probe,
};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;

lint! {
    /// The server supports a version and answers with another one when it is asked for.
    ///
    /// A client that wants the older version cannot get it.
    InitVersionEcho(Probe, Error) {}
    spec: "basic/lifecycle#version-negotiation", fix: "Answer with the version that was asked for whenever it is supported.", until: V2025_11_25
}

impl Lint for InitVersionEcho {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![oldest_version_probe(context), unknown_version_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let opening = context.list.server.opening.as_deref();
        let exchanges: Vec<_> =
            asked(context).map(|(_, exchange)| exchange).chain(opening).collect();
        let supported: Vec<&str> =
            exchanges.iter().filter_map(|exchange| answered_version(exchange)).collect();
        for exchange in exchanges {
            let (Some(asked), Some(answered)) =
                (asked_version(exchange), answered_version(exchange))
            else {
                continue;
            };
            if asked != answered && supported.contains(&asked) {
                problems.push(Problem::new(
                    "not echoed",
                    format!(
                        "asked for {asked}, which it supports, the server answered with {answered}"
                    ),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::lints::scene::Answer;
    use serde_json::json;

    let answers = |answer: Answer| Scene::new().answers(answer);
    Examples::of(&ENTRY)
        .flags(
            "asked for 2024-11-05, which it supports",
            answers(|_, params| {
                let swapped = if params["protocolVersion"] == "2024-11-05" {
                    "2025-11-25"
                } else {
                    "2024-11-05"
                };
                Reply::Result(json!({"protocolVersion": swapped}))
            }),
        )
        .passes(answers(|_, _| Reply::Result(json!({"protocolVersion": "2025-11-25"}))))
        .passes(answers(|_, params| match params["protocolVersion"].as_str() {
            Some("2024-11-05") => Reply::Result(json!({"protocolVersion": "2024-11-05"})),
            _ => Reply::Result(json!({"protocolVersion": "2025-11-25"})),
        }))
}
