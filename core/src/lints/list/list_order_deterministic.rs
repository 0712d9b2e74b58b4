//! `list_order_deterministic`.

use super::item::{items, keys};
use crate::catalog::ListKind;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeSession, ProbeStep};
#[cfg(test)]
use crate::protocol::Revision;
use serde_json::json;

lint! {
    /// The same tools come in another order when they are listed again.
    ///
    /// The list stands at the start of the model's context: when its order changes, clients and models lose what they have cached.
    ListOrderDeterministic(Probe, Warning) {}
    spec: "server/tools#capabilities", fix: "List tools in a fixed order, for example the one in which they are registered, or by name.", since: V2026_07_28
}

/// How often the list is asked for.
const TIMES: usize = 3;

impl Lint for ListOrderDeterministic {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if items(context.catalog, ListKind::Tools).nth(1).is_none() {
            return Vec::new();
        }
        let ask = || {
            let method = ListKind::Tools.method().to_owned();
            ProbeStep::Request(ProbeRequest {
                method,
                params: json!({}),
                ..ProbeRequest::default()
            })
        };
        let steps = (0..TIMES).map(|_| ask()).collect();
        vec![Probe {
            name: format!("tools/list {TIMES} times"),
            session: ProbeSession::Shared,
            steps,
        }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let pages: Vec<_> =
                run.steps.iter().filter_map(|step| keys(step.exchanges.first()?)).collect();
            let Some(first) = pages.first() else {
                continue;
            };
            let reordered =
                pages.iter().find(|page| *page != first && sorted(page) == sorted(first));
            if let Some(page) = reordered {
                let at = first.iter().zip(page).position(|(a, b)| a != b).unwrap_or_default();
                let message = format!(
                    "`tools/list` gives the same tools in another order when asked again: at position {at} was {:?} and then {:?}",
                    first[at], page[at]
                );
                problems.push(Problem::new("order", message));
            }
        }
    }
}

/// The names in alphabetical order.
fn sorted<'a>(page: &[&'a str]) -> Vec<&'a str> {
    let mut page = page.to_vec();
    page.sort_unstable();
    page
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::lints::scene::exchange;
    use crate::probe::{ProbeOutcome, ProbeRun};
    let scene = |answers: &[&[&str]]| {
        let step = |names: &&[&str]| {
            let tools: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
            let reply = Reply::Result(json!({ "tools": tools }));
            ProbeOutcome {
                exchanges: vec![exchange("tools/list", json!({}), reply)],
                alive: true,
                ..ProbeOutcome::default()
            }
        };
        let probe = Probe { name: String::new(), session: ProbeSession::Shared, steps: Vec::new() };
        let steps = answers.iter().map(step).collect();
        Scene::at(Revision::V2026_07_28).probed(vec![ProbeRun {
            probe,
            steps,
            not_run: None,
            closing: None,
        }])
    };
    Examples::of(&ENTRY)
        .flags(
            "at position 0 was \"a\" and then \"b\"",
            scene(&[&["a", "b"], &["a", "b"], &["b", "a"]]),
        )
        .passes(scene(&[&["a", "b"], &["a", "b"]]))
        .passes(scene(&[&["a", "b"], &["b", "a", "c"]]))
        .passes(Scene::at(Revision::V2026_07_28).tool(json!({"name": "a"})))
}
