//! The catalog: what a server offers, item by item, so that one bad tool costs one tool.

use crate::exchange::Exchange;
use crate::protocol::Revision;
use crate::schema::{CompiledSchema, Dialect, SchemaError};
use crate::sequence::intent::{Intent, Switches};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// What a server offers.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// Tools that can be named and called, in the order listed. Duplicate names keep the first.
    pub tools: Vec<Tool>,
    /// Resources with a string `uri`.
    pub resources: Vec<Resource>,
    /// Resource templates with a string `uriTemplate`.
    pub templates: Vec<Template>,
    /// Prompts with a string `name`.
    pub prompts: Vec<Prompt>,
    /// Every listing as it was fetched, page by page.
    pub listings: Vec<Listing>,
    /// Positions of tools by name: every call asks for one.
    by_name: FxHashMap<String, usize>,
}

/// One walk over a list method.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The list that was walked.
    pub list: ListKind,
    /// The pages in order.
    pub pages: Vec<Exchange>,
    /// Why the walk ended.
    pub end: WalkEnd,
}

/// The four lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    Templates,
    /// `prompts/list`.
    Prompts,
}

impl ListKind {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Tools, Self::Resources, Self::Templates, Self::Prompts];

    /// The method.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// The member of the result that holds the items.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    /// The server capability that goes with the list.
    pub const fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Templates => "resources",
            Self::Prompts => "prompts",
        }
    }
}

/// Why a walk over pages ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkEnd {
    /// A page without `nextCursor`.
    Complete,
    /// A cursor came twice.
    RepeatedCursor(String),
    /// More pages than the cap of 1,000.
    TooManyPages,
    /// A page was an error, or no answer.
    Failed,
    /// The capability is not declared, so nothing was asked.
    NotDeclared,
}

/// A tool as offered.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its position in the catalog.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The item as the server sent it.
    pub raw: Value,
    /// The compiled `inputSchema`, or why it cannot be used.
    pub input: Result<Arc<CompiledSchema>, SchemaError>,
    /// The compiled `outputSchema`, if there is one, or why it cannot be used.
    pub output: Option<Result<Arc<CompiledSchema>, SchemaError>>,
    /// The annotations with the specification's defaults filled in.
    pub hints: Hints,
    /// What it is for.
    pub(crate) intent: Intent,
    /// What tells its calls apart.
    pub(crate) switches: Switches,
}

/// A tool's annotations. Hints are claims, not facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// `readOnlyHint`, default false.
    pub read_only: bool,
    /// `destructiveHint`, default true; meaningless where `read_only`.
    pub destructive: bool,
    /// `idempotentHint`, default false.
    pub idempotent: bool,
    /// `openWorldHint`, default true.
    pub open_world: bool,
}

impl Hints {
    /// The hints of a tool item.
    pub fn of(tool: &Value) -> Self {
        let hint = |name: &str, default: bool| {
            tool.pointer(&format!("/annotations/{name}"))
                .and_then(Value::as_bool)
                .unwrap_or(default)
        };
        Self {
            read_only: hint("readOnlyHint", false),
            destructive: hint("destructiveHint", true),
            idempotent: hint("idempotentHint", false),
            open_world: hint("openWorldHint", true),
        }
    }
}

/// A resource as offered.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Its URI.
    pub uri: String,
    /// The item as the server sent it.
    pub raw: Value,
}

/// A resource template as offered.
#[derive(Debug, Clone)]
pub struct Template {
    /// Its RFC 6570 template.
    pub uri_template: String,
    /// The item as the server sent it.
    pub raw: Value,
}

/// A prompt as offered.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// The item as the server sent it.
    pub raw: Value,
}

impl Tool {
    /// A tool at that position, from its item. A missing `inputSchema` is compiled as `null`, which is no schema.
    fn new(index: usize, name: String, raw: Value, _revision: Revision) -> Self {
        let described =
            raw.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let compile = |schema: &Value| {
            let compiled = CompiledSchema::compile(schema, Dialect::Draft202012)?;
            Ok(Arc::new(compiled.with_description(&described)))
        };
        Self {
            index,
            intent: Intent::of_name(&name),
            switches: Switches::default(),
            name,
            input: compile(raw.get("inputSchema").unwrap_or(&Value::Null)),
            output: raw.get("outputSchema").map(compile),
            hints: Hints::of(&raw),
            raw,
        }
    }

    /// The description, empty where there is none.
    pub fn description(&self) -> &str {
        self.raw.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// The compiled output schema, if there is a usable one.
    pub fn output_schema(&self) -> Option<&CompiledSchema> {
        self.output.as_ref()?.as_ref().ok().map(AsRef::as_ref)
    }

    /// The compiled input schema, if it is usable.
    pub fn input_schema(&self) -> Option<&CompiledSchema> {
        self.input.as_ref().ok().map(AsRef::as_ref)
    }
}

impl Catalog {
    /// The catalog of a server with those listings: its items sorted out, its schemas compiled.
    ///
    /// Items without the member that names them are left out here and stay in `listings` for lints to judge.
    pub fn from_listings(listings: Vec<Listing>, revision: Revision) -> Self {
        let mut catalog = Self { listings, ..Self::default() };
        let names = |list: ListKind, member: &str| -> Vec<(String, Value)> {
            let named = |item: &Value| Some((item.get(member)?.as_str()?.to_owned(), item.clone()));
            catalog.items(list).filter_map(named).collect()
        };
        let tools = names(ListKind::Tools, "name");
        let resources = names(ListKind::Resources, "uri");
        let templates = names(ListKind::Templates, "uriTemplate");
        let prompts = names(ListKind::Prompts, "name");
        for (name, raw) in tools {
            let index = catalog.tools.len();
            if let Entry::Vacant(place) = catalog.by_name.entry(name) {
                let name = place.key().clone();
                place.insert(index);
                catalog.tools.push(Tool::new(index, name, raw, revision));
            }
        }
        let intents: Vec<Intent> =
            catalog.tools.iter().map(|tool| Intent::within(tool, &catalog)).collect();
        for (tool, intent) in catalog.tools.iter_mut().zip(intents) {
            tool.intent = intent;
        }
        catalog.resources = resources.into_iter().map(|(uri, raw)| Resource { uri, raw }).collect();
        catalog.templates = templates
            .into_iter()
            .map(|(uri_template, raw)| Template { uri_template, raw })
            .collect();
        catalog.prompts = prompts.into_iter().map(|(name, raw)| Prompt { name, raw }).collect();
        catalog
    }

    /// The tool of that name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).map(|index| &self.tools[*index])
    }

    /// The items of a list as the server sent them, over all pages, faulty ones too.
    pub fn items(&self, list: ListKind) -> impl Iterator<Item = &Value> {
        self.listings
            .iter()
            .filter(move |listing| listing.list == list)
            .flat_map(|listing| listing.pages.iter())
            .filter_map(move |page| page.result()?.get(list.member())?.as_array())
            .flatten()
    }

    /// The walk over that list, if it was asked for.
    pub fn listing(&self, list: ListKind) -> Option<&Listing> {
        self.listings.iter().find(|listing| listing.list == list)
    }
}
