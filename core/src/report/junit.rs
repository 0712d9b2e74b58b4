//! JUnit XML, as CI systems read it: a test case per tool and per lint.

use super::escape::markup;
use super::{text, words};
use crate::finding::Finding;
use crate::lints::{Level, entries};
use crate::result::{RunResult, ToolCoverage};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What became of a test case.
enum Verdict<'a> {
    Passed,
    Skipped(String),
    Failed(Vec<&'a Finding>),
}

struct TestCase<'a> {
    name: &'a str,
    seconds: f64,
    verdict: Verdict<'a>,
    /// Shown with the test case, whatever became of it.
    remarks: Vec<&'a Finding>,
}

/// Renders the result. Findings at level error are failures; tools without a success and saved failures that could not be run
/// are skipped test cases; warnings are output of their test cases.
pub fn render(result: &RunResult) -> String {
    let name = if result.server.name.is_empty() { "server" } else { &result.server.name };
    let suites = [("tools", tools(result)), ("lints", lints(result))];
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    let mut body = String::new();
    for (kind, cases) in &suites {
        let counts = suite(&mut body, &format!("{name} {kind}"), &format!("{name}.{kind}"), cases);
        tests += counts.0;
        failures += counts.1;
        skipped += counts.2;
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuites name=\"tooltest {}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" disabled=\"{skipped}\" time=\"{:.3}\">",
        markup(name),
        result.timing.seconds
    );
    out.push_str(&body);
    out.push_str("</testsuites>\n");
    out
}

fn tools(result: &RunResult) -> Vec<TestCase<'_>> {
    let mut cases: Vec<TestCase<'_>> =
        result.coverage.iter().map(|tool| tool_case(result, tool)).collect();
    let known: BTreeSet<&str> = result.coverage.iter().map(|tool| tool.tool.as_str()).collect();
    let about_others =
        |finding: &&Finding| finding.tool.as_deref().is_none_or(|tool| !known.contains(tool));
    let server = test_case(
        "(server)",
        result.timing.startup_seconds,
        result.findings.iter().filter(about_others).collect(),
        result.warnings.iter().filter(about_others).collect(),
    );
    cases.push(server);
    cases
}

fn tool_case<'a>(result: &'a RunResult, tool: &'a ToolCoverage) -> TestCase<'a> {
    let about = |finding: &&Finding| {
        finding.tool.as_deref() == Some(&tool.tool) || finding.also.contains(&tool.tool)
    };
    #[expect(clippy::cast_precision_loss, reason = "an estimate of the time spent")]
    let seconds = tool.latency.p50 * tool.calls as f64 / 1000.0;
    let findings = result.findings.iter().filter(about).collect();
    let mut case =
        test_case(&tool.tool, seconds, findings, result.warnings.iter().filter(about).collect());
    if tool.ok == 0 && matches!(case.verdict, Verdict::Passed) {
        let why = words::unmeasured(result).into_iter().find(|entry| entry.subject == tool.tool);
        case.verdict = Verdict::Skipped(why.map_or_else(String::new, |entry| entry.reason));
    }
    case
}

fn lints(result: &RunResult) -> Vec<TestCase<'_>> {
    let found = result.findings.iter().chain(&result.warnings).map(|finding| finding.lint.as_str());
    let active =
        entries().filter(|entry| entry.meta.level != Level::Disabled).map(|entry| entry.meta.id);
    let mut seen = BTreeSet::new();
    let ids = active.chain(found).filter(|id| seen.insert(*id));
    let of = |list: &'_ [Finding], id: &str| -> Vec<usize> {
        list.iter()
            .enumerate()
            .filter(|(_, finding)| finding.lint == id)
            .map(|(index, _)| index)
            .collect()
    };
    ids.map(|id| {
        let findings = of(&result.findings, id).into_iter().map(|i| &result.findings[i]).collect();
        let warnings = of(&result.warnings, id).into_iter().map(|i| &result.warnings[i]).collect();
        test_case(id, 0.0, findings, warnings)
    })
    .collect()
}

fn test_case<'a>(
    name: &'a str,
    seconds: f64,
    findings: Vec<&'a Finding>,
    remarks: Vec<&'a Finding>,
) -> TestCase<'a> {
    let verdict = if findings.is_empty() { Verdict::Passed } else { Verdict::Failed(findings) };
    TestCase { name, seconds, verdict, remarks }
}

/// Writes a suite; returns how many test cases there are, failed, and were skipped.
fn suite(
    out: &mut String,
    name: &str,
    class: &str,
    cases: &[TestCase<'_>],
) -> (usize, usize, usize) {
    let failed = cases.iter().filter(|case| matches!(case.verdict, Verdict::Failed(_))).count();
    let skipped = cases.iter().filter(|case| matches!(case.verdict, Verdict::Skipped(_))).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\">",
        markup(name),
        cases.len()
    );
    for case in cases {
        write_case(out, class, case);
    }
    out.push_str("  </testsuite>\n");
    (cases.len(), failed, skipped)
}

fn write_case(out: &mut String, class: &str, case: &TestCase<'_>) {
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        markup(class),
        markup(case.name),
        case.seconds
    );
    if case.remarks.is_empty() && matches!(case.verdict, Verdict::Passed) {
        let _ = writeln!(out, "{head}/>");
        return;
    }
    let _ = writeln!(out, "{head}>");
    match &case.verdict {
        Verdict::Passed => {}
        Verdict::Skipped(why) => {
            let _ = writeln!(out, "      <skipped message=\"{}\"/>", markup(why));
        }
        Verdict::Failed(findings) => {
            for finding in findings {
                let (message, kind) = (markup(&finding.message), markup(&finding.lint));
                let details = markup(&text::finding(finding));
                let _ = writeln!(
                    out,
                    "      <failure message=\"{message}\" type=\"{kind}\">{details}</failure>"
                );
            }
        }
    }
    if !case.remarks.is_empty() {
        let remarks: Vec<String> =
            case.remarks.iter().map(|finding| text::finding(finding)).collect();
        let _ = writeln!(out, "      <system-out>{}</system-out>", markup(&remarks.join("\n")));
    }
    out.push_str("    </testcase>\n");
}
