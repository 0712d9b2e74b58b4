//! `resource_listed_readable`.

use crate::case::Action;
use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
#[cfg(test)]
use serde_json::json;

lint! {
    /// A resource that the server lists cannot be read.
    ///
    /// Clients offer listed resources to users and models, who then get an error instead of the content.
    ResourceListedReadable(Response, Warning) {}
    spec: "server/resources", fix: "List only what can be read, and send `notifications/resources/list_changed` when something goes away."
}

impl Lint for ResourceListedReadable {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(Action::ReadResource { uri }) = context.step.map(|step| &step.action) else {
            return;
        };
        // After a tool call the resource may be gone for a good reason.
        let untouched = context.history.iter().all(|(step, _)| step.action.tool().is_none());
        let is_listed = context.catalog.resources.iter().any(|resource| resource.uri == *uri);
        if let Reply::Error(error) = &context.exchange.reply
            && is_listed
            && untouched
        {
            let code = error.code.map(|code| format!(" ({code})")).unwrap_or_default();
            let message =
                format!("the listed resource {uri:?} cannot be read: {}{code}", error.message);
            problems.push(Problem::new(format!("read {uri}"), message));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::{Label, Role, Step};
    use crate::catalog::ListKind;
    use crate::lints::scene::error;
    let read = |uri: &str, reply: Reply| {
        let mut scene = Scene::new()
            .item(ListKind::Resources, json!({"uri": "x://a", "name": "a"}))
            .asked("resources/read", json!({ "uri": uri }), reply);
        let action = Action::ReadResource { uri: uri.to_owned() };
        scene.step = Some(Step {
            action,
            bindings: Vec::new(),
            label: Label::Valid,
            role: Role::default(),
            group: None,
        });
        scene
    };
    let missing = || error(-32002, "Resource not found");
    Examples::of(&ENTRY)
        .flags(
            "the listed resource \"x://a\" cannot be read: Resource not found (-32002)",
            read("x://a", missing()),
        )
        .passes(read("x://b", missing()))
        .passes(read("x://a", missing()).after("delete", json!({}), json!({"content": []})))
        .passes(read("x://a", Reply::Result(json!({"contents": []}))))
}
