//! SARIF 2.1.0, for code scanning services and editors.

use super::answer::{self, Extent};
use super::value::Layout;
use super::{escape, text};
use crate::finding::{Finding, StepReport};
use crate::lints::{Level, Meta, entries};
use crate::result::{Outcome, RunResult};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Renders the result. Every registered lint is a rule with its help; every finding is a result with its smallest case as a flow.
pub fn render(result: &RunResult) -> String {
    let mut rules: Vec<Value> = entries().map(|entry| rule(entry.meta)).collect();
    let mut ids: Vec<String> = entries().map(|entry| entry.meta.id.to_owned()).collect();
    let findings = || result.findings.iter().chain(&result.warnings);
    for finding in findings() {
        if !ids.contains(&finding.lint) {
            ids.push(finding.lint.clone());
            rules.push(foreign_rule(finding));
        }
    }
    let results: Vec<Value> = findings()
        .map(|finding| entry(result, finding, ids.iter().position(|id| *id == finding.lint)))
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "tooltest",
                "version": result.tooltest_version,
                "semanticVersion": result.tooltest_version,
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "automationDetails": {"id": format!("tooltest/{}/", clean(&result.server.name))},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(result)],
            "results": results,
            "properties": {
                "server": clean(&result.server.name),
                "serverVersion": clean(&result.server.version),
                "outcome": super::words::verdict(result.outcome),
                "seed": result.seed,
            },
        }],
    });
    let text = serde_json::to_string_pretty(&document).expect("the document has only string keys");
    format!("{}\n", escape::json(&text))
}

fn clean(text: &str) -> String {
    escape::line(text).into_owned()
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Disabled => "none",
    }
}

fn rule(meta: &Meta) -> Value {
    let summary = meta.summary();
    let why = meta.why();
    let full = if why.is_empty() { summary.to_owned() } else { why.clone() };
    let mut rule = json!({
        "id": meta.id,
        "name": meta.id,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": full},
        "help": {
            "text": format!("{summary}\n\n{why}\n\nWhat to do: {}", meta.fix),
            "markdown": format!("**{summary}**\n\n{why}\n\n**What to do:** {}", meta.fix),
        },
        "defaultConfiguration": {"level": level(meta.level), "enabled": meta.level != Level::Disabled},
    });
    if let Some(url) = meta.spec_url() {
        rule["helpUri"] = url.into();
    }
    rule
}

/// A rule for a lint that is not in this version's registry: the result was saved by another one.
fn foreign_rule(finding: &Finding) -> Value {
    json!({
        "id": clean(&finding.lint),
        "shortDescription": {"text": clean(&finding.lint)},
        "fullDescription": {"text": escape::block(&finding.why)},
        "help": {"text": format!("{}\n\nWhat to do: {}", escape::block(&finding.why), escape::block(&finding.fix))},
        "defaultConfiguration": {"level": level(finding.level)},
    })
}

fn invocation(result: &RunResult) -> Value {
    let complete = !matches!(result.outcome, Outcome::Interrupted);
    let notes: Vec<Value> = super::words::unmeasured(result)
        .into_iter()
        .map(|entry| json!({"level": "note", "message": {"text": clean(&format!("not measured: {}: {}", entry.subject, entry.reason))}}))
        .collect();
    json!({"executionSuccessful": complete, "commandLine": clean(&result.server.target), "toolExecutionNotifications": notes})
}

fn entry(result: &RunResult, finding: &Finding, rule: Option<usize>) -> Value {
    let mut message = clean(&finding.message);
    if let Some(replay) = &finding.replay {
        let _ = write!(message, "\nReplay: {}", clean(replay));
    }
    let mut entry = json!({
        "ruleId": clean(&finding.lint),
        "level": level(finding.level),
        "message": {"text": message, "markdown": format!("{}\n\n{}", escape::markdown(&finding.message), escape::markdown_fence(&text::finding(finding), "text"))},
        "locations": [location(result, finding)],
        "partialFingerprints": {"tooltestFingerprint/v1": finding.fingerprint},
        "occurrenceCount": finding.seen.max(1),
        "properties": {"code": clean(&finding.code), "phase": super::words::phase(finding.phase), "fix": escape::block(&finding.fix)},
    });
    if let Some(index) = rule {
        entry["ruleIndex"] = index.into();
    }
    if let Some(case) = &finding.case {
        let steps: Vec<Value> = case
            .steps
            .iter()
            .enumerate()
            .map(|(index, step)| flow_step(result, index, step))
            .collect();
        if !steps.is_empty() {
            entry["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
        }
    }
    entry
}

fn flow_step(result: &RunResult, index: usize, step: &StepReport) -> Value {
    let layout = Layout {
        first: 2000,
        width: 2000,
        lines: 40,
        string: 400,
        wrap: false,
        bindings: &step.bindings,
    };
    let name = clean(answer::step_name(step));
    let arguments =
        if step.arguments.is_null() { String::new() } else { layout.text(&step.arguments, 0) };
    let shown = answer::shown(&step.response, Extent::Gist);
    let response =
        shown.map(|value| Layout { bindings: &[], ..layout }.text(&value, 0)).unwrap_or_default();
    let text = format!("{}. {name} {arguments} → {} {response}", index + 1, clean(&step.outcome));
    json!({"location": {
        "message": {"text": text.trim_end()},
        "physicalLocation": physical(result, None),
        "logicalLocations": [{"name": name, "kind": "function"}],
    }})
}

fn location(result: &RunResult, finding: &Finding) -> Value {
    let name = finding.tool.as_deref().unwrap_or(&result.server.name);
    let kind = if finding.tool.is_some() { "function" } else { "module" };
    json!({
        "physicalLocation": physical(result, finding.failure_file.as_deref()),
        "logicalLocations": [{"name": clean(name), "kind": kind}],
    })
}

/// Code scanning wants a file: the server's own script where the command names one, else the failure file, else the configuration.
fn physical(result: &RunResult, failure_file: Option<&str>) -> Value {
    let args = result.input.pointer("/target/stdio/args").and_then(Value::as_array);
    let script = args.into_iter().flatten().filter_map(Value::as_str).find(|arg| is_script(arg));
    let uri = script.or(failure_file).filter(|uri| !uri.is_empty()).unwrap_or("tooltest.toml");
    json!({"artifactLocation": {"uri": encode(uri), "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}})
}

/// Whether an argument looks like a source file below the working directory.
fn is_script(arg: &str) -> bool {
    const SOURCES: [&str; 12] =
        ["py", "js", "mjs", "cjs", "ts", "mts", "rb", "go", "rs", "php", "java", "cs"];
    let inside =
        !arg.starts_with(['-', '/', '\\', '~']) && !arg.contains("..") && !arg.contains(':');
    inside
        && arg
            .rsplit_once('.')
            .is_some_and(|(stem, end)| !stem.is_empty() && SOURCES.contains(&end))
}

/// A relative path as a URI reference.
fn encode(path: &str) -> String {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    const UNSAFE: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'<')
        .add(b'>')
        .add(b'`')
        .add(b'#')
        .add(b'?')
        .add(b'{')
        .add(b'}')
        .add(b'%')
        .add(b'[')
        .add(b']')
        .add(b'|')
        .add(b'\\')
        .add(b'^')
        .add(b':');
    utf8_percent_encode(path, UNSAFE).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_the_repository_is_recognised() {
        for arg in ["server.py", "src/index.js", "./build/main.mjs"] {
            assert!(is_script(arg), "{arg}");
        }
        for arg in ["-m", "/opt/x.py", "../x.py", "@scope/pkg", "C:\\x.py", ".py", "https://x/y.js"]
        {
            assert!(!is_script(arg), "{arg}");
        }
    }
}
