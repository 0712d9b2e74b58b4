//! Building random values along a plan.

use crate::pointer;
use serde_json::Value;

use super::{Bias, Draw, Tag, Taken, format::word, number, text};
use crate::schema::{
    CompiledSchema, Parameters, Spot,
    plan::{List, Members, NodeId, Numeric, Plan, Shape, Text},
};

/// Levels of nesting after which only what must be there is built.
const MAX_DEPTH: u32 = 6;

/// Nodes after which only what must be there is built.
const FUEL: u32 = 600;

/// Nodes after which a build is given up.
const LIMIT: u32 = 20_000;

/// Levels of nesting after which a build is given up.
const MAX_LEVELS: u32 = 170;

/// Tries at a value that several nodes narrow.
const TRIES: usize = 12;

/// What one build needs and leaves behind.
pub(super) struct Maker<'a> {
    pub(super) plan: &'a Plan,
    pub(super) parameters: &'a Parameters,
    pub(super) draw: &'a mut Draw,
    pub(super) bias: &'a Bias<'a>,
    /// Whether hints and offers are asked for.
    pub(super) offers: bool,
    /// Whether the best hint, the first branch and the simplest scalar are taken instead of random ones.
    pub(super) best_first: bool,
    /// JSON Pointer of the place that is being built.
    pub(super) pointer: String,
    pub(super) taken: Vec<Taken>,
    pub(super) tags: Vec<Tag>,
    depth: u32,
    /// Nodes built so far, those of failed tries included.
    spent: u32,
}

/// What came of building a node alone.
enum Single {
    /// The value, if there is one.
    Built(Option<Value>),
    /// The node combines others.
    Combination,
}

impl<'a> Maker<'a> {
    pub(super) fn new(
        schema: &'a CompiledSchema,
        draw: &'a mut Draw,
        bias: &'a Bias<'a>,
        offers: bool,
    ) -> Self {
        Self {
            plan: schema.plan(),
            parameters: schema.all_parameters(),
            draw,
            bias,
            offers,
            best_first: false,
            pointer: String::new(),
            taken: Vec::new(),
            tags: Vec::new(),
            depth: 0,
            spent: 0,
        }
    }

    /// Whether only what must be there is built.
    pub(super) fn is_tight(&self) -> bool {
        self.depth >= MAX_DEPTH || self.spent >= FUEL
    }

    /// A value for the place `spot`, which has all of several shapes: an offer, a hint, or a sample.
    pub(super) fn place(&mut self, nodes: &[NodeId], spot: Option<Spot>) -> Option<Value> {
        if !nodes.iter().all(|node| self.plan.is_buildable(*node)) {
            return None;
        }
        if let Some(value) = spot.and_then(|spot| self.offered(nodes, spot)) {
            return Some(value);
        }
        self.all(nodes, spot)
    }

    fn offered(&mut self, nodes: &[NodeId], spot: Spot) -> Option<Value> {
        if !self.offers {
            return None;
        }
        let parameter = self.parameters.parameter(spot)?;
        let plan = self.plan;
        let fits = |value: &Value| nodes.iter().all(|node| plan.accepts(*node, value));
        if let Some(provider) = self.bias.provider
            && let Some(offer) = provider.offer(&self.pointer, parameter, self.draw)
            && fits(&offer.value)
        {
            self.taken.push(Taken { pointer: self.pointer.clone(), source: offer.source });
            return Some(offer.value);
        }
        if parameter.hints.is_empty() || !self.draw.chance(self.bias.hints) {
            return None;
        }
        if self.best_first {
            return parameter.hints.iter().find(|hint| fits(hint)).cloned();
        }
        // The first hints are the best.
        let turn = self.draw.index(parameter.hints.len());
        let turn = self.draw.index(turn + 1);
        parameter.hints.get(turn).filter(|hint| fits(hint)).cloned()
    }

    /// A value that has all of several shapes.
    pub(super) fn all(&mut self, nodes: &[NodeId], spot: Option<Spot>) -> Option<Value> {
        self.spent += 1;
        if self.spent >= LIMIT || self.depth >= MAX_LEVELS {
            return None;
        }
        if let [only] = nodes
            && let Single::Built(value) = self.single(*only, spot)
        {
            return value;
        }
        let tries = if nodes.len() == 1 { 4 } else { TRIES };
        for _ in 0..tries {
            let mut shapes = Vec::new();
            if !nodes.iter().all(|node| self.flatten(*node, &mut shapes, 0)) {
                continue;
            }
            let (taken, tags) = (self.taken.len(), self.tags.len());
            if let Some(value) = self.joint(&shapes, spot)
                && nodes.iter().all(|node| self.plan.accepts(*node, &value))
            {
                return Some(value);
            }
            self.taken.truncate(taken);
            self.tags.truncate(tags);
        }
        None
    }

    /// The common case of one node that is no combination.
    fn single(&mut self, id: NodeId, spot: Option<Spot>) -> Single {
        let plan = self.plan;
        Single::Built(match plan.shape(plan.resolve(id)) {
            Shape::Any => Some(self.any()),
            Shape::Never => None,
            Shape::Null => Some(Value::Null),
            Shape::Boolean => Some(self.boolean()),
            Shape::Fixed(values) => self.one_of(values),
            Shape::Text(text) => self.text(&[text]),
            Shape::Number(numeric) => self.number(numeric),
            Shape::Array(list) => self.array(&[list], spot),
            Shape::Object(members) => self.object(&[members], spot),
            _ => return Single::Combination,
        })
    }

    /// Takes combinations apart, choosing branches by chance; false if there is nothing to choose.
    fn flatten(&mut self, id: NodeId, shapes: &mut Vec<&'a Shape>, level: u32) -> bool {
        let plan = self.plan;
        if level > 64 {
            return false;
        }
        match plan.shape(id) {
            Shape::Link(next) => self.flatten(*next, shapes, level + 1),
            Shape::All(ids) => ids.iter().all(|id| self.flatten(*id, shapes, level + 1)),
            Shape::Some(ids) | Shape::One(ids) => match self.branch(ids) {
                Some(id) => self.flatten(id, shapes, level + 1),
                None => false,
            },
            Shape::Not(_, Some(rest)) => self.flatten(*rest, shapes, level + 1),
            Shape::Not(_, None) | Shape::Any => true,
            shape => {
                shapes.push(shape);
                true
            }
        }
    }

    /// A branch that can be built; the lowest one where only what must be there is built. Null is seldom chosen.
    fn branch(&mut self, ids: &[NodeId]) -> Option<NodeId> {
        let plan = self.plan;
        let possible: Vec<NodeId> =
            ids.iter().copied().filter(|id| plan.is_buildable(*id)).collect();
        if self.is_tight() {
            return possible.into_iter().min_by_key(|id| plan.height(*id));
        }
        if self.best_first && self.offers {
            let real = possible.iter().find(|id| !matches!(plan.shape(**id), Shape::Null));
            return real.or(possible.first()).copied();
        }
        let chosen = *self.draw.pick(&possible)?;
        if matches!(plan.shape(chosen), Shape::Null) {
            return self.draw.pick(&possible).copied();
        }
        Some(chosen)
    }

    /// A value that has all of several shapes that are no combinations.
    fn joint(&mut self, shapes: &[&'a Shape], spot: Option<Spot>) -> Option<Value> {
        let Some(first) = shapes.first() else {
            return Some(self.any());
        };
        let fixed = shapes.iter().find_map(|shape| match shape {
            Shape::Fixed(values) => Some(values),
            _ => None,
        });
        if let Some(values) = fixed {
            return self.one_of(values);
        }
        match first {
            Shape::Text(_) => {
                let texts: Vec<&Text> = shapes.iter().filter_map(|shape| shape.as_text()).collect();
                self.text(&texts)
            }
            Shape::Number(_) => {
                let numerics: Vec<&Numeric> =
                    shapes.iter().filter_map(|shape| shape.as_number()).collect();
                self.number(&number::merged(&numerics))
            }
            Shape::Array(_) => {
                let lists: Vec<&List> = shapes.iter().filter_map(|shape| shape.as_list()).collect();
                self.array(&lists, spot)
            }
            Shape::Object(_) => {
                let members: Vec<&Members> =
                    shapes.iter().filter_map(|shape| shape.as_members()).collect();
                self.object(&members, spot)
            }
            Shape::Null => Some(Value::Null),
            Shape::Boolean => Some(self.boolean()),
            _ => None,
        }
    }

    fn boolean(&mut self) -> Value {
        Value::Bool(!self.best_first && self.draw.chance(0.5))
    }

    fn one_of(&mut self, values: &[Value]) -> Option<Value> {
        if self.best_first && self.offers {
            return values.first().cloned();
        }
        self.draw.pick(values).cloned()
    }

    fn number(&mut self, numeric: &Numeric) -> Option<Value> {
        if self.best_first {
            return number::simplest(numeric);
        }
        number::sample(numeric, self.bias, self.draw)
    }

    fn text(&mut self, texts: &[&Text]) -> Option<Value> {
        if self.best_first {
            return text::simplest(texts, self.draw).map(Value::String);
        }
        let (text, tag) = text::sample(texts, self.bias, self.draw)?;
        if let Some(tag) = tag {
            self.tags.push(Tag { pointer: self.pointer.clone(), label: tag });
        }
        Some(Value::String(text))
    }

    /// Any JSON value, mostly a string.
    fn any(&mut self) -> Value {
        match self.draw.index(if self.is_tight() { 75 } else { 100 }) {
            0..45 => Value::from(word(self.draw)),
            45..60 => Value::from(self.draw.index(100)),
            60..70 => Value::from(self.draw.chance(0.5)),
            70..75 => Value::Null,
            75..85 => Value::from(vec![word(self.draw), word(self.draw)]),
            _ => {
                let mut object = serde_json::Map::new();
                object.insert(word(self.draw).to_owned(), Value::from(self.draw.index(100)));
                Value::Object(object)
            }
        }
    }

    /// Runs `build` one level further down, at `token`.
    pub(super) fn below<T>(&mut self, token: &str, build: impl FnOnce(&mut Self) -> T) -> T {
        let length = pointer::push(&mut self.pointer, token);
        self.depth += 1;
        let result = build(self);
        self.depth -= 1;
        self.pointer.truncate(length);
        result
    }
}
