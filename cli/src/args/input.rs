//! From the command line to a `TooltestInput`.

use super::fields::{Field, augment, fields, fill};
use super::target::{ServerArgs, Surroundings, TargetArgs};
use crate::failure::Failure;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use std::io::Read as _;
use tooltest_core::input::TooltestInput;

/// Flags for every field of the input.
#[derive(Debug, Clone, Default)]
pub(crate) struct InputArgs(Map<String, Value>);

/// Flags for the fields that matter where a server is only asked, not tested.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionArgs(Map<String, Value>);

/// The fields of [`SessionArgs`].
const SESSION: [&str; 6] =
    ["target", "protocol_version", "request_timeout", "startup_timeout", "isolate", "fixture_dir"];

fn session_fields() -> Vec<Field> {
    let is_listed =
        |field: &Field| field.path.len() == 1 && SESSION.contains(&field.path[0].as_str());
    fields().into_iter().filter(is_listed).collect()
}

macro_rules! from_schema {
    ($name:ident, $fields:expr) => {
        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                augment(command, &$fields)
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                let mut document = Map::new();
                fill(matches, &$fields, &mut document);
                Ok(Self(document))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                fill(matches, &$fields, &mut self.0);
                Ok(())
            }
        }
    };
}
from_schema!(InputArgs, fields());
from_schema!(SessionArgs, session_fields());

/// A whole input document, and shorthands for common settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct DocumentArgs {
    /// A whole input document (`-`: standard input); flags override its fields.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<String>,
    /// A short look: 200 calls in at most 15 seconds.
    #[arg(long, conflicts_with = "deep")]
    pub(crate) quick: bool,
    /// A long search: 50,000 calls in at most 15 minutes.
    #[arg(long)]
    pub(crate) deep: bool,
}

impl DocumentArgs {
    /// The document that flags are written into.
    fn document(&self) -> Result<Map<String, Value>, Failure> {
        let mut document = match self.input.as_deref() {
            None => Map::new(),
            Some(path) => {
                let text = read(path)?;
                let read = serde_json::from_str(&text);
                read.map_err(|error| {
                    Failure::usage(format!("{path} is not a JSON object: {error}"))
                })?
            }
        };
        let (calls, seconds) = match (self.quick, self.deep) {
            (true, _) => (200, 15.0),
            (_, true) => (50_000, 900.0),
            _ => return Ok(document),
        };
        document.insert("max_calls".to_owned(), calls.into());
        document.insert("time_limit".to_owned(), seconds.into());
        Ok(document)
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(path: &str) -> Result<String, Failure> {
    if path != "-" {
        return std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error));
    }
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|error| Failure::file("standard input", &error))?;
    Ok(text)
}

impl InputArgs {
    /// The input that the command line describes: the document, then flags, then the target.
    pub(crate) fn input(
        &self,
        target: &TargetArgs,
        document: &DocumentArgs,
        around: &Surroundings<'_>,
    ) -> Result<TooltestInput, Failure> {
        let mut base = document.document()?;
        for (name, value) in &self.0 {
            match (base.get_mut(name), value) {
                (Some(Value::Object(old)), Value::Object(new)) if name != "target" => {
                    old.extend(new.clone());
                }
                _ => drop(base.insert(name.clone(), value.clone())),
            }
        }
        finish(base, target.target(around)?)
    }
}

impl InputArgs {
    /// A document with the flags written over it.
    pub(crate) fn input_over(&self, base: Value) -> Result<TooltestInput, Failure> {
        let Value::Object(mut document) = base else {
            return Err(Failure::usage("the input is not an object"));
        };
        document.extend(self.0.clone());
        finish(document, None)
    }
}

impl SessionArgs {
    /// An input that only says which server to open, and how.
    pub(crate) fn input(
        &self,
        target: &TargetArgs,
        around: &Surroundings<'_>,
    ) -> Result<TooltestInput, Failure> {
        finish(self.0.clone(), target.target(around)?)
    }

    /// As [`SessionArgs::input`], for commands whose positional arguments are something else.
    pub(crate) fn input_on(
        &self,
        server: &ServerArgs,
        around: &Surroundings<'_>,
    ) -> Result<TooltestInput, Failure> {
        finish(self.0.clone(), server.target(around)?)
    }

    /// As [`SessionArgs::input`], with a target that is known already.
    pub(crate) fn input_for(&self, target: Value) -> Result<TooltestInput, Failure> {
        let mut document = self.0.clone();
        document.insert("target".to_owned(), target);
        Ok(TooltestInput::from_value(Value::Object(document))?)
    }
}

fn finish(
    mut document: Map<String, Value>,
    target: Option<Value>,
) -> Result<TooltestInput, Failure> {
    if let Some(target) = target {
        document.insert("target".to_owned(), target);
    }
    if !document.contains_key("target") {
        return Err(Failure::usage("no server is named").hint(
            "put its command after `--` (tooltest run -- python server.py), give its URL, or name one of a client configuration with --server NAME",
        ));
    }
    Ok(TooltestInput::from_value(Value::Object(document))?)
}
