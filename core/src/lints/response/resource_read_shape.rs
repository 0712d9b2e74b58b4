//! `resource_read_shape`.

use crate::lints::content::contents_faults;
use crate::lints::look::complete;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;
use serde_json::Value;

lint! {
    /// The contents of a resource are malformed.
    ///
    /// Each item has a `uri` and exactly one of `text` and `blob`, the blob in base64; typed clients refuse anything else.
    ResourceReadShape(Response, Error) {}
    spec: "server/resources#reading-resources", fix: "Answer with `contents`: a list of `{uri, mimeType, text}` or `{uri, mimeType, blob}`."
}

impl Lint for ResourceReadShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Some(result) = complete(context).filter(|_| exchange.method == "resources/read") else {
            return;
        };
        let uri = exchange.params.member("uri").and_then(Value::as_str).unwrap_or_default();
        let faults = shapes::check_result(context.revision, "resources/read", result);
        let own = faults
            .into_iter()
            .find(|fault| fault.pointer.is_empty() || fault.pointer.starts_with("/contents"));
        if let Some(fault) = own {
            problems.push(Problem::new(fault.rule(), format!("reading {uri}: {fault}")));
            return;
        }
        let contents = result.member("contents").and_then(Value::as_array);
        let faults = contents.into_iter().flatten().flat_map(contents_faults);
        if let Some(fault) = faults.into_iter().next() {
            problems.push(Problem::new(
                fault.clone(),
                format!("reading {uri}: an item of the contents {fault}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let read = |contents: Value| {
        Scene::new().asked(
            "resources/read",
            json!({"uri": "notes://1"}),
            Reply::Result(json!({"contents": contents})),
        )
    };
    Examples::of(&ENTRY)
        .flags("/contents must be an array", read(json!("text")))
        .flags(
            "has both text and blob",
            read(json!([{"uri": "notes://1", "text": "x", "blob": "aGk="}])),
        )
        .flags("blob is not base64", read(json!([{"uri": "notes://1", "blob": "hello world"}])))
        .passes(read(json!([{"uri": "notes://1", "text": ""}])))
        .passes(read(json!([])))
}
