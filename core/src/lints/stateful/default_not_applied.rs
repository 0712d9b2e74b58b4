//! `default_not_applied`.

use super::observed::{
    holders, intent_of, is_look, is_ok, objects, same_answer, telling_arguments, tool_of,
};
use super::records::Story;
use crate::case::{Label, Role};
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::intent::Verb;
use crate::sequence::template::{check, defaults};
use serde_json::Value;
use std::cell::OnceCell;

lint! {
    /// A parameter that is left out has another effect than its documented default.
    ///
    /// Models leave out what has a default that suits them, and rely on it.
    DefaultNotApplied(Case, Warning)
    spec: "", fix: "Document the default that is applied, or apply the one that is documented."
}

impl Lint for DefaultNotApplied {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        let story = OnceCell::new();
        for at in (0..execution.exchanges.len()).filter(|at| is_ok(execution, *at)) {
            let step = &execution.case.steps[at];
            let checked = matches!(&step.role, Role::Subject { check } if check == check::DEFAULT);
            let verb = intent_of(context, at).verb;
            if matches!(verb, Verb::Read | Verb::List) {
                problems.extend(super::echoes::otherwise_than_default(context, at));
            }
            problems.extend(match verb {
                Verb::Create if step.label == Label::Valid => {
                    let told = made(execution, at).filter(|_| checked);
                    told.or_else(|| alone(context, &story, at))
                }
                Verb::Read | Verb::List if checked => answered(execution, at),
                _ => None,
            });
        }
    }
}

/// The member that the second of two calls of the same tool gives and the first leaves out.
fn given(execution: &Execution, without: usize, with: usize) -> Option<(&str, &Value)> {
    let steps = &execution.case.steps;
    let (without, with) = (&steps[without].action, &steps[with].action);
    let (less, more) = (without.arguments()?.as_object()?, with.arguments()?.as_object()?);
    let mut extra = more.iter().filter(|(name, _)| !less.contains_key(*name));
    let only = extra.next().filter(|_| without.tool() == with.tool())?;
    (extra.next().is_none() && less.len() + 1 == more.len()).then_some((only.0.as_str(), only.1))
}

/// A read without the parameter, with its default, and without again.
fn answered(execution: &Execution, at: usize) -> Option<Problem> {
    let (before, after) = (at.checked_sub(1)?, at + 1);
    let steps = &execution.case.steps;
    let alike = after < execution.exchanges.len() && steps[before].action == steps[after].action;
    let (name, default) = given(execution, before, at)?;
    let rest = |step: usize| {
        let mut rest = steps[step].action.arguments()?.as_object()?.clone();
        rest.shift_remove(name);
        Some(rest)
    };
    if !alike || !is_ok(execution, before) || !is_ok(execution, after) || rest(before) != rest(at) {
        return None;
    }
    // An answer that changes from call to call says nothing.
    let equal = |step: &usize| steps[*step].action == steps[before].action;
    let mut others = (0..at).rev().take_while(equal).chain([after]);
    let steady = others.all(|other| same_answer(execution, before, other));
    let differs = steady && !same_answer(execution, before, at);
    let tool = tool_of(execution, at);
    let message = format!(
        "`{tool}` without `{name}` answers otherwise than with its documented default {default}"
    );
    differs.then(|| Problem::new(format!("default of {name}"), message).tool(tool).step(after))
}

/// Two things made, one without the parameter and one with its default, and read: the member of that name must be the same.
fn made(execution: &Execution, with: usize) -> Option<Problem> {
    let subject = |at: &usize| matches!(&execution.case.steps[*at].role, Role::Subject { check } if check == check::DEFAULT);
    let without = (0..with).rev().find(subject).filter(|at| is_ok(execution, *at))?;
    let (name, default) = given(execution, without, with)?;
    let own = |at: usize| shown(&execution.exchanges[at], name);
    if let (Some(left_out), Some(set)) = (own(without), own(with)) {
        return differs(execution, with, name, default, (&left_out, &set)).map(|p| p.step(with));
    }
    let ((at, left_out), (_, set)) =
        (looked_at(execution, without, name)?, looked_at(execution, with, name)?);
    differs(execution, with, name, default, (&left_out, &set)).map(|problem| problem.step(at))
}

/// The member of that name as the look right after the step that made the thing shows it, and that look.
fn looked_at(execution: &Execution, made: usize, name: &str) -> Option<(usize, Value)> {
    let at = (made + 1..execution.exchanges.len()).next()?;
    let step = &execution.case.steps[at];
    let bound = step.bindings.iter().any(|binding| binding.step == made);
    if !bound || !is_ok(execution, at) {
        return None;
    }
    let asked = telling_arguments(step);
    let shown =
        asked.iter().find_map(|id| holders(&execution.exchanges[at], id).into_iter().next())?;
    Some((at, shown.get(name)?.clone()))
}

/// The member of that name as the first look shows it that has it, with nothing but looks and refusals since the thing was made.
fn seen(story: &Story<'_>, made: usize, name: &str) -> Option<(usize, Value)> {
    let execution = story.execution;
    let quiet = |at: &usize| !is_ok(execution, *at) || is_look(&story.intents[*at]);
    let mut looks = (made + 1..execution.exchanges.len()).take_while(quiet);
    looks.find_map(|at| Some((at, story.record_of_made(made, at)?.get(name)?.clone())))
}

/// One thing made without a parameter, and shown with another of the values that the schema lists for it.
fn alone<'a>(
    context: &CaseContext<'a>,
    story: &OnceCell<Story<'a>>,
    made: usize,
) -> Option<Problem> {
    let execution = context.execution;
    let tool = context.catalog.tool(tool_of(execution, made))?;
    let sent = execution.case.steps[made].action.arguments()?.as_object()?;
    let schema = tool.input_schema()?;
    defaults(tool).filter(|(name, _)| !sent.contains_key(*name)).find_map(|(name, default)| {
        let at = crate::pointer::join("", name);
        let parameter = schema.parameters().iter().find(|parameter| parameter.pointer == at)?;
        let own = shown(&execution.exchanges[made], name).map(|value| (made, value));
        let seen = || seen(story.get_or_init(|| Story::of(context)), made, name);
        let (at, value) = own.or_else(seen)?;
        let listed = parameter.choices.contains(&value) && parameter.choices.contains(default);
        let told = format!(
            "`{}` without `{name}` makes an item whose `{name}` is {value}; the documented default is {default}",
            tool.name
        );
        (listed && value != *default)
            .then(|| Problem::new(format!("default of {name}"), told).tool(&tool.name).step(at))
    })
}

/// The member of that name that an answer shows: of the thing itself, or of the only thing in it that has one.
fn shown(exchange: &Exchange, name: &str) -> Option<Value> {
    let document = objects(exchange).into_iter().next()?;
    if let Some(value) = document.get(name) {
        return Some(value.clone());
    }
    let mut inner = document.as_object()?.values().filter_map(|member| member.get(name));
    let value = inner.next()?.clone();
    inner.next().is_none().then_some(value)
}

fn differs(
    execution: &Execution,
    with: usize,
    name: &str,
    default: &Value,
    (left_out, set): (&Value, &Value),
) -> Option<Problem> {
    let tool = tool_of(execution, with);
    let message = format!(
        "`{tool}` without `{name}` makes an item whose `{name}` is {left_out}; the documented default is {default}"
    );
    (set == default && left_out != set)
        .then(|| Problem::new(format!("default of {name}"), message).tool(tool))
}

/// Two things made, the first without a status.
#[cfg(test)]
fn told(status: &str) -> Scene {
    use super::observed::{execution, roles, structured};
    use serde_json::json;

    let (_, subject) = roles(check::DEFAULT);
    let task = |id: u32, status: &str| structured(json!({"id": id, "status": status}));
    Scene::new().ran(execution(vec![
        ("add_task", subject.clone(), json!({}), task(1, status)),
        ("add_task", subject, json!({"status": "open"}), task(2, "open")),
    ]))
}

/// A task, and a search for its title that finds another one.
#[cfg(test)]
fn found() -> Scene {
    use super::observed::{execution, structured};
    use crate::case::{Binding, Source};
    use serde_json::json;

    let levels = json!({"type": "string", "enum": ["low", "normal"], "default": "normal"});
    let schema =
        json!({"type": "object", "properties": {"title": {"type": "string"}, "priority": levels}});
    let item = json!({"id": "tsk_0", "note": "plan-b", "title": "x", "priority": "low"});
    let said = json!({"content": [{"type": "text", "text": "Created task tsk_1"}]});
    let mut ran = execution(vec![
        ("create_task", Role::Call, json!({"title": "plan-b"}), said),
        ("search_tasks", Role::Call, json!({"query": "plan-b"}), structured(json!([item]))),
    ]);
    let from = Source::Argument { pointer: "/title".to_owned() };
    ran.case.steps[1].bindings.push(Binding { at: "/query".to_owned(), step: 0, from });
    Scene::new().tool(json!({"name": "create_task", "inputSchema": schema})).ran(ran)
}

/// A task made in the course of other calls, and how another call shows it.
#[cfg(test)]
fn listed(tool: &str, priority: &str) -> Scene {
    use super::observed::{execution, structured};
    use crate::case::{Binding, Source};
    use serde_json::json;

    let levels = json!({"type": "string", "enum": ["low", "normal"], "default": "normal"});
    let schema =
        json!({"type": "object", "properties": {"title": {"type": "string"}, "priority": levels}});
    let items = json!({"items": [{"id": "tsk_1", "title": "a", "priority": priority}]});
    let said = json!({"content": [{"type": "text", "text": "Created task tsk_1"}]});
    let mut ran = execution(vec![
        ("create_task", Role::Call, json!({"title": "a"}), said),
        (tool, Role::Call, json!({"task_id": "tsk_1", "priority": priority}), structured(items)),
    ]);
    let from = Source::Result { pointer: "/content/0/text".to_owned() };
    ran.case.steps[1].bindings.push(Binding { at: "/task_id".to_owned(), step: 0, from });
    Scene::new().tool(json!({"name": "create_task", "inputSchema": schema})).ran(ran)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use crate::case::{Binding, Source};
    use serde_json::json;

    let (look, subject) = roles(check::DEFAULT);
    let read = |plain: &str| {
        Scene::new().ran(execution(vec![
            ("get_screen", look.clone(), json!({"id": 1}), structured(json!({"text": "plain"}))),
            (
                "get_screen",
                subject.clone(),
                json!({"id": 1, "format": "plain"}),
                structured(json!({"text": plain})),
            ),
            ("get_screen", look.clone(), json!({"id": 1}), structured(json!({"text": "plain"}))),
        ]))
    };
    let made = |left_out: &str| {
        let task = |id: &str, priority: &str| structured(json!({"id": id, "priority": priority}));
        let mut execution = execution(vec![
            (
                "create_task",
                subject.clone(),
                json!({"title": "a"}),
                structured(json!({"id": "tsk_1"})),
            ),
            ("get_task", look.clone(), json!({"id": "tsk_1"}), task("tsk_1", left_out)),
            (
                "create_task",
                subject.clone(),
                json!({"title": "b", "priority": "normal"}),
                structured(json!({"id": "tsk_2"})),
            ),
            ("get_task", look.clone(), json!({"id": "tsk_2"}), task("tsk_2", "normal")),
        ]);
        let from = Source::Result { pointer: "/structuredContent/id".to_owned() };
        for step in [1, 3] {
            let binding = Binding { at: "/id".to_owned(), step: step - 1, from: from.clone() };
            execution.case.steps[step].bindings.push(binding);
        }
        Scene::new().ran(execution)
    };
    Examples::of(&ENTRY)
        .flags("documented default is \"normal\"", listed("list_tasks", "low"))
        .passes(listed("list_tasks", "normal"))
        .passes(listed("update_task", "low"))
        .passes(found())
        .flags("answers with `format`: \"styled\"", super::echoes::scenes::read("styled"))
        .passes(super::echoes::scenes::read("plain"))
        .flags("`status` is \"busy\"", told("busy"))
        .passes(told("open"))
        .flags("without `format` answers otherwise", read("styled"))
        .flags("`priority` is \"low\"", made("low"))
        .passes(read("plain"))
        .passes(made("normal"))
}
