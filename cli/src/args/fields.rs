//! Flags made from the JSON Schema of the input: a field that is added there is a flag here, with the same name and words.

use super::kind::Kind;
use clap::{Arg, ArgAction, ArgMatches, Command, parser::ValueSource};
use serde_json::{Map, Value};
use std::sync::OnceLock;
use tooltest_core::input::TooltestInput;

/// A field of the input, as a flag.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// Where it stands in the document: one name, or two for a part of `state_machine_config`.
    pub(crate) path: Vec<String>,
    /// What its value looks like.
    kind: Kind,
    about: String,
    default: Option<Value>,
}

impl Field {
    /// The flag's name without its dashes.
    pub(crate) fn flag(&self) -> String {
        self.path.last().map(|name| name.replace('_', "-")).unwrap_or_default()
    }

    fn id(&self) -> String {
        format!("input.{}", self.path.join("."))
    }
}

/// The schema of the input.
fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(TooltestInput).to_value())
}

/// Every field of the input, in order; those of `state_machine_config` follow it.
pub(crate) fn fields() -> Vec<Field> {
    let mut fields = Vec::new();
    for (name, property) in properties(schema()) {
        fields.push(field(vec![name.clone()], property));
        if name == "state_machine_config" {
            let inner = properties(resolve(property));
            fields.extend(
                inner.map(|(part, property)| field(vec![name.clone(), part.clone()], property)),
            );
        }
    }
    fields
}

fn properties(schema: &'static Value) -> impl Iterator<Item = (&'static String, &'static Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

pub(super) fn resolve(property: &'static Value) -> &'static Value {
    let reference = property.get("$ref").and_then(Value::as_str);
    reference.and_then(|path| schema().pointer(path.trim_start_matches('#'))).unwrap_or(property)
}

fn field(path: Vec<String>, property: &'static Value) -> Field {
    let about = property.get("description").or_else(|| resolve(property).get("description"));
    let about = about.and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
    let default =
        property.get("default").filter(|value| !value.is_null() && !value.is_object()).cloned();
    Field { kind: Kind::of(&path, property), path, about, default }
}

/// Adds the flags of `chosen` to a command, under their headings.
pub(crate) fn augment(mut command: Command, chosen: &[Field]) -> Command {
    for field in chosen {
        command = command.arg(arg(field));
    }
    command
}

fn arg(field: &Field) -> Arg {
    let mut about = field.about.clone();
    if let Some(default) = &field.default {
        let plain = match default {
            Value::String(text) => text.clone(),
            Value::Array(list) if list.is_empty() => String::new(),
            other => other.to_string(),
        };
        if !plain.is_empty() && plain != "false" {
            about = format!("{about} [default: {plain}]");
        }
    }
    let kind = field.kind.clone();
    let arg =
        Arg::new(field.id()).long(field.flag()).help(about).help_heading(heading(&field.path));
    let arg = match &field.kind {
        Kind::Flag => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("true|false")
            .hide_possible_values(true),
        Kind::Choice(choices) => arg.value_name(choices.join("|")),
        Kind::Texts(_) | Kind::Numbers | Kind::Entries => {
            arg.action(ArgAction::Append).value_name(value_name(field))
        }
        _ => arg.value_name(value_name(field)),
    };
    let negative = matches!(field.kind, Kind::Number | Kind::Numbers | Kind::Integer);
    arg.allow_negative_numbers(negative).value_parser(move |text: &str| kind.parse(text))
}

fn value_name(field: &Field) -> &'static str {
    match &field.kind {
        Kind::Integer | Kind::Number | Kind::Numbers => match field.path.last().map(String::as_str)
        {
            Some(name)
                if name.ends_with("timeout")
                    || name.ends_with("limit") && name != "uncallable_limit" =>
            {
                "SECONDS"
            }
            _ => "N",
        },
        Kind::Texts(Some(_)) => "PHASE,…",
        Kind::Texts(None) => "NAME,…",
        Kind::CommandLine => "COMMAND",
        Kind::Entries => "PARAMETER=VALUE",
        Kind::Json => "JSON|@FILE",
        _ => match field.path.last().map(String::as_str) {
            Some("config") => "FILE",
            Some("failure_dir" | "fixture_dir") => "FOLDER",
            Some("shard") => "I/N",
            Some("protocol_version") => "auto|DATE",
            _ => "TEXT",
        },
    }
}

fn heading(path: &[String]) -> &'static str {
    if path.len() > 1 {
        return "Arguments of calls";
    }
    match path.first().map(String::as_str).unwrap_or_default() {
        "target" => "Target",
        "max_calls" | "time_limit" | "request_timeout" | "startup_timeout" | "cases"
        | "workers" | "in_flight" | "seed" | "shard" | "min_sequence_len" | "max_sequence_len"
        | "phases" | "fail_fast" | "keep_going" => "Budget and order",
        "tool_allowlist" | "tool_blocklist" | "read_only" | "allow_destructive" => {
            "What may be called"
        }
        "state_machine_config" => "Arguments of calls",
        "isolate" | "fixture_dir" | "pre_run_hook" | "protocol_version" => "Sessions",
        "in_band_error_forbidden" | "assertions" | "config" => "What is judged",
        _ => "What the result carries",
    }
}

/// Writes the values of flags that were given into a document.
pub(crate) fn fill(matches: &ArgMatches, chosen: &[Field], document: &mut Map<String, Value>) {
    for field in chosen {
        let id = field.id();
        if matches.value_source(&id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let values = matches.get_many::<Value>(&id).into_iter().flatten().cloned();
        let Some(value) = values.reduce(join) else { continue };
        match field.path.as_slice() {
            [name] => drop(document.insert(name.clone(), value)),
            [outer, name] => {
                let part =
                    document.entry(outer.clone()).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(part) = part {
                    part.insert(name.clone(), value);
                }
            }
            _ => {}
        }
    }
}

/// A flag given twice: lists and objects grow, anything else is replaced.
fn join(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Array(mut first), Value::Array(second)) => {
            first.extend(second);
            Value::Array(first)
        }
        (Value::Object(mut first), Value::Object(second)) => {
            for (key, value) in second {
                let value = match first.remove(&key) {
                    Some(old) => join(old, value),
                    None => value,
                };
                first.insert(key, value);
            }
            Value::Object(first)
        }
        (_, second) => second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(args: &[&str]) -> Value {
        let fields = fields();
        let command = augment(Command::new("x"), &fields);
        let matches = command.try_get_matches_from([&["x"], args].concat()).unwrap();
        let mut document = Map::new();
        fill(&matches, &fields, &mut document);
        Value::Object(document)
    }

    #[test]
    fn every_field_of_the_schema_is_a_flag_with_words_and_a_fitting_value() {
        let fields = fields();
        let flags: Vec<String> = fields.iter().map(Field::flag).collect();
        for (name, _) in properties(schema()) {
            assert!(flags.contains(&name.replace('_', "-")), "{name} is no flag");
        }
        for field in &fields {
            assert!(!field.about.is_empty(), "{} has no description", field.flag());
        }
        let unique: std::collections::BTreeSet<&String> = flags.iter().collect();
        assert_eq!(unique.len(), flags.len(), "two fields share a flag");
        let json: Vec<String> =
            fields.iter().filter(|f| f.kind == Kind::Json).map(Field::flag).collect();
        assert_eq!(
            json,
            ["target", "state-machine-config", "assertions"],
            "a new field fell back to JSON"
        );
    }

    #[test]
    fn flags_become_the_fields_of_the_document() {
        let document = read(&[
            "--max-calls",
            "1_000",
            "--time-limit=2.5",
            "--isolate",
            "--read-only=false",
            "--phases",
            "lists,examples",
            "--phases",
            "parallel",
            "--tool-allowlist",
            "read_*",
            "--seed-values",
            "t.a=1",
            "--seed-values",
            "t.a=x",
            "--seed-numbers=-1,2.5",
            "--mine-text=false",
            "--pre-run-hook",
            "sh -c 'rm -rf x'",
            "--lenient-sourcing",
            "strict",
            "--seed",
            "18446744073709551615",
        ]);
        assert_eq!(
            document,
            json!({
                "phases": ["lists", "examples", "parallel"], "max_calls": 1000, "time_limit": 2.5, "seed": 18_446_744_073_709_551_615_u64,
                "state_machine_config": {"seed_numbers": [-1.0, 2.5], "seed_values": {"t.a": [1, "x"]}, "mine_text": false, "lenient_sourcing": "strict"},
                "tool_allowlist": ["read_*"], "read_only": false, "isolate": true, "pre_run_hook": ["sh", "-c", "rm -rf x"],
            })
        );
        assert_eq!(read(&[]), json!({}));
    }

    #[test]
    fn wrong_values_are_explained() {
        for (args, words) in [
            (["--phases", "negativ"], "did you mean `negative`?"),
            (["--max-calls", "many"], "expected a whole number"),
            (["--assertions", "[{"], "not JSON"),
            (["--pre-run-hook", "sh 'x"], "inside a quote"),
        ] {
            let command = augment(Command::new("x"), &fields());
            let error =
                command.try_get_matches_from(["x", args[0], args[1]]).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
