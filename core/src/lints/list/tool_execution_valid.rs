//! `tool_execution_valid`.

use super::item::{Faults, kind, shown, tools};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A tool's `execution.taskSupport` is not one of the known values, or promises what the server does not declare.
    ///
    /// Clients call such a tool as a task and are refused, or never call it.
    ToolExecutionValid(List, Warning) {}
    spec: "basic/utilities/tasks#tool-level-negotiation", fix: "Use `forbidden`, `optional` or `required`, and declare `tasks.requests.tools.call` where some tool is not `forbidden`.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for ToolExecutionValid {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let has_tasks = context.server.capabilities.pointer("/tasks/requests/tools/call").is_some();
        let mut faults = Faults::new(problems);
        for tool in tools(context.catalog) {
            let Some(execution) = tool.raw.get("execution") else {
                continue;
            };
            if !execution.is_object() {
                let message = format!(
                    "`execution` is {} ({}), not an object",
                    kind(execution),
                    shown(execution)
                );
                faults.add(tool, "not an object", message);
                continue;
            }
            match execution.get("taskSupport").map(Value::as_str) {
                None | Some(Some("forbidden")) => {}
                Some(Some(support @ ("optional" | "required"))) => {
                    if !has_tasks {
                        let message = format!(
                            "`execution.taskSupport` is {support:?}, but the server does not declare `tasks.requests.tools.call`"
                        );
                        faults.add(tool, "not declared", message);
                    }
                }
                Some(_) => {
                    let message = format!(
                        "`execution.taskSupport` is {}; it must be \"forbidden\", \"optional\" or \"required\"",
                        shown(&execution["taskSupport"])
                    );
                    faults.add(tool, "unknown value", message);
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |execution: Value| Scene::new().tool(json!({"name": "a", "execution": execution}));
    let tasks = json!({"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}});
    Examples::of(&ENTRY)
        .flags("`execution.taskSupport` is \"always\"", scene(json!({"taskSupport": "always"})))
        .flags(
            "does not declare `tasks.requests.tools.call`",
            scene(json!({"taskSupport": "optional"})),
        )
        .flags("`execution` is a boolean", scene(json!(true)))
        .passes(scene(json!({"taskSupport": "forbidden"})))
        .passes(scene(json!({"taskSupport": "required"})).capabilities(tasks))
}
