//! What a tool is for, read from its name: verb, and the things it is about.

use crate::catalog::Tool;
use crate::schema::{key_tokens, singular};
use serde_json::Value;

/// The kinds of things that tools do to things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Makes a new thing.
    Create,
    /// Shows one thing.
    Read,
    /// Shows several things.
    List,
    /// Changes a thing.
    Update,
    /// Takes a thing away.
    Delete,
    /// None of these, or not to be told from the name.
    Other,
}

/// What a tool is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// What it does.
    pub verb: Verb,
    /// The things it is about, singular, in the order named; empty where the name tells none.
    pub nouns: Vec<String>,
    /// Whether it brings back what was deleted.
    pub revives: bool,
}

const CREATE: &[&str] = &[
    "create",
    "add",
    "new",
    "insert",
    "make",
    "start",
    "register",
    "init",
    "initialize",
    "save",
    "store",
    "append",
    "upload",
    "import",
    "begin",
    "plan",
    "log",
    "remember",
    "build",
    "generate",
    "batch",
];
const READ: &[&str] = &[
    "get", "read", "show", "describe", "fetch", "view", "inspect", "load", "info", "next", "count",
    "export", "status", "detail", "download", "peek", "cat", "head",
];
const LIST: &[&str] =
    &["list", "search", "find", "query", "all", "browse", "tree", "ls", "enumerate", "filter"];
const UPDATE: &[&str] = &[
    "update", "edit", "set", "modify", "rename", "move", "patch", "change", "complete", "mark",
    "write", "put", "approve", "assign", "archive", "restore", "toggle", "replace", "resize",
    "merge", "finish", "split", "execute", "verify",
];
const DELETE: &[&str] = &[
    "delete",
    "remove",
    "drop",
    "kill",
    "close",
    "clear",
    "purge",
    "destroy",
    "erase",
    "cancel",
    "unregister",
    "forget",
    "reset",
    "discard",
    "stop",
    "end",
];

/// Words for bringing back what was deleted.
const REVIVE: &[&str] =
    &["restore", "undelete", "recover", "unarchive", "untrash", "revive", "reinstate"];

/// Names of members that hold the id of the very thing that they are in.
pub const OWN_IDS: &[&str] = &["id", "uuid", "guid", "key", "slug"];

/// Words that are neither verb nor noun.
const FILLER: &[&str] = &[
    "the", "a", "an", "of", "by", "for", "in", "to", "from", "with", "and", "or", "my", "id",
    "mcp", "tool", "server",
];

impl Intent {
    /// Reads a tool's name; a tool that says `readOnlyHint: true` is never taken for one that changes things.
    pub fn of(tool: &Tool) -> Self {
        let mut intent = Self::of_name(&tool.name);
        if !tool.hints.read_only && intent.verb == Verb::Read && takes_its_verb(tool) {
            intent.verb = Verb::Update;
        }
        if tool.hints.read_only
            && matches!(intent.verb, Verb::Create | Verb::Update | Verb::Delete | Verb::Other)
        {
            intent.verb = Verb::Read;
        }
        intent
    }

    /// Reads a name such as `create_task`, `taskAdd` or `note-list`.
    pub fn of_name(name: &str) -> Self {
        let tokens = key_tokens(name);
        let verb_at = tokens.iter().position(|token| verb_of(token) != Verb::Other);
        let verb = verb_at.map_or(Verb::Other, |at| verb_of(&tokens[at]));
        let nouns = tokens
            .iter()
            .enumerate()
            .filter(|(at, token)| Some(*at) != verb_at && !FILLER.contains(&token.as_str()))
            .filter(|(_, token)| verb_of(token) == Verb::Other)
            .map(|(_, token)| singular(token))
            .collect();
        let revives = tokens.iter().any(|token| REVIVE.contains(&token.as_str()));
        Self { verb, nouns, revives }
    }

    /// Whether both are about the same thing: the last noun (the thing itself) is shared.
    pub fn shares_noun(&self, other: &Self) -> bool {
        match (self.nouns.last(), other.nouns.last()) {
            (Some(mine), Some(theirs)) => {
                mine == theirs || self.nouns.contains(theirs) || other.nouns.contains(mine)
            }
            _ => false,
        }
    }

    /// Whether a parameter of that name holds the id of what the tool is about, rather than of what that belongs to.
    pub fn names_own(&self, parameter: &str) -> bool {
        let words: Vec<String> = key_tokens(parameter).iter().map(|word| singular(word)).collect();
        match words.as_slice() {
            [only] => OWN_IDS.contains(&only.as_str()) || Some(only) == self.nouns.last(),
            [.., noun, last] => OWN_IDS.contains(&last.as_str()) && Some(noun) == self.nouns.last(),
            [] => false,
        }
    }

    /// Whether it looks without touching, by its name.
    pub fn looks_read_only(&self) -> bool {
        matches!(self.verb, Verb::Read | Verb::List)
    }
}

/// Whether a word of the name is a parameter, too: `task_status` with a `status` sets it.
fn takes_its_verb(tool: &Tool) -> bool {
    let Some(parameters) = tool.raw.pointer("/inputSchema/properties").and_then(Value::as_object)
    else {
        return false;
    };
    let mut tokens =
        key_tokens(&tool.name).into_iter().filter(|token| READ.contains(&token.as_str()));
    tokens.next().is_some_and(|verb| parameters.contains_key(&verb))
}

fn verb_of(token: &str) -> Verb {
    let is = |words: &[&str]| words.contains(&token);
    if is(LIST) {
        Verb::List
    } else if is(READ) {
        Verb::Read
    } else if is(DELETE) {
        Verb::Delete
    } else if is(UPDATE) {
        Verb::Update
    } else if is(CREATE) {
        Verb::Create
    } else {
        Verb::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_verb_and_noun() {
        let create = Intent::of_name("create_task");
        assert_eq!((create.verb, create.nouns.clone()), (Verb::Create, vec!["task".to_owned()]));
        let list = Intent::of_name("listTasks");
        assert_eq!(list.verb, Verb::List);
        assert!(create.shares_noun(&list));
        assert_eq!(Intent::of_name("note-add").verb, Verb::Create);
        assert_eq!(Intent::of_name("get_sum").verb, Verb::Read);
        assert!(!Intent::of_name("get_project").shares_noun(&list));
        let delete = Intent::of_name("delete_comment");
        assert!(delete.names_own("comment_id") && delete.names_own("id"));
        assert!(!delete.names_own("task_id"));
    }
}
