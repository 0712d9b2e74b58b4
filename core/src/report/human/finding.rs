//! A finding in the terminal report.

use super::page::{Page, Tone, cut, fit};
use super::{HumanOptions, Verbosity};
use crate::case::{Label, Role};
use crate::finding::{CaseReport, Finding, StepReport};
use crate::lints::Level;
use crate::report::answer::Extent;
use crate::report::value::Layout;
use crate::report::{answer, escape, words};
use unicode_width::UnicodeWidthStr;

/// Writes a finding. `repeated` says that the same lint was explained before.
pub(super) fn write(
    page: &mut Page,
    finding: &Finding,
    place: (usize, usize),
    repeated: bool,
    options: &HumanOptions,
) {
    heading(page, finding, place);
    write_body(page, finding, repeated, options);
}

/// Writes a finding without its heading.
pub(super) fn write_body(
    page: &mut Page,
    finding: &Finding,
    repeated: bool,
    options: &HumanOptions,
) {
    page.paragraph(2, Tone::Strong, &finding.message);
    if let Some(evidence) = &finding.evidence {
        page.quoted(2, evidence.lines().take(6));
    }
    page.blank();
    if !repeated || options.verbosity == Verbosity::Verbose {
        labelled(page, "why", &finding.why);
    }
    labelled(page, "fix", &finding.fix);
    if !repeated && !finding.spec.is_empty() {
        page.labelled_verbatim("spec", Tone::Plain, &finding.spec);
    }
    page.labelled("seen", tone_of_reproduction(finding), &words::times_seen(finding));
    labelled(page, "also in", &finding.also.join(", "));
    if let Some(case) = &finding.case {
        write_case(page, finding, case, options);
    } else if let Some(exit) = &finding.exit {
        page.labelled("ended", Tone::Plain, &exit.summary());
        stderr(page, 11, &exit.stderr, options);
    }
    if let Some(replay) = &finding.replay {
        page.blank();
        page.labelled_verbatim("replay", Tone::Strong, replay);
    }
}

/// Writes the same fault at other tools, a line each: the tool, and how to run its case again.
pub(super) fn others(page: &mut Page, first: &Finding, others: &[(usize, &Finding)]) {
    if others.is_empty() {
        return;
    }
    page.blank();
    let count = words::count_len(others.len(), "other tool");
    page.paragraph(2, Tone::Faint, &format!("The same at {count}"));
    page.blank();
    let tool = |finding: &Finding| finding.tool.clone().unwrap_or_default();
    let longest = others.iter().map(|(_, other)| tool(other).width()).max().unwrap_or(0);
    let column = longest.min(page.width / 3);
    for (_, other) in others {
        let name = page.paint(Tone::Strong, &fit(&tool(other), column));
        let rest = match &other.replay {
            Some(replay) => escape::line(replay).into_owned(),
            None => words::times_seen(other),
        };
        page.line(&format!("  {name}  {}", page.paint(tone_of_reproduction(other), &rest)));
        if other.message != first.message {
            page.paragraph(4 + column, Tone::Faint, &other.message);
        }
    }
}

fn heading(page: &mut Page, finding: &Finding, (index, of): (usize, usize)) {
    let (word, tone) = match finding.level {
        Level::Error => ("ERROR", Tone::Error),
        _ => ("WARNING", Tone::Warning),
    };
    let at = format!(" {index}/{of}");
    let subject = finding
        .tool
        .as_deref()
        .map(|tool| format!(" · {}", escape::line(tool)))
        .unwrap_or_default();
    let lint = escape::line(&finding.lint);
    let subject =
        cut(&subject, page.width.saturating_sub(word.len() + at.len() + lint.len() + 8).max(12));
    let plain = word.width() + at.width() + 1 + lint.width() + subject.width();
    let painted = format!(
        "{}{} {}{}",
        page.paint(tone, word),
        page.paint(Tone::Faint, &at),
        page.paint(Tone::Strong, &lint),
        subject
    );
    page.heading(&painted, plain);
}

fn labelled(page: &mut Page, label: &str, text: &str) {
    if !text.is_empty() {
        page.labelled(label, Tone::Plain, text);
    }
}

fn tone_of_reproduction(finding: &Finding) -> Tone {
    match finding.reproduction {
        Some(reproduction) if reproduction.is_flaky() => Tone::Warning,
        _ => Tone::Plain,
    }
}

fn write_case(page: &mut Page, finding: &Finding, case: &CaseReport, options: &HumanOptions) {
    page.blank();
    page.paragraph(2, Tone::Faint, &answer::case_title(case));
    page.blank();
    let shown = match options.verbosity {
        Verbosity::Verbose => vec![true; case.steps.len()],
        _ => answer::telling_steps(case),
    };
    let left_out = shown.iter().filter(|shown| !**shown).count();
    if left_out > 0 {
        let steps = words::count_len(left_out, "earlier step");
        let text = format!("{steps} left out; --verbose shows all");
        page.paragraph(6, Tone::Faint, &text);
    }
    for (index, step) in case.steps.iter().enumerate().filter(|(index, _)| shown[*index]) {
        let exit = finding.exit.as_ref().filter(|_| index == case.failing_step);
        write_step(page, case, (index, step), exit.is_some(), options);
        if let Some(exit) = exit {
            page.paragraph(6, Tone::Plain, &exit.summary());
            stderr(page, 6, &exit.stderr, options);
        }
    }
}

fn write_step(
    page: &mut Page,
    case: &CaseReport,
    (index, step): (usize, &StepReport),
    exit_follows: bool,
    options: &HumanOptions,
) {
    let failing = index == case.failing_step;
    let tone = if failing { Tone::Error } else { Tone::Faint };
    let arrow = if step.group.is_some() { "⇉" } else { "→" };
    let number = page.paint(tone, &format!("{:>3} {arrow} ", index + 1));
    let name = cut(&escape::line(answer::step_name(step)), page.width / 2);
    let prefix = format!("{number}{} ", page.paint(Tone::Strong, &name));
    let layout = Layout {
        first: page.width.saturating_sub(7 + name.width()),
        width: page.width.saturating_sub(6),
        lines: if failing { 24 } else { 8 },
        string: options.string_limit(),
        wrap: true,
        bindings: &step.bindings,
    };
    if step.arguments.is_null() {
        page.line(&prefix);
    } else {
        page.json(&prefix, 6, &layout.render(&step.arguments));
    }
    if let Some(remark) = remark(case, index, step) {
        page.paragraph(6, Tone::Faint, &remark);
    }
    write_answer(page, step, (failing, exit_follows), options);
}

/// What is special about a step: how its arguments were chosen, or which steps went out with it.
fn remark(case: &CaseReport, index: usize, step: &StepReport) -> Option<String> {
    if let Label::Invalid { pointer, keyword, mutation } = &step.label {
        let at = if pointer.is_empty() { "the arguments" } else { pointer };
        return Some(format!("invalid on purpose: {mutation} ({keyword} at {at})"));
    }
    if let Some(group) = step.group {
        let others =
            case.steps.iter().enumerate().filter(|(i, s)| *i != index && s.group == Some(group));
        let others: Vec<String> = others.map(|(i, _)| (i + 1).to_string()).collect();
        return (!others.is_empty())
            .then(|| format!("sent together with step {}", others.join(", ")));
    }
    match &step.role {
        Role::Boundary { edge, pointer } if pointer.is_empty() => {
            Some(format!("at the edge: {edge}"))
        }
        Role::Boundary { edge, pointer } => Some(format!("at the edge: {edge} of {pointer}")),
        role if crate::execute::is_elsewhere(role) => Some("by another client".to_owned()),
        Role::Cancelled { after_ms } => Some(format!("cancelled after {after_ms} ms")),
        _ => None,
    }
}

fn write_answer(
    page: &mut Page,
    step: &StepReport,
    (failing, exit_follows): (bool, bool),
    options: &HumanOptions,
) {
    let arrow = page.paint(Tone::Faint, "    ← ");
    let tone = match (failing, step.outcome.as_str()) {
        (true, _) => Tone::Error,
        (false, "ok") => Tone::Good,
        _ => Tone::Warning,
    };
    let outcome = cut(&escape::line(&step.outcome), page.width / 2);
    let time = format!(", {}", words::millis(step.elapsed_ms));
    let head = format!("{arrow}{}{} ", page.paint(tone, &outcome), page.paint(Tone::Faint, &time));
    if let Some(instead) = answer::instead(&step.response) {
        page.line(&head);
        if !exit_follows {
            page.paragraph(6, Tone::Plain, instead);
        }
        return;
    }
    let extent = match (options.verbosity, failing) {
        (Verbosity::Verbose, _) => Extent::Whole,
        (_, true) => Extent::Body,
        (_, false) => Extent::Gist,
    };
    let width = page.width.saturating_sub(6);
    let layout = |first: usize| Layout {
        first,
        width,
        lines: options.answer_lines(failing),
        string: options.string_limit(),
        wrap: true,
        bindings: &[],
    };
    let Some(value) = answer::shown(&step.response, extent) else {
        page.line(&head);
        return;
    };
    let first = page.width.saturating_sub(7 + outcome.width() + time.width());
    let lines = layout(first).render(&value);
    if lines.len() == 1 {
        page.json(&head, 6, &lines);
    } else {
        page.line(&head);
        let lines = layout(width).render(&value);
        page.json("      ", 6, &lines);
    }
}

fn stderr(page: &mut Page, indent: usize, text: &str, options: &HumanOptions) {
    let keep = if options.verbosity == Verbosity::Verbose { 40 } else { 8 };
    let lines: Vec<&str> = text.trim_end().lines().collect();
    if text.trim().is_empty() {
        return;
    }
    let from = lines.len().saturating_sub(keep);
    if from > 0 {
        page.paragraph(indent, Tone::Faint, &format!("the last {keep} lines of standard error:"));
    } else {
        page.paragraph(indent, Tone::Faint, "standard error:");
    }
    page.quoted(indent, lines[from..].iter().copied());
}
