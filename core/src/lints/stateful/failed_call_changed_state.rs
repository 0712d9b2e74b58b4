//! `failed_call_changed_state`.

use super::applied::{made_anyway, stored_anyway};
use super::observed::{
    Around, around, intent_of, is_journal, is_look, is_ok, same_answer, tool_of,
};
use super::records::Story;
use crate::case::Role;
use crate::catalog::Tool;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::mask::{canonical, values};
use crate::outcome::OutcomeKind;
use crate::sequence::intent::is_set_to_list;
use crate::sequence::template::check;
use serde_json::Value;

lint! {
    /// A call was refused, and what other tools read is different after it.
    ///
    /// A model that is told "error" tries again. When the first attempt did half its work, the second one doubles it or builds on a wreck.
    FailedCallChangedState(Case, Warning)
    spec: "", fix: "Check everything before changing anything, or undo what was done before the error."
}

/// Checks whose call may be refused.
const CHECKS: [&str; 5] =
    [check::FAILED_CALL, check::CREATE, check::UPDATE, check::AFTER_DELETE, check::IDEMPOTENT];

impl Lint for FailedCallChangedState {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        let refused = |at: &usize| {
            execution.outcomes[*at].kind == OutcomeKind::ToolError && does_nothing(context, *at)
        };
        let mut refusals = (0..execution.exchanges.len()).filter(refused).peekable();
        if refusals.peek().is_some() {
            let story = Story::of(context);
            problems.extend(refusals.filter_map(|at| {
                let stored = stored_anyway(context, &story, at);
                stored.or_else(|| made_anyway(context, &story, at))
            }));
        }
        for around in CHECKS.iter().flat_map(|check| around(execution, check)) {
            problems.extend(changed(context, around));
        }
        for after in 0..execution.exchanges.len() {
            // What was told of a call in detail is not told again.
            let told = |around: &Around| {
                problems.iter().any(|problem| problem.involved.contains(&around.subject))
            };
            let around = unplanned(context, after).filter(|around| !told(around));
            problems.extend(around.and_then(|around| changed(context, around)));
        }
    }
}

/// A refused call between two looks that differ.
fn changed(context: &CaseContext<'_>, around: Around) -> Option<Problem> {
    let execution = context.execution;
    let refused = execution.outcomes[around.subject].kind.is_refusal();
    let seen = is_ok(execution, around.before) && is_ok(execution, around.after);
    if !refused
        || !seen
        || !does_nothing(context, around.subject)
        || same_answer(execution, around.before, around.after)
    {
        return None;
    }
    let (tool, view) = (tool_of(execution, around.subject), tool_of(execution, around.after));
    let message = format!(
        "`{tool}` refused the call, but after it the same call of `{view}` answers differently"
    );
    let problem = Problem::new(format!("seen by {view}"), message).tool(tool).step(around.subject);
    Some(problem.involving([around.before, around.after]))
}

/// A read and the same read before it, with refused calls and nothing else but reads between them, where no check was planned.
fn unplanned(context: &CaseContext<'_>, after: usize) -> Option<Around> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let reads = |at: usize| {
        let action = &steps[at].action;
        let only_reads =
            |tool: &Tool| tool.hints.read_only || is_set_to_list(tool, action.arguments());
        action.tool().is_none()
            || context.catalog.tool(tool_of(execution, at)).is_some_and(only_reads)
            || is_look(&intent_of(context, at))
    };
    let alone = |at: usize| steps[at].group.is_none();
    if steps[after].action.tool().is_none() || !reads(after) || !alone(after) {
        return None;
    }
    let before = (0..after).rev().find(|at| steps[*at].action == steps[after].action)?;
    let others: Vec<usize> = (before + 1..after).filter(|at| !reads(*at)).collect();
    let subject = suspect(execution, &others, (before, after))?;
    let planned = matches!(steps[subject].role, Role::Subject { .. } | Role::Repeat { .. });
    // What is no more than a new id may have been made up for this answer.
    let (was, is) = (&execution.exchanges[before], &execution.exchanges[after]);
    let same = canonical(was) == canonical(is);
    let around = Around { subject, before, after };
    let fits = !planned && !same && (before..after).all(alone) && !is_journal(execution, around);
    fits.then_some(around)
}

/// The refused call that may have done what shows between two looks: the only one, maybe made several times, or the one that sent
/// words which the second look shows and the first does not.
fn suspect(
    execution: &Execution,
    others: &[usize],
    (before, after): (usize, usize),
) -> Option<usize> {
    let steps = &execution.case.steps;
    let first = others.first()?;
    let refused = |at: &usize| execution.outcomes[*at].kind.is_refusal();
    if !others.iter().all(refused) {
        return None;
    }
    let equal = |a: usize, b: usize| steps[a].action == steps[b].action;
    if others.iter().all(|at| equal(*at, *first)) {
        return Some(*first);
    }
    let (was, is) = (execution.exchanges[before].text(), execution.exchanges[after].text());
    let shown = |at: &&usize| {
        let sent = steps[**at].action.arguments().map(values).unwrap_or_default();
        let mut words = sent.iter().filter_map(Value::as_str).filter(|word| word.len() > 2);
        words.any(|word| is.contains(word) && !was.contains(word))
    };
    let mut suspects = others.iter().filter(shown);
    let suspect = suspects.next()?;
    suspects.all(|at| equal(*at, *suspect)).then_some(*suspect)
}

/// Whether a refusal says that nothing was done, as most do.
fn does_nothing(context: &CaseContext<'_>, step: usize) -> bool {
    !ran_out_of_time(&context.execution.exchanges[step].text()) && !is_report(context, step)
}

/// Whether what is marked as an error is an answer all the same, of the form that the tool declares: it says how far the call went.
fn is_report(context: &CaseContext<'_>, step: usize) -> bool {
    let tool = context.catalog.tool(tool_of(context.execution, step));
    let output = tool.and_then(Tool::output_schema);
    let result = context.execution.exchanges[step].result();
    let told = result.and_then(|result| result.get("structuredContent"));
    let members = told.and_then(Value::as_object).filter(|members| members.len() > 1);
    members.is_some_and(|members| !members.keys().any(|name| name.contains("error")))
        && output.zip(told).is_some_and(|(schema, told)| schema.is_valid(told))
}

/// Whether a refusal says that the time was up: what was begun by then goes on, and the caller is told.
fn ran_out_of_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = ["timed out", "timeout", "time out", "deadline", "still running", "not idle"];
    let limit = text.contains(" within ") && (text.contains(" ms") || text.contains(" second"));
    limit || words.iter().any(|words| text.contains(words))
}

/// A call that works and a refused one that names what the first made, between two looks.
#[cfg(test)]
fn named_by_the_second() -> Scene {
    use super::observed::{execution, structured};
    use serde_json::json;
    let list = |ids: &[&str]| {
        let items = ids.iter().map(|id| json!({"id": id, "after": []}));
        let answer = structured(json!({"parcels": items.collect::<Vec<Value>>()}));
        ("list_parcels", Role::Call, json!({}), answer)
    };
    let error = json!({"isError": true, "content": [{"type": "text", "text": "after is missing"}]});
    Scene::new().ran(execution(vec![
        list(&["par_1"]),
        ("add_parcel", Role::Call, json!({"label": "a"}), structured(json!({"id": "par_2"}))),
        ("tie_parcel", Role::Call, json!({"id": "par_2"}), error),
        list(&["par_1", "par_2"]),
    ]))
}

/// A text that is loaded before and after a refused call, each time under a new id.
#[cfg(test)]
fn loaded() -> Scene {
    use super::observed::{execution, structured};
    use serde_json::json;
    let load = |id: &str| {
        let answer = structured(json!({"session_id": id, "rows": 3}));
        ("get_rows_of_text", Role::Call, json!({"text": "a,b"}), answer)
    };
    let error = json!({"isError": true, "content": [{"type": "text", "text": "bad mode"}]});
    Scene::new().ran(execution(vec![
        load("456f2321"),
        ("configure", Role::Call, json!({"mode": "x"}), error),
        load("9aa1f49c"),
    ]))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;
    let (look, subject) = roles(check::FAILED_CALL);
    let scene = |after: u32| {
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": 1}))),
            ("create_task", subject.clone(), json!({}), json!({"isError": true, "content": [{"type": "text", "text": "title is required"}]})),
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": after}))),
        ]))
    };
    let late = |text: &str| {
        let refusal = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        Scene::new().ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": 1}))),
            ("run_task", subject.clone(), json!({}), refusal),
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": 2}))),
        ]))
    };
    // The answer that the tool declares, marked as an error: how far the call went.
    let told = |answer: Value| {
        let declared = json!({"type": "object", "required": ["idle", "lines"]});
        let runs = json!({"name": "run_task", "inputSchema": {"type": "object"}, "outputSchema": declared});
        let answer = json!({"isError": true, "structuredContent": answer, "content": []});
        Scene::new().tool(runs).ran(execution(vec![
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": 1}))),
            ("run_task", subject.clone(), json!({}), answer),
            ("list_tasks", look.clone(), json!({}), structured(json!({"count": 2}))),
        ]))
    };
    // A refusal that happens to stand between two equal reads, and another call beside it.
    let unplanned = |after: u32, other: &str| {
        let refusal =
            json!({"isError": true, "content": [{"type": "text", "text": "2 tasks are open"}]});
        Scene::new().ran(execution(vec![
            ("list_tasks", Role::Call, json!({}), structured(json!({"closed": 0}))),
            ("close_board", Role::Call, json!({}), refusal),
            (other, Role::Call, json!({"title": "a"}), structured(json!({"ok": true}))),
            ("list_tasks", Role::Call, json!({}), structured(json!({"closed": after}))),
        ]))
    };
    let unchanged = Examples::of(&ENTRY).passes(loaded()).passes(named_by_the_second());
    more(unchanged)
        .flags(
            "shows the `description` that it sent",
            super::applied::scene(true, "quite another text"),
        )
        .passes(super::applied::scene(true, ""))
        .flags(
            "lists one more whose `name` is \"alpha\"",
            super::applied::named(&["prj_1", "prj_2"]),
        )
        .passes(super::applied::named(&["prj_1"]))
        .passes(super::applied::scene(false, "quite another text"))
        .flags("`close_board` refused the call", unplanned(1, "read_board"))
        .passes(unplanned(1, "create_task"))
        .passes(unplanned(0, "read_board"))
        .passes(told(json!({"idle": false, "lines": ["a"]})))
        .flags("refused the call", told(json!({"code": 3, "reason": "no such task"})))
        .flags("refused the call", scene(2))
        .flags("refused the call", late("must be within 1 and 9"))
        .passes(late("not done within 500 ms"))
        .passes(scene(1))
}

#[cfg(test)]
fn more(examples: Examples) -> Examples {
    use super::observed::{execution, structured};
    use serde_json::json;
    let twice = |after: u32| {
        let refusal =
            json!({"isError": true, "content": [{"type": "text", "text": "2 tasks are open"}]});
        Scene::new().ran(execution(vec![
            ("list_tasks", Role::Call, json!({}), structured(json!({"closed": 0}))),
            ("close_board", Role::Call, json!({}), refusal.clone()),
            ("close_board", Role::Call, json!({}), refusal),
            ("list_tasks", Role::Call, json!({}), structured(json!({"closed": after}))),
        ]))
    };
    // A tool that lists what it makes when it is told to.
    let panel = |panels: Value| {
        let properties = json!({"list": {"type": "boolean"}, "height": {"type": "integer"}});
        let tool =
            json!({"name": "panel", "inputSchema": {"type": "object", "properties": properties}});
        let refusal =
            json!({"isError": true, "content": [{"type": "text", "text": "100 rows do not fit"}]});
        let list = || json!({"list": true});
        Scene::new().tool(tool).ran(execution(vec![
            ("panel", Role::Call, list(), structured(json!({"panels": []}))),
            ("panel", Role::Call, json!({"height": 100}), refusal),
            ("panel", Role::Call, list(), structured(json!({"panels": panels}))),
        ]))
    };
    // Two refused calls; what one of them sent shows.
    let burst = |listed: Value| {
        let refusal =
            || json!({"isError": true, "content": [{"type": "text", "text": "not from 1 to 9"}]});
        Scene::new().ran(execution(vec![
            ("list_tasks", Role::Call, json!({}), structured(json!({"tasks": []}))),
            ("close_task", Role::Call, json!({"task": "t-1"}), refusal()),
            ("create_task", Role::Call, json!({"name": "paint it"}), refusal()),
            ("list_tasks", Role::Call, json!({}), structured(json!({"tasks": listed}))),
        ]))
    };
    examples
        .flags("`create_task` refused the call", burst(json!(["paint it"])))
        .passes(burst(json!(["another"])))
        .passes(burst(json!([])))
        .flags("`panel` refused the call", panel(json!([{"id": "p1"}])))
        .passes(panel(json!([])))
        .flags("`close_board` refused the call", twice(1))
        .passes(twice(0))
}
