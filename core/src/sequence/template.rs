//! Templates: short scripts around one call that let the server be its own oracle: look, do, look again.

use super::intent::{Intent, Verb};
use crate::case::{Action, Binding, Role, Step};
use crate::catalog::{Catalog, Tool};
use crate::pointer::Places;
use serde_json::Value;

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
    /// A call of a tool that is to make something which others wait for: success comes before variety.
    Make {
        /// The tool's position in the catalog.
        tool: usize,
    },
    /// A call of a tool with arguments that the schema forbids.
    Negative {
        /// The tool's position in the catalog.
        tool: usize,
        /// Why.
        role: Role,
    },
    /// A metamorphic check around a call of a tool.
    Check {
        /// The tool's position in the catalog.
        tool: usize,
        /// Whether the call is one that the schema forbids.
        negative: bool,
        /// How often something was called first to make it possible.
        tries: u8,
    },
    /// Things of one kind tied to each other in a ring.
    Ring {
        /// The position in the catalog of the tool that ties them.
        tool: usize,
        /// How often things were made for it.
        tries: u8,
    },
    /// A read without a parameter that has a default, and with that default.
    Default {
        /// The position in the catalog of the tool that reads.
        tool: usize,
    },
    /// A call that names something which is not there.
    Stranger {
        /// The tool's position in the catalog.
        tool: usize,
    },
    /// A list of items of which one is to be refused.
    Batch {
        /// The tool's position in the catalog.
        tool: usize,
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
    /// The request of the latest look of a check, once more, if that look saw something.
    RepeatView {
        /// The check.
        check: &'static str,
        /// Which look.
        view: u32,
    },
    /// A look at what the step made for `Subject` brought.
    LookAtSubject {
        /// The check.
        check: &'static str,
        /// The position in the catalog of the tool that looks.
        reader: usize,
        /// Why.
        role: Role,
    },
}

/// The call that a check is about.
#[derive(Debug, Clone, Copy)]
pub enum Subject {
    /// A call of a tool about the objects of an earlier step.
    About {
        /// The tool's position in the catalog.
        tool: usize,
        /// The step.
        anchor: Option<usize>,
    },
    /// A call that the tool's schema forbids.
    Invalid {
        /// The tool's position in the catalog.
        tool: usize,
    },
    /// The request of an earlier step once more.
    Again {
        /// The step.
        step: usize,
    },
}

impl Subject {
    fn planned(self, check: &str) -> Planned {
        let role = Role::Subject { check: check.to_owned() };
        match self {
            Self::About { tool, anchor } => Planned::About { tool, step: anchor, role },
            Self::Invalid { tool } => Planned::Negative { tool, role },
            Self::Again { step } => Planned::Again { step, role },
        }
    }
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
    /// A default that is documented is not the one that applies.
    pub const DEFAULT: &str = "default_not_applied";
    /// What is offered changes without a word.
    pub const OFFERED: &str = "list_changed_silently";
    /// What one client asked for changes another's answers; the subject is the other client's call.
    pub const LEAK: &str = "session_state_leak";
    /// A new thing is acknowledged and not there.
    pub const CREATE: &str = "created_not_found";
}

/// The checks that suit a call of `tool`.
pub fn checks_for(tool: usize, catalog: &Catalog, intents: &[Intent]) -> Vec<&'static str> {
    let hints = catalog.tools[tool].hints;
    let verb = intents[tool].verb;
    let mut checks = Vec::new();
    if verb != Verb::Delete && has_default(&catalog.tools[tool]) {
        checks.push(check::DEFAULT);
    }
    if hints.read_only {
        checks.push(check::READ_ONLY);
        return checks;
    }
    checks.extend(match verb {
        Verb::Delete => vec![check::AFTER_DELETE],
        Verb::Update => vec![check::UPDATE],
        Verb::Create => vec![check::CREATE],
        _ => Vec::new(),
    });
    if hints.idempotent {
        checks.push(check::IDEMPOTENT);
    }
    checks
}

/// Whether a tool documents a default that a call can also give.
fn has_default(tool: &Tool) -> bool {
    defaults(tool).next().is_some()
}

/// Optional parameters of a tool with their defaults, those that are nothing left out.
pub fn defaults(tool: &Tool) -> impl Iterator<Item = (&str, &Value)> {
    let properties = tool.raw.place("/inputSchema/properties").and_then(Value::as_object);
    properties.into_iter().flatten().filter_map(|(name, schema)| {
        let default = schema.get("default")?;
        let says = default.is_boolean() || default.is_number();
        (says || default.as_str().is_some_and(|text| !text.is_empty()))
            .then_some((name.as_str(), default))
    })
}

/// The script of a check: looks by `readers` at what `anchor` is about, the subject, the same looks after.
pub fn script(
    check: &'static str,
    subject: Subject,
    anchor: Option<usize>,
    readers: &[usize],
) -> Vec<Planned> {
    around(check, subject.planned(check), anchor, readers)
}

/// The script of a check of exactly this call.
pub fn script_of(
    check: &'static str,
    subject: Step,
    anchor: Option<usize>,
    readers: &[usize],
) -> Vec<Planned> {
    let role = Role::Subject { check: check.to_owned() };
    around(check, Planned::Exact(Box::new(Step { role, ..subject })), anchor, readers)
}

fn around(
    check: &'static str,
    subject: Planned,
    anchor: Option<usize>,
    readers: &[usize],
) -> Vec<Planned> {
    let number = |view: usize| u32::try_from(view).unwrap_or(u32::MAX);
    let look = |(view, reader): (usize, &usize)| Planned::About {
        tool: *reader,
        step: anchor,
        role: Role::Observe { check: check.to_owned(), view: number(view) },
    };
    let mut planned: Vec<Planned> = readers.iter().enumerate().map(look).collect();
    let views: Vec<u32> = (0..readers.len()).map(number).collect();
    planned.extend(and_after(check, subject, &views));
    planned
}

/// The script of a check whose first looks are taken already: the subject, then each of them once more.
pub fn after_looks(check: &'static str, subject: Subject, views: &[u32]) -> Vec<Planned> {
    and_after(check, subject.planned(check), views)
}

fn and_after(check: &'static str, subject: Planned, views: &[u32]) -> Vec<Planned> {
    let again = || views.iter().map(|view| Planned::RepeatView { check, view: *view });
    let mut planned = vec![subject];
    planned.extend(again());
    if check == check::IDEMPOTENT {
        planned.push(Planned::RepeatSubject { check });
        planned.extend(again());
    }
    planned
}

/// The question what tools there are: calls must not change that without a word.
pub fn look_at_offer() -> Step {
    let role = Role::Observe { check: check::OFFERED.to_owned(), view: 0 };
    let action = Action::Request { method: "tools/list".to_owned(), params: serde_json::json!({}) };
    Step { action, bindings: Vec::new(), label: crate::case::Label::Unknown, role, group: None }
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

/// Whether the observations of a check that `counts` (equal requests, equal views) brought different answers, values of time
/// masked, with nothing but observations between them.
pub fn observations_differ(
    execution: &crate::lints::Execution,
    counts: impl Fn(&str) -> bool,
) -> bool {
    let mut first: Vec<(&Role, &Action, String)> = Vec::new();
    for (step, exchange) in execution.case.steps.iter().zip(&execution.exchanges) {
        match &step.role {
            Role::Observe { check, .. } if counts(check) => {}
            Role::Observe { .. } => continue,
            // What another call changed is its doing.
            _ => {
                first.clear();
                continue;
            }
        }
        let seen = crate::mask::masked(exchange);
        let same =
            |other: &&(&Role, &Action, String)| *other.0 == step.role && *other.1 == step.action;
        match first.iter().find(same) {
            Some((.., before)) if *before != seen => return true,
            Some(_) => {}
            None => first.push((&step.role, &step.action, seen)),
        }
    }
    false
}
