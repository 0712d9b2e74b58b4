//! `pagination_invalid_cursor`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// A cursor that the server never gave out is not refused with -32602.
    ///
    /// A client with a stale cursor gets the wrong page and does not notice.
    PaginationInvalidCursor(Probe, Warning) {}
    spec: "server/utilities/pagination#error-handling", fix: "Refuse cursors that cannot be read with -32602."
}

impl Lint for PaginationInvalidCursor {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        // A server that never gives out a cursor may ignore one.
        let paged = context.catalog.listings.iter().filter(|listing| {
            listing.pages.iter().any(|page| {
                page.result().is_some_and(|r| r.get("nextCursor").is_some_and(Value::is_string))
            })
        });
        let asks: Vec<_> = paged
            .map(|listing| ask(listing.list.method(), json!({"cursor": "tooltest-forged-cursor"})))
            .collect();
        if asks.is_empty() { Vec::new() } else { vec![shared("a forged cursor", asks)] }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let refused = match &exchange.reply {
                Reply::Result(_) => false,
                Reply::Error(error) => error.code == Some(-32602),
                _ => true,
            };
            if !refused {
                problems.push(Problem::new(
                    exchange.method.clone(),
                    format!("{} with a forged cursor got {}", exchange.method, outcome(exchange)),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let paged = || {
        Scene::new()
            .page(ListKind::Tools, json!({"tools": [], "nextCursor": "2"}))
            .page(ListKind::Tools, json!({"tools": []}))
    };
    Examples::of(&ENTRY)
        .flags("got the result", paged().answers(|_, _| Reply::Result(json!({"tools": []}))))
        .flags("-32603", paged().answers(|_, _| error(-32603, "x")))
        .passes(paged().answers(|_, _| error(-32602, "Invalid cursor")))
        .passes(
            Scene::new()
                .page(ListKind::Tools, json!({"tools": []}))
                .answers(|_, _| Reply::Result(json!({"tools": []}))),
        )
}
