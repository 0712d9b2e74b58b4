//! Named edges: for every parameter and keyword the values at which programs break, each in otherwise minimal arguments.

use crate::pointer;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    Draw,
    array::MOST_ITEMS,
    fixed::{self, Fullness},
    format, naughty, number, pattern,
    text::LONGEST,
};
use crate::schema::{
    CompiledSchema, Spot,
    plan::{Distinct, List, Members, NodeId, Plan, Shape, Text},
};

/// Edges of one schema.
const MAX_EDGES: usize = 1_500;

/// Edges of one choice list.
const MAX_CHOICES: usize = 60;

/// Levels of nesting that are walked.
const MAX_DEPTH: u32 = 5;

/// Naughty strings that every free string parameter gets.
const NAUGHTY: [&str; 11] = [
    "quotes",
    "punctuation",
    "comma and newline",
    "astral",
    "accents",
    "backslash",
    "space",
    "path escape",
    "sql",
    "template",
    "right to left",
];

/// Valid arguments with one part at an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// The whole arguments object.
    pub value: Value,
    /// The edge, for example `minimum` or `empty string`.
    pub edge: String,
    /// JSON Pointer of the part that is at the edge.
    pub pointer: String,
}

/// The named edges of a schema: always the same list, every value valid, no two equal.
pub fn boundaries(schema: &CompiledSchema) -> Vec<Boundary> {
    let mut found: Vec<Edge> = Vec::new();
    let whole = |edge: &str, value: Option<Value>| value.map(|value| Edge::new(edge, "", value));
    found.extend(whole("no optional parameter", fixed::minimal(schema)));
    found.extend(whole("all optional parameters", fixed::maximal(schema)));
    let mut walk = Walk {
        schema,
        plan: schema.plan(),
        draw: Draw::new(0).fork("boundaries", 0),
        left: MAX_EDGES,
        open: Vec::new(),
    };
    let root = schema.all_parameters().root();
    let plan = schema.plan();
    if plan.is_possible() {
        found.extend(walk.node(plan.root, "", root));
    }
    let mut seen = HashSet::new();
    found.retain(|edge| seen.insert(edge.value.to_string()) && schema.is_valid_input(&edge.value));
    found
        .into_iter()
        .map(|edge| Boundary { value: edge.value, edge: edge.name, pointer: edge.pointer })
        .collect()
}

/// A value of the place that is being walked, with one part of it at an edge.
struct Edge {
    name: String,
    pointer: String,
    value: Value,
}

impl Edge {
    fn new(name: &str, pointer: &str, value: Value) -> Self {
        Self { name: name.to_owned(), pointer: pointer.to_owned(), value }
    }
}

struct Walk<'a> {
    schema: &'a CompiledSchema,
    plan: &'a Plan,
    draw: Draw,
    /// Edges that may still be found.
    left: usize,
    /// The containers around the place.
    open: Vec<NodeId>,
}

impl<'a> Walk<'a> {
    /// The edges of a place: whole values of the place, each with one part at an edge.
    fn node(&mut self, id: NodeId, pointer: &str, spot: Option<Spot>) -> Vec<Edge> {
        let mut found = Vec::new();
        for id in self.plan.concrete(vec![id]) {
            if self.left == 0 {
                break;
            }
            if !self.plan.is_buildable(id) {
                continue;
            }
            let plan = self.plan;
            let edges = match plan.shape(id) {
                Shape::Any => any(pointer),
                Shape::Null => vec![Edge::new("null", pointer, Value::Null)],
                Shape::Boolean => vec![
                    Edge::new("true", pointer, Value::Bool(true)),
                    Edge::new("false", pointer, Value::Bool(false)),
                ],
                Shape::Fixed(values) => values
                    .iter()
                    .take(MAX_CHOICES)
                    .map(|value| Edge::new(&choice(value), pointer, value.clone()))
                    .collect(),
                Shape::Text(text) => self.text(text, pointer),
                Shape::Number(numeric) => number::edges(numeric)
                    .into_iter()
                    .map(|(name, value)| Edge::new(name, pointer, value))
                    .collect(),
                Shape::Array(list) => self.container(id, |walk| walk.list(id, list, pointer, spot)),
                Shape::Object(members) => {
                    self.container(id, |walk| walk.members(id, members, pointer, spot))
                }
                _ => Vec::new(),
            };
            if !matches!(plan.shape(id), Shape::Array(_) | Shape::Object(_)) {
                self.left = self.left.saturating_sub(edges.len());
            }
            found.extend(edges);
        }
        found
    }

    /// Walks a container unless it is too deep or inside itself more than once.
    fn container(&mut self, id: NodeId, walk: impl FnOnce(&mut Self) -> Vec<Edge>) -> Vec<Edge> {
        let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let turns = self.open.iter().filter(|open| **open == id).count();
        if depth >= MAX_DEPTH || turns > 1 {
            return Vec::new();
        }
        self.open.push(id);
        let edges = walk(self);
        self.open.pop();
        edges
    }

    fn text(&mut self, text: &Text, pointer: &str) -> Vec<Edge> {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: String| found.push((name.to_owned(), value));
        let free = text.patterns.is_empty() && text.formats.names().next().is_none();
        add("empty string", String::new());
        if free {
            add("one character", "a".to_owned());
            add("shortest string", "a".repeat(text.min.min(LONGEST)));
            add("shortest string + 1", "a".repeat((text.min + 1).min(LONGEST)));
            let longest = text.max.unwrap_or(LONGEST).min(LONGEST);
            add("longest string - 1", "a".repeat(longest.saturating_sub(1)));
            add("longest string", "a".repeat(longest));
            add(
                "longest string of astral characters",
                "😀".repeat(text.max.unwrap_or(0).min(LONGEST)),
            );
        }
        if text.formats.names().next().is_none() {
            // A pattern may let some of them through; a program seldom stops at what its pattern stops at.
            for (tag, value) in naughty::all().iter().filter(|(tag, _)| NAUGHTY.contains(tag)) {
                add(tag, value.clone());
            }
        }
        for name in text.formats.names() {
            for value in format::fixed(name) {
                add(&format!("{name} {value}"), (*value).to_owned());
            }
        }
        if !text.patterns.is_empty() {
            // Names that parts of a program take apart, where the pattern has them.
            for mark in [".", "-", "_", " ", "/", ":"] {
                found.push((format!("match with {mark:?}"), format!("a{mark}b")));
            }
        }
        for pattern in &text.patterns {
            for (name, extra) in [("shortest match", 0), ("typical match", 3), ("long match", 40)] {
                found.extend(
                    pattern::sample(pattern, extra, &mut self.draw)
                        .map(|value| (name.to_owned(), value)),
                );
            }
        }
        found
            .into_iter()
            .filter(|(_, value)| text.accepts(value))
            .map(|(name, value)| Edge::new(&name, pointer, Value::String(value)))
            .collect()
    }

    fn list(&mut self, id: NodeId, list: &'a List, pointer: &str, spot: Option<Spot>) -> Vec<Edge> {
        let mut found = vec![Edge::new("empty array", pointer, Value::Array(Vec::new()))];
        let item_spot = spot.and_then(|spot| self.schema.all_parameters().item(spot));
        let base = self.smallest(id, spot).and_then(|value| match value {
            Value::Array(items) => Some(items),
            _ => None,
        });
        let Some(base) = base else {
            return found;
        };
        found.push(Edge::new("one item", pointer, Value::from(base.clone())));
        let item = base.last().cloned().or_else(|| self.smallest(list.items, item_spot));
        if let Some(item) = item {
            if list.distinct != Distinct::Unique {
                let mut repeated = base.clone();
                repeated.extend([item.clone(), item.clone()]);
                found.push(Edge::new("equal items", pointer, Value::from(repeated)));
            }
            if let Some(max) = list.max.filter(|max| *max <= MOST_ITEMS) {
                found.extend(
                    self.longest(list, max, base.clone(), item_spot)
                        .map(|items| Edge::new("most items", pointer, items)),
                );
            }
        }
        // Edges of an element stand alone where one element is enough.
        let index = base.len().saturating_sub(1);
        for edge in
            self.node(list.at(index), &pointer::join(pointer, &index.to_string()), item_spot)
        {
            let mut items = base[..index.min(base.len())].to_vec();
            items.push(edge.value);
            found.push(Edge { value: Value::from(items), ..edge });
        }
        found
    }

    /// The array with as many items as are allowed.
    fn longest(
        &mut self,
        list: &List,
        max: usize,
        mut items: Vec<Value>,
        spot: Option<Spot>,
    ) -> Option<Value> {
        let mut turn = 0;
        while items.len() < max {
            turn += 1;
            let node = list.at(items.len());
            let item = if list.distinct == Distinct::Unique {
                fixed::of_node(self.schema, node, spot, Fullness::Random(turn))?
            } else {
                fixed::of_node(self.schema, node, spot, Fullness::Least)?
            };
            let is_new = list.distinct != Distinct::Unique || !items.contains(&item);
            if is_new {
                items.push(item);
            } else if turn > 4 * max as u64 {
                return None;
            }
        }
        Some(Value::from(items))
    }

    fn members(
        &mut self,
        id: NodeId,
        members: &'a Members,
        pointer: &str,
        spot: Option<Spot>,
    ) -> Vec<Edge> {
        let Some(Value::Object(base)) = self.smallest(id, spot) else {
            return Vec::new();
        };
        let mut found = vec![Edge::new("no optional property", pointer, Value::from(base.clone()))];
        found.extend(
            fixed::of_node(self.schema, id, spot, Fullness::Most)
                .map(|full| Edge::new("all optional properties", pointer, full)),
        );
        for property in &members.properties {
            let here = pointer::join(pointer, &property.name);
            let child =
                spot.and_then(|spot| self.schema.all_parameters().child(spot, &property.name));
            let mut edges = Vec::new();
            if !property.required {
                edges.extend(
                    self.smallest(property.node, child)
                        .map(|value| Edge::new("only this optional", &here, value)),
                );
            }
            let default = child
                .and_then(|child| self.schema.all_parameters().parameter(child))
                .and_then(|parameter| parameter.default.clone());
            edges.extend(default.map(|value| Edge::new("explicit default", &here, value)));
            edges.extend(self.node(property.node, &here, child));
            found.extend(edges.into_iter().map(|edge| with_member(&base, &property.name, edge)));
        }
        found.extend(self.undeclared(members, pointer, &base));
        found
    }

    /// Edges of values under names that are not declared, where those have a shape.
    fn undeclared(
        &mut self,
        members: &Members,
        pointer: &str,
        base: &Map<String, Value>,
    ) -> Vec<Edge> {
        let mut found = Vec::new();
        let mut kinds: Vec<(String, NodeId)> = Vec::new();
        if members.additional != Plan::ANY {
            kinds.push(("a".to_owned(), members.additional));
        }
        for (pattern, node) in &members.patterns {
            kinds.extend(pattern::sample(pattern, 2, &mut self.draw).map(|name| (name, *node)));
        }
        for (name, node) in kinds {
            if members.property(&name).is_some() {
                continue;
            }
            let here = pointer::join(pointer, &name);
            let edges = self.node(node, &here, None);
            found.extend(edges.into_iter().map(|edge| with_member(base, &name, edge)));
        }
        found
    }

    fn smallest(&self, id: NodeId, spot: Option<Spot>) -> Option<Value> {
        fixed::of_node(self.schema, id, spot, Fullness::Least)
    }
}

/// The object with one more member, which is at an edge.
fn with_member(base: &Map<String, Value>, name: &str, edge: Edge) -> Edge {
    let mut object = base.clone();
    object.insert(name.to_owned(), edge.value);
    Edge { value: Value::Object(object), ..edge }
}

fn choice(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => format!("choice {text}"),
        other => format!("choice {other}"),
    }
}

/// A value of each type, for parameters that take anything.
fn any(pointer: &str) -> Vec<Edge> {
    [
        ("text", Value::from("a")),
        ("number", Value::from(1)),
        ("fraction", Value::from(0.5)),
        ("true", Value::from(true)),
        ("null", Value::Null),
        ("empty object", Value::Object(Map::new())),
        ("empty array", Value::Array(Vec::new())),
    ]
    .into_iter()
    .map(|(name, value)| Edge::new(name, pointer, value))
    .collect()
}
