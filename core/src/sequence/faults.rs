//! Faults: calls that the schema forbids, each for one thing, made from calls that would work.

use super::choose::Use;
use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template;
use crate::case::{Action, Binding, Label, Role, Step};
use crate::catalog::Catalog;
use crate::generate::{Mutated, least_negative, negative};
use crate::outcome::OutcomeKind;
use crate::pointer::Places;
use crate::schema::{CompiledSchema, Parameter};
use serde_json::Value;

/// Under this name the faults are counted that a refusal said nothing of, and how many of a tool's are tried again.
const DOUBTED: &str = "doubted";
const DOUBTS: u32 = 6;

/// Under this name faults are counted in calls that name nothing that is there, and how many of a tool's do not count as tried.
const VAIN: &str = "vain";
const MOST_VAIN: u32 = 2;
/// The rank of a fault that breaks a bound.
const BOUNDS: u8 = 1;

impl Mind {
    /// A call with arguments that the schema forbids.
    pub(super) fn negative_call(
        &mut self,
        tool: usize,
        role: Role,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        let schema = catalog.tools[tool].input_schema()?;
        let (mut step, mut counts) = self.sound_call(tool, role.clone(), live, catalog)?;
        let mut base = step.action.arguments()?.clone();
        if self.is_spent(tool, schema, &base) {
            self.full = true;
            let (full, uses) = self.plain_call(tool, None, role, live, catalog)?;
            let (full, grounded) = self.without_inventions(full, &uses, schema);
            (step, counts) = (laid_over(full, &step, schema), counts && grounded);
            base = step.action.arguments()?.clone();
        }
        let mutated = self.fault(tool, schema, &base, counts);
        if mutated.is_none() {
            // There is nothing in it that could be wrong.
            self.broken.insert(tool);
        }
        self.note_left(tool);
        let mutated = mutated?;
        let Action::CallTool { arguments, .. } = &mut step.action else {
            return None;
        };
        step.bindings.retain(|binding| base.place(&binding.at) == mutated.value.place(&binding.at));
        *arguments = mutated.value;
        // What many servers convert, or need not check, says nothing about a missing check.
        step.label = if mutated.coercible || mutated.advisory {
            Label::Unknown
        } else {
            Label::Invalid {
                pointer: mutated.pointer,
                keyword: mutated.keyword,
                mutation: mutated.mutation,
            }
        };
        if !matches!(step.role, Role::Subject { .. }) {
            step.role = Role::Call;
        }
        Some((step, Vec::new()))
    }

    /// A call that would work: one that did in this sequence with what it names still there, else one with chosen arguments.
    /// Also tells whether all that it names is there.
    pub(super) fn sound_call(
        &mut self,
        tool: usize,
        role: Role,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<(Step, bool)> {
        let worked = |at: &usize| {
            let (step, _) = &live.history[*at];
            live.outcomes[*at].kind == OutcomeKind::Ok
                && step.label == Label::Valid
                && step.action.tool() == Some(&catalog.tools[tool].name)
                && !self.names_gone(step)
        };
        let changes_nothing = self.intents[tool].looks_read_only();
        let repeats = changes_nothing || self.intents[tool].verb == Verb::Update;
        // What is left out cannot be wrong: the call with the most arguments, of equal ones the latest.
        let given = |at: &usize| {
            let arguments = live.history[*at].0.action.arguments().and_then(Value::as_object);
            arguments.map_or(0, serde_json::Map::len)
        };
        let earlier = (0..live.history.len()).filter(|_| repeats).filter(worked).max_by_key(given);
        if let Some(at) = earlier.filter(|_| self.draw.chance(0.6)) {
            return Some((template::again(&live.history[at].0, at, role), true));
        }
        self.full = self.draw.chance(0.7);
        let (step, uses) = self.plain_call(tool, None, role, live, catalog)?;
        Some(self.without_inventions(step, &uses, catalog.tools[tool].input_schema()?))
    }

    /// The call without what may be left out and names something that nobody spoke of, for which it would be refused whatever else is
    /// in it; and whether all that it names by then is there.
    fn without_inventions(
        &self,
        mut step: Step,
        uses: &[Use],
        schema: &CompiledSchema,
    ) -> (Step, bool) {
        let invented = |used: &&Use| !self.is_grounded(std::slice::from_ref(*used));
        let mut grounded = true;
        for used in uses.iter().filter(invented) {
            let Some(arguments) = step.action.arguments_mut() else { break };
            let mut fewer = arguments.clone();
            let name = used.at.trim_start_matches('/');
            let gone = fewer.as_object_mut().and_then(|members| members.shift_remove(name));
            if gone.is_some() && schema.is_valid(&fewer) {
                *arguments = fewer;
            } else {
                grounded = false;
            }
        }
        (step, grounded)
    }

    /// Whether arguments that leave something out have no fault that was not tried.
    fn is_spent(&mut self, tool: usize, schema: &CompiledSchema, base: &Value) -> bool {
        let left_out = |p: &Parameter| !p.required && base.place(&p.pointer).is_none();
        if !schema.parameters().iter().any(left_out) {
            return false;
        }
        let counted = self.faults.entry(tool).or_default();
        let least = least_negative(schema, base, &mut self.draw, |fault, place| {
            (fault.is_weak(), counted.get(place).copied().unwrap_or(0), rank(fault.keyword))
        });
        // A bound of what was left out comes before what libraries check.
        least.is_none_or(|(.., (weak, tried, rank))| weak || tried > 0 || rank > BOUNDS)
    }

    /// Whether a call names something that is gone by now.
    pub(crate) fn names_gone(&self, step: &Step) -> bool {
        let arguments = step.action.arguments().and_then(Value::as_object);
        arguments.into_iter().flat_map(|members| members.values()).any(|value| {
            self.corpus.entries().iter().any(|entry| entry.stale && entry.value == *value)
        })
    }

    /// A tool that has worked and some of whose parameters were not given each kind of wrong value yet. The faults of all tools that
    /// are forgotten most often come before the lesser ones of any.
    pub(super) fn least_broken(&mut self) -> Option<usize> {
        self.pick_left(|left| left.fault.map(|tier| u8::MAX - tier))
    }

    /// After a refusal of a call with a fault: where it is about something else that was sent, the fault is still to be tried.
    pub(super) fn doubt_fault(&mut self, tool: usize, step: &Step, text: &str) {
        let latest = self.latest_fault.take().filter(|(own, _)| *own == tool);
        let (Some((_, place)), Label::Invalid { pointer, keyword, .. }) = (latest, &step.label)
        else {
            return;
        };
        let Some(sent) = step.action.arguments().and_then(Value::as_object) else {
            return;
        };
        let own = pointer.split('/').nth(1).unwrap_or_default();
        let named = |name: &str| text.contains(&name.to_lowercase());
        if matches!(keyword.as_str(), "required" | "type") || (!own.is_empty() && named(own)) {
            return;
        }
        let other = sent.iter().any(|(name, value)| {
            name != own && name.len() > 1 && super::feedback::is_missing(Some(value), text)
        });
        let others = sent.keys().any(|name| name != own && name.len() > 2 && named(name));
        let undeclared = keyword == "additionalProperties";
        let doubts = self.checks.entry((tool, DOUBTED)).or_default();
        if *doubts < DOUBTS && (other || (others && !undeclared)) {
            *doubts += 1;
            self.broken.remove(&tool);
            if let Some(count) = self.faults.entry(tool).or_default().get_mut(&place) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Arguments with one fault: one that was tried least, since each parameter and keyword is checked, or not, on its own.
    fn fault(
        &mut self,
        tool: usize,
        schema: &CompiledSchema,
        base: &Value,
        counts: bool,
    ) -> Option<Mutated> {
        if self.draw.chance(0.1) {
            return negative(schema, base, &mut self.draw);
        }
        let vain = self.checks.entry((tool, VAIN)).or_default();
        *vain += u32::from(!counts);
        // What names nothing that is there tells little, but the other faults wait.
        let counts = counts || *vain > MOST_VAIN;
        let counted = self.faults.entry(tool).or_default();
        let (least, place, tier) = least_negative(schema, base, &mut self.draw, |fault, place| {
            let before = counted.get(place).copied().unwrap_or(0);
            // At first the value next to what is allowed: a bound is missed by one.
            let near = if before == 0 { fault.nth } else { 0 };
            (fault.is_weak(), before, rank(fault.keyword), near)
        })?;
        if least.coercible || least.advisory || counted.contains_key(&place) {
            self.broken.insert(tool);
        }
        self.tiers.insert(tool, tier.2);
        if counts {
            *counted.entry(place.clone()).or_default() += 1;
        }
        self.latest_fault = counts.then_some((tool, place));
        Some(least)
    }
}

/// A call with more arguments than `step`, with those of `step` where it has any: they are likelier to go together.
fn laid_over(full: Step, step: &Step, schema: &CompiledSchema) -> Step {
    let mut both = full.clone();
    let members = step.action.arguments().and_then(Value::as_object);
    let (Some(members), Some(arguments)) =
        (members, both.action.arguments_mut().and_then(Value::as_object_mut))
    else {
        return full;
    };
    for (name, value) in members {
        arguments.insert(name.clone(), value.clone());
    }
    let own = |binding: &Binding| {
        binding
            .at
            .split('/')
            .nth(1)
            .is_some_and(|name| members.contains_key(&crate::pointer::unescape(name)))
    };
    both.bindings.retain(|binding| !own(binding));
    both.bindings.extend(step.bindings.iter().cloned());
    let sound = both.action.arguments().is_some_and(|arguments| schema.is_valid(arguments));
    if sound { both } else { full }
}

/// How soon a keyword is broken: what is dropped without a word is commonest and costs a tool one call, and bounds are forgotten more
/// often than types and members that are required, which libraries check.
fn rank(keyword: &str) -> u8 {
    match keyword {
        "additionalProperties" => 0,
        "required" => 2,
        "format" | "type" => 3,
        _ => BOUNDS,
    }
}
