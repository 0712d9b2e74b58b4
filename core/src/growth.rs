//! Signs of growth: what calls of tools that only read leave behind in the server's memory, and how much later they are answered
//! than earlier ones. Signs are cheap and weak; what they point at is called over and over before anything is said.

use std::collections::BTreeMap;
use std::time::Duration;

/// Calls of a session that are not weighed: servers warm up.
const WARM_UP: usize = 8;
/// Calls of a tool whose memory is weighed.
const WEIGHED: usize = 24;
/// Pairs of calls of a tool whose times are compared.
const COMPARED: usize = 96;
/// A call that leaves that much more memory on the average is a sign, in KiB.
const SIGN_KIB: f64 = 24.0;
/// An answer that comes that much later with every call of the tool is a sign, in milliseconds.
const SIGN_MS: f64 = 0.15;
/// Signs that fewer calls than this give are chance.
const FEWEST: usize = 6;

/// What was seen of the tools that only read, by position in the catalog.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    tools: BTreeMap<usize, Signs>,
    /// In the session at hand: how many calls of each tool succeeded, and how long the first took.
    session: BTreeMap<usize, (u32, Duration)>,
}

#[derive(Debug, Default)]
struct Signs {
    /// What single calls added to the memory in KiB.
    added: Vec<f64>,
    /// How much later answers came than the first of the session, in milliseconds a call.
    later: Vec<f64>,
}

impl Growth {
    /// Another session begins.
    pub(crate) fn begin_session(&mut self) {
        self.session.clear();
    }

    /// Whether the memory around a call of the tool is worth a look; `calls` were made on the session before it.
    pub(crate) fn wants_memory(&self, tool: usize, calls: usize) -> bool {
        calls >= WARM_UP && self.tools.get(&tool).is_none_or(|signs| signs.added.len() < WEIGHED)
    }

    /// Takes in what a successful call did: memory before and after it in KiB, where it was looked at, and its time.
    pub(crate) fn note(&mut self, tool: usize, memory: Option<(u64, u64)>, elapsed: Duration) {
        let signs = self.tools.entry(tool).or_default();
        if let Some((before, after)) = memory {
            #[expect(clippy::cast_precision_loss, reason = "KiB of memory stay far below 2^52")]
            signs.added.push(after as f64 - before as f64);
        }
        let (calls, first) = self.session.entry(tool).or_insert((0, elapsed));
        *calls += 1;
        if *calls > 2 && signs.later.len() < COMPARED {
            let later = elapsed.as_secs_f64() - first.as_secs_f64();
            signs.later.push(later * 1000.0 / f64::from(*calls - 1));
        }
    }

    /// The tools with a sign of growing memory, and those with a sign of growing times; the strongest first.
    pub(crate) fn suspects(&self) -> (Vec<usize>, Vec<usize>) {
        let memory = self.tools.iter().filter_map(|(tool, signs)| {
            let added = trimmed_mean(&signs.added)?;
            (added >= SIGN_KIB).then_some((*tool, added))
        });
        let times = self.tools.iter().filter_map(|(tool, signs)| {
            let later = median(&signs.later)?;
            (later >= SIGN_MS).then_some((*tool, later))
        });
        (strongest(memory.collect()), strongest(times.collect()))
    }
}

fn strongest(mut signs: Vec<(usize, f64)>) -> Vec<usize> {
    signs.sort_by(|a, b| b.1.total_cmp(&a.1));
    signs.into_iter().map(|(tool, _)| tool).collect()
}

/// The mean without the largest and the smallest sixth; none of too few values.
fn trimmed_mean(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let cut = sorted.len() / 6;
    let middle = &sorted[cut..sorted.len() - cut];
    #[expect(clippy::cast_precision_loss, reason = "at most a few dozen values")]
    (values.len() >= FEWEST).then(|| middle.iter().sum::<f64>() / middle.len() as f64)
}

/// The median; none of too few values.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (values.len() >= FEWEST).then(|| sorted[(sorted.len() - 1) / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_growth_is_a_sign_and_chance_is_none() {
        let mut growth = Growth::default();
        for _ in 0..4 {
            growth.begin_session();
            for call in 0..6 {
                growth.note(0, Some((1000, 1200)), Duration::from_millis(5 + call));
                growth.note(1, Some((1000, 1000)), Duration::from_millis(5 + call % 2));
            }
        }
        assert_eq!(growth.suspects(), (vec![0], vec![0]));
    }

    #[test]
    fn one_large_step_is_no_sign() {
        let mut growth = Growth::default();
        for call in 0..8 {
            let after = if call == 3 { 90_000 } else { 1000 };
            growth.note(0, Some((1000, after)), Duration::from_millis(1));
        }
        assert_eq!(growth.suspects(), (vec![], vec![]));
    }
}
