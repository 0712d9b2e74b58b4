//! `tool_meta_keys`.

use super::item::{Faults, quoted, tools};
use crate::lints::meta::lint;
use crate::lints::meta_keys::key_fault;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A key in a tool's `_meta` breaks the grammar of such keys.
    ///
    /// Keys are an optional prefix of dotted labels with a slash, and a name that begins and ends with a letter or digit. Others may be dropped or misread.
    ToolMetaKeys(List, Warning) {}
    spec: "basic/index#meta", fix: "Rename the key, for example `com.example/name` with a domain of yours in reverse.", since: V2025_06_18
}

impl Lint for ToolMetaKeys {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let meta = tool.raw.get("_meta").and_then(Value::as_object);
            for key in meta.into_iter().flat_map(|meta| meta.keys()) {
                if let Some(wrong) = key_fault(key, false) {
                    faults.add(
                        tool,
                        format!("key {key}"),
                        format!("the `_meta` key {}: {wrong}", quoted(key)),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |key: &str| Scene::new().tool(json!({"name": "a", "_meta": {key: 1}}));
    Examples::of(&ENTRY)
        .flags("tool \"a\": the `_meta` key \"_internal\": its name", scene("_internal"))
        .flags("its prefix is no dotted list of labels", scene("9x.y/z"))
        .passes(scene("com.example/tags"))
        .passes(scene("ui"))
}
