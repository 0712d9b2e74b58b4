//! `call_rejects_additional`.

use super::rejects::accepted;
#[cfg(test)]
use crate::lints::examples::Examples;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};

lint! {
    /// A call that has an argument that the schema does not know succeeds.
    ///
    /// The same calls are reported one by one by `invalid_input_accepted`; this lint counts them by tool over the whole run.
    CallRejectsAdditional(Run, Disabled) {}
    spec: "server/tools#security-considerations", fix: "Validate the arguments against the input schema before the tool runs."
}

/// The keywords whose breach this is.
const KEYWORDS: &[&str] = &["additionalProperties", "unevaluatedProperties"];

impl Lint for CallRejectsAdditional {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(accepted(
            context.record,
            KEYWORDS,
            "has an argument that the schema does not know",
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::rejects::tried;

    Examples::of(&ENTRY)
        .flags("3 of 4 calls", tried("additionalProperties", 3, 1))
        .passes(tried("additionalProperties", 0, 4))
        .passes(tried("format", 3, 1))
}
