//! Markdown for a GitHub step summary or a pull request comment.

use super::answer::{self, Extent};
use super::escape::{link, markdown, markdown_code, markdown_fence};
use super::repeats::{Repeated, repeats};
use super::value::Layout;
use super::{text, words};
use crate::finding::StepReport;
use crate::result::{Outcome, RunResult};
use std::fmt::Write as _;

/// GitHub cuts a step summary at 1 MiB; findings past this size are only counted.
const LIMIT: usize = 900_000;

/// Renders the result.
pub fn render(result: &RunResult) -> String {
    let mut out = String::new();
    head(&mut out, result);
    let errors = repeats(&result.findings).into_iter().map(|group| ("🔴", group));
    let warnings = repeats(&result.warnings).into_iter().map(|group| ("🟡", group));
    let mut left_out = 0;
    for (mark, group) in errors.chain(warnings) {
        let part = section(mark, &group);
        if out.len() + part.len() > LIMIT {
            left_out += 1 + group.others.len();
        } else {
            out.push_str(&part);
        }
    }
    if left_out > 0 {
        let _ = writeln!(out, "… and {}.\n", words::count_len(left_out, "more finding"));
    }
    replayed(&mut out, result);
    baseline(&mut out, result);
    coverage(&mut out, result);
    unmeasured(&mut out, result);
    out
}

fn head(out: &mut String, result: &RunResult) {
    let mark = match result.outcome {
        Outcome::Passed => "✅",
        Outcome::Failed => "❌",
        Outcome::Inconclusive | Outcome::Interrupted => "⚠️",
    };
    let server = &result.server;
    let name = if server.name.is_empty() { "unnamed server" } else { &server.name };
    let verdict = words::verdict(result.outcome);
    let _ = writeln!(
        out,
        "## {mark} tooltest: {} {} {verdict}\n",
        markdown(name),
        markdown(&server.version)
    );
    let _ = writeln!(out, "**{}**; {}.", words::tally(result), words::tools(result));
    if let Some(reason) = result.reason.as_ref().filter(|_| result.findings.is_empty()) {
        let _ = writeln!(out, "{}.", markdown(reason));
    }
    let revision = server.revision.map(|revision| format!(" · MCP {revision}")).unwrap_or_default();
    let _ = writeln!(
        out,
        "\n{} · {}{revision} · {} · seed {}\n",
        markdown_code(&server.target),
        markdown(&server.transport),
        words::spent(result),
        result.seed
    );
}

fn section(mark: &str, group: &Repeated<'_>) -> String {
    let finding = group.first;
    let mut out = String::new();
    let more = match group.others.len() {
        0 => String::new(),
        n => format!(", and at {}", words::count_len(n, "other tool")),
    };
    let title = format!("{}{more}", text::title(finding));
    let title = super::escape::markup(&title);
    let _ = writeln!(out, "<details><summary>{mark} <b>{title}</b></summary>\n");
    let _ = writeln!(out, "{}\n", markdown(&finding.message));
    if let Some(evidence) = &finding.evidence {
        let _ = writeln!(out, "{}", markdown_fence(evidence, "text"));
    }
    let _ = writeln!(out, "- **Why:** {}", markdown(&finding.why));
    let _ = writeln!(out, "- **Fix:** {}", markdown(&finding.fix));
    if !finding.spec.is_empty() {
        let spec = match link(&finding.spec) {
            Some(url) => format!("<{}>", super::escape::markup(url).replace(' ', "%20")),
            None => markdown(&finding.spec),
        };
        let _ = writeln!(out, "- **Spec:** {spec}");
    }
    let _ = writeln!(out, "- **Seen:** {}", words::times_seen(finding));
    if !finding.also.is_empty() {
        let _ = writeln!(out, "- **Also in:** {}", markdown(&finding.also.join(", ")));
    }
    if let Some(case) = &finding.case {
        let mut steps = String::new();
        for (index, step) in case.steps.iter().enumerate() {
            write_step(&mut steps, index, step, index == case.failing_step);
        }
        let _ =
            writeln!(out, "\n{}:\n\n{}", answer::case_title(case), markdown_fence(&steps, "text"));
    }
    if let Some(exit) = &finding.exit {
        let _ = writeln!(out, "The server ended: {}\n", markdown(&exit.summary()));
        if !exit.stderr.trim().is_empty() {
            let _ = writeln!(out, "{}", markdown_fence(tail(&exit.stderr, 20), "text"));
        }
    }
    if let Some(replay) = &finding.replay {
        let _ = writeln!(out, "{}", markdown_fence(&super::escape::line(replay), "console"));
    }
    others(&mut out, group);
    out.push_str("</details>\n\n");
    out
}

/// The same fault at other tools, a line each.
fn others(out: &mut String, group: &Repeated<'_>) {
    if group.others.is_empty() {
        return;
    }
    out.push_str("\nThe same at:\n\n");
    for (_, other) in &group.others {
        let tool = markdown_code(other.tool.as_deref().unwrap_or_default());
        let how = match &other.replay {
            Some(replay) => markdown_code(replay),
            None => markdown(&words::times_seen(other)),
        };
        let _ = write!(out, "- {tool}: {how}");
        if other.message != group.first.message {
            let _ = write!(out, " ({})", markdown(&other.message));
        }
        out.push('\n');
    }
    out.push('\n');
}

fn replayed(out: &mut String, result: &RunResult) {
    if result.replayed.is_empty() {
        return;
    }
    out.push_str("### Saved failures run again\n\n");
    for replay in &result.replayed {
        let tool = replay.tool.as_deref().map(|tool| format!(": {tool}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "- **{}** ({}): {}",
            words::replay_status(replay.status),
            words::rate(replay.reproduction),
            markdown(&format!("{}{tool}", replay.lint)),
        );
    }
    out.push('\n');
}

fn baseline(out: &mut String, result: &RunResult) {
    let Some(baseline) = &result.baseline else { return };
    let accepted = words::count_len(baseline.accepted.len(), "known finding");
    let _ = writeln!(out, "### Baseline\n\n{accepted} accepted.");
    if !baseline.stale.is_empty() {
        let _ = writeln!(out, "{}:\n", words::stale(baseline.stale.len()));
        for entry in &baseline.stale {
            let tool = entry.tool.as_deref().map(|tool| format!(": {tool}")).unwrap_or_default();
            let name = markdown(&format!("{}{tool}", entry.lint));
            let _ = writeln!(out, "- {} {name}", markdown_code(&entry.fingerprint));
        }
    }
    out.push('\n');
}

/// The last `lines` lines of a text.
fn tail(text: &str, lines: usize) -> &str {
    let text = text.trim_end();
    let start = text.rmatch_indices('\n').nth(lines.saturating_sub(1)).map_or(0, |(at, _)| at + 1);
    &text[start..]
}

fn write_step(out: &mut String, index: usize, step: &StepReport, failing: bool) {
    let arrow = if step.group.is_some() { "⇉" } else { "→" };
    let name = super::escape::line(answer::step_name(step));
    let layout = Layout {
        first: 90,
        width: 94,
        lines: 24,
        string: 240,
        wrap: true,
        bindings: &step.bindings,
    };
    let arguments =
        if step.arguments.is_null() { String::new() } else { layout.text(&step.arguments, 4) };
    let _ = writeln!(out, "{} {arrow} {name} {arguments}", index + 1);
    let extent = if failing { Extent::Body } else { Extent::Gist };
    if let Some(instead) = answer::instead(&step.response) {
        let _ = writeln!(
            out,
            "  ← {}: {}",
            super::escape::line(&step.outcome),
            super::escape::line(instead)
        );
        return;
    }
    let shown = answer::shown(&step.response, extent);
    let layout = Layout { bindings: &[], first: 70, lines: if failing { 24 } else { 6 }, ..layout };
    let response = shown.map(|value| layout.text(&value, 4)).unwrap_or_default();
    let _ = writeln!(out, "  ← {} {response}", super::escape::line(&step.outcome));
}

fn coverage(out: &mut String, result: &RunResult) {
    if result.coverage.is_empty() {
        return;
    }
    out.push_str("### Coverage\n\n| tool | calls | ok | tool errors | protocol errors | broken | p50 | p95 |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for tool in &result.coverage {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            markdown_code(&tool.tool),
            words::number(tool.calls),
            words::number(tool.ok),
            words::number(tool.tool_errors + tool.soft_errors),
            words::number(tool.protocol_errors),
            words::number(tool.broken),
            if tool.calls == 0 { "–".to_owned() } else { words::millis(tool.latency.p50) },
            if tool.calls == 0 { "–".to_owned() } else { words::millis(tool.latency.p95) },
        );
    }
    out.push('\n');
}

fn unmeasured(out: &mut String, result: &RunResult) {
    let list = words::unmeasured_by_reason(result);
    if list.is_empty() {
        return;
    }
    out.push_str("### Not measured\n\n");
    for (subjects, entry) in list {
        let hint =
            entry.hint.map(|hint| format!(" Try: {}", markdown_code(&hint))).unwrap_or_default();
        let _ = writeln!(
            out,
            "- **{}**: {}{}{hint}",
            markdown(&subjects.join(", ")),
            markdown(&entry.reason),
            if hint.is_empty() { "" } else { "." }
        );
    }
    out.push('\n');
}
