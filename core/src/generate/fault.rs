//! Where a value can be broken: the candidates for faults, part by part.

use crate::pointer;
use serde_json::{Value, json};
use std::rc::Rc;

use super::{
    negative::{Edit, Fault},
    text::LONGEST,
};
use crate::schema::{
    CompiledSchema, Decimal, JsonTypes,
    plan::{Distinct, List, NodeId, Numeric, Plan, Shape, Text},
};

/// Faults of one value.
const MAX_FAULTS: usize = 600;

/// Levels of the value in which faults are placed.
const MAX_DEPTH: usize = 8;

/// The faults that `base` may be given, each ready to be made; the validator has not been asked yet.
pub(super) fn faults(schema: &CompiledSchema, base: &Value) -> Vec<Fault> {
    find(schema, base, Wanted::All)
}

/// The same without what each does: for a choice of one, which [`fault`] then makes.
pub(super) fn listed(schema: &CompiledSchema, base: &Value) -> Vec<Fault> {
    find(schema, base, Wanted::None)
}

/// The fault with that number in the list, ready to be made.
pub(super) fn fault(schema: &CompiledSchema, base: &Value, number: usize) -> Option<Fault> {
    find(schema, base, Wanted::One(number)).into_iter().nth(number)
}

fn find(schema: &CompiledSchema, base: &Value, wanted: Wanted) -> Vec<Fault> {
    let mut finder = Finder { plan: schema.plan(), found: Vec::new(), wanted, at: Rc::from("") };
    finder.part(vec![finder.plan.root], base, "", 0);
    finder.found
}

/// Makes a value.
type Make = fn() -> Value;

/// Which faults are made ready.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    None,
    All,
    One(usize),
}

pub(super) struct Finder<'a> {
    pub(super) plan: &'a Plan,
    pub(super) found: Vec<Fault>,
    wanted: Wanted,
    /// The pointer of the latest fault, which neighbours share.
    at: Rc<str>,
}

impl<'a> Finder<'a> {
    /// The faults of the part at `pointer`, and of the parts in it.
    fn part(&mut self, nodes: Vec<NodeId>, value: &Value, pointer: &str, depth: usize) {
        let found = self.found.len();
        if depth > MAX_DEPTH || found >= MAX_FAULTS {
            return;
        }
        // Nobody asks for those after it.
        if matches!(self.wanted, Wanted::One(number) if number < found) {
            return;
        }
        let plan = self.plan;
        let ids = plan.concrete(nodes);
        let all: Vec<&'a Shape> = ids.iter().map(|id| plan.shape(*id)).collect();
        // Of several branches, only those that the value took can be broken in one place.
        let shapes: Vec<&'a Shape> =
            ids.iter().filter(|id| plan.accepts(**id, value)).map(|id| plan.shape(*id)).collect();
        // The arguments themselves are always an object: anything else is no tool call at all.
        if !pointer.is_empty() {
            self.wrong_type(&all, pointer);
        }
        for shape in &shapes {
            match (shape, value) {
                (Shape::Fixed(values), _) => self.fixed(values, pointer),
                (Shape::Text(text), Value::String(_)) => self.text(text, pointer),
                (Shape::Number(numeric), Value::Number(_)) => self.number(numeric, pointer),
                (Shape::Array(list), Value::Array(items)) => self.list(list, items, pointer),
                (Shape::Object(members), Value::Object(object)) => {
                    self.members(members, object, pointer);
                }
                _ => {}
            }
        }
        self.inside(&shapes, value, pointer, depth);
    }

    fn inside(&mut self, shapes: &[&'a Shape], value: &Value, pointer: &str, depth: usize) {
        match value {
            Value::Object(object) => {
                for (name, inner) in object {
                    let nodes: Vec<NodeId> = shapes
                        .iter()
                        .filter_map(|shape| shape.as_members())
                        .flat_map(|members| members.claims(name))
                        .collect();
                    self.part(nodes, inner, &pointer::join(pointer, name), depth + 1);
                }
            }
            Value::Array(items) => {
                // One element stands for all: the first.
                if let Some(inner) = items.first() {
                    let nodes = shapes
                        .iter()
                        .filter_map(|shape| shape.as_list())
                        .map(|list| list.at(0))
                        .collect();
                    self.part(nodes, inner, &pointer::join(pointer, "0"), depth + 1);
                }
            }
            _ => {}
        }
    }

    pub(super) fn add(
        &mut self,
        pointer: &str,
        keyword: &'static str,
        made: impl FnOnce() -> (String, Edit),
    ) {
        self.add_coercible(pointer, keyword, false, made);
    }

    /// The part is replaced.
    pub(super) fn set(
        &mut self,
        pointer: &str,
        keyword: &'static str,
        made: impl FnOnce() -> (String, Value),
    ) {
        self.add(pointer, keyword, || {
            let (mutation, value) = made();
            (mutation, Edit::Set(value))
        });
    }

    fn add_coercible(
        &mut self,
        pointer: &str,
        keyword: &'static str,
        coercible: bool,
        made: impl FnOnce() -> (String, Edit),
    ) {
        if *self.at != *pointer {
            self.at = Rc::from(pointer);
        }
        let number = self.found.len();
        let wanted = self.wanted == Wanted::All || self.wanted == Wanted::One(number);
        let made = wanted.then(made);
        let here = self.found.iter().rev().take_while(|other| Rc::ptr_eq(&other.pointer, &self.at));
        let nth = here.filter(|other| other.keyword == keyword).count();
        let (pointer, property) = (self.at.clone(), None);
        self.found.push(Fault { pointer, keyword, coercible, property, nth, number, made });
    }

    fn wrong_type(&mut self, shapes: &[&'a Shape], pointer: &str) {
        let types =
            shapes.iter().map(|shape| types_of(shape)).fold(JsonTypes::NONE, JsonTypes::with);
        if types == JsonTypes::ALL || types.is_empty() {
            return;
        }
        let values: [(JsonTypes, &str, Make); 9] = [
            (JsonTypes::NULL, "null", || Value::Null),
            (JsonTypes::OBJECT, "an object", || json!({"a": 1})),
            (JsonTypes::ARRAY, "an array", || json!(["a", 1])),
            (JsonTypes::STRING, "text", || json!("abc")),
            (JsonTypes::STRING, "a number as text", || json!("10")),
            (JsonTypes::STRING, "a truth value as text", || json!("true")),
            (JsonTypes::INTEGER, "a whole number", || json!(12345)),
            (JsonTypes::NUMBER, "a fraction", || json!(1.5)),
            (JsonTypes::BOOLEAN, "true", || json!(true)),
        ];
        for (wrong, name, value) in values {
            if types.intersects(wrong) {
                continue;
            }
            self.add_coercible(pointer, "type", is_coercible(wrong, name, types), || {
                (format!("{name} in place of {}", named(types)), Edit::Set(value()))
            });
        }
    }

    fn fixed(&mut self, values: &[Value], pointer: &str) {
        let keyword = if values.len() == 1 { "const" } else { "enum" };
        if values.iter().any(Value::is_string) {
            for text in ["not-a-choice", ""] {
                self.set(pointer, keyword, || {
                    (format!("{text:?} is none of the choices"), text.into())
                });
            }
            if let Some(first) = values.iter().find_map(Value::as_str) {
                // Servers may compare without regard to case.
                self.add_coercible(pointer, keyword, true, || {
                    let other = if first.chars().any(char::is_lowercase) {
                        first.to_uppercase()
                    } else {
                        first.to_lowercase()
                    };
                    ("a choice in other letters".to_owned(), Edit::Set(other.into()))
                });
            }
        }
        // A tool without parameters: a call of it may still say more than is declared.
        if pointer.is_empty() && values.iter().any(Value::is_object) {
            self.add(pointer, "additionalProperties", || {
                let name = "unexpected_property".to_owned();
                (format!("undeclared property {name}"), Edit::Insert(name, json!("x")))
            });
        }
        if values.iter().any(Value::is_number) {
            self.set(pointer, keyword, || {
                ("-98765 is none of the choices".to_owned(), json!(-98765))
            });
        }
    }

    fn text(&mut self, text: &Text, pointer: &str) {
        if text.min > 0 && text.min <= LONGEST {
            self.set(pointer, "minLength", || {
                let mutation =
                    format!("text of {} characters, fewer than {}", text.min - 1, text.min);
                (mutation, "a".repeat(text.min - 1).into())
            });
        }
        if let Some(max) = text.max.filter(|max| *max < LONGEST) {
            self.set(pointer, "maxLength", || {
                let mutation = format!("text of {} characters, more than {max}", max + 1);
                (mutation, "a".repeat(max + 1).into())
            });
        }
        for pattern in &text.patterns {
            let filler = "a".repeat(text.min.clamp(1, LONGEST));
            let miss = [" ", "", "!", "§§§", "aaaa", "0000", "ZZZZ", filler.as_str()]
                .into_iter()
                .find(|miss| {
                    let length = miss.chars().count();
                    !pattern.matches(miss)
                        && length >= text.min
                        && text.max.is_none_or(|max| length <= max)
                });
            if let Some(miss) = miss {
                self.set(pointer, "pattern", || {
                    (format!("{miss:?} does not match the pattern"), miss.into())
                });
            }
        }
        for format in text.formats.names() {
            for miss in ["not a valid value", "\\ {", "2024-13-45"] {
                self.set(pointer, "format", || (format!("{miss:?} is no {format}"), miss.into()));
            }
        }
    }

    fn number(&mut self, numeric: &Numeric, pointer: &str) {
        for (bound, keyword, open_keyword, step) in [
            (numeric.min, "minimum", "exclusiveMinimum", -1),
            (numeric.max, "maximum", "exclusiveMaximum", 1),
        ] {
            let Some(bound) = bound else { continue };
            let keyword = if bound.open { open_keyword } else { keyword };
            for distance in [i128::from(!bound.open), 1_000_000] {
                let beyond = bound.value.plus(Decimal::integer(step * distance));
                let Some(value) = beyond.and_then(Decimal::to_value) else { continue };
                // Where floats do not tell the two apart, many servers do not either.
                if value.as_f64() == Some(bound.value.to_f64()) {
                    continue;
                }
                self.set(pointer, keyword, || (format!("{value} is beyond the {keyword}"), value));
            }
        }
        if let Some(step) = numeric.step {
            let half = step.half().and_then(|half| step.plus(half));
            if let Some(value) = half.and_then(Decimal::to_value) {
                self.set(pointer, "multipleOf", || (format!("{value} is no multiple"), value));
            }
            if numeric.integer
                && let Some(value) = step.plus(Decimal::ONE).and_then(Decimal::to_value)
            {
                self.set(pointer, "multipleOf", || (format!("{value} is no multiple"), value));
            }
        }
    }

    fn list(&mut self, list: &List, items: &[Value], pointer: &str) {
        if list.min > 0 && list.min <= items.len() {
            self.set(pointer, "minItems", || {
                let few = items[..list.min - 1].to_vec();
                (format!("{} items, fewer than {}", list.min - 1, list.min), few.into())
            });
        }
        if let (Some(max), Some(last)) = (list.max.filter(|max| *max < 1_000), items.last()) {
            self.set(pointer, "maxItems", || {
                let mut many = items.to_vec();
                many.resize(max + 1, last.clone());
                (format!("{} items, more than {max}", max + 1), many.into())
            });
        }
        if list.distinct == Distinct::Unique
            && let Some(first) = items.first()
        {
            self.set(pointer, "uniqueItems", || {
                let mut equal = items.to_vec();
                equal.push(first.clone());
                ("an item twice".to_owned(), equal.into())
            });
        }
        if list.contains.iter().any(|contains| contains.min > 0) && list.min == 0 {
            self.set(pointer, "contains", || {
                ("no item of the kind that must be there".to_owned(), json!([]))
            });
        }
    }
}

fn types_of(shape: &Shape) -> JsonTypes {
    match shape {
        Shape::Null => JsonTypes::NULL,
        Shape::Boolean => JsonTypes::BOOLEAN,
        Shape::Text(_) => JsonTypes::STRING,
        Shape::Number(numeric) if numeric.integer => JsonTypes::INTEGER,
        Shape::Number(_) => JsonTypes::NUMBER.with(JsonTypes::INTEGER),
        Shape::Array(_) => JsonTypes::ARRAY,
        Shape::Object(_) => JsonTypes::OBJECT,
        Shape::Fixed(values) => {
            values.iter().map(JsonTypes::of).fold(JsonTypes::NONE, JsonTypes::with)
        }
        _ => JsonTypes::ALL,
    }
}

/// The allowed types in words.
fn named(types: JsonTypes) -> String {
    [
        (JsonTypes::STRING, "text"),
        (JsonTypes::NUMBER, "a number"),
        (JsonTypes::INTEGER, "a whole number"),
        (JsonTypes::BOOLEAN, "true or false"),
        (JsonTypes::ARRAY, "an array"),
        (JsonTypes::OBJECT, "an object"),
        (JsonTypes::NULL, "null"),
    ]
    .iter()
    .filter(|(one, _)| types.contains(*one))
    .filter(|(one, _)| *one != JsonTypes::INTEGER || !types.contains(JsonTypes::NUMBER))
    .map(|(_, name)| *name)
    .collect::<Vec<_>>()
    .join(" or ")
}

/// Whether servers in common languages and frameworks turn the wrong value into a right one.
fn is_coercible(wrong: JsonTypes, name: &str, types: JsonTypes) -> bool {
    let numeric = types.intersects(JsonTypes::NUMBER.with(JsonTypes::INTEGER));
    let is_scalar = wrong.has_scalar();
    // One value where a list is wanted; numbers and truth values where text is.
    if is_scalar && types.intersects(JsonTypes::ARRAY) {
        return true;
    }
    if is_scalar && wrong != JsonTypes::STRING && types.intersects(JsonTypes::STRING) {
        return true;
    }
    match name {
        "a number as text" => numeric || types.intersects(JsonTypes::BOOLEAN),
        "true" => numeric,
        "a truth value as text" | "a whole number" | "a fraction" => {
            types.intersects(JsonTypes::BOOLEAN)
        }
        _ => false,
    }
}
