//! The JSON Schema of `tooltest.toml`, for completion and checks in editors.

use super::{RunnerConfig, VERSION};
use crate::lints::{Entry, entries};
use serde_json::{Value, json};

/// The JSON Schema (2020-12) of `tooltest.toml`.
pub fn json_schema() -> Value {
    let ids: Vec<Value> = entries()
        .map(|entry| json!({"const": entry.meta.id, "description": entry.meta.summary()}))
        .collect();
    let rules: Vec<Value> = entries().map(rule).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tooltest.toml",
        "description": "Which lints tooltest runs, at which level, with which parameters.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "version": {
                "description": "The version of the file format.",
                "const": VERSION, "default": VERSION
            },
            "lints": {
                "description": "The lints that run. A lint that is not listed does not run, except those whose level is fixed.",
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["id", "level"],
                    "properties": {
                        "id": {"description": "The lint's id.", "oneOf": ids},
                        "level": {
                            "description": "`error` fails the run, `warning` is reported and fails nothing, `disabled` switches the lint off.",
                            "enum": ["error", "warning", "disabled"]
                        },
                        "params": {"description": "The lint's parameters.", "type": "object"}
                    },
                    "allOf": rules
                }
            },
            "runner": nested(schemars::schema_for!(RunnerConfig).to_value())
        }
    })
}

/// What holds for the table of one lint.
fn rule(entry: &Entry) -> Value {
    let mut then = json!({"properties": {"params": nested((entry.schema)().to_value())}});
    if entry.meta.fixed {
        then["properties"]["level"] = json!({ "const": entry.meta.level });
    }
    json!({"if": {"properties": {"id": {"const": entry.meta.id}}}, "then": then})
}

/// A schema as a part of another; an `$id` keeps its own references its own.
fn nested(mut schema: Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.remove("$schema");
        let title = members.remove("title");
        if let (true, Some(title)) = (members.contains_key("$defs"), title) {
            let id = format!("urn:tooltest:{}", title.as_str().unwrap_or_default());
            members.insert("$id".to_owned(), Value::from(id));
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::default_toml;

    #[test]
    fn the_default_file_is_valid_and_faults_are_not() {
        let validator = jsonschema::validator_for(&json_schema()).unwrap();
        let read = |text: &str| -> Value { toml::from_str(text).unwrap() };
        let errors: Vec<String> =
            validator.iter_errors(&read(&default_toml())).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let lint = |lines: &str| read(&format!("[[lints]]\n{lines}"));
        assert!(validator.is_valid(&lint("id = \"max_tools\"\nlevel = \"error\"\nparams.max = 3")));
        for text in [
            "id = \"max_tools\"",
            "id = \"nothing\"\nlevel = \"error\"",
            "id = \"max_tools\"\nlevel = \"off\"",
            "id = \"max_tools\"\nlevel = \"error\"\nparams.max = \"3\"",
            "id = \"max_tools\"\nlevel = \"error\"\nparams.min = 3",
            "id = \"no_crash\"\nlevel = \"warning\"",
        ] {
            assert!(!validator.is_valid(&lint(text)), "{text}");
        }
    }
}
