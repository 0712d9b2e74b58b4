//! `call_content_base64`.

use crate::lints::content::base64_fault;
use crate::lints::look::{blocks, kind_of};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::{Members, Places};
use serde_json::Value;

lint! {
    /// Binary content is not base64.
    ///
    /// The client cannot decode the image, sound or file, and shows nothing.
    CallContentBase64(Response, Error) {}
    spec: "server/tools#image-content", fix: "Encode the bytes with the standard base64 alphabet, padded, without a `data:` prefix."
}

impl Lint for CallContentBase64 {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for block in blocks(context) {
            let kind = kind_of(block);
            let (member, text) = match kind {
                "image" | "audio" => ("data", block.member("data")),
                "resource" => ("blob", block.place("/resource/blob")),
                _ => continue,
            };
            let text =
                text.and_then(Value::as_str).filter(|text| member == "data" || !text.is_empty());
            if let Some(fault) = text.and_then(base64_fault) {
                problems.push(Problem::new(
                    format!("{kind} {member}"),
                    format!("the {member} of a block of type {kind} {fault}"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |block| Scene::new().call("tool", json!({}), json!({"content": [block]}));
    let image = |data: &str| call(json!({"type": "image", "data": data, "mimeType": "image/png"}));
    let file =
        |blob: &str| call(json!({"type": "resource", "resource": {"uri": "a:b", "blob": blob}}));
    Examples::of(&ENTRY)
        .flags("is a data: URL", image("data:image/png;base64,aGk="))
        .flags("is empty", image(""))
        .flags("the blob of a block of type resource is not base64", file("hello world"))
        .passes(image("aGk="))
        .passes(file(""))
}
