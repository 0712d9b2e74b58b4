//! Redaction: secrets of the input never reach a report, a failure file or an event.

use crate::input::{Target, TooltestInput};
use serde_json::Value;

/// What stands in a secret's place.
const MASK: &str = "[redacted]";
/// Shorter values are not looked for in text: they would hit by chance.
const SHORTEST: usize = 6;

/// Replaces secrets in text and JSON.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    secrets: Vec<String>,
}

impl Redactor {
    /// Knows the secrets of an input: tokens, values of headers and variables with telling names, credentials in URLs.
    pub fn new(input: &TooltestInput) -> Self {
        let mut secrets = Vec::new();
        match &input.target {
            Target::Stdio(stdio) => secrets.extend(
                stdio
                    .env
                    .iter()
                    .filter(|(name, _)| is_secret_name(name))
                    .map(|(_, value)| value.clone()),
            ),
            Target::Http(http) | Target::Sse(http) => {
                secrets.extend(http.auth_token.clone());
                secrets.extend(
                    http.headers
                        .iter()
                        .filter(|(name, _)| is_secret_name(name))
                        .flat_map(|(_, value)| header_secrets(value)),
                );
                secrets.extend(url_secrets(&http.url));
            }
            Target::InProcess(_) => {}
        }
        secrets.retain(|secret| secret.len() >= SHORTEST);
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.dedup();
        Self { secrets }
    }

    /// The text without secrets.
    pub fn text(&self, text: &str) -> String {
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), MASK))
    }

    /// Takes the secrets out of every string of a value, and masks members whose names are telling.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text)
                if self.secrets.iter().any(|secret| text.contains(secret.as_str())) =>
            {
                *text = self.text(text);
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.value(member)),
            _ => {}
        }
    }

    /// The input as a document without secrets, short ones included.
    pub fn input(&self, input: &TooltestInput) -> Value {
        let mut document = serde_json::to_value(input).unwrap_or_default();
        for pointer in ["/target/stdio/env", "/target/http/headers", "/target/sse/headers"] {
            let Some(Value::Object(members)) = document.pointer_mut(pointer) else {
                continue;
            };
            members
                .iter_mut()
                .filter(|(name, _)| is_secret_name(name))
                .for_each(|(_, value)| *value = Value::from(MASK));
        }
        for pointer in ["/target/http/auth_token", "/target/sse/auth_token"] {
            if let Some(token) = document.pointer_mut(pointer) {
                *token = Value::from(MASK);
            }
        }
        self.value(&mut document);
        document
    }
}

/// Whether the name of a header or variable says that its value is secret.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "key",
        "token",
        "secret",
        "pass",
        "pwd",
        "auth",
        "credential",
        "cookie",
        "session",
        "signature",
    ]
    .iter()
    .any(|word| name.contains(word))
}

/// A header's value, and without its scheme.
fn header_secrets(value: &str) -> Vec<String> {
    let bare = value.split_once(' ').map(|(_, rest)| rest.trim().to_owned());
    bare.into_iter().chain([value.to_owned()]).collect()
}

/// Password and telling query values of a URL.
fn url_secrets(url: &str) -> Vec<String> {
    let Ok(url) = url::Url::parse(url) else {
        return Vec::new();
    };
    let query = url
        .query_pairs()
        .filter(|(name, _)| is_secret_name(name))
        .map(|(_, value)| value.into_owned());
    query.chain(url.password().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::HttpTarget;

    #[test]
    fn planted_secrets_are_gone() {
        let mut http = HttpTarget {
            url: "https://u:hunter2222@example.test/mcp?api_key=abcdef123".to_owned(),
            ..HttpTarget::default()
        };
        http.headers.insert("Authorization".to_owned(), "Bearer sk-verysecret".to_owned());
        http.auth_token = Some("tok-123456".to_owned());
        let input = TooltestInput::new(Target::Http(http));
        let redactor = Redactor::new(&input);
        let shown = redactor.input(&input).to_string()
            + &redactor.text("echo sk-verysecret tok-123456 hunter2222 abcdef123");
        for secret in ["sk-verysecret", "tok-123456", "hunter2222", "abcdef123"] {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
    }
}
