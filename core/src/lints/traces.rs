//! Stack traces in text, by language.

use regex::Regex;
use std::sync::LazyLock;

/// A stack trace that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The language that prints such traces.
    pub(super) language: &'static str,
    /// Its first frame.
    pub(super) line: String,
}

/// A language, what must match for its traces, and how many frames there must be.
struct Kind {
    language: &'static str,
    frame: Regex,
    least: usize,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let kind = |language, frame: &str, least| Kind {
        language,
        frame: Regex::new(frame).expect("a test compiles it"),
        least,
    };
    vec![
        kind(
            "Python",
            r#"(?m)^Traceback \(most recent call last\):\s*\n(?:.*\n){0,3}?\s+File "[^"\n]+", line \d+"#,
            1,
        ),
        kind(
            "Node.js",
            r"(?m)^\s+at (?:async )?(?:[^\n()]+ \()?(?:file://|node:|/|[A-Za-z]:\\)[^\n()]+:\d+:\d+\)?\s*$",
            2,
        ),
        kind("Java", r"(?m)^\s*at [\w.$<>/]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\)\s*$", 2),
        kind("Rust", r"(?m)^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]+\.rs:\d+:\d+", 1),
        kind("Go", r"(?m)^goroutine \d+ \[[a-z ]+\]:", 1),
        kind(".NET", r"(?m)^\s+at [\w.`<>\[\], ]+\([^\n]*\) in [^\n]+\.cs:line \d+\s*$", 1),
    ]
});

/// The first stack trace in a text.
pub(crate) fn find_trace(text: &str) -> Option<Trace> {
    KINDS.iter().find_map(|kind| {
        let mut frames = kind.frame.find_iter(text);
        let first = frames.next()?;
        let enough = kind.least == 1 || frames.nth(kind.least - 2).is_some();
        let line = first.as_str().lines().map(str::trim).find(|line| !line.is_empty())?;
        enough.then(|| Trace { language: kind.language, line: super::look::shorten(line, 120) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(text: &str) -> Option<&'static str> {
        find_trace(text).map(|trace| trace.language)
    }

    #[test]
    fn traces_of_each_language_are_found() {
        let cases = [
            (
                "Python",
                "boom\nTraceback (most recent call last):\n  File \"/a.py\", line 3, in f\n    g()\nValueError: x",
            ),
            ("Node.js", "Error: x\n    at f (/srv/a.js:1:2)\n    at async node:internal/x:3:4"),
            (
                "Java",
                "java.lang.NullPointerException\n\tat com.x.Y.f(Y.java:3)\n\tat com.x.Y.g(Y.java:9)",
            ),
            ("Rust", "thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds"),
            ("Go", "panic: x\n\ngoroutine 1 [running]:\nmain.main()"),
            (
                ".NET",
                "System.Exception: x\n   at App.Program.Main(String[] args) in /src/Program.cs:line 7",
            ),
        ];
        for (expected, text) in cases {
            assert_eq!(language(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn words_about_errors_are_no_traces() {
        for text in [
            "Error: file not found at /srv/a.js:1:2",
            "KeyError: 'x'",
            "Look at (line 3) in the file",
            "    at 10:30:00 the job stopped",
            "Traceback (most recent call last) is what Python prints",
        ] {
            assert_eq!(language(text), None, "{text}");
        }
    }
}
