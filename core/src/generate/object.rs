//! Objects of a shape.

use serde_json::{Map, Value};

use super::{format::word, maker::Maker, pattern, text};
use crate::pointer::Members as _;
use crate::schema::{
    Spot,
    plan::{Members, NodeId, Plan, Property, Shape},
};

/// Most members of an object that is built.
const MOST_MEMBERS: usize = 500;

/// Tries at a property name.
const TRIES: usize = 20;

impl<'a> Maker<'a> {
    /// An object that has all of several shapes.
    pub(super) fn object(&mut self, shapes: &[&'a Members], spot: Option<Spot>) -> Option<Value> {
        let min = shapes.iter().map(|members| members.min).max().unwrap_or(0);
        let max = shapes.iter().filter_map(|members| members.max).min().unwrap_or(usize::MAX);
        if min > max || min > MOST_MEMBERS {
            return None;
        }
        let required = shapes
            .iter()
            .flat_map(|members| &members.properties)
            .filter(|property| property.required)
            .count();
        let mut room = max.saturating_sub(required);
        let mut object = Map::new();
        let mut left_out: Vec<&'a Property> = Vec::new();
        for property in shapes.iter().flat_map(|members| &members.properties) {
            if object.member(&property.name).is_some() {
                continue;
            }
            let is_required = property.required || is_required(shapes, &property.name);
            if !is_required && (room == 0 || !self.wants(property, spot)) {
                left_out.push(property);
                continue;
            }
            match self.member(shapes, &property.name, spot) {
                Some(value) => {
                    object.insert(property.name.clone(), value);
                    room -= usize::from(!is_required);
                }
                None if is_required => return None,
                None => {}
            }
        }
        self.fill_up(shapes, spot, min, &left_out, &mut object);
        self.extras(shapes, min, room, &mut object);
        (object.len() >= min).then_some(Value::Object(object))
    }

    /// Whether an optional property is built.
    fn wants(&mut self, property: &Property, spot: Option<Spot>) -> bool {
        if self.is_tight() || !self.plan.is_buildable(property.node) {
            return false;
        }
        let parameter = spot
            .and_then(|spot| self.parameters.child(spot, &property.name))
            .and_then(|spot| self.parameters.parameter(spot));
        let provider = self.bias.provider.filter(|_| self.offers);
        let told = provider
            .zip(parameter)
            .and_then(|(provider, parameter)| provider.presence(&parameter.pointer, parameter));
        if let Some(present) = told {
            return present;
        }
        self.draw.chance(self.bias.optional)
    }

    /// The value of a member.
    fn member(&mut self, shapes: &[&'a Members], name: &str, spot: Option<Spot>) -> Option<Value> {
        let child = spot.and_then(|spot| self.parameters.child(spot, name));
        if let [only] = shapes
            && only.patterns.is_empty()
        {
            let node = only.property(name).map_or(only.additional, |property| property.node);
            return self.below(name, |maker| maker.place(&[node], child));
        }
        let nodes = claims(shapes, name);
        self.below(name, |maker| maker.place(&nodes, child))
    }

    /// Adds optional properties until there are enough members.
    fn fill_up(
        &mut self,
        shapes: &[&'a Members],
        spot: Option<Spot>,
        min: usize,
        left_out: &[&'a Property],
        object: &mut Map<String, Value>,
    ) {
        for property in left_out {
            if object.len() >= min {
                return;
            }
            if let Some(value) = self.member(shapes, &property.name, spot) {
                object.insert(property.name.clone(), value);
            }
        }
    }

    /// Adds members that are not declared by name: as many as must be there, and some more where the object is a map.
    fn extras(
        &mut self,
        shapes: &[&'a Members],
        min: usize,
        room: usize,
        object: &mut Map<String, Value>,
    ) {
        let missing = min.saturating_sub(object.len());
        let optional = if self.is_tight() { 0 } else { self.optional_extras(shapes) };
        for turn in 0..missing.max(optional.min(room)) {
            let Some(name) = self.new_name(shapes, object) else {
                return;
            };
            match self.member(shapes, &name, None) {
                Some(value) => {
                    object.insert(name, value);
                }
                None if turn >= missing => {}
                None => return,
            }
        }
    }

    fn optional_extras(&mut self, shapes: &[&'a Members]) -> usize {
        let is_free =
            |members: &Members| members.patterns.is_empty() && members.additional == Plan::ANY;
        let is_closed = |members: &Members| {
            members.patterns.is_empty()
                && matches!(self.plan.shape(members.additional), Shape::Never)
        };
        if shapes.iter().any(|members| is_closed(members)) {
            return 0;
        }
        let has_declared = shapes.iter().any(|members| !members.properties.is_empty());
        let is_map = !shapes.iter().all(|members| is_free(members));
        match (is_map, has_declared) {
            (true, false) if self.draw.chance(0.85) => self.draw.range(1, self.bias.size.max(1)),
            (true, _) => usize::from(self.draw.chance(0.1)),
            (false, false) => self.draw.index(2),
            (false, true) => usize::from(self.draw.chance(self.bias.extra)),
        }
    }

    /// A name that is not taken and that the shapes allow.
    fn new_name(&mut self, shapes: &[&'a Members], object: &Map<String, Value>) -> Option<String> {
        for attempt in 0..TRIES {
            let name = self.candidate_name(shapes, attempt)?;
            let declared = shapes.iter().any(|members| members.property(&name).is_some());
            let allowed = !declared
                && !object.contains_key(&name)
                && claims(shapes, &name).iter().all(|node| self.plan.is_buildable(*node))
                && shapes
                    .iter()
                    .filter_map(|members| members.names)
                    .all(|names| self.plan.accepts(names, &Value::from(name.as_str())));
            if allowed {
                return Some(name);
            }
        }
        None
    }

    fn candidate_name(&mut self, shapes: &[&'a Members], attempt: usize) -> Option<String> {
        let names: Vec<NodeId> = shapes.iter().filter_map(|members| members.names).collect();
        if !names.is_empty() && attempt.is_multiple_of(2) {
            let value = self.all(&names, None)?;
            return value.as_str().map(str::to_owned);
        }
        let patterns: Vec<_> = shapes.iter().flat_map(|members| &members.patterns).collect();
        if !patterns.is_empty() && attempt % 4 < 3 {
            let (chosen, _) = self.draw.pick(&patterns)?;
            let extra = [3, 1, 8][attempt % 3];
            if let Some(name) = pattern::sample(chosen, extra, self.draw) {
                return Some(name);
            }
        }
        if attempt < TRIES / 2 {
            return Some(word(self.draw).to_owned());
        }
        Some(text::of_length(attempt, self.draw))
    }
}

fn is_required(shapes: &[&Members], name: &str) -> bool {
    shapes.len() > 1
        && shapes
            .iter()
            .filter_map(|members| members.property(name))
            .any(|property| property.required)
}

/// The shapes that a member's value must have, over all the objects' shapes.
fn claims(shapes: &[&Members], name: &str) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = Vec::new();
    for node in shapes.iter().flat_map(|members| members.claims(name)) {
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}
