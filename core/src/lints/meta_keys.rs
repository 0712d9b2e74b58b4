//! Keys of `_meta`: their grammar and the prefixes that the protocol keeps for itself.

use crate::protocol::Revision;
use serde_json::{Map, Value};

/// Keys under reserved prefixes that the protocol or its extensions define.
const DEFINED: &[&str] = &[
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/related-task",
    "io.modelcontextprotocol/model-immediate-response",
    "io.modelcontextprotocol/tasks",
    "io.modelcontextprotocol/ui",
    "io.modelcontextprotocol/skills",
];

/// What is wrong with the form of a key; `None` where it is right.
pub(super) fn key_fault(key: &str, prefix_needed: bool) -> Option<&'static str> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if prefix.is_some_and(|prefix| !prefix.split('.').all(is_label)) {
        return Some("its prefix is no dotted list of labels that start with a letter");
    }
    if prefix_needed && prefix.is_none() {
        return Some("it has no prefix");
    }
    if !is_name(name) {
        return Some(
            "its name must start and end with a letter or digit and have only letters, digits, `-`, `_` and `.`",
        );
    }
    None
}

fn is_label(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_alphanumeric())
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn is_name(name: &str) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric();
    name.is_empty()
        || (name.starts_with(edge)
            && name.ends_with(edge)
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)))
}

/// Whether a key is under a prefix that the protocol keeps for itself, and not one of those that it defines.
pub(super) fn is_invented(key: &str, revision: Revision) -> bool {
    let Some((prefix, _)) = key.split_once('/') else {
        return false;
    };
    let labels: Vec<&str> = prefix.split('.').collect();
    let kept = |label: &str| matches!(label, "modelcontextprotocol" | "mcp");
    // 2025-06-18 reserves `…modelcontextprotocol.X/` and `…mcp.X/`; later revisions look at the second label.
    let at = if revision == Revision::V2025_06_18 { labels.len().checked_sub(2) } else { Some(1) };
    let reserved = at.and_then(|at| labels.get(at)).is_some_and(|label| kept(label));
    reserved && !DEFINED.contains(&key)
}

/// Every `_meta` object of a message, with the content that servers make up (arguments, structured content) left out.
pub(super) fn metas<'a>(value: &'a Value, found: &mut Vec<&'a Map<String, Value>>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("_meta", Value::Object(meta)) => found.push(meta),
                    ("structuredContent" | "inputSchema" | "outputSchema" | "arguments", _) => {}
                    _ => metas(member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| metas(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_a_grammar() {
        for key in
            ["progressToken", "com.example/x-y_z.1", "a/", "io.modelcontextprotocol/serverInfo"]
        {
            assert_eq!(key_fault(key, false), None, "{key}");
        }
        for key in ["", "-x", "1.example/x", "com..example/x", "com.example/x y", "a/b/c"] {
            let expected = key.is_empty();
            assert_eq!(key_fault(key, false).is_none(), expected, "{key}");
        }
        assert!(key_fault("name", true).is_some());
    }

    #[test]
    fn reserved_prefixes_depend_on_the_revision() {
        let newest = Revision::V2026_07_28;
        assert!(is_invented("io.modelcontextprotocol/mine", newest));
        assert!(is_invented("dev.mcp/mine", newest));
        assert!(!is_invented("com.example.mcp/mine", newest));
        assert!(!is_invented("io.modelcontextprotocol/serverInfo", newest));
        assert!(is_invented("modelcontextprotocol.io/mine", Revision::V2025_06_18));
        assert!(!is_invented("modelcontextprotocol.io/mine", newest));
    }
}
