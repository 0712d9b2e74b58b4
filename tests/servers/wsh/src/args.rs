//! The command line.

use std::net::SocketAddr;

use clap::{Args, Parser, Subcommand};

use crate::app::{Commands, Config};

/// Environment variable that holds the bearer token if `--token` is not given.
pub(crate) const TOKEN_VARIABLE: &str = "WSH_TOKEN";

/// Terminal sessions for agents: real shells in real pseudo terminals, over MCP and HTTP.
#[derive(Debug, Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve MCP on standard input and output, with the HTTP API beside it.
    Mcp {
        /// Address of the HTTP API; port 0 takes a free one, which standard error tells.
        #[arg(long, default_value = "127.0.0.1:0")]
        bind: SocketAddr,
        #[command(flatten)]
        options: Options,
    },
    /// Serve the HTTP API, and MCP at /mcp.
    Serve {
        /// Address to listen on; port 0 takes a free one, which standard error tells.
        #[arg(long, default_value = "127.0.0.1:7681")]
        bind: SocketAddr,
        #[command(flatten)]
        options: Options,
    },
    /// A shell that only repeats lines: safe for tests that type anything. Use it with `--shell echo-shell`.
    EchoShell,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Program of a session that names no command; by default $SHELL, else /bin/sh.
    #[arg(long, value_name = "COMMAND")]
    shell: Option<String>,
    /// Let sessions start any program.
    #[arg(long, conflicts_with = "deny_command")]
    allow_any_command: bool,
    /// Let sessions start this program too; may be repeated.
    #[arg(long, value_name = "PROGRAM")]
    allow_command: Vec<String>,
    /// Let sessions start nothing but the shell and what --allow-command names. This is the default.
    #[arg(long)]
    deny_command: bool,
    /// Bearer token that HTTP requests must bring; needed beyond loopback. The environment variable `WSH_TOKEN` serves too.
    #[arg(long)]
    token: Option<String>,
    /// Silence that counts as idle when a call does not say, in milliseconds.
    #[arg(long, default_value_t = 2000)]
    idle_ms: u32,
    /// Longest time a call may wait, in milliseconds.
    #[arg(long, default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    max_wait_ms: u32,
    /// Lines to keep of what scrolled off each screen.
    #[arg(long, default_value_t = 10_000, value_name = "LINES")]
    scrollback: usize,
    /// Most sessions at a time.
    #[arg(long, default_value_t = 64)]
    max_sessions: usize,
}

impl Options {
    /// The configuration, with what the environment adds. Errors are sentences for people.
    pub(crate) fn config(
        self,
        bind: SocketAddr,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Config, String> {
        let shell =
            self.shell.or_else(|| variable("SHELL")).unwrap_or_else(|| "/bin/sh".to_owned());
        let shell =
            shell_words::split(&shell).map_err(|error| format!("--shell {shell:?}: {error}"))?;
        if shell.is_empty() {
            return Err("--shell is blank".to_owned());
        }
        let token =
            self.token.or_else(|| variable(TOKEN_VARIABLE)).filter(|token| !token.is_empty());
        if token.is_none() && !bind.ip().is_loopback() {
            return Err(format!(
                "{bind} is reachable from elsewhere: give a --token, or bind to 127.0.0.1"
            ));
        }
        Ok(Config {
            shell,
            commands: if self.allow_any_command {
                Commands::Any
            } else {
                Commands::Only(self.allow_command)
            },
            idle_ms: self.idle_ms.min(self.max_wait_ms),
            max_wait_ms: self.max_wait_ms,
            history: self.scrollback,
            max_sessions: self.max_sessions,
            token,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(args: &[&str], bind: &str) -> Result<Config, String> {
        let cli =
            Cli::try_parse_from(["wsh", "serve"].iter().chain(args)).map_err(|e| e.to_string())?;
        let Command::Serve { options, .. } = cli.command else { unreachable!("serve was parsed") };
        options.config(bind.parse().unwrap(), |_| None)
    }

    #[test]
    fn a_token_is_needed_beyond_loopback() {
        assert!(config(&[], "127.0.0.1:1").is_ok());
        assert!(config(&[], "[::1]:1").is_ok());
        assert!(config(&[], "0.0.0.0:1").unwrap_err().contains("--token"));
        assert!(config(&["--token", ""], "0.0.0.0:1").is_err());
        assert_eq!(config(&["--token", "t"], "0.0.0.0:1").unwrap().token.as_deref(), Some("t"));
    }

    #[test]
    fn commands_are_denied_unless_allowed() {
        assert!(
            matches!(config(&[], "127.0.0.1:1").unwrap().commands, Commands::Only(list) if list.is_empty())
        );
        assert!(matches!(
            config(&["--allow-any-command"], "127.0.0.1:1").unwrap().commands,
            Commands::Any
        ));
        assert!(config(&["--allow-any-command", "--deny-command"], "127.0.0.1:1").is_err());
        assert!(config(&["--shell", "' "], "127.0.0.1:1").is_err());
    }
}
