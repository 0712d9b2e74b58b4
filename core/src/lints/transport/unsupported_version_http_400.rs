//! `unsupported_version_http_400`.

use crate::lints::meta::lint;
use crate::lints::probes::{over_http, refused_without_400, unsupported_version_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::refuses};
use crate::probe::Probe;

lint! {
    /// A request for a version that is not supported is refused with a status other than 400.
    ///
    /// Clients that try several versions look at the status first.
    UnsupportedVersionHttp400(Probe, Error) {}
    spec: "basic/transports/streamable-http#protocol-version-header", fix: "Send the error -32022 with status 400.", since: V2026_07_28
}

impl Lint for UnsupportedVersionHttp400 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        over_http(context, || unsupported_version_probe(context))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if let Some((_, status)) = refused_without_400(context, &[-32022]) {
            problems.push(Problem::new(
                format!("status {status}"),
                format!(
                    "a request for the version 1900-01-01 was refused with status {status}, not 400"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("status 200, not 400", refuses::<-32022, 200>())
        .passes(refuses::<-32022, 400>())
}
