//! Generation over schemas of every shape: one JSON file holds them, `shapes.json`.
//!
//! An entry has a `name` and a `schema`; `satisfiable: false` says that no arguments are valid, `repaired: true` that the
//! schema has a fault and only a repaired copy can be used.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod judge;

use std::collections::HashSet;

use judge::Judge;
use serde_json::Value;
use tooltest_core::{
    generate::{
        Bias, Draw, boundaries, cost, examples, maximal, minimal, negative, negatives, positive,
        simplify,
    },
    schema::{CompiledSchema, Dialect},
};

fn shapes() -> Vec<Value> {
    serde_json::from_str(include_str!("shapes.json")).unwrap()
}

fn compiled(shape: &Value) -> (String, CompiledSchema) {
    let name = shape["name"].as_str().unwrap().to_owned();
    let schema = CompiledSchema::compile(&shape["schema"], Dialect::Draft202012)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    (name, schema)
}

fn satisfiable() -> Vec<(String, CompiledSchema, Judge)> {
    shapes()
        .iter()
        .filter(|shape| shape["satisfiable"] != Value::Bool(false))
        .map(|shape| {
            let (name, schema) = compiled(shape);
            let judge = Judge::new(&schema).unwrap_or_else(|| panic!("{name}: no second opinion"));
            (name, schema, judge)
        })
        .collect()
}

fn bias(turn: usize) -> Bias<'static> {
    Bias { optional: [0.0, 0.5, 1.0][turn % 3], ..Bias::default() }
}

/// Fails with the first few of what is wrong of each schema.
fn report(wrong: &[String]) {
    let mut last = ("", 0);
    let few = wrong.iter().filter(|line| {
        let name = line.split(": ").next().unwrap_or_default();
        last = (name, if last.0 == name { last.1 + 1 } else { 0 });
        last.1 < 3
    });
    let wrong: Vec<&str> = few.map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn random_values_are_valid() {
    let mut wrong = Vec::new();
    for (name, schema, judge) in satisfiable() {
        let mut draw = Draw::new(5).fork(&name, 0);
        for turn in 0..60 {
            match positive(&schema, &mut draw, &bias(turn)) {
                Some(value) if judge.is_valid(&value) && value.is_object() => {}
                other => wrong.push(format!("{name}: {other:?}")),
            }
        }
    }
    report(&wrong);
}

#[test]
fn fixed_values_are_valid_and_always_the_same() {
    let mut wrong = Vec::new();
    for (name, schema, judge) in satisfiable() {
        let values = [minimal(&schema), maximal(&schema)];
        if values != [minimal(&schema), maximal(&schema)] {
            wrong.push(format!("{name}: not the same again"));
        }
        let examples = examples(&schema);
        if examples.is_empty() || examples.len() > 3 {
            wrong.push(format!("{name}: {} examples", examples.len()));
        }
        for value in values.into_iter().chain(examples.into_iter().map(Some)) {
            if !value.as_ref().is_some_and(|value| judge.is_valid(value)) {
                wrong.push(format!("{name}: {value:?}"));
            }
        }
    }
    report(&wrong);
}

#[test]
fn edges_are_valid_and_distinct() {
    let mut wrong = Vec::new();
    for (name, schema, judge) in satisfiable() {
        let edges = boundaries(&schema);
        if edges.is_empty() || edges != boundaries(&schema) {
            wrong.push(format!("{name}: {} edges, or not the same again", edges.len()));
        }
        let mut seen = HashSet::new();
        for edge in edges {
            if !judge.is_valid(&edge.value) || !seen.insert(edge.value.to_string()) {
                wrong.push(format!("{name}: {edge:?}"));
            }
        }
    }
    report(&wrong);
}

#[test]
fn faults_are_invalid_in_one_way() {
    let mut wrong = Vec::new();
    for (name, schema, judge) in satisfiable() {
        let Some(base) = maximal(&schema) else { continue };
        let faults = negatives(&schema, &base);
        for fault in &faults {
            let unknown = ["contentEncoding", "contentMediaType"].contains(&fault.keyword.as_str());
            let excused =
                fault.advisory || unknown || (judge.lenient && fault.keyword == "pattern");
            if (judge.is_valid(&fault.value) && !excused) || fault.value == base {
                wrong.push(format!("{name}: {fault:?}"));
            }
        }
        let one = negative(&schema, &base, &mut Draw::new(1));
        if one.is_some() == faults.is_empty() {
            wrong.push(format!("{name}: one {one:?} of {}", faults.len()));
        }
    }
    report(&wrong);
}

#[test]
fn faults_cover_the_keywords_of_the_schema() {
    let shapes = shapes();
    let keywords = |wanted: &str| -> HashSet<String> {
        let shape = shapes.iter().find(|shape| shape["name"] == wanted).unwrap();
        let (_, schema) = compiled(shape);
        let base = maximal(&schema).unwrap();
        negatives(&schema, &base).iter().map(|fault| fault.keyword.clone()).collect()
    };
    for (shape, keyword) in [
        ("string lengths", "minLength"),
        ("string lengths", "maxLength"),
        ("pattern with anchors", "pattern"),
        ("every format", "format"),
        ("numeric bounds", "minimum"),
        ("numeric bounds", "maximum"),
        ("numeric bounds", "exclusiveMinimum"),
        ("numeric bounds", "exclusiveMaximum"),
        ("multiples", "multipleOf"),
        ("array of items", "minItems"),
        ("array of items", "maxItems"),
        ("unique items", "uniqueItems"),
        ("contains", "contains"),
        ("map of numbers", "type"),
        ("map of numbers", "minProperties"),
        ("map of numbers", "maxProperties"),
        ("property names", "propertyNames"),
        ("each type", "required"),
        ("each type", "type"),
        ("enum of mixed types", "enum"),
        ("const", "const"),
        ("closed by not", "additionalProperties"),
    ] {
        assert!(keywords(shape).contains(keyword), "{shape}: {keyword} of {:?}", keywords(shape));
    }
}

#[test]
fn shrinking_goes_down_and_ends() {
    let mut wrong = Vec::new();
    for (name, schema, _) in satisfiable() {
        let mut draw = Draw::new(9).fork(&name, 0);
        for turn in 0..6 {
            let Some(mut value) = positive(&schema, &mut draw, &bias(turn)) else { continue };
            if turn % 2 == 1 {
                match negative(&schema, &value, &mut draw) {
                    Some(fault) => value = fault.value,
                    None => continue,
                }
            }
            let is_valid = schema.is_valid(&value);
            let mut steps = 0;
            while let Some(next) = places(&value)
                .iter()
                .find_map(|place| simplify(&schema, &value, place).into_iter().next())
            {
                if cost(&next) >= cost(&value) || schema.is_valid(&next) != is_valid || steps > 500
                {
                    wrong.push(format!("{name}: {value} to {next} in step {steps}"));
                    break;
                }
                value = next;
                steps += 1;
            }
        }
    }
    report(&wrong);
}

/// The JSON Pointers of all parts.
fn places(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (token, value) in inner {
        found.extend(places(value).into_iter().map(|rest| format!("/{token}{rest}")));
    }
    found
}

#[test]
fn unsatisfiable_schemas_give_nothing() {
    for shape in shapes().iter().filter(|shape| shape["satisfiable"] == Value::Bool(false)) {
        let (name, schema) = compiled(shape);
        assert_eq!(positive(&schema, &mut Draw::new(1), &Bias::default()), None, "{name}");
        assert_eq!(minimal(&schema), None, "{name}");
        assert!(boundaries(&schema).is_empty(), "{name}");
        assert!(!schema.is_satisfiable(), "{name}");
    }
}

#[test]
fn faulty_schemas_are_named_and_repaired() {
    for shape in shapes() {
        let (name, schema) = compiled(&shape);
        let is_faulty = shape["repaired"] == Value::Bool(true);
        assert_eq!(schema.is_repaired(), is_faulty, "{name}: {:?}", schema.defects());
        assert_eq!(!schema.defects().is_empty(), is_faulty, "{name}: {:?}", schema.defects());
        let strict = CompiledSchema::compile_strict(&shape["schema"], Dialect::Draft202012);
        assert_eq!(strict.is_err(), is_faulty, "{name}");
        if is_faulty {
            println!("{name}: {}", schema.defects()[0]);
        }
    }
}
