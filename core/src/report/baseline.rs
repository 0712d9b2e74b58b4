//! Baselines: findings that are known and accepted, told by their fingerprints.

use crate::finding::Finding;
use crate::result::{BaselineReport, Outcome, RunResult};
use crate::suggest::did_you_mean;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the shape of [`Baseline`].
pub const BASELINE_VERSION: u32 = 1;

/// A file of accepted findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// [`BASELINE_VERSION`].
    pub version: u32,
    /// The findings, by lint, tool and fingerprint.
    pub findings: Vec<BaselineEntry>,
}

/// An accepted finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The finding's fingerprint; the rest is for people.
    pub fingerprint: String,
    /// The lint.
    pub lint: String,
    /// The tool at fault, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What was wrong when it was accepted.
    pub message: String,
    /// Why it is accepted; kept when the file is updated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { version: BASELINE_VERSION, findings: Vec::new() }
    }
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// What is wrong with it, as the rest of a sentence that begins with the file's name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let baseline: Self =
            serde_json::from_str(text).map_err(|error| explain(&error.to_string()))?;
        if baseline.version != BASELINE_VERSION {
            return Err(format!(
                "is of version {}; this tooltest reads version {BASELINE_VERSION}",
                baseline.version
            ));
        }
        Ok(baseline)
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a baseline has only string keys");
        format!("{}\n", super::escape::json(&text))
    }

    /// A baseline of all findings of a run, accepted ones too; reasons are kept.
    pub fn of(result: &RunResult, old: &Self) -> Self {
        let reasons: BTreeMap<&str, &String> = old
            .findings
            .iter()
            .filter_map(|entry| Some((entry.fingerprint.as_str(), entry.reason.as_ref()?)))
            .collect();
        let accepted = result.baseline.iter().flat_map(|baseline| &baseline.accepted);
        let all = result.findings.iter().chain(&result.warnings).chain(accepted);
        let mut findings: Vec<BaselineEntry> = all
            .map(|finding| BaselineEntry {
                fingerprint: finding.fingerprint.clone(),
                lint: finding.lint.clone(),
                tool: finding.tool.clone(),
                message: finding.message.clone(),
                reason: reasons.get(finding.fingerprint.as_str()).map(|reason| (*reason).clone()),
            })
            .collect();
        findings.sort_by(|a, b| {
            (&a.lint, &a.tool, &a.fingerprint).cmp(&(&b.lint, &b.tool, &b.fingerprint))
        });
        findings.dedup_by(|a, b| a.fingerprint == b.fingerprint);
        Self { version: BASELINE_VERSION, findings }
    }

    /// Takes the accepted findings out of a result and names the stale entries. The verdict follows what is left.
    pub fn apply(&self, result: &mut RunResult) {
        let known = |finding: &Finding| {
            self.findings.iter().any(|entry| entry.fingerprint == finding.fingerprint)
        };
        let mut accepted = Vec::new();
        for list in [&mut result.findings, &mut result.warnings] {
            let (old, new): (Vec<Finding>, Vec<Finding>) =
                std::mem::take(list).into_iter().partition(known);
            accepted.extend(old);
            *list = new;
        }
        let seen = |entry: &&BaselineEntry| {
            accepted.iter().any(|finding| finding.fingerprint == entry.fingerprint)
        };
        let stale: Vec<BaselineEntry> =
            self.findings.iter().filter(|entry| !seen(entry)).cloned().collect();
        if result.outcome == Outcome::Failed && result.findings.is_empty() {
            result.outcome = Outcome::Passed;
            result.reason = None;
        }
        result.baseline = Some(BaselineReport { accepted, stale });
    }
}

fn explain(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field"), quoted.next()) {
        (true, Some(typed)) => {
            let meant =
                did_you_mean(typed, quoted).map(|meant| format!("; {meant}")).unwrap_or_default();
            format!("has an unknown field `{typed}`{meant}")
        }
        _ => format!("is not a baseline: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> RunResult {
        serde_json::from_str(include_str!("../../tests/fixtures/failed.json")).unwrap()
    }

    #[test]
    fn accepted_findings_leave_and_stale_entries_are_named() {
        let mut result = sample();
        let mut baseline = Baseline::of(&result, &Baseline::default());
        let gone = BaselineEntry {
            fingerprint: "0".repeat(16),
            lint: "x".into(),
            tool: None,
            message: "m".into(),
            reason: Some("known".into()),
        };
        baseline.findings.push(gone.clone());
        baseline.apply(&mut result);
        assert_eq!(
            (result.findings.len(), result.warnings.len(), result.outcome),
            (0, 0, Outcome::Passed)
        );
        let report = result.baseline.as_ref().unwrap();
        assert_eq!((report.accepted.len(), &report.stale), (8, &vec![gone]));
    }

    #[test]
    fn a_new_finding_still_fails() {
        let mut result = sample();
        let mut baseline = Baseline::of(&result, &Baseline::default());
        baseline.findings.retain(|entry| entry.lint != "no_crash");
        baseline.apply(&mut result);
        assert_eq!((result.findings.len(), result.outcome), (1, Outcome::Failed));
        let updated = Baseline::of(&result, &baseline);
        assert_eq!(
            updated.findings.len(),
            8,
            "an update keeps what is accepted and adds what is new"
        );
    }

    #[test]
    fn files_round_trip_and_keep_reasons() {
        let mut baseline = Baseline::of(&sample(), &Baseline::default());
        baseline.findings[0].reason = Some("upstream".into());
        let read = Baseline::parse(&baseline.to_json()).unwrap();
        assert_eq!(read, baseline);
        assert_eq!(Baseline::of(&sample(), &read), baseline);
        assert_eq!(
            Baseline::parse(r#"{"version": 1, "finding": []}"#).unwrap_err(),
            "has an unknown field `finding`; did you mean `findings`?"
        );
        assert!(
            Baseline::parse(r#"{"version": 2, "findings": []}"#)
                .unwrap_err()
                .starts_with("is of version 2")
        );
    }
}
