//! `read_only_tool_changes_state`.

use super::observed::{around, is_ok, is_subject, objects, same_answer, tool_of};
use crate::case::{Label, Role};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::OutcomeKind;
use crate::sequence::template::check;

lint! {
    /// A tool says that it only reads, and what other tools read is different after it.
    ///
    /// Clients call read-only tools without asking the user, in parallel and again after a failure. A tool that changes something under that flag does so behind the user's back.
    ReadOnlyToolChangesState(Case, Error)
    spec: "server/tools#tool", fix: "Take `readOnlyHint: true` off the tool, or make it leave the state alone.", since: V2025_03_26
}

impl Lint for ReadOnlyToolChangesState {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::READ_ONLY) {
            let tool = tool_of(execution, around.subject);
            let read_only = context.catalog.tool(tool).is_some_and(|tool| tool.hints.read_only);
            let seen = is_ok(execution, around.before) && is_ok(execution, around.after);
            if read_only && seen && !same_answer(execution, around.before, around.after) {
                let view = tool_of(execution, around.after);
                problems.push(
                    Problem::new(format!("seen by {view}"), format!("`{tool}` says `readOnlyHint: true`, but after it the same call of `{view}` answers differently"))
                        .tool(tool)
                        .step(around.subject)
                        .involving([around.before, around.after]),
                );
            }
        }
        for at in 0..execution.exchanges.len() {
            problems.extend(unasked(context, at));
            problems.extend(unlocked(context, at));
            problems.extend(undone(context, at));
        }
    }
}

/// A call that was refused and then works, with nothing but read-only calls between, each of which may be to blame: the read changed
/// what the refusal was about. Time may do that, too, so that it is a warning.
fn unlocked(context: &CaseContext<'_>, after: usize) -> Vec<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let alike = |at: &usize| steps[*at].action == steps[after].action;
    let before = (0..after).rev().find(alike).filter(|before| {
        let kind = execution.outcomes[*before].kind;
        kind == OutcomeKind::ToolError && steps[*before].label == Label::Valid
    });
    let Some(before) = before.filter(|_| is_ok(execution, after)) else {
        return Vec::new();
    };
    let reads = |at: &usize| {
        let tool = context.catalog.tool(tool_of(execution, *at));
        tool.is_some_and(|tool| tool.hints.read_only) && steps[*at].group.is_none()
    };
    if reads(&after) || !(before + 1..after).all(|at| reads(&at)) {
        return Vec::new();
    }
    let worked = (before + 1..after).rev().filter(|at| is_ok(execution, *at));
    let refused = tool_of(execution, after);
    let blame = |at: usize| {
        let tool = tool_of(execution, at);
        let message = format!(
            "`{tool}` says `readOnlyHint: true`, but after it `{refused}` accepts a call that it refused before"
        );
        let problem = Problem::new(format!("lets {refused} work"), message).tool(tool).step(at);
        problem.involving([before, after]).warning()
    };
    worked.map(blame).collect()
}

/// A read that is answered otherwise than the same read before, with nothing but read-only calls between them. Time or chance may
/// do that, too, so that it is a warning.
fn unasked(context: &CaseContext<'_>, after: usize) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let reads = |at: usize| {
        let tool = context.catalog.tool(tool_of(execution, at));
        tool.is_some_and(|tool| tool.hints.read_only) && steps[at].group.is_none()
    };
    // What another client does is another check's business.
    let other_client =
        |at: usize| matches!(&steps[at].role, Role::Subject { check } if check == check::LEAK);
    let lists = |at: usize| steps[at].action.tool().is_none();
    if !reads(after) {
        return None;
    }
    let before = (0..after).rev().find(|at| steps[*at].action == steps[after].action)?;
    let quiet = (before..after).all(|at| (reads(at) || lists(at)) && !other_client(at));
    let worked = is_ok(execution, before) && is_ok(execution, after);
    if !quiet || !worked || same_answer(execution, before, after) {
        return None;
    }
    let between = (before + 1..after).rev().find(|at| !lists(*at));
    let blamed = between.unwrap_or(before);
    if is_subject(&steps[blamed], check::READ_ONLY)
        || (between.is_none() && was_answered_alike(execution, before))
    {
        return None;
    }
    let (tool, view) = (tool_of(execution, blamed), tool_of(execution, after));
    let message = format!(
        "`{tool}` says `readOnlyHint: true`, but after it the same call of `{view}` answers differently"
    );
    let problem = Problem::new(format!("seen by {view}"), message).tool(tool).step(blamed);
    Some(problem.involving([before, after]).warning())
}

/// Whether two calls just like this one, one right after the other, were answered alike before it: what comes every so many calls, such
/// as a hint, is no doing of the read.
fn was_answered_alike(execution: &Execution, at: usize) -> bool {
    let steps = &execution.case.steps;
    let alike = |one: usize| steps[one].action == steps[at].action;
    (1..=at).any(|next| alike(next - 1) && alike(next) && same_answer(execution, next - 1, next))
}

/// A mode that was set and told, one read-only call, and the same tool asked for the mode: it tells another one.
fn undone(context: &CaseContext<'_>, after: usize) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let (before, blamed) = (after.checked_sub(2)?, after - 1);
    let hints = |at: usize| context.catalog.tool(tool_of(execution, at)).map(|tool| tool.hints);
    let told = |at: usize, name: &str| {
        let document = objects(&execution.exchanges[at]).into_iter().next()?;
        document.get(name).filter(|value| value.is_string()).cloned()
    };
    let sets = hints(after).is_some_and(|hints| hints.idempotent && !hints.read_only);
    let reads = hints(blamed).is_some_and(|hints| hints.read_only);
    let same = tool_of(execution, before) == tool_of(execution, after);
    let together = (before..=after).any(|at| steps[at].group.is_some());
    let worked = [before, blamed, after].iter().all(|at| is_ok(execution, *at));
    if !sets || !reads || !same || together || !worked {
        return None;
    }
    let (asked, set) = (steps[after].action.arguments()?, steps[before].action.arguments()?);
    let (asked, set) = (asked.as_object()?, set.as_object()?);
    let mut more = set.iter().filter(|(name, value)| asked.get(*name) != Some(value));
    let (name, value) = more.next().filter(|_| set.len() == asked.len() + 1)?;
    let shown = told(after, name).filter(|shown| shown != value)?;
    let (tool, view) = (tool_of(execution, blamed), tool_of(execution, after));
    let message = format!(
        "`{tool}` says `readOnlyHint: true`, but after it `{view}` tells that `{name}` is {shown}; it had been set to {value}"
    );
    let as_set = more.next().is_none() && told(before, name).as_ref() == Some(value);
    as_set.then(|| {
        let problem = Problem::new(format!("seen by {view}"), message).tool(tool).step(blamed);
        problem.involving([before, after]).warning()
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::{Value, json};
    let (look, subject) = roles(check::READ_ONLY);
    let scene = |after: &str| {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
        Scene::new().tool(tool("get_task")).tool(tool("view_board")).ran(execution(vec![
            ("get_task", look.clone(), json!({}), structured(json!({"status": "open"}))),
            ("view_board", subject.clone(), json!({}), structured(json!({"columns": 1}))),
            ("get_task", look.clone(), json!({}), structured(json!({"status": after}))),
        ]))
    };
    let told = |titles: &[&str]| {
        let tool = json!({"name": "next_task", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
        let call = |title: &&str| {
            ("next_task", Role::Call, json!({}), structured(json!({"title": title})))
        };
        Scene::new().tool(tool).ran(execution(titles.iter().map(call).collect()))
    };
    let refused =
        || json!({"isError": true, "content": [{"type": "text", "text": "t1 is done already"}]});
    let read = |result: Value, read_only: bool| {
        let reads = json!({"name": "get_task", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": read_only}});
        let done = || json!({"id": "t1"});
        Scene::new().tool(reads).ran(execution(vec![
            ("finish_task", Role::Call, done(), refused()),
            ("get_task", Role::Call, done(), structured(json!({"status": "done"}))),
            ("finish_task", Role::Call, done(), result),
        ]))
    };
    let works = || structured(json!({"status": "done"}));
    let asked = |mode: &str| {
        let tool = |name: &str, hint: &str| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {hint: true}});
        let answer = |mode: &str| structured(json!({"mode": mode}));
        let scene = Scene::new().tool(tool("set_mode", "idempotentHint"));
        scene.tool(tool("get_screen", "readOnlyHint")).ran(execution(vec![
            ("set_mode", Role::Call, json!({"mode": "capture"}), answer("capture")),
            ("get_screen", Role::Call, json!({}), structured(json!({"lines": []}))),
            ("set_mode", Role::Call, json!({}), answer(mode)),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("it had been set to \"capture\"", asked("release"))
        .passes(asked("capture"))
        .flags("that it refused before", read(works(), true))
        .passes(read(works(), false))
        .passes(read(refused(), true))
        .flags("answers differently", scene("closed"))
        .flags("the same call of `next_task`", told(&["a", "b"]))
        .passes(scene("open"))
        .passes(told(&["a", "a"]))
        .passes(told(&["a", "a", "b"]))
}
