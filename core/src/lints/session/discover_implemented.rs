//! `discover_implemented`.

use crate::lints::meta::lint;
use crate::lints::probes::outcome;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, exchange},
};

lint! {
    /// `server/discover` is answered with an error.
    ///
    /// It is the one request that every server of this revision must serve; clients learn from it what the server can do.
    DiscoverImplemented(List, Error) {}
    spec: "server/discover", fix: "Serve `server/discover`.", since: V2026_07_28
}

impl Lint for DiscoverImplemented {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let opening =
            context.server.opening.as_ref().filter(|opening| opening.method == "server/discover");
        if let Some(opening) = opening.filter(|opening| opening.result().is_none()) {
            problems.push(Problem::new(
                "no result",
                format!("server/discover got {}", outcome(opening)),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let opened = |reply| {
        Scene::at(Revision::V2026_07_28).with_server(|server| {
            server.opening = Some(Box::new(exchange("server/discover", json!({}), reply)));
        })
    };
    Examples::of(&ENTRY)
        .flags("the error -32022", opened(error(-32022, "Unsupported protocol version")))
        .passes(Scene::at(Revision::V2026_07_28))
}
