//! `call_rejects_missing_required`.

use super::rejects::accepted;
#[cfg(test)]
use crate::lints::examples::Examples;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};

lint! {
    /// A call that lacks a required argument succeeds.
    ///
    /// The same calls are reported one by one by `invalid_input_accepted`; this lint counts them by tool over the whole run.
    CallRejectsMissingRequired(Run, Disabled) {}
    spec: "server/tools#security-considerations", fix: "Validate the arguments against the input schema before the tool runs."
}

/// The keywords whose breach this is.
const KEYWORDS: &[&str] = &["required", "dependentRequired", "dependencies"];

impl Lint for CallRejectsMissingRequired {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(accepted(context.record, KEYWORDS, "lacks a required argument"));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::rejects::tried;

    Examples::of(&ENTRY)
        .flags("3 of 4 calls", tried("required", 3, 1))
        .passes(tried("required", 0, 4))
        .passes(tried("format", 3, 1))
}
