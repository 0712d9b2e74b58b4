//! `tools_list_bytes`.

use super::item::tools;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// The list of tools is larger than the configured number of bytes.
    ///
    /// It goes into the model's context whole, before the first question; four bytes are about one token.
    ToolsListBytes(List, Disabled) {
        /// The largest number of bytes, as compact JSON, that is fine.
        max_bytes: usize = 40_000,
    }
    spec: "", fix: "Shorten descriptions, share definitions under `$defs`, or offer fewer tools."
}

impl Lint for ToolsListBytes {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut sizes: Vec<(usize, String)> = tools(context.catalog)
            .map(|tool| (tool.raw.to_string().len(), tool.to_string()))
            .collect();
        let total: usize = sizes.iter().map(|(size, _)| size).sum();
        if total > self.max_bytes {
            sizes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
            let largest: Vec<String> =
                sizes.iter().take(3).map(|(size, name)| format!("{name} {size}")).collect();
            let message = format!(
                "the tools take {total} bytes (about {} tokens); the limit is {}; the largest: {}",
                total / 4,
                self.max_bytes,
                largest.join(", ")
            );
            problems.push(Problem::new("too large", message));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |max_bytes: usize| {
        Scene::new().tool(json!({"name": "a"})).params(json!({ "max_bytes": max_bytes }))
    };
    Examples::of(&ENTRY)
        .flags(
            "the tools take 12 bytes (about 3 tokens); the limit is 11; the largest: tool \"a\" 12",
            scene(11),
        )
        .passes(scene(12))
}
