//! The coverage table of the terminal report.

use super::page::{Page, Tone, fit};
use crate::report::words;
use crate::result::{RunResult, ToolCoverage};
use unicode_width::UnicodeWidthStr;

/// How wide the columns are.
struct Columns {
    name: usize,
    bar: usize,
    /// Whether there is room for each kind of error in its own column, and for the median.
    wide: bool,
}

impl Columns {
    fn of(page: &Page, result: &RunResult) -> Self {
        let wide = page.width >= 100;
        let longest =
            result.coverage.iter().map(|tool| tool.tool.width()).max().unwrap_or(0).max(4);
        let numbers = if wide { 6 * 2 + 10 * 4 + 10 * 2 } else { 6 * 2 + 9 * 2 + 10 };
        let bar = match page.width {
            0..76 => 0,
            76..100 => 10,
            _ => 16,
        };
        let room = page.width.saturating_sub(2 + numbers + 2 + bar + 2);
        Self { name: longest.min(room.max(10)), bar, wide }
    }
}

/// Writes the table.
pub(super) fn write(page: &mut Page, result: &RunResult) {
    if result.coverage.is_empty() {
        return;
    }
    let title = page.paint(Tone::Strong, "Coverage");
    page.heading(&title, 8);
    let columns = Columns::of(page, result);
    let header = if columns.wide {
        format!(
            " {:>6}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "calls", "ok", "tool err", "soft err", "rpc err", "broken", "p50", "p95"
        )
    } else {
        format!(" {:>6}{:>6}{:>9}{:>9}{:>10}", "calls", "ok", "errors", "broken", "p95")
    };
    let header = format!("  {}  {}{header}", fit("tool", columns.name), " ".repeat(columns.bar));
    let header = page.paint(Tone::Faint, header.trim_end());
    page.line(&header);
    for tool in &result.coverage {
        row(page, tool, &columns);
    }
    if columns.bar > 0 {
        page.blank();
        legend(page);
    }
}

fn row(page: &mut Page, tool: &ToolCoverage, columns: &Columns) {
    let name = fit(&tool.tool, columns.name);
    let name_tone = match (tool.calls, tool.ok) {
        (0, _) => Tone::Faint,
        (_, 0) => Tone::Warning,
        _ => Tone::Plain,
    };
    let name = page.paint(name_tone, &name);
    if tool.calls == 0 {
        let remark = page.paint(Tone::Faint, "not called");
        page.line(&format!("  {name}  {remark}"));
        return;
    }
    let bar = bar(page, tool, columns.bar);
    let cell = |n: u64, width: usize, tone: Tone| {
        let text = format!("{:>width$}", words::number(n));
        page.paint(if n == 0 { Tone::Faint } else { tone }, &text)
    };
    let calls = cell(tool.calls, 6, Tone::Plain);
    let ok = cell(tool.ok, 6, Tone::Plain);
    let broken = |width| cell(tool.broken, width, Tone::Error);
    let p95 = format!("{:>10}", words::millis(tool.latency.p95));
    let numbers = if columns.wide {
        let soft = cell(tool.soft_errors, 10, Tone::Warning);
        let errors = format!(
            "{}{soft}{}",
            cell(tool.tool_errors, 10, Tone::Plain),
            cell(tool.protocol_errors, 10, Tone::Plain)
        );
        format!("{calls}{ok}{errors}{}{:>10}{p95}", broken(10), words::millis(tool.latency.p50))
    } else {
        let errors = tool.tool_errors + tool.soft_errors + tool.protocol_errors;
        format!("{calls}{ok}{}{}{p95}", cell(errors, 9, Tone::Plain), broken(9))
    };
    page.line(&format!("  {name}  {bar} {numbers}"));
}

/// A bar of the shares of outcomes; each kind that occurred gets at least one cell.
fn bar(page: &Page, tool: &ToolCoverage, width: usize) -> String {
    let errors = tool.tool_errors + tool.soft_errors + tool.protocol_errors;
    let cells = shares([tool.ok, errors, tool.broken], width);
    let parts = [(Tone::Good, "█"), (Tone::Warning, "▒"), (Tone::Error, "×")];
    let parts = parts.iter().zip(cells);
    parts.map(|((tone, glyph), n)| page.paint(*tone, &glyph.repeat(n))).collect()
}

/// Divides `width` cells in the proportion of `counts`; what is not zero gets at least one.
fn shares<const N: usize>(counts: [u64; N], width: usize) -> [usize; N] {
    let total: u64 = counts.iter().sum();
    let mut cells = [0; N];
    if total == 0 || width == 0 {
        return cells;
    }
    for (cell, count) in cells.iter_mut().zip(counts) {
        let exact = u128::from(count) * width as u128 / u128::from(total);
        *cell = usize::try_from(exact).unwrap_or(width).max(usize::from(count > 0));
    }
    let mut used: usize = cells.iter().sum();
    while used != width {
        let largest = (0..N).max_by_key(|i| (counts[*i], N - i)).unwrap_or(0);
        if used < width {
            cells[largest] += 1;
            used += 1;
        } else if cells[largest] > 1 {
            cells[largest] -= 1;
            used -= 1;
        } else {
            break;
        }
    }
    cells
}

fn legend(page: &mut Page) {
    let good = page.paint(Tone::Good, "█");
    let errors = page.paint(Tone::Warning, "▒");
    let broken = page.paint(Tone::Error, "×");
    let words = |text: &str| page.paint(Tone::Faint, text);
    let line = format!(
        "  {good} {}   {errors} {}   {broken} {}",
        words("success"),
        words("error answer"),
        words("crash, no answer or malformed")
    );
    page.line(&line);
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn shares_fill_the_bar_and_hide_nothing() {
        assert_eq!(shares([98, 31, 14], 10), [7, 2, 1]);
        assert_eq!(shares([1000, 1, 0], 10), [9, 1, 0]);
        assert_eq!(shares([0, 0, 0], 10), [0, 0, 0]);
        assert_eq!(shares([1, 1, 1], 10).iter().sum::<usize>(), 10);
        assert_eq!(shares([1, 1, 1], 2), [1, 1, 1]);
    }
}
