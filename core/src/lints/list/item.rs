//! Items of the four lists, named for messages, and faults that several of them share.

use crate::catalog::{Catalog, ListKind};
use crate::exchange::Exchange;
use crate::lints::Problem;
use serde_json::Value;
use std::fmt;

/// An item of a list.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    list: ListKind,
    /// Its position in the list, over all pages.
    index: usize,
    /// Which page of its walk it is on.
    page: usize,
    /// The item as the server sent it.
    pub(super) raw: &'a Value,
}

/// The items of a list over all pages, faulty ones too.
pub(super) fn items(catalog: &Catalog, list: ListKind) -> impl Iterator<Item = Item<'_>> {
    let pages = catalog.listing(list).into_iter().flat_map(|listing| listing.pages.iter());
    pages
        .enumerate()
        .filter_map(move |(page, exchange)| {
            Some((page, exchange.result()?.get(list.member())?.as_array()?))
        })
        .flat_map(|(page, items)| items.iter().map(move |raw| (page, raw)))
        .enumerate()
        .map(move |(index, (page, raw))| Item { list, index, page, raw })
}

/// The tools, faulty ones too.
pub(super) fn tools(catalog: &Catalog) -> impl Iterator<Item = Item<'_>> {
    items(catalog, ListKind::Tools)
}

/// Every item of every list.
pub(super) fn all(catalog: &Catalog) -> impl Iterator<Item = Item<'_>> {
    ListKind::ALL.into_iter().flat_map(|list| items(catalog, list))
}

impl<'a> Item<'a> {
    /// The member that tells the item from others of its list.
    pub(super) const fn key_member(list: ListKind) -> &'static str {
        match list {
            ListKind::Tools | ListKind::Prompts => "name",
            ListKind::Resources => "uri",
            ListKind::Templates => "uriTemplate",
        }
    }

    /// What tells the item from others of its list, if it is there.
    pub(super) fn key(self) -> Option<&'a str> {
        self.text(Self::key_member(self.list))
    }

    /// A member that is a string.
    pub(super) fn text(self, member: &str) -> Option<&'a str> {
        self.raw.get(member)?.as_str()
    }

    /// Whether this is the same item again on another page of the walk.
    pub(super) fn is_repeat_of(self, other: Self) -> bool {
        self.page != other.page && self.raw == other.raw
    }

    /// A problem of this item; the message is preceded by the item's name.
    pub(super) fn problem(self, rule: impl Into<String>, message: impl fmt::Display) -> Problem {
        let problem = Problem::new(rule.into(), format!("{self}: {message}"));
        match (self.list, self.key()) {
            (ListKind::Tools, Some(name)) => problem.tool(name),
            _ => problem,
        }
    }
}

impl fmt::Display for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.list {
            ListKind::Tools => "tool",
            ListKind::Resources => "resource",
            ListKind::Templates => "resource template",
            ListKind::Prompts => "prompt",
        };
        match self.key() {
            Some(key) => write!(f, "{kind} {}", quoted(key)),
            None => write!(f, "{kind} {} of the list", self.index + 1),
        }
    }
}

/// What tells the items of a page apart, in order; nothing if the exchange brought no page.
pub(super) fn keys(page: &Exchange) -> Option<Vec<&str>> {
    let list = ListKind::ALL.into_iter().find(|list| list.method() == page.method)?;
    let items = page.result()?.get(list.member())?.as_array()?;
    Some(items.iter().filter_map(|item| item.get(Item::key_member(list))?.as_str()).collect())
}

/// Collects faults. Those of tools stay one a tool; the same fault of several other items becomes one problem that names them.
pub(super) struct Faults<'p> {
    problems: &'p mut Vec<Problem>,
    shared: Vec<Shared>,
}

struct Shared {
    first: Problem,
    items: Vec<String>,
}

/// How many items a shared problem names.
const NAMED: usize = 3;

impl<'p> Faults<'p> {
    pub(super) fn new(problems: &'p mut Vec<Problem>) -> Self {
        Self { problems, shared: Vec::new() }
    }

    /// Adds a fault. Faults of the same list with the same rule are the same fault.
    pub(super) fn add(
        &mut self,
        item: Item<'_>,
        rule: impl Into<String>,
        message: impl fmt::Display,
    ) {
        self.push(item, item.problem(rule, message));
    }

    /// Adds a fault that is a warning at most.
    pub(super) fn warn(
        &mut self,
        item: Item<'_>,
        rule: impl Into<String>,
        message: impl fmt::Display,
    ) {
        self.push(item, item.problem(rule, message).warning());
    }

    fn push(&mut self, item: Item<'_>, mut problem: Problem) {
        if item.list == ListKind::Tools {
            self.problems.push(problem);
            return;
        }
        problem.rule = format!("{}: {}", item.list.member(), problem.rule).into();
        match self.shared.iter_mut().find(|shared| shared.first.rule == problem.rule) {
            Some(shared) => shared.items.push(item.to_string()),
            None => self.shared.push(Shared { first: problem, items: Vec::new() }),
        }
    }
}

impl Drop for Faults<'_> {
    fn drop(&mut self) {
        for Shared { mut first, items } in self.shared.drain(..) {
            if !items.is_empty() {
                let named = items.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
                let more = match items.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                first.message = format!("{}; the same holds for {named}{more}", first.message);
            }
            self.problems.push(first);
        }
    }
}

/// What kind of JSON value it is, with its article.
pub(super) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A string in quotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

/// A value as JSON, cut where it is long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 80 {
        return text;
    }
    text.chars().take(80).chain(['…']).collect()
}

/// What a member may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    String,
    Boolean,
    Object,
    Array,
}

impl Is {
    fn holds(self, value: &Value) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
        }
    }

    const fn describe(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Boolean => "a boolean",
            Self::Object => "an object",
            Self::Array => "an array",
        }
    }
}

/// For each of `members` that is there and is not what it may be: its name and what is wrong.
pub(super) fn ill_typed(
    value: &Value,
    members: &[(&'static str, Is)],
) -> Vec<(&'static str, String)> {
    let wrong = |(name, is): &(&'static str, Is)| {
        let found = value.get(*name).filter(|found| !is.holds(found))?;
        let message = match found {
            Value::Null => {
                format!(
                    "`{name}` is null; leave it out where there is none, or make it {}",
                    is.describe()
                )
            }
            _ => format!("`{name}` is {} ({}), not {}", kind(found), shown(found), is.describe()),
        };
        Some((*name, message))
    };
    members.iter().filter_map(wrong).collect()
}

/// For a member that must be there: what is wrong with it, if something is.
pub(super) fn required_string(value: &Value, name: &'static str) -> Option<String> {
    match value.get(name) {
        None => Some(format!("`{name}` is missing")),
        Some(Value::String(_)) => None,
        Some(found) => {
            Some(format!("`{name}` is {} ({}), not a string", kind(found), shown(found)))
        }
    }
}
