//! Producers: calls that bring what another call needs.

use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::Planned;
use crate::case::Role;
use crate::catalog::{Catalog, Tool};
use crate::schema::{CompiledSchema, Parameter, key_tokens};
use serde_json::Value;

/// Calls to producers in a row, and how many of them are of one producer for one tool.
const MOST: usize = 8;
const SAME: usize = 2;
/// The same in a sequence for first successes, which goes through all tools anyway.
const FEW: usize = 1;

impl Mind {
    /// Where a required reference has no value yet, plans a call that is likely to bring one, then `again`.
    pub(super) fn insert_producer(
        &mut self,
        tool: usize,
        again: Planned,
        live: &mut Live,
        catalog: &Catalog,
    ) -> bool {
        let most = if live.first.is_some() { FEW } else { MOST };
        if live.producers.len() >= most || self.draw.chance(0.03) {
            return false;
        }
        // What brought nothing may have been refused; another one may be there.
        let free = |pair: &(usize, usize)| {
            live.producers.iter().filter(|other| *other == pair).count() < SAME
        };
        let found = (0..3).filter_map(|_| self.missing_producer(tool, catalog));
        let Some(pair) = found.map(|producer| (tool, producer)).find(free) else {
            return false;
        };
        live.producers.push(pair);
        live.agenda.push_front(again);
        let producer = pair.1;
        let make = Planned::Make { tool: producer };
        let look = Planned::About { tool: producer, step: None, role: Role::Call };
        let makes = self.intents[producer].verb == Verb::Create;
        live.agenda.push_front(if makes { make } else { look });
        true
    }

    fn missing_producer(&mut self, tool: usize, catalog: &Catalog) -> Option<usize> {
        if self.intents[tool].revives && !self.corpus.has_stale() {
            let deletes = |other: &usize| self.intents[*other].verb == Verb::Delete;
            let deleters: Vec<usize> = self.callable.iter().copied().filter(deletes).collect();
            return self.draw.pick(&deleters).copied();
        }
        let schema = catalog.tools[tool].input_schema()?;
        for parameter in schema.parameters().iter().filter(|p| p.required && p.choices.is_empty()) {
            let key = self.key_of(tool, parameter);
            self.links.refresh(key);
            let param = self.links.get(key);
            let live = param.has_live(&self.links, &self.corpus, parameter.types);
            let works_without = param.hints.ok + param.schema.ok > 0;
            if !param.reference || live || works_without {
                continue;
            }
            let mut learned: Vec<(f32, usize)> = Vec::new();
            for (path, arm) in param.paths.iter().filter(|(_, arm)| arm.ok > 0) {
                let producer = self.links.paths[path.0 as usize].tool;
                learned.extend(producer.map(|producer| (arm.mean(), producer)));
            }
            // What must be told of such a thing itself brings none, though its answers name it.
            let useful = |p: &usize| {
                *p != tool
                    && self.callable.contains(p)
                    && !self.feedback[*p].is_hopeless()
                    && !asks_for(&catalog.tools[*p], &parameter.name)
            };
            learned.retain(|(_, producer)| useful(producer));
            let best = learned.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a });
            let makes = |producer: &usize| self.intents[*producer].verb == Verb::Create;
            // What lists things brings nothing where nothing was made.
            let producer = match best.map(|(_, producer)| producer) {
                Some(best) if makes(&best) || self.draw.chance(0.3) => Some(best),
                best => self.producer_by_name(tool, parameter, catalog).or(best),
            };
            if let Some(producer) = producer.filter(|p| self.callable.contains(p)) {
                return Some(producer);
            }
        }
        self.second_producer(tool, schema)
    }

    /// For a call that names several things of one kind, where there are fewer: a tool that makes one more.
    fn second_producer(&mut self, tool: usize, schema: &CompiledSchema) -> Option<usize> {
        let references = self.references(tool, schema);
        let noun = self.kinds[tool].clone().filter(|_| references.len() > 1)?;
        let mut things: Vec<&Value> = Vec::new();
        for key in &references {
            let values =
                self.links.get(*key).likely().flat_map(|(path, _)| self.corpus.of_path(*path));
            for entry in values.filter(|entry| !entry.stale) {
                if !things.contains(&&entry.value) {
                    things.push(&entry.value);
                }
            }
        }
        if things.len() >= references.len() || self.draw.chance(0.15) {
            return None;
        }
        self.maker(&noun).filter(|maker| *maker != tool)
    }

    /// A tool whose name says that it makes or lists what `words` are about.
    fn producer_by_name(
        &mut self,
        tool: usize,
        parameter: &Parameter,
        catalog: &Catalog,
    ) -> Option<usize> {
        let generic = |word: &&String| matches!(word.as_str(), "id" | "uuid" | "name" | "key");
        let named: Vec<&String> = parameter.path_tokens.iter().filter(|w| !generic(w)).collect();
        let makes = |t: usize, nouns: &[&String]| {
            let intent = &self.intents[t];
            t != tool
                && !self.feedback[t].is_hopeless()
                && matches!(intent.verb, Verb::Create | Verb::List)
                && intent.nouns.iter().any(|noun| nouns.contains(&noun))
                && !asks_for(&catalog.tools[t], &parameter.name)
        };
        let own: Vec<&String> = self.intents[tool].nouns.last().into_iter().collect();
        let all = |nouns: &[&String]| -> Vec<usize> {
            self.callable.iter().copied().filter(|t| makes(*t, nouns)).collect()
        };
        let mut candidates = all(&named);
        if candidates.is_empty() {
            candidates = all(&own);
        }
        let creates = |tool: &usize| self.intents[*tool].verb == Verb::Create;
        if candidates.iter().any(creates) && self.draw.chance(0.8) {
            candidates.retain(creates);
        }
        self.likeliest(&candidates)
    }

    /// Mostly the tool whose calls succeed most often, now and then any of them.
    pub(super) fn likeliest(&mut self, tools: &[usize]) -> Option<usize> {
        if self.draw.chance(0.2) {
            return self.draw.pick(tools).copied();
        }
        let share = |tool: &usize| {
            let feedback = &self.feedback[*tool];
            f64::from(feedback.ok + 1) / f64::from(feedback.calls + 2)
        };
        tools.iter().copied().max_by(|a, b| share(a).total_cmp(&share(b)))
    }
}

/// Words of names that a caller chooses: what is told such a name may be there to make the thing, or to list what is in it.
const CHOSEN: &[&str] = &[
    "path",
    "file",
    "filename",
    "filepath",
    "dir",
    "directory",
    "folder",
    "uri",
    "url",
    "name",
    "key",
    "title",
];

/// Whether a tool must be told by a parameter of that name of something that is there already.
fn asks_for(tool: &Tool, name: &str) -> bool {
    let chosen = key_tokens(name).iter().any(|word| CHOSEN.contains(&word.as_str()));
    let names_it = tool.intent.verb == Verb::Create && tool.intent.names_own(name);
    let parameters = tool.input_schema().map(CompiledSchema::parameters).unwrap_or_default();
    let required = |parameter: &Parameter| parameter.required && parameter.name == name;
    !chosen && !names_it && parameters.iter().any(required)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::intent::tests::tool;
    use serde_json::json;

    #[test]
    fn what_asks_for_a_thing_brings_none_unless_the_name_is_chosen() {
        let asks = |name: &str, parameter: &str| {
            let schema = json!({"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]});
            asks_for(&tool(json!({"name": name, "inputSchema": schema})), parameter)
        };
        assert!(asks("create_task", "project_id"));
        assert!(asks("show_panel", "session"));
        assert!(!asks("write_file", "path"));
        assert!(!asks("create_job", "job_name"));
        assert!(!asks("create_session", "session"));
    }
}
