//! Generation over the input schemas of real servers, where a folder of their tool lists is there.
//!
//! The folder is named by `TOOLTEST_TOOL_LISTS`, or is `../shared/corpus/tool_lists` beside the workspace. Each file is
//! a JSON list of tools as `tools/list` gives them.

#![allow(clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::Value;
use tooltest_core::{
    generate::{
        Bias, Draw, boundaries, cost, maximal, minimal, negative, negatives, positive, simplify,
    },
    schema::{CompiledSchema, Dialect},
};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLTEST_TOOL_LISTS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/tool_lists"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// `(file/tool, description, input schema)` of every tool; empty, with a note, where the folder is not there.
fn tools() -> Vec<(String, String, Value)> {
    let Some(folder) = folder() else {
        println!("skipped: no folder of tool lists (set TOOLTEST_TOOL_LISTS)");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        for tool in list.as_array().into_iter().flatten() {
            found.push((
                format!("{name}/{}", tool["name"].as_str().unwrap_or("?")),
                tool["description"].as_str().unwrap_or_default().to_owned(),
                tool["inputSchema"].clone(),
            ));
        }
    }
    found
}

#[test]
fn every_real_input_schema_can_be_generated_from() {
    let mut counts = [0_usize; 5];
    for (name, about, raw) in tools() {
        let schema = CompiledSchema::compile(&raw, Dialect::Draft202012)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .with_description(&about);
        let judge = jsonschema::validator_for(&raw).ok();
        let valid = |value: &Value| judge.as_ref().is_none_or(|judge| judge.is_valid(value));
        let mut draw = Draw::new(1).fork(&name, 0);
        for turn in 0..30 {
            let bias = Bias { optional: [0.0, 0.5, 1.0][turn % 3], ..Bias::default() };
            let value =
                positive(&schema, &mut draw, &bias).unwrap_or_else(|| panic!("{name}: no value"));
            assert!(value.is_object() && valid(&value), "{name}: {value}");
            counts[0] += 1;
        }
        let least = minimal(&schema).unwrap_or_else(|| panic!("{name}: no minimal value"));
        let most = maximal(&schema).unwrap_or_else(|| panic!("{name}: no maximal value"));
        assert!(valid(&least) && valid(&most), "{name}: {least} {most}");
        let edges = boundaries(&schema);
        assert!(!edges.is_empty(), "{name}");
        for edge in &edges {
            assert!(valid(&edge.value), "{name}: {edge:?}");
        }
        counts[1] += edges.len();
        for fault in negatives(&schema, &most) {
            assert!(!valid(&fault.value) || fault.advisory, "{name}: {fault:?}");
            counts[2] += 1;
        }
        let has_parameters = !schema.parameters().is_empty();
        if has_parameters {
            assert!(negative(&schema, &most, &mut draw).is_some(), "{name}: no negative of {most}");
        }
        counts[3] += schema.parameters().len();
        counts[4] +=
            schema.parameters().iter().filter(|parameter| !parameter.hints.is_empty()).count();
        for candidate in simplify(&schema, &most, "") {
            assert!(valid(&candidate) && cost(&candidate) < cost(&most), "{name}: {candidate}");
        }
    }
    println!(
        "values {}, edges {}, faults {}, parameters {}, with hints {}",
        counts[0], counts[1], counts[2], counts[3], counts[4]
    );
}
