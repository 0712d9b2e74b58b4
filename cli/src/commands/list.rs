//! `tooltest list`: what a server offers.

use crate::Host;
use crate::args::{SessionArgs, TargetArgs};
use crate::exit;
use crate::failure::CommandResult;
use crate::host::{options, with_surroundings};
use crate::{output, terminal};
use clap::Args;
use serde_json::{Value, json};
use tooltest_core::catalog::{Catalog, ListKind};
use tooltest_core::protocol::Revision;
use tooltest_core::report;
use tooltest_core::session::ServerIdentity;

/// The arguments of `tooltest list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest list -- python server.py
  tooltest list https://example.com/mcp --json")]
pub(crate) struct ListCommand {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// The lists as JSON, as the server sent them.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl ListCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let input = with_surroundings(|around| self.session.input(&self.target, around))?;
        let (server, revision, catalog) = tooltest_core::list_blocking(input, &options(host)?)?;
        if self.json {
            let text = serde_json::to_string_pretty(&document(&server, revision, &catalog))
                .unwrap_or_default();
            output::print(&format!("{}\n", report::printable_json(&text)))?;
        } else {
            output::print(&report::offer(
                &server,
                revision,
                &catalog,
                &terminal::human(&host.look),
            ))?;
        }
        Ok(exit::PASSED)
    }
}

/// A snapshot of what a server offers; `tooltest diff` compares two of them.
pub(crate) fn document(server: &ServerIdentity, revision: Revision, catalog: &Catalog) -> Value {
    let mut document = json!({
        "server": {"name": server.name, "version": server.version},
        "revision": revision,
        "capabilities": server.capabilities,
        "instructions": server.instructions,
    });
    for kind in ListKind::ALL {
        document[kind.member()] = catalog.items(kind).cloned().collect();
    }
    document
}
