//! Message shapes: our own compact description of what a server may send in each revision, and the check against it.
//!
//! The tables are in `messages.shapes`, a text in a small notation that its head explains. They are compiled once per revision.
//! Strings' formats (URIs, base64, dates) are not part of a shape; lints of their own judge them.

mod check;
mod table;

use super::Revision;
use crate::pointer::Members;
use serde_json::Value;
use std::fmt;
use std::sync::LazyLock;
use table::{Kind, Table};

/// A place where a message differs from its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeFault {
    /// JSON Pointer of the faulty value, or of the missing member.
    pub pointer: String,
    /// What the revision asks for, in words.
    pub expected: String,
    /// What is there, in words; `nothing` for a missing member.
    pub found: String,
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the whole" } else { &self.pointer };
        write!(f, "{place} must be {}, not {}", self.expected, self.found)
    }
}

impl ShapeFault {
    /// The fault without array positions and values: equal for equal faults.
    pub fn rule(&self) -> String {
        let place: Vec<&str> = self
            .pointer
            .split('/')
            .map(|part| {
                if part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
                    "*"
                } else {
                    part
                }
            })
            .collect();
        format!("{}: {}", place.join("/"), self.expected)
    }
}

/// Judges the `result` that answered a request of `method`. Methods that the revision does not have are held to the shape of
/// every result.
pub fn check_result(revision: Revision, method: &str, result: &Value) -> Vec<ShapeFault> {
    let table = table(revision);
    let shape = match result.member("resultType").and_then(Value::as_str) {
        Some("input_required") => table.named("InputRequired"),
        Some("task") => table.named("CreatedTask"),
        _ if method == "tools/call" && result.member("task").is_some() => {
            table.named("CreatedTask")
        }
        _ => None,
    };
    let shape = shape.or_else(|| table.lookup(Kind::Result, method));
    shape.map_or_else(Vec::new, |shape| check::faults(table, shape, result))
}

/// Judges a notification: the whole message.
pub fn check_notification(revision: Revision, method: &str, message: &Value) -> Vec<ShapeFault> {
    check_message(revision, Kind::Notification, method, message)
}

/// Judges a request that the server sent: the whole message.
pub fn check_request(revision: Revision, method: &str, message: &Value) -> Vec<ShapeFault> {
    check_message(revision, Kind::Request, method, message)
}

/// Judges the `error` member of a JSON-RPC error.
pub fn check_error(revision: Revision, error: &Value) -> Vec<ShapeFault> {
    let code = error.member("code").map(Value::to_string).unwrap_or_default();
    check_message(revision, Kind::Error, &code, error)
}

/// Judges a value against a shape by its name in the table, for example `Tool` or `Prompt`; `None` where the revision has
/// no such shape.
pub fn check_named(revision: Revision, name: &str, value: &Value) -> Option<Vec<ShapeFault>> {
    let table = table(revision);
    Some(check::faults(table, table.named(name)?, value))
}

fn check_message(revision: Revision, kind: Kind, key: &str, message: &Value) -> Vec<ShapeFault> {
    let table = table(revision);
    table.lookup(kind, key).map_or_else(Vec::new, |shape| check::faults(table, shape, message))
}

fn table(revision: Revision) -> &'static Table {
    static TABLES: [LazyLock<Table>; 5] = [
        LazyLock::new(|| Table::of(Revision::V2024_11_05)),
        LazyLock::new(|| Table::of(Revision::V2025_03_26)),
        LazyLock::new(|| Table::of(Revision::V2025_06_18)),
        LazyLock::new(|| Table::of(Revision::V2025_11_25)),
        LazyLock::new(|| Table::of(Revision::V2026_07_28)),
    ];
    &TABLES[revision as usize]
}

#[cfg(test)]
mod agreement;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules(faults: &[ShapeFault]) -> Vec<String> {
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_complete_answer_has_no_fault() {
        let result = json!({"content": [{"type": "text", "text": "x"}], "isError": false});
        assert!(check_result(Revision::V2025_06_18, "tools/call", &result).is_empty());
    }

    #[test]
    fn the_pointer_names_the_faulty_member() {
        let result = json!({"content": [{"type": "text", "text": 3}], "isError": null});
        let faults = check_result(Revision::V2025_06_18, "tools/call", &result);
        assert_eq!(
            rules(&faults),
            [
                "/content/0/text must be a string, not the number 3",
                "/isError must be true or false, not null"
            ]
        );
    }

    #[test]
    fn a_missing_member_is_found_as_nothing() {
        let faults =
            check_result(Revision::V2025_06_18, "tools/list", &json!({"nextCursor": null}));
        assert_eq!(
            rules(&faults),
            ["/nextCursor must be a string, not null", "/tools must be an array, not nothing"]
        );
    }

    #[test]
    fn an_unknown_block_type_names_the_known_ones() {
        let result = json!({"content": [{"type": "video", "text": "x"}]});
        let faults = check_result(Revision::V2024_11_05, "tools/call", &result);
        assert_eq!(
            rules(&faults),
            ["/content/0/type must be \"text\", \"image\" or \"resource\", not \"video\""]
        );
    }

    #[test]
    fn revisions_differ() {
        let result = json!({"content": [], "structuredContent": [1]});
        assert_eq!(check_result(Revision::V2025_06_18, "tools/call", &result).len(), 1);
        assert!(check_result(Revision::V2025_03_26, "tools/call", &result).is_empty());
        let modern = check_result(Revision::V2026_07_28, "tools/call", &result);
        assert_eq!(rules(&modern), ["/resultType must be a string, not nothing"]);
    }

    #[test]
    fn equal_faults_at_different_places_have_equal_rules() {
        let result = json!({"content": [{"type": "text", "text": 3}, {"type": "text", "text": "a"}, {"type": "text", "text": null}]});
        let faults = check_result(Revision::V2025_06_18, "tools/call", &result);
        assert_eq!(faults[0].rule(), faults[1].rule());
    }

    #[test]
    fn typed_errors_need_their_data() {
        let error = json!({"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}});
        let faults = check_error(Revision::V2026_07_28, &error);
        assert_eq!(rules(&faults), ["/data/requested must be a string, not nothing"]);
        assert!(check_error(Revision::V2025_11_25, &error).is_empty());
    }
}
