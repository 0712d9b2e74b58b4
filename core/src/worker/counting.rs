//! What a worker notes of each call: tallies, the trace, what entered the corpus.

use super::Worker;
use crate::case::{Label, Phase, Step};
use crate::event::Event;
use crate::exchange::Exchange;
use crate::lints::Execution;
use crate::outcome::{Outcome, OutcomeKind};
use crate::record::{InvalidRecord, SAMPLES_KEPT, Sample, ToolRecord};
use crate::sequence::feedback::error_text;
use crate::sequence::live::Live;
use crate::shrink::Traced;
use std::sync::Arc;

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
        let at = live.history.len() - 1;
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
        let mut want = |keyword| self.samples.push(Wanted { tool: tool.index, keyword, step: at });
        if outcome.kind == OutcomeKind::SoftError && record.soft_samples.len() < SAMPLES_KEPT {
            want(None);
        }
        if let Some(keyword) = count_invalid(record, step, outcome.kind) {
            want(Some(keyword));
        }
    }

    /// Keeps the calls that were noted as evidence in a sequence that is over, with what they depend on.
    pub(crate) fn keep_samples(&mut self, execution: &Execution) {
        if self.samples.is_empty() {
            return;
        }
        let traced = Traced::new(execution);
        for Wanted { tool, keyword, step } in std::mem::take(&mut self.samples) {
            let record = &mut self.record.tools[tool];
            let kept = || {
                let execution = Arc::new(traced.excerpt(execution, step));
                Sample { step: execution.exchanges.len() - 1, execution }
            };
            match keyword {
                None if record.soft_samples.len() < SAMPLES_KEPT => {
                    record.soft_samples.push(kept())
                }
                None => {}
                Some(keyword) => {
                    let tally = record.invalid_by_keyword.entry(keyword).or_default();
                    tally.sample.get_or_insert_with(kept);
                }
            }
        }
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

/// A call of the sequence at hand that is to be kept as evidence.
pub(super) struct Wanted {
    tool: usize,
    /// The keyword that it breaks; none for one whose success reads as an error.
    keyword: Option<String>,
    step: usize,
}

/// Counts what became of a deliberately invalid call; returns the keyword of one that is the first to be accepted.
fn count_invalid(record: &mut ToolRecord, step: &Step, kind: OutcomeKind) -> Option<String> {
    let Label::Invalid { keyword, .. } = &step.label else {
        return None;
    };
    let tally: &mut InvalidRecord = record.invalid_by_keyword.entry(keyword.clone()).or_default();
    if kind == OutcomeKind::Ok {
        tally.accepted += 1;
        return (tally.accepted == 1).then(|| keyword.clone());
    }
    tally.refused += u64::from(kind.is_refusal());
    None
}
