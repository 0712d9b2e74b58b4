//! Generation over schemas of every shape: one JSON file holds them, `shapes.json`.
//!
//! An entry has a `name` and a `schema`; `satisfiable: false` says that no arguments are valid, `repaired: true` that the
//! schema has a fault and only a repaired copy can be used.

use serde_json::Value;
use tooltest_core::{
    generate::{Bias, Draw, boundaries, cost, examples, maximal, minimal, negatives, positive, simplify},
    schema::{CompiledSchema, Dialect, SchemaError},
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

fn is_satisfiable(shape: &Value) -> bool {
    shape["satisfiable"] != Value::Bool(false)
}

#[test]
fn values_edges_and_faults_of_every_shape() {
    let mut wrong = Vec::new();
    for shape in shapes().iter().filter(|shape| is_satisfiable(shape)) {
        let (name, schema) = compiled(shape);
        let judge = Judge::new(&schema);
        let mut draw = Draw::new(5).fork(&name, 0);
        for turn in 0..60 {
            let bias = Bias {
                optional: [0.0, 0.5, 1.0][turn % 3],
                ..Bias::default()
            };
            match positive(&schema, &mut draw, &bias) {
                Some(value) if judge.is_valid(&value) => {}
                other => wrong.push(format!("{name}: value {other:?}")),
            }
        }
        let (least, most) = (minimal(&schema), maximal(&schema));
        for value in [&least, &most].into_iter().chain(examples(&schema).iter().map(Some).collect::<Vec<_>>()) {
            wrong.push(format!("{name}: fixed {value:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
