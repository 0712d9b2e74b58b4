//! `auth_401_on_missing_token`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A request without a token is refused with a status other than 401.
    ///
    /// 401 tells the client to get a token; any other status only tells it that something failed.
    Auth401OnMissingToken(Probe, Error) {}
    spec: "basic/authorization#error-handling", fix: "Answer requests without a token with 401.", since: V2025_03_26
}

impl Lint for Auth401OnMissingToken {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context) else {
            return;
        };
        // A server that serves everybody, or answers 401 to a wrong token only, does not demand one.
        let status = auth.missing.status;
        if matches!(status, 400..500) && status != 401 && status != 429 {
            let problem = Problem::new(
                format!("status {status}"),
                format!("a request without a token got status {status}, not 401"),
            );
            // Without a 401 anywhere nobody has said that it is the token that is missed.
            problems.push(if auth.is_protected() { problem } else { problem.warning() });
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "got status 403, not 401",
            Scene::new().with_token().answers_http(|request| {
                let missing = request.headers.iter().any(|(_, value)| value.is_none());
                if missing { http(403, "") } else { http(401, "") }
            }),
        )
        .passes(Scene::new().with_token().answers_http(|_| http(401, "")))
        .passes(Scene::new().with_token().answers_http(|_| http(200, r#"{"result":{}}"#)))
}
