//! The check of two clients: one reads, another reads with one more argument, the first reads again.

use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use crate::case::{Action, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use serde_json::Value;

/// Other values tried for one read.
const VALUES: usize = 3;

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
        live.agenda.push_back(Planned::Exact(Box::new(Step { role: look, ..base })));
        live.agenda.push_back(again.clone());
        for other in others {
            live.agenda.push_back(Planned::Exact(Box::new(other)));
            live.agenda.push_back(again.clone());
        }
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
        let mut candidates: Vec<Value> = Vec::new();
        for parameter in schema.parameters().iter().filter(|parameter| !parameter.required) {
            let name = parameter.pointer.trim_start_matches('/');
            if name.contains('/') || arguments.get(name).is_some() {
                continue;
            }
            let switches = [Value::Bool(true), Value::Bool(false), Value::from(1)];
            let values = parameter.choices.iter().chain(&parameter.hints).chain(&switches);
            for value in values {
                let mut given = arguments.clone();
                given[name] = value.clone();
                if schema.is_valid(&given) && !candidates.contains(&given) {
                    candidates.push(given);
                }
            }
        }
        let mut steps = Vec::new();
        while steps.len() < VALUES && !candidates.is_empty() {
            let given = candidates.swap_remove(self.draw.index(candidates.len()));
            steps.push(Step {
                action: Action::CallTool { tool: offered.name.clone(), arguments: given },
                role: Role::Subject { check: check::LEAK.to_owned() },
                ..base.clone()
            });
        }
        steps
    }
}
