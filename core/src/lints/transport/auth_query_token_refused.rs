//! `auth_query_token_refused`.

use crate::input::Target;
use crate::lints::meta::lint;
use crate::lints::probes::{harmless, has_result, path_of};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::{Probe, ProbeBody, ProbeHttp, ProbeSession, ProbeStep};

lint! {
    /// A token in the address is accepted.
    ///
    /// Addresses are written to logs and handed on; tokens belong in a header.
    AuthQueryTokenRefused(Probe, Disabled) {}
    spec: "basic/authorization#token-requirements", fix: "Read the token from the `Authorization` header alone.", since: V2025_03_26
}

impl Lint for AuthQueryTokenRefused {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Target::Http(target) = &context.input.target else {
            return Vec::new();
        };
        let Some(token) = &target.auth_token else {
            return Vec::new();
        };
        let (method, params) = harmless(context);
        let path = path_of(&target.url);
        let joint = if path.contains('?') { '&' } else { '?' };
        let asks = [path.to_owned(), format!("{path}{joint}access_token={token}")].map(|path| {
            ProbeStep::Http(ProbeHttp {
                path: Some(path),
                headers: vec![("Authorization".to_owned(), None)],
                body: ProbeBody::Request(method.to_owned(), params.clone()),
                ..ProbeHttp::default()
            })
        });
        let name = "a token in the address".to_owned();
        vec![Probe { name, session: ProbeSession::Own, steps: asks.to_vec() }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let refused = run.http(0).is_some_and(|response| response.status == 401);
            if refused && run.http(1).is_some_and(has_result) {
                problems.push(Problem::new(
                    "accepted",
                    "a token in the query of the address was accepted",
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "was accepted",
            Scene::new().with_token().answers_http(|request| {
                let carried =
                    request.path.as_deref().is_some_and(|path| path.contains("access_token"));
                if carried { http(200, r#"{"result":{}}"#) } else { http(401, "") }
            }),
        )
        .passes(Scene::new().with_token().answers_http(|_| http(401, "")))
}
