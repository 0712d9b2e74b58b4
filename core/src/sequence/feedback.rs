//! Feedback: which tool is worth a call, and what a call's outcome says of the choices that made its arguments.

use super::choose::{Choice, Use};
use super::links::{Links, ParamKey};
use crate::exchange::{Exchange, Reply};
use crate::generate::Draw;
use crate::outcome::{Outcome, OutcomeKind};
use crate::pointer::Places;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::time::Duration;

/// What a run has seen of a tool, for weighing it.
#[derive(Debug, Clone, Default)]
pub struct ToolFeedback {
    /// Calls.
    pub calls: u32,
    /// Real successes.
    pub ok: u32,
    /// Calls that brought a new outcome class.
    pub novel: u32,
    /// Calls without an answer.
    pub timeouts: u32,
    /// Calls that ended the server.
    pub crashes: u32,
    /// Calls that took longer than [`SLOW`].
    pub slow: u32,
    classes: FxHashSet<u64>,
    last_class: u64,
}

/// Calls without a success after which a tool is tried less.
const PATIENCE: u32 = 60;
/// Calls without a success after which other tools no longer wait for what a tool makes.
const HOPELESS: u32 = 12;
/// Tools that take longer are called less.
pub const SLOW: Duration = Duration::from_secs(3);

impl ToolFeedback {
    /// Counts an outcome; returns how new it is, from 0 to 3.
    pub fn learn(
        &mut self,
        outcome: Outcome,
        elapsed: Duration,
        transitions: &mut FxHashSet<(u64, u64)>,
    ) -> f32 {
        self.calls += 1;
        self.slow += u32::from(elapsed > SLOW);
        let mut reward = 0.0;
        if self.classes.len() < 256 && self.classes.insert(outcome.class) {
            self.novel += 1;
            reward += 1.0;
        }
        if outcome.kind == OutcomeKind::Ok {
            reward += if self.ok == 0 { 2.0 } else { 0.0 };
            self.ok += 1;
        }
        if transitions.len() < 20_000 && transitions.insert((self.last_class, outcome.class)) {
            reward += 0.2;
        }
        self.timeouts += u32::from(outcome.kind == OutcomeKind::Timeout);
        self.crashes += u32::from(outcome.kind == OutcomeKind::Crash);
        self.last_class = outcome.class;
        reward
    }

    /// Whether many calls and none with success say that nothing is to be had from the tool.
    pub fn is_hopeless(&self) -> bool {
        self.ok == 0 && self.calls >= HOPELESS
    }

    /// Whether calls of the tool take long or are not answered.
    pub fn is_slow(&self) -> bool {
        self.slow + self.timeouts > 0
    }

    /// How much the tool deserves the next call. The numbers are those of the engine study, section 4.5.
    pub fn weight(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "counts of calls")]
        let (calls, novel, timeouts) =
            (self.calls as f32, self.novel as f32, self.timeouts.max(self.slow) as f32);
        // One more such call would cost as much as a thousand others.
        if self.timeouts >= 1 && self.ok == 0 {
            return 0.002;
        }
        let base = if self.calls == 0 {
            6.0
        } else if self.ok == 0 && self.calls < PATIENCE {
            2.0
        } else if self.ok == 0 {
            0.3
        } else {
            0.6 + 2.5 * novel / calls.sqrt().max(1.0) / 4.0
        };
        let crashes = f32::from(u16::try_from(self.crashes.min(100)).unwrap_or(100));
        (base / (1.0 + 4.0 * timeouts) / (1.0 + crashes)).max(0.05)
    }
}

/// Picks an index by weight.
pub fn weighted(weights: impl ExactSizeIterator<Item = f32> + Clone, draw: &mut Draw) -> usize {
    let (count, total) = (weights.len(), weights.clone().sum::<f32>());
    // A number in [0, 1) with 16 bits is fine enough to pick a tool.
    let unit = f32::from(u16::try_from(draw.bits() >> 48).unwrap_or(0)) / 65_536.0;
    let mut rest = total * unit;
    for (index, weight) in weights.enumerate() {
        rest -= weight;
        if rest <= 0.0 {
            return index;
        }
    }
    count.saturating_sub(1)
}

/// How much a refusal tells against the source of a value that it names and does not call missing.
const IN_PLACE: f32 = 0.2;

/// Values that worked, by parameter.
pub type Known = FxHashMap<ParamKey, Vec<Value>>;

/// At most this many values of a parameter.
const KNOWN: usize = 8;

/// Learns from a call: which choices to make again. On a failure the blame goes to the parameters that the error names.
pub fn learn_choices(
    links: &mut Links,
    known: &mut Known,
    uses: &[Use],
    arguments: &Value,
    exchange: &Exchange,
    outcome: Outcome,
) {
    let success = match outcome.kind {
        OutcomeKind::Ok => true,
        kind if kind.is_refusal() => false,
        _ => return,
    };
    let text = if success { String::new() } else { error_text(exchange).to_lowercase() };
    let blamed: Vec<bool> = uses.iter().map(|used| !success && is_blamed(used, &text)).collect();
    let any_blamed = blamed.contains(&true);
    #[expect(clippy::cast_precision_loss, reason = "a handful of parameters")]
    let shared = 1.0 / uses.len().max(1) as f32;
    for used in uses.iter().filter(|used| !success && is_missing(arguments.place(&used.at), &text))
    {
        links.learn_pointing(used.param);
    }
    for (used, blamed) in uses.iter().zip(blamed) {
        let told = matches!(used.choice, Choice::Path(_) | Choice::Any(_));
        let there = told && !is_missing(Some(&used.value), &text);
        let weight = match (success, any_blamed, blamed) {
            // What is there may still not be what is wanted ("cannot depend on itself").
            (false, ..) if there && any_blamed && blamed => IN_PLACE,
            (true, ..) | (false, true, true) => 1.0,
            (false, true, false) => continue,
            (false, false, _) => shared,
        };
        learn(links, used, success, weight);
        if success && !used.value.is_null() {
            remember(known, used);
        }
    }
}

fn learn(links: &mut Links, used: &Use, success: bool, weight: f32) {
    if let Choice::Path(path) | Choice::Any(path) = used.choice {
        links.learn_path(used.param, path, success, weight);
    }
    let param = links.get_mut(used.param);
    match used.choice {
        Choice::Path(_) => {}
        Choice::Any(_) => param.any.learn(success, weight),
        Choice::Known => param.known.learn(success, weight),
        Choice::Hint => param.hints.learn(success, weight),
        Choice::Schema => param.schema.learn(success, weight),
        Choice::Omit => param.omit.learn(success, weight),
    }
}

fn remember(known: &mut Known, used: &Use) {
    let values = known.entry(used.param).or_default();
    if !values.contains(&used.value) {
        if values.len() >= KNOWN {
            values.remove(0);
        }
        values.push(used.value.clone());
    }
}

/// Words of errors about things that are not there.
const MISSING: &[&str] = &[
    "not found",
    "no such",
    "does not exist",
    "doesn't exist",
    "there is no ",
    "unknown ",
    "cannot find",
    " has the id ",
    "in the trash",
    "was deleted",
    "is deleted",
    "no longer exists",
];

/// Whether an error's text (lower case) says that something is not there.
pub fn says_missing(text: &str) -> bool {
    MISSING.iter().any(|words| text.contains(words))
}

/// Whether a refusal says that something is not there.
pub fn tells_missing(exchange: &Exchange) -> bool {
    says_missing(&error_text(exchange).to_lowercase())
}

/// Whether an error's text (lower case) says that what the value names is not there.
pub fn is_missing(value: Option<&Value>, text: &str) -> bool {
    let value = value.and_then(Value::as_str).map(str::to_lowercase);
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return false;
    };
    let quoted = |quote: char| text.contains(&format!("{quote}{value}{quote}"));
    let named = value.len() >= 4 && mentions(text, &value);
    says_missing(text) && (named || ['"', '\'', '`'].into_iter().any(quoted))
}

/// Whether an error's text (lower case) names the parameter or quotes the value.
fn is_blamed(used: &Use, text: &str) -> bool {
    let name = used
        .at
        .rsplit('/')
        .find(|part| !part.bytes().all(|b| b.is_ascii_digit()))
        .unwrap_or_default();
    if name.len() >= 2 && mentions(text, &name.to_lowercase()) {
        return true;
    }
    match &used.value {
        Value::String(value) => value.len() >= 3 && text.contains(&value.to_lowercase()),
        Value::Number(value) => mentions(text, &value.to_string()),
        _ => false,
    }
}

/// Whether `word` stands in `text` on its own.
pub(crate) fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The text of a refusal.
pub fn error_text(exchange: &Exchange) -> String {
    match &exchange.reply {
        Reply::Error(error) => format!(
            "{} {}",
            error.message,
            error.raw.get("data").map(Value::to_string).unwrap_or_default()
        ),
        _ => exchange.text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_thing_is_named_in_quotes() {
        let missing = |value: &str, text: &str| is_missing(Some(&Value::from(value)), text);
        assert!(missing("a", "there is no task \"a\"; task-list names the tasks there are"));
        assert!(missing("X1", "note `x1` not found"));
        assert!(!missing("a", "there is no such option"));
        assert!(!missing("", "\"\" not found"));
        assert!(!missing("a", "\"a\" is too short"));
    }

    #[test]
    fn blame_needs_a_whole_word() {
        assert!(mentions("task 12 not found", "12"));
        assert!(!mentions("task 123 not found", "12"));
        assert!(mentions("`id` is required", "id"));
        assert!(!mentions("invalid", "id"));
    }
}
