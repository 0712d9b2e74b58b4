//! `session_state_leak`.

use super::observed::{around, is_ok, is_subject, same_answer, tool_of};
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::template::check;

lint! {
    /// What one client asked for changes what another client, with a session of its own, is answered.
    ///
    /// A client reads twice with the same answer; another client reads with one more argument; then the first reads as before and gets what the other one was answered. A server may keep shared data, but not one client's arguments for the calls of all.
    SessionStateLeak(Case, Warning)
    spec: "basic/transports#session-management", fix: "Keep what belongs to a client under its session, and take arguments from the request alone."
}

impl Lint for SessionStateLeak {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        for around in around(execution, check::LEAK) {
            let (before, other, after) = (around.before, around.subject, around.after);
            let steps = &execution.case.steps;
            let alike = |step: usize| steps[step].action == steps[before].action;
            // Between the looks the other client may have tried other arguments, which changed nothing.
            let tried = |step: usize| is_subject(&steps[step], check::LEAK);
            let looks = (0..=before).rev().take_while(|step| alike(*step) || tried(*step));
            let mut same = looks.filter(|step| alike(*step));
            // An answer that changes from call to call says nothing; neither does one that the other client's was equal to.
            let steady = same.clone().count() >= 2
                && same.all(|step| is_ok(execution, step) && same_answer(execution, step, before));
            let leaks = steady
                && is_ok(execution, other)
                && is_ok(execution, after)
                && !same_answer(execution, before, other)
                && same_answer(execution, other, after);
            if leaks {
                let tool = tool_of(execution, other);
                let arguments = steps[other].action.arguments().cloned().unwrap_or_default();
                let message = format!(
                    "after another client had called `{tool}` with {arguments}, the same call as before, without that, gets the other client's answer"
                );
                problems.push(
                    Problem::new("answers as to another client", message).tool(tool).step(after),
                );
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, roles, structured};
    use serde_json::json;

    let (look, subject) = roles(check::LEAK);
    let scene = |after: i32| {
        let total = |total: i32| structured(json!({"total": total}));
        Scene::new().ran(execution(vec![
            ("list_notes", look.clone(), json!({}), total(2)),
            ("list_notes", subject.clone(), json!({"type": "joke"}), total(0)),
            ("list_notes", look.clone(), json!({}), total(2)),
            ("list_notes", subject.clone(), json!({"type": "tip"}), total(1)),
            ("list_notes", look.clone(), json!({}), total(after)),
        ]))
    };
    Examples::of(&ENTRY)
        .flags("gets the other client's answer", scene(1))
        .passes(scene(2))
        .passes(scene(3))
}
