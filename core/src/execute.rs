//! Executing: sending the steps of a case on a session, with bindings filled in, and judging what comes back.

use crate::case::{Action, Binding, Case, Label, Role, Step};
use crate::catalog::{Catalog, Tool};
use crate::exchange::{Exchange, Reply};
use crate::lints::{CaseContext, Execution, Hook, Level, Problem, ResponseContext, Setting};
use crate::message::Frame;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::pointer::Places;
use crate::sequence::intent::Intent;
use crate::sequence::mine;
use crate::sequence::template::check;
use crate::session::{RequestOptions, ServerIdentity, Session};
use crate::shrink::Manner;
use fnv::FnvHasher;
use serde_json::{Map, Value};
use std::hash::Hasher;
use std::sync::Arc;
use std::time::Duration;

/// How long a case that is about what comes besides the answers waits for it after the last one.
const LISTENING: Duration = Duration::from_millis(50);

/// What judging needs to know besides the exchange: the plan and what the server offers.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) server: &'a ServerIdentity,
    pub(crate) catalog: &'a Catalog,
    pub(crate) revision: crate::protocol::Revision,
}

/// A problem with the lint that saw it and the step it is at.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub(crate) lint: &'static str,
    pub(crate) level: Level,
    pub(crate) problem: Problem,
    /// Index of the step; none for exchanges outside of cases.
    pub(crate) step: Option<usize>,
    /// Whether the whole case was judged, so that the steps after the failing one count, too.
    pub(crate) whole_case: bool,
}

impl Verdict {
    pub(crate) fn new(
        setting: &Setting,
        problem: Problem,
        step: Option<usize>,
        whole_case: bool,
    ) -> Self {
        let level = setting.level.min(problem.at_most);
        Self { lint: setting.lint.meta().id, level, problem, step, whole_case }
    }

    /// 16 hexadecimal digits that tell faults apart: lint, tool and rule.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(self.lint, self.problem.tool.as_deref(), &self.problem.rule)
    }
}

/// 16 hexadecimal digits of lint, tool and rule (FNV-1a, so that they stay the same over versions and machines).
pub(crate) fn fingerprint(lint: &str, tool: Option<&str>, rule: &str) -> String {
    let mut hash = FnvHasher::default();
    hash.write([lint, tool.unwrap_or_default(), rule].join("\u{1f}").as_bytes());
    format!("{:016x}", hash.finish())
}

impl Judge<'_> {
    /// Judges one exchange; `history` holds the steps before it in its case.
    pub(crate) fn exchange(
        &self,
        step: Option<&Step>,
        exchange: &Exchange,
        outcome: &Outcome,
        history: &[(Step, Arc<Exchange>)],
        stray: &[Frame],
    ) -> Vec<Verdict> {
        let cancelled = step.is_some_and(|step| matches!(step.role, Role::Cancelled { .. }));
        if cancelled && matches!(exchange.reply, Reply::Silence { .. }) {
            return Vec::new();
        }
        let tool =
            step.and_then(|step| step.action.tool()).and_then(|name| self.catalog.tool(name));
        let context = ResponseContext {
            revision: self.revision,
            input: &self.plan.input,
            server: self.server,
            catalog: self.catalog,
            tool,
            step,
            exchange,
            outcome,
            history,
            stray,
        };
        let mut verdicts = Vec::new();
        let mut problems = Vec::new();
        for setting in self.plan.suite.at(Hook::Response, self.revision) {
            setting.lint.response(&context, &mut problems);
            if problems.is_empty() {
                continue;
            }
            for mut problem in problems.drain(..) {
                if problem.tool.is_none() {
                    problem.tool = step.and_then(|step| step.action.tool()).map(str::to_owned);
                }
                verdicts.push(Verdict::new(setting, problem, step.map(|_| history.len()), false));
            }
        }
        verdicts
    }

    /// Judges a whole case.
    pub(crate) fn case(&self, execution: &Execution, references: &[Execution]) -> Vec<Verdict> {
        let context = CaseContext {
            revision: self.revision,
            input: &self.plan.input,
            catalog: self.catalog,
            execution,
            references,
        };
        let mut verdicts = Vec::new();
        let mut problems = Vec::new();
        for setting in self.plan.suite.at(Hook::Case, self.revision) {
            setting.lint.case(&context, &mut problems);
            verdicts.extend(problems.drain(..).map(|problem| {
                let step = problem.step;
                Verdict::new(setting, problem, step, true)
            }));
        }
        verdicts
    }
}

/// Fills the values of earlier exchanges into a step's arguments. Where a value is not there this time, or has another type,
/// the literal stays.
pub(crate) fn bind(step: &mut Step, history: &[(Step, Arc<Exchange>)]) {
    let bindings = std::mem::take(&mut step.bindings);
    for binding in &bindings {
        let Some((earlier, exchange)) = history.get(binding.step) else {
            continue;
        };
        if let Some(value) = mine::resolve(&binding.from, exchange, earlier.action.arguments()) {
            put(step, binding, value);
        }
    }
    step.bindings = bindings;
}

fn put(step: &mut Step, binding: &Binding, value: Value) {
    if let Action::ReadResource { uri } = &mut step.action {
        if let Value::String(text) = value {
            *uri = text;
        }
        return;
    }
    let slot = step.action.arguments_mut().and_then(|arguments| arguments.place_mut(&binding.at));
    if let Some(slot) = slot
        && std::mem::discriminant(slot) == std::mem::discriminant(&value)
    {
        *slot = value;
    }
}

/// The method and params of a step.
pub(crate) fn request_of(step: &Step) -> (&str, Value) {
    let params = |name: &str, value: &str, arguments: &Value| {
        // With room for `_meta`.
        let mut params = Map::with_capacity(3);
        params.insert(name.to_owned(), Value::from(value));
        if !arguments.is_null() {
            params.insert("arguments".to_owned(), arguments.clone());
        }
        Value::Object(params)
    };
    match &step.action {
        Action::CallTool { tool, arguments } => ("tools/call", params("name", tool, arguments)),
        Action::ReadResource { uri } => ("resources/read", params("uri", uri, &Value::Null)),
        Action::GetPrompt { prompt, arguments } => {
            ("prompts/get", params("name", prompt, arguments))
        }
        Action::Request { method, params } => (method, params.clone()),
    }
}

/// Runs a case on an open session and judges its exchanges. The case as sent, with bindings filled in, is in the execution.
/// `manner.pause` is waited between a change and the next look, for servers that take a moment to show what they did.
pub(crate) fn run_case(
    case: &Case,
    session: &mut Session,
    judge: &Judge<'_>,
    manner: &Manner,
) -> (Execution, Vec<Verdict>) {
    let mut history: Vec<(Step, Arc<Exchange>)> = Vec::with_capacity(case.steps.len());
    let mut outcomes = Vec::with_capacity(case.steps.len());
    let mut verdicts = Vec::new();
    let mut strays = Vec::new();
    let mut at = 0;
    while at < case.steps.len() && session.is_open() {
        let together = group_len(&case.steps[at..]);
        if !manner.pause.is_zero() && at > 0 && waits(&case.steps[at - 1], &case.steps[at]) {
            std::thread::sleep(manner.pause);
        }
        let sent = send(&case.steps[at..at + together], session, &history);
        at += together;
        if manner.listens && at == case.steps.len() {
            session.linger(LISTENING);
        }
        for (mut step, exchange) in sent {
            // A call that was valid with the values of another session may not be so with those of this one.
            if !step.bindings.is_empty() {
                relabel(&mut step, judge.catalog);
            }
            let outcome = Outcome::of(&exchange);
            let stray = session.stray();
            verdicts.extend(judge.exchange(Some(&step), &exchange, &outcome, &history, &stray));
            strays.extend(stray);
            outcomes.push(outcome);
            history.push((step, exchange));
        }
    }
    let (steps, exchanges) = history.into_iter().unzip();
    let case = Case { phase: case.phase, steps };
    (Execution { case, exchanges, outcomes, stray: strays, closing: None }, verdicts)
}

/// Labels a call that its tool's schema does not allow as it is one of which nothing is known.
pub(crate) fn relabel(step: &mut Step, catalog: &Catalog) {
    let Action::CallTool { tool, arguments } = &step.action else {
        return;
    };
    let schema = catalog.tool(tool).and_then(Tool::input_schema);
    if step.label == Label::Valid && schema.is_some_and(|schema| !schema.is_valid(arguments)) {
        step.label = Label::Unknown;
    }
}

/// Whether a step of that role is made by another client, where there can be one.
pub(crate) fn is_elsewhere(role: &Role) -> bool {
    matches!(role, Role::Subject { check } if check == check::LEAK)
}

/// Whether what a step shows may take a moment after the step before: a look after a change, or the same call again.
fn waits(before: &Step, step: &Step) -> bool {
    (looks(step) && !looks(before)) || step.action == before.action
}

/// Whether a step reads, by the name of its tool.
fn looks(step: &Step) -> bool {
    step.action.tool().is_none_or(|tool| Intent::of_name(tool).looks_read_only())
}

/// How many steps from the first on are sent together.
fn group_len(steps: &[Step]) -> usize {
    match steps[0].group {
        None => 1,
        Some(group) => steps.iter().take_while(|step| step.group == Some(group)).count(),
    }
}

/// Sends steps (more than one: together) and pairs each with its exchange.
pub(crate) fn send(
    steps: &[Step],
    session: &mut Session,
    history: &[(Step, Arc<Exchange>)],
) -> Vec<(Step, Arc<Exchange>)> {
    if let [only] = steps {
        return vec![send_one(only.clone(), session, history)];
    }
    let mut steps = steps.to_vec();
    for step in &mut steps {
        bind(step, history);
    }
    let requests = steps.iter().map(request_of).map(|(method, params)| (method.to_owned(), params));
    let exchanges = session.pipeline(requests.collect());
    steps.into_iter().zip(exchanges.into_iter().map(Arc::new)).collect()
}

/// Sends one step and pairs it with its exchange.
pub(crate) fn send_one(
    mut step: Step,
    session: &mut Session,
    history: &[(Step, Arc<Exchange>)],
) -> (Step, Arc<Exchange>) {
    bind(&mut step, history);
    let (method, params) = request_of(&step);
    let timeout = match step.role {
        Role::Cancelled { after_ms } => Some(Duration::from_millis(after_ms)),
        _ => None,
    };
    let options = RequestOptions { timeout, ..RequestOptions::default() };
    let other = if is_elsewhere(&step.role) { session.peer() } else { None };
    let exchange = match other {
        Some(other) => other.request_with(method, params, &options),
        None => session.request_with(method, params, &options),
    };
    (step, Arc::new(exchange))
}
