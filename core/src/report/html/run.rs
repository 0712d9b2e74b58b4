//! The sections about the run itself.

use super::markup::{Html, rich};
use crate::report::value::Layout;
use crate::report::words;
use crate::result::{ReplayStatus, RunResult};
use serde_json::Value;

/// What was not judged.
pub(super) fn unmeasured(page: &mut Html, result: &RunResult) {
    let list = words::unmeasured_by_reason(result);
    if list.is_empty() {
        return;
    }
    page.raw("<section id=\"not-measured\">\n<h2>Not measured</h2>\n<ul class=\"unmeasured\">\n");
    for (subjects, entry) in list {
        page.raw("<li>");
        for subject in subjects {
            page.element("code", "subject", &subject);
            page.raw(" ");
        }
        rich(page, &entry.reason);
        if let Some(hint) = &entry.hint {
            page.raw("<br><span class=\"hint\">Try</span> ");
            page.element("code", "try", hint);
        }
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
    page.close("section");
}

/// Saved failures that were run again.
pub(super) fn replayed(page: &mut Html, result: &RunResult) {
    if result.replayed.is_empty() {
        return;
    }
    page.raw(
        "<section id=\"replayed\">\n<h2>Saved failures run again</h2>\n<ul class=\"unmeasured\">\n",
    );
    for replay in &result.replayed {
        let class = match replay.status {
            ReplayStatus::Failing => "bad",
            ReplayStatus::Flaky | ReplayStatus::Error => "warn",
            ReplayStatus::Fixed => "good",
        };
        page.raw("<li>");
        page.element("span", &format!("chip {class}"), words::replay_status(replay.status));
        page.raw(" ");
        page.element("code", "", &replay.lint);
        page.text(&replay.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default());
        let rate = replay.reproduction;
        page.element(
            "span",
            "note",
            &format!(
                " · {} of {} · {}",
                rate.reproduced,
                words::count(rate.attempts.into(), "attempt"),
                replay.message
            ),
        );
        page.raw("<br>");
        page.element("code", "try", &replay.file);
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
    page.close("section");
}

/// What a baseline accepted, and which of its entries are stale.
pub(super) fn baseline(page: &mut Html, result: &RunResult) {
    let Some(baseline) = &result.baseline else { return };
    page.raw("<section id=\"baseline\">\n<h2>Baseline</h2>\n");
    let accepted = words::count_len(baseline.accepted.len(), "known finding");
    page.element("p", "note", &format!("{accepted} accepted; they do not count for the verdict."));
    page.raw("\n<ul class=\"unmeasured\">\n");
    for finding in &baseline.accepted {
        known(page, ("accepted", "good"), &finding.lint, finding.tool.as_deref());
        rich(page, &finding.message);
        page.raw("<br>");
        page.element("code", "try", &finding.fingerprint);
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
    if !baseline.stale.is_empty() {
        page.element("p", "note", &words::stale(baseline.stale.len()));
        page.raw("\n<ul class=\"unmeasured\">\n");
        for entry in &baseline.stale {
            known(page, ("stale", "warn"), &entry.lint, entry.tool.as_deref());
            rich(page, &entry.message);
            if let Some(reason) = &entry.reason {
                page.element("span", "note", &format!(" · accepted because: {reason}"));
            }
            page.raw("<br>");
            page.element("code", "try", &entry.fingerprint);
            page.raw("</li>\n");
        }
        page.raw("</ul>\n");
    }
    page.close("section");
}

fn known(page: &mut Html, (word, class): (&str, &str), lint: &str, tool: Option<&str>) {
    page.raw("<li>");
    page.element("span", &format!("chip {class}"), word);
    page.raw(" ");
    page.element("code", "", lint);
    page.text(&tool.map(|tool| format!(" {tool}")).unwrap_or_default());
    page.raw("<br>");
}

/// Phases, budget, links, input.
pub(super) fn details(page: &mut Html, result: &RunResult) {
    page.raw("<section id=\"run\">\n<h2>Run</h2>\n");
    phases(page, result);
    page.open("dl", "advice");
    let mut entry = |label: &str, text: &str| {
        page.element("dt", "", label);
        page.element("dd", "", text);
        page.raw("\n");
    };
    entry("Seed", &format!("{} (--seed {} repeats this run)", result.seed, result.seed));
    entry("Budget", &words::spent(result));
    entry(
        "Shrinking",
        &format!(
            "{}, {}",
            words::count(result.budget.shrink_calls, "call"),
            words::seconds(result.timing.shrink_seconds)
        ),
    );
    entry("Sessions", &words::number(result.budget.sessions));
    entry("Start-up", &words::seconds(result.timing.startup_seconds));
    entry("Ended", words::ended(&result.budget.ended_by));
    entry("Lint configuration", &result.config_source);
    entry("Corpus", &words::count(result.corpus.values, "value"));
    page.close("dl");
    links(page, result);
    let layout =
        Layout { first: 92, width: 92, lines: 2000, string: 2000, wrap: false, bindings: &[] };
    let plain = |_: usize| String::new();
    page.folded("input", false, |page| page.json(&result.input, &layout, &plain));
    if has_items(&result.offered) {
        page.folded("what the server offers", false, |page| {
            page.json(&result.offered, &layout, &plain);
        });
    }
    if !result.server.stderr.trim().is_empty() {
        page.folded("standard error of the server", false, |page| {
            page.element("pre", "stderr", result.server.stderr.trim_end());
        });
    }
    page.close("section");
}

fn has_items(offered: &Value) -> bool {
    offered.as_object().is_some_and(|lists| {
        lists.values().any(|list| list.as_array().is_some_and(|list| !list.is_empty()))
    })
}

fn phases(page: &mut Html, result: &RunResult) {
    page.raw("<ol class=\"phases\">\n");
    for phase in &result.phases {
        page.raw(if phase.skipped.is_some() { "<li class=\"skipped\">" } else { "<li>" });
        page.element("b", "", words::phase(phase.phase));
        let text = match &phase.skipped {
            Some(why) => format!("skipped: {why}"),
            None if phase.calls == 0 => "done".to_owned(),
            None => words::count(phase.calls, "call"),
        };
        page.element("span", "", &text);
        page.raw("</li>\n");
    }
    page.raw("</ol>\n");
}

fn links(page: &mut Html, result: &RunResult) {
    if result.corpus.links.is_empty() {
        return;
    }
    page.folded("learned links between tools", false, |page| {
        page.raw("<table class=\"links\"><thead><tr><th>from</th><th>to</th><th class=\"n\">uses</th><th class=\"n\">ok</th></tr></thead><tbody>");
        for link in &result.corpus.links {
            page.raw("<tr><td>");
            page.element("code", "", &link.from);
            page.raw("</td><td>");
            page.element("code", "", &link.to);
            page.raw("</td>");
            page.element("td", "n", &words::number(link.uses));
            page.element("td", "n", &words::number(link.ok));
            page.raw("</tr>");
        }
        page.raw("</tbody></table>\n");
    });
}
