//! Learning from answers: which choices to make again, which values there are, and what is worth a look.

use super::advice;
use super::choose::{Choice, Use};
use super::corpus::Entry;
use super::demands::Demands;
use super::feedback::{error_text, is_missing, learn_choices};
use super::finds::Finds;
use super::folders;
use super::links::{self, Arm};
use super::live::Live;
use super::mind::Mind;
use super::mine;
use crate::case::{Action, Label, Phase};
use crate::catalog::Catalog;
use crate::outcome::{Outcome, OutcomeKind};
use crate::plan::Plan;
use crate::pointer::Places;
use crate::schema::Parameter;
use serde_json::Value;

impl Mind {
    /// Learns from the latest step of a sequence and plans what should follow it.
    pub(crate) fn learn(
        &mut self,
        live: &mut Live,
        uses: &[Use],
        outcome: Outcome,
        catalog: &Catalog,
        plan: &Plan,
    ) {
        let index = live.history.len() - 1;
        let tool = live.history[index]
            .0
            .action
            .tool()
            .and_then(|name| catalog.tool(name))
            .map(|tool| tool.index);
        if let Some(tool) = tool {
            self.learn_of_tool(live, (index, tool), uses, outcome, catalog);
        }
        let objects = match live.history[index].0.action {
            // Lists of tools hold no values for tools; completions do.
            Action::Request { .. } => {
                let (step, exchange) = &live.history[index];
                self.take_completions(step, exchange);
                Vec::new()
            }
            _ => self.mine(live, index, tool, outcome, plan),
        };
        live.objects.push(objects);
        if let (Some(folders), Some(_), OutcomeKind::Ok) = (&mut self.folders, tool, outcome.kind) {
            folders.learn(&live.history[index].1);
        }
        match (tool, outcome.kind) {
            (Some(tool), OutcomeKind::Ok) => {
                if !self.intents[tool].looks_read_only() {
                    self.note_gone(live, index, tool, catalog);
                }
                self.confirm_opener(live, index, outcome);
                if live.first.is_none() {
                    self.plan_suspects(live, index, catalog);
                    self.follow_up(live, index, tool, catalog);
                    self.plan_apart(live, index, tool, uses);
                }
            }
            (Some(tool), kind) if kind.is_refusal() && self.try_opener(live, index, tool) => {}
            (Some(tool), kind) if kind.is_refusal() && live.phase == Phase::Stateful => {
                let missing = self.forget_missing(live, index, uses);
                self.follow_refusal(live, index, tool, (outcome, missing), catalog);
            }
            _ => {}
        }
    }

    /// Learns what a call tells of its tool and of what it was sent.
    fn learn_of_tool(
        &mut self,
        live: &mut Live,
        (index, tool): (usize, usize),
        uses: &[Use],
        outcome: Outcome,
        catalog: &Catalog,
    ) {
        let elapsed = live.history[index].1.elapsed;
        self.feedback[tool].learn(outcome, elapsed, &mut self.transitions);
        self.weights[tool] = self.weight_of(tool, catalog);
        self.part_edges(tool, outcome.kind);
        self.note_left(tool);
        if self.intents[tool].revives {
            self.note_return(live, index, tool, outcome.kind);
        }
        if outcome.kind.is_refusal() && self.latest_fault.is_some() {
            let (step, exchange) = &live.history[index];
            self.doubt_fault(tool, step, &error_text(exchange).to_lowercase());
        }
        if live.history[index].0.label == Label::Valid {
            self.learn_how_it_went(live, index, tool, outcome, catalog);
            learn_choices(
                &mut self.links,
                &mut self.known,
                uses,
                live.history[index].0.action.arguments().unwrap_or(&Value::Null),
                &live.history[index].1,
                outcome,
            );
            if outcome.kind.is_refusal() {
                self.take_advice(live, index, tool, catalog);
                let text = error_text(&live.history[index].1);
                if live.phase == Phase::Stateful
                    && advice::is_spent(&text)
                    && self.may_be_renewed(live, index, tool)
                {
                    // Nothing more is to be had from this session; another may have calls left.
                    live.length = live.history.len();
                }
            }
        }
    }

    /// Whether another session may have calls left of a tool that has none in this one: it had some here, or no session began without.
    fn may_be_renewed(&mut self, live: &Live, index: usize, tool: usize) -> bool {
        let worked = |at: usize| {
            live.outcomes[at].kind == OutcomeKind::Ok
                && self.tool_of(&live.history[at].0) == Some(tool)
        };
        (0..index).any(worked) || self.without_calls.insert(tool)
    }

    /// Plans what is worth a call after a refusal, which may say that something is missing.
    fn follow_refusal(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        (outcome, missing): (Outcome, bool),
        catalog: &Catalog,
    ) {
        if missing {
            self.uncount_check(tool, &live.history[index].0.role);
        }
        let first = live.first.is_some();
        if first || (!missing && self.plan_overcome(live, index, tool, catalog)) {
            return;
        }
        if self.plan_another_fault(live) || self.plan_glance(index, tool, live, catalog) {
            return;
        }
        if !missing || self.draw.chance(0.2) {
            self.plan_refused(index, tool, outcome, live, catalog);
        }
    }

    /// Takes what a refusal says would be right.
    fn take_advice(&mut self, live: &Live, index: usize, tool: usize, catalog: &Catalog) {
        let (step, exchange) = &live.history[index];
        let (Some(schema), Some(sent)) =
            (catalog.tools[tool].input_schema(), step.action.arguments())
        else {
            return;
        };
        let text = error_text(exchange);
        let demands = Demands::of(&text);
        let given = |parameter: &Parameter| sent.place(&parameter.pointer);
        let quoted =
            |parameter: &&Parameter| given(parameter).is_some_and(|v| advice::quotes(&text, v));
        let repeated = schema.parameters().iter().filter(quoted).count();
        for parameter in schema.parameters() {
            let sent = given(parameter);
            let param = self.key_of(tool, parameter);
            let asked = self.advice.learn_demand(param, parameter, sent.is_some(), &demands);
            // Where it repeats what one was given, it is about that one; where it could be either, it teaches nothing.
            let about = sent.is_some_and(|value| match repeated {
                0 => advice::is_about(parameter, value, &text),
                1 => quoted(&parameter) || advice::names(parameter, &text),
                _ if folders::is_path(parameter) => advice::is_of_kind(parameter, &text),
                _ => quoted(&parameter),
            });
            let advised = about && self.advice.learn(param, parameter, &text);
            if asked || advised {
                // New hints deserve a trial, whatever became of the old ones.
                self.links.get_mut(param).hints = Arm::new(4.0, 1.0);
            }
        }
    }

    /// Learns whether the shape of a call worked, where it was not something else that was missing.
    fn learn_how_it_went(
        &mut self,
        live: &Live,
        index: usize,
        tool: usize,
        outcome: Outcome,
        catalog: &Catalog,
    ) {
        let (step, exchange) = &live.history[index];
        let arguments = step.action.arguments().unwrap_or(&Value::Null);
        let ok = outcome.kind == OutcomeKind::Ok;
        if ok || outcome.kind.is_refusal() {
            let text = if ok { String::new() } else { error_text(exchange).to_lowercase() };
            if !ok {
                self.learn_pointing(tool, arguments, &text, catalog);
            }
            let missing =
                !ok && mine::arguments(arguments).iter().any(|m| is_missing(Some(&m.value), &text));
            if !missing {
                self.learn_shape(tool, arguments, ok, catalog);
            }
        }
    }

    /// Learns, from a refusal that says of a value that it is not there, that its parameter names something that must exist.
    fn learn_pointing(&mut self, tool: usize, sent: &Value, text: &str, catalog: &Catalog) {
        let Some(schema) = catalog.tools[tool].input_schema() else {
            return;
        };
        for parameter in schema.parameters().iter().filter(|p| p.choices.is_empty()) {
            if is_missing(sent.place(&parameter.pointer), text) {
                let key = self.key_of(tool, parameter);
                self.links.learn_pointing(key);
            }
        }
    }

    /// Marks what a refusal says is not there; tells whether it said so of anything.
    fn forget_missing(&mut self, live: &Live, index: usize, uses: &[Use]) -> bool {
        let (step, exchange) = &live.history[index];
        let text = error_text(exchange).to_lowercase();
        let sent = step.action.arguments().map(mine::arguments).unwrap_or_default();
        let missing: Vec<Value> = sent
            .into_iter()
            .map(|sent| sent.value)
            .filter(|value| is_missing(Some(value), &text))
            .collect();
        for value in &missing {
            // What stands where it does not belong is missing there only.
            let places = uses.iter().filter(|used| used.value == *value);
            let places: Vec<&Use> = places.collect();
            let misplaced = places.iter().any(|used| matches!(used.choice, Choice::Any(_)));
            if places.len() <= 1 && !misplaced {
                self.corpus.mark_stale(value);
            }
        }
        !missing.is_empty()
    }

    /// Takes the values of a step into the corpus; returns the objects that the step is about.
    fn mine(
        &mut self,
        live: &Live,
        index: usize,
        tool: Option<usize>,
        outcome: Outcome,
        plan: &Plan,
    ) -> Vec<u32> {
        let (step, exchange) = &live.history[index];
        let mut about: Vec<u32> = Vec::new();
        for binding in &step.bindings {
            match self.corpus.item_of(binding) {
                Some(item) => about.push(item),
                None => about.extend(live.objects.get(binding.step).into_iter().flatten().take(4)),
            }
        }
        let worth = matches!(
            outcome.kind,
            OutcomeKind::Ok | OutcomeKind::ToolError | OutcomeKind::SoftError
        );
        if !worth {
            return about;
        }
        let ok = outcome.kind == OutcomeKind::Ok;
        let mut answered =
            mine::find_in_answer(exchange, plan.input.state_machine_config.mine_text);
        let mut sent = step.action.arguments().map(mine::find_in_arguments).unwrap_or_default();
        if !ok {
            answered.forget(|value| sent.iter().any(|sent| mine::echoes(value, sent.value)));
            sent = Finds::default();
        }
        let highest = answered.highest().max(sent.highest());
        let base = self.corpus.reserve_objects(highest + 1);
        let whole = base + highest + 1;
        let intent = tool.map(|tool| &self.intents[tool]);
        let found = answered.iter().map(|find| (find, false));
        for (find, argument) in found.chain(sent.iter().map(|find| (find, true))) {
            let path = if ok {
                self.links.path(tool, intent, find.path, argument)
            } else {
                self.links.path(tool, intent, &[links::ERROR, find.path].concat(), argument)
            };
            if argument {
                super::files::keep(&mut self.files, path, &find);
            }
            let (from, path) = (path, self.links.first(path));
            if !self.corpus.wants(path, find.value) {
                continue;
            }
            let numbers = find.objects.iter().map(|object| object + base);
            self.corpus.add(Entry {
                value: find.value.clone(),
                path,
                from,
                step: Some(index),
                source: find.source(),
                objects: numbers.chain([whole]).collect(),
                stale: false,
            });
        }
        about.push(whole);
        about
    }
}
