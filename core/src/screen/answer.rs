//! Answers as screening sees them: one number for all answers of one kind, and nothing for those that need a closer look.

use super::skeleton::{Scan, mix, mix_bytes, skeleton};
use crate::input::{Target, TooltestInput};
use crate::outcome::reads_as_error;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem::Finder;
use std::ops::Range;

/// Longer answers get a closer look.
const LONGEST: usize = 16 * 1024;
/// Shorter values of variables and headers turn up by chance.
const SECRET: usize = 8;

/// Words that programs write when something is wrong with them: an answer with one of them always gets a closer look.
const GRAVE: &[&str] = &[
    "traceback",
    "exception",
    "panic",
    "goroutine",
    "nonetype",
    "undefined",
    "is not a",
    "is not iterable",
    "object has no",
    "out of range",
    "out of bounds",
    "stack size",
    "recursion",
    "nullpointer",
];
/// Words that may stand in such messages, too: an answer is like another one only if it has the same of these.
const WORDS: &[&str] = &[
    "error",
    "fail",
    "fatal",
    "invalid",
    "unexpected",
    "unable",
    "cannot",
    "can't",
    "could not",
    "not ",
    "object",
    "index",
    "argument",
    "missing",
    "nan",
    "unpack",
    "hashable",
    "operand",
    "convert",
    "borrowed",
    "overflow",
    "referenced",
    "supported",
    "destructure",
    "circular",
    "initialization",
    "must be",
    "codec",
    "boundary",
    " at ",
    "concatenate",
    "serializ",
    "compare",
    "embedded",
    "too large",
    "constant",
    "null",
    "❌",
];

/// Reads answers.
pub(super) struct Reader {
    words: AhoCorasick,
    /// What was passed to the server besides arguments.
    secrets: Vec<Finder<'static>>,
    scratch: Vec<u8>,
    /// Room for where the strings of an answer are.
    strings: Vec<Range<usize>>,
}

/// An answer that a first look finds nothing wrong with.
pub(super) struct Answer<'l> {
    pub(super) id: u64,
    /// Equal for answers of the same kind.
    pub(super) kind: u64,
    /// The structured content as written.
    pub(super) structured: Option<&'l [u8]>,
}

/// What is read of a result.
#[derive(Default)]
struct Parts<'l> {
    hash: u64,
    structured: Option<&'l [u8]>,
    /// The first text that is JSON.
    text: Option<&'l [u8]>,
    /// Whether words make it worth to look how texts begin, and whether one of them reads as an error.
    wary: bool,
    sorry: bool,
}

impl Reader {
    pub(super) fn new(input: &TooltestInput) -> Self {
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .prefilter(false)
            .build(GRAVE.iter().chain(WORDS))
            .expect("a few short words");
        let mut given: Vec<&String> = Vec::new();
        match &input.target {
            Target::Stdio(stdio) => given.extend(stdio.env.values()),
            Target::Http(http) | Target::Sse(http) => {
                given.extend(http.headers.values().chain(&http.auth_token));
            }
            Target::InProcess(_) => {}
        }
        let bare = |value: &&String| value.strip_prefix("Bearer ").unwrap_or(value).to_owned();
        let secrets = given.iter().map(bare).filter(|value| value.len() >= SECRET);
        let secrets = secrets.map(|value| Finder::new(value.as_bytes()).into_owned()).collect();
        Self { words, secrets, scratch: Vec::new(), strings: Vec::new() }
    }

    /// Reads an answer; `head` is what came before it over HTTP.
    pub(super) fn read<'l>(&mut self, head: &[u8], line: &'l [u8]) -> Option<Answer<'l>> {
        let odd = line.len() > LONGEST || line.last() == Some(&b'\r');
        if odd || std::str::from_utf8(line).is_err() {
            return None;
        }
        if self.secrets.iter().any(|secret| secret.find(line).is_some()) {
            return None;
        }
        let mut scan = Scan::with_strings(line, std::mem::take(&mut self.strings));
        let read = self.whole(&mut scan, false);
        self.strings = scan.strings.take().unwrap_or_default();
        let (id, hash, parts) = read?;
        let words = self.words_in(line)?;
        // How texts begin is looked at where such words make it worth that.
        if words != 0 && self.whole(&mut Scan::new(line), true)?.2.sorry {
            return None;
        }
        let mirrored = self.is_mirrored(&parts);
        let more = [hash, parts.hash, words, u64::from(mirrored)];
        let kind = more.into_iter().fold(head_kind(head), mix);
        Some(Answer { id, kind, structured: parts.structured })
    }

    /// The id of a whole answer, what kind of frame it is in, and its result.
    fn whole<'l>(&mut self, scan: &mut Scan<'l>, wary: bool) -> Option<(u64, u64, Parts<'l>)> {
        let (mut id, mut version, mut parts, mut hash) = (None, false, None, 0);
        scan.members(|scan, name| {
            hash = mix_bytes(hash, name);
            match name {
                b"result" => parts = Some(self.result(scan, wary)?),
                b"id" => id = number(scan.span(|scan| scan.value(0))?.0),
                b"jsonrpc" => version = scan.string()? == b"2.0",
                _ => hash = mix_bytes(hash, scan.span(|scan| scan.value(0))?.0),
            }
            Some(())
        })?;
        let parts = parts.filter(|_| version && scan.is_at_end())?;
        Some((id?, hash, parts))
    }

    /// The words that the strings of the answer read last have, as bits; none if there is a grave one. Names make a kind of their own.
    fn words_in(&self, line: &[u8]) -> Option<u64> {
        let mut words = 0;
        for string in &self.strings {
            let string = &line[string.clone()];
            // Most have none, which is soon told.
            if !self.words.is_match(string) {
                continue;
            }
            for found in self.words.find_overlapping_iter(string) {
                let word = found.pattern().as_usize().checked_sub(GRAVE.len())?;
                words |= 1 << word;
            }
        }
        Some(words)
    }

    fn result<'l>(&mut self, scan: &mut Scan<'l>, wary: bool) -> Option<Parts<'l>> {
        let mut parts = Parts { wary, ..Parts::default() };
        scan.members(|scan, name| {
            parts.hash = mix_bytes(parts.hash, name);
            match name {
                b"content" => scan.items(|scan| self.block(scan, &mut parts))?,
                b"structuredContent" => {
                    let (text, kind) = scan.span(|scan| scan.value(0))?;
                    parts.structured = Some(text);
                    parts.hash = mix(parts.hash, kind);
                }
                _ => {
                    let (text, _) = scan.span(|scan| scan.value(0))?;
                    if name == b"isError" && text == b"true" {
                        return None;
                    }
                    parts.hash = mix_bytes(parts.hash, text);
                }
            }
            Some(())
        })?;
        Some(parts)
    }

    /// A content block: of text what kind of text it is, of others every byte.
    fn block<'l>(&mut self, scan: &mut Scan<'l>, parts: &mut Parts<'l>) -> Option<()> {
        let (mut text, mut hash, mut is_text) = (None, parts.hash, false);
        scan.members(|scan, name| {
            hash = mix_bytes(hash, name);
            if name == b"text" && scan.next()? == b'"' {
                text = Some(scan.string_value()?);
                return Some(());
            }
            let (value, _) = scan.span(|scan| scan.value(0))?;
            is_text |= name == b"type" && value == b"\"text\"";
            hash = mix_bytes(hash, value);
            Some(())
        })?;
        let kind = match text {
            Some(text) if is_text => self.text(text, parts),
            Some(text) => mix_bytes(1, text),
            None => 2,
        };
        parts.hash = mix(hash, kind);
        Some(())
    }

    /// The kind of a text: the skeleton where it is JSON.
    fn text<'l>(&mut self, text: &'l [u8], parts: &mut Parts<'l>) -> u64 {
        let begins = text.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        if matches!(begins, Some(b'{' | b'[' | b'\\')) {
            unescape(text, &mut self.scratch);
            if matches!(self.scratch.trim_ascii_start().first(), Some(b'{' | b'['))
                && let Some(kind) = skeleton(&self.scratch)
            {
                parts.text = parts.text.or(Some(text));
                return mix(3, kind);
            }
        }
        let head = &text[..text.len().min(200)];
        parts.sorry |= parts.wary && reads_as_error(&String::from_utf8_lossy(head));
        4 + u64::from(text.is_empty())
    }

    /// Whether the text says what the structured content says.
    fn is_mirrored(&mut self, parts: &Parts<'_>) -> bool {
        let (Some(text), Some(structured)) = (parts.text, parts.structured) else {
            return false;
        };
        unescape(text, &mut self.scratch);
        let read = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).ok();
        self.scratch == structured || read(&self.scratch) == read(structured)
    }
}

/// The kind of an HTTP head: its headers without times, lengths and marks of the one response.
fn head_kind(head: &[u8]) -> u64 {
    const OWN: &[&[u8]] = &[b"date", b"content-length", b"etag", b"x-request-id"];
    let mut hash = 0;
    if head.is_empty() {
        return hash;
    }
    for line in head.split(|byte| *byte == b'\n').skip(1) {
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        hash = mix_bytes(hash, name);
        if !OWN.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            hash = mix_bytes(hash, value);
        }
    }
    hash
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The characters of a string; those beyond ASCII that are escaped become a question mark, which tells kinds as well.
fn unescape(text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let (byte, used) = match rest.get(at + 1) {
            Some(b'n') => (b'\n', 2),
            Some(b't') => (b'\t', 2),
            Some(b'r') => (b'\r', 2),
            Some(b'b') => (8, 2),
            Some(b'f') => (12, 2),
            Some(b'u') => {
                let digits =
                    rest.get(at + 2..at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                (
                    code.and_then(|code| u8::try_from(code).ok())
                        .filter(u8::is_ascii)
                        .unwrap_or(b'?'),
                    6,
                )
            }
            Some(byte) => (*byte, 2),
            None => (b'\\', 1),
        };
        out.push(byte);
        rest = rest.get(at + used..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::StdioTarget;

    fn kind(line: &str) -> Option<u64> {
        let env = [("KEY".to_owned(), "sk-12345678".to_owned())].into();
        let target = Target::Stdio(StdioTarget { env, ..StdioTarget::default() });
        let mut reader = Reader::new(&TooltestInput::new(target));
        let answer = reader.read(b"", line.as_bytes())?;
        assert_eq!(answer.id, 7);
        Some(answer.kind)
    }

    fn text(text: &str) -> Option<u64> {
        let block = serde_json::json!([{"type": "text", "text": text}]);
        kind(&format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"content":{block}}}}}"#))
    }

    #[test]
    fn answers_of_one_kind_are_alike() {
        assert_eq!(text("a sum of 17"), text("a sum of 18"));
        assert_eq!(text(r#"{"ok": true, "n": 1}"#), text(r#"{"ok": true, "n": 22}"#));
        assert!(text("a sum").is_some());
        let kinds = [
            text("a sum of 17"),
            text(""),
            text(r#"{"ok": true, "n": 1}"#),
            text(r#"{"ok": false, "n": 1}"#),
            text(r#"{"status": "failed"}"#),
            text(r#"{"status": "done"}"#),
            text("it could not be done"),
        ];
        for (at, kind) in kinds.iter().enumerate() {
            assert!(kind.is_some() && !kinds[..at].contains(kind), "{at}");
        }
    }

    #[test]
    fn what_needs_a_closer_look_has_no_kind() {
        assert_eq!(text("Error: no such thing"), None);
        assert_eq!(text("Traceback (most recent call last):"), None);
        assert_eq!(text("the key is sk-12345678"), None);
        assert_eq!(text(&"x".repeat(20_000)), None);
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}}"#,
            r#"{"jsonrpc":"1.0","id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[]}}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{}} {}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{}"#,
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\r",
        ] {
            assert_eq!(kind(line), None, "{line}");
        }
    }

    #[test]
    fn a_text_that_says_something_else_than_the_structured_content_is_of_another_kind() {
        let of = |text: &str| {
            let text = serde_json::json!(text);
            kind(&format!(
                r#"{{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":{text}}}],"structuredContent":{{"n":1}}}}}}"#
            ))
        };
        assert_eq!(of(r#"{"n":1}"#), of(r#"{ "n": 1 }"#));
        assert_ne!(of(r#"{"n":1}"#), of(r#"{"n":2}"#));
    }
}
