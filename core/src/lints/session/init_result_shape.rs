//! `init_result_shape`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::shapes;

lint! {
    /// The answer to `initialize` is malformed.
    ///
    /// Typed clients refuse the session.
    InitResultShape(List, Error) {}
    spec: "basic/lifecycle#initialization", fix: "Answer with `protocolVersion`, `capabilities` and `serverInfo` (`name` and `version`).", until: V2025_11_25
}

impl Lint for InitResultShape {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let opening =
            context.server.opening.as_ref().filter(|opening| opening.method == "initialize");
        let Some(result) = opening.and_then(|opening| opening.result()) else {
            return;
        };
        for fault in shapes::check_result(context.revision, "initialize", result) {
            // The values of capabilities are `capability_shape`.
            if !fault.pointer.starts_with("/capabilities/") {
                problems.push(Problem::new(
                    fault.rule(),
                    format!("in the answer to initialize, {fault}"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let opened = |server_info| {
        Scene::new().opened(
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": server_info}),
        )
    };
    Examples::of(&ENTRY)
        .flags("/serverInfo/version must be a string, not nothing", opened(json!({"name": "x"})))
        .flags("/serverInfo must be an object", opened(json!(null)))
        .passes(opened(json!({"name": "x", "version": "1"})))
}
