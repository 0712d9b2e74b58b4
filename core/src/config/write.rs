//! Writes a `tooltest.toml`: every lint with its docs as comments.

use super::{Config, LintConfig, VERSION};
use crate::lints::{Entry, entry};
use serde_json::Value;
use std::fmt::Write as _;

const WIDTH: usize = 100;

const HEADER: &str = "\
The lints of tooltest, as they are built in. Copy this file to the root of your repository and change it.

A file that is found replaces the built-in configuration; nothing is merged. A lint that is not listed does not run, \
except those whose level is fixed, which always run. A file without any `[[lints]]` leaves the lints as they are built in.

level: `error` fails the run, `warning` is reported and fails nothing, `disabled` switches the lint off.
`tooltest lints explain ID` tells more about a lint.";

/// The built-in configuration as a file, with the docs of each lint as comments.
pub fn default_toml() -> String {
    Config::built_in().to_toml(HEADER)
}

impl Config {
    /// The configuration as a file that starts with `header` as a comment; the lints' docs are comments, too.
    pub fn to_toml(&self, header: &str) -> String {
        let mut out = String::new();
        comment(&mut out, header);
        let _ = writeln!(out, "version = {VERSION}");
        for lint in &self.lints {
            if let Some(entry) = entry(lint.id) {
                write_lint(&mut out, entry, lint);
            }
        }
        if let Some(runner) = &self.runner {
            out.push_str("\n[runner]\n");
            let fields = serde_json::to_value(runner).expect("plain data");
            for (name, value) in fields.as_object().into_iter().flatten() {
                write_field(&mut out, name, value);
            }
        }
        out
    }
}

fn write_lint(out: &mut String, entry: &Entry, lint: &LintConfig) {
    let meta = entry.meta;
    out.push('\n');
    let fixed = if meta.fixed { " The level is fixed." } else { "" };
    comment(out, &format!("{}{fixed}", meta.summary()));
    let _ = writeln!(out, "[[lints]]\nid = \"{}\"\nlevel = \"{}\"", meta.id, lint.level.as_str());
    let defaults = (entry.defaults)();
    let Some(fields) = defaults.as_object().filter(|fields| !fields.is_empty()) else {
        return;
    };
    out.push_str("[lints.params]\n");
    let schema = (entry.schema)();
    for (name, default) in fields {
        let docs = schema.pointer(&format!("/properties/{name}/description"));
        comment(out, docs.and_then(Value::as_str).unwrap_or_default());
        write_field(out, name, lint.params.get(name).unwrap_or(default));
    }
}

/// `name = value`, or nothing where there is no value.
fn write_field(out: &mut String, name: &str, value: &Value) {
    if !value.is_null() {
        let value = toml::Value::try_from(value).expect("parameters are plain TOML data");
        let _ = writeln!(out, "{name} = {value}");
    }
}

/// Adds text as a comment, wrapped.
fn comment(out: &mut String, text: &str) {
    for paragraph in text.lines() {
        let mut line = String::from("#");
        for word in paragraph.split_whitespace() {
            if line.len() + 1 + word.len() > WIDTH {
                let _ = writeln!(out, "{line}");
                line.truncate(1);
            }
            line.push(' ');
            line.push_str(word);
        }
        let _ = writeln!(out, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;

    #[test]
    fn the_default_file_reads_back_as_the_built_in_configuration() {
        let text = default_toml();
        let config = parse(&text, "tooltest.toml").unwrap();
        assert_eq!(config, Config::built_in());
        assert!(text.lines().all(|line| line.chars().count() <= 160), "lines stay readable");
    }

    #[test]
    fn a_changed_configuration_survives_being_written() {
        let text = "[[lints]]\nid = \"max_tools\"\nlevel = \"disabled\"\nparams.max = 7\n[runner]\nallowed_root = \"a\"\n";
        let config = parse(text, "t").unwrap();
        assert_eq!(parse(&config.to_toml("Mine."), "t").unwrap(), config);
    }
}
