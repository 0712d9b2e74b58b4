//! `task_d_support_rules`.

use crate::lints::look::call_result;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::{Members, Places};

lint! {
    /// A tool that must be called as a task is served plainly.
    ///
    /// `taskSupport: "required"` tells clients that a plain call is refused with -32601.
    TaskDSupportRules(Response, Warning) {}
    spec: "basic/utilities/tasks#tool-level-negotiation", fix: "Refuse plain calls of such tools with -32601, or say `optional`.", since: V2025_11_25, until: V2025_11_25
}

impl Lint for TaskDSupportRules {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let support = context.tool.and_then(|tool| tool.raw.place("/execution/taskSupport"));
        let required = support.is_some_and(|support| support == "required");
        let plain = context.exchange.params.member("task").is_none();
        if required && plain && call_result(context).is_some() && !context.exchange.is_tool_error()
        {
            problems.push(Problem::new(
                "served",
                "the tool says that it must be called as a task, but serves a plain call",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let tool = |support: &str| {
        let tool = json!({"name": "tool", "inputSchema": {"type": "object"}, "execution": {"taskSupport": support}});
        Scene::new().tool(tool).call("tool", json!({}), json!({"content": []}))
    };
    Examples::of(&ENTRY).flags("serves a plain call", tool("required")).passes(tool("optional"))
}
