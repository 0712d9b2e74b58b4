//! What the bench prints and writes.

use super::catalogue::ServerName;
use super::options::Options;
use super::row::{Kind, Row};
use super::summary::Summary;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One line on a run that is done.
pub fn line(row: &Row) -> String {
    let mut text = format!("{:8} {:36}", row.server, row.id);
    if let Some(failure) = &row.failure {
        let _ = write!(text, " no result: {failure}");
        return text;
    }
    if row.kind == Kind::Mutant {
        let verdict = match (row.triggered, row.detected) {
            (_, true) => "detected",
            (true, false) => "MISSED",
            (false, false) => "not triggered",
        };
        let _ = write!(
            text,
            " {verdict:14} {:26}",
            row.lint.as_ref().or(row.expected.as_ref()).map_or("", String::as_str)
        );
        let _ = write!(text, " at {:>5}", shown(row.calls_to_detection));
        let _ = write!(text, " steps {:>2}/{:<3}", shown(row.steps), shown(row.depth));
    }
    let _ = write!(text, " {:>5} calls {:6.1} s", shown(row.calls), row.seconds);
    for (name, others) in [("error", &row.other_errors), ("warning", &row.other_warnings)] {
        if row.kind != Kind::Mutant || name == "error" {
            for other in others {
                let _ = write!(text, "\n         {name}: {other}");
            }
        }
    }
    text
}

/// The totals of each server and of all.
pub fn totals(rows: &[Row]) -> Vec<(String, Summary)> {
    let mut totals: Vec<(String, Summary)> = ServerName::ALL
        .into_iter()
        .map(ServerName::as_str)
        .filter(|name| rows.iter().any(|row| row.server == *name))
        .map(|name| (name.to_owned(), Summary::of(rows.iter().filter(|row| row.server == name))))
        .collect();
    totals.push(("all".to_owned(), Summary::of(rows)));
    totals
}

/// Everything as a document.
pub fn document(tester: &str, rows: &[Row], options: &Options) -> Value {
    let totals: serde_json::Map<String, Value> =
        totals(rows).into_iter().map(|(name, summary)| (name, json!(summary))).collect();
    json!({
        "tester": tester,
        "calls": options.calls,
        "seconds": options.time,
        "seeds": options.seeds,
        "totals": totals,
        "rows": rows,
    })
}

/// The tables as Markdown.
pub fn markdown(tester: &str, rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "# The bug bench\n\n`cargo run --release -p tooltest-tests --bin bench -- --calls {} --time {} --seeds {} --markdown \
         tests/BENCH.md` writes this file.\nTester: {tester}. Each run has at most {} calls and {} seconds.\n\n",
        options.calls, options.time, options.seeds, options.calls, options.time
    );
    text.push_str(&totals_table(rows));
    text.push_str(
        "\n*Triggered*: the faulty path ran. *Detected*: a finding or a warning has a lint and a tool that the catalogue calls \
         right.\n*Calls*: until the first such report (median). *Steps/depth*: calls of the reported case over the smallest \
         number that shows the bug.\n*Reproduced*: of the attempts on fresh sessions, those that showed the fault again.\n\
         *False errors*: findings at level error on clean servers and decoys.\n",
    );
    mutants_table(&mut text, rows);
    others_list(&mut text, rows);
    text
}

/// The totals as a Markdown table.
pub fn totals_table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| server | mutants | triggered | detected | calls | steps/depth median | p90 | reproduced | clean and decoys | false errors | \
         warnings |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (name, s) in totals(rows) {
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            s.mutants,
            percent(s.triggered),
            percent(s.detected),
            s.calls_to_detection.map_or_else(|| "–".to_owned(), |calls| format!("{calls:.0}")),
            decimal(s.ratio_median),
            decimal(s.ratio_p90),
            percent(s.reproduced),
            s.without_fault,
            s.false_errors,
            s.warnings
        );
    }
    text
}

fn mutants_table(text: &mut String, rows: &[Row]) {
    text.push_str(
        "\n## Mutants\n\n| server | bug | depth | verdict | lint | calls | steps | reproduced |\n\
         | --- | --- | ---: | --- | --- | ---: | ---: | --- |\n",
    );
    for row in rows.iter().filter(|row| row.kind == Kind::Mutant) {
        let verdict = match (row.failure.is_some(), row.triggered, row.detected) {
            (true, ..) => "no result",
            (_, _, true) => "detected",
            (_, true, false) => "missed",
            (_, false, false) => "not triggered",
        };
        let reproduced =
            row.reproduction.map_or_else(String::new, |(tried, again)| format!("{again}/{tried}"));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {verdict} | {} | {} | {} | {reproduced} |",
            row.server,
            row.id,
            shown(row.depth),
            row.lint.as_ref().or(row.expected.as_ref()).map_or("", String::as_str),
            shown(row.calls_to_detection),
            shown(row.steps),
        );
    }
}

fn others_list(text: &mut String, rows: &[Row]) {
    text.push_str("\n## Servers without a fault\n\n");
    for row in rows.iter().filter(|row| row.kind != Kind::Mutant) {
        let _ = writeln!(
            text,
            "- {} {}: {} calls, {} errors, {} warnings",
            row.server,
            row.id,
            shown(row.calls),
            row.other_errors.len(),
            row.other_warnings.len()
        );
        for other in row.other_errors.iter().chain(&row.other_warnings) {
            let _ = writeln!(text, "  - {other}");
        }
    }
}

fn shown<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

fn decimal(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}
