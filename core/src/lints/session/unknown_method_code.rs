//! `unknown_method_code`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, first, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// An unknown method is not answered with -32601.
    ///
    /// Clients find out by this code what a server can do; a result in its place makes them believe that it can.
    UnknownMethodCode(Probe, Error) {}
    spec: "JSON-RPC 2.0 section 5.1", fix: "Answer methods that are not known with the error -32601 (Method not found)."
}

impl Lint for UnknownMethodCode {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![shared("an unknown method", vec![ask("tooltest/unknown", json!({}))])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        match first(context).map(|exchange| &exchange.reply) {
            Some(Reply::Result(_)) => problems.push(Problem::new(
                "result",
                "the unknown method tooltest/unknown was answered with a result",
            )),
            Some(Reply::Error(error)) if error.code != Some(-32601) => {
                let code = error.code.map_or_else(|| "no code".to_owned(), |code| code.to_string());
                problems.push(
                    Problem::new(
                        format!("code {code}"),
                        format!("an unknown method was answered with {code}, not -32601"),
                    )
                    .warning(),
                );
            }
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("answered with a result", Scene::new().answers(|_, _| Reply::Result(json!({}))))
        .flags("-32603, not -32601", Scene::new().answers(|_, _| error(-32603, "x")))
        .passes(Scene::new().answers(|_, _| error(-32601, "Method not found")))
}
