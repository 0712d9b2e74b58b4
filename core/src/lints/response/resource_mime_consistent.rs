//! `resource_mime_consistent`.

use crate::lints::look::complete;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A resource's contents have another MIME type than the list says.
    ///
    /// Clients decide by the list whether to read a resource at all.
    ResourceMimeConsistent(Response, Disabled) {}
    spec: "server/resources#resource", fix: "List the type that reading gives."
}

impl Lint for ResourceMimeConsistent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Some(result) = complete(context).filter(|_| exchange.method == "resources/read") else {
            return;
        };
        let uri = exchange.params.member("uri").and_then(Value::as_str).unwrap_or_default();
        let listed = context.catalog.resources.iter().find(|resource| resource.uri == uri);
        let listed = listed.and_then(|resource| resource.raw.member("mimeType")?.as_str());
        let contents = result.member("contents").and_then(Value::as_array);
        let own = contents
            .into_iter()
            .flatten()
            .find(|item| item.member("uri").and_then(Value::as_str) == Some(uri));
        let read = own.and_then(|item| item.member("mimeType")?.as_str());
        if let (Some(listed), Some(read)) = (listed, read)
            && !essence(listed).eq_ignore_ascii_case(essence(read))
        {
            problems.push(Problem::new(
                "other type",
                format!("{uri} is listed as {listed} and read as {read}"),
            ));
        }
    }
}

/// A media type without its parameters.
fn essence(mime: &str) -> &str {
    mime.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::exchange::Reply;
    use serde_json::json;

    let read = |mime: &str| {
        let contents = json!([{"uri": "notes://1", "mimeType": mime, "text": ""}]);
        Scene::new()
            .item(
                ListKind::Resources,
                json!({"uri": "notes://1", "name": "n", "mimeType": "text/plain"}),
            )
            .asked(
                "resources/read",
                json!({"uri": "notes://1"}),
                Reply::Result(json!({"contents": contents})),
            )
    };
    Examples::of(&ENTRY)
        .flags("listed as text/plain and read as text/html", read("text/html"))
        .passes(read("text/plain; charset=utf-8"))
}
