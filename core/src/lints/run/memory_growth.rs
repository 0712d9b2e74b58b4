//! `memory_growth`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::record::Soak;

lint! {
    /// The server's memory grows with every call of a tool that only reads.
    ///
    /// The same call with the same arguments, made over and over on one session, leaves nothing behind in a server that is right. One that runs for days ends without memory. Looked at where the server is started by the run, and only where shorter sequences gave a sign.
    MemoryGrowth(Run, Warning) {
        /// Less growth than this, in KiB, says nothing: programs warm up.
        floor_kib: u64 = 16_384,
    }
    spec: "", fix: "Look for what each call adds to and nothing takes from: a list of calls, a cache without bounds, listeners, sessions, buffers."
}

impl Lint for MemoryGrowth {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        for tool in &context.record.tools {
            let mut soaks = context.record.soaks.iter().filter(|soak| soak.tool == tool.name);
            let grown: Vec<Option<u64>> = soaks.clone().map(|soak| self.growth(soak)).collect();
            let (Some(soak), Some(Some(kib))) = (soaks.next_back(), grown.iter().min()) else {
                continue;
            };
            // Once may be chance.
            if grown.len() < 2 {
                continue;
            }
            let message = format!(
                "`{}`, called {} times with the same arguments {}, made the server grow by at least {} MiB, steadily",
                tool.name,
                soak.elapsed.len(),
                soak.arguments,
                kib / 1024
            );
            problems.push(Problem::new("grows", message).tool(&tool.name));
        }
    }
}

/// Looks at the memory that a judgement needs at least.
const FEWEST: usize = 12;

impl MemoryGrowth {
    /// How much the server grew after the first third, where it did so at the same pace all the time.
    fn growth(&self, soak: &Soak) -> Option<u64> {
        let later = &soak.memory[soak.memory.len() / 3..];
        let third = later.len() / 3;
        if soak.memory.len() < FEWEST {
            return None;
        }
        let marks = [0, third, 2 * third, later.len() - 1].map(|at| later[at].1);
        let grown = marks[3].checked_sub(marks[0]).filter(|kib| *kib >= self.floor_kib)?;
        // What levels off is a cache or a collector that waits.
        let steady = marks.windows(2).all(|pair| pair[1].saturating_sub(pair[0]) >= grown / 5);
        steady.then_some(grown)
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::record::{Record, ToolRecord};
    use serde_json::json;
    use std::time::Duration;

    let scene = |memory: fn(u64) -> u64| {
        let soak = Soak {
            tool: "list".to_owned(),
            arguments: json!({}),
            elapsed: vec![Duration::from_millis(1); 360],
            memory: (1..=60).map(|look: u64| (6, memory(look))).collect(),
        };
        let tool = ToolRecord { name: "list".to_owned(), ..ToolRecord::default() };
        Scene::new().record(Record {
            tools: vec![tool],
            soaks: vec![soak.clone(), soak],
            ..Record::default()
        })
    };
    Examples::of(&ENTRY)
        .flags("made the server grow by at least", scene(|look| 40_000 + look * 1200))
        .passes(scene(|look| 40_000 + look * 100))
        .passes(scene(|look| 40_000 + (look * 4000).min(90_000)))
}
