//! `list_changed_delivered`.

use crate::catalog::ListKind;
use crate::exchange::Exchange;
use crate::lints::look::{CLIENT_CAPABILITIES, declares, is_stdio};
use crate::lints::meta::lint;
use crate::lints::probes::{ask, changing_calls, item_keys, notify, raw};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::{Probe, ProbeRun, ProbeSession, ProbeStep};
use crate::protocol::Era;
use serde_json::json;

lint! {
    /// A call changed the prompts or resources, and the notification that the server declares did not come.
    ///
    /// Clients that were promised to be told do not look again. (Tools: `list_changed_silently`.)
    ListChangedDelivered(Probe, Warning) {
        /// How many calls are made at most.
        calls: usize = 6,
        /// How long the notification may take, in milliseconds.
        wait: u64 = 1500,
    }
    spec: "server/resources#list-changed-notification", fix: "Send `list_changed` with each change of the list, to everyone who listens."
}

/// The lists, the capability that promises to tell of changes, and what tells of them.
const LISTS: [(ListKind, &str, &str); 3] = [
    (ListKind::Prompts, "prompts/listChanged", "notifications/prompts/list_changed"),
    (ListKind::Resources, "resources/listChanged", "notifications/resources/list_changed"),
    (ListKind::Templates, "resources/listChanged", "notifications/resources/list_changed"),
];
const SUBSCRIPTION: &str = "tooltest-changes";

impl Lint for ListChangedDelivered {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let promised =
            LISTS.iter().filter(|(_, capability, _)| declares(context.server, capability));
        let lists: Vec<_> = promised.map(|(list, ..)| ask(list.method(), json!({}))).collect();
        let calls: Vec<_> = changing_calls(context).take(self.calls).collect();
        let modern = context.revision.era() == Era::Modern;
        // Over HTTP a subscription has a stream of its own, which a probe cannot hold open beside its calls.
        if lists.is_empty() || calls.is_empty() || (modern && !is_stdio(context.input)) {
            return Vec::new();
        }
        let mut steps = Vec::new();
        if modern {
            let meta = json!({"io.modelcontextprotocol/protocolVersion": context.revision.as_str(), CLIENT_CAPABILITIES: {}});
            let filter = json!({"promptsListChanged": true, "resourcesListChanged": true});
            let listen = json!({"jsonrpc": "2.0", "id": SUBSCRIPTION, "method": "subscriptions/listen", "params": {"notifications": filter, "_meta": meta}});
            steps.extend([raw(&listen.to_string()), ProbeStep::Listen(300)]);
        }
        steps.extend(lists.iter().cloned());
        steps.extend(calls);
        steps.push(ProbeStep::Listen(self.wait));
        steps.extend(lists);
        if modern {
            steps.push(notify("notifications/cancelled", json!({"requestId": SUBSCRIPTION})));
        }
        steps.push(ProbeStep::Fence);
        let name = "lists before and after calls".to_owned();
        vec![Probe { name, session: ProbeSession::Own, steps }]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for run in context.runs.iter().filter(|run| run.survived() == Some(true)) {
            let changed = LISTS
                .iter()
                .filter(|(.., told)| !was_told(run, told))
                .find_map(|(list, _, told)| Some((list.method(), told, changed_item(run, *list)?)));
            if let Some((method, told, item)) = changed {
                problems.push(Problem::new(
                    method,
                    format!(
                        "calls changed what {method} lists ({item:?}), and {told} did not come"
                    ),
                ));
            }
        }
    }
}

/// An item that was in the list only before the calls, or only after them.
fn changed_item(run: &ProbeRun, list: ListKind) -> Option<String> {
    let exchanges = run.steps.iter().flat_map(|step| &step.exchanges);
    let mut looks = exchanges.filter(|exchange| exchange.method == list.method());
    // What has more pages is not seen whole.
    let whole = |page: &Exchange| page.result().is_some_and(|r| r.get("nextCursor").is_none());
    let before = looks.next().filter(|page| whole(page)).and_then(|page| item_keys(page, list))?;
    let after = looks.next().filter(|page| whole(page)).and_then(|page| item_keys(page, list))?;
    before.symmetric_difference(&after).next().cloned()
}

fn was_told(run: &ProbeRun, method: &str) -> bool {
    let aside = run.steps.iter().flat_map(|step| &step.exchanges).flat_map(|e| &e.side);
    let frames = run.steps.iter().flat_map(|step| &step.frames).chain(aside);
    frames.filter_map(|frame| frame.method()).any(|other| other == method)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::lints::scene::frame;
    use crate::protocol::Revision;

    let grows = |run: &mut ProbeRun| {
        let lists = run.steps.iter_mut().flat_map(|step| &mut step.exchanges);
        if let Some(last) = lists.filter(|exchange| exchange.method == "resources/list").last() {
            last.reply = Reply::Result(json!({"resources": [{"uri": "note://1"}]}));
        }
    };
    let server = |revision| {
        Scene::at(revision)
            .capabilities(json!({"resources": {"listChanged": true}}))
            .seen_call("add_note", json!({}))
            .answers(|_, _| Reply::Result(json!({"resources": []})))
    };
    let tells = |run: &mut ProbeRun| {
        let told = frame(&json!({"method": "notifications/resources/list_changed"}));
        if let Some(listens) = run.steps.iter_mut().find(|step| step.exchanges.is_empty()) {
            listens.frames.push(told);
        }
    };
    Examples::of(&ENTRY)
        .flags("(\"note://1\")", server(Revision::V2025_11_25).runs_changed(grows))
        .flags("did not come", server(Revision::V2026_07_28).runs_changed(grows))
        .passes(server(Revision::V2025_11_25).runs_changed(tells))
        .passes(server(Revision::V2025_11_25))
}
