//! `app_needs_extension`.

use crate::lints::look::CLIENT_CAPABILITIES;
use crate::lints::meta::lint;
use crate::lints::probes::{first, own_capabilities, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeStep};
use crate::session::MetaOption;
use serde_json::{Value, json};

lint! {
    /// A tool has a user interface for clients that cannot show one.
    ///
    /// Who does not offer the Apps extension should get the tool without `_meta.ui`, or an answer that stands without it.
    AppNeedsExtension(Probe, Disabled) {}
    spec: "basic/versioning#extension-negotiation", fix: "Name the interface only to clients whose capabilities have `io.modelcontextprotocol/ui`.", since: V2026_07_28
}

impl Lint for AppNeedsExtension {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !context.catalog.tools.iter().any(|tool| has_interface(&tool.raw)) {
            return Vec::new();
        }
        let mut capabilities = own_capabilities(context);
        if let Some(extensions) = capabilities.get_mut("extensions").and_then(Value::as_object_mut)
        {
            extensions.remove("io.modelcontextprotocol/ui");
        }
        let request = ProbeRequest {
            method: "tools/list".to_owned(),
            params: json!({}),
            meta: MetaOption::Patch(json!({CLIENT_CAPABILITIES: capabilities})),
            ..ProbeRequest::default()
        };
        vec![shared("tools for a client without interfaces", vec![ProbeStep::Request(request)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let tools = first(context).and_then(|exchange| exchange.result()?.get("tools")?.as_array());
        let odd = tools.into_iter().flatten().find(|tool| has_interface(tool));
        if let Some(name) = odd.and_then(|tool| tool.get("name")?.as_str()) {
            problems.push(
                Problem::new("interface", format!("`{name}` has a user interface, though the client did not offer io.modelcontextprotocol/ui"))
                    .tool(name),
            );
        }
    }
}

fn has_interface(tool: &Value) -> bool {
    let meta = tool.get("_meta");
    meta.is_some_and(|m| {
        m.pointer("/ui/resourceUri").is_some() || m.get("ui/resourceUri").is_some()
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;

    let app = json!({"name": "a", "_meta": {"ui": {"resourceUri": "ui://a/app.html"}}});
    let listed = || Scene::at(Revision::V2026_07_28).tool(app.clone());
    Examples::of(&ENTRY)
        .flags(
            "`a` has a user interface",
            listed().answers(|_, _| {
                let ui = json!({"resourceUri": "ui://a/app.html"});
                Reply::Result(json!({"tools": [{"name": "a", "_meta": {"ui": ui}}]}))
            }),
        )
        .passes(listed().answers(|_, _| Reply::Result(json!({"tools": [{"name": "a"}]}))))
        .passes(Scene::at(Revision::V2026_07_28).tool(json!({"name": "a"})))
}
