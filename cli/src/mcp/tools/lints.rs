//! `list_lints` and `explain_lint`: what is judged.

use super::{Object, Outcome};
use crate::mcp::schema;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::LazyLock;
use tooltest_core::lints::{self, Entry, Level, LintPhase, entries, entry};
use tooltest_core::suggest::did_you_mean;

pub(super) const EXPLAIN: &str = "explain_lint";
pub(super) const LIST: &str = "list_lints";

/// Which lints to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Which {
    /// Only those at this default level.
    #[serde(default)]
    level: Option<Level>,
    /// Only those of this phase.
    #[serde(default)]
    phase: Option<LintPhase>,
}

/// The lints.
#[derive(Serialize, JsonSchema)]
struct Listed {
    /// The lints, by id.
    lints: Vec<Line>,
}

/// A lint in a line.
#[derive(Serialize, JsonSchema)]
struct Line {
    /// Its id.
    id: &'static str,
    /// Its default level.
    level: Level,
    /// Its phase.
    phase: LintPhase,
    /// What it finds.
    summary: String,
}

/// Which lint to explain.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Id {
    /// The lint's id, as in a finding's `lint`.
    id: String,
}

/// All there is to say about a lint.
#[derive(Serialize, JsonSchema)]
struct Explained {
    /// Its id.
    id: &'static str,
    /// Its default level.
    level: Level,
    /// Whether the level cannot be changed.
    fixed: bool,
    /// Its phase.
    phase: LintPhase,
    /// What it finds.
    summary: String,
    /// Why it matters.
    why: String,
    /// What to do.
    fix: String,
    /// The rule's source: a URL, or absent for a rule of tooltest's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    spec: Option<String>,
    /// Its parameters in `tooltest.toml`, with their defaults.
    params: Object,
    /// The same as Markdown, with what the parameters mean.
    text: String,
}

static WHICH: LazyLock<Object> = LazyLock::new(schema::of::<Which>);
static ID: LazyLock<Object> = LazyLock::new(schema::of::<Id>);

pub(super) fn list_tool() -> Tool {
    super::tool(
        LIST,
        "Lists the lints: everything that tooltest judges a server by, with default levels.",
        WHICH.clone(),
        schema::of::<Listed>(),
        super::looks_up("List the lints"),
    )
}

pub(super) fn explain_tool() -> Tool {
    super::tool(
        EXPLAIN,
        "Tells all there is to say about a lint: what it finds, why that matters, what to do, and how to configure it.",
        ID.clone(),
        schema::of::<Explained>(),
        super::looks_up("Explain a lint"),
    )
}

pub(super) fn list(arguments: &Object) -> Outcome {
    let which: Which = read(arguments, &WHICH)?;
    let wanted = |entry: &&Entry| {
        which.level.is_none_or(|level| entry.meta.level == level)
            && which.phase.is_none_or(|phase| entry.meta.hook.phase() == phase)
    };
    let lints = entries().filter(wanted).map(|entry| Line {
        id: entry.meta.id,
        level: entry.meta.level,
        phase: entry.meta.hook.phase(),
        summary: entry.meta.summary().to_owned(),
    });
    document(&Listed { lints: lints.collect() })
}

pub(super) fn explain(arguments: &Object) -> Outcome {
    let Id { id } = read(arguments, &ID)?;
    let id = id.replace('-', "_");
    let Some(entry) = entry(&id) else {
        let meant = did_you_mean(&id, entries().map(|entry| entry.meta.id));
        let meant = meant.unwrap_or_else(|| format!("`{LIST}` lists them all"));
        return Err(format!("id: there is no lint `{id}`; {meant}"));
    };
    let meta = entry.meta;
    let Value::Object(params) = (entry.defaults)() else {
        return Err(format!("{id} has no parameters"));
    };
    document(&Explained {
        id: meta.id,
        level: meta.level,
        fixed: meta.fixed,
        phase: meta.hook.phase(),
        summary: meta.summary().to_owned(),
        why: meta.why(),
        fix: meta.fix.to_owned(),
        spec: meta.spec_url(),
        params,
        text: lints::explain(entry),
    })
}

/// Reads arguments; what is wrong with them names the field.
fn read<T: serde::de::DeserializeOwned>(arguments: &Object, schema: &Object) -> Result<T, String> {
    super::known(arguments, schema)?;
    for field in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = field.as_str().filter(|name| !arguments.contains_key(*name)) {
            return Err(format!("{name}: is missing"));
        }
    }
    let read = |name: &String, value: &Value| {
        let alone = Object::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<T>(Value::Object(alone))
            .err()
            .map(|error| format!("{name}: {error}"))
    };
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|error| {
        arguments
            .iter()
            .find_map(|(name, value)| read(name, value))
            .unwrap_or_else(|| error.to_string())
    })
}

fn document(value: &impl Serialize) -> Outcome {
    serde_json::to_value(value).map_err(|error| error.to_string())
}
