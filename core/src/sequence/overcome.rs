//! Overcoming: a refusal that says in which state things must be first ("cannot be completed: T-1 is open") has them brought into
//! that state, by tools that set one, and the refused call made once more.

use super::feedback::{error_text, mentions};
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned};
use crate::case::{Action, Binding, Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::pointer::join;
use crate::schema::key_tokens;
use serde_json::{Value, json};

/// Under this name the attempts for one tool are counted.
const OVERCOME: &str = "overcome";
/// Attempts for one tool in a run.
const ATTEMPTS: u32 = 8;
/// Things that are changed for one call.
const THINGS: usize = 8;
/// Letters that a word and a choice share at least.
const STEM: usize = 4;

/// A tool that sets the state of a thing: which of its parameters names the thing, and which takes which state.
struct Setter {
    tool: usize,
    thing: String,
    state: String,
    choice: Value,
}

impl Mind {
    /// Plans what a refusal asks for, then the refused call once more; tells whether it did.
    pub(super) fn plan_overcome(
        &mut self,
        live: &mut Live,
        index: usize,
        tool: usize,
        catalog: &Catalog,
    ) -> bool {
        let (step, exchange) = &live.history[index];
        let fits = live.phase == Phase::Stateful
            && live.agenda.is_empty()
            && step.label == Label::Valid
            && step.role == Role::Call
            && self.checks.get(&(tool, OVERCOME)).is_none_or(|tried| *tried < ATTEMPTS);
        if !fits {
            return false;
        }
        let text = error_text(exchange).to_lowercase();
        let own = key_tokens(&catalog.tools[tool].name);
        let mut steps = self.obstacles(tool, &own, &text, catalog);
        if steps.is_empty() {
            let words = key_tokens(&text);
            steps.extend(self.precondition(live, index, tool, &words, catalog));
        }
        if steps.is_empty() {
            return false;
        }
        *self.checks.entry((tool, OVERCOME)).or_default() += 1;
        let first = self.tool_of(&steps[0]);
        let planned = steps.into_iter().map(|step| Planned::Exact(Box::new(step)));
        live.agenda.extend(planned);
        live.agenda.push_back(Planned::Again { step: index, role: Role::Call });
        // What comes after may be odd as well: another such thing, and a look at it.
        let maker = first.and_then(|tool| self.kinds[tool].clone()).and_then(|n| self.maker(&n));
        if let Some(maker) = maker.filter(|maker| *maker != tool) {
            live.agenda.push_back(Planned::Make { tool: maker });
            let look = self.reader_for(maker, catalog);
            let about = |tool| Planned::About { tool, step: None, role: Role::Call };
            live.agenda.extend(look.map(about));
        }
        live.length += live.agenda.len();
        true
    }

    /// Calls that bring each thing which a refusal names into the state that the refused tool is named for.
    fn obstacles(
        &mut self,
        tool: usize,
        words: &[String],
        text: &str,
        catalog: &Catalog,
    ) -> Vec<Step> {
        let Some(setter) = self.setter(tool, words, catalog) else {
            return Vec::new();
        };
        let mut named: Vec<Value> = Vec::new();
        let mut steps = Vec::new();
        for entry in self.corpus.entries().iter().rev() {
            let Some(id) = entry.value.as_str().filter(|id| mentions(text, &id.to_lowercase()))
            else {
                continue;
            };
            let told = self.links.paths[entry.path.0 as usize].is_of_id();
            let (Some(step), true) = (entry.step, told && !named.contains(&entry.value)) else {
                continue;
            };
            named.push(entry.value.clone());
            let mut arguments = json!({});
            arguments[&setter.thing] = Value::from(id);
            arguments[&setter.state] = setter.choice.clone();
            let at = join("", &setter.thing);
            let binding = Binding { at, step, from: entry.source.clone() };
            let name = &catalog.tools[setter.tool].name;
            steps.push(template::call(name, arguments, vec![binding], Role::Call));
            if steps.len() == THINGS {
                break;
            }
        }
        steps
    }

    /// A call about the same things, with a choice that a word of the refusal names.
    fn precondition(
        &mut self,
        live: &Live,
        index: usize,
        tool: usize,
        words: &[String],
        catalog: &Catalog,
    ) -> Option<Step> {
        let setter = self.setter(tool, words, catalog)?;
        let (mut step, _) = self.plain_call(setter.tool, Some(index), Role::Call, live, catalog)?;
        let schema = catalog.tools[setter.tool].input_schema()?;
        let Action::CallTool { arguments, .. } = &mut step.action else {
            return None;
        };
        // No more than it takes: other members may belong to other states.
        let required =
            |name: &String| schema.parameters().iter().any(|p| p.required && p.name == *name);
        let members = arguments.as_object_mut()?;
        members.retain(|name, _| required(name));
        members.insert(setter.state, setter.choice);
        let kept = arguments.clone();
        step.bindings.retain(|binding| kept.pointer(&binding.at).is_some());
        (schema.is_valid(&kept) && !step.bindings.is_empty()).then_some(step)
    }

    /// A tool that has worked and takes a thing and one of a few states, of which one is what a word says: `complete` and
    /// `completed`.
    fn setter(&mut self, tool: usize, words: &[String], catalog: &Catalog) -> Option<Setter> {
        let mut found = Vec::new();
        for other in self.callable.clone() {
            let feedback = &self.feedback[other];
            if other == tool || feedback.ok == 0 || self.intents[other].looks_read_only() {
                continue;
            }
            let Some(schema) = catalog.tools[other].input_schema() else {
                continue;
            };
            let required: Vec<_> = schema.parameters().iter().filter(|p| p.required).collect();
            let [a, b] = required.as_slice() else {
                continue;
            };
            let (thing, state) = if a.choices.is_empty() { (a, b) } else { (b, a) };
            let key = self.key_of(other, thing);
            let says = |choice: &&Value| {
                let choice = choice.as_str().unwrap_or_default();
                words.iter().any(|word| is_akin(word, choice))
            };
            if let Some(choice) = state.choices.iter().find(says)
                && thing.choices.is_empty()
                && self.links.get(key).points_elsewhere()
            {
                found.push(Setter {
                    tool: other,
                    thing: thing.name.clone(),
                    state: state.name.clone(),
                    choice: choice.clone(),
                });
            }
        }
        let at = self.draw.index(found.len().max(1));
        (!found.is_empty()).then(|| found.swap_remove(at))
    }
}

/// Whether a word and a choice have the same stem: `complete` and `completed`, `captured` and `capture`.
fn is_akin(word: &str, choice: &str) -> bool {
    let (word, choice) = (word.to_lowercase(), choice.to_lowercase());
    let (short, long) = if word.len() <= choice.len() { (word, choice) } else { (choice, word) };
    let stem = short.strip_suffix('e').unwrap_or(&short);
    stem.len() >= STEM && long.len() <= short.len() + 3 && long.starts_with(stem)
}

#[cfg(test)]
mod tests {
    use super::is_akin;

    #[test]
    fn words_of_one_stem_are_akin() {
        assert!(is_akin("complete", "completed"));
        assert!(is_akin("closing", "close"));
        assert!(is_akin("captured", "capture"));
        assert!(!is_akin("complete", "remaining"));
        assert!(!is_akin("on", "one"));
        assert!(!is_akin("comp", "completed"));
    }
}
