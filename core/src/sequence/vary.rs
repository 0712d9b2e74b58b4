//! Varying: the call that a check is about takes another choice of its parameters each time, since a switch or a mode makes another
//! operation of it (`hard: true`), and each of them may be wrong on its own.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Subject, check};
use crate::case::{Action, Binding, Label, Role, Source, Step};
use crate::catalog::Catalog;
use crate::pointer::join;
use crate::schema::{CompiledSchema, JsonTypes, Parameter};
use serde_json::{Map, Value};

/// Choices of a parameter that are varied.
const CHOICES: usize = 8;
/// How likely the choice is left as it was drawn.
const AS_DRAWN: f64 = 0.2;

impl Mind {
    /// The subject of a check with the choice, of one of its parameters, that the check was made with least.
    pub(super) fn varied(&mut self, tool: usize, mut step: Step, catalog: &Catalog) -> Step {
        let Role::Subject { check } = &step.role else {
            return step;
        };
        let (Some(schema), Label::Valid) = (catalog.tools[tool].input_schema(), &step.label) else {
            return step;
        };
        if self.draw.chance(AS_DRAWN) {
            return step;
        }
        let Some(arguments) = step.action.arguments() else {
            return step;
        };
        let mut candidates: Vec<(u32, String, Value)> = Vec::new();
        for parameter in schema.parameters() {
            let name = parameter.pointer.trim_start_matches('/');
            let bound = step.bindings.iter().any(|binding| binding.at == parameter.pointer);
            let mode = self.modes[tool].as_ref().is_some_and(|modes| modes.parameter == name);
            if mode || bound || name.contains(['/', '~']) {
                continue;
            }
            for choice in choices(parameter) {
                if parameter.required && choice.is_none() {
                    continue;
                }
                let key = format!("{check} {name} {}", choice.as_ref().unwrap_or(&Value::Null));
                let mut given = arguments.clone();
                let Some(members) = given.as_object_mut() else { continue };
                match choice {
                    Some(value) => members.insert(name.to_owned(), value),
                    None => members.shift_remove(name),
                };
                if schema.is_valid(&given) {
                    let before = self.varied.get(&(tool, key.clone())).copied().unwrap_or(0);
                    candidates.push((before, key, given));
                }
            }
        }
        self.draw.shuffle(&mut candidates);
        if let Some((before, key, given)) = candidates.into_iter().min_by_key(|(n, ..)| *n) {
            self.varied.insert((tool, key), before + 1);
            if let Action::CallTool { arguments, .. } = &mut step.action {
                *arguments = given;
            }
        }
        step
    }
}

impl Mind {
    /// A search, by a tool that needs nothing but words, for words of what the step made.
    pub(super) fn search_for(
        &mut self,
        maker: usize,
        made: usize,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<Step> {
        if self.intents[maker].verb != Verb::Create {
            return None;
        }
        let sent = live.history[made].0.action.arguments()?.as_object()?;
        let words: Vec<(&String, &Value)> = sent
            .iter()
            .filter(|(name, value)| {
                let told = live.history[made].0.bindings.iter().any(|b| b.at == join("", name));
                value.as_str().is_some_and(|text| text.trim().len() >= 3) && !told
            })
            .collect();
        let (name, value) = words.first()?;
        let (name, value) = ((*name).clone(), (*value).clone());
        let mut searches: Vec<(usize, String)> = Vec::new();
        for other in &self.callable {
            let schema = catalog.tools[*other].input_schema();
            let required: Vec<&Parameter> = schema
                .into_iter()
                .flat_map(CompiledSchema::parameters)
                .filter(|p| p.required)
                .collect();
            let [only] = required.as_slice() else { continue };
            let free = only.types == JsonTypes::STRING
                && only.choices.is_empty()
                && !super::words::is_reference(&only.name);
            if free
                && self.intents[*other].verb == Verb::List
                && self.intents[*other].shares_noun(&self.intents[maker])
            {
                searches.push((*other, only.name.clone()));
            }
        }
        let (search, word) = self.draw.pick(&searches)?.clone();
        let mut arguments = Map::new();
        arguments.insert(word.clone(), value);
        let arguments = Value::Object(arguments);
        let at = join("", &word);
        let from = Source::Argument { pointer: join("", &name) };
        let bindings = vec![Binding { at, step: made, from }];
        let valid = catalog.tools[search].input_schema()?.is_valid(&arguments);
        let tool = &catalog.tools[search].name;
        valid.then(|| template::call(tool, arguments, bindings, Role::Call))
    }
}

/// Under this name the looks before a call that may be refused are counted.
const BEFOREHAND: &str = "before a refusal";
/// How often a tool is looked at before such a call.
const LOOKS: u32 = 3;

impl Mind {
    /// Now and then, looks around the first call in a sequence of a tool that was refused in others: what a refusal leaves behind may
    /// not come again with the next one.
    pub(super) fn plan_before_refusal(&mut self, live: &mut Live, catalog: &Catalog) -> bool {
        if !self.draw.chance(0.08) {
            return false;
        }
        let fits = |tool: &usize| {
            let name = &catalog.tools[*tool].name;
            let refused = self.refusals.iter().any(|(other, _)| other == tool);
            let called = live.history.iter().any(|(step, _)| step.action.tool() == Some(name));
            let done = self.checks.get(&(*tool, BEFOREHAND)).is_some_and(|n| *n >= LOOKS);
            refused && !called && !done && self.has_made(*tool, live)
        };
        let tools: Vec<usize> = self.callable.iter().copied().filter(fits).collect();
        let Some(tool) = self.draw.pick(&tools).copied() else {
            return false;
        };
        let readers = self.readers(tool, catalog);
        if readers.is_empty() {
            return false;
        }
        *self.checks.entry((tool, BEFOREHAND)).or_default() += 1;
        let anchor = self.anchor(tool, live);
        let subject = Subject::About { tool, anchor };
        live.agenda.extend(template::script(check::FAILED_CALL, subject, anchor, &readers));
        true
    }
}

/// The values that a parameter may be given one by one, and none for leaving it out.
fn choices(parameter: &Parameter) -> Vec<Option<Value>> {
    let listed = parameter.choices.len();
    let values = if parameter.types == JsonTypes::BOOLEAN {
        vec![Value::Bool(true), Value::Bool(false)]
    } else if (1..=CHOICES).contains(&listed) {
        parameter.choices.clone()
    } else {
        return Vec::new();
    };
    values.into_iter().map(Some).chain([None]).collect()
}
