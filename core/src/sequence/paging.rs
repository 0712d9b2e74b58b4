//! Walking over pages: the same list once as a whole and once in pieces, on the same session.

use super::template::again;
use crate::case::{Binding, Role, Source, Step};
use crate::catalog::Tool;
use crate::exchange::Exchange;
use crate::pointer::Places;
use serde_json::{Value, json};

/// The check that judges the walk, by lint id.
pub(crate) const CHECK: &str = "paging_inconsistent";
/// Parameters that say how many items to leave out.
const OFFSETS: &[&str] = &["offset", "skip", "start"];
/// Parameters that say which page is wanted.
const PAGES: &[&str] = &["page", "page_number", "page_no", "pagenumber"];
/// Parameters that take what the page before said about where to go on.
const CURSORS: &[&str] =
    &["cursor", "page_token", "pagetoken", "next_token", "after", "starting_after"];
/// Members of an answer that say it.
const NEXT: &[&str] = &[
    "next_cursor",
    "nextcursor",
    "next_page_token",
    "nextpagetoken",
    "next_token",
    "nexttoken",
    "cursor",
    "next",
];
/// Parameters that say how many items a page has.
const SIZES: &[&str] = &[
    "limit",
    "page_size",
    "pagesize",
    "per_page",
    "perpage",
    "max_results",
    "maxresults",
    "size",
    "take",
    "count",
];
/// The most items that are asked for as a whole.
const MOST: u64 = 100;
/// Lists that are longer are not walked.
const LONGEST: usize = 12;

/// How a tool hands out a list piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paging {
    /// The parameter that says where a piece begins.
    start: String,
    /// What it counts.
    unit: Unit,
    /// The parameter that says how long a piece is.
    size: String,
    /// The longest piece that may be asked for.
    most: u64,
}

/// What the start of a piece is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Items left out.
    Items,
    /// Pieces, the first one with this number.
    Pages(u64),
    /// What the piece before says.
    Cursor,
}

impl Paging {
    /// How `tool` hands out its list. Where the schema does not say from where an offset counts, there is no telling. The end of
    /// each sequence asks this of every tool, so it is read from the tool once.
    pub(crate) fn of(tool: &Tool) -> Option<&Self> {
        tool.switches.paging.get_or_init(|| Self::find(tool)).as_ref()
    }

    fn find(tool: &Tool) -> Option<Self> {
        let properties = tool.raw.place("/inputSchema/properties")?.as_object()?;
        let named = |names: &[&str]| {
            properties.iter().find(|(name, schema)| is_one_of(name, names) && is_number(schema))
        };
        let (size, size_schema) = named(SIZES)?;
        let most = size_schema.get("maximum").and_then(Value::as_u64).unwrap_or(MOST).min(MOST);
        let first = |schema: &Value| {
            let of = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
            of("default").or_else(|| of("minimum"))
        };
        let cursor = || properties.keys().find(|name| is_one_of(name, CURSORS));
        let (start, unit) = match (named(OFFSETS), named(PAGES)) {
            (Some((start, schema)), _) => {
                first(schema).filter(|base| *base == 0)?;
                (start, Unit::Items)
            }
            (None, Some((start, schema))) => {
                (start, Unit::Pages(first(schema).filter(|base| *base <= 1)?))
            }
            (None, None) => (cursor()?, Unit::Cursor),
        };
        Some(Self { start: start.clone(), unit, size: size.clone(), most })
    }

    /// The list as a whole, as an earlier call asked for it.
    pub(crate) fn whole(&self, earlier: &Step, index: usize) -> Step {
        self.piece(earlier, index, (0, self.most), 0, None)
    }

    /// The piece number `at` of that size of a list of `count` items; `last` is the piece before, with its position in the
    /// sequence. None where the list is walked to its end.
    pub(crate) fn next(
        &self,
        (earlier, index): (&Step, usize),
        (at, size, count): (usize, usize, usize),
        last: Option<(&Exchange, usize)>,
    ) -> Option<Step> {
        let cursor = match (self.unit, last) {
            (Unit::Cursor, Some((exchange, step))) if at > 0 => Some(Binding {
                at: crate::pointer::join("", &self.start),
                step,
                from: next_of(exchange)?,
            }),
            _ => None,
        };
        let done = match self.unit {
            Unit::Cursor => at > LONGEST,
            Unit::Items | Unit::Pages(_) => at * size >= count,
        };
        let view = u32::try_from(size * 1000 + at).unwrap_or(u32::MAX);
        (!done).then(|| self.piece(earlier, index, (at as u64, size as u64), view, cursor))
    }

    /// Whether a list of that many items tells anything when it is walked.
    pub(crate) fn is_worthwhile(count: usize) -> bool {
        (3..=LONGEST).contains(&count)
    }

    /// The piece number `at` of that size.
    fn piece(
        &self,
        earlier: &Step,
        index: usize,
        (at, size): (u64, u64),
        view: u32,
        cursor: Option<Binding>,
    ) -> Step {
        let role = Role::Observe { check: CHECK.to_owned(), view };
        let mut step = again(earlier, index, role);
        step.bindings.retain(|binding| {
            let own = |name: &str| binding.at == crate::pointer::join("", name);
            !own(&self.start) && !own(&self.size)
        });
        let start = match self.unit {
            Unit::Items => Some(json!(at * size)),
            Unit::Pages(base) => Some(json!(base + at)),
            // The value comes with the binding; a string must be there for it to replace.
            Unit::Cursor => cursor.is_some().then(|| json!("")),
        };
        if let Some(Value::Object(arguments)) = step.action.arguments_mut() {
            arguments.remove(&self.start);
            arguments.extend(start.map(|start| (self.start.clone(), start)));
            arguments.insert(self.size.clone(), json!(size));
        }
        step.bindings.extend(cursor);
        step
    }

    /// The length of the pieces that a step asks for.
    pub(crate) fn size_of(&self, step: &Step) -> Option<u64> {
        step.action.arguments()?.get(&self.size)?.as_u64()
    }
}

/// Whether a parameter says how many items an answer may have.
pub(crate) fn is_size(name: &str) -> bool {
    is_one_of(name, SIZES) || name.contains("limit")
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.contains(&name.to_ascii_lowercase().as_str())
}

/// Where an answer says how the next page is asked for; none on the last page.
fn next_of(exchange: &Exchange) -> Option<Source> {
    let said = |document: &Value| -> Option<String> {
        let (name, _) = document
            .as_object()?
            .iter()
            .find(|(name, value)| is_one_of(name, NEXT) && value.is_string())?;
        Some(crate::pointer::join("", name))
    };
    let result = exchange.result()?;
    if let Some(structured) = result.get("structuredContent") {
        return said(structured)
            .map(|pointer| Source::Result { pointer: format!("/structuredContent{pointer}") });
    }
    let blocks = result.get("content")?.as_array()?;
    blocks.iter().enumerate().find_map(|(block, content)| {
        let document = serde_json::from_str(content.get("text")?.as_str()?).ok()?;
        Some(Source::TextJson { block, pointer: said(&document)? })
    })
}

fn is_number(schema: &Value) -> bool {
    let kinds = schema.get("type").into_iter().chain(
        schema
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|s| s.get("type")),
    );
    kinds.into_iter().any(|kind| kind == "integer" || kind == "number")
}

/// The items of a list: those of the only array that an answer has, or the lines of its text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Items {
    /// The array's items.
    Values(Vec<Value>),
    /// The lines that are not blank.
    Lines(Vec<String>),
}

impl Items {
    /// The items in an answer; none where it is not clear which they are.
    pub(crate) fn of(exchange: &Exchange) -> Option<Self> {
        let result = exchange.result()?;
        let text = exchange.text();
        let document = result
            .get("structuredContent")
            .cloned()
            .or_else(|| serde_json::from_str(&text).ok().filter(|v: &Value| !v.is_number()));
        match document {
            Some(Value::Array(items)) => Some(Self::Values(items)),
            Some(Value::Object(members)) => {
                let mut arrays = members.values().filter_map(Value::as_array);
                let only = arrays.next()?;
                arrays.next().is_none().then(|| Self::Values(only.clone()))
            }
            Some(_) => None,
            None => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                Some(Self::Lines(lines.map(str::to_owned).collect()))
            }
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Values(items) => items.len(),
            Self::Lines(lines) => lines.len(),
        }
    }
}
