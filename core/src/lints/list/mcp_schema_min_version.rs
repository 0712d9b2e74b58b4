//! `mcp_schema_min_version`.

use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde::{Deserialize, Deserializer, Serialize};

lint! {
    /// The server speaks a protocol revision older than the configured one.
    ///
    /// Old revisions miss what clients rely on today, and clients drop them one by one. A version that is no date, or none at all, counts as too old.
    McpSchemaMinVersion(List, Warning) {
        /// The oldest revision that is fine, as `YYYY-MM-DD`.
        min_version: Date = Date("2025-06-18".to_owned()),
    }
    spec: "basic/versioning", fix: "Update the server's SDK, and have it support the revision that clients ask for."
}

/// A date as `YYYY-MM-DD`. Such dates sort as text.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(transparent)]
pub(crate) struct Date(#[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))] String);

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if is_date(&text) {
            return Ok(Self(text));
        }
        Err(serde::de::Error::custom(format!("{text:?} is no date of the form YYYY-MM-DD")))
    }
}

fn is_date(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>| {
        text.get(range).filter(|part| part.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    text.len() == 10
        && year.is_some()
        && month.is_some_and(|month| ("01"..="12").contains(&month))
        && day.is_some_and(|day| ("01"..="31").contains(&day))
        && text.as_bytes()[4] == b'-'
        && text.as_bytes()[7] == b'-'
}

impl Lint for McpSchemaMinVersion {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let wanted = &self.min_version.0;
        let (rule, message) = match context.server.protocol_version.as_deref() {
            None => (
                "missing",
                format!("the server names no protocol version; wanted is {wanted} or later"),
            ),
            Some(version) if !is_date(version) => (
                "unparsable",
                format!(
                    "the server's protocol version {version:?} is no date; wanted is {wanted} or later"
                ),
            ),
            Some(version) if version < wanted.as_str() => {
                ("too old", format!("the server speaks {version}; wanted is {wanted} or later"))
            }
            Some(_) => return,
        };
        problems.push(Problem::new(rule, message));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let speaks = |version: Option<&str>| {
        Scene::new().with_server(|server| server.protocol_version = version.map(str::to_owned))
    };
    let newer =
        || speaks(Some("2025-06-18")).params(serde_json::json!({"min_version": "2025-11-25"}));
    Examples::of(&ENTRY)
        .flags(
            "the server speaks 2024-11-05; wanted is 2025-06-18 or later",
            speaks(Some("2024-11-05")),
        )
        .flags("the server speaks 2025-06-18; wanted is 2025-11-25", newer())
        .flags("\"1.0\" is no date", speaks(Some("1.0")))
        .flags("\"2025-13-01\" is no date", speaks(Some("2025-13-01")))
        .flags("names no protocol version", speaks(None))
        .passes(speaks(Some("2025-06-18")))
        .passes(speaks(Some("2026-07-28")))
}
