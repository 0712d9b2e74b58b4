//! `call_content_annotations`.

use crate::lints::content::annotation_faults;
use crate::lints::look::{blocks, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// The annotations of a content block are malformed.
    ///
    /// `audience` lists `user` and `assistant`, `priority` is from 0 to 1, `lastModified` is an ISO 8601 time.
    CallContentAnnotations(Response, Error) {}
    spec: "server/resources#annotations", fix: "Send annotations as the specification types them, or none."
}

impl Lint for CallContentAnnotations {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for block in blocks(context) {
            let faults = block.member("annotations").map(annotation_faults).unwrap_or_default();
            if let Some(fault) = faults.into_iter().next() {
                let kind = kind_of(block);
                problems.push(Problem::new(
                    fault.clone(),
                    format!("in the annotations of a block of type {kind}, {fault}"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let text = |annotations| {
        let block = json!({"type": "text", "text": "x", "annotations": annotations});
        Scene::new().call("tool", json!({}), json!({"content": [block]}))
    };
    Examples::of(&ENTRY)
        .flags("priority", text(json!({"priority": 7})))
        .flags("audience", text(json!({"audience": ["system"]})))
        .flags("lastModified", text(json!({"lastModified": "yesterday"})))
        .passes(text(
            json!({"audience": ["user"], "priority": 1, "lastModified": "2025-01-12T15:00:58Z"}),
        ))
}
