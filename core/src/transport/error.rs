//! Why a server could not be opened.

use crate::exchange::Exit;
use std::time::Duration;
use thiserror::Error;

/// Why no session could be opened. The messages are for people and say what to do.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The program does not exist.
    #[error(
        "cannot start the server: no program `{command}` was found; check the spelling, or give its full path"
    )]
    CommandNotFound {
        /// The program as given.
        command: String,
    },
    /// The program exists but cannot be run.
    #[error(
        "cannot start the server: `{command}` cannot be run ({reason}); check that it is executable and starts with a `#!` line or is a binary for this machine"
    )]
    NotExecutable {
        /// The program as given.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// The working directory does not exist.
    #[error("cannot start the server: the working directory `{cwd}` is not a folder")]
    WorkingDirectory {
        /// The folder as given.
        cwd: String,
    },
    /// The system refused to start a process or thread.
    #[error("cannot start the server `{command}`: {reason}")]
    Spawn {
        /// The program as given.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// The process ended before it answered its first request.
    #[error("the server ended before it answered its first request ({}){}", .exit.summary(), .exit.stderr_quote())]
    ExitedAtOnce {
        /// How it ended, with the end of its standard error.
        exit: Exit,
    },
    /// The server did not answer its first request in time.
    #[error("the server did not answer `{method}` within {} s; give it more time (--startup-timeout), or start it by hand to see what it waits for{}", .after.as_secs_f64(), quote(.stderr))]
    Timeout {
        /// The request.
        method: String,
        /// How long it was waited for.
        after: Duration,
        /// The end of standard error, if there is one.
        stderr: String,
    },
    /// The URL is not one that can be opened.
    #[error("the URL `{url}` cannot be used: {reason}")]
    BadUrl {
        /// The URL as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header cannot be sent.
    #[error(
        "the header `{name}` cannot be sent: its name must be letters, digits and hyphens, its value one line"
    )]
    BadHeader {
        /// The header's name as given.
        name: String,
    },
    /// The host's name has no address, or no route leads there.
    #[error("cannot reach {address}: {reason}; check the host name and the network")]
    Unreachable {
        /// Host and port.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// Nothing listens at the port.
    #[error(
        "nothing answers at {address} (connection refused); start the server first, or check the port"
    )]
    Refused {
        /// Host and port.
        address: String,
    },
    /// The TLS handshake failed.
    #[error(
        "no secure connection to {address}: {reason}; check the certificate, or use http:// for a server without one"
    )]
    Tls {
        /// Host and port.
        address: String,
        /// What the TLS library said.
        reason: String,
    },
    /// The server answered the opening request with an HTTP status that ends everything.
    #[error("the server answered {status} to the opening request{}: {hint}", if .body.is_empty() { String::new() } else { format!(" ({})", .body) })]
    HttpStatus {
        /// The status code.
        status: u16,
        /// The start of the response's body.
        body: String,
        /// What to do.
        hint: String,
    },
    /// The server answered the opening request with a JSON-RPC error.
    #[error("the server refused `{method}` (error {}: {message}); another protocol version may be accepted", code.map_or_else(|| "without a code".to_owned(), |code| code.to_string()))]
    Rejected {
        /// The request.
        method: String,
        /// The error's code.
        code: Option<i64>,
        /// The error's message.
        message: String,
        /// The versions that it said it would accept, if it did.
        supported: Vec<String>,
        /// The HTTP status that came with it, over HTTP.
        status: Option<u16>,
    },
    /// The server does not speak the protocol.
    #[error("the server does not speak MCP: {0}")]
    Protocol(String),
    /// An in-process server could not be connected.
    #[error("the in-process server could not be connected: {0}")]
    Connect(String),
    /// The run was cancelled meanwhile.
    #[error("cancelled")]
    Cancelled,
}

fn quote(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.trim_end().lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let shown = &lines[lines.len().saturating_sub(12)..];
    format!("; its standard error ends with:\n{}", shown.join("\n"))
}

impl Exit {
    /// How it ended, in a few words, for example `exit code 1`.
    pub fn summary(&self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("ended by signal {signal}{}", signal_name(signal)),
            (None, None) if self.detail.is_empty() => "connection closed".to_owned(),
            (None, None) => self.detail.clone(),
        }
    }

    /// The last lines of standard error as a clause to append to a message; empty when there are none.
    pub fn stderr_quote(&self) -> String {
        quote(&self.stderr)
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        2 => " (SIGINT)",
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}
