//! The parts that probes are made of.

use crate::catalog::ListKind;
use crate::lints::ListContext;
use crate::lints::look::declares;
use crate::probe::{Probe, ProbeBody, ProbeHttp, ProbeRequest, ProbeSession, ProbeStep};
use crate::protocol::Era;
use serde_json::{Value, json};

/// A harmless probe on the session that such probes share, with a fence after it.
pub(in crate::lints) fn shared(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    fenced(name.into(), ProbeSession::Shared, steps)
}

/// A probe with faulty messages, with a fence after it.
pub(in crate::lints) fn rough(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    fenced(name.into(), ProbeSession::Rough, steps)
}

/// A probe on a connection on which nothing has been sent.
pub(in crate::lints) fn unopened(name: impl Into<String>, steps: Vec<ProbeStep>) -> Probe {
    Probe { name: name.into(), session: ProbeSession::Unopened, steps }
}

fn fenced(name: String, session: ProbeSession, mut steps: Vec<ProbeStep>) -> Probe {
    steps.push(ProbeStep::Fence);
    Probe { name, session, steps }
}

/// A request.
pub(in crate::lints) fn ask(method: &str, params: Value) -> ProbeStep {
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        ..ProbeRequest::default()
    })
}

/// A notification.
pub(in crate::lints) fn notify(method: &str, params: Value) -> ProbeStep {
    ProbeStep::Notify { method: method.to_owned(), params }
}

/// A line, or the body of a POST.
pub(in crate::lints) fn raw(text: &str) -> ProbeStep {
    ProbeStep::Raw(text.as_bytes().to_vec())
}

/// A POST of a request with some headers set or left out.
pub(in crate::lints) fn post(
    method: &str,
    params: Value,
    headers: &[(&str, Option<&str>)],
) -> ProbeStep {
    ProbeStep::Http(ProbeHttp {
        body: ProbeBody::Request(method.to_owned(), params),
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned)))
            .collect(),
        ..ProbeHttp::default()
    })
}

/// An HTTP request without a body that waits at most that many milliseconds for the end of its response.
pub(in crate::lints) fn bare(
    method: &str,
    headers: &[(&str, Option<&str>)],
    wait: u64,
) -> ProbeStep {
    ProbeStep::Http(ProbeHttp {
        method: method.to_owned(),
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned)))
            .collect(),
        wait: Some(wait),
        ..ProbeHttp::default()
    })
}

/// A harmless request that the server surely serves: a list that it declares, else the era's known-good request.
pub(in crate::lints) fn harmless(context: &ListContext<'_>) -> (&'static str, Value) {
    let list = ListKind::ALL.into_iter().find(|list| {
        declares(context.server, list.capability())
            && context
                .catalog
                .listing(*list)
                .is_some_and(|l| l.pages.iter().any(|p| p.result().is_some()))
    });
    match (list, context.revision.era()) {
        (Some(list), _) => (list.method(), json!({})),
        (None, Era::Legacy) => ("ping", json!({})),
        (None, Era::Modern) => ("server/discover", json!({})),
    }
}
