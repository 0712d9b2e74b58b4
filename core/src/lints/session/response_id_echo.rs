//! `response_id_echo`.

use crate::exchange::Reply;
use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, harmless, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use serde_json::json;

lint! {
    /// An unusual id of a request does not come back as it was sent.
    ///
    /// Ids are strings or integers of any kind: 0, negative, long, `"1"` beside `1`. The client waits for exactly the one
    /// that it sent.
    ResponseIdEcho(Probe, Error) {}
    spec: "basic/index#responses", fix: "Keep the id as the JSON value that came in; do not parse, convert or test it for truth."
}

impl Lint for ResponseIdEcho {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        let ids = [
            json!(0),
            json!(-1),
            json!(9_007_199_254_740_991_i64),
            json!("0"),
            json!("id-é"),
            json!("x".repeat(1024)),
            json!(""),
        ];
        let asks = ids.into_iter().map(|id| {
            ProbeStep::Request(ProbeRequest {
                method: method.to_owned(),
                params: params.clone(),
                id: Some(id),
                ..ProbeRequest::default()
            })
        });
        vec![shared("unusual ids", asks.collect())]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let sent = show(&exchange.id);
            let problem = match &exchange.reply {
                Reply::Malformed(what) => Problem::new(format!("id {sent}"), what.clone()),
                // Named here, where it is known that the id is what is unusual.
                Reply::Silence { .. } => Problem::new(
                    format!("id {sent}"),
                    format!("a request with the id {sent} got no answer"),
                ),
                Reply::Error(error) if error.code == Some(-32600) => Problem::new(
                    format!("id {sent}"),
                    format!("a request with the id {sent} was refused as invalid"),
                ),
                _ => continue,
            };
            problems.push(problem);
            return;
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "carries id 1",
            Scene::new()
                .answers(|_, _| Reply::Malformed("the answer to id \"1\" carries id 1".to_owned())),
        )
        .flags("refused as invalid", Scene::new().answers(|_, _| error(-32600, "bad id")))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
