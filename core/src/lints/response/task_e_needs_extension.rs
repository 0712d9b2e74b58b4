//! `task_e_needs_extension`.

use crate::lints::look::{TASKS_EXTENSION, client_capabilities, result_type};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// A task was returned to a client that did not offer tasks.
    ///
    /// The client does not know the result's type and cannot poll; the call is lost.
    TaskENeedsExtension(Response, Error) {}
    spec: "SEP-2663", fix: "Return tasks only where the request declares the extension io.modelcontextprotocol/tasks.", since: V2026_07_28
}

impl Lint for TaskENeedsExtension {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let is_task = context.exchange.result().is_some_and(|result| result_type(result) == "task");
        let extensions = client_capabilities(context).member("extensions");
        let offered =
            extensions.is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some());
        if is_task && !offered {
            problems.push(Problem::new(
                "task unasked",
                format!(
                    "{} was answered with a task, which the request did not offer to take",
                    context.exchange.method
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let call = |extensions| {
        let meta =
            json!({"io.modelcontextprotocol/clientCapabilities": {"extensions": extensions}});
        let task = json!({"resultType": "task", "taskId": "1"});
        Scene::at(Revision::V2026_07_28).asked(
            "tools/call",
            json!({"_meta": meta}),
            Reply::Result(task),
        )
    };
    Examples::of(&ENTRY)
        .flags("answered with a task", call(json!({})))
        .passes(call(json!({"io.modelcontextprotocol/tasks": {}})))
}
