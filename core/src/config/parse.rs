//! Reads a `tooltest.toml`. Every fault has a line and, where there is one, a suggestion.

use super::document::{Document, kind};
use super::{Config, ConfigError, LintConfig, RunnerConfig, VERSION};
use crate::lints::{Entry, Level, entries, entry};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const LEVELS: [&str; 3] = ["error", "warning", "disabled"];

/// Reads a configuration; `path` is what errors call it. One that says nothing about lints leaves them as they are built in.
pub fn parse(text: &str, path: &str) -> Result<Config, ConfigError> {
    let document = Document { text, path };
    let root = DeTable::parse(text).map_err(|error| {
        document.fault(error.span().map_or(0, |span| span.start), error.message().trim())
    })?;
    let mut config = Config::built_in();
    for (key, value) in root.get_ref() {
        match key.get_ref().as_ref() {
            "version" => config.version = version(&document, value)?,
            "lints" => config.lints = lints(&document, value)?,
            "runner" => config.runner = Some(runner(&document, value)?),
            name => {
                let message = format!("unknown key `{name}`");
                let known = ["version", "lints", "runner"];
                return Err(document.unknown(key.span().start, message, name, known));
            }
        }
    }
    Ok(config)
}

fn version(document: &Document<'_>, value: &Spanned<DeValue<'_>>) -> Result<u32, ConfigError> {
    let fault = |message: String| document.fault(value.span().start, message);
    let DeValue::Integer(number) = value.get_ref() else {
        return Err(fault(format!("`version` must be {VERSION}, not {}", kind(value.get_ref()))));
    };
    match u32::from_str_radix(number.as_str(), number.radix()) {
        Ok(VERSION) => Ok(VERSION),
        _ => Err(fault(format!(
            "version {} of the file is not supported; this tooltest reads version {VERSION}",
            number.as_str()
        ))),
    }
}

fn lints(
    document: &Document<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<LintConfig>, ConfigError> {
    let fault = |offset: usize, found: &DeValue<'_>| {
        let message = format!("`lints` must be an array of tables, not {}", kind(found));
        let mut fault = document.fault(offset, message);
        fault.suggestion = Some("write `[[lints]]` with `id` and `level` below it".to_owned());
        fault
    };
    let DeValue::Array(items) = value.get_ref() else {
        return Err(fault(value.span().start, value.get_ref()));
    };
    let mut lints: Vec<LintConfig> = Vec::new();
    for item in items {
        let DeValue::Table(table) = item.get_ref() else {
            return Err(fault(item.span().start, item.get_ref()));
        };
        let lint = lint(document, table, item.span().start)?;
        if lints.iter().any(|other| other.id == lint.id) {
            let offset = table.get("id").map_or(item.span().start, |id| id.span().start);
            let mut fault = document.fault(offset, format!("`{}` is listed twice", lint.id));
            fault.suggestion = Some("keep one of the two".to_owned());
            return Err(fault);
        }
        lints.push(lint);
    }
    Ok(lints)
}

fn lint(
    document: &Document<'_>,
    table: &DeTable<'_>,
    offset: usize,
) -> Result<LintConfig, ConfigError> {
    let known = ["id", "level", "params"];
    if let Some((key, _)) = table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
        let name = key.get_ref().as_ref();
        let message = format!("`[[lints]]` has no key `{name}`");
        return Err(document.unknown(key.span().start, message, name, known));
    }
    let entry = id(document, table, offset)?;
    let level = level(document, table, offset, entry)?;
    let params = match table.get("params") {
        None => Value::Object(serde_json::Map::new()),
        Some(value) => params(document, value, entry)?,
    };
    Ok(LintConfig { id: entry.meta.id, level, params })
}

fn id(
    document: &Document<'_>,
    table: &DeTable<'_>,
    offset: usize,
) -> Result<&'static Entry, ConfigError> {
    let (id, offset) = text(document, table, "id", offset)?;
    entry(id).ok_or_else(|| {
        let ids: Vec<&str> = entries().map(|entry| entry.meta.id).collect();
        document.unknown(offset, format!("there is no lint `{id}`"), id, ids)
    })
}

fn level(
    document: &Document<'_>,
    table: &DeTable<'_>,
    offset: usize,
    entry: &Entry,
) -> Result<Level, ConfigError> {
    let (word, offset) = text(document, table, "level", offset)?;
    let level = match word {
        "error" => Level::Error,
        "warning" => Level::Warning,
        "disabled" => Level::Disabled,
        _ => {
            let message = format!("`{word}` is no level of `{}`", entry.meta.id);
            let mut fault = document.fault(offset, message);
            fault.suggestion = Some(match word.to_lowercase().as_str() {
                "off" | "none" | "allow" | "ignore" | "false" => "write `disabled`".to_owned(),
                "deny" | "fatal" | "on" | "true" => "write `error`".to_owned(),
                "info" | "note" => "write `warning`".to_owned(),
                typed => crate::suggest::did_you_mean(typed, LEVELS)
                    .unwrap_or_else(|| "a level is `error`, `warning` or `disabled`".to_owned()),
            });
            return Err(fault);
        }
    };
    if entry.meta.fixed && level != entry.meta.level {
        let message = format!("`{}` cannot be set to `{word}`: its level is fixed", entry.meta.id);
        let mut fault = document.fault(offset, message);
        fault.suggestion =
            Some(format!("write `{}` or leave the lint out", entry.meta.level.as_str()));
        return Err(fault);
    }
    Ok(level)
}

/// A required string of a lint's table, and where it is.
fn text<'a>(
    document: &Document<'_>,
    table: &'a DeTable<'_>,
    name: &str,
    offset: usize,
) -> Result<(&'a str, usize), ConfigError> {
    match table.get(name) {
        None => Err(document.fault(offset, format!("this `[[lints]]` has no `{name}`"))),
        Some(value) => match value.get_ref() {
            DeValue::String(text) => Ok((text.as_ref(), value.span().start)),
            other => {
                let message = format!("`{name}` must be a string, not {}", kind(other));
                Err(document.fault(value.span().start, message))
            }
        },
    }
}

fn params(
    document: &Document<'_>,
    value: &Spanned<DeValue<'_>>,
    entry: &Entry,
) -> Result<Value, ConfigError> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`params` must be a table, not {}", kind(value.get_ref()));
        return Err(document.fault(value.span().start, message));
    };
    let accept = |params: &Value| (entry.build)(params).map(drop).map_err(|error| error.0);
    document.fields(table, &format!("lint `{}`", entry.meta.id), &(entry.defaults)(), accept)
}

fn runner(
    document: &Document<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<RunnerConfig, ConfigError> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`runner` must be a table, not {}", kind(value.get_ref()));
        return Err(document.fault(value.span().start, message));
    };
    let read = |fields: &Value| serde_json::from_value::<RunnerConfig>(fields.clone());
    let accept = |fields: &Value| read(fields).map(drop).map_err(|error| error.to_string());
    let fields = document.fields(table, "`[runner]`", &RunnerConfig::fields(), accept)?;
    read(&fields).map_err(|error| document.fault(value.span().start, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text, "tooltest.toml").expect_err("a fault").to_string()
    }

    #[test]
    fn lints_that_are_not_listed_are_off_but_for_the_fixed_ones() {
        let suite =
            parse("[[lints]]\nid = \"max_tools\"\nlevel = \"error\"\n", "t").unwrap().suite();
        assert!(suite.setting("max_tools").is_some());
        assert!(suite.setting("tool_name_format").is_none());
        assert!(suite.setting("no_crash").is_some());
    }

    #[test]
    fn a_file_that_says_nothing_about_lints_leaves_them_as_they_are() {
        assert_eq!(parse("version = 1\n", "t").unwrap(), Config::built_in());
    }

    #[test]
    fn levels_and_parameters_are_taken_over() {
        let text = "version = 1\n[[lints]]\nid = \"max_tools\"\nlevel = \"error\"\n[lints.params]\nmax = 3\n";
        let config = parse(text, "tooltest.toml").unwrap();
        let lint = config.lint("max_tools").unwrap();
        assert_eq!((lint.level, &lint.params["max"]), (Level::Error, &Value::from(3)));
        assert_eq!(config.suite().setting("max_tools").unwrap().level, Level::Error);
    }

    #[test]
    fn faults_name_file_line_and_what_was_meant() {
        let lint = |lines: &str| fault(&format!("version = 1\n\n[[lints]]\n{lines}"));
        for (message, expected) in [
            (
                fault("lints = 3"),
                "tooltest.toml:1: `lints` must be an array of tables, not an integer; write `[[lints]]`",
            ),
            (fault("version = 2"), "tooltest.toml:1: version 2 of the file is not supported"),
            (fault("version = \"1\""), "tooltest.toml:1: `version` must be 1, not a string"),
            (fault("\nlint = []"), "tooltest.toml:2: unknown key `lint`; did you mean `lints`?"),
            (fault("version = 1\nversion = 1"), "tooltest.toml:2: duplicate key"),
            (fault("version = "), "tooltest.toml:1: "),
            (
                lint("id = \"max_tool\"\nlevel = \"error\""),
                "tooltest.toml:4: there is no lint `max_tool`; did you mean `max_tools`?",
            ),
            (
                lint("id = \"zzz\"\nlevel = \"error\""),
                "there is no lint `zzz`; `tooltest lints` lists",
            ),
            (
                lint("id = 3\nlevel = \"error\""),
                "tooltest.toml:4: `id` must be a string, not an integer",
            ),
            (lint("level = \"error\""), "tooltest.toml:3: this `[[lints]]` has no `id`"),
            (lint("id = \"max_tools\""), "tooltest.toml:3: this `[[lints]]` has no `level`"),
            (
                lint("id = \"max_tools\"\nlevel = \"warn\""),
                "tooltest.toml:5: `warn` is no level of `max_tools`; did you mean `warning`?",
            ),
            (lint("id = \"max_tools\"\nlevel = \"off\""), "write `disabled`"),
            (
                lint("id = \"max_tools\"\nlevel = \"error\"\nparam.max = 1"),
                "tooltest.toml:6: `[[lints]]` has no key `param`; did you mean `params`?",
            ),
        ] {
            assert!(message.contains(expected), "{expected:?} is not in {message:?}");
        }
    }

    #[test]
    fn faults_of_parameters_and_fixed_levels_are_explained() {
        let lint = |lines: &str| fault(&format!("version = 1\n\n[[lints]]\n{lines}"));
        for (message, expected) in [
            (
                lint("id = \"max_tools\"\nlevel = \"error\"\nparams = 1"),
                "tooltest.toml:6: `params` must be a table, not an integer",
            ),
            (
                lint("id = \"max_tools\"\nlevel = \"error\"\nparams.maximum = 1"),
                "tooltest.toml:6: lint `max_tools` has no `maximum`; did you mean `max`?",
            ),
            (
                lint("id = \"max_tools\"\nlevel = \"error\"\nparams.max = \"x\""),
                "tooltest.toml:6: `max` of lint `max_tools`: invalid type: string \"x\", expected a whole number of 0 or more; the default is 128",
            ),
            (
                lint("id = \"no_crash\"\nlevel = \"error\"\nparams.max = 1"),
                "lint `no_crash` has no parameters",
            ),
            (
                lint("id = \"no_crash\"\nlevel = \"warning\""),
                "tooltest.toml:5: `no_crash` cannot be set to `warning`: its level is fixed; write `error`",
            ),
            (
                lint(
                    "id = \"max_tools\"\nlevel = \"error\"\n[[lints]]\nid = \"max_tools\"\nlevel = \"error\"",
                ),
                "tooltest.toml:7: `max_tools` is listed twice",
            ),
        ] {
            assert!(message.contains(expected), "{expected:?} is not in {message:?}");
        }
    }

    #[test]
    fn the_runner_table_is_checked_field_by_field() {
        let config =
            parse("[runner]\nallowed_root = \"scripts\"\nmax_line_bytes = 10\n", "t").unwrap();
        let runner = config.runner.unwrap();
        assert_eq!(runner.allowed_root.as_deref(), Some("scripts"));
        assert_eq!((runner.max_line_bytes, runner.timeout_ms_default), (10, 90_000));
        let message = fault("[runner]\nallowed_root = \"x\"\ntimeout_ms = 3\n");
        assert!(
            message
                .contains(":3: `[runner]` has no `timeout_ms`; did you mean `timeout_ms_default`?"),
            "{message}"
        );
        let message = fault("[runner]\nmax_line_bytes = -1\n");
        assert!(message.contains(":2: `max_line_bytes` of `[runner]`"), "{message}");
    }
}
