//! `tooltest mcp`: tooltest as an MCP server.

use crate::Host;
use crate::exit;
use crate::failure::{CommandResult, Failure};
use crate::host::{options, random_seed, variable};
use crate::mcp::attach::{Client, TOKEN_VARIABLE, Way, snippet};
use crate::mcp::trust::Policy;
use crate::mcp::{self, Guard, Runs, Server, Trust};
use crate::output;
use crate::runner;
use clap::Args;
use std::net::SocketAddr;
use std::path::Path;
use tooltest_core::RunOptions;
use tooltest_core::session::CancelToken;

/// The arguments of `tooltest mcp`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tooltest mcp                                        for a client that starts it
  tooltest mcp --print-config mcp-json > .mcp.json    the snippet that makes a client start it
  tooltest mcp --http --bind 127.0.0.1:8765           MCP at http://127.0.0.1:8765/mcp

Over standard input and output the client may have anything started, as the user of the command line may. Over HTTP nothing is
started unless a policy allows it, pages of other sites are refused, and an address that other machines reach needs a token.")]
pub(crate) struct McpCommand {
    /// Talk on standard input and output (the default).
    #[arg(long, conflicts_with_all = ["http", "bind"])]
    stdio: bool,
    /// Talk over HTTP instead, at `/mcp`.
    #[arg(long)]
    http: bool,
    /// The address to listen at; port 0 takes a free one, and the address is told on standard error.
    #[arg(long, value_name = "ADDRESS", requires = "http", default_value = "127.0.0.1:8765")]
    bind: SocketAddr,
    /// Every request over HTTP must carry this as `Authorization: Bearer …` [environment: `TSM_TOKEN`]
    #[arg(long, value_name = "TOKEN", requires = "http")]
    token: Option<String>,
    /// Do not run; print the snippet that attaches tooltest to a client.
    #[arg(long, value_name = "CLIENT")]
    print_config: Option<Client>,
}

impl McpCommand {
    pub(crate) fn run(&self, host: &Host) -> CommandResult {
        let runner = runner::from_process()?;
        let configured = runner.as_ref().and_then(|runner| runner.settings().token.clone());
        let given = self.token.clone().or_else(|| variable(TOKEN_VARIABLE));
        let token = given.filter(|token| !token.is_empty()).or(configured);
        if let Some(client) = self.print_config {
            return self.print(client, token.is_some());
        }
        let base = options(host)?;
        let runs = Runs::new(move || RunOptions {
            // Every run ends by itself; the end of the process ends them all.
            cancel: CancelToken::new(),
            random_seed: random_seed(),
            ..base.clone()
        });
        if !self.http {
            let server = Server::new(runs, Trust::Whole).with_runner(runner);
            return mcp::over_stdio(&server, &host.cancel);
        }
        let guard = Guard::new(token, self.bind).map_err(|fault| {
            Failure::usage(fault).hint(format!("give one with --token, or in {TOKEN_VARIABLE}"))
        })?;
        let trust = Trust::Guarded(Policy { commands: runner.as_ref().map(runner::decide) });
        let server = Server::new(runs, trust).with_runner(runner);
        mcp::over_http(&server, guard, self.bind, &host.cancel)
    }

    fn print(&self, client: Client, token: bool) -> CommandResult {
        let way = if self.http {
            Way::Http { url: format!("http://{}/mcp", self.bind), token }
        } else {
            started()?
        };
        let text = serde_json::to_string_pretty(&snippet(client, &way)).unwrap_or_default();
        output::print(&format!("{text}\n"))?;
        Ok(exit::PASSED)
    }
}

/// How a client starts this program: by its name where the PATH has it, else by its place.
fn started() -> Result<Way, Failure> {
    let own = std::env::current_exe().map_err(|error| Failure::file("this program", &error))?;
    let is_ours =
        own.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("tooltest"));
    // In a Python or Node process the command of the same name is meant.
    let path = if is_ours { own.display().to_string() } else { "tooltest".to_owned() };
    let is_found = std::env::var_os("PATH").is_some_and(|folders| {
        std::env::split_paths(&folders).any(|folder| is_program(&folder.join("tooltest")))
    });
    let command = if is_found { "tooltest".to_owned() } else { path.clone() };
    Ok(Way::Stdio { command, path })
}

fn is_program(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}
