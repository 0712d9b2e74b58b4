//! One self-contained page: no scripts, no requests, readable on paper, phone and desktop, in light and dark.

mod coverage;
mod finding;
mod markup;
mod run;
mod sequence;

use super::words;
use crate::finding::Finding;
use crate::lints::Level;
use crate::result::{Outcome, RunResult};
use markup::{Html, rich};
use serde_json::Value;

/// The page's style sheet.
const STYLE: &str = include_str!("style.css");

/// Renders the page.
pub fn render(result: &RunResult) -> String {
    let mut page = Html::default();
    let title =
        format!("{} {}: {}", name(result), result.server.version, words::verdict(result.outcome));
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    // Nothing on the page may load or run anything, whatever a server wrote into its answers.
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    page.element("title", "", &title);
    page.raw(&format!("\n<style>\n{STYLE}</style>\n</head>\n"));
    page.open("body", outcome_class(result.outcome));
    header(&mut page, result);
    page.raw("<main>\n");
    overview(&mut page, result);
    findings(&mut page, result);
    run::unmeasured(&mut page, result);
    coverage::write(&mut page, result);
    run::replayed(&mut page, result);
    run::baseline(&mut page, result);
    run::details(&mut page, result);
    page.raw("</main>\n<footer>");
    page.text(&format!("tooltest {} · seed {}", result.tooltest_version, result.seed));
    page.raw("</footer>\n</body>\n</html>\n");
    page.finish()
}

fn name(result: &RunResult) -> &str {
    if result.server.name.is_empty() { "unnamed server" } else { &result.server.name }
}

const fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "good",
        Outcome::Failed => "bad",
        Outcome::Inconclusive | Outcome::Interrupted => "warn",
    }
}

fn header(page: &mut Html, result: &RunResult) {
    let server = &result.server;
    page.open("header", "");
    page.open("div", &format!("verdict {}", outcome_class(result.outcome)));
    page.element("span", "word", words::verdict(result.outcome));
    page.element("span", "tally", &words::tally(result));
    page.close("div");
    page.open("h1", "");
    page.text(name(result));
    page.raw(" ");
    page.element("small", "", &server.version);
    page.close("h1");
    page.open("p", "target");
    page.element("code", "", &server.target);
    page.text(&format!(" · {}", server.transport));
    if let Some(revision) = server.revision {
        page.text(&format!(" · MCP {revision}"));
    }
    page.close("p");
    if let Some(reason) = result.reason.as_ref().filter(|_| result.outcome != Outcome::Failed) {
        page.open("p", "reason");
        rich(page, reason);
        page.close("p");
    }
    tiles(page, result);
    page.close("header");
}

fn tiles(page: &mut Html, result: &RunResult) {
    let succeeded = result.coverage.iter().filter(|tool| tool.ok > 0).count();
    let limit = |field: &str| result.input.get(field).and_then(Value::as_f64);
    #[expect(clippy::cast_precision_loss, reason = "a share, for a bar")]
    let (calls, ok, all) =
        (result.budget.calls as f64, succeeded as f64, result.coverage.len() as f64);
    page.open("div", "tiles");
    tile(
        page,
        &format!("{succeeded} of {}", result.coverage.len()),
        "tools succeeded",
        Some(ok / all),
    );
    let of = |limit: Option<f64>, text: String| match limit {
        Some(_) => format!("of {text}"),
        None => String::new(),
    };
    let max_calls = limit("max_calls");
    let budget = of(
        max_calls,
        format!(
            "{} calls",
            words::number(result.input.get("max_calls").and_then(Value::as_u64).unwrap_or(0))
        ),
    );
    tile(
        page,
        &words::number(result.budget.calls),
        if budget.is_empty() { "calls" } else { &budget },
        max_calls.map(|max| calls / max),
    );
    let max_time = limit("time_limit");
    let budget = of(max_time, words::seconds_rounded(max_time.unwrap_or(0.0)));
    tile(
        page,
        &words::seconds(result.timing.seconds),
        if budget.is_empty() { "in all" } else { &budget },
        max_time.map(|max| result.timing.seconds / max),
    );
    tile(page, &format!("{:.0}", result.timing.calls_per_second), "calls per second", None);
    tile(page, &result.seed.to_string(), "seed", None);
    page.close("div");
}

fn tile(page: &mut Html, value: &str, label: &str, share: Option<f64>) {
    page.open("div", "tile");
    page.element("b", "", value);
    page.element("span", "", label);
    if let Some(share) = share.filter(|share| share.is_finite()) {
        let width = (share * 100.0).clamp(0.0, 100.0);
        page.raw(&format!("<i class=\"meter\"><i style=\"width:{width:.1}%\"></i></i>"));
    }
    page.close("div");
}

fn all(result: &RunResult) -> impl Iterator<Item = &Finding> {
    result.findings.iter().chain(&result.warnings)
}

fn level(finding: &Finding) -> (&'static str, &'static str) {
    match finding.level {
        Level::Error => ("error", "bad"),
        _ => ("warning", "warn"),
    }
}

/// The list of findings on top, each a link to its section.
fn overview(page: &mut Html, result: &RunResult) {
    if all(result).next().is_none() {
        return;
    }
    page.raw("<nav aria-label=\"Findings\"><ol class=\"overview\">\n");
    for (index, finding) in all(result).enumerate() {
        let (word, class) = level(finding);
        page.raw(&format!("<li><a href=\"#finding-{}\">", index + 1));
        page.element("span", &format!("chip {class}"), word);
        page.element("span", "lint", &finding.lint);
        page.element("span", "tool", finding.tool.as_deref().unwrap_or(""));
        page.open("span", "what");
        rich(page, &finding.message);
        page.close("span");
        page.raw("</a></li>\n");
    }
    page.raw("</ol></nav>\n");
}

fn findings(page: &mut Html, result: &RunResult) {
    for (index, finding) in all(result).enumerate() {
        finding::write(page, index + 1, finding);
    }
}
