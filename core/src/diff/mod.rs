//! What changed between two snapshots of what a server offers, and whether its clients can bear it.

mod schema;
mod text;

pub use text::render;

use schema::{Side, compare};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Whether clients that worked may stop to.
    pub impact: Impact,
    /// `tool`, `resource`, `resource template` or `prompt`, with its name.
    pub subject: String,
    /// Where in it, as a JSON Pointer; empty for the whole.
    pub pointer: String,
    /// What changed.
    pub message: String,
}

/// Whether clients that worked may stop to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Impact {
    /// They may.
    Breaking,
    /// They do not.
    Compatible,
}

/// The lists of a snapshot: member, the key that names an item, what an item is called.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools", "name", "tool"),
    ("resources", "uri", "resource"),
    ("resourceTemplates", "uriTemplate", "resource template"),
    ("prompts", "name", "prompt"),
];

/// Compares two snapshots (objects with `tools`, `resources`, `resourceTemplates`, `prompts`); breaking changes come first.
pub fn diff(old: &Value, new: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    for (list, key, kind) in LISTS {
        let (before, after) = (items(old, list), items(new, list));
        let named =
            |items: &[&Value], name: &Value| items.iter().any(|item| item.get(key) == Some(name));
        for item in &before {
            let Some(name) = item.get(key) else { continue };
            let subject = format!("{kind} {}", name.as_str().unwrap_or_default());
            let Some(now) = after.iter().find(|item| item.get(key) == Some(name)) else {
                changes.push(Change {
                    impact: Impact::Breaking,
                    subject,
                    pointer: String::new(),
                    message: "was removed".to_owned(),
                });
                continue;
            };
            let mut collector = Collector { subject, changes: &mut changes };
            match kind {
                "tool" => tool(&mut collector, item, now),
                "prompt" => prompt(&mut collector, item, now),
                _ => {
                    texts(&mut collector, item, now, &["name", "title", "description", "mimeType"]);
                }
            }
        }
        for item in
            after.iter().filter(|item| item.get(key).is_some_and(|name| !named(&before, name)))
        {
            let name = item.get(key).and_then(Value::as_str).unwrap_or_default();
            changes.push(Change {
                impact: Impact::Compatible,
                subject: format!("{kind} {name}"),
                pointer: String::new(),
                message: "was added".to_owned(),
            });
        }
    }
    changes.sort_by_key(|change| change.impact);
    changes
}

fn items<'a>(snapshot: &'a Value, list: &str) -> Vec<&'a Value> {
    snapshot.get(list).and_then(Value::as_array).into_iter().flatten().collect()
}

/// Takes changes of one subject in.
struct Collector<'a> {
    subject: String,
    changes: &'a mut Vec<Change>,
}

impl Collector<'_> {
    fn note(&mut self, breaking: bool, pointer: impl Into<String>, message: impl Into<String>) {
        let impact = if breaking { Impact::Breaking } else { Impact::Compatible };
        self.changes.push(Change {
            impact,
            subject: self.subject.clone(),
            pointer: pointer.into(),
            message: message.into(),
        });
    }
}

fn texts(out: &mut Collector<'_>, old: &Value, new: &Value, members: &[&str]) {
    for member in members {
        let message = match (old.get(member), new.get(member)) {
            (before, after) if before == after => continue,
            (None, _) => format!("has a {member} now"),
            (_, None) => format!("has no {member} any more"),
            _ => format!("has another {member}"),
        };
        out.note(false, format!("/{member}"), message);
    }
}

fn tool(out: &mut Collector<'_>, old: &Value, new: &Value) {
    texts(out, old, new, &["title", "description"]);
    // The hint, the value that an absent one stands for, and the value that promises clients more.
    for (hint, default, promise) in [
        ("readOnlyHint", false, true),
        ("destructiveHint", true, false),
        ("idempotentHint", false, true),
        ("openWorldHint", true, false),
    ] {
        let value = |tool: &Value| {
            tool.pointer(&format!("/annotations/{hint}"))
                .and_then(Value::as_bool)
                .unwrap_or(default)
        };
        let (before, after) = (value(old), value(new));
        if before != after {
            out.note(
                before == promise,
                format!("/annotations/{hint}"),
                format!("{hint} was {before} and is {after}"),
            );
        }
    }
    let empty = Value::Object(serde_json::Map::new());
    let (before, after) =
        (old.get("inputSchema").unwrap_or(&empty), new.get("inputSchema").unwrap_or(&empty));
    compare(out, Side::Input, (before, after));
    match (old.get("outputSchema"), new.get("outputSchema")) {
        (Some(before), Some(after)) => compare(out, Side::Output, (before, after)),
        (Some(_), None) => out.note(true, "/outputSchema", "has no output schema any more"),
        (None, Some(_)) => out.note(false, "/outputSchema", "has an output schema now"),
        (None, None) => {}
    }
}

fn prompt(out: &mut Collector<'_>, old: &Value, new: &Value) {
    texts(out, old, new, &["title", "description"]);
    let (before, after) = (items(old, "arguments"), items(new, "arguments"));
    let name =
        |item: &Value| item.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let required = |item: &Value| item.get("required").and_then(Value::as_bool) == Some(true);
    for item in &before {
        let pointer = format!("/arguments/{}", name(item));
        match after.iter().find(|other| name(other) == name(item)) {
            None => out.note(true, pointer, format!("the argument {} was removed", name(item))),
            Some(now) if required(now) && !required(item) => {
                out.note(true, pointer, format!("the argument {} is required now", name(item)));
            }
            Some(now) if required(item) && !required(now) => {
                out.note(false, pointer, format!("the argument {} is optional now", name(item)));
            }
            Some(_) => {}
        }
    }
    for item in after.iter().filter(|item| before.iter().all(|other| name(other) != name(item))) {
        let how = if required(item) { "required" } else { "optional" };
        out.note(
            required(item),
            format!("/arguments/{}", name(item)),
            format!("the {how} argument {} was added", name(item)),
        );
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::needless_pass_by_value, reason = "literals read better without references")]

    use super::*;
    use serde_json::json;

    fn changes(old: Value, new: Value) -> Vec<(Impact, String)> {
        let lines = diff(&old, &new).into_iter().map(|change| {
            (change.impact, format!("{} {} {}", change.subject, change.pointer, change.message))
        });
        lines.collect()
    }

    fn tools(old: Value, new: Value) -> Vec<(Impact, String)> {
        let named = |mut tool: Value| {
            tool["name"] = "t".into();
            json!({ "tools": [tool] })
        };
        changes(named(old), named(new))
    }

    /// The one change between two input schemas, and the one between the same schemas as output schemas.
    fn both(old: &Value, new: &Value) -> (Impact, Impact) {
        let one = |member: &str| {
            let found = tools(json!({ member: old }), json!({ member: new }));
            assert_eq!(found.len(), 1, "{found:?}");
            found[0].0
        };
        (one("inputSchema"), one("outputSchema"))
    }

    #[test]
    fn tools_come_and_go() {
        let old = json!({"tools": [{"name": "a"}, {"name": "b"}], "prompts": [{"name": "p"}]});
        let new = json!({"tools": [{"name": "b"}, {"name": "c"}], "resources": [{"uri": "x://y"}], "prompts": [{"name": "p"}]});
        let expected = [
            (Impact::Breaking, "tool a  was removed".to_owned()),
            (Impact::Compatible, "tool c  was added".to_owned()),
            (Impact::Compatible, "resource x://y  was added".to_owned()),
        ];
        assert_eq!(changes(old.clone(), new), expected);
        assert_eq!(changes(old.clone(), old), []);
    }

    #[test]
    fn what_callers_may_send_must_not_shrink_and_what_they_get_must_not_grow() {
        let string = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let with = |a: Value| json!({"type": "object", "properties": {"a": a}});
        let required =
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
        let narrower: [Value; 8] = [
            required,
            with(json!({"type": "string", "maxLength": 3})),
            with(json!({"type": "string", "minLength": 1})),
            with(json!({"type": "string", "pattern": "x"})),
            with(json!({"type": "string", "enum": ["x"]})),
            with(json!({"type": "string", "const": "x"})),
            with(json!({"type": "string", "format": "uuid"})),
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
        ];
        for new in narrower {
            assert_eq!(both(&string, &new), (Impact::Breaking, Impact::Compatible), "{new}");
            assert_eq!(both(&new, &string), (Impact::Compatible, Impact::Breaking), "{new}");
        }
        let number = with(json!({"type": ["number", "null"]}));
        assert_eq!(
            both(&number, &with(json!({"type": ["integer", "null"]}))),
            (Impact::Breaking, Impact::Compatible)
        );
        assert_eq!(
            both(&number, &with(json!({"type": "number"}))),
            (Impact::Breaking, Impact::Compatible)
        );
        assert_eq!(
            both(&with(json!({"enum": ["x", "y"]})), &with(json!({"enum": ["x"]}))),
            (Impact::Breaking, Impact::Compatible)
        );
        let anyone = with(json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
        assert_eq!(
            both(&anyone, &with(json!({"anyOf": [{"type": "string"}]}))),
            (Impact::Breaking, Impact::Compatible)
        );
    }

    #[test]
    fn removed_properties_break_on_both_sides_and_new_optional_ones_on_neither() {
        let two = json!({"properties": {"a": {}, "b": {}}});
        let one = json!({"properties": {"a": {}}});
        assert_eq!(both(&two, &one), (Impact::Breaking, Impact::Breaking));
        assert_eq!(both(&one, &two), (Impact::Compatible, Impact::Compatible));
    }

    #[test]
    fn references_are_followed_and_recursion_ends() {
        let tree = |kind: &str| json!({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"v": {"type": kind}, "next": {"$ref": "#/$defs/n"}}}}});
        assert_eq!(both(&tree("number"), &tree("integer")), (Impact::Breaking, Impact::Compatible));
    }

    #[test]
    fn hints_that_promise_less_break() {
        let hint = |name: &str, value: bool| json!({"annotations": {name: value}});
        assert_eq!(tools(hint("readOnlyHint", true), json!({}))[0].0, Impact::Breaking);
        assert_eq!(tools(json!({}), hint("readOnlyHint", true))[0].0, Impact::Compatible);
        assert_eq!(
            tools(hint("destructiveHint", false), hint("destructiveHint", true))[0].0,
            Impact::Breaking
        );
        assert_eq!(
            tools(json!({"description": "a"}), json!({"description": "b"}))[0].0,
            Impact::Compatible
        );
    }

    #[test]
    fn prompts_are_compared_by_their_arguments() {
        let prompt = |arguments: Value| json!({"prompts": [{"name": "p", "arguments": arguments}]});
        let found = changes(
            prompt(json!([{"name": "a"}])),
            prompt(json!([{"name": "a", "required": true}, {"name": "b"}])),
        );
        assert_eq!(
            found.iter().map(|change| change.0).collect::<Vec<_>>(),
            [Impact::Breaking, Impact::Compatible]
        );
    }
}
