//! What a tool is for, read from its name: verb, and the things it is about.

use super::paging::Paging;
use crate::catalog::{Catalog, Tool};
use crate::schema::{key_tokens, singular};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::OnceLock;

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

/// Words after which nothing is left; "close" or "stop" may leave the thing where it is.
const DESTROY: &[&str] = &[
    "delete",
    "remove",
    "drop",
    "kill",
    "purge",
    "destroy",
    "erase",
    "unregister",
    "forget",
    "discard",
];

/// Whether a tool's name says that what it takes away is gone afterwards.
pub fn destroys(tool: &str) -> bool {
    // Most names have none of these letters in a row, and taking names apart is dear.
    let holds = |word: &&str| {
        tool.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    DESTROY.iter().any(holds)
        && key_tokens(tool).iter().any(|word| DESTROY.contains(&word.as_str()))
}

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
        if !tool.hints.read_only && intent.verb == Verb::Other && sets_what_it_names(tool, &intent)
        {
            intent.verb = Verb::Update;
        }
        if intent.verb == Verb::Update && names_a_member(tool, &intent) {
            intent.nouns.pop();
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

    /// As [`Intent::of`], with what the other tools say: the counterpart of a tool that removes makes what that one removes.
    pub fn within(tool: &Tool, catalog: &Catalog) -> Self {
        let mut intent = Self::of(tool);
        if intent.verb == Verb::Other && !tool.hints.read_only && Modes::of(tool).is_none() {
            let removes = |other: &Tool| {
                let other = Self::of(other);
                other.verb == Verb::Delete && other.nouns == intent.nouns
            };
            if !intent.nouns.is_empty() && catalog.tools.iter().any(removes) {
                intent.verb = Verb::Create;
            }
        }
        intent
    }

    /// What one call of a tool is for: as [`Intent::within`], or what its mode says, or what its arguments show.
    pub(crate) fn of_call<'a>(tool: &'a Tool, arguments: Option<&Value>) -> Cow<'a, Self> {
        let intent = &tool.intent;
        let arguments = arguments.filter(|_| !tool.hints.read_only);
        let verb =
            arguments.map_or(intent.verb, |arguments| verb_of_call(tool, arguments, intent.verb));
        if verb == intent.verb {
            return Cow::Borrowed(intent);
        }
        Cow::Owned(Self { verb, ..intent.clone() })
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

/// What a call is for, where the tool is for `verb` in general.
pub fn verb_of_call(tool: &Tool, arguments: &Value, verb: Verb) -> Verb {
    let given = |name: &str| arguments.get(name).is_some_and(|value| !value.is_null());
    if list_switch(tool).is_some_and(|name| arguments.get(name) == Some(&Value::Bool(true))) {
        return Verb::List;
    }
    match verb {
        Verb::Other => Modes::of(tool).and_then(|modes| modes.verb(arguments)).unwrap_or(verb),
        Verb::Create if own_id(tool).is_some_and(given) => Verb::Update,
        verb => verb,
    }
}

/// What tells the calls of one tool apart; every call asks, so it is read from the tool once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Switches {
    list: OnceLock<Option<&'static str>>,
    own_id: OnceLock<Option<String>>,
    modes: OnceLock<Option<Modes>>,
    /// See [`Paging::of`].
    pub(super) paging: OnceLock<Option<Paging>>,
    /// See [`super::shapes::optional_members`].
    pub(super) optional: OnceLock<Vec<String>>,
}

/// Whether a call only lists, because the switch for that is set.
pub(crate) fn is_set_to_list(tool: &Tool, arguments: Option<&Value>) -> bool {
    let switch = list_switch(tool).zip(arguments);
    switch.is_some_and(|(switch, sent)| sent.get(switch) == Some(&Value::Bool(true)))
}

/// The optional switch of a tool that changes things by which it lists them instead: `list: true`.
pub fn list_switch(tool: &Tool) -> Option<&'static str> {
    *tool.switches.list.get_or_init(|| find_list_switch(tool))
}

fn find_list_switch(tool: &Tool) -> Option<&'static str> {
    let properties = tool.raw.pointer("/inputSchema/properties")?;
    let is_switch = |name: &&&str| {
        let types = properties.get(**name).and_then(|schema| schema.get("type"));
        types.is_some_and(|types| match types {
            Value::Array(types) => types.iter().any(|name| name == "boolean"),
            name => name == "boolean",
        })
    };
    let changes = !tool.hints.read_only && !Intent::of_name(&tool.name).looks_read_only();
    ["list", "list_all", "list_only"].iter().find(is_switch).copied().filter(|_| changes)
}

/// The optional parameter by which a tool that is named for a thing alone (`panel`) changes one that there is.
pub fn own_id(tool: &Tool) -> Option<&str> {
    tool.switches.own_id.get_or_init(|| find_own_id(tool)).as_deref()
}

fn find_own_id(tool: &Tool) -> Option<String> {
    let intent = Intent::of_name(&tool.name);
    let properties = tool.raw.pointer("/inputSchema/properties")?.as_object()?;
    let required = tool.raw.pointer("/inputSchema/required").and_then(Value::as_array);
    let optional =
        |name: &&String| !required.is_some_and(|names| names.iter().any(|other| other == *name));
    let noun = intent.nouns.last().filter(|_| intent.verb == Verb::Other)?;
    let names_it = |name: &&String| {
        let words = key_tokens(name);
        words == ["id"] || words == [noun.as_str(), "id"]
    };
    properties.keys().filter(optional).find(names_it).cloned()
}

/// What a tool does by the value of a required parameter: `action: kill | rename`.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// The parameter's name.
    pub parameter: String,
    /// Its values, and what a call with each is for.
    pub values: Vec<(Value, Verb)>,
}

/// Names of parameters that say what is to be done.
const MODE: &[&str] =
    &["action", "operation", "op", "command", "mode", "method", "verb", "kind", "task", "cmd"];

impl Modes {
    /// The modes of a tool: the first required parameter with a few words to choose from, of which one is a verb, or whose name
    /// says that it is what is to be done.
    pub fn of(tool: &Tool) -> Option<&Self> {
        tool.switches.modes.get_or_init(|| Self::find(tool)).as_ref()
    }

    fn find(tool: &Tool) -> Option<Self> {
        let schema = tool.raw.get("inputSchema")?;
        let required = schema.get("required")?.as_array()?;
        let properties = schema.get("properties")?.as_object()?;
        required.iter().filter_map(Value::as_str).find_map(|name| {
            let choices = choices(properties.get(name)?, schema)?;
            let values: Vec<(Value, Verb)> =
                choices.iter().map(|value| (value.clone(), verb_of_value(value))).collect();
            let telling = values.iter().any(|(_, verb)| *verb != Verb::Other);
            let named = key_tokens(name).iter().any(|token| MODE.contains(&token.as_str()));
            let fits = (2..=24).contains(&values.len()) && (telling || named);
            fits.then(|| Self { parameter: name.to_owned(), values })
        })
    }

    /// What a call with these arguments is for, where its mode says so.
    pub fn verb(&self, arguments: &Value) -> Option<Verb> {
        let mode = arguments.get(&self.parameter)?;
        let verb = self.values.iter().find(|(value, _)| value == mode)?.1;
        (verb != Verb::Other).then_some(verb)
    }
}

/// The strings that a schema lists; it may stand behind a local reference.
fn choices<'a>(schema: &'a Value, root: &'a Value) -> Option<Vec<Value>> {
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?)?,
        None => schema,
    };
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        return listed.iter().all(Value::is_string).then(|| listed.clone());
    }
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    branches.iter().map(|branch| branch.get("const").filter(|c| c.is_string()).cloned()).collect()
}

fn verb_of_value(value: &Value) -> Verb {
    let tokens = value.as_str().map(key_tokens).unwrap_or_default();
    let verbs = tokens.iter().map(|token| verb_of(token));
    verbs.into_iter().find(|verb| *verb != Verb::Other).unwrap_or(Verb::Other)
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

/// Whether a tool without a verb takes an id and a value for what it is named after: `task_priority` with `id` and `priority`.
fn sets_what_it_names(tool: &Tool, intent: &Intent) -> bool {
    let required = tool.raw.pointer("/inputSchema/required").and_then(Value::as_array);
    let names: Vec<Vec<String>> =
        required.into_iter().flatten().filter_map(Value::as_str).map(key_tokens).collect();
    let is_id = |words: &Vec<String>| {
        words.last().is_some_and(|last| matches!(last.as_str(), "id" | "uuid" | "key"))
    };
    let Some(noun) = intent.nouns.last() else {
        return false;
    };
    let takes = |words: &Vec<String>| {
        !is_id(words) && words.iter().any(|word| word == noun || singular(word) == *noun)
    };
    names.iter().any(is_id) && names.iter().any(takes)
}

/// Whether the last noun of a tool that changes things is a member of the thing that the one before names: `task_priority` with
/// `id` and `priority` changes a task.
fn names_a_member(tool: &Tool, intent: &Intent) -> bool {
    let [.., _, noun] = intent.nouns.as_slice() else {
        return false;
    };
    let required = tool.raw.pointer("/inputSchema/required").and_then(Value::as_array);
    let mut names = required.into_iter().flatten().filter_map(Value::as_str).map(key_tokens);
    names.any(|words| {
        let id = words.last().is_some_and(|last| matches!(last.as_str(), "id" | "uuid" | "key"));
        !id && words.iter().any(|word| word == noun || singular(word) == *noun)
    })
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
pub(super) mod tests {
    use super::*;

    #[test]
    fn closing_is_not_destroying() {
        assert!(destroys("delete_task") && destroys("task-remove") && !destroys("close_item"));
    }

    pub(in crate::sequence) fn tool(raw: Value) -> Tool {
        let schema = raw["inputSchema"].clone();
        let name = raw["name"].as_str().unwrap_or_default().to_owned();
        Tool {
            index: 0,
            input: crate::schema::CompiledSchema::compile(
                &schema,
                crate::schema::Dialect::Draft202012,
            )
            .map(std::sync::Arc::new),
            output: None,
            hints: crate::catalog::Hints::of(&raw),
            intent: Intent::of_name(&name),
            switches: Switches::default(),
            name,
            raw,
        }
    }

    #[test]
    fn a_tool_that_is_named_for_a_member_changes_the_thing() {
        let sets = |name: &str, required: Value| {
            Intent::of(&tool(serde_json::json!({"name": name, "inputSchema": {
                "type": "object", "required": required, "properties": {}}})))
        };
        let intent = sets("task-priority", serde_json::json!(["id", "priority"]));
        assert_eq!((intent.verb, intent.nouns), (Verb::Update, vec!["task".to_owned()]));
        let intent = sets("task-depends", serde_json::json!(["id", "depends_on"]));
        assert_eq!((intent.verb, intent.nouns), (Verb::Update, vec!["task".to_owned()]));
        let intent = sets("move_task_to_project", serde_json::json!(["task_id", "project_id"]));
        assert_eq!(intent.nouns, ["task", "project"]);
    }

    #[test]
    fn modes_tell_the_verb_of_a_call() {
        let raw = serde_json::json!({"name": "manage_session", "inputSchema": {
            "type": "object", "required": ["session", "action"],
            "properties": {"session": {"type": "string"}, "action": {"enum": ["kill", "rename", "detach"]}}}});
        let tool = tool(raw);
        let verb = |action: &str| {
            let arguments = serde_json::json!({"session": "a", "action": action});
            Intent::of_call(&tool, Some(&arguments)).verb
        };
        assert_eq!(verb("kill"), Verb::Delete);
        assert_eq!(verb("rename"), Verb::Update);
        assert_eq!(verb("detach"), Verb::Other);
    }

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
