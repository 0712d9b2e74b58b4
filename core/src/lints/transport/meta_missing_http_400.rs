//! `meta_missing_http_400`.

use crate::lints::meta::lint;
use crate::lints::probes::{meta_missing_probe, over_http, refused_without_400};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::refuses};
use crate::probe::Probe;

lint! {
    /// A request without its `_meta` is refused with a status other than 400.
    ///
    /// Gateways that do not read bodies count the refusal as a success.
    MetaMissingHttp400(Probe, Error) {}
    spec: "basic/index#meta", fix: "Send the error with status 400.", since: V2026_07_28
}

impl Lint for MetaMissingHttp400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        over_http(context, || meta_missing_probe(context))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some((exchange, status)) = refused_without_400(context, &[-32602, -32020]) {
            let method = &exchange.method;
            problems.push(Problem::new(
                format!("status {status}"),
                format!("{method} without its _meta was refused with status {status}, not 400"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("status 200, not 400", refuses::<-32602, 200>())
        .passes(refuses::<-32602, 400>())
}
