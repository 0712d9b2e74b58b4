//! `parallel_calls_differ`.

use super::observed::{intent_of, is_ok, objects, tool_of};
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::mask::{canonical, values};
use crate::pointer::scalars;
use crate::sequence::intent::Verb;
use serde_json::Value;

lint! {
    /// Calls sent together leave a state that no order of the same calls leaves.
    ///
    /// Hosts send a model's tool calls in parallel. When both are acknowledged and one is lost, data is gone and nobody is told. The server itself, run in sequence on a fresh start, is the yardstick.
    ParallelCallsDiffer(Case, Error)
    spec: "basic/index#requests", fix: "Hold a lock (or use a transaction) from reading the state to writing it back, and keep it over every `await` in between."
}

impl Lint for ParallelCallsDiffer {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let (together, references) = (context.execution, context.references);
        let grouped: Vec<usize> = (0..together.case.steps.len())
            .filter(|at| together.case.steps[*at].group.is_some())
            .collect();
        let Some(last) = grouped.last().copied() else {
            return;
        };
        let whole = |execution: &Execution| execution.exchanges.len() == together.case.steps.len();
        let complete = |execution: &Execution| {
            whole(execution) && grouped.iter().all(|at| is_ok(execution, *at))
        };
        if references.len() >= 2 && complete(together) && references.iter().all(whole) {
            problems.extend(both_accepted(together, references, &grouped));
            problems.extend(same_id(context, &grouped));
            problems.extend(swapped(together, references, &grouped));
        }
        // A server that refuses one of the calls has noticed the conflict; that is no loss.
        if references.len() < 2 || !complete(together) || !references.iter().all(complete) {
            return;
        }
        let views: Vec<usize> = (last + 1..together.exchanges.len())
            .filter(|at| is_ok(together, *at) && references.iter().all(|o| is_ok(o, *at)))
            .collect();
        let lost = views.iter().find_map(|view| lost_value(together, references, &grouped, *view));
        let tool = tool_of(together, last);
        if let Some((view, value)) = lost {
            let reader = tool_of(together, view);
            problems.push(
                Problem::new("lost update", format!("calls of `{tool}` sent together were all acknowledged, but {value} is missing from what `{reader}` answers; in sequence, in either order, nothing is missing"))
                    .tool(tool)
                    .step(view),
            );
        } else if let Some(view) = views.iter().find(|view| differs(together, references, **view)) {
            let reader = tool_of(together, *view);
            problems.push(
                Problem::new("state of no order", format!("calls of `{tool}` sent together were all acknowledged, but `{reader}` then answers something that neither order of the calls leads to"))
                    .tool(tool)
                    .step(*view)
                    // Nothing is missing: what is listed by time may just be mixed.
                    .warning(),
            );
        }
    }
}

/// Equal calls that are all accepted when sent together, and of which all but one are refused when sent one after the other.
fn both_accepted(together: &Execution, orders: &[Execution], grouped: &[usize]) -> Option<Problem> {
    let (first, last) = (*grouped.first()?, *grouped.last()?);
    let steps = &together.case.steps;
    let equal = grouped.iter().all(|at| steps[*at].action == steps[first].action);
    let refuses = |order: &Execution| {
        let (ok, rest): (Vec<usize>, Vec<usize>) =
            grouped.iter().partition(|at| is_ok(order, **at));
        ok.len() == 1 && rest.iter().all(|at| order.outcomes[*at].kind.is_refusal())
    };
    let tool = tool_of(together, last);
    let message = format!(
        "equal calls of `{tool}` sent together were all accepted; one after the other, all but the first are refused"
    );
    (grouped.len() > 1 && equal && orders.iter().all(refuses))
        .then(|| Problem::new("all accepted", message).tool(tool).step(last))
}

/// Equal calls that are given the same id when sent together, and one each when sent one after the other.
fn same_id(context: &CaseContext<'_>, grouped: &[usize]) -> Option<Problem> {
    let [a, b] = grouped else {
        return None;
    };
    let (together, orders) = (context.execution, context.references);
    let steps = &together.case.steps;
    let intent = intent_of(context, *a);
    if steps[*a].action != steps[*b].action || intent.verb != Verb::Create {
        return None;
    }
    let shown = |execution: &Execution, at: usize, name: &str| {
        let document = objects(&execution.exchanges[at]).into_iter().next()?;
        document.get(name).filter(|value| value.is_string() || value.is_number()).cloned()
    };
    let document = objects(&together.exchanges[*a]).into_iter().next()?;
    let names = document.as_object()?.keys().filter(|name| intent.names_own(name));
    let tool = tool_of(together, *b);
    names.into_iter().find_map(|name| {
        let id = shown(together, *a, name)?;
        let one_each = |order: &Execution| {
            let (first, second) = (shown(order, *a, name), shown(order, *b, name));
            first.is_some() && second.is_some() && first != second
        };
        let message = format!(
            "equal calls of `{tool}` sent together were both given the `{name}` {id}; one after the other, each gets its own"
        );
        (shown(together, *b, name).as_ref() == Some(&id) && orders.iter().all(one_each))
            .then(|| Problem::new("same id", message).tool(tool).step(*b))
    })
}

/// A call that is answered with what another one asked for, where in sequence each is answered with its own.
fn swapped(together: &Execution, orders: &[Execution], grouped: &[usize]) -> Option<Problem> {
    let [a, b] = grouped else {
        return None;
    };
    if share_a_thing(together, *a, *b) {
        return None;
    }
    // What only one of the calls asked for, and whether the answers show it.
    let own = |execution: &Execution, at: usize, other: usize| -> Vec<Value> {
        let others: Vec<Value> = texts(execution, other).into_iter().map(|(_, v)| v).collect();
        let mine = texts(execution, at).into_iter().map(|(_, value)| value);
        mine.filter(|value| !others.contains(value)).collect()
    };
    let any = |execution: &Execution, at: usize, values: &[Value]| {
        values.iter().any(|value| shows(&execution.exchanges[at], value))
    };
    let crossed = |at: usize, other: usize| {
        let (mine, others) = (own(together, at, other), own(together, other, at));
        !mine.is_empty() && !any(together, at, &mine) && any(together, at, &others)
    };
    let straight = |order: &Execution, at: usize, other: usize| {
        let (mine, others) = (own(order, at, other), own(order, other, at));
        any(order, at, &mine) && !any(order, at, &others)
    };
    let in_order = |order: &Execution| straight(order, *a, *b) && straight(order, *b, *a);
    let found = [(*a, *b), (*b, *a)].into_iter().find(|(at, other)| crossed(*at, *other))?;
    let tool = tool_of(together, found.0);
    let message = format!(
        "calls of `{tool}` sent together: one is answered with what the other asked for; in sequence each gets its own answer"
    );
    orders.iter().all(in_order).then(|| Problem::new("swapped", message).tool(tool).step(found.0))
}

/// Whether both calls name the same thing of an earlier answer at the same place. Each may then be answered with how that thing is
/// by now, which is what the later one made of it.
fn share_a_thing(execution: &Execution, a: usize, b: usize) -> bool {
    let steps = &execution.case.steps;
    let named = |at: usize, pointer: &str| steps[at].action.arguments()?.pointer(pointer);
    steps[a].bindings.iter().any(|binding| {
        let both = steps[b].bindings.iter().any(|other| other.at == binding.at);
        both && named(a, &binding.at) == named(b, &binding.at)
    })
}

/// A text that one of the calls sent and the look does not show, though it shows the texts at that place of every call in sequence.
fn lost_value(
    together: &Execution,
    orders: &[Execution],
    grouped: &[usize],
    view: usize,
) -> Option<(usize, Value)> {
    for at in grouped {
        for (pointer, value) in texts(together, *at) {
            if shows(&together.exchanges[view], &value) {
                continue;
            }
            let tool = tool_of(together, *at);
            let kept = |order: &Execution| {
                let alike = grouped.iter().filter(|other| tool_of(order, **other) == tool);
                let mut sent = alike
                    .filter_map(|other| {
                        order.case.steps[*other].action.arguments()?.pointer(&pointer)
                    })
                    .peekable();
                sent.peek().is_some() && sent.all(|value| shows(&order.exchanges[view], value))
            };
            if orders.iter().all(kept) {
                return Some((view, value));
            }
        }
    }
    None
}

/// The texts in a call's arguments that are long enough not to be found by chance.
fn texts(execution: &Execution, at: usize) -> Vec<(String, Value)> {
    let Some(arguments) = execution.case.steps[at].action.arguments() else {
        return Vec::new();
    };
    let pointers = scalars(arguments).into_iter();
    let found = pointers
        .filter_map(|pointer| Some((pointer.clone(), arguments.pointer(&pointer)?.clone())));
    found.filter(|(_, value)| value.as_str().is_some_and(|text| text.len() >= 3)).collect()
}

fn shows(exchange: &Exchange, value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return false;
    };
    exchange.text().contains(text)
        || exchange.result().is_some_and(|result| values(result).contains(value))
}

/// Whether a look brings something that no order brings, ids and times masked, lists taken as sets. Only where the first order,
/// run twice (the third reference), brings the same twice: else something outlives the sessions or is left to chance.
fn differs(together: &Execution, orders: &[Execution], view: usize) -> bool {
    let expected: Vec<String> =
        orders.iter().map(|order| canonical(&order.exchanges[view])).collect();
    expected.len() >= 3
        && expected[0] == expected[2]
        && !expected.contains(&canonical(&together.exchanges[view]))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use crate::case::Role;
    use serde_json::json;
    let run = |names: &[&str], group: Option<u32>| {
        let mut execution = execution(vec![
            ("add_entity", Role::Call, json!({"name": "alpha"}), structured(json!({"ok": true}))),
            ("add_entity", Role::Call, json!({"name": "beta"}), structured(json!({"ok": true}))),
            ("read_graph", Role::Call, json!({}), structured(json!({"entities": names}))),
        ]);
        execution.case.steps[0].group = group;
        execution.case.steps[1].group = group;
        execution
    };
    let scene = |names: &[&str]| {
        Scene::new()
            .ran(run(names, Some(0)))
            .reference(run(&["alpha", "beta"], None))
            .reference(run(&["beta", "alpha"], None))
            .reference(run(&["alpha", "beta"], None))
    };
    // Two things made by equal calls, and the ids that they got.
    let named = |ids: [&str; 2], group: Option<u32>| {
        let made = |id: &str| ("add_entity", Role::Call, json!({}), structured(json!({"id": id})));
        let mut execution = execution(ids.iter().map(|id| made(id)).collect());
        execution.case.steps.iter_mut().for_each(|step| step.group = group);
        execution
    };
    let issued = |ids: [&str; 2], orders: [&str; 2]| {
        let scene = Scene::new().ran(named(ids, Some(0)));
        scene.reference(named(orders, None)).reference(named(orders, None))
    };
    more(Examples::of(&ENTRY))
        .flags("both given the `id` \"e1\"", issued(["e1", "e1"], ["e1", "e2"]))
        .passes(issued(["e1", "e2"], ["e1", "e2"]))
        .passes(issued(["e1", "e1"], ["e1", "e1"]))
        .flags("is missing from what `read_graph` answers", scene(&["beta"]))
        .flags("neither order", scene(&["alpha", "beta", "beta"]))
        .passes(scene(&["beta", "alpha"]))
}

#[cfg(test)]
fn more(examples: Examples) -> Examples {
    use super::observed::{execution, structured};
    use crate::case::{Binding, Role, Source};
    use serde_json::json;
    // Two lines typed into terminals, each answered with what its screen shows by then.
    let typed = |terminals: [&str; 2], screens: [&str; 2], group: Option<u32>| {
        let run = |terminal: &str, line: &str, screen: &str| {
            let sent = json!({"terminal": terminal, "line": line});
            ("type_line", Role::Call, sent, structured(json!({"screen": screen})))
        };
        let mut execution = execution(vec![
            ("list_terminals", Role::Call, json!({}), structured(json!({"names": terminals}))),
            run(terminals[0], "alpha", screens[0]),
            run(terminals[1], "beta", screens[1]),
        ]);
        for (number, step) in execution.case.steps.iter_mut().enumerate().skip(1) {
            step.group = group;
            let from =
                Source::Result { pointer: format!("/structuredContent/names/{}", number - 1) };
            step.bindings = vec![Binding { at: "/terminal".to_owned(), step: 0, from }];
        }
        execution
    };
    let scene = |terminals: [&str; 2], screens: [&str; 2]| {
        Scene::new()
            .ran(typed(terminals, screens, Some(0)))
            .reference(typed(terminals, ["alpha", "beta"], None))
            .reference(typed(terminals, ["alpha", "beta"], None))
    };
    examples
        .flags("answered with what the other asked for", scene(["t1", "t2"], ["beta", "beta"]))
        .passes(scene(["t1", "t1"], ["beta", "beta"]))
        .passes(scene(["t1", "t2"], ["alpha", "beta"]))
}
