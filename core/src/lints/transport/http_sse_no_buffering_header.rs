//! `http_sse_no_buffering_header`.

use crate::exchange::HttpExchange;
use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// An event stream does not tell proxies to pass its events on at once.
    ///
    /// Proxies such as nginx collect what they pass on; events then come late and in heaps.
    HttpSseNoBufferingHeader(Response, Disabled) {}
    spec: "basic/transports/streamable-http#receiving-messages", fix: "Send `X-Accel-Buffering: no` with event streams.", since: V2026_07_28
}

impl Lint for HttpSseNoBufferingHeader {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let buffered = |http: &HttpExchange| {
            !http.header("x-accel-buffering").is_some_and(|value| value.eq_ignore_ascii_case("no"))
        };
        if event_stream(context).is_some_and(buffered) {
            problems.push(Problem::new(
                "no header",
                "an event stream came without `X-Accel-Buffering: no`",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;

    let modern = || Scene::at(Revision::V2026_07_28).streamed(Vec::new());
    Examples::of(&ENTRY).flags("without `X-Accel-Buffering", modern()).passes(
        modern().with_exchange(|exchange| {
            let http = exchange.http.as_mut().expect("streamed");
            http.headers.push(("X-Accel-Buffering".to_owned(), "no".to_owned()));
        }),
    )
}
