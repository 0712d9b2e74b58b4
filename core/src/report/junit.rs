//! `JUnit` XML, as CI systems read it: a test case per tool and per lint.

use super::escape::markup;
use super::{text, words};
use crate::finding::Finding;
use crate::lints::{Level, entries};
use crate::result::{RunResult, ToolCoverage};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The time that stands for "not known": the format demands one.
const NO_TIME: &str = "1970-01-01T00:00:00";

struct TestCase<'a> {
    name: &'a str,
    seconds: f64,
    findings: Vec<&'a Finding>,
    /// Why nothing was judged, if nothing was.
    skipped: Option<String>,
}

/// Renders the result; `started` is the time of the run in UTC as `YYYY-MM-DDThh:mm:ss`, if it is known.
///
/// Findings at level error are failures, tools without a success are skipped test cases, and warnings stand in the output of their suite.
pub fn render(result: &RunResult, started: Option<&str>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let started = started.unwrap_or(NO_TIME);
    suite(&mut out, result, ("tools", 0), started, &tools(result));
    suite(&mut out, result, ("lints", 1), started, &lints(result));
    out.push_str("</testsuites>\n");
    out
}

fn tools(result: &RunResult) -> Vec<TestCase<'_>> {
    let mut cases: Vec<TestCase<'_>> =
        result.coverage.iter().map(|tool| tool_case(result, tool)).collect();
    let known: BTreeSet<&str> = result.coverage.iter().map(|tool| tool.tool.as_str()).collect();
    let about_others =
        |finding: &&Finding| finding.tool.as_deref().is_none_or(|tool| !known.contains(tool));
    cases.push(TestCase {
        name: "(server)",
        seconds: result.timing.startup_seconds,
        findings: result.findings.iter().filter(about_others).collect(),
        skipped: None,
    });
    cases
}

fn tool_case<'a>(result: &'a RunResult, tool: &'a ToolCoverage) -> TestCase<'a> {
    let about = |finding: &&Finding| {
        finding.tool.as_deref() == Some(&tool.tool) || finding.also.contains(&tool.tool)
    };
    #[expect(clippy::cast_precision_loss, reason = "an estimate of the time spent")]
    let seconds = tool.latency.p50 * tool.calls as f64 / 1000.0;
    let why = || words::unmeasured(result).into_iter().find(|entry| entry.subject == tool.tool);
    TestCase {
        name: &tool.tool,
        seconds,
        findings: result.findings.iter().filter(about).collect(),
        skipped: (tool.ok == 0).then(|| why().map_or_else(String::new, |entry| entry.reason)),
    }
}

fn lints(result: &RunResult) -> Vec<TestCase<'_>> {
    let all = result.findings.iter().chain(&result.warnings);
    let active = entries().filter(|entry| entry.meta.level != Level::Disabled);
    let ids = active.map(|entry| entry.meta.id).chain(all.map(|finding| finding.lint.as_str()));
    let mut seen = BTreeSet::new();
    ids.filter(|id| seen.insert(*id))
        .map(|id| TestCase {
            name: id,
            seconds: 0.0,
            findings: result.findings.iter().filter(|finding| finding.lint == id).collect(),
            skipped: None,
        })
        .collect()
}

fn suite(
    out: &mut String,
    result: &RunResult,
    (kind, id): (&str, usize),
    started: &str,
    cases: &[TestCase<'_>],
) {
    let name = if result.server.name.is_empty() { "server" } else { &result.server.name };
    let name = token(&format!("{name}.{kind}"));
    let failed = cases.iter().filter(|case| !case.findings.is_empty()).count();
    let is_skipped = |case: &&TestCase<'_>| case.findings.is_empty() && case.skipped.is_some();
    let skipped = cases.iter().filter(is_skipped).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let _ = writeln!(
        out,
        "  <testsuite package=\"tooltest\" id=\"{id}\" name=\"{name}\" timestamp=\"{}\" hostname=\"localhost\" \
         tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\">",
        markup(started),
        cases.len()
    );
    out.push_str("    <properties>\n");
    let seed = result.seed.to_string();
    for (key, value) in [
        ("tooltest", result.tooltest_version.as_str()),
        ("server", &result.server.version),
        ("target", &result.server.target),
        ("outcome", words::verdict(result.outcome)),
        ("seed", &seed),
    ] {
        let _ = writeln!(out, "      <property name=\"{key}\" value=\"{}\"/>", markup(value));
    }
    out.push_str("    </properties>\n");
    for case in cases {
        write_case(out, &name, case);
    }
    let about_tools = kind == "tools";
    let warnings: Vec<String> =
        if about_tools { result.warnings.iter().map(text::headed).collect() } else { Vec::new() };
    let _ = writeln!(out, "    <system-out>{}</system-out>", markup(&warnings.join("\n")));
    let stderr = if about_tools { result.server.stderr.as_str() } else { "" };
    let _ = writeln!(out, "    <system-err>{}</system-err>\n  </testsuite>", markup(stderr));
}

fn write_case(out: &mut String, class: &str, case: &TestCase<'_>) {
    let name = token(case.name);
    let head =
        format!("<testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"", case.seconds);
    match (case.findings.as_slice(), &case.skipped) {
        ([], None) => {
            let _ = writeln!(out, "    {head}/>");
        }
        ([], Some(why)) => {
            let why = markup(why);
            let _ =
                writeln!(out, "    {head}>\n      <skipped message=\"{why}\"/>\n    </testcase>");
        }
        (findings, _) => {
            let kinds: BTreeSet<&str> =
                findings.iter().map(|finding| finding.lint.as_str()).collect();
            let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
            let messages: Vec<&str> =
                findings.iter().map(|finding| finding.message.as_str()).collect();
            let details: Vec<String> =
                findings.iter().map(|finding| text::headed(finding)).collect();
            let _ = writeln!(
                out,
                "    {head}>\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>",
                markup(&messages.join(" ")),
                markup(&kinds),
                markup(&details.join("\n"))
            );
        }
    }
}

/// A name as the format's `token` type wants it: no line ends, no double spaces.
fn token(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    markup(&words.join(" "))
}
