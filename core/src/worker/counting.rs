//! What a worker notes of each call: tallies, the trace, what entered the corpus.

use super::Worker;
use crate::case::{Label, Phase, Step};
use crate::event::Event;
use crate::exchange::Exchange;
use crate::outcome::{Outcome, OutcomeKind};
use crate::record::{InvalidRecord, SAMPLES_KEPT, Sample, ToolRecord};
use crate::sequence::feedback::error_text;
use crate::sequence::live::Live;
use std::sync::Arc;
use std::time::Duration;

impl Worker<'_> {
    /// Tells what entered the corpus, where somebody wants to know; without the secrets of the input.
    pub(super) fn tell_news(&mut self) {
        let input = &self.judge.plan.input;
        let news = self.mind.news(self.judge.catalog);
        if news.is_empty() || !input.state_machine_config.log_corpus_deltas {
            return;
        }
        let redactor = crate::redact::Redactor::new(input);
        for (tool, key, mut value) in news {
            redactor.value(&mut value);
            self.shared.emit(&Event::CorpusGrew { tool, key, value });
        }
    }

    /// Counts the latest step of a sequence.
    pub(crate) fn count(&mut self, live: &Live) {
        let (Some((step, exchange)), Some(outcome)) = (live.history.last(), live.outcomes.last())
        else {
            return;
        };
        self.trace(live.phase, step, exchange, *outcome);
        self.shared.count_call();
        self.record.calls += 1;
        if outcome.kind == OutcomeKind::Timeout {
            self.shared.add_silence(exchange.elapsed);
        }
        self.record.keep_question(exchange);
        self.record.phases.entry(live.phase).or_default().calls += 1;
        let Some(tool) = step.action.tool().and_then(|name| self.judge.catalog.tool(name)) else {
            return;
        };
        let sample =
            || Sample { execution: Arc::new(live.execution()), step: live.history.len() - 1 };
        let record = &mut self.record.tools[tool.index];
        record.count(&step.label, *outcome, exchange.elapsed);
        // That a faulty call is refused explains nothing.
        let faulty = matches!(step.label, Label::Invalid { .. });
        if outcome.kind.is_refusal() && !faulty {
            record.count_error(
                &error_text(exchange),
                step.action.arguments().unwrap_or(&serde_json::Value::Null),
            );
        }
        if outcome.kind == OutcomeKind::SoftError && record.soft_samples.len() < SAMPLES_KEPT {
            record.soft_samples.push(sample());
        }
        count_invalid(record, step, outcome.kind, sample);
    }

    /// Counts a screened call whose answer is good.
    pub(crate) fn count_screened(&mut self, tool: usize, elapsed: Duration) {
        self.shared.count_call();
        self.record.calls += 1;
        self.record.phases.entry(Phase::Stateful).or_default().calls += 1;
        let record = &mut self.record.tools[tool];
        record.calls += 1;
        record.valid += 1;
        record.ok += 1;
        record.latency.add(elapsed);
    }

    /// Keeps a call for the trace, where one is wanted.
    pub(super) fn trace(
        &mut self,
        phase: Phase,
        step: &Step,
        exchange: &Exchange,
        outcome: Outcome,
    ) {
        if self.judge.plan.input.trace_all {
            let full = self.judge.plan.input.full_trace;
            let report = crate::assemble::step_report(step, exchange, outcome, full);
            let session = self.record.sessions;
            let line = serde_json::json!({ "session": session, "phase": phase, "call": report });
            self.record.trace.push(line);
        }
    }
}

/// Counts what became of a deliberately invalid call.
fn count_invalid(
    record: &mut ToolRecord,
    step: &Step,
    kind: OutcomeKind,
    sample: impl FnOnce() -> Sample,
) {
    let Label::Invalid { keyword, .. } = &step.label else {
        return;
    };
    let tally: &mut InvalidRecord = record.invalid_by_keyword.entry(keyword.clone()).or_default();
    if kind == OutcomeKind::Ok {
        tally.accepted += 1;
        if tally.sample.is_none() {
            tally.sample = Some(sample());
        }
    } else if kind.is_refusal() {
        tally.refused += 1;
    }
}
