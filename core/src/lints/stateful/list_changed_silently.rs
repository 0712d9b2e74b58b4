//! `list_changed_silently`.

use crate::case::{Action, Role};
use crate::exchange::Exchange;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::template::check;
use serde_json::Value;

lint! {
    /// A call changed what tools there are, or what they say, and no `notifications/tools/list_changed` came.
    ///
    /// Clients keep the list that they read at the start, and users approve tools by what it says.
    ListChangedSilently(Case, Warning)
    spec: "server/tools#list-changed-notification", fix: "Declare `tools.listChanged` and send the notification with each change, or leave the list as it is."
}

impl Lint for ListChangedSilently {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        let steps = execution.case.steps.iter().zip(&execution.exchanges).enumerate();
        let looks = steps.filter(|(_, (step, _))| {
            let asked =
                matches!(&step.role, Role::Observe { check, .. } if check == check::OFFERED);
            asked
                && matches!(&step.action, Action::Request { method, .. } if method == "tools/list")
        });
        let looks: Vec<(usize, &Exchange)> = looks.map(|(at, (_, seen))| (at, &**seen)).collect();
        let (Some((first, _)), Some((last, _))) = (looks.first(), looks.last()) else {
            return;
        };
        let between = &execution.exchanges[*first..=*last];
        let frames = between.iter().flat_map(|exchange| &exchange.side).chain(&execution.stray);
        let told = frames
            .filter_map(|frame| frame.method())
            .any(|method| method == "notifications/tools/list_changed");
        for pair in looks.windows(2).filter(|_| !told) {
            let [(_, before), (at, after)] = pair else { continue };
            let new = changes(before, after, *at);
            // Each tool once, where it changed first.
            let known = |problem: &Problem| problems.iter().any(|p| p.tool == problem.tool);
            let new: Vec<Problem> = new.into_iter().filter(|problem| !known(problem)).collect();
            problems.extend(new);
        }
    }
}

/// What differs between two answers to the question what tools there are; the second is that of the step `at`.
fn changes(before: &Exchange, after: &Exchange, at: usize) -> Vec<Problem> {
    let (Some(before), Some(after)) = (tools(before), tools(after)) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    for (name, tool) in &before {
        let what = match after.iter().find(|(other, _)| other == name) {
            None => "is no longer listed",
            Some((_, other)) if other != tool => "is described otherwise",
            Some(_) => continue,
        };
        let message = format!("after calls of tools, `{name}` {what}, and no notification said so");
        problems.push(Problem::new("changed", message).tool(*name).step(at));
    }
    let new = after.iter().filter(|(name, _)| before.iter().all(|(other, _)| other != name));
    for (name, _) in new {
        let message =
            format!("after calls of tools, `{name}` is listed, and no notification said so");
        problems.push(Problem::new("new", message).tool(*name).step(at));
    }
    problems
}

/// The tools of a page by name.
fn tools(exchange: &Exchange) -> Option<Vec<(&str, &Value)>> {
    let tools = exchange.result()?.get("tools")?.as_array()?;
    tools.iter().map(|tool| Some((tool.get("name")?.as_str()?, tool))).collect()
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use serde_json::json;

    // What is listed at first, after a call, and after another one.
    let scene = |after: &str, last: &str| {
        let look = Role::Observe { check: check::OFFERED.to_owned(), view: 0 };
        let list = |text: &str| json!({"tools": [{"name": "a", "description": text}]});
        let mut execution = execution(vec![
            ("", look.clone(), json!({}), list("old")),
            ("a", Role::Call, json!({}), structured(json!({}))),
            ("", look.clone(), json!({}), list(after)),
            ("a", Role::Call, json!({}), structured(json!({}))),
            ("", look, json!({}), list(last)),
        ]);
        for step in [0, 2, 4] {
            execution.case.steps[step].action =
                Action::Request { method: "tools/list".to_owned(), params: json!({}) };
        }
        Scene::new().ran(execution)
    };
    Examples::of(&ENTRY)
        .flags("`a` is described otherwise", scene("old", "new"))
        .flags("`a` is described otherwise", scene("new", "old"))
        .passes(scene("old", "old"))
}
