//! Checks values against shapes.

use super::ShapeFault;
use super::table::{Member, Shape, Table};
use crate::pointer::{self, Members};
use serde_json::Value;

/// Faults reported per message: the rest of a wholly wrong message says nothing new.
const FAULTS_KEPT: usize = 32;

/// Where `value` differs from `shape`.
pub(super) fn faults(table: &Table, shape: &Shape, value: &Value) -> Vec<ShapeFault> {
    // Nearly every value has its shape; that is told without a note of where one is.
    if conforms(table, shape, value) {
        return Vec::new();
    }
    let mut walk = Walk { table, pointer: String::new(), faults: Vec::new() };
    walk.check(shape, Some(value));
    walk.faults.truncate(FAULTS_KEPT);
    walk.faults
}

/// Whether a value has a shape: whether [`Walk::check`] finds no fault.
fn conforms(table: &Table, shape: &Shape, value: &Value) -> bool {
    match (table.resolve(shape), value) {
        (Shape::List { item, max }, Value::Array(items)) => {
            max.is_none_or(|max| items.len() <= max)
                && items.iter().all(|member| conforms(table, item, member))
        }
        (Shape::Map(member), Value::Object(members)) => {
            members.values().all(|value| conforms(table, member, value))
        }
        (Shape::Members(wanted), Value::Object(members)) => wanted.iter().all(|member| {
            members
                .member(member.name)
                .map_or(!member.required, |value| conforms(table, &member.shape, value))
        }),
        (Shape::Union(options), _) => options.iter().any(|option| conforms(table, option, value)),
        (shape, _) => fits(shape, value),
    }
}

struct Walk<'a> {
    table: &'a Table,
    pointer: String,
    faults: Vec<ShapeFault>,
}

impl Walk<'_> {
    fn check(&mut self, shape: &Shape, value: Option<&Value>) {
        let table = self.table;
        let shape = table.resolve(shape);
        let Some(value) = value else {
            return self.fault(shape, None);
        };
        match (shape, value) {
            (Shape::List { item, max }, Value::Array(items)) => {
                if max.is_some_and(|max| items.len() > max) {
                    self.fault(shape, Some(value));
                }
                for (index, member) in items.iter().enumerate() {
                    self.at(&index.to_string(), |walk| walk.check(item, Some(member)));
                }
            }
            (Shape::Map(member), Value::Object(members)) => {
                for (name, value) in members {
                    self.at(name, |walk| walk.check(member, Some(value)));
                }
            }
            (Shape::Members(wanted), Value::Object(members)) => {
                for Member { name, required, shape } in wanted {
                    let value = members.get(*name);
                    if *required || value.is_some() {
                        self.at(name, |walk| walk.check(shape, value));
                    }
                }
            }
            (Shape::Union(options), _) => self.union(options, value),
            _ if fits(shape, value) => {}
            _ => self.fault(shape, Some(value)),
        }
    }

    /// No fault where one of the options fits; otherwise the faults of the one that was meant.
    fn union(&mut self, options: &[Shape], value: &Value) {
        let (table, start) = (self.table, self.faults.len());
        let mut best: Option<Vec<ShapeFault>> = None;
        for option in options {
            self.check(option, Some(value));
            let faults = self.faults.split_off(start);
            if faults.is_empty() {
                return;
            }
            if meant(table, option, value) && best.as_ref().is_none_or(|b| faults.len() < b.len()) {
                best = Some(faults);
            }
        }
        match best {
            Some(faults) => self.faults.extend(faults),
            None => self.no_option(options, value),
        }
    }

    /// Nothing says which option was meant: names the tags where they differ by a tag, else the options.
    fn no_option(&mut self, options: &[Shape], value: &Value) {
        let table = self.table;
        let leaves = leaves(table, options);
        let tags: Option<Vec<_>> = leaves.iter().map(|leaf| tag(table, leaf)).collect();
        match tags {
            Some(tags) if value.is_object() && tags.iter().all(|tag| tag.0 == tags[0].0) => {
                let name = tags[0].0;
                let mut literals: Vec<String> = Vec::new();
                for literal in tags.into_iter().flat_map(|(_, literals)| literals) {
                    let literal = format!("\"{literal}\"");
                    if !literals.contains(&literal) {
                        literals.push(literal);
                    }
                }
                let found = value.get(name);
                self.at(name, |walk| walk.push(choice(&literals), found));
            }
            _ => {
                let mut names: Vec<_> = leaves.iter().map(|leaf| describe(table, leaf)).collect();
                names.dedup();
                self.push(choice(&names), Some(value));
            }
        }
    }

    fn at(&mut self, part: &str, walk: impl FnOnce(&mut Self)) {
        let length = pointer::push(&mut self.pointer, part);
        walk(self);
        self.pointer.truncate(length);
    }

    fn fault(&mut self, shape: &Shape, value: Option<&Value>) {
        self.push(describe(self.table, shape), value);
    }

    fn push(&mut self, expected: String, value: Option<&Value>) {
        let found = value.map_or_else(|| "nothing".to_owned(), describe_value);
        self.faults.push(ShapeFault { pointer: self.pointer.clone(), expected, found });
    }
}

fn fits(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Null => value.is_null(),
        Shape::Bool => value.is_boolean(),
        Shape::String => value.is_string(),
        Shape::Integer => is_integer(value),
        Shape::Count => is_integer(value) && value.as_f64().is_some_and(|n| n >= 0.0),
        Shape::Number => value.is_number(),
        Shape::Fraction => value.as_f64().is_some_and(|n| (0.0..=1.0).contains(&n)),
        Shape::Literal(literal) => value.as_str() == Some(literal),
        Shape::Object => value.is_object(),
        _ => false,
    }
}

/// Whether a number is an integer by value: 1.0 is one.
fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
}

/// Whether `value` says that it is meant to be of this shape: all tags fit, or there are none and the JSON type fits.
fn meant(table: &Table, shape: &Shape, value: &Value) -> bool {
    match (table.resolve(shape), value) {
        (Shape::Members(wanted), Value::Object(members)) => wanted.iter().all(|member| {
            let shape = table.resolve(&member.shape);
            let Some(value) = members.get(member.name) else {
                return !(member.required && matches!(shape, Shape::Literal(_)));
            };
            // An optional choice among several says nothing of what the object is.
            let says = member.required || matches!(shape, Shape::Literal(_));
            match literals(table, shape).filter(|_| says) {
                Some(literals) => value.as_str().is_some_and(|text| literals.contains(&text)),
                None => true,
            }
        }),
        (Shape::Union(options), _) => options.iter().any(|option| meant(table, option, value)),
        (Shape::List { .. }, Value::Array(_)) => true,
        _ => false,
    }
}

/// The options of a union, unions in it opened.
fn leaves<'a>(table: &'a Table, options: &'a [Shape]) -> Vec<&'a Shape> {
    let mut found = Vec::new();
    for option in options {
        match table.resolve(option) {
            Shape::Union(inner) => found.extend(leaves(table, inner)),
            shape => found.push(shape),
        }
    }
    found
}

/// The required member of an object that says what it is, and what it may say.
fn tag<'a>(table: &'a Table, shape: &'a Shape) -> Option<(&'a str, Vec<&'a str>)> {
    let Shape::Members(members) = table.resolve(shape) else {
        return None;
    };
    members
        .iter()
        .filter(|member| member.required)
        .find_map(|member| Some((member.name, literals(table, &member.shape)?)))
}

fn literals<'a>(table: &'a Table, shape: &'a Shape) -> Option<Vec<&'a str>> {
    match table.resolve(shape) {
        Shape::Literal(literal) => Some(vec![literal]),
        Shape::Union(options) => {
            let parts: Option<Vec<_>> = options.iter().map(|o| literals(table, o)).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

fn describe(table: &Table, shape: &Shape) -> String {
    match table.resolve(shape) {
        Shape::Any => "a value".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Bool => "true or false".to_owned(),
        Shape::String => "a string".to_owned(),
        Shape::Integer => "an integer".to_owned(),
        Shape::Count => "an integer from 0 on".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Fraction => "a number from 0 to 1".to_owned(),
        Shape::Literal(literal) => format!("\"{literal}\""),
        Shape::List { max: Some(max), .. } => format!("an array of at most {max} items"),
        Shape::List { .. } => "an array".to_owned(),
        Shape::Union(options) => {
            let mut names: Vec<_> =
                leaves(table, options).iter().map(|leaf| describe(table, leaf)).collect();
            names.dedup();
            choice(&names)
        }
        Shape::Object | Shape::Map(_) | Shape::Members(_) | Shape::Named(_) => {
            "an object".to_owned()
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
fn choice(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// A value in a few words.
fn describe_value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= 40 => format!("{value}"),
        Value::String(_) => "a long string".to_owned(),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
