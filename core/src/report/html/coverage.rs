//! Coverage and latency of each tool.

use super::markup::Html;
use crate::report::{escape, words};
use crate::result::{Latency, RunResult, ToolCoverage};
use std::fmt::Write as _;

/// Writes the table.
pub(super) fn write(page: &mut Html, result: &RunResult) {
    if result.coverage.is_empty() {
        return;
    }
    let axis = Axis::of(result);
    page.raw("<section id=\"coverage\">\n<h2>Coverage</h2>\n<p class=\"legend\">");
    for (class, text) in [
        ("ok", "success"),
        ("tool-error", "tool error"),
        ("soft", "error text without isError"),
        ("rpc", "protocol error"),
        ("broken", "crash, no answer or malformed"),
    ] {
        page.raw(&format!("<span><i class=\"swatch {class}\"></i>{text}</span>"));
    }
    page.raw("</p>\n<table class=\"coverage\">\n<thead><tr><th>tool</th><th>outcomes</th><th class=\"n\">calls</th><th class=\"n\">ok</th><th class=\"n\">p50</th><th class=\"n\">p95</th><th>latency</th></tr></thead>\n<tbody>\n");
    for tool in &result.coverage {
        row(page, tool, &axis);
    }
    page.raw("</tbody>\n</table>\n");
    page.element("p", "caption", &format!("Latency: how many calls took how long, each column twice as long as the one before; all tools on one scale from {} to {}.", words::millis(Axis::bound(axis.first) / 2.0), words::millis(Axis::bound(axis.last))));
    page.close("section");
}

fn row(page: &mut Html, tool: &ToolCoverage, axis: &Axis) {
    page.raw(if tool.ok == 0 { "<tr class=\"never\">" } else { "<tr>" });
    page.raw("<td class=\"tool\">");
    page.element("code", "", &tool.tool);
    page.raw("</td>");
    if tool.calls == 0 {
        page.raw("<td class=\"bar\" colspan=\"6\">");
        page.element(
            "span",
            "note",
            &format!(
                "not called{}",
                tool.reason.as_ref().map(|why| format!(": {why}")).unwrap_or_default()
            ),
        );
        page.raw("</td></tr>\n");
        return;
    }
    page.raw("<td class=\"bar\">");
    bar(page, tool);
    page.raw("</td>");
    let cell = |page: &mut Html, label: &str, text: &str| {
        page.raw(&format!("<td class=\"n\" data-label=\"{label}\">"));
        page.text(text);
        page.raw("</td>");
    };
    cell(page, "calls", &words::number(tool.calls));
    cell(page, "ok", &words::number(tool.ok));
    cell(page, "p50", &words::millis(tool.latency.p50));
    cell(page, "p95", &words::millis(tool.latency.p95));
    page.raw("<td class=\"latency\">");
    page.raw(&axis.draw(&tool.latency));
    page.raw("</td></tr>\n");
    errors(page, tool);
}

fn bar(page: &mut Html, tool: &ToolCoverage) {
    let parts = [
        ("ok", tool.ok, "successes"),
        ("tool-error", tool.tool_errors, "tool errors"),
        ("soft", tool.soft_errors, "answers with error text but without isError"),
        ("rpc", tool.protocol_errors, "protocol errors"),
        ("broken", tool.broken, "crashes, missing or malformed answers"),
    ];
    page.raw("<span class=\"outcomes\">");
    for (class, count, what) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
        #[expect(clippy::cast_precision_loss, reason = "a share, for a bar")]
        let share = count as f64 * 100.0 / tool.calls.max(1) as f64;
        let _ = what;
        page.raw(&format!(
            "<i class=\"{class}\" style=\"flex-grow:{share:.2}\" title=\"{} {what}\"></i>",
            words::number(count)
        ));
    }
    page.raw("</span>");
}

fn errors(page: &mut Html, tool: &ToolCoverage) {
    if tool.errors.is_empty() {
        return;
    }
    page.raw("<tr class=\"errors\"><td colspan=\"7\">");
    for error in &tool.errors {
        page.element("span", "times", &format!("{} ×", words::number(error.count)));
        page.raw(" ");
        page.element("code", "", &error.text);
        page.raw(" ");
        page.element("span", "note", &format!("for {}", error.arguments));
        page.raw("<br>");
    }
    page.raw("</td></tr>\n");
}

/// The buckets that all drawings show.
struct Axis {
    first: usize,
    last: usize,
}

impl Axis {
    fn of(result: &RunResult) -> Self {
        let used = |latency: &Latency| {
            let first = latency.histogram.iter().position(|count| *count > 0)?;
            Some((first, latency.histogram.iter().rposition(|count| *count > 0)?))
        };
        let ranges: Vec<(usize, usize)> =
            result.coverage.iter().filter_map(|tool| used(&tool.latency)).collect();
        let first = ranges.iter().map(|range| range.0).min().unwrap_or(0);
        let last = ranges.iter().map(|range| range.1).max().unwrap_or(0);
        Self { first, last: last.max(first + 7) }
    }

    /// The upper bound of a bucket in milliseconds.
    fn bound(bucket: usize) -> f64 {
        0.125 * 2f64.powi(i32::try_from(bucket).unwrap_or(64).min(64))
    }

    /// A histogram as inline SVG.
    #[expect(clippy::cast_precision_loss, reason = "coordinates of a drawing")]
    fn draw(&self, latency: &Latency) -> String {
        const WIDTH: f64 = 200.0;
        const HEIGHT: f64 = 36.0;
        let most = latency.histogram.iter().max().copied().unwrap_or(0).max(1) as f64;
        let column = WIDTH / (self.last - self.first + 1) as f64;
        let label = format!(
            "median {}, 95th percentile {}, longest {}",
            words::millis(latency.p50),
            words::millis(latency.p95),
            words::millis(latency.max)
        );
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\"><line class=\"base\" x1=\"0\" y1=\"35.5\" x2=\"200\" y2=\"35.5\"/>",
            escape::markup(&label)
        );
        for (bucket, count) in
            latency.histogram.iter().enumerate().skip(self.first).filter(|(_, count)| **count > 0)
        {
            // The square root keeps rare slow calls visible beside many fast ones.
            let height = ((*count as f64 / most).sqrt() * (HEIGHT - 3.0)).max(2.0);
            let x = (bucket - self.first) as f64 * column;
            let title = format!(
                "up to {}: {}",
                words::millis(Self::bound(bucket)),
                words::count(*count, "call")
            );
            let class = if Self::bound(bucket) > 1000.0 { "slow" } else { "bin" };
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"1\"><title>{title}</title></rect>",
                x + 0.75,
                HEIGHT - 1.0 - height,
                (column - 1.5).max(1.0)
            );
        }
        svg.push_str("</svg>");
        svg
    }
}
