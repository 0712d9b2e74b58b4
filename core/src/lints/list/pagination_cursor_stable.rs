//! `pagination_cursor_stable`.

use super::item::keys;
#[cfg(test)]
use crate::catalog::ListKind;
use crate::catalog::Listing;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRequest, ProbeSession, ProbeStep};
#[cfg(test)]
use serde_json::Value;
use serde_json::json;

lint! {
    /// The same cursor gives another page when it is used again.
    ///
    /// A client that repeats a request, after a lost answer for example, then skips items or gets them twice.
    PaginationCursorStable(Probe, Warning) {}
    spec: "server/utilities/pagination", fix: "Let a cursor name a place in the list, not a place in the server's memory that each use moves on."
}

impl Lint for PaginationCursorStable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let cursors = context
            .catalog
            .listings
            .iter()
            .filter_map(|listing| Some((listing.list, first_cursor(listing)?)));
        cursors
            .map(|(list, cursor)| {
                let ask = || {
                    ProbeStep::Request(ProbeRequest {
                        method: list.method().to_owned(),
                        params: json!({ "cursor": cursor }),
                        ..ProbeRequest::default()
                    })
                };
                Probe {
                    name: format!("the second page of {} twice", list.method()),
                    session: ProbeSession::Shared,
                    steps: vec![ask(), ask()],
                }
            })
            .collect()
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs {
            let mut pages = run.steps.iter().filter_map(|step| step.exchanges.first());
            let (Some(first), Some(second)) = (pages.next(), pages.next()) else {
                continue;
            };
            // A cursor that another session does not know is not at fault.
            let (Some(before), Some(after)) = (keys(first), keys(second)) else {
                continue;
            };
            if before != after {
                let method = &first.method;
                let message = format!(
                    "`{method}`: the same cursor gave {} the first time and {} the second",
                    named(&before),
                    named(&after)
                );
                problems.push(Problem::new(method.clone(), message));
            }
        }
    }
}

/// The cursor of the second page, if there is one.
fn first_cursor(listing: &Listing) -> Option<&str> {
    listing.pages.first().filter(|_| listing.pages.len() > 1)?.result()?.get("nextCursor")?.as_str()
}

/// The first items, for people.
fn named(keys: &[&str]) -> String {
    match keys {
        [] => "no items".to_owned(),
        [first] => format!("{first:?} alone"),
        [first, ..] => format!("{} items from {first:?} on", keys.len()),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::lints::scene::{error, exchange};
    use crate::probe::{ProbeOutcome, ProbeRun};
    let scene = || {
        let page = |cursor: Option<&str>| json!({"tools": [{"name": "a"}], "nextCursor": cursor});
        Scene::new().page(ListKind::Tools, page(Some("2"))).page(ListKind::Tools, page(None))
    };
    let answers = |replies: [Reply; 2]| {
        let steps = replies
            .into_iter()
            .map(|reply| ProbeOutcome {
                exchanges: vec![exchange("tools/list", json!({}), reply)],
                alive: true,
                ..ProbeOutcome::default()
            })
            .collect();
        let probe = Probe { name: String::new(), session: ProbeSession::Shared, steps: Vec::new() };
        scene().probed(vec![ProbeRun { probe, steps, not_run: None, closing: None }])
    };
    let page = |names: &[&str]| {
        let tools: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
        Reply::Result(json!({ "tools": tools }))
    };
    Examples::of(&ENTRY)
        .flags(
            "the same cursor gave \"b\" alone the first time and no items the second",
            answers([page(&["b"]), page(&[])]),
        )
        .flags(
            "gave 2 items from \"b\" on the first time",
            answers([page(&["b", "c"]), page(&["c", "d"])]),
        )
        .passes(answers([page(&["b"]), page(&["b"])]))
        .passes(answers([error(-32602, "Unknown cursor"), page(&["b"])]))
        .passes(scene().answers(|_, _| Reply::Result(json!({"tools": [{"name": "b"}]}))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_of_a_list_with_one_page() {
        let scene = Scene::new().page(ListKind::Tools, json!({"tools": []}));
        assert!(scene.plan(&ENTRY).is_empty());
        let scene = scene
            .page(ListKind::Prompts, json!({"prompts": [], "nextCursor": "x"}))
            .page(ListKind::Prompts, json!({"prompts": []}));
        let planned = scene.plan(&ENTRY);
        assert_eq!(planned.len(), 1);
        assert!(planned[0].steps.iter().all(|step| matches!(step, ProbeStep::Request(request) if request.params == json!({"cursor": "x"}))));
    }
}
