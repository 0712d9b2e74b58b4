//! `pattern` regular expressions: compiled once for matching and, as a small tree, for sampling.

use fancy_regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// Steps a matcher may backtrack before the string counts as no match.
const BACKTRACK_LIMIT: usize = 100_000;

/// Code points of a class that are kept for sampling.
const MAX_RANGES: usize = 64;

/// A pattern, ready to match and to be sampled from.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// The pattern as the schema has it.
    pub(crate) source: String,
    /// The matcher; `None` if the pattern is no regular expression that can be compiled.
    regex: Option<Regex>,
    /// What to sample from; look-around is left out, so samples must be matched again.
    pub(crate) piece: Option<Piece>,
}

/// A part of a pattern that can be sampled.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Fixed text, possibly empty.
    Text(String),
    /// One character of a set: its printable ASCII members, and all its ranges.
    Set { ascii: Vec<char>, ranges: Vec<(char, char)> },
    /// A repetition; no maximum means any number.
    Repeat { min: u32, max: Option<u32>, inner: Box<Piece> },
    /// One after the other.
    Sequence(Vec<Piece>),
    /// One of these.
    OneOf(Vec<Piece>),
}

impl Pattern {
    /// Compiles an ECMA-262 pattern as well as it can be.
    pub(crate) fn new(source: &str) -> Self {
        let translated = jsonschema_regex::to_rust_regex(source).ok();
        let text = translated.as_deref().unwrap_or(source);
        let regex = RegexBuilder::new(text).backtrack_limit(BACKTRACK_LIMIT).build().ok();
        let hir = parse(text).or_else(|| parse(&without_lookaround(text)));
        Self { source: source.to_owned(), regex, piece: hir.as_ref().map(Piece::from_hir) }
    }

    /// Whether the pattern matches somewhere in `text`. A pattern that cannot be compiled matches everything.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.regex.as_ref().is_none_or(|regex| regex.is_match(text).unwrap_or(false))
    }
}

impl Pattern {
    /// A string that matches, as the schema library knows one.
    pub(crate) fn witness(&self) -> Option<String> {
        jsonschema_regex::pattern_witness(&self.source)
    }
}

fn parse(text: &str) -> Option<Hir> {
    regex_syntax::ParserBuilder::new().nest_limit(100).build().parse(text).ok()
}

/// The pattern without its look-around groups, and with the groups themselves in place of back-references to them: a
/// sample matches the pattern by luck, where it does at all.
fn without_lookaround(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut kept = String::with_capacity(text.len());
    let mut index = 0;
    while index < chars.len() {
        let rest = &chars[index..];
        if starts_lookaround(rest) {
            index += group_length(rest);
            continue;
        }
        if rest[0] == '\\' && rest.len() > 1 {
            match rest[1].to_digit(10).filter(|number| *number > 0) {
                Some(number) => kept.push_str(&group(&chars, number)),
                None => kept.extend(&rest[..2]),
            }
            index += 2;
            continue;
        }
        kept.push(rest[0]);
        index += 1;
    }
    kept
}

/// The text of the capturing group of this number; empty if there is none.
fn group(chars: &[char], number: u32) -> String {
    let (mut seen, mut in_class, mut index) = (0, false, 0);
    while index < chars.len() {
        match chars[index] {
            '\\' => index += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class && chars.get(index + 1) != Some(&'?') => {
                seen += 1;
                if seen == number {
                    let rest = &chars[index..];
                    return rest[..group_length(rest)].iter().collect();
                }
            }
            _ => {}
        }
        index += 1;
    }
    String::new()
}

fn starts_lookaround(rest: &[char]) -> bool {
    matches!(rest, ['(', '?', '=' | '!', ..] | ['(', '?', '<', '=' | '!', ..])
}

/// The number of characters of the group that `rest` starts with.
fn group_length(rest: &[char]) -> usize {
    let (mut depth, mut in_class, mut index) = (0_usize, false, 0);
    while index < rest.len() {
        match rest[index] {
            '\\' => index += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => {
                depth -= 1;
                if depth == 0 {
                    return index + 1;
                }
            }
            _ => {}
        }
        index += 1;
    }
    rest.len()
}

impl Piece {
    fn from_hir(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::Text(String::new()),
            HirKind::Literal(literal) => {
                Self::Text(String::from_utf8_lossy(&literal.0).into_owned())
            }
            HirKind::Class(class) => Self::from_class(class),
            HirKind::Repetition(repetition) => Self::Repeat {
                min: repetition.min,
                max: repetition.max,
                inner: Box::new(Self::from_hir(&repetition.sub)),
            },
            HirKind::Capture(capture) => Self::from_hir(&capture.sub),
            HirKind::Concat(parts) => Self::Sequence(parts.iter().map(Self::from_hir).collect()),
            HirKind::Alternation(parts) => Self::OneOf(parts.iter().map(Self::from_hir).collect()),
        }
    }

    fn from_class(class: &Class) -> Self {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => {
                class.iter().map(|range| (range.start(), range.end())).collect()
            }
            Class::Bytes(class) => class
                .iter()
                .map(|range| (char::from(range.start()), char::from(range.end())))
                .collect(),
        };
        let ascii = (' '..='~')
            .filter(|c| ranges.iter().any(|(low, high)| low <= c && c <= high))
            .collect();
        Self::Set { ascii, ranges: ranges.into_iter().take(MAX_RANGES).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookaround_is_left_out_of_the_sampled_tree() {
        assert_eq!(without_lookaround(r"^(?=.*[A-Z)])(?!x\))a(b)\1\d+$"), r"^a(b)(b)\d+$");
        let pattern = Pattern::new(r"^(?=.*\d)[a-z0-9]{4}$");
        assert!(pattern.piece.is_some());
        assert!(pattern.matches("abc1"));
        assert!(!pattern.matches("abcd"));
    }

    #[test]
    fn ecma_digits_are_ascii() {
        assert!(!Pattern::new(r"^\d$").matches("٣"));
        assert!(Pattern::new("b").matches("abc"));
    }
}
