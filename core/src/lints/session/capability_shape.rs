//! `capability_shape`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::shapes;
use serde_json::Value;

lint! {
    /// The declared capabilities are malformed, or of a kind that nobody knows.
    ///
    /// Each capability is an object, its flags are booleans; typed clients refuse the session otherwise.
    CapabilityShape(List, Error) {}
    spec: "basic/lifecycle#capability-negotiation", fix: "Declare `\"tools\": {}` or `\"tools\": {\"listChanged\": true}`; put what is your own under `experimental`."
}

/// Names that some revision gives to a capability of servers.
const KNOWN: &[&str] = &[
    "experimental",
    "extensions",
    "logging",
    "completions",
    "prompts",
    "resources",
    "tools",
    "tasks",
];

impl Lint for CapabilityShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let capabilities = &context.server.capabilities;
        // Whether they are there at all is judged with the opening.
        let Value::Object(members) = capabilities else {
            return;
        };
        for fault in shapes::check_named(context.revision, "ServerCapabilities", capabilities)
            .unwrap_or_default()
        {
            problems.push(Problem::new(fault.rule(), format!("in the capabilities, {fault}")));
        }
        for name in members.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
            problems.push(
                Problem::new(
                    format!("unknown {name}"),
                    format!("the capability {name:?} is none of the protocol's"),
                )
                .warning(),
            );
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "/tools must be an object, not true",
            Scene::new().capabilities(json!({"tools": true})),
        )
        .flags(
            "/tools/listChanged must be true or false",
            Scene::new().capabilities(json!({"tools": {"listChanged": "yes"}})),
        )
        .flags("\"magic\"", Scene::new().capabilities(json!({"magic": {}})))
        .passes(
            Scene::new().capabilities(
                json!({"tools": {"listChanged": false}, "experimental": {"magic": {}}}),
            ),
        )
}
