//! `call_content_type_known`.

use crate::lints::look::{blocks, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;

lint! {
    /// A content block is of a type that the revision does not have.
    ///
    /// Typed clients refuse the whole result.
    CallContentTypeKnown(Response, Error) {}
    spec: "server/tools#tool-result", fix: "Use the content types of the revision that was agreed on; put other data into `structuredContent` or text."
}

impl Lint for CallContentTypeKnown {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let known = context.revision.content_types();
        for block in blocks(context) {
            let kind = block.member("type");
            if !kind.and_then(|kind| kind.as_str()).is_some_and(|kind| known.contains(&kind)) {
                let shown = kind.map_or_else(
                    || "no type".to_owned(),
                    |kind| format!("the type {}", show(kind)),
                );
                let known = known.join(", ");
                problems.push(Problem::new(
                    format!("type {shown}"),
                    format!("a content block has {shown}; {} has {known}", context.revision),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let call =
        |revision, block| Scene::at(revision).call("tool", json!({}), json!({"content": [block]}));
    let audio = || json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"});
    Examples::of(&ENTRY)
        .flags("\"audio\"", call(Revision::V2024_11_05, audio()))
        .flags("no type", call(Revision::V2025_11_25, json!({"text": "x"})))
        .passes(call(Revision::V2025_03_26, audio()))
}
