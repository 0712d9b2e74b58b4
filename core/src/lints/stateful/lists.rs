//! What the lists of a case tell of each other and of what was made, whatever the calls were made for.

use super::list_disagrees::{is_position, is_whole, says_more};
use super::observed::{intent_of, is_look, is_ok, is_telling, objects, same_noun, tool_of};
use crate::case::Label;
use crate::catalog::Tool;
use crate::lints::{CaseContext, Problem};
use crate::sequence::intent::{Verb, list_switch};
use crate::sequence::mine;
use crate::sequence::paging::is_size;
use serde_json::{Map, Value};

/// Names of members that hold an item's id, the surest first.
const IDS: &[&str] = &["id", "uuid", "guid", "key", "name"];
/// Levels in which lists are looked for.
const DEPTH: u32 = 3;

/// A list as it was answered, not cut and not the first of several pages.
pub(super) struct Listing<'a> {
    pub(super) at: usize,
    pub(super) tool: &'a str,
    pub(super) asked: Map<String, Value>,
    pub(super) items: Vec<Map<String, Value>>,
    total: Option<u64>,
}

impl Listing<'_> {
    pub(super) fn has(&self, id: &Value) -> bool {
        self.items.iter().any(|item| id_of(item) == Some(id))
    }
}

/// What lists and searches of a case lack, and totals that are not theirs.
pub(super) fn disagreements(context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
    let listings: Vec<Listing<'_>> =
        (0..context.execution.exchanges.len()).filter_map(|at| listing(context, at)).collect();
    for (number, after) in listings.iter().enumerate() {
        let earlier = &listings[..number];
        for before in earlier.iter().filter(|before| before.tool == after.tool) {
            if untouched(context, before.at, after.at) {
                problems.extend(filtered(before, after).or_else(|| filtered(after, before)));
            }
            if before.asked == after.asked {
                problems.extend(vanished(context, before, after));
                problems.extend(miscounted(context, before, after));
            }
        }
        problems.extend(not_listed(context, earlier, after));
    }
    super::ghosts::ghosts(context, &listings, problems);
    problems.extend((0..context.execution.exchanges.len()).filter_map(|at| not_found(context, at)));
}

/// The list that a step was answered with, if it is known to be whole.
pub(super) fn listing<'a>(context: &CaseContext<'a>, at: usize) -> Option<Listing<'a>> {
    let execution = context.execution;
    let step = &execution.case.steps[at];
    let fits = is_ok(execution, at)
        && step.label == Label::Valid
        && step.group.is_none()
        && intent_of(context, at).verb == Verb::List;
    if !fits {
        return None;
    }
    let documents = objects(&execution.exchanges[at]);
    let [document] = documents.as_slice() else {
        return None;
    };
    let mut items = Vec::new();
    collect(document, DEPTH, &mut items);
    let mut asked = step.action.arguments().and_then(Value::as_object).cloned().unwrap_or_default();
    asked.retain(|_, value| !value.is_null());
    // That it is to list is no filter.
    if let Some(switch) = context.catalog.tool(tool_of(execution, at)).and_then(list_switch) {
        asked.shift_remove(switch);
    }
    // As many as were asked for may not be all.
    let full = |(name, value): (&String, &Value)| {
        is_size(name) && value.as_u64().is_some_and(|most| most <= items.len() as u64)
    };
    if asked.keys().any(|name| is_position(name)) || asked.iter().any(full) {
        return None;
    }
    let total = ["total", "total_count", "totalCount"]
        .iter()
        .find_map(|name| document.get(*name)?.as_u64());
    let whole = is_whole(&execution.exchanges[at]) || counts_all(&items, total, document);
    whole.then(|| Listing { at, tool: tool_of(execution, at), asked, items, total })
}

/// Whether a long list says itself that it is whole: its total is the number of its items, which is no number at which lists are cut.
fn counts_all(items: &[Map<String, Value>], total: Option<u64>, document: &Value) -> bool {
    total == Some(items.len() as u64) && !items.len().is_multiple_of(5) && !says_more(document)
}

/// The objects with an id in the lists of a document.
fn collect(document: &Value, depth: u32, items: &mut Vec<Map<String, Value>>) {
    match document {
        _ if depth == 0 => {}
        Value::Array(list) => {
            let found = list.iter().filter_map(Value::as_object);
            items.extend(found.filter(|item| id_of(item).is_some()).cloned());
        }
        Value::Object(members) => {
            members.values().for_each(|member| collect(member, depth - 1, items));
        }
        _ => {}
    }
}

pub(super) fn id_of(item: &Map<String, Value>) -> Option<&Value> {
    IDS.iter().find_map(|name| item.get(*name)).filter(|id| is_telling(id) || id.is_number())
}

/// Whether nothing between two equal lists made or changed such things, or took anything away.
fn untouched(context: &CaseContext<'_>, from: usize, until: usize) -> bool {
    let list = intent_of(context, until);
    only(context, from, until, &[Verb::Create, Verb::Update])
        && (from + 1..until).all(|at| {
            let intent = intent_of(context, at);
            let refused = context.execution.outcomes[at].kind.is_refusal();
            is_look(&intent) || refused || !intent.shares_noun(&list)
        })
}

/// Whether all calls between two steps that may have changed something are of these kinds; those that were refused count as none.
pub(super) fn only(context: &CaseContext<'_>, from: usize, until: usize, kinds: &[Verb]) -> bool {
    let execution = context.execution;
    (from + 1..until).all(|at| {
        let intent = intent_of(context, at);
        let known = execution.case.steps[at].action.tool().is_none()
            || is_look(&intent)
            || execution.outcomes[at].kind.is_refusal();
        known || (kinds.contains(&intent.verb) && !intent.revives)
    })
}

/// The same list with one filter more, nothing having changed: it must hold exactly the items whose member of that name has the
/// value.
fn filtered(all: &Listing<'_>, some: &Listing<'_>) -> Option<Problem> {
    let mut more = some.asked.iter().filter(|(name, _)| !all.asked.contains_key(*name));
    let (name, value) = more.next().filter(|_| some.asked.len() == all.asked.len() + 1)?;
    let same = all.asked.iter().all(|(name, value)| some.asked.get(name) == Some(value));
    let scalar = value.is_string() || value.is_boolean();
    if !same || !scalar || all.items.iter().any(|item| !item.contains_key(name)) {
        return None;
    }
    let meant: Vec<&Value> =
        all.items.iter().filter(|item| item.get(name) == Some(value)).filter_map(id_of).collect();
    let tool = some.tool;
    let step = all.at.max(some.at);
    let problem = |rule: &str, message: String| {
        let involved = [all.at.min(some.at)];
        Problem::new(format!("{rule} {name}"), message)
            .tool(tool)
            .step(step)
            .involving(involved)
            .warning()
    };
    if let Some(id) = meant.iter().find(|id| !some.has(id)) {
        let message = format!(
            "`{tool}` with `{name}`: {value} leaves out {id}, which `{tool}` without it lists with just that value"
        );
        return Some(problem("filter loses", message));
    }
    let wrong = some.items.iter().find(|item| item.get(name).is_some_and(|own| own != value))?;
    let message =
        format!("`{tool}` with `{name}`: {value} lists an item whose `{name}` is {}", wrong[name]);
    (!meant.is_empty()).then(|| problem("filter ignores", message))
}

/// An item that is no longer listed though nothing was taken away and no call was about it.
fn vanished(
    context: &CaseContext<'_>,
    before: &Listing<'_>,
    after: &Listing<'_>,
) -> Option<Problem> {
    if !only(context, before.at, after.at, &[Verb::Create, Verb::Update]) {
        return None;
    }
    let between = before.at + 1..after.at;
    let steps = &context.execution.case.steps;
    let named = |id: &Value| {
        let sent = between.clone().filter_map(|at| steps[at].action.arguments());
        sent.flat_map(mine::arguments).any(|sent| sent.value == *id)
    };
    let lost = before.items.iter().filter_map(id_of).find(|id| !after.has(id) && !named(id))?;
    // One change must be to blame: what was made, or changed, at last.
    let change = between.rev().find(|at| {
        is_ok(context.execution, *at)
            && matches!(intent_of(context, *at).verb, Verb::Create | Verb::Update)
    })?;
    let (tool, lister) = (tool_of(context.execution, change), after.tool);
    let message =
        format!("after `{tool}`, which was not about it, `{lister}` no longer lists {lost}");
    let made = intent_of(context, change).verb == Verb::Create;
    let rule = if made { "created and lost from" } else { "vanished from" };
    Some(
        Problem::new(format!("{rule} {lister}"), message)
            .tool(tool)
            .step(after.at)
            .involving([before.at, change])
            .warning(),
    )
}

/// A total that was the number of items before and is not any more.
fn miscounted(
    context: &CaseContext<'_>,
    before: &Listing<'_>,
    after: &Listing<'_>,
) -> Option<Problem> {
    let counts = |listing: &Listing<'_>| Some((listing.total?, listing.items.len() as u64));
    let ((total, listed), (wrong, count)) = (counts(before)?, counts(after)?);
    let schema = context.catalog.tool(after.tool).and_then(Tool::input_schema);
    let pages = schema.is_some_and(|schema| {
        schema.parameters().iter().any(|p| is_position(&p.name) || p.name.contains("limit"))
    });
    let tool = after.tool;
    let message = format!(
        "`{tool}` lists {count} items and gives {wrong} as their number, which was right before"
    );
    (total == listed && listed > 0 && wrong != count && !pages).then(|| {
        Problem::new("total of all", message)
            .tool(tool)
            .step(after.at)
            .involving(before.at..after.at)
            .warning()
    })
}

/// Something that was made, acknowledged with an id, and is not listed, though nothing was taken away.
fn not_listed(
    context: &CaseContext<'_>,
    earlier: &[Listing<'_>],
    list: &Listing<'_>,
) -> Option<Problem> {
    let execution = context.execution;
    let schema = context.catalog.tool(list.tool).and_then(Tool::input_schema);
    // A tool that makes things and lists them by a switch does not filter by what things are made with.
    let switched = context.catalog.tool(list.tool).and_then(list_switch).is_some();
    let filters = |name: &String| {
        !switched
            && schema.is_some_and(|schema| schema.parameters().iter().any(|p| p.name == *name))
            && !list.asked.contains_key(name)
    };
    (0..list.at).rev().find_map(|made| {
        let intent = intent_of(context, made);
        let step = &execution.case.steps[made];
        let fits = intent.verb == Verb::Create
            && !intent.revives
            && is_ok(execution, made)
            && step.label == Label::Valid
            && same_noun(&intent, &intent_of(context, list.at));
        let sent = step.action.arguments().and_then(Value::as_object).filter(|_| fits)?;
        // A list of what belongs to another thing, or of what is in a state that the item is not in, leaves it out.
        let elsewhere = list.asked.iter().any(|(name, value)| sent.get(name) != Some(value));
        if elsewhere || sent.keys().any(filters) || !only(context, made, list.at, &[Verb::Create]) {
            return None;
        }
        let document = objects(&execution.exchanges[made]).into_iter().next()?;
        let id = id_of(document.as_object()?)?.clone();
        let issued = is_telling(&id) && !sent.values().any(|value| *value == id);
        let (tool, lister) = (tool_of(execution, made), list.tool);
        let message =
            format!("`{tool}` acknowledged the new item {id}, but `{lister}` does not list it");
        // Where ids are of another kind the list is of other things.
        let alike =
            list.items.iter().filter_map(id_of).all(|other| other.is_string() == id.is_string());
        // What was listed before has vanished since.
        let seen = earlier.iter().any(|other| other.tool == list.tool && other.has(&id));
        // A list of all things that lacks one may have been given too few; one with a filter filters wrong.
        let blamed = if list.asked.is_empty() { tool } else { lister };
        // A list in prose has no items, and names it all the same.
        let named = id.as_str().is_some_and(|id| names(&execution.exchanges[list.at].text(), id));
        (issued && alike && !seen && !named && !list.has(&id)).then(|| {
            Problem::new(format!("created and not listed by {lister}"), message)
                .tool(blamed)
                .step(list.at)
                .involving([made])
                .warning()
        })
    })
}

/// Whether a text has an id as a word of its own: `n-1` is none in `n-10`.
fn names(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + id.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Members that a search looks at first.
pub(super) const TITLES: &[&str] = &["title", "name", "subject", "content"];

/// How many things the lists of a document hold, be it without ids; none where it has no list.
fn listed(document: &Value) -> Option<usize> {
    match document {
        Value::Array(items) => Some(items.len()),
        Value::Object(members) => members.values().filter_map(listed).reduce(|a, b| a + b),
        _ => None,
    }
}

/// A search for the very title of something that was made, and that does not find it.
fn not_found(context: &CaseContext<'_>, at: usize) -> Option<Problem> {
    let list = listing(context, at)?;
    let (word, query) = list.asked.iter().find(|(name, _)| {
        matches!(name.as_str(), "query" | "q" | "search" | "text" | "term" | "keyword")
    })?;
    let query = query.as_str().filter(|query| query.trim() == *query && query.len() >= 3)?;
    let execution = context.execution;
    (0..at).rev().find_map(|made| {
        let intent = intent_of(context, made);
        let fits = intent.verb == Verb::Create
            && is_ok(execution, made)
            && execution.case.steps[made].label == Label::Valid
            && same_noun(&intent, &intent_of(context, at))
            && only(context, made, at, &[Verb::Create]);
        let sent = execution.case.steps[made].action.arguments()?.as_object().filter(|_| fits)?;
        let (member, _) = sent.iter().find(|(name, value)| {
            TITLES.contains(&name.as_str()) && value.as_str() == Some(query)
        })?;
        let elsewhere =
            list.asked.iter().any(|(name, value)| name != word && sent.get(name) != Some(value));
        let (tool, maker) = (list.tool, tool_of(execution, made));
        let message = format!(
            "`{tool}` does not find {query:?}, the `{member}` of what `{maker}` had just made"
        );
        // What found things are called, or told in prose, says nothing.
        let nothing =
            objects(&execution.exchanges[at]).iter().all(|found| listed(found) == Some(0));
        (nothing && !elsewhere).then(|| {
            Problem::new("not found by its words", message)
                .tool(tool)
                .step(at)
                .involving([made])
                .warning()
        })
    })
}

#[cfg(test)]
pub(super) mod scenes {
    use super::super::observed::{execution, structured};
    use crate::case::Role;
    use crate::lints::scene::Scene;
    use serde_json::{Value, json};

    /// Calls in order: tool, arguments, structured answer.
    fn story(calls: &[(&str, Value, Value)]) -> Scene {
        let steps = calls.iter().map(|(tool, arguments, answer)| {
            (*tool, Role::Call, arguments.clone(), structured(answer.clone()))
        });
        Scene::new().ran(execution(steps.collect()))
    }

    /// Notes by id and type, with their number.
    fn notes(ids: &[(&str, &str)], total: usize) -> Value {
        let note = |(id, kind): &(&str, &str)| json!({"id": id, "type": kind});
        json!({"notes": ids.iter().map(note).collect::<Vec<_>>(), "total": total})
    }

    /// All notes, then those of one type.
    pub(in super::super) fn filtered(ids: &[(&str, &str)]) -> Scene {
        let all = notes(&[("n-1", "tip"), ("n-2", "tip"), ("n-3", "stuck")], 3);
        let some = notes(ids, ids.len());
        story(&[("list_notes", json!({}), all), ("list_notes", json!({"type": "tip"}), some)])
    }

    /// A note, another one, and what is listed then.
    pub(in super::super) fn made(listed: &[(&str, &str)], total: usize) -> Scene {
        let note = |id: &str| json!({"id": id, "type": "tip"});
        story(&[
            ("add_note", json!({"content": "a"}), note("n-1")),
            ("list_notes", json!({}), notes(&[("n-1", "tip")], 1)),
            ("add_note", json!({"content": "b"}), note("n-2")),
            ("list_notes", json!({}), notes(listed, total)),
        ])
    }

    /// A list of the latest note alone, before and after one more was made.
    pub(in super::super) fn latest() -> Scene {
        let latest = |id: &str| ("list_notes", json!({"limit": 1}), notes(&[(id, "tip")], 1));
        let made = ("add_note", json!({"content": "b"}), json!({"id": "n-2"}));
        story(&[latest("n-1"), made, latest("n-2")])
    }

    /// A note, and a list of so many others that tells their number.
    pub(in super::super) fn among_many(count: usize) -> Scene {
        let ids: Vec<String> = (10..10 + count).map(|number| format!("n-{number}")).collect();
        let listed: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "tip")).collect();
        story(&[
            ("add_note", json!({"content": "a"}), json!({"id": "n-1", "type": "tip"})),
            ("list_notes", json!({}), notes(&listed, count)),
        ])
    }

    /// A note, and a list in words.
    pub(in super::super) fn in_words(list: &str) -> Scene {
        story(&[
            ("add_note", json!({"content": "a"}), json!({"id": "n-1"})),
            ("list_notes", json!({}), json!({"result": list})),
        ])
    }

    /// A note, and a search for its title.
    pub(in super::super) fn searched(found: Value) -> Scene {
        story(&[
            ("add_note", json!({"title": "Plan B"}), json!({"id": "n-1"})),
            ("search_notes", json!({"query": "Plan B"}), found),
        ])
    }
}
