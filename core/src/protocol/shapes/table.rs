//! Reads the table of shapes for one revision.

use crate::protocol::Revision;
use std::collections::BTreeMap;

const TEXT: &str = include_str!("messages.shapes");

/// What a value must look like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Any,
    Null,
    Bool,
    String,
    Integer,
    /// An integer from 0 on.
    Count,
    Number,
    /// A number from 0 to 1.
    Fraction,
    /// That very string.
    Literal(&'static str),
    /// Any object.
    Object,
    List {
        item: Box<Shape>,
        max: Option<usize>,
    },
    /// An object, all members of which have that shape.
    Map(Box<Shape>),
    Members(Vec<Member>),
    Union(Vec<Shape>),
    /// A definition, by its place in [`Table::shapes`].
    Named(usize),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: Shape,
}

/// What a shape is looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Result,
    Notification,
    Request,
    Error,
}

/// The shapes of one revision.
#[derive(Debug)]
pub(super) struct Table {
    shapes: Vec<Shape>,
    names: BTreeMap<&'static str, usize>,
    lookups: BTreeMap<Kind, BTreeMap<&'static str, Shape>>,
}

impl Table {
    /// The table of `revision`.
    pub(super) fn of(revision: Revision) -> Self {
        Reader::read(TEXT, revision).expect("a test reads the table for every revision")
    }

    /// The definition of that name.
    pub(super) fn named(&self, name: &str) -> Option<&Shape> {
        self.names.get(name).map(|at| &self.shapes[*at])
    }

    /// The shape for a method or code, or the one for all others of its kind.
    pub(super) fn lookup(&self, kind: Kind, key: &str) -> Option<&Shape> {
        let shapes = self.lookups.get(&kind)?;
        shapes.get(key).or_else(|| shapes.get("*"))
    }

    /// The shape itself, names followed.
    pub(super) fn resolve<'a>(&'a self, mut shape: &'a Shape) -> &'a Shape {
        while let Shape::Named(at) = shape {
            shape = &self.shapes[*at];
        }
        shape
    }

    /// Every shape that is looked up, with its key.
    #[cfg(test)]
    pub(super) fn lookups(&self) -> impl Iterator<Item = (Kind, &'static str, &Shape)> {
        self.lookups
            .iter()
            .flat_map(|(kind, shapes)| shapes.iter().map(|(key, shape)| (*kind, *key, shape)))
    }
}

/// Reads the notation, leaving out what the revision does not have.
struct Reader {
    tokens: Vec<&'static str>,
    at: usize,
    revision: usize,
    shapes: Vec<Option<Shape>>,
    names: BTreeMap<&'static str, usize>,
    lookups: BTreeMap<Kind, BTreeMap<&'static str, Shape>>,
    /// Whether a part is read that the revision does not have.
    skipping: bool,
}

type Read<T> = Result<T, String>;

impl Reader {
    fn read(text: &'static str, revision: Revision) -> Read<Table> {
        let mut reader = Self {
            tokens: tokens(text),
            at: 0,
            revision: revision as usize,
            shapes: Vec::new(),
            names: BTreeMap::new(),
            lookups: BTreeMap::new(),
            skipping: false,
        };
        while reader.at < reader.tokens.len() {
            reader.definition()?;
        }
        let Self { shapes, names, lookups, .. } = reader;
        if let Some((name, _)) = names.iter().find(|(_, at)| shapes[**at].is_none()) {
            return Err(format!("`{name}` is named but not defined"));
        }
        Ok(Table { shapes: shapes.into_iter().flatten().collect(), names, lookups })
    }

    fn definition(&mut self) -> Read<()> {
        let word = self.next()?;
        let kind = match word {
            "result" => Some(Kind::Result),
            "notification" => Some(Kind::Notification),
            "request" => Some(Kind::Request),
            "error" => Some(Kind::Error),
            _ => None,
        };
        let name = if kind.is_some() { self.next()? } else { word };
        let wanted = self.range("=")?;
        if !wanted {
            return self.skip_shape();
        }
        let shape = self.shape()?;
        if let Some(kind) = kind {
            self.lookups.entry(kind).or_default().insert(name, shape);
        } else {
            let at = self.place(name);
            self.shapes[at] = Some(shape);
        }
        Ok(())
    }

    /// Reads an optional range and the mark after it; whether the revision is in the range.
    fn range(&mut self, mark: &str) -> Read<bool> {
        let word = self.next()?;
        if word == mark {
            return Ok(true);
        }
        if self.next()? != mark {
            return Err(format!("`{mark}` expected after `{word}`"));
        }
        let letter = |c: char| "ABCDE".find(c).ok_or_else(|| format!("`{word}` is no range"));
        let mut chars = word.chars();
        let first = letter(chars.next().unwrap_or_default())?;
        let last = match (chars.next(), chars.next()) {
            (None, _) => first,
            (Some('+'), None) => Revision::ALL.len() - 1,
            (Some('-'), Some(last)) => letter(last)?,
            _ => return Err(format!("`{word}` is no range")),
        };
        Ok((first..=last).contains(&self.revision))
    }

    /// Reads a shape that the revision does not have, without defining the names in it.
    fn skip_shape(&mut self) -> Read<()> {
        let before = (self.shapes.clone(), self.names.clone(), self.skipping);
        self.skipping = true;
        self.shape()?;
        (self.shapes, self.names, self.skipping) = before;
        Ok(())
    }

    fn shape(&mut self) -> Read<Shape> {
        let first = self.product()?;
        let mut options = vec![first];
        while self.peek() == Some("|") {
            self.at += 1;
            options.push(self.product()?);
        }
        Ok(if options.len() == 1 { options.remove(0) } else { Shape::Union(options) })
    }

    fn product(&mut self) -> Read<Shape> {
        let mut shape = self.atom()?;
        while self.peek() == Some("&") {
            self.at += 1;
            let more = self.atom()?;
            let mut members = self.members(&shape)?;
            members.extend(self.members(&more)?);
            shape = Shape::Members(members);
        }
        Ok(shape)
    }

    /// The members of a shape that is, or names, an object defined before.
    fn members(&self, shape: &Shape) -> Read<Vec<Member>> {
        match shape {
            Shape::Members(members) => Ok(members.clone()),
            Shape::Named(at) => match &self.shapes[*at] {
                Some(shape) => self.members(shape),
                None if self.skipping => Ok(Vec::new()),
                None => Err("`&` joins what is defined before".to_owned()),
            },
            _ => Err("`&` joins objects".to_owned()),
        }
    }

    fn atom(&mut self) -> Read<Shape> {
        let word = self.next()?;
        Ok(match word {
            "any" => Shape::Any,
            "null" => Shape::Null,
            "bool" => Shape::Bool,
            "string" => Shape::String,
            "int" => Shape::Integer,
            "count" => Shape::Count,
            "number" => Shape::Number,
            "fraction" => Shape::Fraction,
            "object" => Shape::Object,
            "map" => Shape::Map(Box::new(self.atom()?)),
            "[" => self.list()?,
            "{" => self.object()?,
            _ if word.starts_with('"') => Shape::Literal(word.trim_matches('"')),
            _ => Shape::Named(self.place(word)),
        })
    }

    fn list(&mut self) -> Read<Shape> {
        let item = Box::new(self.shape()?);
        let mut max = None;
        if self.peek() == Some(";") {
            self.at += 1;
            max = Some(self.next()?.parse().map_err(|_| "a number expected after `;`")?);
        }
        self.expect("]")?;
        Ok(Shape::List { item, max })
    }

    fn object(&mut self) -> Read<Shape> {
        let mut members = Vec::new();
        while self.peek() != Some("}") {
            let name = self.next()?;
            let required = self.peek() != Some("?");
            self.at += usize::from(!required);
            if self.range(":")? {
                let shape = self.shape()?;
                members.push(Member { name, required, shape });
            } else {
                self.skip_shape()?;
            }
            if self.peek() == Some(",") {
                self.at += 1;
            }
        }
        self.expect("}")?;
        Ok(Shape::Members(members))
    }

    /// The place of a definition, made where it is new.
    fn place(&mut self, name: &'static str) -> usize {
        let next = self.shapes.len();
        let at = *self.names.entry(name).or_insert(next);
        if at == next {
            self.shapes.push(None);
        }
        at
    }

    fn peek(&self) -> Option<&'static str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Read<&'static str> {
        let token = self.peek().ok_or("the table ends early")?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, mark: &str) -> Read<()> {
        let token = self.next()?;
        if token == mark { Ok(()) } else { Err(format!("`{mark}` expected, not `{token}`")) }
    }
}

/// Words, strings and marks, without comments.
fn tokens(text: &'static str) -> Vec<&'static str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.split_once('#').map_or(line, |(code, _)| code).trim_start();
        while let Some(first) = rest.chars().next() {
            let end = match first {
                '"' => 2 + rest[1..].find('"').unwrap_or(rest.len() - 2),
                '{' | '}' | '[' | ']' | '|' | '&' | '=' | ':' | '?' | ';' | ',' => 1,
                _ => rest
                    .find(|c: char| c.is_whitespace() || "{}[]|&=:?;,\"".contains(c))
                    .unwrap_or(rest.len()),
            };
            tokens.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads_for_every_revision() {
        for revision in Revision::ALL {
            let table = Reader::read(TEXT, revision).unwrap();
            assert!(table.lookup(Kind::Result, "tools/call").is_some());
        }
    }

    #[test]
    fn ranges_choose_members() {
        let text = "X = { a: int, b B+: int, c? A-B: int, d C: int }";
        let members = |revision| match Reader::read(text, revision).unwrap().named("X") {
            Some(Shape::Members(members)) => members.iter().map(|m| m.name).collect::<String>(),
            _ => String::new(),
        };
        assert_eq!(members(Revision::V2024_11_05), "ac");
        assert_eq!(members(Revision::V2025_03_26), "abc");
        assert_eq!(members(Revision::V2025_06_18), "abd");
        assert_eq!(members(Revision::V2026_07_28), "ab");
    }

    #[test]
    fn a_name_without_definition_is_refused() {
        assert!(Reader::read("X = { a: Y }", Revision::V2024_11_05).is_err());
    }
}
