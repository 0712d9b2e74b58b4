//! A plan read straight off the schema, for the few schemas that have no canonical form.
//!
//! Every keyword becomes a shape of its own; `unevaluated*` is left to the validator.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{
    Decimal, Dialect, Pattern,
    plan::{
        Bound, Contains, Distinct, List, Members, NodeId, Numeric, Plan, Property, Shape, Text,
    },
    references,
    validator::Formats,
};

const TYPES: [&str; 6] = ["object", "array", "string", "number", "boolean", "null"];

/// The plan of `schema`.
pub(super) fn plan(schema: &Value, dialect: Dialect) -> Plan {
    let mut reader = Reader {
        plan: Plan::new(),
        references: HashMap::new(),
        pending: Vec::new(),
        root: schema,
        dialect,
    };
    reader.plan.root = reader.node(schema);
    while let Some((id, target)) = reader.pending.pop() {
        let node = reader.node(target);
        reader.plan.set(id, Shape::Link(node));
    }
    let mut plan = reader.plan;
    plan.settle();
    plan
}

/// The plan that allows any object.
pub(super) fn anything() -> Plan {
    let mut plan = Plan::new();
    plan.root = plan.add(Shape::Object(Box::new(Members::free())));
    plan.settle();
    plan
}

struct Reader<'a> {
    plan: Plan,
    references: HashMap<&'a str, NodeId>,
    pending: Vec<(NodeId, &'a Value)>,
    root: &'a Value,
    dialect: Dialect,
}

impl<'a> Reader<'a> {
    fn node(&mut self, schema: &'a Value) -> NodeId {
        let Value::Object(members) = schema else {
            return match schema {
                Value::Bool(false) => Plan::NEVER,
                _ => Plan::ANY,
            };
        };
        let mut parts = Vec::new();
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = members.get(keyword).and_then(Value::as_str) {
                parts.push(self.reference(reference));
                if self.dialect.ref_hides_siblings() {
                    return self.plan.all_of(parts);
                }
            }
        }
        if let Some(fixed) = fixed(members) {
            parts.push(self.plan.add(fixed));
        }
        self.typed(members, &mut parts);
        self.combined(members, &mut parts);
        self.conditional(members, &mut parts);
        self.plan.all_of(parts)
    }

    fn nodes(&mut self, schemas: &'a [Value]) -> Vec<NodeId> {
        schemas.iter().map(|schema| self.node(schema)).collect()
    }

    fn reference(&mut self, reference: &'a str) -> NodeId {
        if let Some(id) = self.references.get(reference) {
            return *id;
        }
        let Some(target) = references::resolve(self.root, reference) else {
            return Plan::ANY;
        };
        let id = self.plan.add(Shape::Link(Plan::ANY));
        self.references.insert(reference, id);
        self.pending.push((id, target));
        id
    }

    /// `allOf`, `anyOf`, `oneOf`, `not`.
    fn combined(&mut self, members: &'a Map<String, Value>, parts: &mut Vec<NodeId>) {
        if let Some(Value::Array(all)) = members.get("allOf") {
            parts.extend(self.nodes(all));
        }
        if let Some(Value::Array(any)) = members.get("anyOf") {
            let nodes = self.nodes(any);
            parts.push(self.plan.add(Shape::Some(nodes)));
        }
        if let Some(Value::Array(one)) = members.get("oneOf") {
            let nodes = self.nodes(one);
            parts.push(self.plan.add(Shape::One(nodes)));
        }
        if let Some(not) = members.get("not") {
            let node = self.node(not);
            parts.push(self.none_of(node));
        }
    }

    fn none_of(&mut self, node: NodeId) -> NodeId {
        match self.plan.shape(node) {
            Shape::Any => Plan::NEVER,
            Shape::Never => Plan::ANY,
            _ => self.plan.add(Shape::Not(node, None)),
        }
    }

    /// `if`/`then`/`else`, `dependentRequired`, `dependentSchemas`, `dependencies`.
    fn conditional(&mut self, members: &'a Map<String, Value>, parts: &mut Vec<NodeId>) {
        if let Some(condition) = members.get("if") {
            let when = self.node(condition);
            let then = members.get("then").map_or(Plan::ANY, |then| self.node(then));
            let otherwise = members.get("else").map_or(Plan::ANY, |other| self.node(other));
            let unless = self.none_of(when);
            let met = self.plan.all_of(vec![when, then]);
            let unmet = self.plan.all_of(vec![unless, otherwise]);
            parts.push(self.plan.add(Shape::Some(vec![met, unmet])));
        }
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            let Some(Value::Object(dependents)) = members.get(keyword) else {
                continue;
            };
            for (name, dependent) in dependents {
                let without = self.plan.add(presence(name, false));
                let mut with = vec![self.plan.add(presence(name, true))];
                if let Value::Array(names) = dependent {
                    for other in names.iter().filter_map(Value::as_str) {
                        with.push(self.plan.add(presence(other, true)));
                    }
                } else {
                    with.push(self.node(dependent));
                }
                let with = self.plan.all_of(with);
                let others = self.other_types("object");
                parts.push(self.plan.add(Shape::Some(vec![with, without, others])));
            }
        }
    }

    /// Any value but one of this type.
    fn other_types(&mut self, not: &str) -> NodeId {
        let nodes =
            TYPES.iter().filter(|name| **name != not).filter_map(|name| self.plain(name)).collect();
        self.plan.add(Shape::Some(nodes))
    }

    fn plain(&mut self, name: &str) -> Option<NodeId> {
        let shape = match name {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "string" => Shape::Text(Box::default()),
            "number" => Shape::Number(Box::default()),
            "integer" => Shape::Number(Box::new(Numeric { integer: true, ..Numeric::default() })),
            "array" => Shape::Array(Box::new(List::free())),
            "object" => Shape::Object(Box::new(Members::free())),
            _ => return None,
        };
        Some(self.plan.add(shape))
    }

    /// What the keywords of each type ask, for the types that are allowed.
    fn typed(&mut self, members: &'a Map<String, Value>, parts: &mut Vec<NodeId>) {
        let declared: Option<Vec<&str>> = match members.get("type") {
            Some(Value::String(name)) => Some(vec![name]),
            Some(Value::Array(names)) => Some(names.iter().filter_map(Value::as_str).collect()),
            _ => None,
        };
        let constrained =
            TYPES.iter().any(|name| keywords_of(name).iter().any(|key| members.contains_key(*key)));
        if declared.is_none() && !constrained {
            return;
        }
        let names = declared.unwrap_or_else(|| TYPES.to_vec());
        let mut nodes = Vec::new();
        for name in names {
            let shape = match name {
                "object" => self.members(members),
                "array" => self.list(members),
                "string" => self.text(members),
                "number" | "integer" => numeric(members, name == "integer"),
                _ => {
                    nodes.extend(self.plain(name));
                    continue;
                }
            };
            nodes.push(self.plan.add(shape));
        }
        parts.push(match nodes[..] {
            [only] => only,
            _ => self.plan.add(Shape::Some(nodes)),
        });
    }

    fn text(&self, members: &Map<String, Value>) -> Shape {
        let text = |key: &str| members.get(key).and_then(Value::as_str).map(str::to_owned);
        let formats: Vec<String> = text("format").into_iter().collect();
        Shape::Text(Box::new(Text {
            min: size(members, "minLength").unwrap_or(0),
            max: size(members, "maxLength"),
            patterns: text("pattern").map(|pattern| Pattern::new(&pattern)).into_iter().collect(),
            formats: Formats::new(&formats, &[], self.dialect),
            media: text("contentMediaType"),
            encoding: text("contentEncoding"),
            ..Text::default()
        }))
    }

    fn list(&mut self, members: &'a Map<String, Value>) -> Shape {
        let tuple = members.get("items").filter(|items| items.is_array());
        let (prefix, rest) = match tuple {
            Some(tuple) => (Some(tuple), members.get("additionalItems")),
            None => (members.get("prefixItems"), members.get("items")),
        };
        let prefix = match prefix {
            Some(Value::Array(schemas)) => self.nodes(schemas),
            _ => Vec::new(),
        };
        let contains = members.get("contains").map(|schema| Contains {
            node: self.node(schema),
            min: size(members, "minContains").unwrap_or(1),
            max: size(members, "maxContains"),
        });
        Shape::Array(Box::new(List {
            min: size(members, "minItems").unwrap_or(0),
            max: size(members, "maxItems"),
            distinct: match members.get("uniqueItems") {
                Some(Value::Bool(true)) => Distinct::Unique,
                _ => Distinct::Free,
            },
            prefix,
            items: rest.map_or(Plan::ANY, |rest| self.node(rest)),
            contains: contains.into_iter().collect(),
        }))
    }

    fn members(&mut self, members: &'a Map<String, Value>) -> Shape {
        let required: Vec<&str> = match members.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut shape = Members::free();
        if let Some(Value::Object(patterns)) = members.get("patternProperties") {
            for (pattern, schema) in patterns {
                shape.patterns.push((Pattern::new(pattern), self.node(schema)));
            }
        }
        // What `unevaluatedProperties: false` forbids is seldom worth trying.
        if let Some(schema) = members
            .get("additionalProperties")
            .or_else(|| members.get("unevaluatedProperties").filter(|_| !has_applicators(members)))
        {
            shape.additional = self.node(schema);
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            for (name, schema) in properties {
                shape.properties.push(Property {
                    name: name.clone(),
                    node: self.node(schema),
                    required: required.contains(&name.as_str()),
                });
            }
        }
        for name in required {
            if shape.property(name).is_none() {
                let claims: Vec<NodeId> = shape.claims(name).collect();
                shape.properties.push(Property {
                    name: name.to_owned(),
                    node: self.plan.all_of(claims),
                    required: true,
                });
            }
        }
        shape.names = members.get("propertyNames").map(|names| self.node(names));
        shape.min = size(members, "minProperties").unwrap_or(0);
        shape.max = size(members, "maxProperties");
        Shape::Object(Box::new(shape))
    }
}

fn has_applicators(members: &Map<String, Value>) -> bool {
    ["allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"]
        .iter()
        .any(|key| members.contains_key(*key))
}

/// Objects that have, or do not have, a member.
fn presence(name: &str, present: bool) -> Shape {
    Shape::Object(Box::new(Members {
        properties: vec![Property {
            name: name.to_owned(),
            node: if present { Plan::ANY } else { Plan::NEVER },
            required: present,
        }],
        ..Members::free()
    }))
}

fn fixed(members: &Map<String, Value>) -> Option<Shape> {
    if let Some(value) = members.get("const") {
        return Some(Shape::Fixed(vec![value.clone()]));
    }
    match members.get("enum") {
        Some(Value::Array(values)) => Some(Shape::Fixed(values.clone())),
        _ => None,
    }
}

fn numeric(members: &Map<String, Value>, integer: bool) -> Shape {
    let number =
        |key: &str| members.get(key).and_then(Value::as_number).and_then(Decimal::from_number);
    let is_true = |key: &str| members.get(key) == Some(&Value::Bool(true));
    let end = |bound: &str, exclusive: &str, tighter: fn(Decimal, Decimal) -> bool| {
        let closed = number(bound).map(|value| Bound { value, open: is_true(exclusive) });
        let open = number(exclusive).map(|value| Bound { value, open: true });
        match (closed, open) {
            (Some(closed), Some(open)) if tighter(closed.value, open.value) => Some(closed),
            (closed, open) => open.or(closed),
        }
    };
    Shape::Number(Box::new(Numeric {
        integer,
        min: end("minimum", "exclusiveMinimum", |closed, open| closed > open),
        max: end("maximum", "exclusiveMaximum", |closed, open| closed < open),
        step: number("multipleOf").filter(|step| step.is_positive()),
        not_steps: Vec::new(),
    }))
}

fn size(members: &Map<String, Value>, key: &str) -> Option<usize> {
    let number = members.get(key)?.as_number()?;
    let whole = Decimal::from_number(number)?.to_integer()?;
    usize::try_from(whole).ok()
}

/// The keywords that constrain values of one type.
fn keywords_of(name: &str) -> &'static [&'static str] {
    match name {
        "object" => &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "unevaluatedProperties",
        ],
        "array" => &[
            "items",
            "prefixItems",
            "contains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ],
        "string" => {
            &["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"]
        }
        "number" => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
        _ => &[],
    }
}
