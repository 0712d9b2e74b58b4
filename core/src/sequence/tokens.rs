//! Values in prose: ids, numbers, addresses, paths, quoted spans and labelled values, by kind and place, so that a binding can
//! find the same value again in another run's answer.

/// A value found in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// `uuid`, `hex`, `number`, `uri`, `path`, `word_number`, `quoted`, or `labelled:NAME` (the word before it).
    pub kind: String,
    /// Which one of that kind, from 0.
    pub index: usize,
    /// The text.
    pub text: String,
}

/// How many tokens a text yields at most.
const CAP: usize = 96;

/// Endings of files: what else has a dot in it is a sentence, a version or the name of a member.
const ENDINGS: &[&str] = &[
    "bak",
    "bmp",
    "c",
    "cfg",
    "conf",
    "cpp",
    "css",
    "csv",
    "db",
    "docx",
    "drawio",
    "excalidraw",
    "gif",
    "go",
    "gz",
    "h",
    "htm",
    "html",
    "ini",
    "ipynb",
    "java",
    "jpeg",
    "jpg",
    "js",
    "json",
    "jsonl",
    "jsx",
    "lock",
    "log",
    "md",
    "mp3",
    "mp4",
    "parquet",
    "pdf",
    "php",
    "png",
    "pptx",
    "py",
    "rb",
    "rs",
    "sh",
    "sql",
    "sqlite",
    "svg",
    "tar",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "wav",
    "webp",
    "xls",
    "xlsx",
    "xml",
    "yaml",
    "yml",
    "zip",
];

/// The tokens of a text in order; at most 96.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Finder::default();
    for line in text.lines().take(400) {
        found.line(line);
        if found.tokens.len() >= CAP {
            break;
        }
    }
    found.tokens
}

/// The token of that kind and place.
pub fn token(text: &str, kind: &str, index: usize) -> Option<String> {
    tokens(text).into_iter().find(|t| t.kind == kind && t.index == index).map(|t| t.text)
}

#[derive(Default)]
struct Finder {
    tokens: Vec<Token>,
}

impl Finder {
    fn push(&mut self, kind: String, text: &str) {
        if text.is_empty() || text.len() > 400 || self.tokens.len() >= CAP {
            return;
        }
        let index = self.tokens.iter().filter(|t| t.kind == kind).count();
        self.tokens.push(Token { kind, index, text: text.to_owned() });
    }

    fn line(&mut self, line: &str) {
        if let Some((label, value)) = labelled(line) {
            self.push(format!("labelled:{label}"), value);
        }
        self.quoted(line);
        let mut before = String::new();
        for word in line.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '=' | '|')) {
            let bare = word.trim_matches(|c: char| {
                !c.is_alphanumeric() && !matches!(c, '/' | '.' | '_' | '~')
            });
            let bare = bare.trim_end_matches(['.', ':', ')']);
            if bare.is_empty() {
                continue;
            }
            if let Some(kind) = kind_of(bare) {
                if matches!(kind, "uuid" | "hex" | "word_number" | "number") && is_label(&before) {
                    self.push(format!("labelled:{}", before.to_lowercase()), bare);
                }
                self.push(kind.to_owned(), bare);
            }
            bare.clone_into(&mut before);
        }
    }

    fn quoted(&mut self, line: &str) {
        for quote in ['"', '`', '\''] {
            let mut rest = line;
            let mut before: Option<char> = None;
            while let Some(open) = rest.find(quote) {
                let after = &rest[open + quote.len_utf8()..];
                let left = rest[..open].chars().next_back().or(before);
                before = Some(quote);
                // An apostrophe inside a word opens nothing.
                if left.is_some_and(char::is_alphanumeric) {
                    rest = after;
                    continue;
                }
                let Some(close) = after.find(quote) else {
                    break;
                };
                if close > 0 && close <= 80 {
                    self.push("quoted".to_owned(), &after[..close]);
                }
                rest = &after[close + quote.len_utf8()..];
            }
        }
    }
}

/// `Label: value` or `- **Label**: value` over a whole line.
fn labelled(line: &str) -> Option<(String, &str)> {
    let (label, value) = line.split_once(": ")?;
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    let value = value.trim().trim_matches(|c| matches!(c, '`' | '"' | '*'));
    let words = label.split_whitespace().count();
    ((1..=3).contains(&words) && label.len() <= 30 && !value.is_empty() && value.len() <= 120)
        .then(|| (label.to_lowercase().replace(' ', "_"), value))
}

fn is_label(word: &str) -> bool {
    word.len() >= 2
        && word.len() <= 20
        && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
}

fn kind_of(word: &str) -> Option<&'static str> {
    let bytes = word.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if word.contains("://") {
        return Some("uri");
    }
    if is_uuid(bytes) {
        return Some("uuid");
    }
    if digits == bytes.len() && bytes.len() <= 15 {
        return Some("number");
    }
    if bytes.len() >= 7
        && bytes.len() <= 64
        && digits > 0
        && bytes.iter().all(u8::is_ascii_hexdigit)
    {
        return Some("hex");
    }
    if (word.starts_with('/') || word.starts_with("./") || word.starts_with('~')) && bytes.len() > 1
    {
        return Some("path");
    }
    let id_like = digits > 0
        && bytes.len() >= 3
        && bytes.len() <= 64
        && bytes[0].is_ascii_alphabetic()
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if id_like {
        return Some("word_number");
    }
    let file_like = word.len() <= 80
        && word.rsplit_once('.').is_some_and(|(stem, ext)| {
            stem.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && !stem.contains(['[', ']', '(', ')', '{', '}'])
                && ENDINGS.contains(&ext)
        });
    file_like.then_some("path")
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_yields_ids_with_their_labels() {
        let found = tokens("Created task tsk_ab12 in project prj_9f.\nStatus: open");
        let of = |kind: &str| {
            found.iter().filter(|t| t.kind == kind).map(|t| t.text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of("labelled:task"), ["tsk_ab12"]);
        assert_eq!(of("word_number"), ["tsk_ab12", "prj_9f"]);
        assert_eq!(of("labelled:status"), ["open"]);
        assert_eq!(token("a req-1 b req-2", "word_number", 1).as_deref(), Some("req-2"));
    }

    #[test]
    fn quotes_inside_words_do_not_open_spans() {
        let found = tokens("don't stop 'main' branch");
        assert_eq!(
            found
                .iter()
                .filter(|t| t.kind == "quoted")
                .map(|t| t.text.as_str())
                .collect::<Vec<_>>(),
            ["main"]
        );
    }
}
