//! Schemas that are hard to bear: whatever a server sends, compiling, judging and generating come to an end.

#![allow(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};
use tooltest_core::{
    generate::{
        Bias, Draw, boundaries, cost, examples, maximal, minimal, negatives, positive, simplify,
    },
    schema::{CompiledSchema, Dialect, SchemaError},
};

/// Uses a schema in every way; says what is wrong with the results.
fn exercise(raw: &Value) -> Result<(), String> {
    println!("{}", raw.to_string().chars().take(200).collect::<String>());
    let schema = match CompiledSchema::compile(raw, Dialect::Draft202012) {
        Ok(schema) => schema.with_description("Takes `a`, e.g. b."),
        Err(_) => return Ok(()),
    };
    let mut draw = Draw::new(11);
    let mut values = Vec::new();
    for optional in [0.0, 0.5, 1.0] {
        let bias = Bias { optional, ..Bias::default() };
        values.extend(positive(&schema, &mut draw, &bias));
    }
    values.extend(minimal(&schema).into_iter().chain(maximal(&schema)).chain(examples(&schema)));
    values.extend(boundaries(&schema).into_iter().map(|edge| edge.value));
    for value in &values {
        if !value.is_object() || !schema.is_valid(value) {
            return Err(format!("not valid: {value}"));
        }
    }
    for base in values.iter().take(2) {
        for fault in negatives(&schema, base).into_iter().take(80) {
            if schema.is_valid(&fault.value) && !fault.advisory {
                return Err(format!("not invalid: {fault:?}"));
            }
            for simpler in simplify(&schema, &fault.value, &fault.pointer).into_iter().take(3) {
                if schema.is_valid(&simpler) && !fault.advisory {
                    return Err(format!("{} became valid: {simpler}", fault.value));
                }
            }
        }
        for simpler in simplify(&schema, base, "") {
            if !schema.is_valid(&simpler) || cost(&simpler) >= cost(base) {
                return Err(format!("no simpler value: {simpler}"));
            }
        }
    }
    for parameter in schema.parameters() {
        for hint in &parameter.hints {
            if !schema.accepts(parameter, hint) {
                return Err(format!("hint {hint} of {}", parameter.pointer));
            }
        }
    }
    schema.violations(&json!({"a": [1, {"b": null}]}));
    Ok(())
}

/// `inner` wrapped `depth` times.
fn nested(depth: usize, inner: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(inner, |value, _| wrap(value))
}

/// An object of these members. Moves them, so that deep ones are not walked.
fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

#[test]
fn deep_schemas_are_refused_or_used() {
    let wraps: [fn(Value) -> Value; 6] = [
        |inner| {
            let properties = object(vec![("a", inner)]);
            object(vec![("properties", properties), ("required", json!(["a"]))])
        },
        |inner| object(vec![("type", json!("array")), ("items", inner), ("minItems", json!(1))]),
        |inner| object(vec![("allOf", Value::Array(vec![inner]))]),
        |inner| object(vec![("anyOf", Value::Array(vec![inner, json!({"type": "null"})]))]),
        |inner| object(vec![("not", inner)]),
        |inner| object(vec![("if", inner), ("then", json!({"type": "object"}))]),
    ];
    for depth in [30, 60, 120, 400] {
        for (number, wrap) in wraps.iter().enumerate() {
            println!("depth {depth}, wrap {number}");
            let deep = nested(depth, json!({"type": "string"}), wrap);
            let raw = object(vec![("properties", object(vec![("x", deep)]))]);
            match CompiledSchema::compile(&raw, Dialect::Draft202012) {
                Err(SchemaError::TooDeep { .. }) => assert!(depth > 100, "{depth} is not too deep"),
                Err(other) => panic!("{other}"),
                Ok(_) => exercise(&raw).unwrap_or_else(|wrong| panic!("{depth}: {wrong}")),
            }
        }
    }
}

#[test]
fn deep_values_are_judged() {
    let raw = json!({"$defs": {"n": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/n"}}, {"type": "null"}]}},
        "properties": {"x": {"$ref": "#/$defs/n"}}});
    let schema = CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap();
    let deep =
        |inner: Value| object(vec![("x", nested(800, inner, |inner| Value::Array(vec![inner])))]);
    assert!(schema.is_valid(&deep(Value::Null)));
    assert!(!schema.is_valid(&deep(json!(1))));
    assert!(!schema.violations(&deep(json!(1))).is_empty());
}

#[test]
fn references_in_circles_come_to_an_end() {
    let chain: Map<String, Value> = (0..1_500)
        .map(|number| (format!("d{number}"), json!({"$ref": format!("#/$defs/d{}", number + 1)})))
        .chain([("d1500".to_owned(), json!({"type": "string"}))])
        .collect();
    for raw in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        json!({"allOf": [{"$ref": "#"}], "properties": {"a": {"type": "integer"}}}),
        json!({"anyOf": [{"$ref": "#"}, {"required": ["a"]}]}),
        json!({"oneOf": [{"$ref": "#"}, {"required": ["a"]}]}),
        json!({"not": {"$ref": "#"}}),
        json!({"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}}),
        json!({"additionalProperties": {"$ref": "#"}, "minProperties": 1}),
        json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"}}}),
        json!({"properties": {"a": {"type": "array", "minItems": 2, "items": {"$ref": "#"}}}}),
        json!({"patternProperties": {"": {"$ref": "#"}}, "minProperties": 2}),
        json!({"dependentSchemas": {"a": {"$ref": "#"}}, "required": ["a"]}),
        json!({"$dynamicAnchor": "x", "properties": {"a": {"$dynamicRef": "#x"}}}),
        json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "required": ["x"], "$defs": chain}),
        json!({"$id": "https://e.com/a", "$ref": "https://e.com/a"}),
        json!({"$ref": "#/properties/a", "properties": {"a": {"$ref": "#/properties/a/properties/a", "properties": {"a": {"$ref": "#"}}}}}),
    ] {
        exercise(&raw).unwrap_or_else(|wrong| {
            panic!("{}: {wrong}", raw.to_string().chars().take(200).collect::<String>())
        });
    }
}

#[test]
fn large_and_hostile_schemas_come_to_an_end() {
    let wide: Map<String, Value> =
        (0..500).map(|number| (format!("p{number}"), json!({"type": "string"}))).collect();
    let choices: Vec<Value> = (0..3_000).map(Value::from).collect();
    let branches: Vec<Value> = (0..60)
        .map(|number| json!({"properties": {"k": {"const": number}, "v": {"type": "integer", "minimum": number}}, "required": ["k"]}))
        .collect();
    let product: Vec<Value> = (0..16)
        .map(|number| json!({"anyOf": [{"required": [format!("a{number}")]}, {"required": [format!("b{number}")]}]}))
        .collect();
    for raw in [
        json!({"properties": wide}),
        json!({"properties": {"x": {"enum": choices}}, "required": ["x"]}),
        json!({"oneOf": branches}),
        json!({"allOf": product}),
        json!({"properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "string", "pattern": "^(a|aa)+b$", "maxLength": 3}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "string", "pattern": "^.{1000}$"}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "string", "pattern": "((((((((((a*)*)*)*)*)*)*)*)*)*"}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "string", "minLength": 1_000_000_000_u64}}}),
        json!({"properties": {"x": {"type": "array", "minItems": 1_000_000_000_u64}}}),
        json!({"properties": {"x": {"type": "string", "maxLength": u64::MAX}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "array", "items": {"type": "boolean"}, "uniqueItems": true, "minItems": 3}}}),
        json!({"properties": {"x": {"type": "number", "multipleOf": 1e-300, "minimum": 1}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "number", "multipleOf": 1e300}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "integer", "minimum": 1e308}}}),
        json!({"properties": {"x": {"type": "number", "minimum": -1.797_693_134_862_315_7e308, "maximum": 1.797_693_134_862_315_7e308}}, "required": ["x"]}),
        json!({"properties": {"x": {"type": "integer", "minimum": i64::MIN, "maximum": u64::MAX, "multipleOf": 3}}, "required": ["x"]}),
        json!({"minProperties": 1_000_000}),
        json!({"properties": {"x": {"contains": {"const": 1}, "minContains": 1_000_000, "type": "array"}}}),
        json!({"properties": {"\u{0}": {"type": "string"}, "😀": {"type": "integer"}}, "required": ["\u{0}", "😀"]}),
        json!({"properties": {"x": {"type": "string", "description": "'".repeat(30_000)}}}),
        json!({"properties": {"x": {"type": "string", "description": "é, ".repeat(30_000), "default": ["no", "string"]}}}),
    ] {
        exercise(&raw).unwrap_or_else(|wrong| {
            panic!("{}: {wrong}", raw.to_string().chars().take(200).collect::<String>())
        });
    }
}

/// JSON that resembles a schema, faults and all.
fn any_schema() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(false)),
        (-5_i64..40).prop_map(Value::from),
        Just(json!(0.5)),
        Just(json!(-1e300)),
        Just(json!("a")),
        Just(json!("object")),
    ];
    let keyword = prop::sample::select(vec![
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
        "default",
        "const",
        "title",
        "nullable",
        "$schema",
        "$id",
        "$anchor",
    ]);
    let ty = prop::sample::select(vec![
        "object", "array", "string", "integer", "number", "boolean", "null", "any",
    ]);
    let pattern =
        prop::sample::select(vec!["^[a-c]{2,4}$", "x", "(", "^(?=a)\\w+$", "\\d", "^$", "[^a]"]);
    let reference = prop::sample::select(vec![
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/a",
        "#/none",
        "https://example.com/x",
        "#a",
        "",
    ]);
    let format =
        prop::sample::select(vec!["date", "uuid", "email", "int32", "uint8", "uri", "nonsense"]);
    let leaf = prop_oneof![
        3 => ty.clone().prop_map(|ty| json!({ "type": ty })),
        1 => prop::collection::vec(ty, 0..3).prop_map(|types| json!({ "type": types })),
        3 => prop::collection::vec((keyword, scalar.clone()), 0..4).prop_map(|pairs| {
            Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        }),
        1 => pattern.prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
        1 => format.prop_map(|format| json!({"type": ["string", "integer"], "format": format})),
        2 => reference.prop_map(|reference| json!({ "$ref": reference })),
        1 => prop::collection::vec(scalar.clone(), 0..4).prop_map(|values| json!({ "enum": values })),
        1 => scalar,
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let names = prop::sample::select(vec!["a", "b", "c", "a/b"]);
        let map = prop::collection::vec((names.clone(), inner.clone()), 0..4).prop_map(|pairs| {
            Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        });
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        let single = prop::sample::select(vec![
            "items",
            "additionalProperties",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems",
        ]);
        let several = prop::sample::select(vec!["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
        let maps = prop::sample::select(vec![
            "properties",
            "$defs",
            "patternProperties",
            "dependentSchemas",
            "dependencies",
            "definitions",
        ]);
        let required =
            prop::collection::vec(names, 0..3).prop_map(|names| ("required", json!(names)));
        let part = prop_oneof![
            4 => (maps, map),
            3 => (several, list),
            3 => (single, inner.clone()),
            2 => required,
        ];
        (inner, prop::collection::vec(part, 1..4)).prop_map(|(base, parts)| {
            let mut members = match base {
                Value::Object(members) => members,
                _ => Map::new(),
            };
            members.extend(parts.into_iter().map(|(key, value)| (key.to_owned(), value)));
            Value::Object(members)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn whatever_resembles_a_schema_is_borne(raw in any_schema()) {
        exercise(&raw).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_same_seed_gives_the_same_values(raw in any_schema(), seed in any::<u64>()) {
        if let Ok(schema) = CompiledSchema::compile(&raw, Dialect::Draft7) {
            let again = CompiledSchema::compile(&raw, Dialect::Draft7).unwrap();
            let bias = Bias::default();
            let (mut one, mut two) = (Draw::new(seed), Draw::new(seed));
            for _ in 0..3 {
                prop_assert_eq!(positive(&schema, &mut one, &bias), positive(&again, &mut two, &bias));
            }
        }
    }
}
