//! `call_rejects_enum_bounds`.

use super::rejects::accepted;
#[cfg(test)]
use crate::lints::examples::Examples;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};

lint! {
    /// A call that has an argument outside of its choices or bounds succeeds.
    ///
    /// The same calls are reported one by one by `invalid_input_accepted`; this lint counts them by tool over the whole run.
    CallRejectsEnumBounds(Run, Disabled) {}
    spec: "server/tools#security-considerations", fix: "Validate the arguments against the input schema before the tool runs."
}

/// The keywords whose breach this is.
const KEYWORDS: &[&str] = &[
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
];

impl Lint for CallRejectsEnumBounds {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        problems.extend(accepted(
            context.record,
            KEYWORDS,
            "has an argument outside of its choices or bounds",
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::rejects::tried;

    Examples::of(&ENTRY)
        .flags("3 of 4 calls", tried("maximum", 3, 1))
        .passes(tried("maximum", 0, 4))
        .passes(tried("format", 3, 1))
}
