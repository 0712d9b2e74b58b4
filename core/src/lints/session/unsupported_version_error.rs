//! `unsupported_version_error`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{outcome, unsupported_version_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// A request for a version that does not exist is not refused as it should be.
    ///
    /// Clients read from `data.supported` of the error -32022 which version to try next.
    UnsupportedVersionError(Probe, Error) {}
    spec: "basic/versioning#protocol-version-negotiation", fix: "Answer -32022 with `data.supported` (the versions of server/discover) and `data.requested`.", since: V2026_07_28
}

impl Lint for UnsupportedVersionError {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        vec![unsupported_version_probe(context)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(exchange) = context.runs.first().and_then(|run| run.exchange(0)) else {
            return;
        };
        let error = match &exchange.reply {
            Reply::Error(error) if error.code == Some(-32022) => error,
            Reply::Error(_) | Reply::Result(_) => {
                problems.push(Problem::new(
                    "not -32022",
                    format!("a request for the version 1900-01-01 got {}", outcome(exchange)),
                ));
                return;
            }
            _ => return,
        };
        let supported = error.raw.pointer("/data/supported").and_then(Value::as_array);
        let requested = error.raw.pointer("/data/requested").and_then(Value::as_str);
        let listed = context
            .list
            .server
            .opening
            .as_ref()
            .and_then(|o| o.result()?.get("supportedVersions")?.as_array());
        let what = match supported {
            None => "data.supported is missing".to_owned(),
            Some(versions) if versions.is_empty() => "data.supported is empty".to_owned(),
            Some(versions) => match versions
                .iter()
                .find(|version| listed.is_some_and(|listed| !listed.contains(version)))
            {
                Some(other) => {
                    format!("data.supported names {other}, which server/discover does not list")
                }
                None if requested != Some("1900-01-01") => {
                    "data.requested is not the version that was asked for".to_owned()
                }
                None => return,
            },
        };
        problems.push(Problem::new(what.clone(), format!("in the error -32022, {what}")));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::RpcError;
    use crate::lints::scene::Answer;
    use crate::protocol::Revision;
    use serde_json::json;

    fn refusal(data: &Value) -> Reply {
        let raw = json!({"code": -32022, "message": "Unsupported protocol version", "data": data});
        Reply::Error(RpcError { code: Some(-32022), message: String::new(), raw })
    }
    let modern = |answer: Answer| Scene::at(Revision::V2026_07_28).answers(answer);
    Examples::of(&ENTRY)
        .flags("got the result", modern(|_, _| Reply::Result(json!({}))))
        .flags("got the error -32602", modern(|_, _| error(-32602, "x")))
        .flags(
            "data.supported is missing",
            modern(|_, _| refusal(&json!({"requested": "1900-01-01"}))),
        )
        .flags(
            "which server/discover does not list",
            modern(|_, _| {
                refusal(&json!({"supported": ["2027-01-01"], "requested": "1900-01-01"}))
            }),
        )
        .flags("data.requested", modern(|_, _| refusal(&json!({"supported": ["2026-07-28"]}))))
        .passes(modern(|_, _| {
            refusal(&json!({"supported": ["2026-07-28"], "requested": "1900-01-01"}))
        }))
}
