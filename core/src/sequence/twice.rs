//! Twice: a call of a tool that says that making it again changes nothing, made again between two looks right after it worked. It
//! costs three calls; the check that begins with looks of its own costs five, and needs a turn of its own.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use crate::case::{Label, Role};
use crate::catalog::Catalog;
use serde_json::Value;

/// Under this name repeated calls are counted, and how many of them a tool gets.
const TWICE: &str = "twice";
const MOST: u32 = 4;
/// How likely a call is repeated until then.
const LIKELY: f64 = 0.6;
/// How likely the look is at the thing itself, where something reads it.
const ITSELF: f64 = 0.75;

impl Mind {
    /// Plans a look, the call of the step `index` once more, and the same look, where the tool says that it may be repeated and the call
    /// set something; tells whether it did.
    pub(super) fn plan_twice(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        catalog: &Catalog,
    ) -> bool {
        let hints = catalog.tools[tool].hints;
        let step = &live.history[index].0;
        let done = self.counted(tool, TWICE);
        let says = hints.idempotent && !hints.read_only && done < MOST;
        let verb = self.verb_of(tool, step.action.arguments(), catalog);
        let sent = step.action.arguments().and_then(Value::as_object).into_iter().flatten();
        let sets = sent.filter(|(_, value)| !value.is_null()).count() > step.bindings.len();
        if !says || verb == Verb::Delete || step.label != Label::Valid || !sets {
            return false;
        }
        // What shows the thing itself, and in one way only, shows more of it than what tells of many, or in other words.
        let parameters = |tool: &usize| {
            let schema = catalog.tools[*tool].input_schema();
            schema.map_or(0, |schema| schema.parameters().len())
        };
        let itself = self.readers_of_one(tool).into_iter().min_by_key(parameters);
        let itself = itself.filter(|_| self.draw.chance(ITSELF));
        let reader = itself.or_else(|| self.readers(tool, catalog).first().copied());
        let Some(reader) = reader.filter(|_| self.draw.chance(LIKELY)) else { return false };
        *self.checks.entry((tool, TWICE)).or_default() += 1;
        let check = check::IDEMPOTENT;
        let look = Role::Observe { check: check.to_owned(), view: 0 };
        let again = Role::Repeat { check: check.to_owned(), of: index };
        live.agenda.extend([
            Planned::About { tool: reader, step: Some(index), role: look },
            Planned::Again { step: index, role: again },
            Planned::RepeatView { check, view: 0 },
        ]);
        true
    }
}
