//! `call_rejects_wrong_type`.

use super::rejects::accepted;
#[cfg(test)]
use crate::lints::examples::Examples;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};

lint! {
    /// A call that has an argument of the wrong type succeeds.
    ///
    /// The same calls are reported one by one by `invalid_input_accepted`; this lint counts them by tool over the whole run.
    CallRejectsWrongType(Run, Disabled) {}
    spec: "server/tools#security-considerations", fix: "Validate the arguments against the input schema before the tool runs."
}

/// The keywords whose breach this is.
const KEYWORDS: &[&str] = &["type"];

impl Lint for CallRejectsWrongType {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(accepted(context.record, KEYWORDS, "has an argument of the wrong type"));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::rejects::tried;

    Examples::of(&ENTRY)
        .flags("3 of 4 calls", tried("type", 3, 1))
        .passes(tried("type", 0, 4))
        .passes(tried("format", 3, 1))
}
