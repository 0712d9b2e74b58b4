//! `wire_schema_valid`.

use crate::exchange::Reply;
use crate::lints::look::{notifications, requests};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::protocol::shapes::{self, ShapeFault};

lint! {
    /// A message differs from the shape that the revision gives it.
    ///
    /// Typed clients refuse such a message whole: one wrong member costs the entire answer. What lints of their own judge
    /// (items of lists, the opening, content and structured content, caching hints, `resultType`) is left to them.
    WireSchemaValid(Response, Error) {}
    spec: "schema", fix: "Give the member the type that the schema of the revision names, or leave it out; `null` is no value."
}

impl Lint for WireSchemaValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let (revision, exchange) = (context.revision, context.exchange);
        let method = exchange.method.as_str();
        match &exchange.reply {
            Reply::Result(result) => {
                let faults = shapes::check_result(revision, method, result);
                let own = faults.into_iter().filter(|fault| !is_judged_elsewhere(method, fault));
                report(&format!("the result of {method}"), own, problems);
            }
            Reply::Error(error) => {
                let faults = shapes::check_error(revision, &error.raw);
                let own = faults.into_iter().filter(|fault| fault.pointer.starts_with("/data"));
                report("the error", own, problems);
            }
            _ => {}
        }
        for (method, message) in
            notifications(context).filter(|(m, _)| *m != "notifications/message")
        {
            report(
                method,
                shapes::check_notification(revision, method, message).into_iter(),
                problems,
            );
        }
        for (method, message) in requests(context) {
            let faults = shapes::check_request(revision, method, message);
            let own =
                faults.into_iter().filter(|f| !f.pointer.starts_with("/params/requestedSchema"));
            report(method, own, problems);
        }
    }
}

fn report(what: &str, faults: impl Iterator<Item = ShapeFault>, problems: &mut Vec<Problem>) {
    let mut rules = Vec::new();
    for fault in faults {
        let rule = format!("{what}{}", fault.rule());
        if !rules.contains(&rule) {
            problems.push(Problem::new(rule.clone(), format!("{what}: {fault}")));
            rules.push(rule);
        }
    }
}

/// Whether a lint of its own judges that part of a result.
fn is_judged_elsewhere(method: &str, fault: &ShapeFault) -> bool {
    let at = fault.pointer.as_str();
    if matches!(at, "/resultType" | "/ttlMs" | "/cacheScope" | "/nextCursor") {
        return true;
    }
    match method {
        "initialize" | "server/discover" | "resources/read" | "completion/complete" => true,
        "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => {
            at.matches('/').count() > 1
        }
        "tools/call" => {
            matches!(at, "" | "/content" | "/isError")
                || at.starts_with("/structuredContent")
                || at.ends_with("/type")
                || at.contains("/annotations")
                || at.contains("/inputRequests")
        }
        "prompts/get" => at.starts_with("/messages"),
        method => method.starts_with("tasks/"),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let list = |result| Scene::new().asked("tools/list", json!({}), Reply::Result(result));
    let block = |block| Scene::new().call("tool", json!({}), json!({"content": [block]}));
    let note = |params| {
        list(json!({"tools": []})).stray(frame(&json!({
            "jsonrpc": "2.0", "method": "notifications/progress", "params": params
        })))
    };
    Examples::of(&ENTRY)
        .flags("/tools must be an array, not null", list(json!({"tools": null})))
        .flags("/content/0/text must be a string, not nothing", block(json!({"type": "text"})))
        .flags(
            "/params/progress must be a number",
            note(json!({"progressToken": 1, "progress": "50%"})),
        )
        .passes(list(json!({"tools": [{"name": 3}], "nextCursor": null})))
        .passes(block(json!({"type": "text", "text": ""})))
        .passes(note(json!({"progressToken": 1, "progress": 0.5})))
}
