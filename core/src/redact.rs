//! Redaction: secrets of the input never reach a report, a failure file or an event.

use crate::error::Error;
use crate::finding::Finding;
use crate::input::{Target, TooltestInput};
use crate::session::OpenError;
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
    /// Knows the secrets of an input: tokens, values of headers and variables that are or look secret, credentials in URLs;
    /// each also as JSON and URLs write it.
    pub fn new(input: &TooltestInput) -> Self {
        let mut secrets = Vec::new();
        match &input.target {
            Target::Stdio(stdio) => {
                for (name, value) in &stdio.env {
                    if is_secret(name, value) {
                        secrets.push(value.clone());
                    }
                    secrets.extend(url_secrets(value));
                }
            }
            Target::Http(http) | Target::Sse(http) => {
                secrets.extend(http.auth_token.clone());
                let telling = http.headers.iter().filter(|(name, value)| is_secret(name, value));
                secrets.extend(telling.flat_map(|(_, value)| header_secrets(value)));
                secrets.extend(url_secrets(&http.url));
            }
            Target::InProcess(_) => {}
        }
        let mut all: Vec<String> = secrets.iter().flat_map(|secret| spellings(secret)).collect();
        all.retain(|secret| secret.len() >= SHORTEST);
        all.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
        all.dedup();
        Self { secrets: all }
    }

    /// The text without secrets.
    pub fn text(&self, text: &str) -> String {
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), MASK))
    }

    fn holds(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| text.contains(secret.as_str()))
    }

    /// Takes the secrets out of every string of a value, names of members included.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.holds(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(members) => {
                if members.keys().any(|name| self.holds(name)) {
                    let old = std::mem::take(members);
                    members
                        .extend(old.into_iter().map(|(name, member)| (self.text(&name), member)));
                }
                members.values_mut().for_each(|member| self.value(member));
            }
            _ => {}
        }
    }

    /// A finding without secrets.
    pub(crate) fn finding(&self, finding: Finding) -> Finding {
        let Ok(mut document) = serde_json::to_value(&finding) else { return finding };
        self.value(&mut document);
        serde_json::from_value(document).unwrap_or(finding)
    }

    /// An error without secrets: what a server wrote before it failed may hold them.
    pub(crate) fn error(&self, mut error: Error) -> Error {
        let hide = |text: &mut String| *text = self.text(text);
        match &mut error {
            Error::Hook(text) | Error::Bug(text) => hide(text),
            Error::Open(open) => match open {
                OpenError::ExitedAtOnce { exit } => hide(&mut exit.stderr),
                OpenError::Timeout { stderr, .. } => hide(stderr),
                OpenError::BadUrl { url, reason } => {
                    hide(url);
                    hide(reason);
                }
                OpenError::HttpStatus { body: text, .. }
                | OpenError::Rejected { message: text, .. }
                | OpenError::Protocol(text)
                | OpenError::Connect(text) => hide(text),
                _ => {}
            },
            _ => {}
        }
        error
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
                .filter(|(name, value)| is_secret(name, value.as_str().unwrap_or_default()))
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

/// Whether a header or variable is secret, by its name or by what its value looks like.
fn is_secret(name: &str, value: &str) -> bool {
    is_secret_name(name) || looks_random(value)
}

/// Whether a value looks like a token: long, one word, letters and digits mixed.
fn looks_random(value: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+=~".contains(&byte);
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() >= 16 && value.bytes().all(is_part) && letters >= 4 && digits >= 3
}

/// A secret as it is, as JSON text has it, and as URLs have it.
fn spellings(secret: &str) -> Vec<String> {
    let json = Value::from(secret).to_string();
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    vec![secret.to_owned(), json.trim_matches('"').to_owned(), form.replace('+', "%20"), form]
}

/// A header's value, and without its scheme.
fn header_secrets(value: &str) -> Vec<String> {
    let bare = value.split_once(' ').map(|(_, rest)| rest.trim().to_owned());
    bare.into_iter().chain([value.to_owned()]).collect()
}

/// Password and telling query values of a URL, as written and decoded, and the header that the credentials become.
fn url_secrets(url: &str) -> Vec<String> {
    use base64::Engine as _;
    let Ok(url) = url::Url::parse(url) else {
        return Vec::new();
    };
    let mut secrets = Vec::new();
    let decoded = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned()));
    let written = url.query().into_iter().flat_map(|query| query.split('&')).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.to_owned())
    });
    secrets.extend(
        decoded
            .chain(written)
            .filter(|(name, value)| is_secret(name, value))
            .map(|(_, value)| value),
    );
    if let Some(password) = url.password() {
        let plain = percent_encoding::percent_decode_str(password).decode_utf8_lossy().into_owned();
        let user = percent_encoding::percent_decode_str(url.username()).decode_utf8_lossy();
        secrets.push(base64::engine::general_purpose::STANDARD.encode(format!("{user}:{plain}")));
        secrets.extend([password.to_owned(), plain]);
    }
    secrets
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
    #[test]
    fn other_spellings_are_gone_too() {
        let mut stdio = crate::input::StdioTarget::default();
        let mut set =
            |name: &str, value: &str| drop(stdio.env.insert(name.to_owned(), value.to_owned()));
        set("API_KEY", "a\"b\\c d+e");
        set("UPSTREAM", "postgres://u:p%40ss-word@db/x");
        set("PLAIN_LOOKING", "ghp0123456789abcdef");
        set("MODE", "development");
        let redactor = Redactor::new(&TooltestInput::new(Target::Stdio(stdio)));
        for text in [
            "a\"b\\c d+e",
            r#"a\"b\\c d+e"#,
            "a%22b%5Cc+d%2Be",
            "p@ss-word",
            "p%40ss-word",
            "ghp0123456789abcdef",
        ] {
            assert_eq!(redactor.text(text), MASK, "{text}");
        }
        assert_eq!(redactor.text("development"), "development");
        let mut document = serde_json::json!({"ghp0123456789abcdef": [{"x": "p@ss-word"}]});
        redactor.value(&mut document);
        assert_eq!(document, serde_json::json!({MASK: [{"x": MASK}]}));
    }
}
