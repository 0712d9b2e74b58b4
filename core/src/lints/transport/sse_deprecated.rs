//! `sse_deprecated`.

use crate::lints::look::{is_http, is_sse};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The server can be reached over HTTP+SSE only.
    ///
    /// That transport was replaced by Streamable HTTP in 2025-03-26; newer clients do not speak it.
    SseDeprecated(List, Warning) {}
    spec: "basic/transports/streamable-http#httpsse-transport-2024-11-05", fix: "Offer Streamable HTTP beside it."
}

impl Lint for SseDeprecated {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        // Who asked for the old transport by name has not said that there is no other.
        if is_http(context.input) && is_sse(context.input, context.server) {
            problems.push(Problem::new(
                "only HTTP+SSE",
                "the endpoint refused POST and offers the HTTP+SSE transport of 2024-11-05 only",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::Channel;

    let opened = |channel| {
        Scene::new().over_http().with_server(|server| {
            let opening = server.opening.as_mut().expect("opened");
            opening.frame.as_mut().expect("answered").channel = channel;
        })
    };
    Examples::of(&ENTRY)
        .flags("HTTP+SSE transport of 2024-11-05 only", opened(Channel::GetStream))
        .passes(opened(Channel::PostStream))
}
