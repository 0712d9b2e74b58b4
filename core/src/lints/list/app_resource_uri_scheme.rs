//! `app_resource_uri_scheme`.

use super::item::{Faults, kind, quoted, shown, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's user interface is not at a `ui://` URI.
    ///
    /// Hosts of the Apps extension read the interface from `_meta.ui.resourceUri` and take only that scheme; otherwise the tool has no interface.
    AppResourceUriScheme(List, Warning) {}
    spec: "SEP-1865", fix: "Serve the interface as a resource whose URI begins with `ui://`, and name that in `_meta.ui.resourceUri`.", since: V2025_11_25
}

impl Lint for AppResourceUriScheme {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let meta = tool.raw.get("_meta");
            let nested = meta.and_then(|meta| meta.get("ui")?.get("resourceUri"));
            // The extension's first drafts had a flat key.
            let flat = meta.and_then(|meta| meta.get("ui/resourceUri"));
            match nested.or(flat) {
                None => {}
                Some(Value::String(uri)) if uri.starts_with("ui://") => {}
                Some(Value::String(uri)) => {
                    faults.add(
                        tool,
                        "scheme",
                        format!(
                            "its interface is at {}, which does not begin with `ui://`",
                            quoted(uri)
                        ),
                    );
                }
                Some(other) => {
                    faults.add(
                        tool,
                        "type",
                        format!(
                            "the URI of its interface is {} ({}), not a string",
                            kind(other),
                            shown(other)
                        ),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |meta: Value| Scene::new().tool(json!({"name": "a", "_meta": meta}));
    Examples::of(&ENTRY)
        .flags(
            "tool \"a\": its interface is at \"https://a.example/app.html\"",
            scene(json!({"ui": {"resourceUri": "https://a.example/app.html"}})),
        )
        .flags("the URI of its interface is a number (3)", scene(json!({"ui/resourceUri": 3})))
        .passes(scene(json!({"ui": {"resourceUri": "ui://a/app.html"}})))
        .passes(scene(json!({"ui": {"visibility": ["app"]}})))
}
