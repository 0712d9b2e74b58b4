//! How the runner is set up: `[runner]` of `tooltest.toml`, and variables with the prefix `TSM_`, which win.

use super::environment::is_name;
use super::error::{names, shown};
use super::policy::{LONGEST_TIMEOUT_MS, Script};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tooltest_core::config::RunnerConfig;

/// Where audit logs are written where nothing else is said, in the working folder.
const LOG_DIR: &str = ".tooltest/log";

/// Everything that the runner may do, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The folder that every script is in, links followed.
    pub(crate) root: PathBuf,
    /// The same folder as it was named, links and all.
    pub(crate) root_as_named: PathBuf,
    /// The scripts that may run.
    pub(crate) scripts: Vec<Script>,
    /// The names of arguments that scripts may get.
    pub(crate) args: Vec<String>,
    /// The names of variables that scripts may get.
    pub(crate) variables: Vec<String>,
    /// The variables on the list as tooltest itself has them.
    pub(crate) inherited: BTreeMap<String, String>,
    /// Milliseconds after which a script is ended where the call does not say.
    pub(crate) timeout_ms: u64,
    /// Bytes of output kept of a script.
    pub(crate) max_output_bytes: usize,
    /// Bytes kept of a line.
    pub(crate) max_line_bytes: usize,
    /// The folder of the audit log.
    pub(crate) log_dir: PathBuf,
    /// How much is said on standard error.
    pub(crate) log_level: Level,
    /// The bearer token of the HTTP endpoints.
    pub(crate) token: Option<String>,
}

/// How much is said on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// What keeps the runner from working.
    Error,
    /// Refused attempts, too.
    Warn,
    /// Every attempt.
    Info,
    /// Every attempt with its arguments.
    Debug,
}

impl Level {
    fn read(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "error" => Self::Error,
            "warn" | "warning" => Self::Warn,
            "info" => Self::Info,
            "debug" => Self::Debug,
            _ => return None,
        })
    }
}

/// Where settings come from.
pub(crate) struct Sources<'a> {
    /// `[runner]` of the configuration in force, with the folder of its file.
    pub(crate) file: Option<(&'a RunnerConfig, &'a Path)>,
    /// The variables of the process.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<String>,
    /// The working folder.
    pub(crate) folder: &'a Path,
}

impl Settings {
    /// The settings, or none where neither a file nor a variable turns the runner on. An error is one sentence.
    pub(crate) fn read(sources: &Sources<'_>) -> Result<Option<Self>, String> {
        let set = |name: &str| (sources.variable)(name).filter(|value| !value.trim().is_empty());
        let turned_on =
            ["TSM_ALLOWED_ROOT", "TSM_ALLOWED_SCRIPTS"].into_iter().any(|name| set(name).is_some());
        if sources.file.is_none() && !turned_on {
            return Ok(None);
        }
        let (mut config, base) =
            sources.file.map_or((RunnerConfig::default(), sources.folder), |(config, base)| {
                (config.clone(), base)
            });
        overlay(&mut config, &set)?;
        // What a variable says is relative to the working folder, what a file says to the file's.
        let base_of = |name: &str| if set(name).is_some() { sources.folder } else { base };
        let (root, root_as_named) =
            root(config.allowed_root.as_deref(), base_of("TSM_ALLOWED_ROOT"))?;
        let log_dir = match config.log_dir.as_deref() {
            Some(dir) => base_of("TSM_LOG_DIR").join(dir),
            None => sources.folder.join(LOG_DIR),
        };
        let inherited = |name: &String| Some((name.clone(), (sources.variable)(name)?));
        Ok(Some(Self {
            scripts: scripts(&config.allowed_scripts, [&root, &root_as_named])?,
            args: argument_names(config.allowed_args)?,
            inherited: config.env_allowlist.iter().filter_map(inherited).collect(),
            variables: variable_names(config.env_allowlist)?,
            timeout_ms: bounded("timeout_ms_default", config.timeout_ms_default, LONGEST_TIMEOUT_MS)?,
            max_output_bytes: bytes("max_output_bytes", config.max_output_bytes, 1 << 28)?,
            max_line_bytes: bytes("max_line_bytes", config.max_line_bytes, 1 << 24)?,
            log_dir,
            log_level: Level::read(&config.log_level).ok_or_else(|| {
                format!(
                    "`log_level` of `[runner]` (TSM_LOG_LEVEL) is {}; allowed are `error`, `warn`, `info`, `debug`",
                    shown(&config.log_level)
                )
            })?,
            token: config.token.filter(|token| !token.is_empty()),
            root,
            root_as_named,
        }))
    }
}

/// Puts the variables over what a file says.
fn overlay(config: &mut RunnerConfig, set: &dyn Fn(&str) -> Option<String>) -> Result<(), String> {
    let text = |name: &str, field: &mut Option<String>| {
        if let Some(value) = set(name) {
            *field = Some(value);
        }
    };
    text("TSM_ALLOWED_ROOT", &mut config.allowed_root);
    text("TSM_LOG_DIR", &mut config.log_dir);
    text("TSM_TOKEN", &mut config.token);
    if let Some(level) = set("TSM_LOG_LEVEL") {
        config.log_level = level;
    }
    let list = |name: &str, field: &mut Vec<String>| -> Result<(), String> {
        if let Some(value) = set(name) {
            *field = split(name, &value)?;
        }
        Ok(())
    };
    list("TSM_ALLOWED_SCRIPTS", &mut config.allowed_scripts)?;
    list("TSM_ALLOWED_ARGS", &mut config.allowed_args)?;
    list("TSM_ENV_ALLOWLIST", &mut config.env_allowlist)?;
    let number = |name: &str, field: &mut u64| -> Result<(), String> {
        if let Some(value) = set(name) {
            *field = value.trim().parse().map_err(|_| {
                format!("{name} is {}; allowed is a whole number of 1 or more", shown(&value))
            })?;
        }
        Ok(())
    };
    number("TSM_TIMEOUT_MS_DEFAULT", &mut config.timeout_ms_default)?;
    number("TSM_MAX_OUTPUT_BYTES", &mut config.max_output_bytes)?;
    number("TSM_MAX_LINE_BYTES", &mut config.max_line_bytes)
}

/// A list in a variable: a JSON array of strings, or names with commas between them.
fn split(name: &str, value: &str) -> Result<Vec<String>, String> {
    if value.trim_start().starts_with('[') {
        return serde_json::from_str(value).map_err(|error| {
            format!("{name} starts as a JSON array of strings and is none: {error}")
        });
    }
    let items = value.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty());
    Ok(items.map(str::to_owned).collect())
}

/// The root, links followed, and as it is named.
fn root(given: Option<&str>, base: &Path) -> Result<(PathBuf, PathBuf), String> {
    let Some(given) = given else {
        return Err("the runner has no `allowed_root` (TSM_ALLOWED_ROOT): name the folder that scripts are in".to_owned());
    };
    let path = base.join(given);
    match path.canonicalize() {
        Ok(root) if root.is_dir() => Ok((root, path)),
        Ok(_) => Err(format!("`allowed_root` of the runner is no folder: {}", path.display())),
        Err(error) => Err(format!(
            "`allowed_root` of the runner: {}: {}",
            path.display(),
            crate::failure::plain(&error)
        )),
    }
}

fn scripts(given: &[String], roots: [&Path; 2]) -> Result<Vec<Script>, String> {
    let mut scripts: Vec<Script> = Vec::new();
    for path in given {
        let script = Script::named(path, roots).ok_or_else(|| {
            format!(
                "`allowed_scripts` of the runner: {} is no path under {} (`..` is not allowed)",
                shown(path),
                roots[0].display()
            )
        })?;
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    Ok(scripts)
}

fn argument_names(given: Vec<String>) -> Result<Vec<String>, String> {
    let is_bad = |name: &&String| {
        name.trim_start_matches('-').is_empty()
            || name.contains(|letter: char| {
                letter == '=' || letter.is_whitespace() || letter.is_control()
            })
    };
    match given.iter().find(is_bad) {
        Some(bad) => Err(format!(
            "`allowed_args` of the runner: {} is no name of an argument; write it as in `--port`, without a value",
            shown(bad)
        )),
        None => Ok(given),
    }
}

fn variable_names(given: Vec<String>) -> Result<Vec<String>, String> {
    match given.iter().find(|name| !is_name(name)) {
        Some(bad) => Err(format!(
            "`env_allowlist` of the runner: {} is not allowed; names have letters, digits and `_`, and do not start with `TSM_` ({} would be)",
            shown(bad),
            names(["LANG", "MY_MODE"])
        )),
        None => Ok(given),
    }
}

fn bounded(name: &str, value: u64, most: u64) -> Result<u64, String> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(format!("`{name}` of the runner is {value}; allowed are whole numbers from 1 to {most}"))
}

fn bytes(name: &str, value: u64, most: u64) -> Result<usize, String> {
    let value = bounded(name, value, most)?;
    usize::try_from(value).map_err(|_| format!("`{name}` of the runner is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        file: Option<&RunnerConfig>,
        variables: &[(&str, &str)],
        folder: &Path,
    ) -> Result<Option<Settings>, String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Settings::read(&Sources {
            file: file.map(|config| (config, folder)),
            variable: &variable,
            folder,
        })
    }

    #[test]
    fn nothing_turns_it_on_but_a_table_or_a_root() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(None, &[("TSM_TOKEN", "t")], folder.path()).unwrap(), None);
        assert_eq!(read(None, &[("TSM_ALLOWED_ROOT", " ")], folder.path()).unwrap(), None);
        let settings = read(None, &[("TSM_ALLOWED_ROOT", ".")], folder.path()).unwrap().unwrap();
        assert_eq!(settings.scripts, []);
        assert_eq!(
            (settings.timeout_ms, settings.max_output_bytes, settings.max_line_bytes),
            (90_000, 262_144, 8192)
        );
        assert!(settings.log_dir.ends_with(".tooltest/log"));
        let message = read(Some(&RunnerConfig::default()), &[], folder.path()).unwrap_err();
        assert!(message.contains("no `allowed_root`"), "{message}");
    }

    #[test]
    fn variables_win_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("s")).unwrap();
        let file = RunnerConfig {
            allowed_root: Some("nowhere".to_owned()),
            allowed_scripts: vec!["a.sh".to_owned()],
            allowed_args: vec!["--a".to_owned()],
            ..RunnerConfig::default()
        };
        let named = folder.path().join("link/b.sh");
        std::os::unix::fs::symlink("s", folder.path().join("link")).unwrap();
        let variables = [
            ("TSM_ALLOWED_ROOT", "link"),
            ("TSM_ALLOWED_SCRIPTS", &format!("b.sh, ./c/d.sh,{}", named.display())),
            ("TSM_ENV_ALLOWLIST", "[\"LANG\", \"NOT_SET\"]"),
            ("LANG", "C"),
            ("TSM_MAX_OUTPUT_BYTES", "10"),
            ("TSM_LOG_LEVEL", "WARN"),
            ("TSM_TOKEN", "secret"),
        ];
        let settings = read(Some(&file), &variables, folder.path()).unwrap().unwrap();
        assert_eq!(settings.root, folder.path().canonicalize().unwrap().join("s"));
        let names: Vec<&str> = settings.scripts.iter().map(|script| script.name.as_str()).collect();
        assert_eq!(names, ["b.sh", "c/d.sh"]);
        assert_eq!(settings.args, ["--a"]);
        assert_eq!(settings.variables, ["LANG", "NOT_SET"]);
        assert_eq!(settings.inherited, BTreeMap::from([("LANG".to_owned(), "C".to_owned())]));
        assert_eq!((settings.max_output_bytes, settings.log_level), (10, Level::Warn));
        assert_eq!(settings.token.as_deref(), Some("secret"));
    }

    #[test]
    fn a_setting_that_cannot_be_meant_is_explained() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        for (name, value, expected) in [
            ("TSM_ALLOWED_ROOT", "missing", "no such file"),
            ("TSM_ALLOWED_ROOT", "file", "is no folder"),
            ("TSM_ALLOWED_SCRIPTS", "../a.sh", "no path under"),
            ("TSM_ALLOWED_SCRIPTS", "/bin/sh", "no path under"),
            ("TSM_ALLOWED_SCRIPTS", "[1]", "JSON array of strings"),
            ("TSM_ALLOWED_ARGS", "--a=1", "is no name of an argument"),
            ("TSM_ALLOWED_ARGS", "--", "is no name of an argument"),
            ("TSM_ENV_ALLOWLIST", "TSM_TOKEN", "is not allowed"),
            ("TSM_TIMEOUT_MS_DEFAULT", "0", "from 1 to 3600000"),
            ("TSM_MAX_LINE_BYTES", "x", "whole number"),
            ("TSM_LOG_LEVEL", "loud", "`error`, `warn`"),
        ] {
            let variables = [(name, value), ("TSM_ALLOWED_ROOT", ".")];
            let message = read(None, &variables, folder.path()).unwrap_err();
            assert!(message.contains(expected), "{name}={value}: {message}");
        }
    }
}
