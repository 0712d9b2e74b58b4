//! `call_content_mime`.

use crate::lints::content::mime_fault;
use crate::lints::look::{blocks, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The MIME type of an image, a sound or a resource is missing or does not fit.
    ///
    /// Clients choose by it how to show the content.
    CallContentMime(Response, Warning) {}
    spec: "server/tools#image-content", fix: "Name the media type of the data, for example `image/png`."
}

impl Lint for CallContentMime {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let fault = blocks(context).find_map(|block| Some((kind_of(block), mime_fault(block)?)));
        if let Some((kind, fault)) = fault {
            problems.push(Problem::new(
                format!("mimeType of {kind}"),
                format!("in a block of type {kind}, {fault}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let image = |mime| {
        let block = json!({"type": "image", "data": "aGk=", "mimeType": mime});
        Scene::new().call("tool", json!({}), json!({"content": [block]}))
    };
    Examples::of(&ENTRY)
        .flags("no media type", image("png"))
        .flags("is not image/", image("application/json"))
        .passes(image("image/svg+xml"))
}
