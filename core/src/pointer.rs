//! JSON Pointers (RFC 6901): their tokens, escaped and not, and the places they name in a value.

use serde_json::{Map, Value};
use std::borrow::Cow;

/// From this many members on, a hash of the name finds one sooner than a look at each.
const MANY: usize = 12;

/// Members by name. Objects of messages have few members, and a hash of a name costs more than a look at each of those.
pub trait Members {
    /// The member of that name.
    fn member(&self, name: &str) -> Option<&Value>;
}

impl Members for Map<String, Value> {
    fn member(&self, name: &str) -> Option<&Value> {
        if self.len() >= MANY {
            return self.get(name);
        }
        self.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }
}

impl Members for Value {
    fn member(&self, name: &str) -> Option<&Value> {
        self.as_object()?.member(name)
    }
}

/// As [`Members::member`], to be changed.
fn member_mut<'v>(members: &'v mut Map<String, Value>, name: &str) -> Option<&'v mut Value> {
    if members.len() >= MANY {
        return members.get_mut(name);
    }
    members.iter_mut().find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// Places in a value by their pointers: as `serde_json` has them, but a token is not copied to be read, since every call looks
/// places up.
pub trait Places: Sized {
    /// What `pointer` names.
    fn place(&self, pointer: &str) -> Option<&Self>;
    /// The same, to be changed.
    fn place_mut(&mut self, pointer: &str) -> Option<&mut Self>;
}

impl Places for Value {
    fn place(&self, pointer: &str) -> Option<&Self> {
        if let (Some(name), Self::Object(members)) = (only_name(pointer), self) {
            return members.member(name);
        }
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Self::Object(members) => members.member(&token),
            Self::Array(items) => items.get(index(&token)?),
            _ => None,
        })
    }

    fn place_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Self::Object(members) => member_mut(members, &token),
            Self::Array(items) => items.get_mut(index(&token)?),
            _ => None,
        })
    }
}

/// The name that a pointer is, if it has one token and nothing in it is escaped: most pointers into arguments are so.
fn only_name(pointer: &str) -> Option<&str> {
    let name = pointer.strip_prefix('/')?;
    let plain = name.bytes().all(|byte| byte != b'/' && byte != b'~');
    plain.then_some(name)
}

/// The tokens of a pointer as names; none of what is no pointer.
fn tokens(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let is_pointer = pointer.is_empty() || pointer.starts_with('/');
    let plain = |token: &str| !token.as_bytes().contains(&b'~');
    is_pointer.then(|| {
        pointer.split('/').skip(1).map(move |token| {
            if plain(token) { Cow::Borrowed(token) } else { Cow::Owned(unescape(token)) }
        })
    })
}

/// The index that a token stands for: digits without a zero before them.
fn index(token: &str) -> Option<usize> {
    let padded = token.starts_with('+') || (token.starts_with('0') && token.len() > 1);
    token.parse().ok().filter(|_| !padded)
}

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
    fn places_are_those_of_serde_json() {
        let mut value = json!({"a/b": [1, {"~": "x"}], "": {"": 0}, "n": null});
        for pointer in
            ["", "/", "//", "/a~1b", "/a~1b/0", "/a~1b/01", "/a~1b/+1", "/a~1b/1/~0", "/n/x", "n"]
        {
            assert_eq!(value.place(pointer), value.pointer(pointer), "{pointer}");
            let mut other = value.clone();
            assert_eq!(value.place_mut(pointer), other.pointer_mut(pointer), "{pointer}");
        }
    }

    #[test]
    fn members_are_found_among_few_and_many() {
        for count in [0, 1, 3, MANY - 1, MANY, 40] {
            let members: Map<String, Value> =
                (0..count).map(|n| (format!("m{n}"), Value::from(n))).collect();
            for name in ["m0", "m2", "m10", "m39", "m", ""] {
                assert_eq!(members.member(name), members.get(name), "{name} of {count}");
            }
        }
        assert_eq!(json!([1]).member("0"), None);
    }

    #[test]
    fn every_scalar_is_found_by_its_pointer() {
        let value = json!({"a/b": [1, {"~": "x"}], "empty": {}, "n": null});
        assert_eq!(scalars(&value), ["/a~1b/0", "/a~1b/1/~0", "/n"]);
        assert!(scalars(&value).iter().all(|pointer| value.pointer(pointer).is_some()));
        assert_eq!(children(&value, ""), ["/a~1b", "/empty", "/n"]);
    }
}
