//! The examples phase: what the schemas themselves suggest, once each, and every resource, prompt and completion once.

use crate::case::{Action, Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::error::Error;
use crate::generate::{examples, maximal, minimal};
use crate::sequence::completions::questions;
use crate::sequence::live::Live;
use crate::sequence::template::{Planned, call};
use crate::worker::Worker;
use serde_json::{Map, Value, json};

/// Calls of one sequence.
const LENGTH: usize = 60;
/// Resources read, prompts fetched and completions asked for at most.
const MOST: usize = 20;

/// Runs the phase.
///
/// # Errors
/// Where no session can be opened.
pub(crate) fn run(worker: &mut Worker<'_>) -> Result<(), Error> {
    let completes = worker.judge.server.capabilities.get("completions").is_some();
    let mut planned = reads(worker.judge.catalog, completes);
    for tool in worker.mind.callable.clone() {
        planned.extend(calls(worker, tool));
    }
    let (share, of) = worker.judge.plan.shard;
    let mine = planned
        .into_iter()
        .enumerate()
        .filter(|(index, _)| *index as u64 % of == share)
        .map(|(_, step)| step);
    let mut rest: Vec<Step> = mine.collect();
    while !rest.is_empty() && worker.may_go_on() {
        let (chunk, later) = rest.split_at(rest.len().min(LENGTH));
        let mut live = Live::new(Phase::Examples, chunk.len());
        live.agenda.extend(chunk.iter().cloned().map(|step| Planned::Exact(Box::new(step))));
        let done = worker.sequence(live)?;
        // What ended the session early is not to cost the other tools their turn.
        let ended_by = done.checked_sub(1).and_then(|last| chunk.get(last)?.action.tool());
        let other = |step: &&Step| ended_by.is_none() || step.action.tool() != ended_by;
        rest = chunk.iter().skip(done.max(1)).filter(other).chain(later).cloned().collect();
    }
    Ok(())
}

/// At most three calls of a tool: the smallest arguments, what the schema gives as example, everything.
fn calls(worker: &Worker<'_>, tool: usize) -> Vec<Step> {
    let tool = &worker.judge.catalog.tools[tool];
    let Some(schema) = tool.input_schema() else {
        return vec![Step {
            label: Label::Unknown,
            ..call(&tool.name, json!({}), Vec::new(), Role::Call)
        }];
    };
    let mut arguments: Vec<Value> = Vec::new();
    let candidates =
        examples(schema).into_iter().take(1).chain(minimal(schema)).chain(maximal(schema));
    for candidate in candidates {
        if !arguments.contains(&candidate) {
            arguments.push(candidate);
        }
    }
    arguments
        .into_iter()
        .take(3)
        .map(|arguments| call(&tool.name, arguments, Vec::new(), Role::Call))
        .collect()
}

/// Each listed resource read, each prompt fetched, and what the server `completes`; some of them.
fn reads(catalog: &Catalog, completes: bool) -> Vec<Step> {
    let resources = catalog
        .resources
        .iter()
        .take(MOST)
        .map(|resource| Action::ReadResource { uri: resource.uri.clone() });
    let prompts = catalog.prompts.iter().take(MOST).map(|prompt| Action::GetPrompt {
        prompt: prompt.name.clone(),
        arguments: prompt_arguments(&prompt.raw),
    });
    let step = |action| Step {
        action,
        bindings: Vec::new(),
        label: Label::Unknown,
        role: Role::Call,
        group: None,
    };
    let offers = if completes { questions(catalog) } else { Vec::new() };
    offers.into_iter().take(MOST).chain(resources).chain(prompts).map(step).collect()
}

/// A word for every argument of a prompt; null where it has none.
fn prompt_arguments(prompt: &Value) -> Value {
    let names = prompt
        .get("arguments")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|a| a.get("name")?.as_str());
    let arguments: Map<String, Value> =
        names.map(|name| (name.to_owned(), Value::from("example"))).collect();
    if arguments.is_empty() { Value::Null } else { Value::Object(arguments) }
}
