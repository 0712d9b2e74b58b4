//! `tooltest lints`: what is judged.

use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::output;
use clap::{Args, Subcommand};
use serde_json::json;
use std::fmt::Write as _;
use tooltest_core::lints::{Entry, entries, entry};
use tooltest_core::suggest::did_you_mean;

/// The arguments of `tooltest lints`.
#[derive(Debug, Args)]
#[command(
    after_help = "\
Examples:
  tooltest lints
  tooltest lints explain no_crash
  tooltest lints list --json",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct LintsCommand {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: ListArgs,
}

/// What to show.
#[derive(Debug, Subcommand)]
enum Action {
    /// All lints with their default levels.
    List(ListArgs),
    /// All there is to say about one lint.
    Explain {
        /// The lint's id.
        id: String,
    },
}

/// How to list.
#[derive(Debug, Args)]
struct ListArgs {
    /// For machines.
    #[arg(long)]
    json: bool,
}

impl LintsCommand {
    pub(crate) fn run(&self) -> CommandResult {
        match &self.action {
            Some(Action::Explain { id }) => explain(id)?,
            Some(Action::List(list)) if list.json => list_json()?,
            None if self.list.json => list_json()?,
            _ => list()?,
        }
        Ok(exit::PASSED)
    }
}

fn explain(id: &str) -> Result<(), Failure> {
    let id = id.replace('-', "_");
    let found = entry(&id).ok_or_else(|| {
        let meant = did_you_mean(&id, entries().map(|entry| entry.meta.id));
        let meant = meant.map(|meant| format!("; {meant}")).unwrap_or_default();
        Failure::usage(format!("there is no lint `{id}`{meant}"))
            .hint("`tooltest lints` lists them all")
    })?;
    output::print(&tooltest_core::lints::explain(found))
}

fn phase(entry: &Entry) -> String {
    serde_json::to_value(entry.meta.hook.phase())
        .ok()
        .and_then(|phase| phase.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn list() -> Result<(), Failure> {
    let mut out = String::new();
    let width = entries().map(|entry| entry.meta.id.len()).max().unwrap_or(0);
    for entry in entries() {
        let meta = entry.meta;
        let _ = writeln!(
            out,
            "{:width$}  {:8}  {:8}  {}",
            meta.id,
            meta.level.as_str(),
            phase(entry),
            meta.summary()
        );
    }
    output::print(&out)
}

fn list_json() -> Result<(), Failure> {
    let list: Vec<_> = entries()
        .map(|entry| {
            let meta = entry.meta;
            json!({
                "id": meta.id, "level": meta.level, "fixed": meta.fixed, "phase": phase(entry), "summary": meta.summary(), "why": meta.why(),
                "fix": meta.fix, "spec": meta.spec_url(), "since": meta.since, "until": meta.until, "params": (entry.defaults)(),
            })
        })
        .collect();
    output::print(&format!("{}\n", serde_json::to_string_pretty(&list).unwrap_or_default()))
}
