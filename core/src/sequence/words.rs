//! Words: how alike the names of a parameter and of a place in an answer are.

use crate::schema::{key_tokens, singular};

/// Words that say little without knowing what they are of.
const GENERIC: &[&str] = &[
    "id",
    "uuid",
    "guid",
    "name",
    "key",
    "slug",
    "title",
    "number",
    "handle",
    "ref",
    "identifier",
    "index",
    "status",
    "type",
    "value",
];
/// Last words of the paths of ids.
const IDS: &[&str] = &["id", "uuid", "guid", "key", "slug", "handle", "identifier"];
/// Last words of parameters that name something that must exist.
const REFERENCE: &[&str] = &[
    "id",
    "uuid",
    "guid",
    "slug",
    "handle",
    "ref",
    "identifier",
    "session",
    "cursor",
    "uri",
    "path",
    "file",
    "filename",
    "filepath",
    "directory",
    "dir",
    "folder",
    "branch",
    "revision",
    "commit",
    "table",
    "database",
    "sheet",
    "workbook",
    "version",
    "parent",
    "target",
    "source",
];

/// The words of the last name in a JSON Pointer, in the singular.
pub(crate) fn leaf_words(place: &str) -> Vec<String> {
    let mut parts = place.split('/').rev();
    let leaf = parts
        .find(|part| !part.is_empty() && *part != "*" && !part.bytes().all(|b| b.is_ascii_digit()));
    leaf.map(|leaf| key_tokens(leaf.trim_start_matches('*')).iter().map(|t| singular(t)).collect())
        .unwrap_or_default()
}

pub(super) fn param_words(pointer: &str, nouns: &[String]) -> Vec<String> {
    let mut words = leaf_words(pointer);
    qualify(&mut words, parent_words(pointer), nouns);
    words
}

pub(super) fn path_words(path: &str, nouns: &[String]) -> Vec<String> {
    let mut words = leaf_words(path);
    qualify(&mut words, parent_words(path), nouns);
    words
}

/// The words of the part before the last named one.
fn parent_words(place: &str) -> Vec<String> {
    let named = place.split('/').filter(|part| {
        !part.is_empty() && *part != "*" && !part.bytes().all(|b| b.is_ascii_digit())
    });
    let parts: Vec<&str> = named.collect();
    let Some(parent) = parts.len().checked_sub(2).map(|at| parts[at]) else {
        return Vec::new();
    };
    key_tokens(parent)
        .iter()
        .map(|t| singular(t))
        .filter(|t| {
            !matches!(
                t.as_str(),
                "item" | "result" | "data" | "structuredcontent" | "entity" | "object" | "record"
            )
        })
        .collect()
}

/// Whether a parameter's name says that it names something that must exist.
pub fn is_reference(name: &str) -> bool {
    names_existing(&leaf_words(name))
}

/// The same of the words of a name.
pub(super) fn names_existing(words: &[String]) -> bool {
    words.last().is_some_and(|last| REFERENCE.contains(&last.as_str()))
}

/// Whether a description says that a parameter holds the id of something that is there: "id of the task", and not "of the new task".
pub(super) fn speaks_of_an_id(description: &str) -> bool {
    let words = key_tokens(description);
    let of = |pair: &[String]| {
        matches!(pair[0].as_str(), "id" | "ids" | "uuid" | "identifier" | "identifiers")
            && pair[1] == "of"
    };
    words.windows(2).any(of) && !words.iter().any(|word| word == "new" || word == "unique")
}

/// Whether a name's words say that it holds an id.
pub(super) fn is_id(words: &[String]) -> bool {
    words.last().is_some_and(|last| IDS.contains(&last.as_str()))
}

/// Puts what a generic name is of before it: `id` within `task` becomes `task id`.
fn qualify(words: &mut Vec<String>, parent: Vec<String>, nouns: &[String]) {
    if words.len() != 1 || !GENERIC.contains(&words[0].as_str()) {
        return;
    }
    let owner =
        if parent.is_empty() { nouns.last().cloned().into_iter().collect() } else { parent };
    words.splice(0..0, owner);
}

/// Whether both are ids, each of a thing that it names: the id of a project is no task's.
fn is_id_of_another(param: &[String], path: &[String]) -> bool {
    let id = |words: &[String]| words.len() >= 2 && is_id(words);
    let owner = |words: &[String]| words[words.len() - 2].clone();
    id(param) && id(path) && owner(param) != owner(path)
}

/// How alike two names are, from 0 to 1.3.
pub(super) fn similarity(param: &[String], path: &[String]) -> f32 {
    if param.is_empty() || path.is_empty() {
        return 0.0;
    }
    if param == path {
        return 1.3;
    }
    if is_id_of_another(param, path) {
        return 0.22;
    }
    let shared = param.iter().filter(|word| path.contains(word)).count();
    let union = param.len() + path.len() - shared;
    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
    let jaccard = shared as f32 / union as f32;
    let same_kind = param.last() == path.last();
    // `id` of something unnamed may be what `task_id` asks for.
    let id_like = same_kind && param.last().is_some_and(|w| GENERIC.contains(&w.as_str()));
    let generic_token = path.len() <= 2
        && path.iter().any(|w| matches!(w.as_str(), "uuid" | "hex" | "word" | "uri" | "path"));
    jaccard + if id_like { 0.15 } else { 0.0 } + if generic_token { 0.1 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::speaks_of_an_id;

    #[test]
    fn descriptions_tell_what_must_exist() {
        assert!(speaks_of_an_id("the id of the task that must be completed first"));
        assert!(speaks_of_an_id("IDs of tasks that exist already"));
        assert!(!speaks_of_an_id("the id of the new task"));
        assert!(!speaks_of_an_id("a kind of thing"));
    }
}
