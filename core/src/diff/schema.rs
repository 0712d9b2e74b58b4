//! Comparing schemas keyword by keyword: does the new one allow less, or more?

use super::Collector;
use crate::pointer;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Which way values flow. Callers send what the input schema allows: less breaks them. They get what the output schema
/// allows: more breaks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

/// How deep references and subschemas are followed.
const DEPTH: usize = 24;

/// Keywords that only narrow: with them a schema allows less than without.
const CONDITIONS: [&str; 12] = [
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
];
const LOWER: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/// `true` as a schema: no keywords.
static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// Compares two whole schemas, old and new.
pub(super) fn compare(out: &mut Collector<'_>, side: Side, (old, new): (&Value, &Value)) {
    let pointer = match side {
        Side::Input => "/inputSchema",
        Side::Output => "/outputSchema",
    };
    let mut walk = Walk { side, old_root: old, new_root: new, seen: BTreeSet::new(), out };
    walk.schema(old, new, pointer, DEPTH);
}

struct Walk<'w, 'c, 'v> {
    side: Side,
    old_root: &'v Value,
    new_root: &'v Value,
    /// Pairs of references that are being compared already.
    seen: BTreeSet<(String, String)>,
    out: &'w mut Collector<'c>,
}

impl<'v> Walk<'_, '_, 'v> {
    fn narrowed(&mut self, pointer: &str, message: String) {
        self.out.note(self.side == Side::Input, pointer, message);
    }

    fn widened(&mut self, pointer: &str, message: String) {
        self.out.note(self.side == Side::Output, pointer, message);
    }

    fn schema(&mut self, old: &'v Value, new: &'v Value, pointer: &str, depth: usize) {
        let references = (reference(old), reference(new));
        if let (Some(a), Some(b)) = references
            && !self.seen.insert((a.to_owned(), b.to_owned()))
        {
            return;
        }
        let (old, new) = (resolve(old, self.old_root), resolve(new, self.new_root));
        if depth == 0 || old == new && references.0.is_none() {
            return;
        }
        let (old, new) = match (old, new) {
            (Value::Object(old), Value::Object(new)) => (old, new),
            (Value::Bool(true), Value::Object(new)) => (&*NONE, new),
            (Value::Object(old), Value::Bool(true)) => (old, &*NONE),
            (_, Value::Bool(false)) => {
                return self.narrowed(pointer, "allows nothing any more".to_owned());
            }
            (Value::Bool(false), _) => {
                return self.widened(pointer, "allows something now".to_owned());
            }
            _ => return,
        };
        self.types(old, new, pointer);
        self.values(old, new, pointer);
        self.limits(old, new, pointer);
        self.required(old, new, pointer);
        self.extra(old, new, pointer);
        self.branches(old, new, pointer);
        self.words(old, new, pointer);
        self.parts(old, new, pointer, depth);
    }

    fn types(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        let pointer = format!("{pointer}/type");
        match (types(old), types(new)) {
            (None, Some(after)) => self.narrowed(&pointer, format!("must be {} now", list(&after))),
            (Some(before), None) => {
                self.widened(&pointer, format!("need not be {} any more", list(&before)));
            }
            (Some(before), Some(after)) => {
                let lost: Vec<&str> =
                    before.iter().copied().filter(|kind| !allows(&after, kind)).collect();
                let gained: Vec<&str> =
                    after.iter().copied().filter(|kind| !allows(&before, kind)).collect();
                if !lost.is_empty() {
                    self.narrowed(
                        &pointer,
                        format!("was {} and is {}", list(&before), list(&after)),
                    );
                }
                if !gained.is_empty() {
                    self.widened(
                        &pointer,
                        format!("was {} and may be {}, too", list(&before), list(&gained)),
                    );
                }
            }
            (None, None) => {}
        }
    }

    /// `enum` and `const`, as sets of values.
    fn values(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        match (values(old), values(new)) {
            (None, Some(after)) => {
                self.narrowed(pointer, format!("must be one of {} now", json_list(&after)));
            }
            (Some(before), None) => {
                self.widened(
                    pointer,
                    format!("need not be one of {} any more", json_list(&before)),
                );
            }
            (Some(before), Some(after)) => {
                let lost: Vec<&Value> =
                    before.iter().copied().filter(|value| !after.contains(value)).collect();
                let gained: Vec<&Value> =
                    after.iter().copied().filter(|value| !before.contains(value)).collect();
                if !lost.is_empty() {
                    self.narrowed(pointer, format!("may not be {} any more", json_list(&lost)));
                }
                if !gained.is_empty() {
                    self.widened(pointer, format!("may be {} now", json_list(&gained)));
                }
            }
            (None, None) => {}
        }
    }

    fn limits(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        let keywords = LOWER.iter().map(|k| (*k, 1.0)).chain(UPPER.iter().map(|k| (*k, -1.0)));
        for (keyword, direction) in keywords {
            let at = format!("{pointer}/{keyword}");
            match (
                old.get(keyword).and_then(Value::as_f64),
                new.get(keyword).and_then(Value::as_f64),
            ) {
                (None, Some(after)) => self.narrowed(&at, format!("{keyword} is {after} now")),
                (Some(before), None) => {
                    self.widened(&at, format!("{keyword} was {before} and is gone"));
                }
                (Some(before), Some(after)) if (after - before) * direction > 0.0 => {
                    self.narrowed(&at, format!("{keyword} was {before} and is {after}"));
                }
                (Some(before), Some(after)) if (after - before) * direction < 0.0 => {
                    self.widened(&at, format!("{keyword} was {before} and is {after}"));
                }
                _ => {}
            }
        }
        for keyword in CONDITIONS {
            let at = format!("{pointer}/{keyword}");
            match (old.get(keyword), new.get(keyword)) {
                (before, after) if before == after => {}
                (None, Some(after)) => {
                    self.narrowed(&at, format!("must fit {keyword} {after} now"));
                }
                (Some(before), None) => {
                    self.widened(&at, format!("need not fit {keyword} {before} any more"));
                }
                // Whether one condition allows less than another cannot be told in general; careful clients assume it.
                (Some(before), Some(after)) => {
                    self.out.note(true, at, format!("{keyword} was {before} and is {after}"));
                }
                (None, None) => {}
            }
        }
    }

    fn required(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        let names = |schema: &Map<String, Value>| -> BTreeSet<String> {
            let list = schema.get("required").and_then(Value::as_array);
            list.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let (before, after) = (names(old), names(new));
        for name in after.difference(&before) {
            self.narrowed(&format!("{pointer}/required"), format!("{name} is required now"));
        }
        for name in before.difference(&after).filter(|name| property(new, name).is_some()) {
            self.widened(
                &format!("{pointer}/required"),
                format!("{name} is not required any more"),
            );
        }
    }

    fn extra(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        let closed = |schema: &Map<String, Value>| {
            schema.get("additionalProperties") == Some(&Value::Bool(false))
        };
        let at = format!("{pointer}/additionalProperties");
        match (closed(old), closed(new)) {
            (false, true) => self.narrowed(&at, "other properties are refused now".to_owned()),
            (true, false) => self.widened(&at, "other properties are allowed now".to_owned()),
            _ => {}
        }
    }

    fn branches(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let alternatives = |schema: &'_ Map<String, Value>| {
                schema.get(keyword).and_then(Value::as_array).cloned()
            };
            let at = format!("{pointer}/{keyword}");
            let all = keyword == "allOf";
            match (alternatives(old), alternatives(new)) {
                (None, None) => {}
                (None, Some(_)) => self.narrowed(&at, format!("must fit {keyword} now")),
                (Some(_), None) => self.widened(&at, format!("need not fit {keyword} any more")),
                (Some(before), Some(after)) => {
                    let lost = before.iter().any(|branch| !after.contains(branch));
                    let gained = after.iter().any(|branch| !before.contains(branch));
                    if if all { gained } else { lost } {
                        self.narrowed(
                            &at,
                            format!(
                                "{keyword} has {}",
                                if all { "new conditions" } else { "fewer alternatives" }
                            ),
                        );
                    }
                    if if all { lost } else { gained } {
                        self.widened(
                            &at,
                            format!(
                                "{keyword} has {}",
                                if all { "fewer conditions" } else { "new alternatives" }
                            ),
                        );
                    }
                }
            }
        }
    }

    fn words(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, pointer: &str) {
        for keyword in ["description", "title", "default"] {
            if old.get(keyword) != new.get(keyword) {
                self.out.note(
                    false,
                    format!("{pointer}/{keyword}"),
                    format!("has another {keyword}"),
                );
            }
        }
    }

    fn parts(
        &mut self,
        old: &'v Map<String, Value>,
        new: &'v Map<String, Value>,
        pointer: &str,
        depth: usize,
    ) {
        let names: BTreeSet<&String> = [old, new]
            .into_iter()
            .filter_map(|schema| schema.get("properties")?.as_object())
            .flat_map(Map::keys)
            .collect();
        for name in names {
            let at = pointer::join(&format!("{pointer}/properties"), name);
            match (property(old, name), property(new, name)) {
                (Some(before), Some(after)) => self.schema(before, after, &at, depth - 1),
                (Some(_), None) => self.out.note(true, at, format!("{name} was removed")),
                (None, Some(_)) => self.out.note(false, at, format!("{name} was added")),
                (None, None) => {}
            }
        }
        for keyword in ["items", "additionalProperties"] {
            let (before, after) = (old.get(keyword), new.get(keyword));
            if let (Some(before @ Value::Object(_)), Some(after @ Value::Object(_))) =
                (before, after)
            {
                self.schema(before, after, &format!("{pointer}/{keyword}"), depth - 1);
            }
        }
    }
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// Follows a local reference, through at most a few others.
fn resolve<'v>(mut schema: &'v Value, root: &'v Value) -> &'v Value {
    for _ in 0..8 {
        let target = reference(schema)
            .and_then(|path| path.strip_prefix('#'))
            .and_then(|pointer| root.pointer(pointer));
        match target {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

fn property<'v>(schema: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    schema.get("properties")?.get(name)
}

fn types(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(several) => Some(several.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Whether a set of types allows every value of a type: integers are numbers.
fn allows(types: &[&str], kind: &str) -> bool {
    types.contains(&kind) || kind == "integer" && types.contains(&"number")
}

fn values(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(list))) => Some(list.iter().collect()),
        _ => None,
    }
}

fn list(names: &[&str]) -> String {
    names.join(" or ")
}

fn json_list(values: &[&Value]) -> String {
    let texts: Vec<String> = values.iter().take(12).map(ToString::to_string).collect();
    let more = if values.len() > 12 { ", …" } else { "" };
    format!("{}{more}", texts.join(", "))
}
