//! The report for a terminal.

mod coverage;
mod finding;
mod offer;
mod page;

pub use offer::{exchange, offer};

use super::{escape, repeats, words};
use crate::finding::Finding;
use crate::result::{Outcome, ReplayStatus, RunResult};
use page::{Page, Tone};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How the terminal report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HumanOptions {
    /// Columns; taken as at least 40 and at most 160.
    pub width: usize,
    /// Whether ANSI colours are used.
    pub colour: bool,
    /// How much is shown.
    pub verbosity: Verbosity,
}

/// How much the terminal report shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// One line a finding, and the verdict.
    Quiet,
    /// Findings with their smallest cases, coverage, what was not measured.
    #[default]
    Normal,
    /// Nothing cut.
    Verbose,
}

impl Default for HumanOptions {
    fn default() -> Self {
        Self { width: 80, colour: false, verbosity: Verbosity::Normal }
    }
}

impl HumanOptions {
    const fn string_limit(&self) -> usize {
        match self.verbosity {
            Verbosity::Verbose => 20_000,
            _ => 240,
        }
    }

    const fn answer_lines(&self, failing: bool) -> usize {
        match (self.verbosity, failing) {
            (Verbosity::Verbose, _) => 2000,
            (_, true) => 30,
            (_, false) => 6,
        }
    }
}

/// Renders the report.
pub fn render(result: &RunResult, options: &HumanOptions) -> String {
    let mut page = Page::new(options.width, options.colour);
    if options.verbosity == Verbosity::Quiet {
        for finding in result.findings.iter().chain(&result.warnings) {
            brief(&mut page, finding);
        }
        verdict(&mut page, result);
        return page.finish();
    }
    title(&mut page, result);
    findings(&mut page, result, options);
    replayed(&mut page, result);
    baseline(&mut page, result);
    coverage::write(&mut page, result);
    unmeasured(&mut page, result);
    footing(&mut page, result, options);
    page.blank();
    verdict(&mut page, result);
    page.finish()
}

/// A finding by itself, without its heading: what, why, what to do, the smallest case, how to run it again.
pub fn finding_text(finding: &Finding, options: &HumanOptions) -> String {
    let mut page = Page::new(options.width, options.colour);
    finding::write_body(&mut page, finding, false, options);
    page.finish()
}

fn title(page: &mut Page, result: &RunResult) {
    let server = &result.server;
    let name = if server.name.is_empty() { "unnamed server" } else { &server.name };
    let name = format!("{} {}", escape::line(name), escape::line(&server.version));
    let name = page.paint(Tone::Strong, &page::cut(&name, page.width));
    let revision = server.revision.map(|revision| format!(" · MCP {revision}")).unwrap_or_default();
    let rest =
        page.paint(Tone::Faint, &format!(" · {}{revision}", escape::line(&server.transport)));
    let own =
        page.paint(Tone::Faint, &format!("tooltest {} · ", escape::line(&result.tooltest_version)));
    page.line(&format!("{own}{name}{rest}"));
    let target = page.paint(Tone::Faint, &page::defused(escape::line(&server.target).into_owned()));
    page.line(&target);
}

fn findings(page: &mut Page, result: &RunResult, options: &HumanOptions) {
    let mut explained = BTreeSet::new();
    for list in [&result.findings, &result.warnings] {
        for group in repeats::repeats(list) {
            let explained = !explained.insert(group.first.lint.as_str());
            finding::write(page, group.first, (group.index + 1, list.len()), explained, options);
            match options.verbosity {
                Verbosity::Verbose => {
                    for (index, other) in group.others {
                        finding::write(page, other, (index + 1, list.len()), true, options);
                    }
                }
                _ => finding::others(page, group.first, &group.others),
            }
        }
    }
}

fn brief(page: &mut Page, finding: &Finding) {
    let (word, tone) = match finding.level {
        crate::lints::Level::Error => ("error", Tone::Error),
        _ => ("warning", Tone::Warning),
    };
    let word = page.paint(tone, word);
    let tool =
        finding.tool.as_deref().map(|tool| format!(" {}", escape::line(tool))).unwrap_or_default();
    let lint = page.paint(Tone::Strong, &escape::line(&finding.lint));
    page.line(&format!("{word} {lint}{tool}: {}", escape::line(&finding.message)));
}

fn replayed(page: &mut Page, result: &RunResult) {
    if result.replayed.is_empty() {
        return;
    }
    let title = page.paint(Tone::Strong, "Saved failures run again");
    page.heading(&title, 24);
    for replay in &result.replayed {
        let tone = match replay.status {
            ReplayStatus::Failing => Tone::Error,
            ReplayStatus::Flaky | ReplayStatus::Error => Tone::Warning,
            ReplayStatus::Fixed => Tone::Good,
        };
        let word = words::replay_status(replay.status);
        let status = page.paint(tone, &format!("{word:<12}"));
        let rate = match replay.reproduction.attempts {
            0 => String::new(),
            _ => words::rate(replay.reproduction),
        };
        let rate = page.paint(Tone::Faint, &format!("{rate:<8}"));
        let tool = replay
            .tool
            .as_deref()
            .map(|tool| format!(" · {}", escape::line(tool)))
            .unwrap_or_default();
        page.line(&format!("  {status}{rate}{}{tool}", escape::line(&replay.lint)));
        let file = page.paint(Tone::Faint, &escape::line(&replay.file));
        page.line(&format!("{}{file}", " ".repeat(22)));
        if !matches!(replay.status, ReplayStatus::Fixed) {
            page.paragraph(22, Tone::Plain, &replay.message);
        }
    }
}

fn baseline(page: &mut Page, result: &RunResult) {
    let Some(baseline) = &result.baseline else { return };
    let title = page.paint(Tone::Strong, "Baseline");
    page.heading(&title, 8);
    let accepted = words::count_len(baseline.accepted.len(), "known finding");
    page.paragraph(2, Tone::Plain, &format!("{accepted} accepted"));
    for finding in &baseline.accepted {
        page.paragraph(
            4,
            Tone::Faint,
            &format!("{} {}", finding.fingerprint, super::text::title(finding)),
        );
    }
    if !baseline.stale.is_empty() {
        page.paragraph(2, Tone::Warning, &words::stale(baseline.stale.len()));
    }
    for entry in &baseline.stale {
        let tool = entry.tool.as_deref().map(|tool| format!(": {tool}")).unwrap_or_default();
        page.paragraph(4, Tone::Faint, &format!("{} {}{tool}", entry.fingerprint, entry.lint));
    }
}

fn unmeasured(page: &mut Page, result: &RunResult) {
    let list = words::unmeasured_by_reason(result);
    if list.is_empty() {
        return;
    }
    let title = page.paint(Tone::Strong, "Not measured");
    page.heading(&title, 12);
    for (subjects, entry) in list {
        page.paragraph(2, Tone::Strong, &subjects.join(", "));
        page.paragraph(4, Tone::Plain, &entry.reason);
        if let Some(hint) = entry.hint {
            page.paragraph(4, Tone::Flow, &format!("try: {hint}"));
        }
    }
}

fn footing(page: &mut Page, result: &RunResult, options: &HumanOptions) {
    let title = page.paint(Tone::Strong, "Run");
    page.heading(&title, 3);
    page.labelled(
        "seed",
        Tone::Plain,
        &format!("{} (repeats this run: --seed {})", result.seed, result.seed),
    );
    let mut budget = words::spent(result);
    if result.budget.shrink_calls > 0 {
        let more = words::count(result.budget.shrink_calls, "call");
        let _ = write!(budget, "; {more} more to confirm and shrink");
    }
    page.labelled("budget", Tone::Plain, &budget);
    page.labelled("ended", Tone::Plain, words::ended(&result.budget.ended_by));
    let sessions = words::count(result.budget.sessions, "session");
    page.labelled(
        "speed",
        Tone::Plain,
        &format!("{:.0} calls/s over {sessions}", result.timing.calls_per_second),
    );
    let phases = result.phases.iter().map(|phase| match (&phase.skipped, phase.calls) {
        (Some(why), _) => format!("{} skipped ({why})", words::phase(phase.phase)),
        (None, 0) => words::phase(phase.phase).to_owned(),
        (None, calls) => format!("{} {}", words::phase(phase.phase), words::number(calls)),
    });
    page.labelled("phases", Tone::Plain, &phases.collect::<Vec<_>>().join(", "));
    if options.verbosity == Verbosity::Verbose {
        let links = result.corpus.links.iter().take(20);
        for link in links {
            page.labelled(
                "link",
                Tone::Plain,
                &format!("{} → {} ({} of {} ok)", link.from, link.to, link.ok, link.uses),
            );
        }
    }
    page.labelled("lints", Tone::Plain, &result.config_source);
}

fn verdict(page: &mut Page, result: &RunResult) {
    let (word, tone) = match result.outcome {
        Outcome::Passed => ("PASSED", Tone::Good),
        Outcome::Failed => ("FAILED", Tone::Error),
        Outcome::Inconclusive => ("INCONCLUSIVE", Tone::Warning),
        Outcome::Interrupted => ("INTERRUPTED", Tone::Warning),
    };
    let indent = word.len() + 2;
    let sum = format!("{}; {}", words::tally(result), words::tools(result));
    let word = page.paint(tone, word);
    for (index, line) in page::wrap(&sum, page.width.saturating_sub(indent)).iter().enumerate() {
        match index {
            0 => page.line(&format!("{word}  {line}")),
            _ => page.line(&format!("{}{line}", " ".repeat(indent))),
        }
    }
    if let (Outcome::Inconclusive | Outcome::Interrupted, Some(reason)) =
        (result.outcome, &result.reason)
    {
        page.paragraph(2, Tone::Plain, reason);
    }
}
