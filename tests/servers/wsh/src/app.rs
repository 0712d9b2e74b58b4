//! What all fronts of the server share.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::failure::Failure;
use crate::session::{ElementId, Kind, Registry};

/// What the server's owner decided at the start.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// Program and arguments of a session that names no command.
    pub(crate) shell: Vec<String>,
    pub(crate) commands: Commands,
    /// Silence that counts as idle when a call does not say.
    pub(crate) idle_ms: u32,
    /// Longest time that a call may wait.
    pub(crate) max_wait_ms: u32,
    /// Lines kept that scrolled off.
    pub(crate) history: usize,
    pub(crate) max_sessions: usize,
    /// Bearer token of the HTTP side.
    pub(crate) token: Option<String>,
}

/// Which programs a session may start instead of the shell.
#[derive(Debug, Clone)]
pub(crate) enum Commands {
    Any,
    /// Only programs of these names; usually none.
    Only(Vec<String>),
}

/// The state behind MCP and the HTTP API.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) sessions: Registry,
    elements: AtomicU64,
}

impl App {
    /// A server without sessions.
    pub(crate) fn new(config: Config) -> Self {
        Self { config, sessions: Registry::default(), elements: AtomicU64::new(0) }
    }

    /// An id that no element of this server ever had.
    pub(crate) fn next_element(&self, kind: Kind) -> ElementId {
        ElementId { kind, number: self.elements.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// Program and arguments for a session, if the owner allows it.
    pub(crate) fn argv(&self, command: Option<&str>) -> Result<Vec<String>, Failure> {
        let Some(command) = command else { return Ok(resolved(self.config.shell.clone())) };
        let words = shell_words::split(command).map_err(|error| {
            Failure::Invalid(format!("command {command:?} cannot be split: {error}"))
        })?;
        let Some(program) = words.first() else {
            return Err(Failure::Invalid("command is blank".to_owned()));
        };
        let allowed = match &self.config.commands {
            Commands::Any => true,
            Commands::Only(programs) => words == self.config.shell || programs.contains(program),
        };
        if !allowed {
            return Err(Failure::Forbidden(format!(
                "command {program:?} is not allowed here; leave it out to start the server's shell"
            )));
        }
        Ok(resolved(words))
    }
}

/// `echo-shell` and `wsh echo-shell` mean the one inside this very program.
fn resolved(words: Vec<String>) -> Vec<String> {
    let rest = match words.first().map(String::as_str) {
        Some("echo-shell") => &words[1..],
        Some("wsh") if words.get(1).is_some_and(|word| word == "echo-shell") => &words[2..],
        _ => return words,
    };
    let program = std::env::current_exe()
        .map_or_else(|_| "wsh".into(), |path| path.to_string_lossy().into_owned());
    let mut argv = vec![program, "echo-shell".to_owned()];
    argv.extend_from_slice(rest);
    argv
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(commands: Commands) -> App {
        App::new(Config {
            shell: vec!["sh".into(), "-i".into()],
            commands,
            idle_ms: 1,
            max_wait_ms: 1,
            history: 1,
            max_sessions: 1,
            token: None,
        })
    }

    #[test]
    fn only_the_shell_and_listed_programs_start() {
        let app = app(Commands::Only(vec!["top".into()]));
        assert_eq!(app.argv(None).unwrap(), ["sh", "-i"]);
        assert_eq!(app.argv(Some("sh -i")).unwrap(), ["sh", "-i"]);
        assert_eq!(app.argv(Some("top -b")).unwrap(), ["top", "-b"]);
        assert!(matches!(app.argv(Some("sh")), Err(Failure::Forbidden(_))));
        assert!(matches!(app.argv(Some("rm -rf x")), Err(Failure::Forbidden(_))));
        assert!(matches!(app.argv(Some("'")), Err(Failure::Invalid(_))));
        assert!(matches!(app.argv(Some(" ")), Err(Failure::Invalid(_))));
    }

    #[test]
    fn the_own_echo_shell_is_found_by_name() {
        let argv = app(Commands::Any).argv(Some("echo-shell --plain")).unwrap();
        assert_eq!(argv[1..], ["echo-shell", "--plain"]);
    }
}
