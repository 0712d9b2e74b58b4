//! `tool_uncallable`.

use super::logs::shows_errors;
use crate::catalog::Tool;
use crate::input::Target;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::record::ToolRecord;
#[cfg(test)]
use serde_json::json;

lint! {
    /// No call of a tool with valid arguments succeeded.
    ///
    /// Either the tool does not work, or it needs something that its schema and description do not tell. Nothing else that was seen of it says much.
    ToolUncallable(Run, Warning) {}
    spec: "", fix: "Read the errors; describe in the schema what arguments really work (`examples`, `enum`, `format`), or give the run values with `seed_values`."
}

/// How many errors a message names.
const NAMED: usize = 3;

impl Lint for ToolUncallable {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        let shared = matches!(context.input.target, Target::Http(_) | Target::Sse(_));
        for tool in context.record.tools.iter().filter(|tool| tool.valid > 0 && tool.ok == 0) {
            if shows_errors(&tool.name) && tool.soft_errors > 0 {
                continue;
            }
            // Where nothing can be wrong with a call, what earlier clients left behind may be what refuses it.
            let schema = context.catalog.tool(&tool.name).and_then(Tool::input_schema);
            if shared && schema.is_some_and(|schema| schema.parameters().is_empty()) {
                continue;
            }
            let calls = if tool.valid == 1 {
                "the one call".to_owned()
            } else {
                format!("all {} calls", tool.valid)
            };
            let message = format!(
                "tool {:?}: {calls} with valid arguments failed{}",
                tool.name,
                reasons(tool)
            );
            problems.push(Problem::new("never succeeded", message).tool(&tool.name));
        }
    }
}

/// The most frequent errors.
fn reasons(tool: &ToolRecord) -> String {
    let mut errors: Vec<_> = tool.errors.values().collect();
    errors.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
    let named: Vec<String> = errors
        .iter()
        .take(NAMED)
        .map(|error| {
            let line: String =
                error.text.lines().next().unwrap_or_default().chars().take(120).collect();
            let times =
                if error.count == 1 { "once".to_owned() } else { format!("{} times", error.count) };
            format!("{line:?} ({times})")
        })
        .collect();
    if named.is_empty() { String::new() } else { format!("; most often: {}", named.join(", ")) }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::record::{ErrorRecord, Record};
    let of = |name: &str, valid: u64, ok: u64| {
        let name = name.to_owned();
        let mut tool =
            ToolRecord { name, calls: 9, valid, ok, soft_errors: 2, ..ToolRecord::default() };
        for (text, count) in [("no such file", 3), ("not allowed\nat line 3", 5), ("late", 1)] {
            tool.errors.insert(
                text.to_owned(),
                ErrorRecord { text: text.to_owned(), count, arguments: json!({}) },
            );
        }
        Scene::new().record(Record { tools: vec![tool], ..Record::default() })
    };
    let scene = |valid: u64, ok: u64| of("a", valid, ok);
    Examples::of(&ENTRY)
        .passes(of("show_log", 8, 0))
        .flags("tool \"a\": all 8 calls with valid arguments failed; most often: \"not allowed\" (5 times), \"no such file\" (3 times), \"late\" (once)", scene(8, 0))
        .passes(scene(8, 1))
        .passes(scene(0, 0))
}
