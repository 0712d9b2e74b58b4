//! A result made small enough for a model: findings with their smallest cases stay, what only a person looks up goes.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use tooltest_core::RunResult;
use tooltest_core::finding::{CaseReport, Finding};

/// The most bytes of an answer, as JSON.
pub(crate) const MAX_BYTES: usize = 32 * 1024;
/// The most bytes where the client asked for traces.
pub(crate) const MAX_BYTES_TRACED: usize = 256 * 1024;

/// A run's result, and what is missing from it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The result.
    #[serde(flatten)]
    result: RunResult,
    /// What was left out to keep the answer short, and where it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

/// One way to make an answer shorter; says what it left out, if anything.
type Shorten = fn(&mut RunResult) -> Option<String>;

/// The ways, from what is missed least to what is missed most.
const WAYS: [Shorten; 10] = [
    |result| result.trace.take().map(|calls| format!("the trace of {} calls", calls.len())),
    |result| result.corpus.dump.take().map(|_| "the corpus".to_owned()),
    |result| cut_cases(result, 2000),
    |result| cut_list(&mut result.corpus.links, 5, "learned links"),
    |result| {
        let cases = result.warnings.iter_mut().filter_map(|warning| warning.case.take()).count();
        (cases > 0).then(|| format!("the calls of {cases} warnings"))
    },
    |result| {
        let healthy = result.coverage.iter().filter(|tool| tool.reason.is_none()).count();
        result.coverage.retain(|tool| tool.reason.is_some());
        (healthy > 0).then(|| format!("the coverage of {healthy} tools that had successes"))
    },
    |result| cut_cases(result, 400),
    |result| cut_list(&mut result.warnings, 5, "warnings"),
    |result| {
        result.offered = json!({});
        result.input = json!({});
        result.server.capabilities = json!({});
        result.server.stderr.clear();
        cut_list(&mut result.not_measured, 5, "things that were not measured");
        cut_list(&mut result.coverage, 5, "tools' coverage");
        result.replayed.iter_mut().for_each(|replayed| cut(&mut replayed.message, 200));
        Some("details of the server and of the input".to_owned())
    },
    |result| {
        result.warnings.clear();
        result.not_measured.clear();
        result.coverage.clear();
        result.baseline = None;
        result.findings.iter_mut().for_each(|finding| {
            let texts = [&mut finding.message, &mut finding.why, &mut finding.fix];
            for text in texts {
                cut(text, 300);
            }
            finding.also.truncate(5);
            finding.exit = None;
        });
        Some("warnings, and long words of findings".to_owned())
    },
];

impl Answer {
    /// The answer that holds a result; `whole` where the client asked for traces.
    pub(crate) fn of(mut result: RunResult, whole: bool) -> Self {
        let limit = if whole { MAX_BYTES_TRACED } else { MAX_BYTES };
        let failures = result.input.get("failure_dir").and_then(Value::as_str).map(str::to_owned);
        result.offered = names(&result.offered);
        result.coverage.iter_mut().for_each(|tool| tool.latency.histogram.clear());
        let mut answer = Self { result, left_out: Vec::new() };
        for shorten in WAYS {
            if answer.fits(limit) {
                return answer;
            }
            answer.left_out.extend(shorten(&mut answer.result));
            answer.point(failures.as_deref());
        }
        answer.drop_findings(limit);
        answer.point(failures.as_deref());
        answer
    }

    fn fits(&self, limit: usize) -> bool {
        bytes(self) <= limit
    }

    /// Leaves findings out from the end, the least telling ones, until the rest fits. Names stay.
    fn drop_findings(&mut self, limit: usize) {
        if self.fits(limit) {
            return;
        }
        // Room for the names of what goes.
        let room = limit - limit / 8;
        self.result.replayed.truncate(20);
        let findings = std::mem::take(&mut self.result.findings);
        let mut length = bytes(self);
        let mut gone = Vec::new();
        for finding in findings {
            length += bytes(&finding) + 1;
            if self.result.findings.is_empty() || (length <= room && gone.is_empty()) {
                self.result.findings.push(finding);
            } else {
                gone.push(finding);
            }
        }
        if !gone.is_empty() {
            let some: Vec<String> = gone.iter().take(20).map(name).collect();
            self.left_out.push(format!("{} more findings: {}", gone.len(), some.join(", ")));
        }
    }

    /// Says where the whole of everything is.
    fn point(&mut self, failures: Option<&str>) {
        self.left_out.retain(|line| !line.starts_with("see "));
        let place = match failures {
            Some(folder) if !folder.is_empty() => format!(
                "see the failure files in {folder} for the whole cases; fewer tools in tool_allowlist give shorter answers"
            ),
            _ => "see a run with fewer tools in tool_allowlist for shorter answers".to_owned(),
        };
        if !self.left_out.is_empty() {
            self.left_out.push(place);
        }
    }
}

/// The length of a document as JSON.
fn bytes(document: &impl Serialize) -> usize {
    serde_json::to_string(document).map_or(usize::MAX, |text| text.len())
}

/// A finding in a few words.
fn name(finding: &Finding) -> String {
    match &finding.tool {
        Some(tool) => format!("{} in {tool}", finding.lint),
        None => finding.lint.clone(),
    }
}

/// What a server offers by name only: the client can list the rest by itself.
fn names(offered: &Value) -> Value {
    let name =
        |item: &Value| ["name", "uri", "uriTemplate"].iter().find_map(|key| item.get(key)).cloned();
    let lists = offered.as_object().into_iter().flatten().map(|(kind, items)| {
        let items = items.as_array().map(|items| items.iter().filter_map(name).collect::<Vec<_>>());
        (kind.clone(), items.unwrap_or_default().into())
    });
    Value::Object(lists.collect())
}

fn cut_list<T>(list: &mut Vec<T>, most: usize, what: &str) -> Option<String> {
    let gone = list.len().saturating_sub(most);
    list.truncate(most);
    (gone > 0).then(|| format!("{gone} {what}"))
}

/// Shortens what was sent and what came back to `most` bytes a value.
fn cut_cases(result: &mut RunResult, most: usize) -> Option<String> {
    let mut cuts = 0;
    for finding in result.findings.iter_mut().chain(&mut result.warnings) {
        if let Some(evidence) = &mut finding.evidence {
            cut(evidence, most);
        }
        if let Some(case) = &mut finding.case {
            cuts += cut_case(case, most);
        }
    }
    (cuts > 0).then(|| format!("the ends of {cuts} long requests and answers"))
}

fn cut_case(case: &mut CaseReport, most: usize) -> usize {
    let mut cuts = 0;
    for step in &mut case.steps {
        let request = step.request.as_mut();
        for value in [&mut step.arguments, &mut step.response].into_iter().chain(request) {
            let text = value.to_string();
            if text.len() > most {
                let mut short = text;
                cut(&mut short, most);
                *value = Value::String(short);
                cuts += 1;
            }
        }
    }
    cuts
}

/// Cuts a text at a character's end, and says how much is missing.
fn cut(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let missing = text.len() - end;
    text.truncate(end);
    let _ = write!(text, "… ({missing} bytes more)");
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
