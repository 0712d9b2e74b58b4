//! `call_resource_link_uri`.

use crate::lints::content::{contents_faults, uri_fault};
use crate::lints::look::{blocks, kind_of, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A resource in a result has no usable URI, or an embedded one not exactly one of text and blob.
    ///
    /// The client cannot read what the link points to.
    CallResourceLinkUri(Response, Error) {}
    spec: "server/tools#resource-links", fix: "Send an absolute URI with a scheme; put the content into `text` or `blob`, not both."
}

impl Lint for CallResourceLinkUri {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for block in blocks(context) {
            let fault = match kind_of(block) {
                "resource_link" => link_fault(block),
                // Base64 is `call_content_base64`.
                "resource" => block.member("resource").and_then(|resource| {
                    contents_faults(resource).into_iter().find(|fault| !fault.starts_with("blob"))
                }),
                _ => None,
            };
            if let Some(fault) = fault {
                let kind = kind_of(block);
                problems.push(Problem::new(
                    format!("{kind}: {}", fault.split('"').next().unwrap_or_default()),
                    format!("a block of type {kind} {fault}"),
                ));
                return;
            }
        }
    }
}

fn link_fault(block: &Value) -> Option<String> {
    let uri = block.member("uri").and_then(Value::as_str)?;
    uri_fault(uri).map(|fault| format!("has a uri that {fault}: \"{}\"", shorten(uri, 80)))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |block| Scene::new().call("tool", json!({}), json!({"content": [block]}));
    let link = |uri: &str| call(json!({"type": "resource_link", "uri": uri, "name": "x"}));
    let embedded = |resource| call(json!({"type": "resource", "resource": resource}));
    Examples::of(&ENTRY)
        .flags("has no scheme", link("notes/1.md"))
        .flags("neither text nor blob", embedded(json!({"uri": "a:b"})))
        .flags("both text and blob", embedded(json!({"uri": "a:b", "text": "", "blob": ""})))
        .passes(link("file:///notes/1.md"))
        .passes(embedded(json!({"uri": "notes://1", "text": ""})))
}
