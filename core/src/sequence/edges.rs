//! Edges: a call's arguments with a part or two at the limit of what the schema allows.

use super::mind::Mind;
use super::template::{self, Planned};
use crate::case::{Action, Binding, Role, Step};
use crate::catalog::Catalog;
use crate::generate::{Boundary, boundaries};
use crate::outcome::OutcomeKind;
use crate::pointer::Places;
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
    /// Whether it was refused together with another one, so that each is tried by itself.
    alone: bool,
}

impl Edge {
    fn new(bound: Boundary) -> Self {
        let worth = worth(&bound);
        Self { bound: Arc::new(bound), worth, alone: false }
    }

    /// Whether it is one value of one parameter, so that another parameter may be at an edge, too.
    fn shares(&self) -> bool {
        !self.alone && !self.bound.pointer.is_empty() && self.bound.edge != "only this optional"
    }

    fn parameter(&self) -> Option<&str> {
        self.bound.pointer.split('/').nth(1)
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
    pub(super) fn pick_left(&mut self, worth: impl Fn(&Left) -> Option<u8>) -> Option<usize> {
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
        let Some(first) = edges.pop() else {
            self.edges.remove(&tool);
            return step;
        };
        let mut invented = |pointer: &str| {
            let param = links.param(tool, intent, pointer, false);
            links.get(param).points_elsewhere()
        };
        let grafted =
            step.action.arguments().and_then(|sent| graft(sent, &first.bound, &mut invented));
        let Some(mut arguments) = grafted.filter(|arguments| schema.is_valid(arguments)) else {
            return step;
        };
        // Where both are accepted, one call does for two.
        let second = edges.iter().rposition(|other| {
            first.shares()
                && other.shares()
                && other.worth > 1
                && other.parameter() != first.parameter()
        });
        let second = second.filter(|at| !invented(&edges[*at].bound.pointer));
        let both = second.and_then(|at| graft(&arguments, &edges[at].bound, &mut invented));
        let edge = Arc::clone(&first.bound);
        if let (Some(at), Some(both)) = (second, both.filter(|both| schema.is_valid(both))) {
            arguments = both;
            self.paired = Some((tool, [first, edges.remove(at)]));
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

    /// After a call at two edges: where it was refused, each is tried by itself.
    pub(super) fn part_edges(&mut self, tool: usize, outcome: OutcomeKind) {
        let Some((own, pair)) = self.paired.take().filter(|_| outcome.is_refusal()) else {
            return;
        };
        if own == tool {
            let alone = pair.map(|edge| Edge { alone: true, ..edge });
            self.edges.entry(tool).or_default().extend(alone);
        }
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
