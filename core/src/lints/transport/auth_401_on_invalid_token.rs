//! `auth_401_on_invalid_token`.

use crate::lints::meta::lint;
use crate::lints::probes::{Auth, auth_probe, has_result};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A request with a token that is not valid is not refused with 401.
    ///
    /// 401 tells the client to get a new token. Where such a request is served, the token protects nothing.
    Auth401OnInvalidToken(Probe, Error) {}
    spec: "basic/authorization#token-handling", fix: "Check the token, and answer 401 where it is not valid.", since: V2025_03_26
}

impl Lint for Auth401OnInvalidToken {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        auth_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let Some(auth) = Auth::of(context).filter(|auth| auth.missing.status == 401) else {
            return;
        };
        let status = auth.invalid.status;
        if has_result(auth.invalid) {
            problems.push(Problem::new("served", "a request with a made-up token was served"));
        } else if matches!(status, 400..500) && status != 401 && status != 429 {
            let problem = Problem::new(
                format!("status {status}"),
                format!("a request with a made-up token got status {status}, not 401"),
            );
            problems.push(problem.warning());
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    fn says(answer: crate::lints::scene::AnswerHttp) -> Scene {
        Scene::new().with_token().answers_http(answer)
    }
    Examples::of(&ENTRY)
        .flags(
            "made-up token was served",
            says(|request| {
                let missing = request.headers.iter().any(|(_, value)| value.is_none());
                if missing { http(401, "") } else { http(200, r#"{"result":{}}"#) }
            }),
        )
        .flags(
            "got status 403, not 401",
            says(|request| {
                let missing = request.headers.iter().any(|(_, value)| value.is_none());
                if missing { http(401, "") } else { http(403, "") }
            }),
        )
        .passes(says(|_| http(401, "")))
}
