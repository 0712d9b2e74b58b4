//! `tool_schema_unknown_format`.

use super::item::quoted;
use super::tool_schema::schemas;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;
use std::collections::BTreeMap;

lint! {
    /// A `format` is not one that JSON Schema defines.
    ///
    /// Validators ignore unknown formats or warn about each of them. What the format means is known to nobody but the server.
    ToolSchemaUnknownFormat(List, Disabled) {
        /// Formats beyond those of JSON Schema that are fine.
        allow: Vec<String> = Vec::new(),
    }
    spec: "JSON Schema 2020-12, 7.3", fix: "Leave the format out, or say with `minimum`, `maximum`, `pattern` or the description what is meant."
}

/// The formats of draft 4 to 2020-12.
const KNOWN: [&str; 24] = [
    "color",
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ip-address",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "phone",
    "regex",
    "relative-json-pointer",
    "style",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "utc-millisec",
    "uuid",
];

impl Lint for ToolSchemaUnknownFormat {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        for schema in schemas(context.catalog) {
            let mut unknown: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for inner in schema.inner() {
                let format = inner.value.get("format").and_then(Value::as_str);
                let strange = |name: &&str| {
                    !KNOWN.contains(name) && self.allow.iter().all(|allowed| allowed != name)
                };
                if let Some(name) = format.filter(strange) {
                    unknown.entry(name).or_default().push(inner.pointer);
                }
            }
            for (name, pointers) in unknown {
                let more = match pointers.len() {
                    1 => String::new(),
                    count => format!(" (and in {} more places)", count - 1),
                };
                let message = format!("JSON Schema defines no format {}{more}", quoted(name));
                problems.push(schema.problem(&format!("format {name}"), &pointers[0], message));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |format: &str| {
        Scene::new().input_schema(json!({"type": "object", "properties": {"a": {"format": format}, "b": {"format": format}}}))
    };
    Examples::of(&ENTRY)
        .flags("inputSchema at /properties/a: JSON Schema defines no format \"uint32\" (and in 1 more places)", scene("uint32"))
        .passes(scene("date-time"))
        .passes(scene("uint32").params(json!({"allow": ["uint32"]})))
}
