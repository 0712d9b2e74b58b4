//! Strangers: calls that name something which is not there, or a thing of another kind. Each place of each tool gets both, since what
//! is looked up is checked, or not, on its own.

use super::batches::missing;
use super::links::ParamKey;
use super::live::Live;
use super::mind::Mind;
use crate::case::{Role, Step};
use crate::catalog::Catalog;
use crate::pointer::Places;
use serde_json::Value;

/// Nothing of that name, and another kind of thing, and how often each place is given each.
const KINDS: [(&str, u32); 2] = [("nobody", 2), ("another", 1)];

/// A place of a tool that names something, and the kind of stranger that it is given.
struct Turn {
    done: u32,
    wanted: u32,
    count: String,
    key: ParamKey,
    /// The parameter's number in the schema.
    parameter: usize,
    kind: &'static str,
}

impl Mind {
    /// Whether a tool has a place that was not given each kind of stranger.
    pub(super) fn wants_stranger(&mut self, tool: usize, catalog: &Catalog) -> bool {
        self.stranger_turns(tool, catalog).iter().any(|turn| turn.done < turn.wanted)
    }

    fn stranger_turns(&mut self, tool: usize, catalog: &Catalog) -> Vec<Turn> {
        let Some(schema) = catalog.tools[tool].input_schema() else {
            return Vec::new();
        };
        let mut turns = Vec::new();
        for (number, parameter) in schema.parameters().iter().enumerate() {
            if parameter.in_array || !parameter.choices.is_empty() {
                continue;
            }
            let key = self.key_of(tool, parameter);
            if !self.links.get(key).points_elsewhere() {
                continue;
            }
            for (kind, wanted) in KINDS {
                let count = format!("stranger {} {kind}", parameter.pointer);
                let done = self.varied.get(&(tool, count.clone())).copied().unwrap_or(0);
                turns.push(Turn { done, wanted, count, key, parameter: number, kind });
            }
        }
        turns
    }

    /// A call that would work but for one thing that it names.
    pub(super) fn stranger(&mut self, tool: usize, live: &Live, catalog: &Catalog) -> Option<Step> {
        let schema = catalog.tools[tool].input_schema()?;
        let mut turns = self.stranger_turns(tool, catalog);
        self.draw.shuffle(&mut turns);
        let turn = turns.into_iter().min_by_key(|turn| turn.done)?;
        *self.varied.entry((tool, turn.count)).or_default() += 1;
        let value = if turn.kind == "another" {
            self.another(turn.key)?
        } else {
            let links = self.links.get(turn.key);
            let told = links.likely().flat_map(|(path, _)| self.corpus.of_path(*path));
            let known = told.map(|entry| &entry.value).last();
            missing(known, &schema.parameters()[turn.parameter], turn.done)
        };
        let (mut step, _) = self.sound_call(tool, Role::Call, live, catalog)?;
        let at = &schema.parameters()[turn.parameter].pointer;
        *step.action.arguments_mut()?.place_mut(at)? = value;
        step.bindings.retain(|binding| binding.at != *at);
        let arguments = step.action.arguments()?;
        schema.is_valid(arguments).then_some(step)
    }

    /// The id of a thing that the place does not take.
    fn another(&self, key: ParamKey) -> Option<Value> {
        let own = self.links.get(key);
        let taken = |value: &Value| {
            own.likely()
                .any(|(path, _)| self.corpus.of_path(*path).any(|entry| entry.value == *value))
        };
        let ids = self
            .corpus
            .entries()
            .iter()
            .rev()
            .filter(|entry| !entry.stale && self.links.paths[entry.path.0 as usize].is_of_id());
        ids.map(|entry| &entry.value).find(|value| !taken(value)).cloned()
    }
}
