//! Why the runner does not do what it is asked, or could not: a code for programs, a sentence for people and models.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of refusal or failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Code {
    /// The script is not on the list or leaves the root, or the caller may not call.
    #[serde(rename = "E_FORBIDDEN")]
    Forbidden,
    /// The request is malformed, or an argument or its value is not allowed.
    #[serde(rename = "E_BAD_ARG")]
    BadArg,
    /// The script took longer than it may; it was ended with everything that it had started.
    #[serde(rename = "E_TIMEOUT")]
    Timeout,
    /// The script could not be started, or its caller went away.
    #[serde(rename = "E_EXEC")]
    Exec,
    /// Another rule of the policy: variables, the number of runs at once, the audit log.
    #[serde(rename = "E_POLICY")]
    Policy,
}

impl Code {
    /// The code as it is written.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Forbidden => "E_FORBIDDEN",
            Self::BadArg => "E_BAD_ARG",
            Self::Timeout => "E_TIMEOUT",
            Self::Exec => "E_EXEC",
            Self::Policy => "E_POLICY",
        }
    }
}

/// A refusal or failure. The message says what would be allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Refusal {
    /// The code.
    pub(crate) code: Code,
    /// What is wrong and what would be allowed.
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(Code::Forbidden, message)
    }

    pub(crate) fn bad_arg(message: impl Into<String>) -> Self {
        Self::new(Code::BadArg, message)
    }

    pub(crate) fn policy(message: impl Into<String>) -> Self {
        Self::new(Code::Policy, message)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

/// Names for a message: each in backticks, at most twenty.
pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 20;
    let all: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match all.len() {
        0 => "none".to_owned(),
        count if count > SHOWN => {
            format!("{} and {} more", all[..SHOWN].join(", "), count - SHOWN)
        }
        _ => all.join(", "),
    }
}

/// A piece of what a caller sent, for a message: control characters escaped, at most 80 characters.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut short: String = text.chars().take(SHOWN).flat_map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

fn visible(letter: char) -> impl Iterator<Item = char> {
    let escaped = letter.is_control();
    let plain = (!escaped).then_some(letter);
    let escape = escaped.then(|| letter.escape_default());
    plain.into_iter().chain(escape.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_caller_sent_is_shown_in_one_short_line() {
        assert_eq!(shown("a\nb\0"), "`a\\nb\\u{0}`");
        assert_eq!(shown(&"é".repeat(81)), format!("`{}…`", "é".repeat(80)));
        assert_eq!(names([]), "none");
        assert!(names(["x"; 25]).ends_with("`x` and 5 more"));
    }

    #[test]
    fn codes_are_written_as_they_are_serialised() {
        for code in [Code::Forbidden, Code::BadArg, Code::Timeout, Code::Exec, Code::Policy] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
