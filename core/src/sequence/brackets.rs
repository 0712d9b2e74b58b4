//! Brackets: a mode is set, something is done in it, and the mode is set back or asked for. What a mode leaves behind, and what
//! breaks out of it, shows only so.

use super::intent::{Verb, destroys};
use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use crate::case::{Label, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use crate::pointer::join;
use crate::schema::{CompiledSchema, JsonTypes, Parameter};
use serde_json::Value;

/// Brackets of one tool.
const MOST: u32 = 14;
/// How likely one is planned where something is to be chosen freely.
const LIKELY: f64 = 0.3;
/// Choices of a parameter that may be a mode.
const CHOICES: std::ops::RangeInclusive<usize> = 2..=6;

/// Under this name brackets are counted.
const BRACKET: &str = "bracket";

impl Mind {
    /// Whether a tool that sets a mode tells it when it is called without one: what it is to set is optional, and it says that calling
    /// it twice is as good as calling it once.
    pub(super) fn tells(&self, tool: usize, catalog: &Catalog) -> bool {
        let offered = &catalog.tools[tool];
        offered.hints.idempotent
            && !offered.hints.read_only
            && self.intents[tool].verb == Verb::Other
            && mode(tool, catalog).is_some_and(|(mode, _)| !mode.required)
    }

    /// Now and then plans a bracket, or a change of a member of something that the sequence made; tells whether it did.
    pub(super) fn plan_aside(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        if !self.traits.asides || !self.draw.chance(LIKELY) {
            return false;
        }
        if self.draw.chance(0.3) && self.plan_change_of_made(live, catalog) {
            return true;
        }
        self.plan_bracket(live, catalog)
    }

    /// Plans a change of one member of the latest thing that a tool which changes things, too, has made.
    fn plan_change_of_made(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        let made = |at: usize| {
            let (step, _) = &live.history[at];
            let tool = self.tool_of(step)?;
            let makes = self.verb_of(tool, step.action.arguments(), catalog) == Verb::Create
                && super::intent::own_id(&catalog.tools[tool]).is_some()
                && live.outcomes[at].kind == OutcomeKind::Ok
                && step.label == Label::Valid
                && !self.corpus.is_stale(at);
            makes.then_some((at, tool))
        };
        let mut all: Vec<(usize, usize)> = (0..live.history.len()).rev().filter_map(made).collect();
        let changed = |tool: usize| self.checks.get(&(tool, PARTIAL)).copied().unwrap_or(0);
        // Those with the most members can lose the most.
        let members = |at: usize| {
            let sent = live.history[at].0.action.arguments().and_then(Value::as_object);
            std::cmp::Reverse(sent.map_or(0, serde_json::Map::len))
        };
        all.sort_by_key(|(at, tool)| (changed(*tool), members(*at)));
        all.truncate(3);
        let chosen = self.draw.pick(&all).copied();
        chosen.is_some_and(|(at, tool)| self.plan_partial_change(live, at, tool, catalog))
    }

    /// Plans a bracket; tells whether there was one to plan.
    fn plan_bracket(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        let count = |tool: &usize| self.checks.get(&(*tool, BRACKET)).copied().unwrap_or_default();
        let fits = |tool: &usize| {
            matches!(self.intents[*tool].verb, Verb::Other | Verb::Update)
                && self.feedback[*tool].ok > 0
                && !self.feedback[*tool].is_slow()
                && count(tool) < MOST
                && self.traits.moded[*tool]
        };
        let tools: Vec<usize> = self.callable.iter().copied().filter(fits).collect();
        let Some(tool) = tools.into_iter().min_by_key(count) else {
            return false;
        };
        let (Some((mode, choices)), number) = (mode(tool, catalog), count(&tool)) else {
            return false;
        };
        let Some(anchor) = self.anchor(tool, live) else {
            return false;
        };
        // Whether an idempotent tool is so has a check of its own.
        let twice = if catalog.tools[tool].hints.idempotent { 1 } else { choices.len() };
        let turn = usize::try_from(number).unwrap_or(0);
        let inner = if turn < twice { None } else { self.inner(tool, catalog) };
        // What switches something on stands first as a rule.
        let fresh = inner.is_some_and(|inner| !self.varied.contains_key(&(tool, bracketed(inner))));
        let turn = if fresh { 0 } else { turn };
        let first = choices[turn % choices.len()].clone();
        let Some(set) = self.in_mode(tool, anchor, (mode, Some(first)), live, catalog) else {
            return false;
        };
        *self.checks.entry((tool, BRACKET)).or_default() += 1;
        let exact = |step: Step| Planned::Exact(Box::new(step));
        live.agenda.push_back(exact(set.clone()));
        let Some(inner) = inner else {
            // What may be done once may not be done twice.
            live.agenda.push_back(exact(set));
            return true;
        };
        *self.varied.entry((tool, bracketed(inner))).or_default() += 1;
        let within = self.within(inner, (&set, anchor), live, catalog);
        live.agenda.extend(within.map(exact));
        let reads = catalog.tools[inner].hints.read_only;
        let next = choices[(turn + 1) % choices.len()].clone();
        let next = (!reads || mode.required).then_some(next);
        live.agenda.extend(with_mode(set, (mode, next), tool, catalog).map(exact));
        let about = |tool: usize, role: Role| Planned::About { tool, step: Some(anchor), role };
        if self.intents[inner].verb == Verb::Create {
            if let Some((reader, role)) = self.reader_or_list(inner, check::CREATE, catalog) {
                live.agenda.push_back(about(reader, role));
            }
            let removes = |other: &usize| {
                let intent = &self.intents[*other];
                intent.verb == Verb::Delete
                    && intent.nouns.last() == self.intents[inner].nouns.last()
            };
            let remover = self.callable.iter().copied().find(removes);
            live.agenda.extend(remover.map(|tool| about(tool, Role::Call)));
        }
        true
    }

    /// What is done within a mode: what was done least, things made before the rest.
    fn inner(&mut self, tool: usize, catalog: &Catalog) -> Option<usize> {
        let fits = |other: &usize| {
            *other != tool
                && super::looks::refers_alike(tool, *other, catalog)
                && self.feedback[*other].ok > 0
                && !self.feedback[*other].is_slow()
                && !self.intents[*other].revives
        };
        let mut others: Vec<usize> = self.callable.iter().copied().filter(fits).collect();
        self.draw.shuffle(&mut others);
        let rank = |other: &usize| match self.intents[*other].verb {
            Verb::Create => 0,
            Verb::Read => 1,
            Verb::Other | Verb::Update | Verb::List => 2,
            Verb::Delete => 3,
        };
        let done =
            |other: &usize| self.varied.get(&(tool, bracketed(*other))).copied().unwrap_or(0);
        others.into_iter().min_by_key(|other| (done(other), rank(other)))
    }

    /// A call of a tool with what it needs and, perhaps, a mode.
    fn in_mode(
        &mut self,
        tool: usize,
        anchor: usize,
        (mode, value): (&Parameter, Option<Value>),
        live: &Live,
        catalog: &Catalog,
    ) -> Option<Step> {
        let optional = std::mem::replace(&mut self.optional, 0.0);
        let look = Role::Observe { check: check::UPDATE.to_owned(), view: 0 };
        let made = self.plain_call(tool, Some(anchor), look, live, catalog);
        self.optional = optional;
        let (mut step, _) = made?;
        step.role = Role::Call;
        with_mode(step, (mode, value), tool, catalog)
    }

    /// A call that is likely to succeed, about what the mode was set of.
    fn within(
        &mut self,
        inner: usize,
        (set, anchor): (&Step, usize),
        live: &Live,
        catalog: &Catalog,
    ) -> Option<Step> {
        let schema = catalog.tools[inner].input_schema()?;
        let optional = std::mem::replace(&mut self.optional, 0.0);
        self.sure = true;
        let made = self.plain_call(inner, Some(anchor), Role::Call, live, catalog);
        self.optional = optional;
        let (mut step, _) = made?;
        let required = schema.parameters().iter().filter(|p| p.required);
        let shared: Vec<&Parameter> =
            required.filter(|p| super::words::is_reference(&p.name)).collect();
        for parameter in shared {
            let Some(value) = set.action.arguments()?.pointer(&parameter.pointer).cloned() else {
                continue;
            };
            *step.action.arguments_mut()?.pointer_mut(&parameter.pointer)? = value;
            step.bindings.retain(|binding| binding.at != parameter.pointer);
            let bound = set.bindings.iter().filter(|binding| binding.at == parameter.pointer);
            step.bindings.extend(bound.cloned());
        }
        schema.is_valid(step.action.arguments()?).then_some(step)
    }

    /// After a thing was made by a tool that changes things, too: one of its members is changed, and it is looked at. What was not
    /// sent must stay.
    pub(super) fn plan_partial_change(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        catalog: &Catalog,
    ) -> bool {
        let offered = &catalog.tools[tool];
        let Some(id) = super::intent::own_id(offered) else {
            return false;
        };
        let done = self.checks.get(&(tool, PARTIAL)).copied().unwrap_or_default();
        let schema = offered.input_schema();
        let required = |name: &String| schema.is_some_and(|schema| requires(schema, name));
        // Only what has other members can lose them.
        let sent = live.history[index].0.action.arguments().and_then(Value::as_object);
        let bare = sent.is_none_or(|sent| sent.keys().all(required));
        if done >= PARTIAL_CHANGES || (bare && done >= PARTIAL_CHANGES / 4) {
            return false;
        }
        let step = self.partial_change(live, index, (tool, id), catalog);
        let Some(step) = step else {
            return false;
        };
        *self.checks.entry((tool, PARTIAL)).or_default() += 1;
        live.agenda.push_back(Planned::Exact(Box::new(step)));
        if let Some((reader, role)) = self.reader_or_list(tool, check::UPDATE, catalog) {
            live.agenda.push_back(Planned::About { tool: reader, step: Some(index), role });
        }
        true
    }

    /// A call that names what a step made by its id and gives one member, besides what is required, another value.
    fn partial_change(
        &mut self,
        live: &Live,
        index: usize,
        (tool, id): (usize, &str),
        catalog: &Catalog,
    ) -> Option<Step> {
        let offered = &catalog.tools[tool];
        let schema = offered.input_schema()?;
        let (made, exchange) = live.history.get(index)?;
        let sent = made.action.arguments()?.as_object()?;
        let mined = super::mine::answer(exchange, false);
        let issued = mined.iter().find(|mined| mined.path.rsplit('/').next() == Some(id))?;
        let own = |name: &str| name == id || super::intent::list_switch(offered) == Some(name);
        let candidates: Vec<&Parameter> = schema
            .parameters()
            .iter()
            .filter(|p| {
                let name = p.pointer.trim_start_matches('/');
                !p.required
                    && !name.contains(['/', '~'])
                    && !own(name)
                    && !super::words::is_reference(name)
            })
            .collect();
        let mut arguments = made.action.arguments()?.clone();
        arguments.as_object_mut()?.retain(|name, _| requires(schema, name));
        arguments[id] = issued.value.clone();
        let mut step = super::template::again(made, index, Role::Call);
        step.bindings.retain(|binding| arguments.pointer(&binding.at).is_some());
        step.bindings.retain(|binding| binding.at != join("", id));
        step.bindings.push(crate::case::Binding {
            at: join("", id),
            step: index,
            from: issued.source.clone(),
        });
        for _ in 0..6 {
            let parameter = self.draw.pick(&candidates).copied()?;
            let name = parameter.pointer.trim_start_matches('/');
            let full = crate::generate::positive(schema, &mut self.draw, &Self::everything())?;
            let Some(value) = full.get(name).filter(|value| !value.is_null()) else {
                continue;
            };
            let mut changed = arguments.clone();
            changed[name] = value.clone();
            if sent.get(name) != Some(value) && schema.is_valid(&changed) {
                *step.action.arguments_mut()? = changed;
                return Some(step);
            }
        }
        None
    }

    fn everything() -> crate::generate::Bias<'static> {
        crate::generate::Bias { optional: 1.0, ..crate::generate::Bias::default() }
    }
}

/// Under this name changes of a single member are counted, and how many there are of what one tool made.
const PARTIAL: &str = "partial change";
const PARTIAL_CHANGES: u32 = 8;

/// Under this name calls of a tool within a mode are counted.
fn bracketed(inner: usize) -> String {
    format!("{BRACKET} {inner}")
}

/// A call with another mode, or without one.
fn with_mode(
    mut step: Step,
    (mode, value): (&Parameter, Option<Value>),
    tool: usize,
    catalog: &Catalog,
) -> Option<Step> {
    let schema = catalog.tools[tool].input_schema()?;
    let members = step.action.arguments_mut()?.as_object_mut()?;
    let name = mode.pointer.trim_start_matches('/');
    match value {
        Some(value) => members.insert(name.to_owned(), value),
        None => members.shift_remove(name),
    };
    step.bindings.retain(|binding| !binding.at.starts_with(&mode.pointer));
    schema.is_valid(step.action.arguments()?).then_some(step)
}

/// The parameter of a tool that sets a mode, and its choices without those after which nothing is left.
pub(super) fn mode(tool: usize, catalog: &Catalog) -> Option<(&Parameter, Vec<Value>)> {
    let schema = catalog.tools[tool].input_schema()?;
    let words = |p: &Parameter| -> Vec<Value> {
        let words = p.choices.iter().filter(|choice| choice.as_str().is_some_and(|c| !destroys(c)));
        words.cloned().collect()
    };
    let simple = |p: &&Parameter| {
        let name = p.pointer.trim_start_matches('/');
        let listed = p.choices.iter().filter(|choice| choice.is_string()).count();
        !name.contains(['/', '~'])
            && p.types.contains(JsonTypes::STRING)
            && CHOICES.contains(&listed)
            && !words(p).is_empty()
    };
    let mut modes = schema.parameters().iter().filter(simple);
    let only = modes.next().filter(|_| modes.next().is_none())?;
    // A default is how it is done; a mode stays as it is.
    only.default.is_none().then(|| (only, words(only)))
}

/// Whether a call must have the member `name`.
fn requires(schema: &CompiledSchema, name: &str) -> bool {
    schema.parameters().iter().any(|p| p.required && p.pointer == join("", name))
}
