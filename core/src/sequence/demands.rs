//! Demands: refusals that ask for an argument that was not given ("give `range` to create one", "pass overwrite=true").

use super::feedback::mentions;
use crate::schema::{JsonTypes, Parameter};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Only this much of a refusal is read, in characters.
const READ: usize = 600;

static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)\b(?:pass|use|set|with|specify|give|try|add|provide)\s+[`'"]?([a-z_]\w*)[`'"]?\s*(?:=|:|\bto\b)\s*[`'"]?([\w.+-]+)"#,
    )
    .expect("built-in patterns are valid")
});

static DEMAND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:required|requires?|provided?|missing|needs?|needed|specify|specified|give|given|pass|must be set|must have)\b",
    )
    .expect("built-in patterns are valid")
});

/// What a refusal asks to be given.
#[derive(Debug, Default)]
pub(crate) struct Demands {
    /// Names, in lower case, and what they are to be set to: `overwrite` and `true` in "Pass overwrite=true to replace it".
    settings: Vec<(String, String)>,
    /// The clauses that say that something is needed, in lower case.
    clauses: Vec<String>,
}

impl Demands {
    /// Reads a refusal.
    pub(crate) fn of(text: &str) -> Self {
        let text: String = text.chars().take(READ).collect();
        let settings = SETTING.captures_iter(&text);
        let settings = settings
            .map(|found| (found[1].to_lowercase(), found[2].trim_end_matches('.').to_owned()));
        let clauses = text.split(['\n', ';']).flat_map(|line| line.split(". "));
        let clauses = clauses.filter(|clause| DEMAND.is_match(clause)).map(str::to_lowercase);
        Self { settings: settings.collect(), clauses: clauses.collect() }
    }

    /// The value that a parameter is to be set to.
    pub(crate) fn setting(&self, parameter: &Parameter) -> Option<Value> {
        let named = |name: &str| name.eq_ignore_ascii_case(&parameter.name);
        let (_, word) = self.settings.iter().find(|(name, _)| named(name))?;
        let plain = serde_json::from_str::<Value>(&word.to_lowercase()).ok();
        let plain = plain.filter(|value| parameter.types.contains(JsonTypes::of(value)));
        let is_text = parameter.types.contains(JsonTypes::STRING);
        plain.or_else(|| is_text.then(|| Value::from(word.as_str())))
    }

    /// Whether a parameter is asked for.
    pub(crate) fn name(&self, parameter: &Parameter) -> bool {
        if self.clauses.is_empty() || parameter.name.len() < 2 {
            return false;
        }
        let name = parameter.name.to_lowercase();
        self.clauses.iter().any(|clause| mentions(clause, &name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{CompiledSchema, Dialect};
    use serde_json::json;

    fn parameter(name: &str, kind: &str) -> Parameter {
        let raw = json!({"type": "object", "properties": {name: {"type": kind}}});
        let schema = CompiledSchema::compile(&raw, Dialect::Draft202012).unwrap();
        schema.parameters()[0].clone()
    }

    fn setting(parameter: Parameter, text: &str) -> Option<Value> {
        Demands::of(text).setting(&parameter)
    }

    #[test]
    fn settings_are_read_with_their_type() {
        let text = "sample.xlsx already exists. Pass overwrite=true to replace it.";
        assert_eq!(setting(parameter("overwrite", "boolean"), text), Some(json!(true)));
        assert_eq!(setting(parameter("overwrite", "integer"), text), None);
        assert_eq!(setting(parameter("force", "boolean"), text), None);
        let text = "Safety check failed. Use force_write=True to proceed.";
        assert_eq!(setting(parameter("force_write", "boolean"), text), Some(json!(true)));
        let text = "too many rows; set limit to 50";
        assert_eq!(setting(parameter("limit", "integer"), text), Some(json!(50)));
        let text = "use mode: fast";
        assert_eq!(setting(parameter("mode", "string"), text), Some(json!("fast")));
    }

    #[test]
    fn what_is_asked_for_is_demanded() {
        let range = parameter("range", "string");
        assert!(Demands::of("Give `range` to create a table.").name(&range));
        assert!(Demands::of("Error: range is required").name(&range));
        assert!(!Demands::of("the range is too large. A sheet is required").name(&range));
        let file = parameter("filePath", "string");
        assert!(Demands::of("Either filePath or data must be provided").name(&file));
        assert!(!Demands::of("a profile path must be provided").name(&file));
    }
}
