//! JSON Pointers (RFC 6901): their tokens, escaped and not, and the places they name in a value.

use serde_json::Value;

/// A name as a token of a pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The name that a token of a pointer stands for.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// The pointer to member `name` (or to an index) of what `pointer` names.
pub fn join(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", escape(name))
}

/// Makes `pointer` name its member `name`; returns the length to cut it to afterwards.
pub fn push(pointer: &mut String, name: &str) -> usize {
    let length = pointer.len();
    pointer.push('/');
    if name.contains(['~', '/']) {
        pointer.push_str(&escape(name));
    } else {
        pointer.push_str(name);
    }
    length
}

/// The pointers to the direct members or items of what `pointer` names in `value`; none for scalars.
pub fn children(value: &Value, pointer: &str) -> Vec<String> {
    match value {
        Value::Object(members) => members.keys().map(|name| join(pointer, name)).collect(),
        Value::Array(items) => (0..items.len()).map(|index| format!("{pointer}/{index}")).collect(),
        _ => Vec::new(),
    }
}

/// The pointers to the scalars of a value, in order.
pub fn scalars(value: &Value) -> Vec<String> {
    fn walk(value: &Value, pointer: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(name, member)| walk(member, &join(pointer, name), found));
            }
            Value::Array(items) => {
                let numbered = items.iter().enumerate();
                numbered.for_each(|(index, item)| walk(item, &format!("{pointer}/{index}"), found));
            }
            _ => found.push(pointer.to_owned()),
        }
    }
    let mut found = Vec::new();
    walk(value, "", &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tokens_come_back_as_they_went() {
        for name in ["plain", "a/b", "~", "~1", "", "ä/~0"] {
            assert_eq!(unescape(&escape(name)), name);
            let mut pointer = "/x".to_owned();
            let length = push(&mut pointer, name);
            assert_eq!(pointer, join("/x", name));
            pointer.truncate(length);
            assert_eq!(pointer, "/x");
        }
    }

    #[test]
    fn every_scalar_is_found_by_its_pointer() {
        let value = json!({"a/b": [1, {"~": "x"}], "empty": {}, "n": null});
        assert_eq!(scalars(&value), ["/a~1b/0", "/a~1b/1/~0", "/n"]);
        assert!(scalars(&value).iter().all(|pointer| value.pointer(pointer).is_some()));
        assert_eq!(children(&value, ""), ["/a~1b", "/empty", "/n"]);
    }
}
