//! `concurrent_requests_answered`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, harmless, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeStep};

lint! {
    /// Requests that were sent together were not all answered.
    ///
    /// Clients send several requests at once; one that is lost among others hangs.
    ConcurrentRequestsAnswered(Probe, Warning) {
        /// How many requests are sent together.
        requests: usize = 8,
    }
    spec: "basic/index#responses", fix: "Answer each request with its own id, whatever else is under way."
}

impl Lint for ConcurrentRequestsAnswered {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let (method, params) = harmless(context);
        let requests = vec![(method.to_owned(), params); self.requests];
        vec![shared("requests sent together", vec![ProbeStep::Together(requests)])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let exchanges: Vec<_> = asked(context).map(|(_, exchange)| exchange).collect();
        let lost = exchanges
            .iter()
            .filter(|exchange| {
                matches!(exchange.reply, Reply::Silence { .. } | Reply::Malformed(_))
            })
            .count();
        if lost > 0 {
            let all = exchanges.len();
            problems.push(Problem::new(
                "lost requests",
                format!(
                    "of {all} requests sent together, {lost} were not answered as they should be"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags("of 8 requests", Scene::new().answers(|_, _| Reply::Silence { responsive: true }))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
