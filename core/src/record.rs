//! The record: everything counted during a run, kept incrementally and bounded.

use crate::case::{Label, Phase};
use crate::exchange::Exchange;
use crate::lints::Execution;
use crate::outcome::{Outcome, OutcomeKind};
use crate::session::Closing;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Everything counted during a run.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// By position in the catalog.
    pub tools: Vec<ToolRecord>,
    /// Cases and calls by phase.
    pub phases: BTreeMap<Phase, PhaseRecord>,
    /// Calls over the phases.
    pub calls: u64,
    /// Calls made to confirm and shrink.
    pub shrink_calls: u64,
    /// Sessions opened.
    pub sessions: u64,
    /// How sessions ended; at most [`CLOSINGS_KEPT`].
    pub closings: Vec<Closing>,
    /// Calls that asked for input before they were complete; at most [`QUESTIONS_KEPT`], of different tools.
    pub questions: Vec<Exchange>,
    /// Resident memory of the server process in KiB, sampled against the calls of its session so far.
    pub memory: Vec<MemorySample>,
    /// Calls made over and over, to see what grows.
    pub soaks: Vec<Soak>,
    /// Every call, where the input asks for it.
    pub trace: Vec<Value>,
}

/// How many closings a record keeps.
pub const CLOSINGS_KEPT: usize = 16;

/// See [`Record::questions`].
pub const QUESTIONS_KEPT: usize = 4;

/// Cases and calls of a phase.
#[derive(Debug, Clone, Default)]
pub struct PhaseRecord {
    /// Cases run.
    pub cases: u64,
    /// Calls made.
    pub calls: u64,
    /// Why it did not run, if it did not.
    pub skipped: Option<String>,
}

/// A sample of the server's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemorySample {
    /// Which session of the run.
    pub session: u64,
    /// Calls of that session so far.
    pub calls: u64,
    /// Resident set in KiB.
    pub kib: u64,
}

/// A call of a tool that only reads, made over and over with the same arguments on one session.
#[derive(Debug, Clone, Default)]
pub struct Soak {
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// The time to each answer, in order.
    pub elapsed: Vec<Duration>,
    /// Resident memory of the server's processes in KiB after so many of the calls; empty where it is not known.
    pub memory: Vec<(usize, u64)>,
}

/// What was counted for a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolRecord {
    /// The tool's name.
    pub name: String,
    /// Calls in all.
    pub calls: u64,
    /// Real successes.
    pub ok: u64,
    /// `isError: true`.
    pub tool_errors: u64,
    /// Error text without `isError: true`.
    pub soft_errors: u64,
    /// JSON-RPC errors.
    pub protocol_errors: u64,
    /// No answer, crash, malformed answer.
    pub broken: u64,
    /// Calls with valid arguments.
    pub valid: u64,
    /// Calls with deliberately invalid arguments.
    pub invalid: u64,
    /// Outcome classes seen; at most [`CLASSES_KEPT`].
    pub classes: BTreeSet<u64>,
    /// Errors by template: count and the first call that got it; at most [`ERRORS_KEPT`].
    pub errors: BTreeMap<String, ErrorRecord>,
    /// Deliberately invalid calls by keyword: how many were accepted and refused, with the first accepted.
    pub invalid_by_keyword: BTreeMap<String, InvalidRecord>,
    /// The first calls that got error text without `isError: true`; at most [`SAMPLES_KEPT`].
    pub soft_samples: Vec<Sample>,
    /// Times to an answer.
    pub latency: Histogram,
    /// Why the tool was not called, if it was not.
    pub not_called: Option<String>,
}

/// Bounds of the record.
pub const CLASSES_KEPT: usize = 512;
/// See [`ToolRecord::errors`].
pub const ERRORS_KEPT: usize = 24;
/// See [`ToolRecord::soft_samples`].
pub const SAMPLES_KEPT: usize = 8;

/// How often an error came.
#[derive(Debug, Clone)]
pub struct ErrorRecord {
    /// The text of its first coming, cut.
    pub text: String,
    /// How often.
    pub count: u64,
    /// The arguments of its first coming.
    pub arguments: Value,
}

/// What became of deliberately invalid calls.
#[derive(Debug, Clone, Default)]
pub struct InvalidRecord {
    /// Calls with a real success.
    pub accepted: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// The first accepted one.
    pub sample: Option<Sample>,
}

/// A call kept as evidence.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The case up to and with the call.
    pub execution: Arc<Execution>,
    /// Index of the call.
    pub step: usize,
}

/// Counts of durations in buckets whose upper bounds double from 0.125 ms.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// Counts; bucket `k` holds durations up to 2^k × 0.125 ms.
    pub buckets: Vec<u64>,
    /// The longest.
    pub max: Duration,
}

impl Histogram {
    /// Adds a duration.
    pub fn add(&mut self, elapsed: Duration) {
        let units = elapsed.as_micros().div_ceil(125).max(1);
        let bucket = (u128::BITS - (units - 1).leading_zeros()) as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.max = self.max.max(elapsed);
    }

    /// The upper bound in milliseconds of the bucket that holds the quantile `q` (0 to 1), capped by the longest.
    pub fn quantile(&self, q: f64) -> f64 {
        let total: u64 = self.buckets.iter().sum();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "counts stay far below 2^52"
        )]
        let rank = (total as f64 * q).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= rank && *count > 0 {
                let bound = 0.125 * 2f64.powi(i32::try_from(bucket).unwrap_or(i32::MAX));
                return bound.min(self.max.as_secs_f64() * 1000.0);
            }
        }
        0.0
    }
}

impl Record {
    /// Keeps a call that asked for input.
    pub fn keep_question(&mut self, exchange: &Exchange) {
        let name = |exchange: &Exchange| exchange.params.get("name").cloned();
        let known = self.questions.iter().any(|other| name(other) == name(exchange));
        if !exchange.rounds.is_empty() && !known && self.questions.len() < QUESTIONS_KEPT {
            self.questions.push(exchange.clone());
        }
    }

    /// Adds what another worker counted.
    pub fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.tools.iter_mut().zip(other.tools) {
            mine.merge(theirs);
        }
        for (phase, theirs) in other.phases {
            let mine = self.phases.entry(phase).or_default();
            mine.cases += theirs.cases;
            mine.calls += theirs.calls;
            mine.skipped = mine.skipped.take().or(theirs.skipped);
        }
        self.calls += other.calls;
        self.shrink_calls += other.shrink_calls;
        self.sessions += other.sessions;
        self.memory.extend(other.memory);
        self.soaks.extend(other.soaks);
        self.trace.extend(other.trace);
    }
}

impl Histogram {
    /// Adds the counts of another.
    pub(crate) fn merge(&mut self, other: &Self) {
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.max = self.max.max(other.max);
    }
}

impl ToolRecord {
    fn merge(&mut self, other: Self) {
        self.calls += other.calls;
        self.ok += other.ok;
        self.tool_errors += other.tool_errors;
        self.soft_errors += other.soft_errors;
        self.protocol_errors += other.protocol_errors;
        self.broken += other.broken;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.classes.extend(other.classes);
        self.latency.merge(&other.latency);
        self.soft_samples.extend(other.soft_samples);
        self.soft_samples.truncate(SAMPLES_KEPT);
        for (key, theirs) in other.errors {
            self.errors.entry(key).and_modify(|mine| mine.count += theirs.count).or_insert(theirs);
        }
        for (keyword, theirs) in other.invalid_by_keyword {
            let mine = self.invalid_by_keyword.entry(keyword).or_default();
            mine.accepted += theirs.accepted;
            mine.refused += theirs.refused;
            mine.sample = mine.sample.take().or(theirs.sample);
        }
    }
}

impl ToolRecord {
    /// Counts one call; returns whether its outcome class is new.
    pub fn count(&mut self, label: &Label, outcome: Outcome, elapsed: Duration) -> bool {
        self.calls += 1;
        self.latency.add(elapsed);
        match label {
            Label::Valid => self.valid += 1,
            Label::Invalid { .. } => self.invalid += 1,
            Label::Unknown => {}
        }
        match outcome.kind {
            OutcomeKind::Ok => self.ok += 1,
            OutcomeKind::SoftError => self.soft_errors += 1,
            OutcomeKind::ToolError => self.tool_errors += 1,
            OutcomeKind::RpcError(_) => self.protocol_errors += 1,
            OutcomeKind::InputRequired => {}
            OutcomeKind::Malformed | OutcomeKind::Timeout | OutcomeKind::Crash => self.broken += 1,
        }
        self.classes.len() < CLASSES_KEPT && self.classes.insert(outcome.class)
    }

    /// Counts a call with valid arguments whose answer is like others that were counted before.
    pub fn count_good(&mut self, elapsed: Duration) {
        self.calls += 1;
        self.valid += 1;
        self.ok += 1;
        self.latency.add(elapsed);
    }

    /// Adds an error's text to the tallies.
    pub fn count_error(&mut self, text: &str, arguments: &Value) {
        let key = crate::outcome::template(text);
        if let Some(record) = self.errors.get_mut(&key) {
            record.count += 1;
        } else if self.errors.len() < ERRORS_KEPT {
            let text = text.chars().take(300).collect();
            self.errors.insert(key, ErrorRecord { text, count: 1, arguments: arguments.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_come_from_the_right_bucket() {
        let mut histogram = Histogram::default();
        for _ in 0..99 {
            histogram.add(Duration::from_micros(100));
        }
        histogram.add(Duration::from_millis(40));
        assert!((histogram.quantile(0.5) - 0.125).abs() < 1e-9);
        assert!((histogram.quantile(1.0) - 40.0).abs() < 1e-9);
    }
}
