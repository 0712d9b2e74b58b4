//! What may run: one place that says yes or no, before anything is started.

use super::audit::Attempt;
use super::error::{Code, Refusal, names, shown};
use super::settings::Settings;
use super::{arguments, environment};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The longest time-out that a call may ask for.
pub(crate) const LONGEST_TIMEOUT_MS: u64 = 3_600_000;
/// How many bytes a path may have.
const LONGEST_PATH: usize = 4096;

/// A script that may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    /// Its path under the root, with `/`.
    pub(crate) name: String,
}

impl Script {
    /// The script at `path`, which is under one of the spellings of the root or relative to it; none where it leaves it.
    pub(crate) fn named(path: &str, roots: [&Path; 2]) -> Option<Self> {
        let path = Path::new(path);
        let under = || roots.iter().find_map(|root| path.strip_prefix(root).ok());
        let inside = if path.is_absolute() { under()? } else { path };
        let mut parts = Vec::new();
        for part in inside.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        (!parts.is_empty()).then(|| Self { name: parts.join("/") })
    }
}

/// What a caller asks to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScriptRequest {
    /// The script: one of the paths that `list_allowed` gives.
    #[schemars(length(min = 1, max = 4096))]
    pub(crate) path: String,
    /// Its arguments, each an allowed name, `name=value`, or the value of the name before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64), inner(length(max = 4096)))]
    pub(crate) args: Vec<String>,
    /// Variables for it, of the allowed names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) env: BTreeMap<String, String>,
    /// Milliseconds after which it is ended with everything that it started.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    #[schemars(range(min = 1, max = 3_600_000))]
    pub(crate) timeout_ms: Option<u64>,
}

/// What of a request is known where it cannot be read.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    path: String,
    args: Vec<String>,
}

impl Asked {
    /// What a document that is no request asks for.
    pub(super) fn of(document: &Value) -> Self {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let args = document.get("args").and_then(Value::as_array);
        Self {
            path: document.get("path").map(text).unwrap_or_default(),
            args: args.into_iter().flatten().map(text).collect(),
        }
    }

    /// The attempt that it was.
    pub(crate) fn by(self, tool: &'static str, requester: Option<String>) -> Attempt {
        Attempt { tool, path: self.path, args: self.args, requester }
    }
}

impl ScriptRequest {
    /// Reads a request; where that fails, what was asked and why it is refused.
    pub(crate) fn read(document: Value) -> Result<Self, (Asked, Refusal)> {
        let asked = Asked::of(&document);
        serde_json::from_value(document).map_err(|error| {
            let refusal = Refusal::bad_arg(format!(
                "{error}; allowed are `path` (a string), `args` (strings), `env` (strings by name), `timeout_ms` (a whole number)"
            ));
            (asked, refusal)
        })
    }
}

/// A whole number, also one that is written with a zero fraction.
fn whole<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(source)? else { return Ok(None) };
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
        // Every u64 that a float can hold without a fraction is written without an exponent this way.
        format!("{:.0}", float?).parse().ok()
    });
    whole.map(Some).ok_or_else(|| {
        serde::de::Error::custom(format!(
            "timeout_ms is {number}; allowed are whole numbers from 1 to {LONGEST_TIMEOUT_MS}"
        ))
    })
}

/// A call that the policy allows, ready to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Approved {
    /// The script's file, links followed.
    pub(crate) program: PathBuf,
    /// The folder that the file is in.
    pub(crate) folder: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// Its whole environment.
    pub(crate) env: BTreeMap<String, String>,
    /// How long it may take.
    pub(crate) timeout: Duration,
}

/// What may run.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    settings: Settings,
}

impl Policy {
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// What the policy was made of.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The call, ready to start, or why it is refused.
    pub(crate) fn approve(&self, request: &ScriptRequest) -> Result<Approved, Refusal> {
        let settings = &self.settings;
        let program = self.script(&request.path)?;
        let args = arguments::check(&request.args, &settings.args)?;
        let env = environment::build(&request.env, &settings.variables, &settings.inherited)?;
        let timeout = self.timeout(request.timeout_ms)?;
        let folder = program.parent().unwrap_or(&settings.root).to_owned();
        Ok(Approved { program, folder, args, env, timeout })
    }

    /// The file of a script on the list. Its links are followed now, so that a link made after the start leads nowhere else.
    fn script(&self, path: &str) -> Result<PathBuf, Refusal> {
        let Settings { root, root_as_named, scripts, .. } = &self.settings;
        let asked = (path.len() <= LONGEST_PATH
            && !path.contains(|letter: char| letter.is_control()))
        .then(|| Script::named(path, [root, root_as_named]))
        .flatten();
        let Some(script) = asked.filter(|script| scripts.contains(script)) else {
            let known = names(scripts.iter().map(|script| script.name.as_str()));
            return Err(Refusal::forbidden(format!(
                "{} is not on the list of scripts; allowed are: {known}",
                shown(path)
            )));
        };
        let listed = root.join(&script.name);
        let file = listed.canonicalize().map_err(|error| {
            let name = &script.name;
            Refusal::new(
                Code::Exec,
                format!(
                    "the script `{name}` is allowed and cannot be opened: {}",
                    crate::failure::plain(&error)
                ),
            )
        })?;
        if !file.starts_with(root) {
            return Err(Refusal::forbidden(format!(
                "the script `{}` is a link that leaves the allowed root; allowed are files under {}",
                script.name,
                root.display()
            )));
        }
        if !file.is_file() {
            return Err(Refusal::forbidden(format!(
                "the script `{}` is not a regular file; allowed are regular files",
                script.name
            )));
        }
        Ok(file)
    }

    fn timeout(&self, asked: Option<u64>) -> Result<Duration, Refusal> {
        let milliseconds = asked.unwrap_or(self.settings.timeout_ms);
        if (1..=LONGEST_TIMEOUT_MS).contains(&milliseconds) {
            return Ok(Duration::from_millis(milliseconds));
        }
        Err(Refusal::bad_arg(format!(
            "timeout_ms is {milliseconds}; allowed are whole numbers from 1 to {LONGEST_TIMEOUT_MS}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::Sources;
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;
    use tooltest_core::config::RunnerConfig;

    fn policy(scripts: &[&str]) -> (TempDir, Policy) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(folder.path().join("outside.sh"), "#!/bin/sh\n").unwrap();
        for name in ["ok.sh", "sub/deep.sh", "other.sh"] {
            fs::write(root.join(name), "#!/bin/sh\n").unwrap();
        }
        symlink("../outside.sh", root.join("leaves.sh")).unwrap();
        symlink("ok.sh", root.join("link.sh")).unwrap();
        symlink("..", root.join("up")).unwrap();
        let config = RunnerConfig {
            allowed_root: Some("root".to_owned()),
            allowed_scripts: scripts.iter().map(|&name| name.to_owned()).collect(),
            ..RunnerConfig::default()
        };
        let settings = Settings::read(&Sources {
            file: Some((&config, folder.path())),
            variable: &|_| None,
            folder: folder.path(),
        });
        let policy = Policy::new(settings.unwrap().unwrap());
        (folder, policy)
    }

    fn ask(policy: &Policy, path: &str) -> Result<Approved, Refusal> {
        policy.approve(&ScriptRequest { path: path.to_owned(), ..ScriptRequest::default() })
    }

    #[test]
    fn listed_scripts_are_found_by_any_plain_spelling() {
        let (_folder, policy) = policy(&["ok.sh", "sub/deep.sh", "link.sh"]);
        let root = policy.settings().root.clone();
        for path in
            ["ok.sh", "./ok.sh", ".//ok.sh", root.join("ok.sh").to_str().unwrap(), "link.sh"]
        {
            assert_eq!(ask(&policy, path).unwrap().program, root.join("ok.sh"), "{path}");
        }
        let deep = ask(&policy, "sub/deep.sh").unwrap();
        assert_eq!((deep.folder, deep.timeout), (root.join("sub"), Duration::from_secs(90)));
    }

    #[test]
    fn whatever_is_not_on_the_list_or_leaves_the_root_is_forbidden() {
        let (folder, policy) = policy(&["ok.sh", "leaves.sh", "up/outside.sh", "sub"]);
        let outside = folder.path().join("outside.sh");
        for path in [
            "other.sh",
            "link.sh",
            "../outside.sh",
            "sub/../ok.sh",
            "sub/../../outside.sh",
            "leaves.sh",
            "up/outside.sh",
            "up/root/ok.sh",
            "sub",
            outside.to_str().unwrap(),
            "/bin/sh",
            "",
            ".",
            "/",
            "ok.sh\0",
            "ok.sh\n",
            " ok.sh",
            "OK.sh",
            &"x/".repeat(5000),
        ] {
            let refusal = ask(&policy, path).unwrap_err();
            assert_eq!(refusal.code, Code::Forbidden, "{path:?}");
            assert!(refusal.message.contains("allowed are"), "{refusal}");
        }
        assert!(ask(&policy, "other.sh").unwrap_err().message.contains("`ok.sh`, `leaves.sh`"));
    }

    #[test]
    fn a_script_that_turns_into_a_link_outward_is_refused_from_then_on() {
        let (_folder, policy) = policy(&["ok.sh", "gone.sh"]);
        assert!(ask(&policy, "ok.sh").is_ok());
        let file = policy.settings().root.join("ok.sh");
        fs::remove_file(&file).unwrap();
        symlink("/bin/sh", &file).unwrap();
        assert_eq!(ask(&policy, "ok.sh").unwrap_err().code, Code::Forbidden);
        assert_eq!(ask(&policy, "gone.sh").unwrap_err().code, Code::Exec);
    }

    #[test]
    fn the_time_out_has_a_range_and_may_be_written_as_a_float() {
        let (_folder, policy) = policy(&["ok.sh"]);
        let read = |text: &str| {
            let request = format!("{{\"path\": \"ok.sh\", \"timeout_ms\": {text}}}");
            serde_json::from_str::<ScriptRequest>(&request)
        };
        for (text, expected) in
            [("5", Some(5)), ("5.0", Some(5)), ("3.6e6", Some(3_600_000)), ("null", None)]
        {
            assert_eq!(read(text).unwrap().timeout_ms, expected, "{text}");
        }
        for text in ["-1", "1.5", "\"5\"", "1e300"] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["0", "3600001"] {
            assert_eq!(policy.approve(&read(text).unwrap()).unwrap_err().code, Code::BadArg);
        }
        assert!(
            serde_json::from_str::<ScriptRequest>("{\"path\": \"a\", \"cwd\": \"/\"}").is_err()
        );
    }
}
