//! `resource_read_uri_match`.

use crate::lints::look::complete;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// No item of a resource's contents carries the URI that was asked for.
    ///
    /// A client that keeps contents by URI does not find them again.
    ResourceReadUriMatch(Response, Warning) {}
    spec: "server/resources#reading-resources", fix: "Put the URI of the request into the item that answers it."
}

impl Lint for ResourceReadUriMatch {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Some(result) = complete(context).filter(|_| exchange.method == "resources/read") else {
            return;
        };
        let asked = exchange.params.member("uri").and_then(Value::as_str).unwrap_or_default();
        let contents = result.member("contents").and_then(Value::as_array);
        let uris: Vec<&str> = contents
            .into_iter()
            .flatten()
            .filter_map(|item| item.member("uri")?.as_str())
            .collect();
        // The contents of a folder are items with URIs below the one asked for.
        let fits = |uri: &&str| *uri == asked || uri.starts_with(asked) || equal(uri, asked);
        if let (Some(first), false) = (uris.first(), uris.iter().any(fits)) {
            problems.push(Problem::new(
                "other uri",
                format!("reading {asked} gave contents of {first}"),
            ));
        }
    }
}

/// Whether two URIs are equal once they are normalised.
fn equal(a: &str, b: &str) -> bool {
    match (url::Url::parse(a), url::Url::parse(b)) {
        (Ok(a), Ok(b)) => {
            a == b || a.as_str().trim_end_matches('/') == b.as_str().trim_end_matches('/')
        }
        _ => false,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let read = |uri: &str| {
        let contents = json!([{"uri": uri, "text": ""}]);
        Scene::new().asked(
            "resources/read",
            json!({"uri": "notes://1"}),
            Reply::Result(json!({"contents": contents})),
        )
    };
    Examples::of(&ENTRY)
        .flags("gave contents of notes://2", read("notes://2"))
        .passes(read("notes://1"))
        .passes(read("notes://1/part"))
}
