//! Checks that compare two ways to ask for the same: with a documented default and without it.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned, check};
use crate::case::{Action, Role, Step};
use crate::catalog::Catalog;
use serde_json::Value;

impl Mind {
    /// Plans calls of `tool` without an optional parameter and with its documented default.
    pub(super) fn plan_default(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) {
        let offered = &catalog.tools[tool];
        let defaults: Vec<(&str, &Value)> = template::defaults(offered).collect();
        let key = |name: &str| (tool, format!("{} {name}", check::DEFAULT));
        let compared = |name: &str| self.varied.get(&key(name)).copied().unwrap_or(0);
        let least = defaults.iter().map(|(name, _)| compared(name)).min();
        let seldom: Vec<(&str, &Value)> =
            defaults.iter().copied().filter(|(name, _)| Some(compared(name)) == least).collect();
        let Some((name, default)) = self.draw.pick(&seldom).copied() else {
            return;
        };
        *self.varied.entry(key(name)).or_default() += 1;
        let anchor = self.anchor(tool, live);
        let Some((mut without, _)) = self.plain_call(tool, anchor, Role::Call, live, catalog)
        else {
            return;
        };
        let at = crate::pointer::join("", name);
        without.bindings.retain(|binding| !binding.at.starts_with(&at));
        let (Some(arguments), Some(schema)) =
            (without.action.arguments_mut(), offered.input_schema())
        else {
            return;
        };
        let Some(members) = arguments.as_object_mut() else {
            return;
        };
        members.shift_remove(name);
        let mut given = members.clone();
        given.insert(name.to_owned(), default.clone());
        let given = Value::Object(given);
        if !schema.is_valid(arguments) || !schema.is_valid(&given) {
            return;
        }
        let mut with = without.clone();
        with.action = Action::CallTool { tool: offered.name.clone(), arguments: given };
        let subject = Role::Subject { check: check::DEFAULT.to_owned() };
        let look = |view: u32| Role::Observe { check: check::DEFAULT.to_owned(), view };
        if self.intents[tool].verb == Verb::Create {
            let Some(reader) = self.reader_for(tool, catalog) else {
                return;
            };
            let view = |view: u32| Planned::LookAtSubject {
                check: check::DEFAULT,
                reader,
                role: look(view),
            };
            let with = self.with_other_words(with, catalog);
            let exact =
                |step: Step| Planned::Exact(Box::new(Step { role: subject.clone(), ..step }));
            live.agenda.extend([exact(without), view(1), exact(with), view(2)]);
        } else {
            let first = Planned::Exact(Box::new(Step { role: look(0), ..without }));
            let second = Planned::Exact(Box::new(Step { role: subject, ..with }));
            let again = Planned::RepeatView { check: check::DEFAULT, view: 0 };
            live.agenda.extend([first, again.clone(), second, again]);
        }
    }

    /// The call with free text that no other call has: names must often be free.
    fn with_other_words(&mut self, mut step: Step, catalog: &Catalog) -> Step {
        let schema = step.action.tool().and_then(|name| catalog.tool(name)?.input_schema());
        let Some(schema) = schema else {
            return step;
        };
        let pointers = step.action.arguments().map(crate::pointer::scalars).unwrap_or_default();
        for pointer in pointers {
            let parameter = schema.all_parameters().at(&pointer);
            let free =
                parameter.is_some_and(|p| p.required && p.choices.is_empty() && p.format.is_none());
            let bound = step.bindings.iter().any(|binding| binding.at == pointer);
            let Some(arguments) = step.action.arguments_mut().filter(|_| free && !bound) else {
                continue;
            };
            let mut changed = arguments.clone();
            if let Some(slot) = changed.pointer_mut(&pointer).filter(|slot| slot.is_string()) {
                *slot = Value::from(format!("other {:04x}", self.draw.below(0x1_0000)));
            }
            if schema.is_valid(&changed) {
                *arguments = changed;
            }
        }
        step
    }
}
