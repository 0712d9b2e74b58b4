//! Assembling: from what a run kept to the document it hands back.

use crate::case::{Action, Phase, Step};
use crate::catalog::{Catalog, ListKind};
use crate::exchange::{Exchange, Reply};
use crate::execute::Judge;
use crate::finding::{CaseReport, Finding, StepReport};
use crate::findings::Found;
use crate::input::Target;
use crate::lints::{Execution, Level, entry};
use crate::outcome::Outcome;
use crate::protocol::Revision;
use crate::record::{Record, ToolRecord};
use crate::result::{ErrorSample, Latency, ToolCoverage};
use serde_json::{Value, json};

/// Characters of an answer's longest string that a report shows without `full_trace`.
const SHOWN: usize = 2000;

/// A fault as reports carry it.
pub(crate) fn finding(judge: Judge<'_>, fingerprint: &str, found: &Found) -> Finding {
    let meta = entry(found.verdict.lint).map(|entry| entry.meta);
    let problem = &found.verdict.problem;
    let full = judge.plan.input.full_trace;
    let case = found.execution.as_ref().map(|execution| case_report(execution, found, full));
    let exit =
        found.execution.as_ref().and_then(|execution| match &execution.exchanges.last()?.reply {
            Reply::Closed(exit) => Some(exit.clone()),
            _ => None,
        });
    Finding {
        lint: found.verdict.lint.to_owned(),
        level: found.verdict.level,
        code: problem.rule.to_string(),
        fingerprint: fingerprint.to_owned(),
        phase: found.phase,
        tool: problem.tool.clone(),
        message: problem.message.clone(),
        why: meta.map(|meta| unwrapped(&meta.why())).unwrap_or_default(),
        fix: problem
            .fix
            .clone()
            .unwrap_or_else(|| meta.map(|meta| meta.fix.to_owned()).unwrap_or_default()),
        spec: meta.map(|meta| spec_url(meta.spec, judge.revision)).unwrap_or_default(),
        evidence: problem.evidence.clone(),
        case,
        seen: found.seen,
        also: Vec::new(),
        reproduction: found.reproduction,
        exit,
        failure_file: found.failure_file.clone(),
        replay: found.failure_file.as_ref().map(|file| format!("tooltest replay {file}")),
    }
}

/// Text whose lines end where its source's lines end, as paragraphs; blank lines and list items stay.
fn unwrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let begins = line.is_empty() || line.starts_with(['-', '|', '#']) || out.ends_with('\n');
        if !out.is_empty() {
            out.push(if begins { '\n' } else { ' ' });
        }
        out.push_str(line);
    }
    out
}

/// The URL of a section of the specification, or the name of another standard; empty for a rule of tooltest's own.
fn spec_url(section: &str, revision: Revision) -> String {
    match section {
        "" => String::new(),
        url if url.contains("://") => url.to_owned(),
        // Another standard, by its name: "JSON-RPC 2.0 section 5.1".
        other if other.contains(' ') || other.starts_with("SEP-") => other.to_owned(),
        section => format!("https://modelcontextprotocol.io/specification/{revision}/{section}"),
    }
}

fn case_report(execution: &Execution, found: &Found, full: bool) -> CaseReport {
    let steps = execution.case.steps.iter().zip(&execution.exchanges).zip(&execution.outcomes);
    CaseReport {
        steps: steps
            .map(|((step, exchange), outcome)| step_report(step, exchange, *outcome, full))
            .collect(),
        failing_step: found.failing_step,
        minimal: found.minimal,
        executions: found.executions,
        original_steps: found.original_steps,
    }
}

/// A step as reports carry it.
pub(crate) fn step_report(
    step: &Step,
    exchange: &Exchange,
    outcome: Outcome,
    full: bool,
) -> StepReport {
    let name = match &step.action {
        Action::CallTool { tool, .. } => tool.clone(),
        Action::ReadResource { uri } => uri.clone(),
        Action::GetPrompt { prompt, .. } => prompt.clone(),
        Action::Request { .. } => String::new(),
    };
    let request = full.then(|| json!({"jsonrpc": "2.0", "id": exchange.id, "method": exchange.method, "params": exchange.params}));
    let mut response = response_of(exchange);
    if !full {
        shorten(&mut response, SHOWN);
    }
    StepReport {
        method: exchange.method.clone(),
        name,
        arguments: step.action.arguments().cloned().unwrap_or_default(),
        request,
        response,
        outcome: outcome.kind.describe(),
        bindings: step.bindings.clone(),
        label: step.label.clone(),
        role: step.role.clone(),
        group: step.group,
        elapsed_ms: exchange.elapsed.as_secs_f64() * 1000.0,
    }
}

fn response_of(exchange: &Exchange) -> Value {
    let id = &exchange.id;
    match &exchange.reply {
        Reply::Result(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Reply::Error(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.raw}),
        Reply::Malformed(reason) => json!({ "malformed": reason }),
        Reply::Silence { responsive: true } => {
            json!({ "no_answer": "the server still answered other requests" })
        }
        Reply::Silence { responsive: false } => {
            json!({ "no_answer": "the server answered nothing else either" })
        }
        Reply::Closed(exit) => json!({ "closed": exit.summary() }),
    }
}

/// Cuts long strings in a value.
fn shorten(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) if text.len() > limit => {
            let kept: String = text.chars().take(limit).collect();
            *text = format!("{kept}… ({} bytes in all)", text.len());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| shorten(item, limit)),
        Value::Object(members) => members.values_mut().for_each(|member| shorten(member, limit)),
        _ => {}
    }
}

/// Findings at level warning that say the same of several tools become one that names them all.
pub(crate) fn merge_warnings(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        let same = |other: &&mut Finding| {
            other.lint == finding.lint
                && other.code == finding.code
                && other.tool.is_some()
                && finding.tool.is_some()
        };
        if let Some(first) = merged.iter_mut().find(same) {
            first.seen += finding.seen;
            first.also.extend(finding.tool);
        } else {
            merged.push(finding);
        }
    }
    merged
}

/// How each tool fared.
pub(crate) fn coverage(record: &Record, input: &crate::input::TooltestInput) -> Vec<ToolCoverage> {
    record.tools.iter().map(|tool| tool_coverage(tool, input)).collect()
}

fn tool_coverage(tool: &ToolRecord, input: &crate::input::TooltestInput) -> ToolCoverage {
    let (limit, show) = (input.uncallable_limit, input.show_uncallable);
    let mut errors: Vec<ErrorSample> = Vec::new();
    if tool.ok == 0 {
        errors = tool
            .errors
            .values()
            .map(|error| ErrorSample {
                text: error.text.clone(),
                count: error.count,
                arguments: if show { error.arguments.clone() } else { Value::Null },
            })
            .collect();
        errors.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.text.cmp(&b.text)));
        errors.truncate(limit);
    }
    let reason = match (&tool.not_called, tool.calls, tool.ok) {
        (Some(reason), ..) => Some(format!("not called: {reason}")),
        (None, 0, _) if input.phases == [Phase::Replay] => {
            Some("not called: only saved failures were run again".to_owned())
        }
        (None, 0, _) => Some("not called: the budget ended first".to_owned()),
        (None, _, 0) => Some("called, and no call was a real success".to_owned()),
        _ => None,
    };
    ToolCoverage {
        tool: tool.name.clone(),
        calls: tool.calls,
        ok: tool.ok,
        tool_errors: tool.tool_errors,
        soft_errors: tool.soft_errors,
        protocol_errors: tool.protocol_errors,
        broken: tool.broken,
        valid: tool.valid,
        invalid: tool.invalid,
        outcome_classes: tool.classes.len() as u64,
        reason,
        errors,
        latency: Latency {
            p50: tool.latency.quantile(0.5),
            p95: tool.latency.quantile(0.95),
            p99: tool.latency.quantile(0.99),
            max: tool.latency.max.as_secs_f64() * 1000.0,
            histogram: tool.latency.buckets.clone(),
        },
    }
}

/// What the server offers, as listed.
pub(crate) fn offered(catalog: &Catalog) -> Value {
    let items = |list: ListKind| Value::Array(catalog.items(list).cloned().collect());
    let members = ListKind::ALL.into_iter().map(|list| (list.member().to_owned(), items(list)));
    Value::Object(members.collect())
}

/// The target in a line.
pub(crate) fn target_line(target: &Target) -> String {
    match target {
        Target::Stdio(stdio) => {
            let words = std::iter::once(&stdio.command).chain(&stdio.args);
            words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
        }
        Target::Http(http) | Target::Sse(http) => http.url.clone(),
        Target::InProcess(target) if target.name.is_empty() => "in-process server".to_owned(),
        Target::InProcess(target) => target.name.clone(),
    }
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty()
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&b));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The name of the transport.
pub(crate) fn transport_name(target: &Target) -> &'static str {
    match target {
        Target::Stdio(_) => "stdio",
        Target::Http(_) => "http",
        Target::Sse(_) => "sse",
        Target::InProcess(_) => "in-process",
    }
}

/// Orders findings: those of the lint that nobody may switch off first, then by level, then as found.
pub(crate) fn order(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| {
        (finding.lint != "no_crash", std::cmp::Reverse(finding.level), finding.case.is_none())
    });
}

/// Splits findings by level.
pub(crate) fn split(findings: Vec<Finding>) -> (Vec<Finding>, Vec<Finding>) {
    findings.into_iter().partition(|finding| finding.level == Level::Error)
}
