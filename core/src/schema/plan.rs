//! The plan of a schema: a flat tree of shapes from which values are built and against which parts of values are checked.
//!
//! The plan is a close, not an exact, reading of the schema. Whole values are always judged by the compiled validator.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Decimal, Pattern, validator::Formats};

/// A node of a [`Plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(super) u32);

/// The height of a node that no finite value satisfies.
pub(crate) const IMPOSSIBLE: u32 = u32::MAX;

/// Nodes higher than this count as impossible: nobody needs their values, and building them recurses.
pub(super) const MAX_HEIGHT: u32 = 160;

/// The shapes of a schema. Node 0 is [`Shape::Any`], node 1 is [`Shape::Never`].
#[derive(Debug)]
pub(crate) struct Plan {
    pub(super) shapes: Vec<Shape>,
    pub(super) heights: Vec<u32>,
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
    Unique,
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
            let name = crate::pointer::unescape(token);
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
                    open.extend(ids.iter().rev());
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
}
