//! The plan of a schema: a flat tree of shapes from which values are built and against which parts of values are checked.
//!
//! The plan is a close, not an exact, reading of the schema. Whole values are always judged by the compiled validator.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Decimal, Pattern, validator::Formats};

/// A node of a [`Plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

/// The height of a node that no finite value satisfies.
pub(crate) const IMPOSSIBLE: u32 = u32::MAX;

/// Nodes higher than this count as impossible: nobody needs their values, and building them recurses.
const MAX_HEIGHT: u32 = 160;

/// Checks that one acceptance question may take before the answer is "yes, let the validator decide".
const ACCEPT_FUEL: u32 = 20_000;

/// Levels that one acceptance question may descend.
const ACCEPT_DEPTH: u32 = 200;

/// The shapes of a schema. Node 0 is [`Shape::Any`], node 1 is [`Shape::Never`].
#[derive(Debug)]
pub(crate) struct Plan {
    shapes: Vec<Shape>,
    heights: Vec<u32>,
    pub(crate) root: NodeId,
}

/// What a value must look like.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Any JSON value.
    Any,
    /// No value.
    Never,
    Null,
    Boolean,
    /// One of these values.
    Fixed(Vec<Value>),
    Text(Box<Text>),
    Number(Box<Numeric>),
    Array(Box<List>),
    Object(Box<Members>),
    /// At least one of these.
    Some(Vec<NodeId>),
    /// Exactly one of these.
    One(Vec<NodeId>),
    /// All of these.
    All(Vec<NodeId>),
    /// Everything but the first; the second, where known, describes the rest directly.
    Not(NodeId, Option<NodeId>),
    /// Another node: a reference.
    Link(NodeId),
}

/// Strings. Lengths are in code points.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) not_patterns: Vec<Pattern>,
    pub(crate) formats: Formats,
    pub(crate) media: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) excluded: Vec<String>,
}

/// An end of a numeric range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) value: Decimal,
    /// The end itself does not belong to the range.
    pub(crate) open: bool,
}

/// Numbers.
#[derive(Debug, Default)]
pub(crate) struct Numeric {
    pub(crate) integer: bool,
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
    /// Every value is a multiple of this.
    pub(crate) step: Option<Decimal>,
    /// No value is a multiple of one of these.
    pub(crate) not_steps: Vec<Decimal>,
}

/// What an array asks of its elements together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Distinct {
    #[default]
    Free,
    AllDistinct,
    SomeEqual,
}

/// Arrays.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    pub(crate) distinct: Distinct,
    pub(crate) prefix: Vec<NodeId>,
    pub(crate) items: NodeId,
    pub(crate) contains: Vec<Contains>,
}

/// How many elements of an array must have a shape.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) node: NodeId,
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

/// Objects.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) properties: Vec<Property>,
    pub(crate) patterns: Vec<(Pattern, NodeId)>,
    pub(crate) additional: NodeId,
    pub(crate) names: Option<NodeId>,
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

/// A named property.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) node: NodeId,
    pub(crate) required: bool,
}

/// What is left of an acceptance question's allowance.
struct Fuel {
    checks: u32,
    levels: u32,
}

impl Plan {
    pub(crate) const ANY: NodeId = NodeId(0);
    pub(crate) const NEVER: NodeId = NodeId(1);

    pub(super) fn new() -> Self {
        Self { shapes: vec![Shape::Any, Shape::Never], heights: Vec::new(), root: Self::ANY }
    }

    /// Adds a shape.
    pub(super) fn add(&mut self, shape: Shape) -> NodeId {
        match shape {
            Shape::Any => return Self::ANY,
            Shape::Never => return Self::NEVER,
            _ => {}
        }
        let id = u32::try_from(self.shapes.len()).expect("a plan has fewer than 2^32 nodes");
        self.shapes.push(shape);
        NodeId(id)
    }

    /// The node that asks for all of `nodes`.
    pub(super) fn all_of(&mut self, nodes: Vec<NodeId>) -> NodeId {
        match nodes[..] {
            [] => Self::ANY,
            [only] => only,
            _ => self.add(Shape::All(nodes)),
        }
    }

    /// Replaces a shape that was added as a placeholder.
    pub(super) fn set(&mut self, id: NodeId, shape: Shape) {
        self.shapes[id.0 as usize] = shape;
    }

    pub(crate) fn shape(&self, id: NodeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    /// The shape behind references. A cycle of references reads as the last one followed.
    pub(crate) fn resolve(&self, mut id: NodeId) -> NodeId {
        for _ in 0..64 {
            match self.shape(id) {
                Shape::Link(next) => id = *next,
                _ => break,
            }
        }
        id
    }

    /// The nodes for the part of a value at a JSON Pointer, references and combinations taken apart. Where the plan does
    /// not have the place, the node that accepts anything.
    pub(crate) fn nodes_at(&self, pointer: &str) -> Vec<NodeId> {
        let mut current = self.concrete(vec![self.root]);
        for token in pointer.split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            let mut next = Vec::new();
            for id in current {
                match self.shape(id) {
                    Shape::Object(members) => next.extend(members.claims(&name)),
                    Shape::Array(list) => next.push(list.at(token.parse().unwrap_or(0))),
                    _ => {}
                }
            }
            current = self.concrete(next);
        }
        if current.is_empty() {
            current.push(Self::ANY);
        }
        current
    }

    /// The nodes behind references and combinations, each once.
    pub(crate) fn concrete(&self, nodes: Vec<NodeId>) -> Vec<NodeId> {
        let mut open = nodes;
        open.reverse();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.shape(id) {
                Shape::Link(target) => open.push(*target),
                Shape::Some(ids) | Shape::One(ids) | Shape::All(ids) => {
                    open.extend(ids.iter().rev())
                }
                Shape::Not(_, Some(rest)) => open.push(*rest),
                Shape::Not(_, None) => found.push(Self::ANY),
                Shape::Never => {}
                _ => found.push(id),
            }
        }
        found
    }

    /// The height of the smallest way to build a value of this shape, counted in nodes; [`IMPOSSIBLE`] if there is none.
    /// A node is higher than the nodes of its smallest value, so that always taking the lowest branch comes to an end.
    pub(crate) fn height(&self, id: NodeId) -> u32 {
        self.heights[id.0 as usize]
    }

    /// Whether some value of this shape can be built.
    pub(crate) fn is_buildable(&self, id: NodeId) -> bool {
        self.height(id) <= MAX_HEIGHT
    }

    /// Whether some value of the root can be built.
    pub(crate) fn is_possible(&self) -> bool {
        self.is_buildable(self.root)
    }

    /// Computes the heights, as a fixpoint from "impossible" downwards.
    pub(super) fn settle(&mut self) {
        self.heights = vec![IMPOSSIBLE; self.shapes.len()];
        // Each round settles at least the nodes of one more height; higher ones do not matter.
        for _ in 0..=MAX_HEIGHT {
            let mut changed = false;
            for index in (0..self.shapes.len()).rev() {
                let height = self.height_of(&self.shapes[index]);
                if height < self.heights[index] {
                    self.heights[index] = height;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn height_of(&self, shape: &Shape) -> u32 {
        let height = |id: &NodeId| self.heights[id.0 as usize];
        let inner = match shape {
            Shape::Never => IMPOSSIBLE,
            Shape::Fixed(values) if values.is_empty() => IMPOSSIBLE,
            Shape::Any
            | Shape::Null
            | Shape::Boolean
            | Shape::Fixed(_)
            | Shape::Text(_)
            | Shape::Number(_) => return 0,
            Shape::Array(list) => list.needed().map(|id| height(&id)).max().unwrap_or(0),
            Shape::Object(members) => self.height_of_members(members),
            Shape::Some(ids) | Shape::One(ids) => {
                ids.iter().map(height).min().unwrap_or(IMPOSSIBLE)
            }
            Shape::All(ids) => ids.iter().map(height).max().unwrap_or(0),
            Shape::Not(_, rest) => rest.as_ref().map_or(0, height),
            Shape::Link(id) => height(id),
        };
        inner.saturating_add(1)
    }

    /// The height of the highest member that must be there; undeclared ones count as the lowest they can be.
    fn height_of_members(&self, members: &Members) -> u32 {
        let height = |id: NodeId| self.heights[id.0 as usize];
        let (required, optional): (Vec<&Property>, Vec<&Property>) =
            members.properties.iter().partition(|property| property.required);
        let highest = required.iter().map(|property| height(property.node)).max().unwrap_or(0);
        let missing = members.min.saturating_sub(required.len());
        if missing == 0 {
            return highest;
        }
        let undeclared = match members.patterns.iter().map(|(_, node)| height(*node)).min() {
            Some(by_pattern) if members.additional == Self::NEVER => by_pattern,
            Some(by_pattern) => by_pattern.max(height(members.additional)),
            None => height(members.additional),
        };
        let mut spare: Vec<u32> = optional
            .iter()
            .map(|property| height(property.node))
            .filter(|low| *low < undeclared)
            .collect();
        spare.sort_unstable();
        let extra = match spare.get(missing - 1) {
            Some(enough) => *enough,
            None => undeclared,
        };
        highest.max(extra)
    }

    /// Whether `value` has the shape. "Yes" may be wrong for what the plan does not model; the validator has the last word.
    pub(crate) fn accepts(&self, id: NodeId, value: &Value) -> bool {
        let mut fuel = Fuel { checks: ACCEPT_FUEL, levels: ACCEPT_DEPTH };
        self.check(id, value, &mut fuel)
    }

    fn check(&self, id: NodeId, value: &Value, fuel: &mut Fuel) -> bool {
        if fuel.checks == 0 || fuel.levels == 0 {
            return true;
        }
        fuel.checks -= 1;
        fuel.levels -= 1;
        let accepted = self.check_shape(id, value, fuel);
        fuel.levels += 1;
        accepted
    }

    fn check_shape(&self, id: NodeId, value: &Value, fuel: &mut Fuel) -> bool {
        match self.shape(id) {
            Shape::Any => true,
            Shape::Never => false,
            Shape::Null => value.is_null(),
            Shape::Boolean => value.is_boolean(),
            Shape::Fixed(values) => values.iter().any(|fixed| same(fixed, value)),
            Shape::Text(text) => value.as_str().is_some_and(|value| text.accepts(value)),
            Shape::Number(numeric) => value
                .as_number()
                .and_then(Decimal::from_number)
                .is_some_and(|value| numeric.accepts(value)),
            Shape::Array(list) => {
                value.as_array().is_some_and(|items| self.check_list(list, items, fuel))
            }
            Shape::Object(members) => value.as_object().is_some_and(|object| {
                members.has_required(object.len(), |name| object.contains_key(name))
                    && object
                        .iter()
                        .all(|(name, value)| self.check_member(members, name, value, fuel))
            }),
            Shape::Some(ids) => ids.iter().any(|id| self.check(*id, value, fuel)),
            Shape::One(ids) => {
                ids.iter().filter(|id| self.check(**id, value, fuel)).take(2).count() == 1
            }
            Shape::All(ids) => ids.iter().all(|id| self.check(*id, value, fuel)),
            Shape::Not(id, _) => !self.check(*id, value, fuel),
            Shape::Link(id) => self.check(*id, value, fuel),
        }
    }

    fn check_list(&self, list: &List, items: &[Value], fuel: &mut Fuel) -> bool {
        let fits = items.len() >= list.min && list.max.is_none_or(|max| items.len() <= max);
        fits && items.iter().enumerate().all(|(index, item)| self.check(list.at(index), item, fuel))
            && match list.distinct {
                Distinct::Free => true,
                Distinct::AllDistinct => !has_equal(items),
                Distinct::SomeEqual => has_equal(items),
            }
            && list.contains.iter().all(|contains| {
                let count =
                    items.iter().filter(|item| self.check(contains.node, item, fuel)).count();
                count >= contains.min && contains.max.is_none_or(|max| count <= max)
            })
    }

    fn check_member(&self, members: &Members, name: &str, value: &Value, fuel: &mut Fuel) -> bool {
        if let Some(names) = members.names {
            if !self.check(names, &Value::from(name), fuel) {
                return false;
            }
        }
        members.claims(name).all(|node| self.check(node, value, fuel))
    }
}

impl Shape {
    /// The strings, if that is the shape.
    pub(crate) fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The numbers, if that is the shape.
    pub(crate) fn as_number(&self) -> Option<&Numeric> {
        match self {
            Self::Number(numeric) => Some(numeric),
            _ => None,
        }
    }

    /// The arrays, if that is the shape.
    pub(crate) fn as_list(&self) -> Option<&List> {
        match self {
            Self::Array(list) => Some(list),
            _ => None,
        }
    }

    /// The objects, if that is the shape.
    pub(crate) fn as_members(&self) -> Option<&Members> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }
}

impl Text {
    /// Whether a string has the shape.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let length = text.chars().count();
        length >= self.min
            && self.max.is_none_or(|max| length <= max)
            && self.patterns.iter().all(|pattern| pattern.matches(text))
            && !self.not_patterns.iter().any(|pattern| pattern.matches(text))
            && self.formats.accept(text)
            && !self.excluded.iter().any(|excluded| excluded == text)
    }
}

impl Numeric {
    /// Whether a number has the shape.
    pub(crate) fn accepts(&self, value: Decimal) -> bool {
        let above =
            self.min.is_none_or(|min| value > min.value || (!min.open && value == min.value));
        let below =
            self.max.is_none_or(|max| value < max.value || (!max.open && value == max.value));
        above
            && below
            && (!self.integer || value.to_integer().is_some())
            && self.step.is_none_or(|step| value.is_multiple_of(step).unwrap_or(true))
            && !self.not_steps.iter().any(|step| value.is_multiple_of(*step).unwrap_or(false))
    }
}

impl List {
    /// Any array.
    pub(crate) const fn free() -> Self {
        Self {
            min: 0,
            max: None,
            distinct: Distinct::Free,
            prefix: Vec::new(),
            items: Plan::ANY,
            contains: Vec::new(),
        }
    }

    /// The shape of the element at an index.
    pub(crate) fn at(&self, index: usize) -> NodeId {
        self.prefix.get(index).copied().unwrap_or(self.items)
    }

    /// The shapes of the elements that every value has.
    pub(crate) fn needed(&self) -> impl Iterator<Item = NodeId> + '_ {
        let in_prefix = self.prefix.iter().take(self.min).copied();
        let beyond = (self.min > self.prefix.len()).then_some(self.items);
        let contained =
            self.contains.iter().filter(|contains| contains.min > 0).map(|contains| contains.node);
        in_prefix.chain(beyond).chain(contained)
    }
}

impl Members {
    /// Any object.
    pub(crate) const fn free() -> Self {
        Self {
            properties: Vec::new(),
            patterns: Vec::new(),
            additional: Plan::ANY,
            names: None,
            min: 0,
            max: None,
        }
    }

    /// The property of this name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The shapes that the value of a member must have.
    pub(crate) fn claims<'a>(&'a self, name: &'a str) -> impl Iterator<Item = NodeId> + 'a {
        let declared = self.property(name).map(|property| property.node);
        let mut by_pattern = self
            .patterns
            .iter()
            .filter(move |(pattern, _)| pattern.matches(name))
            .map(|(_, node)| *node)
            .peekable();
        let rest = (declared.is_none() && by_pattern.peek().is_none()).then_some(self.additional);
        declared.into_iter().chain(by_pattern).chain(rest)
    }

    fn has_required(&self, count: usize, has: impl Fn(&str) -> bool) -> bool {
        count >= self.min
            && self.max.is_none_or(|max| count <= max)
            && self.properties.iter().all(|property| !property.required || has(&property.name))
    }
}

/// Whether two values are equal as JSON Schema sees it: 1 and 1.0 are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || Decimal::from_number(a).zip(Decimal::from_number(b)).is_some_and(|(a, b)| a == b)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Whether two elements are equal.
pub(crate) fn has_equal(items: &[Value]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(index, item)| items[..index].iter().any(|other| same(item, other)))
}
