//! Templates: short scripts around one call that let the server be its own oracle: look, do, look again.

use super::intent::{Intent, Verb};
use crate::case::{Action, Binding, Role, Step};
use crate::catalog::Catalog;

/// What to do next in a sequence.
#[derive(Debug, Clone)]
pub enum Planned {
    /// Exactly this step.
    Exact(Box<Step>),
    /// A call of a tool with chosen arguments, about the objects of an earlier step.
    About {
        /// The tool's position in the catalog.
        tool: usize,
        /// The step whose objects it is about; none: whatever fits.
        step: Option<usize>,
        /// Why.
        role: Role,
    },
    /// A call of a tool with arguments that the schema forbids.
    Negative {
        /// The tool's position in the catalog.
        tool: usize,
        /// Why.
        role: Role,
    },
    /// The request of an earlier step once more.
    Again {
        /// The step.
        step: usize,
        /// Why.
        role: Role,
    },
    /// The request of the step made for `Subject`, once more.
    RepeatSubject {
        /// The check.
        check: &'static str,
    },
}

/// Lint ids of the metamorphic checks.
pub mod check {
    /// A tool that says it only reads changes what other reads see.
    pub const READ_ONLY: &str = "read_only_tool_changes_state";
    /// A tool that says it is idempotent is not.
    pub const IDEMPOTENT: &str = "idempotent_tool_not_idempotent";
    /// A refused call changes what reads see.
    pub const FAILED_CALL: &str = "failed_call_changed_state";
    /// A deleted thing can still be read.
    pub const AFTER_DELETE: &str = "get_after_delete";
    /// A change is acknowledged and not there.
    pub const UPDATE: &str = "update_not_reflected";
    /// A new thing is acknowledged and not there.
    pub const CREATE: &str = "created_not_found";
}

/// A read that worked earlier in the sequence.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// The step.
    pub step: usize,
    /// The tool's position in the catalog.
    pub tool: usize,
}

/// The check that suits a call of `tool`, if one does.
pub fn check_for(tool: usize, catalog: &Catalog, intents: &[Intent]) -> Option<&'static str> {
    let hints = catalog.tools[tool].hints;
    if hints.read_only {
        return Some(check::READ_ONLY);
    }
    match intents[tool].verb {
        Verb::Delete => Some(check::AFTER_DELETE),
        _ if hints.idempotent => Some(check::IDEMPOTENT),
        Verb::Update => Some(check::UPDATE),
        Verb::Create => Some(check::CREATE),
        _ => None,
    }
}

/// The script of a check around a call of `tool`: views before, the subject, the same views after.
pub fn script(
    check: &'static str,
    tool: usize,
    about: Option<usize>,
    views: &[View],
) -> Vec<Planned> {
    let observe = |view: usize, step: usize| Planned::Again {
        step,
        role: Role::Observe {
            check: check.to_owned(),
            view: u32::try_from(view).unwrap_or(u32::MAX),
        },
    };
    let subject = Role::Subject { check: check.to_owned() };
    let look = || views.iter().enumerate().map(|(number, view)| observe(number, view.step));
    let mut planned: Vec<Planned> = look().collect();
    match check {
        check::FAILED_CALL => planned.push(Planned::Negative { tool, role: subject }),
        _ => planned.push(Planned::About { tool, step: about, role: subject }),
    }
    planned.extend(look());
    if matches!(check, check::IDEMPOTENT) {
        planned.push(Planned::RepeatSubject { check });
        planned.extend(look());
    }
    planned
}

/// A step that sends an earlier step's request again.
pub fn again(earlier: &Step, index: usize, role: Role) -> Step {
    let mut step = earlier.clone();
    step.role = role;
    step.group = None;
    // The repeated request must equal the earlier one even where that one's values came from answers.
    if let Some(arguments) = earlier.action.arguments() {
        step.bindings = crate::pointer::scalars(arguments)
            .into_iter()
            .map(|pointer| Binding {
                at: pointer.clone(),
                step: index,
                from: crate::case::Source::Argument { pointer },
            })
            .collect();
    }
    step
}

/// The views that suit a check of `tool`: recent reads of other tools, those about the same thing first; at most `most`.
pub fn views_for(tool: usize, reads: &[View], intents: &[Intent], most: usize) -> Vec<View> {
    let mut picked: Vec<View> = Vec::new();
    let related = |view: &&View| intents[view.tool].shares_noun(&intents[tool]);
    let candidates =
        reads.iter().rev().filter(related).chain(reads.iter().rev().filter(|view| !related(view)));
    for view in candidates {
        let fresh = view.tool != tool && picked.iter().all(|other| other.tool != view.tool);
        if fresh && picked.len() < most {
            picked.push(*view);
        }
    }
    picked
}

/// A call of a tool as a step.
pub fn call(tool: &str, arguments: serde_json::Value, bindings: Vec<Binding>, role: Role) -> Step {
    Step {
        action: Action::CallTool { tool: tool.to_owned(), arguments },
        bindings,
        label: crate::case::Label::Valid,
        role,
        group: None,
    }
}

/// Whether the observations of a check (equal requests, equal views) brought different answers, values of time masked.
pub fn observations_differ(execution: &crate::lints::Execution, check: &str) -> bool {
    let mut first: Vec<(u32, String)> = Vec::new();
    for (step, exchange) in execution.case.steps.iter().zip(&execution.exchanges) {
        let Role::Observe { check: c, view } = &step.role else {
            continue;
        };
        if c != check {
            continue;
        }
        let seen = crate::mask::masked(exchange);
        match first.iter().find(|(v, _)| v == view) {
            Some((_, before)) if *before != seen => return true,
            Some(_) => {}
            None => first.push((*view, seen)),
        }
    }
    false
}
