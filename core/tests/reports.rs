//! Whole reports of sample results, compared with the committed ones. `UPDATE=1` rewrites them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use tooltest_core::report::{self, Format, HumanOptions, Verbosity};
use tooltest_core::result::RunResult;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn sample(name: &str) -> RunResult {
    let path = folder("fixtures").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_snapshot(name: &str, actual: &str) {
    let path = folder("snapshots").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{name} differs from the committed report; look at it and run with UPDATE=1:\n{actual}"
    );
}

const SAMPLES: [&str; 5] = ["failed", "passed", "inconclusive", "hostile", "known"];

#[test]
fn human_reports() {
    for name in SAMPLES {
        for width in [80, 120] {
            let options = HumanOptions { width, ..HumanOptions::default() };
            assert_snapshot(
                &format!("{name}-{width}.txt"),
                &report::human(&sample(name), &options),
            );
        }
    }
    let brief = HumanOptions { verbosity: Verbosity::Quiet, ..HumanOptions::default() };
    assert_snapshot("failed-quiet.txt", &report::human(&sample("failed"), &brief));
    let whole = HumanOptions { verbosity: Verbosity::Verbose, width: 120, colour: false };
    assert_snapshot("failed-verbose.txt", &report::human(&sample("failed"), &whole));
}

#[test]
fn reports_for_machines_and_pages() {
    let formats = [
        Format::Junit,
        Format::Sarif,
        Format::Html,
        Format::Markdown,
        Format::Github,
        Format::Ndjson,
    ];
    for name in SAMPLES {
        for format in formats {
            let text = format.render(&sample(name), &HumanOptions::default());
            // Rules and lint cases come from the registry, which grows; only the rest is compared.
            match format {
                Format::Junit | Format::Sarif => check_shape(format, &text),
                _ => assert_snapshot(&format!("{name}.{format}"), &text),
            }
        }
    }
}

fn check_shape(format: Format, text: &str) {
    if format == Format::Sarif {
        let document: serde_json::Value = serde_json::from_str(text).unwrap();
        let run = &document["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(
                result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].is_string()
            );
        }
    }
}

/// Whatever a server sends, no report carries a character that a terminal or an XML parser would stumble over.
#[test]
fn no_report_carries_control_characters() {
    let hostile = sample("hostile");
    for format in Format::ALL {
        let text = format.render(&hostile, &HumanOptions::default());
        let bad = text
            .chars()
            .find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
        assert_eq!(bad, None, "{format}");
    }
}

/// Markup that a server writes into names, messages and answers stays text.
#[test]
fn no_page_carries_a_server_s_markup() {
    for format in [Format::Html, Format::Markdown, Format::Junit] {
        let text = format.render(&sample("hostile"), &HumanOptions::default());
        let outside_of_fences: String = match format {
            Format::Markdown => outside_fences(&text),
            _ => text,
        };
        for bad in ["<script", "javascript:alert(1)\"", "<!-- ]]>"] {
            assert!(!outside_of_fences.contains(bad), "{format} contains {bad}");
        }
    }
}

fn outside_fences(text: &str) -> String {
    let mut fence: Option<String> = None;
    let mut out = String::new();
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if ticks.len() >= open.len() && line == ticks => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// A line of a server's text that looks like a workflow command must not become one in a CI log.
#[test]
fn no_line_of_a_server_becomes_a_workflow_command() {
    let hostile = sample("hostile");
    for width in [40, 80, 120] {
        let text = report::human(&hostile, &HumanOptions { width, ..HumanOptions::default() });
        let command = text.lines().find(|line| {
            line.trim_start().starts_with("::") || line.trim_start().starts_with("##[")
        });
        assert_eq!(command, None, "at {width} columns");
    }
    let commands = report::github(&hostile);
    assert_eq!(commands.lines().count(), 1, "{commands}");
    assert!(commands.starts_with("::error title="));
}

#[test]
fn lines_of_the_terminal_report_fit() {
    for width in [60, 80, 120] {
        let text =
            report::human(&sample("failed"), &HumanOptions { width, ..HumanOptions::default() });
        for line in
            text.lines().filter(|line| !line.contains("http") && !line.contains(".tooltest/"))
        {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}
