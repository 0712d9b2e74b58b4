//! `undeclared_capability_method`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, undeclared_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;

lint! {
    /// A method of a capability that the server does not declare is answered with another error than -32601.
    ///
    /// Clients that ask all the same read from the code whether it is worth asking again.
    UndeclaredCapabilityMethod(Probe, Warning) {}
    spec: "schema#methodnotfounderror", fix: "Answer methods of capabilities that are not offered with -32601."
}

impl Lint for UndeclaredCapabilityMethod {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        undeclared_probes(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            // A success is `method_implies_capability`.
            let Reply::Error(error) = &exchange.reply else { continue };
            if let Some(code) = error.code.filter(|code| *code != -32601) {
                let method = &exchange.method;
                problems.push(Problem::new(
                    format!("{method} {code}"),
                    format!("{method}, whose capability is not declared, was answered with {code}, not -32601"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "prompts/list, whose capability",
            Scene::new()
                .capabilities(json!({"tools": {}, "resources": {}}))
                .answers(|_, _| error(-32603, "x")),
        )
        .passes(Scene::new().capabilities(json!({"tools": {}})).answers(|_, _| error(-32601, "x")))
        .passes(Scene::new().answers(|_, _| error(-32603, "x")))
}
