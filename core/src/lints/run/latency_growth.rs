//! `latency_growth`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::record::Soak;
use std::time::Duration;

lint! {
    /// Every call of a tool that only reads takes longer than the one before.
    ///
    /// The same call with the same arguments, made over and over on one session, takes the same time in a server that is right. Here something grows that each call goes through. Looked at only where shorter sequences gave a sign.
    LatencyGrowth(Run, Warning) {
        /// How many times as long late calls must take as early ones.
        factor: f64 = 2.0,
        /// How much longer they must take, in milliseconds.
        floor_ms: f64 = 10.0,
    }
    spec: "", fix: "Look for what each call adds to and the next one goes through: a log, a list without an index, handlers that are registered again."
}

/// Calls that a judgement needs at least.
const FEWEST: usize = 60;
/// Calls at the start that are not weighed.
const WARM_UP: usize = 10;
/// Parts whose medians are compared.
const PARTS: usize = 5;

impl Lint for LatencyGrowth {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        for tool in &context.record.tools {
            let mut soaks = context.record.soaks.iter().filter(|soak| soak.tool == tool.name);
            let grown: Option<Vec<(f64, f64)>> =
                soaks.clone().map(|soak| self.growth(soak)).collect();
            let (Some(soak), Some((early, late))) =
                (soaks.next_back(), grown.and_then(|all| all.get(1).copied()))
            else {
                continue;
            };
            let message = format!(
                "`{}`, called {} times with the same arguments {}, took {early:.1} ms at first and {late:.1} ms at last, longer and longer",
                tool.name,
                soak.elapsed.len(),
                soak.arguments
            );
            problems.push(Problem::new("grows", message).tool(&tool.name));
        }
    }
}

impl LatencyGrowth {
    /// What early and late calls took in milliseconds, where each part of the calls took longer than the part before.
    fn growth(&self, soak: &Soak) -> Option<(f64, f64)> {
        if soak.elapsed.len() < FEWEST {
            return None;
        }
        let calls = &soak.elapsed[WARM_UP..];
        let medians: Vec<f64> = calls.chunks(calls.len().div_ceil(PARTS)).map(median).collect();
        let (early, late) = (*medians.first()?, *medians.last()?);
        let steady = medians.windows(2).all(|pair| pair[1] > pair[0]);
        (steady && late >= early * self.factor && late - early >= self.floor_ms)
            .then_some((early, late))
    }
}

/// The median in milliseconds.
fn median(times: &[Duration]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::record::{Record, ToolRecord};
    use serde_json::json;

    let scene = |micros: fn(u64) -> u64| {
        let elapsed = (0..150).map(|call| Duration::from_micros(micros(call))).collect();
        let soak = Soak {
            tool: "find".to_owned(),
            arguments: json!({"query": "a"}),
            elapsed,
            memory: Vec::new(),
        };
        let tool = ToolRecord { name: "find".to_owned(), ..ToolRecord::default() };
        Scene::new().record(Record {
            tools: vec![tool],
            soaks: vec![soak.clone(), soak],
            ..Record::default()
        })
    };
    Examples::of(&ENTRY)
        .flags("longer and longer", scene(|call| 2_000 + call * 1000))
        .passes(scene(|call| 2_000 + call % 7 * 1000))
        // A machine that is busy for a while.
        .passes(scene(|call| if (60..90).contains(&call) { 50_000 } else { 2_000 + call }))
}
