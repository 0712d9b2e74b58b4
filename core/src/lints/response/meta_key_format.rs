//! `meta_key_format`.

use crate::lints::look::{notifications, requests};
use crate::lints::meta::lint;
use crate::lints::meta_keys::{key_fault, metas};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A key of `_meta` does not have the form that the protocol gives such keys.
    ///
    /// Keys are `name` or `prefix/name`; others may collide with keys that later revisions define.
    MetaKeyFormat(Response, Warning) {}
    spec: "basic/index#meta", fix: "Name the key `com.yourdomain/name`, with letters, digits, `-`, `_` and `.` only.", since: V2025_06_18
}

impl Lint for MetaKeyFormat {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut found = Vec::new();
        match context.exchange.result() {
            // `tool_meta_keys` looks at the tools one by one.
            Some(result) if context.exchange.method == "tools/list" => {
                found.extend(result.member("_meta").and_then(Value::as_object));
            }
            Some(result) => metas(result, &mut found),
            None => {}
        }
        for (_, message) in notifications(context).chain(requests(context)) {
            metas(message, &mut found);
        }
        let mut keys = found.iter().flat_map(|meta| meta.keys());
        let wrong = keys.find_map(|key| Some((key, key_fault(key, false)?)));
        if let Some((key, fault)) = wrong {
            problems.push(Problem::new(
                format!("key {key}"),
                format!("the _meta key {key:?} is malformed: {fault}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let meta =
        |key: &str| Scene::new().call("tool", json!({}), json!({"content": [], "_meta": {key: 1}}));
    Examples::of(&ENTRY)
        .flags("\"has space\"", meta("has space"))
        .flags("its prefix", meta("9.example/x"))
        .passes(meta("com.example/x"))
        .passes(Scene::new().call(
            "tool",
            json!({}),
            json!({"content": [], "structuredContent": {"_meta": {"has space": 1}}}),
        ))
}
