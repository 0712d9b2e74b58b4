//! `resource_path_traversal`.

use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, rough};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// A resource outside of what is offered can be read by going up in its path.
    ///
    /// Whoever can read a file of the server's folder can then read any file.
    ResourcePathTraversal(Probe, Disabled) {}
    spec: "server/resources#security-considerations", fix: "Resolve the path and refuse what lies outside of the folders that are offered."
}

/// A file that every system of this kind has.
const OUTSIDE: &str = "etc/hostname";

impl Lint for ResourcePathTraversal {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let files =
            context.catalog.resources.iter().find(|resource| resource.uri.starts_with("file:///"));
        let Some(folder) = files.and_then(|file| Some(file.uri.rsplit_once('/')?.0.to_owned()))
        else {
            return Vec::new();
        };
        let ways = ["../".repeat(16), "..%2f".repeat(16), "%2e%2e/".repeat(16)];
        let reads = ways
            .map(|way| ask("resources/read", json!({"uri": format!("{folder}/{way}{OUTSIDE}")})));
        vec![rough("resources outside of what is offered", reads.to_vec())]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let read = asked(context).find(|(_, exchange)| {
            let contents = exchange.result().and_then(|result| result.get("contents")?.as_array());
            contents.is_some_and(|contents| !contents.is_empty())
        });
        if let Some((_, exchange)) = read {
            let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
            problems.push(Problem::new("read", format!("{uri} was read")));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::exchange::Reply;

    let files =
        || Scene::new().item(ListKind::Resources, json!({"uri": "file:///srv/a.txt", "name": "a"}));
    Examples::of(&ENTRY)
        .flags(
            "etc/hostname was read",
            files()
                .answers(|_, _| Reply::Result(json!({"contents": [{"uri": "x", "text": "host"}]}))),
        )
        .passes(files().answers(|_, _| error(-32602, "outside")))
}
