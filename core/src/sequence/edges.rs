//! Edges and faults: a call's arguments with one part at the limit of what the schema allows, or just beyond it.

use super::choose::Use;
use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned};
use crate::case::{Action, Binding, Label, Role, Step};
use crate::catalog::Catalog;
use crate::generate::{Boundary, Mutated, boundaries, least_negative, negative};
use crate::outcome::OutcomeKind;
use crate::pointer::Places;
use crate::schema::{CompiledSchema, Parameter};
use serde_json::Value;
use std::sync::Arc;

/// Under this name the calls that a sweep makes of a tool are counted.
const SWEPT: &str = "swept";
/// Calls of one tool for the sake of its edges: where nothing is there to call it with, they stay untried.
const SWEEPS: u32 = 40;

/// An edge, and how soon it is tried.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    bound: Arc<Boundary>,
    worth: u8,
}

impl Edge {
    fn new(bound: Boundary) -> Self {
        let worth = worth(&bound);
        Self { bound: Arc::new(bound), worth }
    }

    /// Whether it is one that programs often stumble over.
    fn is_telling(&self) -> bool {
        self.worth > 0
    }
}

/// What is left to try of a tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Left {
    /// How soon its next fault is to be tried, the lowest first; none where it has never worked, or had each fault.
    pub(super) fault: Option<u8>,
    /// How much its next edge tells; none where there is no telling one, or none is to be tried.
    pub(super) edge: Option<u8>,
}

impl Mind {
    /// Whether a call is put at an edge: more often while there are telling ones that were not tried, seldom where a reference
    /// would be at the edge.
    pub(super) fn wants_edge(&mut self, tool: usize) -> bool {
        let Some(next) = self.edges.get(&tool).and_then(|edges| edges.last()) else {
            return self.draw.chance(0.5);
        };
        let telling = next.is_telling();
        let reference = self.invents(tool);
        self.draw.chance(match (reference, telling) {
            (true, _) => 0.06,
            (false, true) => 0.75,
            (false, false) => 0.25,
        })
    }

    /// Whether the next edge of a tool would be a reference to nothing.
    fn invents(&mut self, tool: usize) -> bool {
        let Some(next) = self.edges.get(&tool).and_then(|edges| edges.last()) else {
            return false;
        };
        let param = self.links.param(tool, &self.intents[tool], &next.bound.pointer, false);
        self.links.get(param).points_elsewhere() && !names_nothing(&next.bound)
    }

    /// Plans a fault or an edge that was not tried; nearly always where the sequence is there to sweep through them.
    pub(super) fn plan_sweep(&mut self, sweeps: bool) -> Option<Planned> {
        let (faults, edges) = if sweeps { (0.4, 0.8) } else { (0.3, 0.4) };
        let untried = self.least_broken().filter(|_| self.phases.negative);
        if let Some(tool) = untried.filter(|_| self.draw.chance(faults)) {
            return Some(Planned::Negative { tool, role: Role::Call });
        }
        let telling = self.least_edged().filter(|_| self.phases.boundary);
        let tool = telling.filter(|_| self.draw.chance(edges))?;
        self.note_sweep(tool);
        Some(Planned::About { tool, step: None, role: Role::Call })
    }

    /// Counts a call that a sweep makes of a tool.
    pub(super) fn note_sweep(&mut self, tool: usize) {
        *self.checks.entry((tool, SWEPT)).or_default() += 1;
        self.note_left(tool);
    }

    /// Brings up to date what is left to try of a tool.
    pub(super) fn note_left(&mut self, tool: usize) {
        let invents = self.invents(tool);
        let feedback = &self.feedback[tool];
        let worked = feedback.ok > 0;
        let faults = worked && !self.broken.contains(&tool);
        let swept = self.checks.get(&(tool, SWEPT)).is_some_and(|swept| *swept >= SWEEPS);
        let edges = worked && !feedback.is_slow() && !swept;
        let next = self.edges.get(&tool).map_or(Some(u8::MAX), |edges| {
            edges.last().filter(|edge| edge.is_telling()).map(|edge| edge.worth)
        });
        self.left[tool] = Left {
            fault: faults.then(|| self.tiers.get(&tool).copied().unwrap_or(0)),
            // What refers to nothing is refused in the same way by all.
            edge: next.filter(|_| edges && !invents),
        };
    }

    /// Of the tools that may be called one of those for which something is left that is worth the most.
    fn pick_left(&mut self, worth: impl Fn(&Left) -> Option<u8>) -> Option<usize> {
        let worth = |tool: &usize| worth(&self.left[*tool]);
        let best = self.callable.iter().filter_map(worth).max()?;
        let equal = || self.callable.iter().filter(|tool| worth(tool) == Some(best));
        let chosen = self.draw.index(equal().count());
        equal().nth(chosen).copied()
    }

    /// A tool that has worked and that has telling edges which were not tried. The most telling edges of all tools come before the
    /// lesser ones of any.
    pub(super) fn least_edged(&mut self) -> Option<usize> {
        self.pick_left(|left| left.edge)
    }

    /// Puts the next untried edge of a tool into a step's arguments: telling ones first, those of references last, since
    /// whatever is no reference to anything is refused in the same way.
    pub(super) fn at_edge(&mut self, tool: usize, step: Step, catalog: &Catalog) -> Step {
        let Some(schema) = catalog.tools[tool].input_schema() else {
            return step;
        };
        if schema.parameters().is_empty() {
            // There is nothing that could be at an edge.
            self.edges.insert(tool, Vec::new());
            return step;
        }
        let (draw, links) = (&mut self.draw, &mut self.links);
        let intent = &self.intents[tool];
        let all = self.bounds.entry(tool);
        let all = all.or_insert_with(|| boundaries(schema).into_iter().map(Edge::new).collect());
        let edges = self.edges.entry(tool).or_insert_with(|| {
            let mut edges = all.clone();
            draw.shuffle(&mut edges);
            edges.sort_by_cached_key(|edge| {
                let param = links.param(tool, intent, &edge.bound.pointer, false);
                let invents = links.get(param).points_elsewhere() && !names_nothing(&edge.bound);
                (!invents, edge.worth)
            });
            edges
        });
        let Some(Edge { bound: edge, .. }) = edges.pop() else {
            self.edges.remove(&tool);
            return step;
        };
        let invented = |pointer: &str| {
            let param = links.param(tool, intent, pointer, false);
            links.get(param).points_elsewhere()
        };
        let Some(arguments) = step.action.arguments().and_then(|a| graft(a, &edge, invented))
        else {
            return step;
        };
        if !schema.is_valid(&arguments) {
            return step;
        }
        let Action::CallTool { tool, arguments: before } = &step.action else {
            return step;
        };
        let kept = |binding: &&Binding| {
            arguments.place(&binding.at).is_some()
                && arguments.place(&binding.at) == before.place(&binding.at)
        };
        let bindings = step.bindings.iter().filter(kept).cloned().collect();
        let role = match step.role {
            Role::Call => Role::Boundary { edge: edge.edge.clone(), pointer: edge.pointer.clone() },
            other => other,
        };
        template::call(tool, arguments, bindings, role)
    }

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
            (step, counts) = self.without_inventions(full, &uses, schema);
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
            (fault.is_weak(), counted.get(place).copied().unwrap_or(0))
        });
        least.is_none_or(|(.., cost)| cost != (false, 0))
    }

    /// Whether a call names something that is gone by now.
    fn names_gone(&self, step: &Step) -> bool {
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
            *counted.entry(place).or_default() += 1;
        }
        Some(least)
    }
}

/// Arguments with a part of them at an edge. An edge of the whole says which members there are: those that there are
/// already keep their values, and what would have to name something that exists (`invented`) is left out.
fn graft(
    arguments: &Value,
    edge: &Boundary,
    mut invented: impl FnMut(&str) -> bool,
) -> Option<Value> {
    let (Value::Object(members), Value::Object(wanted)) = (arguments, &edge.value) else {
        return None;
    };
    let whole = edge.pointer.is_empty();
    let alone = edge.edge == "only this optional";
    let mut grafted = members.clone();
    if whole || alone {
        grafted.retain(|name, _| wanted.contains_key(name));
    }
    for (name, value) in wanted.iter().filter(|_| whole) {
        if !grafted.contains_key(name) && !invented(&crate::pointer::join("", name)) {
            grafted.insert(name.clone(), value.clone());
        }
    }
    let mut grafted = Value::Object(grafted);
    if !whole {
        let value = edge.value.place(&edge.pointer)?;
        if let Some(slot) = grafted.place_mut(&edge.pointer) {
            *slot = value.clone();
        } else {
            // The member that holds the edge comes as a whole.
            let name = crate::pointer::unescape(edge.pointer.split('/').nth(1)?);
            let member = wanted.get(&name)?.clone();
            grafted.as_object_mut()?.insert(name, member);
        }
    }
    Some(grafted)
}

/// Formats whose extreme values are worth a call.
const FORMATS: &[&str] = &["date", "date-time", "time", "duration", "email", "uri"];

/// How soon a keyword is broken: what is dropped without a word is commonest and costs a tool one call, and bounds are forgotten more
/// often than types and members that are required, which libraries check.
fn rank(keyword: &str) -> u8 {
    match keyword {
        "additionalProperties" => 0,
        "required" => 2,
        "format" | "type" => 3,
        _ => 1,
    }
}

/// Whether an edge leaves a reference without anything that it could name.
fn names_nothing(edge: &Boundary) -> bool {
    edge.value.place(&edge.pointer).is_none_or(Value::is_null)
}

/// How soon an edge is tried: 0 for those that rarely tell anything.
fn worth(edge: &Boundary) -> u8 {
    match edge.edge.as_str() {
        "minimum" | "maximum" | "empty string" | "longest string" | "astral" | "punctuation"
        | "null" | "true" | "false" => 3,
        "accents"
        | "explicit default"
        | "empty array"
        | "all optional parameters"
        | "only this optional" => 2,
        "longest string of astral characters" => 1,
        other if other.starts_with("choice ") => 3,
        other if other.starts_with("match with ") => 3,
        other if other.split(' ').next().is_some_and(|format| FORMATS.contains(&format)) => 3,
        _ => 0,
    }
}
