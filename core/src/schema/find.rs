//! Finding the parameters of a schema: a walk over everything that describes a place in the arguments.

use crate::pointer;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    CompiledSchema, JsonTypes, Parameter, Parameters, hints, key_tokens,
    parameter::{Spot, SpotNode},
    plan::Plan,
    references,
};

/// Levels of nesting below which parameters are not looked for.
const MAX_DEPTH: usize = 8;

/// Places that are looked at in one schema.
const MAX_SPOTS: usize = 600;

/// Values kept of a parameter's enum, examples.
const MAX_VALUES: usize = 64;

/// Finds the parameters of a schema and mines their hints.
pub(super) fn parameters(schema: &CompiledSchema) -> Parameters {
    let mut finder = Finder {
        root: schema.read(),
        facts: vec![Facts::default()],
        parameters: Parameters::default(),
        following: Vec::new(),
    };
    finder.parameters.spots.push(SpotNode::default());
    finder.facts[0].required = true;
    let place = Place { spot: Spot(0), depth: 0, certain: true, pointer: String::new() };
    finder.read(schema.read(), &place);
    let mut parameters = finder.finish(schema.plan());
    hints::fill(schema, &mut parameters.list);
    parameters
}

/// What schemas say about one place.
#[derive(Debug, Default)]
struct Facts {
    name: String,
    pointer: String,
    schema_pointer: String,
    path: Vec<String>,
    in_array: bool,
    required: bool,
    types: JsonTypes,
    description: Option<String>,
    default: Option<Value>,
    examples: Vec<Value>,
    choices: Vec<Value>,
    format: Option<String>,
}

struct Finder<'a> {
    root: &'a Value,
    facts: Vec<Facts>,
    parameters: Parameters,
    /// The references that are being followed, with the depth at which they were met.
    following: Vec<(&'a str, Spot)>,
}

/// Where the finder is.
#[derive(Clone)]
struct Place {
    spot: Spot,
    depth: usize,
    /// Not inside a branch that a value may leave out.
    certain: bool,
    /// JSON Pointer of the schema.
    pointer: String,
}

impl Place {
    fn inside(&self, path: &str, certain: bool) -> Self {
        Self {
            pointer: format!("{}/{path}", self.pointer),
            certain: self.certain && certain,
            ..self.clone()
        }
    }
}

impl<'a> Finder<'a> {
    fn read(&mut self, schema: &'a Value, place: &Place) {
        let Value::Object(members) = schema else {
            if schema == &Value::Bool(true) {
                self.facts_at(place).types = JsonTypes::ALL;
            }
            return;
        };
        self.note(members, place);
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            self.follow(reference, place);
        }
        for (keyword, certain) in [("allOf", true), ("anyOf", false), ("oneOf", false)] {
            if let Some(Value::Array(branches)) = members.get(keyword) {
                for (index, branch) in branches.iter().enumerate() {
                    self.read(branch, &place.inside(&format!("{keyword}/{index}"), certain));
                }
            }
        }
        for keyword in ["then", "else"] {
            if let Some(branch) = members.get(keyword) {
                self.read(branch, &place.inside(keyword, false));
            }
        }
        if let Some(Value::Object(dependents)) = members.get("dependentSchemas") {
            for (name, branch) in dependents {
                let path = format!("dependentSchemas/{}", pointer::escape(name));
                self.read(branch, &place.inside(&path, false));
            }
        }
        self.read_members(members, place);
        self.read_items(members, place);
    }

    fn follow(&mut self, reference: &'a str, place: &Place) {
        let repeated = self.following.iter().filter(|(other, _)| *other == reference).count();
        let cycle = self.following.contains(&(reference, place.spot));
        // One turn through a recursive schema shows its parameters; more turns repeat them.
        if repeated >= 2 || cycle || self.following.len() > 64 {
            return;
        }
        if let Some(target) = references::resolve(self.root, reference) {
            self.following.push((reference, place.spot));
            self.read(target, &place.inside("$ref", true));
            self.following.pop();
        }
    }

    fn read_members(&mut self, members: &'a Map<String, Value>, place: &Place) {
        let Some(Value::Object(properties)) = members.get("properties") else {
            return;
        };
        let required: BTreeSet<&str> = match members.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => BTreeSet::new(),
        };
        let parent_required = self.facts_at(place).required && place.certain;
        for (name, schema) in properties {
            let Some(spot) = self.child(place, name) else {
                return;
            };
            let inner = Place {
                spot,
                depth: place.depth + 1,
                certain: true,
                pointer: format!("{}/properties/{}", place.pointer, pointer::escape(name)),
            };
            let facts = self.facts_at(&inner);
            facts.required |= parent_required && required.contains(name.as_str());
            if facts.schema_pointer.is_empty() {
                facts.schema_pointer.clone_from(&inner.pointer);
            }
            self.read(schema, &inner);
        }
    }

    fn read_items(&mut self, members: &'a Map<String, Value>, place: &Place) {
        let (path, schema) = match (members.get("prefixItems"), members.get("items")) {
            (Some(Value::Array(tuple)), _) if !tuple.is_empty() => ("prefixItems/0", &tuple[0]),
            (_, Some(Value::Array(tuple))) if !tuple.is_empty() => ("items/0", &tuple[0]),
            (_, Some(items @ Value::Object(_))) => ("items", items),
            _ => return,
        };
        let Some(spot) = self.item(place) else {
            return;
        };
        let inner = Place {
            spot,
            depth: place.depth + 1,
            certain: true,
            pointer: format!("{}/{path}", place.pointer),
        };
        let facts = self.facts_at(&inner);
        if facts.schema_pointer.is_empty() {
            facts.schema_pointer.clone_from(&inner.pointer);
        }
        self.read(schema, &inner);
    }

    fn facts_at(&mut self, place: &Place) -> &mut Facts {
        &mut self.facts[place.spot.0 as usize]
    }

    fn has_room(&self, place: &Place) -> bool {
        place.depth < MAX_DEPTH && self.facts.len() < MAX_SPOTS
    }

    fn child(&mut self, place: &Place, name: &str) -> Option<Spot> {
        if let Some(spot) = self.parameters.child(place.spot, name) {
            return Some(spot);
        }
        if !self.has_room(place) {
            return None;
        }
        let parent = self.facts_at(place);
        let facts = Facts {
            name: name.to_owned(),
            pointer: format!("{}/{}", parent.pointer, pointer::escape(name)),
            path: parent.path.iter().cloned().chain([name.to_owned()]).collect(),
            in_array: parent.in_array,
            ..Facts::default()
        };
        let spot = self.add(facts);
        self.parameters.spots[place.spot.0 as usize].children.push((name.to_owned(), spot));
        Some(spot)
    }

    fn item(&mut self, place: &Place) -> Option<Spot> {
        if let Some(spot) = self.parameters.item(place.spot) {
            return Some(spot);
        }
        if !self.has_room(place) {
            return None;
        }
        let parent = self.facts_at(place);
        let facts = Facts {
            name: parent.name.clone(),
            pointer: format!("{}/0", parent.pointer),
            path: parent.path.clone(),
            in_array: true,
            required: parent.required,
            description: parent.description.clone(),
            ..Facts::default()
        };
        let spot = self.add(facts);
        self.parameters.spots[place.spot.0 as usize].items = Some(spot);
        Some(spot)
    }

    fn add(&mut self, facts: Facts) -> Spot {
        let spot = Spot(u32::try_from(self.facts.len()).expect("places are limited"));
        self.facts.push(facts);
        self.parameters.spots.push(SpotNode::default());
        spot
    }

    /// Writes down what one schema says about its place.
    fn note(&mut self, members: &Map<String, Value>, place: &Place) {
        let facts = self.facts_at(place);
        facts.types = facts.types.with(types_of(members));
        if facts.description.is_none() {
            facts.description = text(members, "description").or_else(|| text(members, "title"));
        }
        if facts.format.is_none() {
            facts.format = text(members, "format");
        }
        if facts.default.is_none() {
            facts.default = members.get("default").cloned();
        }
        if let Some(Value::Array(examples)) = members.get("examples") {
            facts.examples.extend(examples.iter().take(MAX_VALUES).cloned());
        }
        facts.examples.extend(members.get("example").cloned());
        if let Some(Value::Array(choices)) = members.get("enum") {
            facts.choices.extend(choices.iter().take(MAX_VALUES).cloned());
        }
        facts.choices.extend(members.get("const").cloned());
    }

    /// The parameters: places without places below them, and those that also take scalars.
    fn finish(mut self, plan: &Plan) -> Parameters {
        for (index, facts) in self.facts.into_iter().enumerate() {
            let spot = &mut self.parameters.spots[index];
            let is_leaf = spot.children.is_empty() && spot.items.is_none();
            if index == 0 || !(is_leaf || facts.types.has_scalar()) {
                continue;
            }
            spot.parameter = Some(self.parameters.list.len());
            self.parameters.list.push(facts.into_parameter(plan));
        }
        self.parameters
    }
}

impl Facts {
    fn into_parameter(self, plan: &Plan) -> Parameter {
        let mut path_tokens = Vec::new();
        for token in self.path.iter().flat_map(|name| key_tokens(name)) {
            if !path_tokens.contains(&token) {
                path_tokens.push(token);
            }
        }
        let types = if self.types.is_empty() { JsonTypes::ALL } else { self.types };
        Parameter {
            nodes: plan.nodes_at(&self.pointer),
            tokens: key_tokens(&self.name),
            path_tokens,
            types,
            pointer: self.pointer,
            in_array: self.in_array,
            name: self.name,
            required: self.required,
            description: self.description,
            default: self.default,
            examples: self.examples,
            choices: self.choices,
            format: self.format,
            hints: Vec::new(),
            schema_pointer: self.schema_pointer,
        }
    }
}

fn text(members: &Map<String, Value>, key: &str) -> Option<String> {
    members.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The types that one schema names, or that its keywords speak of.
fn types_of(members: &Map<String, Value>) -> JsonTypes {
    match members.get("type") {
        Some(Value::String(name)) => return JsonTypes::named(name),
        Some(Value::Array(names)) => {
            return names
                .iter()
                .filter_map(Value::as_str)
                .map(JsonTypes::named)
                .fold(JsonTypes::NONE, JsonTypes::with);
        }
        _ => {}
    }
    let values = match members.get("enum") {
        Some(Value::Array(values)) => values.as_slice(),
        _ => &[],
    };
    let mut types = values
        .iter()
        .chain(members.get("const"))
        .map(JsonTypes::of)
        .fold(JsonTypes::NONE, JsonTypes::with);
    for (keyword, implied) in [
        ("properties", JsonTypes::OBJECT),
        ("items", JsonTypes::ARRAY),
        ("minLength", JsonTypes::STRING),
        ("maxLength", JsonTypes::STRING),
        ("pattern", JsonTypes::STRING),
        ("minimum", JsonTypes::NUMBER.with(JsonTypes::INTEGER)),
        ("maximum", JsonTypes::NUMBER.with(JsonTypes::INTEGER)),
    ] {
        if members.contains_key(keyword) {
            types = types.with(implied);
        }
    }
    types
}
