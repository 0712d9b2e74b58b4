//! `tooltest call`: the smallest client there is.

use crate::Host;
use crate::args::{ServerArgs, SessionArgs, read};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::{options, with_surroundings};
use crate::{output, terminal};
use clap::Args;
use serde_json::{Map, Value};
use tooltest_core::Error;
use tooltest_core::catalog::{Catalog, Tool};
use tooltest_core::exchange::{Exchange, Reply};
use tooltest_core::report;
use tooltest_core::suggest::did_you_mean;

/// The arguments of `tooltest call`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest call add a=1 b=2 -- python server.py
  tooltest call search query='two words' tags:='[\"x\"]' --url http://127.0.0.1:8000/mcp
  tooltest call add '{\"a\": 1, \"b\": 2}' --json -- python server.py

NAME=VALUE takes the type that the tool's schema gives the parameter; NAME:=JSON is taken as it stands.
The exit code is 1 where the tool answers with an error, or not at all.")]
pub(crate) struct CallCommand {
    /// The tool.
    tool: String,
    /// Its arguments: NAME=VALUE or NAME:=JSON, several times, or one JSON object (@FILE reads one, @- reads standard input).
    #[arg(value_name = "NAME=VALUE|JSON")]
    arguments: Vec<String>,
    #[command(flatten)]
    server: ServerArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// The answer as JSON, as the server sent it.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl CallCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let input = with_surroundings(|around| self.session.input_on(&self.server, around))?;
        let exchange = tooltest_core::call_blocking(input, &options(host)?, |catalog| {
            let tool = catalog.tool(&self.tool);
            let arguments = arguments(&self.arguments, tool)
                .map_err(|fault| Error::input("arguments", fault.message))?;
            self.warn_of_unknown(catalog);
            Ok((self.tool.clone(), arguments))
        })?;
        self.show(&exchange, host)?;
        let fine = matches!(exchange.reply, Reply::Result(_)) && !exchange.is_tool_error();
        Ok(if fine { exit::PASSED } else { exit::FINDINGS })
    }

    /// A tool that is not listed is called all the same: seeing what the server says to that can be the point.
    fn warn_of_unknown(&self, catalog: &Catalog) {
        if catalog.tool(&self.tool).is_none() {
            let meant =
                did_you_mean(&self.tool, catalog.tools.iter().map(|tool| tool.name.as_str()));
            let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
            output::note(&report::printable(&format!(
                "warning: the server lists no tool `{}`{meant}",
                self.tool
            )));
        }
    }

    fn show(&self, exchange: &Exchange, host: &Host) -> Result<(), Failure> {
        let frame = exchange.frame.as_ref().and_then(|frame| frame.value.clone());
        match (self.json, frame) {
            (true, Some(mut message)) => {
                // The session keeps a result once, apart from its message.
                if let Reply::Result(result) = &exchange.reply {
                    message["result"] = result.clone();
                }
                let text = serde_json::to_string_pretty(&message).unwrap_or_default();
                output::print(&format!("{}\n", report::printable_json(&text)))
            }
            _ => output::print(&report::exchange(exchange, &terminal::human(&host.look))),
        }
    }
}

/// The arguments as JSON; null where none are given and the tool is not known.
fn arguments(words: &[String], tool: Option<&Tool>) -> Result<Value, Failure> {
    if let [whole] = words {
        let text = match whole.strip_prefix('@') {
            Some(path) => Some(read(path)?),
            None => whole.trim_start().starts_with('{').then(|| whole.clone()),
        };
        if let Some(text) = text {
            return serde_json::from_str(&text)
                .map_err(|error| Failure::usage(format!("the arguments are not JSON: {error}")));
        }
    }
    let mut members = Map::new();
    for word in words {
        let (name, value) = pair(word, tool)?;
        members.insert(name, value);
    }
    Ok(Value::Object(members))
}

fn pair(word: &str, tool: Option<&Tool>) -> Result<(String, Value), Failure> {
    let Some((name, text)) = word.split_once('=') else {
        return Err(Failure::usage(format!(
            "`{word}` is neither NAME=VALUE nor NAME:=JSON nor a JSON object"
        )));
    };
    if let Some(name) = name.strip_suffix(':') {
        let value = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("`{word}`: not JSON: {error}")))?;
        return Ok((name.to_owned(), value));
    }
    let schema = tool.and_then(|tool| tool.raw.pointer("/inputSchema/properties")?.get(name));
    Ok((name.to_owned(), typed(text, schema)))
}

/// A text as the type that a schema asks for; without one, JSON where it is JSON.
fn typed(text: &str, schema: Option<&Value>) -> Value {
    let read = serde_json::from_str::<Value>(text).ok();
    let types: Vec<&str> = match schema.and_then(|schema| schema.get("type")) {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return read.unwrap_or_else(|| text.into()),
    };
    let fits = |value: &Value| match value {
        Value::Null => types.contains(&"null"),
        Value::Bool(_) => types.contains(&"boolean"),
        Value::Number(_) => types.contains(&"number") || types.contains(&"integer"),
        Value::String(_) => types.contains(&"string") && text.starts_with('"'),
        Value::Array(_) => types.contains(&"array"),
        Value::Object(_) => types.contains(&"object"),
    };
    match read.filter(fits) {
        Some(value) if types != ["string"] => value,
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_take_the_schema_s_type() {
        let schema = |kind: Value| json!({ "type": kind });
        assert_eq!(typed("12", Some(&schema(json!("string")))), json!("12"));
        assert_eq!(typed("12", Some(&schema(json!("integer")))), json!(12));
        assert_eq!(typed("true", Some(&schema(json!(["string", "boolean"])))), json!(true));
        assert_eq!(typed("x", Some(&schema(json!("integer")))), json!("x"));
        assert_eq!(typed("[1]", None), json!([1]));
        assert_eq!(typed("a b", None), json!("a b"));
    }

    #[test]
    fn arguments_are_pairs_or_one_object() {
        let words = |words: &[&str]| {
            arguments(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>(), None)
        };
        assert_eq!(
            words(&["a=1", "b=x=y", "c:={\"d\": []}"]).unwrap(),
            json!({"a": 1, "b": "x=y", "c": {"d": []}})
        );
        assert_eq!(words(&["{\"a\": 2}"]).unwrap(), json!({"a": 2}));
        assert_eq!(words(&[]).unwrap(), json!({}));
        assert!(words(&["a"]).unwrap_err().message.contains("NAME=VALUE"));
        assert!(words(&["a:=x"]).unwrap_err().message.contains("not JSON"));
    }
}
