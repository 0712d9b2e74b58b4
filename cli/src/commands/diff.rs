//! `tooltest diff`: what changed in what a server offers, and whether clients can bear it.

use super::list::document;
use crate::Host;
use crate::args::{SessionArgs, read};
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::options;
use crate::output;
use crate::terminal::Stream;
use clap::Args;
use serde_json::{Value, json};
use tooltest_core::diff::{Impact, diff, render};
use tooltest_core::report::printable_json;
use tooltest_core::target::split_words;

/// The arguments of `tooltest diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest list --json -- python server.py > offered.json
  tooltest diff offered.json cmd:'python server.py'
  tooltest diff old-result.json https://staging.example.com/mcp --json

A side is a file (a result of `run`, what `list --json` writes, or an answer to tools/list), a URL, or cmd:COMMAND LINE.
The exit code is 1 where a change is breaking.")]
pub(crate) struct DiffCommand {
    /// The old side: a file, a URL, or cmd:COMMAND LINE.
    old: String,
    /// The new side, given in the same way.
    new: String,
    #[command(flatten)]
    session: SessionArgs,
    /// The changes as JSON.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl DiffCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let (old, new) = (self.snapshot(&self.old, host)?, self.snapshot(&self.new, host)?);
        let changes = diff(&old, &new);
        if self.json {
            let text = serde_json::to_string_pretty(&changes).unwrap_or_default();
            output::print(&format!("{}\n", printable_json(&text)))?;
        } else {
            output::print(&render(&changes, Stream::Out.colour(&host.look)))?;
        }
        let breaking = changes.iter().any(|change| change.impact == Impact::Breaking);
        Ok(if breaking { exit::FINDINGS } else { exit::PASSED })
    }

    /// What one side offers.
    fn snapshot(&self, side: &str, host: &Host) -> Result<Value, Failure> {
        let target = if let Some(line) = side.strip_prefix("cmd:") {
            let mut words =
                split_words(line).map_err(|error| Failure::usage(format!("{side}: {error}")))?;
            if words.is_empty() {
                return Err(Failure::usage("cmd: is not followed by a command"));
            }
            let command = words.remove(0);
            json!({"stdio": {"command": command, "args": words}})
        } else if side.contains("://") {
            json!({"http": {"url": side}})
        } else {
            return from_file(side);
        };
        let input = self.session.input_for(target)?;
        let (server, revision, catalog) = tooltest_core::list_blocking(input, &options(host)?)?;
        Ok(document(&server, revision, &catalog))
    }
}

/// The snapshot in a file, whichever of our own documents or protocol answers it is.
fn from_file(path: &str) -> Result<Value, Failure> {
    let text = read(path)?;
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{path} is not JSON: {error}")))?;
    let candidates = [document.get("offered"), document.get("result"), Some(&document)];
    let lists = |value: &&Value| {
        ["tools", "resources", "resourceTemplates", "prompts"]
            .iter()
            .any(|list| value.get(list).is_some_and(Value::is_array))
    };
    let found = candidates.into_iter().flatten().find(lists).cloned();
    found.ok_or_else(|| {
        Failure::usage(format!("{path} holds no lists of tools, resources or prompts"))
            .hint("`tooltest list --json` writes such a file")
    })
}
