//! What there is to read about lints, all of it from the registry.

use super::{Entry, LintPhase, entries};
use crate::protocol::Revision;
use serde_json::Value;
use std::fmt::Write as _;

/// The docs page of all lints, in Markdown.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Lints\n\n\
         Everything that judges a server is a lint. Each has an id, a phase, a level and sometimes parameters, and is set in \
         [`tooltest.toml`](../tooltest.toml), where all of them stand with their defaults. `error` fails the run, `warning` is \
         reported and fails nothing, `disabled` switches the lint off. A file that is found replaces the built-in configuration; \
         lints that it does not list do not run, except those whose level is fixed.\n",
    );
    for (phase, title, about) in [
        (
            LintPhase::List,
            "List",
            "From the handshake, the lists and one-time probes, before any tool call.",
        ),
        (LintPhase::Response, "Response", "From the answers to calls."),
        (LintPhase::Run, "Run", "From the finished record of the run."),
    ] {
        let mut entries: Vec<_> =
            entries().filter(|entry| entry.meta.hook.phase() == phase).collect();
        entries.sort_by_key(|entry| entry.meta.id);
        let _ = writeln!(
            out,
            "\n## {title}\n\n{about}\n\n| lint | default | what |\n| --- | --- | --- |"
        );
        for entry in &entries {
            let meta = entry.meta;
            let (id, level) = (meta.id, meta.level.as_str());
            let _ = writeln!(out, "| [`{id}`](#{id}) | {level} | {} |", cell(meta.summary()));
        }
        for entry in entries {
            let _ = write!(out, "\n### {}\n\n{}", entry.meta.id, section(entry));
        }
    }
    out
}

/// What there is to say about one lint, in Markdown.
pub fn explain(entry: &Entry) -> String {
    format!("# {}\n\n{}", entry.meta.id, section(entry))
}

fn section(entry: &Entry) -> String {
    let meta = entry.meta;
    let mut out = format!("{}\n", meta.summary());
    let why = meta.why();
    if !why.is_empty() {
        let _ = write!(out, "\n{why}\n");
    }
    let _ = write!(out, "\n**What to do:** {}\n\n", meta.fix);
    let fixed = if meta.fixed { ", fixed" } else { "" };
    let phase = match meta.hook.phase() {
        LintPhase::List => "list",
        LintPhase::Response => "response",
        LintPhase::Run => "run",
    };
    let _ = writeln!(out, "- Default level: {}{fixed}; phase: {phase}", meta.level.as_str());
    let _ = writeln!(out, "- Revisions: {}", revisions(meta.since, meta.until));
    if !meta.spec.is_empty() {
        let source = meta.spec_url().unwrap_or_else(|| meta.spec.to_owned());
        let _ = writeln!(out, "- Source: {source}");
    }
    let defaults = (entry.defaults)();
    let schema = (entry.schema)();
    for (name, default) in defaults.as_object().into_iter().flatten() {
        let docs = schema.pointer(&format!("/properties/{name}/description"));
        let docs = docs.and_then(Value::as_str).unwrap_or_default();
        let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "- Parameter `{name}` (default `{default}`): {docs}");
    }
    out
}

fn revisions(since: Option<Revision>, until: Option<Revision>) -> String {
    match (since, until) {
        (None, None) => "all".to_owned(),
        (Some(since), None) => format!("{since} and later"),
        (None, Some(until)) => format!("up to {until}"),
        (Some(since), Some(until)) if since == until => since.to_string(),
        (Some(since), Some(until)) => format!("{since} to {until}"),
    }
}

/// Text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::{Hook, entry};

    #[test]
    fn the_page_has_every_lint_once() {
        let page = markdown();
        for entry in entries() {
            let heading = format!("\n### {}\n", entry.meta.id);
            assert_eq!(page.matches(&heading).count(), 1, "{}", entry.meta.id);
        }
    }

    #[test]
    fn an_explanation_tells_what_why_and_what_to_do() {
        let text = explain(entry("max_tools").unwrap());
        for words in
            ["# max_tools", "context", "Offer fewer tools", "Parameter `max` (default `128`)"]
        {
            assert!(text.contains(words), "{words:?} is not in {text}");
        }
    }

    #[test]
    fn every_lint_is_documented() {
        let mut ids = std::collections::HashSet::new();
        for entry in entries() {
            let meta = entry.meta;
            let id = meta.id;
            assert!(ids.insert(id), "{id}: two lints have this id");
            assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
            assert!(
                meta.summary().ends_with('.'),
                "{id}: the first line of the docs is no sentence"
            );
            assert!(!meta.why().is_empty(), "{id}: the docs do not say why it matters");
            assert!(meta.fix.ends_with('.'), "{id}: no sentence says what to do");
            assert!((entry.build)(&(entry.defaults)()).is_ok(), "{id}: bad defaults");
            let schema = (entry.schema)();
            for name in (entry.defaults)().as_object().into_iter().flatten().map(|(name, _)| name) {
                let docs = schema.pointer(&format!("/properties/{name}/description"));
                assert!(docs.is_some(), "{id}: parameter {name} is not documented");
            }
            if meta.hook == Hook::Run {
                assert_eq!(meta.hook.phase(), LintPhase::Run);
            }
        }
    }
}
