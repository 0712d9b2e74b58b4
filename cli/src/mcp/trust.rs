//! What a client may have started. On standard input and output the client is the program that started us and is trusted as the
//! command line's user is; over HTTP a policy decides.

use std::fmt;
use std::path::{Component, Path};
use std::sync::Arc;
use tooltest_core::TooltestInput;
use tooltest_core::input::{StdioTarget, Target};

/// What a client may have started.
#[derive(Clone)]
pub(crate) enum Trust {
    /// Everything.
    Whole,
    /// What a policy allows.
    Guarded(Policy),
}

/// Decides about a command with its arguments, environment and folder; gives the one to start.
pub(crate) type Decide = Arc<dyn Fn(&StdioTarget) -> Result<StdioTarget, Refusal> + Send + Sync>;

/// What clients over HTTP may have started.
#[derive(Clone, Default)]
pub(crate) struct Policy {
    /// Decides about commands; nothing is started where there is none.
    pub(crate) commands: Option<Decide>,
}

/// Why something is not started, and how it could be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether the policy lets a target be started; puts in its place what is started. Endpoints that run already are not started.
pub(crate) fn may_start(policy: &Policy, target: &mut Target) -> Result<(), Refusal> {
    let Target::Stdio(command) = target else { return Ok(()) };
    match &policy.commands {
        Some(decide) => {
            *command = decide(command)?;
            Ok(())
        }
        None => Err(Refusal(
            "target.stdio: over HTTP no command is started unless the policy of the guarded runner ([runner] in tooltest.toml) allows it; \
             allow the script there, start tooltest with `tooltest mcp --stdio`, or start the server yourself and give its address as target.http.url"
                .to_owned(),
        )),
    }
}

impl Trust {
    /// Whether a run may be carried out with all that it starts, reads and writes.
    pub(crate) fn may_run(&self, input: &mut TooltestInput) -> Result<(), Refusal> {
        let Self::Guarded(policy) = self else { return Ok(()) };
        may_start(policy, &mut input.target)?;
        if !input.pre_run_hook.is_empty() {
            return Err(Refusal(
                "pre_run_hook: commands of a client are not run over HTTP; leave it out, or use `tooltest mcp --stdio`".to_owned(),
            ));
        }
        let paths = [
            ("config", input.config.as_deref()),
            ("fixture_dir", input.fixture_dir.as_deref()),
            ("failure_dir", Some(input.failure_dir.as_str())),
        ];
        paths
            .into_iter()
            .try_for_each(|(field, path)| self.may_touch(field, path.unwrap_or_default()))
    }

    /// Whether a path that a client names may be read or written.
    pub(crate) fn may_touch(&self, field: &str, path: &str) -> Result<(), Refusal> {
        let inside = |path: &Path| {
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        match self {
            Self::Guarded(_) if !inside(Path::new(path)) => Err(Refusal(format!(
                "{field}: over HTTP a path must lie inside the folder that tooltest runs in: relative, without `..`"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn refusal(trust: &Trust, document: Value) -> String {
        let mut input = TooltestInput::from_value(document).unwrap();
        trust.may_run(&mut input).err().map(|refusal| refusal.0).unwrap_or_default()
    }

    #[test]
    fn over_http_nothing_is_started_without_a_policy() {
        let trust = Trust::Guarded(Policy::default());
        let stdio = json!({"target": {"stdio": {"command": "sh"}}});
        assert!(refusal(&trust, stdio.clone()).contains("[runner]"));
        assert_eq!(refusal(&Trust::Whole, stdio), "");
        let http = json!({"target": {"http": {"url": "http://127.0.0.1:1/mcp"}}});
        assert_eq!(refusal(&trust, http), "");
    }

    #[test]
    fn hooks_and_paths_are_ways_to_start_and_write_too() {
        let trust = Trust::Guarded(Policy::default());
        let with = |field: &str, value: Value| {
            let mut document = json!({"target": {"http": {"url": "http://127.0.0.1:1/mcp"}}});
            document[field] = value;
            document
        };
        for (field, value) in [
            ("pre_run_hook", json!(["rm", "-r", "."])),
            ("failure_dir", json!("/tmp/x")),
            ("failure_dir", json!("a/../../b")),
            ("config", json!("../tooltest.toml")),
        ] {
            let document = with(field, value);
            assert!(refusal(&trust, document.clone()).starts_with(field), "{document}");
            assert_eq!(refusal(&Trust::Whole, document), "");
        }
        assert_eq!(refusal(&trust, with("failure_dir", json!("./kept/failures"))), "");
        assert_eq!(refusal(&trust, with("failure_dir", json!(""))), "");
    }

    #[test]
    fn a_policy_decides_about_the_whole_command() {
        let decide: Decide = Arc::new(|command| {
            if command.command == "./server" && command.args.is_empty() {
                Ok(StdioTarget { cwd: Some("/elsewhere".to_owned()), ..command.clone() })
            } else {
                Err(Refusal("not this one".to_owned()))
            }
        });
        let trust = Trust::Guarded(Policy { commands: Some(decide) });
        let allowed = json!({"target": {"stdio": {"command": "./server"}}});
        let mut input = TooltestInput::from_value(allowed).unwrap();
        trust.may_run(&mut input).unwrap();
        let Target::Stdio(started) = input.target else { panic!("a command") };
        assert_eq!(started.cwd.as_deref(), Some("/elsewhere"), "what was decided is started");
        let other = json!({"target": {"stdio": {"command": "./server", "args": ["-x"]}}});
        assert_eq!(refusal(&trust, other), "not this one");
    }
}
