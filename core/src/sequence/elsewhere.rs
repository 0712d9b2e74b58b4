//! The check of two clients: one reads, another reads with one more argument, the first reads again.

use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use crate::case::{Action, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use serde_json::Value;

/// Other values tried for one read.
const VALUES: usize = 4;
/// Of them, those of one parameter that has a few values.
const OF_ONE: u32 = 2;
/// Calls of a sequence before the check is worth its calls.
const SETTLED: usize = 20;

impl Mind {
    /// Plans the check for `tool`, which reads: the call without its optional parameters on this session, and with one of them on
    /// the session of another client.
    pub(super) fn plan_elsewhere(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) {
        let Some(base) = self.base_call(tool, live, catalog) else {
            return;
        };
        let others = self.with_one_more(tool, &base, catalog);
        if others.is_empty() {
            return;
        }
        let look = Role::Observe { check: check::LEAK.to_owned(), view: 0 };
        let again = Planned::RepeatView { check: check::LEAK, view: 0 };
        let mut script = vec![Planned::Exact(Box::new(Step { role: look, ..base })), again.clone()];
        for other in others {
            script.extend([Planned::Exact(Box::new(other)), again.clone()]);
        }
        live.put_first(script);
    }

    /// The check for a tool that has not had it, now and then, where there can be two clients.
    pub(super) fn plan_other_client(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        if !self.two_clients || live.history.len() < SETTLED || !self.draw.chance(0.2) {
            return false;
        }
        let filters = |tool: usize| {
            let schema = catalog.tools[tool].input_schema();
            schema.is_some_and(|schema| schema.parameters().iter().any(|p| !p.required))
        };
        let left = |tool: &usize| {
            self.intents[*tool].looks_read_only()
                && self.feedback[*tool].ok > 0
                && !self.feedback[*tool].is_slow()
                && !self.checks.contains_key(&(*tool, check::LEAK))
                && filters(*tool)
        };
        let mut tools: Vec<usize> = self.callable.iter().copied().filter(left).collect();
        // What one client chose among a few values is what others are likeliest to be given.
        let chooses = |tool: &usize| {
            let schema = catalog.tools[*tool].input_schema();
            schema.is_some_and(|schema| {
                schema.parameters().iter().any(|p| !p.required && !p.choices.is_empty())
            })
        };
        if tools.iter().any(chooses) {
            tools.retain(chooses);
        }
        let Some(tool) = self.draw.pick(&tools).copied() else {
            return false;
        };
        // What was made by then tells filtered answers from others.
        *self.checks.entry((tool, check::LEAK)).or_default() += 1;
        self.plan_elsewhere(tool, live, catalog);
        !live.agenda.is_empty()
    }

    /// A successful call of the sequence without its optional arguments, or a new one.
    fn base_call(&mut self, tool: usize, live: &Live, catalog: &Catalog) -> Option<Step> {
        let name = &catalog.tools[tool].name;
        let schema = catalog.tools[tool].input_schema()?;
        let made = live.history.iter().zip(&live.outcomes).rev().find(|((step, _), outcome)| {
            step.action.tool() == Some(name) && outcome.kind == OutcomeKind::Ok
        });
        let mut step = if let Some(((step, _), _)) = made {
            Step { role: Role::Call, group: None, ..step.clone() }
        } else {
            let anchor = self.anchor(tool, live);
            self.plain_call(tool, anchor, Role::Call, live, catalog)?.0
        };
        let required: Vec<String> = schema
            .parameters()
            .iter()
            .filter(|parameter| parameter.required)
            .map(|parameter| parameter.pointer.clone())
            .collect();
        let arguments = step.action.arguments_mut()?;
        let members = arguments.as_object_mut()?;
        members.retain(|name, _| {
            let at = crate::pointer::join("", name);
            required.iter().any(|pointer| *pointer == at || pointer.starts_with(&format!("{at}/")))
        });
        let valid = schema.is_valid(arguments);
        let kept = arguments.clone();
        step.bindings.retain(|binding| kept.pointer(&binding.at).is_some());
        valid.then_some(step)
    }

    /// The call with one optional argument more, each value of a choice that there is; the rarest used first.
    fn with_one_more(&mut self, tool: usize, base: &Step, catalog: &Catalog) -> Vec<Step> {
        let offered = &catalog.tools[tool];
        let (Some(schema), Some(arguments)) = (offered.input_schema(), base.action.arguments())
        else {
            return Vec::new();
        };
        let mut candidates: Vec<(String, Value)> = Vec::new();
        for parameter in schema.parameters().iter().filter(|parameter| !parameter.required) {
            let name = parameter.pointer.trim_start_matches('/');
            let points = parameter.choices.is_empty() && super::words::is_reference(name);
            if name.contains('/') || points || arguments.get(name).is_some() {
                continue;
            }
            let switches = [Value::Bool(true), Value::Bool(false), Value::from(1)];
            let values = parameter.choices.iter().chain(&parameter.hints).chain(&switches);
            for value in values {
                let mut given = arguments.clone();
                given[name] = value.clone();
                let known = candidates.iter().any(|(_, other)| *other == given);
                if schema.is_valid(&given) && !known {
                    candidates.push((name.to_owned(), given));
                }
            }
        }
        let mut steps = Vec::new();
        self.draw.shuffle(&mut candidates);
        let listed = |name: &str| {
            schema.parameters().iter().any(|p| p.name == name && !p.choices.is_empty())
        };
        while steps.len() < VALUES && !candidates.is_empty() {
            // Each parameter in its turn: what one client chose by it may be kept for the others. Of a few values the first may be
            // one that all things have, so that it shows nothing.
            let tried = |name: &str, of: &Self| {
                let key = (tool, format!("{} {name}", check::LEAK));
                let tried = of.varied.get(&key).copied().unwrap_or(0);
                if listed(name) { tried / OF_ONE } else { tried }
            };
            let rank = |name: &str, of: &Self| (tried(name, of), !listed(name));
            let least = candidates.iter().enumerate().min_by_key(|(_, (name, _))| rank(name, self));
            let Some(least) = least.map(|(at, _)| at) else { break };
            let (name, given) = candidates.swap_remove(least);
            *self.varied.entry((tool, format!("{} {name}", check::LEAK))).or_default() += 1;
            steps.push(Step {
                action: Action::CallTool { tool: offered.name.clone(), arguments: given },
                role: Role::Subject { check: check::LEAK.to_owned() },
                ..base.clone()
            });
        }
        steps
    }
}
