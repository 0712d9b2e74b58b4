//! Values of an exchange where they lie. Each call is mined, and most of what it brings is known already: a find is copied only
//! when it is kept.

use super::mine::{Mined, is_file_name, is_map_by_id, numeric};
use super::tokens::{Token, tokens};
use crate::case::Source;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;

/// How many values one exchange yields at most.
const CAP: usize = 160;
/// Longer strings are not kept.
const LONGEST: usize = 400;

/// Which document a pointer is into.
#[derive(Clone, Copy, Default)]
pub(super) enum Base {
    #[default]
    Result,
    Argument,
    Text(usize),
}

/// The values of one exchange or of one call's arguments, gathered in a walk.
#[derive(Default)]
pub(crate) struct Finds<'v> {
    kept: Vec<Kept<'v>>,
    /// The pointers and masked places of the finds, one after another.
    names: String,
    /// The objects around the finds, one after another.
    numbers: Vec<u32>,
    /// The chain of objects around the value at hand, innermost last.
    inside: Vec<u32>,
    objects: u32,
    /// The document at hand, the JSON Pointer of the value at hand in it, and its masked place.
    base: Base,
    pointer: String,
    path: String,
}

struct Kept<'v> {
    value: Cow<'v, Value>,
    place: Place,
    path: Range<usize>,
    objects: Range<usize>,
}

enum Place {
    Pointer(Base, Range<usize>),
    Token { block: usize, kind: String, index: usize },
}

/// One find.
pub(crate) struct Find<'a> {
    /// The value: a string, a number or a boolean.
    pub(crate) value: &'a Value,
    /// Its place with array indices masked.
    pub(crate) path: &'a str,
    /// The enclosing objects, innermost first, numbered within the exchange.
    pub(crate) objects: &'a [u32],
    place: &'a Place,
    names: &'a str,
}

impl Find<'_> {
    /// Where it was found.
    pub(crate) fn source(&self) -> Source {
        match self.place {
            Place::Token { block, kind, index } => {
                Source::TextToken { block: *block, token: kind.clone(), index: *index }
            }
            Place::Pointer(base, pointer) => {
                let pointer = self.names[pointer.clone()].to_owned();
                match base {
                    Base::Result => Source::Result { pointer },
                    Base::Argument => Source::Argument { pointer },
                    Base::Text(block) => Source::TextJson { block: *block, pointer },
                }
            }
        }
    }

    fn mined(self) -> Mined {
        Mined {
            value: self.value.clone(),
            source: self.source(),
            path: self.path.to_owned(),
            objects: self.objects.to_vec(),
        }
    }
}

impl<'v> Finds<'v> {
    /// None yet, with room for what most calls bring.
    pub(super) fn with_room() -> Self {
        Self {
            kept: Vec::with_capacity(8),
            names: String::with_capacity(256),
            numbers: Vec::with_capacity(16),
            inside: Vec::with_capacity(8),
            pointer: String::with_capacity(64),
            path: String::with_capacity(64),
            ..Self::default()
        }
    }

    /// Each find, in the order found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Find<'_>> {
        self.kept.iter().map(|one| Find {
            value: &one.value,
            path: &self.names[one.path.clone()],
            objects: &self.numbers[one.objects.clone()],
            place: &one.place,
            names: &self.names,
        })
    }

    /// Copies of the finds.
    pub(crate) fn mined(&self) -> Vec<Mined> {
        self.iter().map(Find::mined).collect()
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Forgets the values that `unwanted` names.
    pub(crate) fn forget(&mut self, unwanted: impl Fn(&Value) -> bool) {
        self.kept.retain(|one| !unwanted(&one.value));
    }

    /// The highest number of an object around a find, 0 where there is none.
    pub(crate) fn highest(&self) -> u32 {
        self.iter().flat_map(|find| find.objects.iter().copied()).max().unwrap_or(0)
    }

    /// Takes every value of a document.
    pub(super) fn all(&mut self, document: &'v Value, pointer: &str, base: Base) {
        self.base = base;
        self.path.clear();
        self.pointer.clear();
        self.pointer.push_str(pointer);
        self.walk(document);
    }

    /// Takes the URI of a content block.
    pub(super) fn uri(&mut self, block: usize, uri: &'v Value) {
        let pointer = self.name(&format!("/content/{block}/uri"));
        let path = self.name("uri");
        self.keep(Cow::Borrowed(uri), Place::Pointer(Base::Result, pointer), path);
    }

    /// Takes the values of a text block: of the document that it is, or else of its words if `prose` is mined.
    pub(super) fn text(
        &mut self,
        block: usize,
        body: &str,
        document: Option<&'v Value>,
        prose: bool,
    ) {
        if let Some(document) = document {
            self.all(document, "", Base::Text(block));
            return;
        }
        if !prose {
            return;
        }
        self.objects += 1;
        self.inside.push(self.objects);
        for Token { kind, index, text } in tokens(body) {
            let path = self.name(kind.strip_prefix("labelled:").unwrap_or(&kind));
            let value = numeric(&kind, &text).unwrap_or_else(|| Value::String(text));
            self.keep(Cow::Owned(value), Place::Token { block, kind, index }, path);
        }
        self.inside.pop();
    }

    fn name(&mut self, name: &str) -> Range<usize> {
        let start = self.names.len();
        self.names.push_str(name);
        start..self.names.len()
    }

    fn keep(&mut self, value: Cow<'v, Value>, place: Place, path: Range<usize>) {
        if self.kept.len() < CAP {
            let start = self.numbers.len();
            self.numbers.extend(self.inside.iter().rev());
            let objects = start..self.numbers.len();
            self.kept.push(Kept { value, place, path, objects });
        }
    }

    /// Takes the value at hand.
    fn keep_here(&mut self, value: Cow<'v, Value>) {
        if self.kept.len() < CAP {
            let start = self.names.len();
            self.names.push_str(&self.pointer);
            let middle = self.names.len();
            self.names.push_str(&self.path);
            let path = middle..self.names.len();
            self.keep(value, Place::Pointer(self.base, start..middle), path);
        }
    }

    /// Goes on with the member or item that `token` names, at the masked place `part`.
    fn below(&mut self, token: &str, part: &str, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('/');
        }
        self.path.push_str(part);
        let pointer = crate::pointer::push(&mut self.pointer, token);
        then(self);
        self.pointer.truncate(pointer);
        self.path.truncate(length);
    }

    fn walk(&mut self, value: &'v Value) {
        if self.kept.len() >= CAP || self.inside.len() > 12 {
            return;
        }
        match value {
            Value::Object(members) => {
                self.objects += 1;
                self.inside.push(self.objects);
                let by_id = is_map_by_id(members);
                for (key, member) in members {
                    // What stands under the name of a file is about the file.
                    let by_id = by_id || (!member.is_string() && is_file_name(key));
                    if by_id {
                        let name = Value::from(key.as_str());
                        self.below(key, "*key", |finds| finds.keep_here(Cow::Owned(name)));
                    }
                    let part = if by_id { "*" } else { key };
                    self.below(key, part, |finds| finds.walk(member));
                }
                self.inside.pop();
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().take(24) {
                    self.below(&index.to_string(), "*", |finds| finds.walk(item));
                }
            }
            Value::String(text) if text.is_empty() || text.len() > LONGEST => {}
            Value::Null => {}
            leaf => self.keep_here(Cow::Borrowed(leaf)),
        }
    }
}
