//! `http_accept_both`.

use crate::lints::meta::lint;
use crate::lints::probes::{Header, over_http, step_responses, with_headers};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// A request is refused because of the form of its `Accept` header.
    ///
    /// The two content types may stand in either order and may carry weights.
    HttpAcceptBoth(Probe, Error) {}
    spec: "RFC 9110 section 12.5.1", fix: "Read `Accept` as a list in any order, with parameters.", since: V2025_03_26
}

/// The forms that are tried.
const FORMS: [&str; 2] =
    ["text/event-stream, application/json", "application/json;q=0.9, text/event-stream;q=0.8"];

impl Lint for HttpAcceptBoth {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let forms = FORMS.map(|form| [("Accept", Some(form))]);
        let forms: Vec<&[Header<'_>]> = forms.iter().map(<[_; 1]>::as_slice).collect();
        over_http(context, || with_headers(context, "forms of Accept", &forms))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (at, response) in
            step_responses(context).filter(|(_, r)| matches!(r.status, 400 | 406 | 415))
        {
            let (form, status) = (FORMS.get(at).copied().unwrap_or_default(), response.status);
            let rule = if at == 0 { "order" } else { "weights" };
            problems.push(Problem::new(
                rule,
                format!("a request with `Accept: {form}` got status {status}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags(
            "text/event-stream, application/json` got status 406",
            Scene::new().over_http().answers_http(|request| {
                let reversed = request.headers.iter().any(|(_, v)| v.as_deref() == Some(FORMS[0]));
                if reversed { http(406, "") } else { http(200, r#"{"result":{}}"#) }
            }),
        )
        .passes(Scene::new().over_http().answers_http(|_| http(200, r#"{"result":{}}"#)))
        .passes(Scene::new().over_http().answers_http(|_| http(406, "")))
}
