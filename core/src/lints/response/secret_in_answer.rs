//! `secret_in_answer`.

use crate::input::{Target, TooltestInput};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::feedback::error_text;
use regex::Regex;
use std::sync::LazyLock;

lint! {
    /// A secret that was passed to the server stands in an answer.
    ///
    /// Whatever is in an answer goes to the model and into its logs. Looked for are the values of environment variables and
    /// headers of the target whose names say that they are secret, and, in what explains a failure, long values that are called a
    /// key, a token, a secret or a password.
    SecretInAnswer(Response, Warning) {}
    spec: "", fix: "Leave credentials out of results and error messages."
}

/// Values shorter than that turn up by chance.
const SHORTEST: usize = 8;

impl Lint for SecretInAnswer {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if context.outcome.kind.is_refusal() {
            problems.extend(labelled(context));
        }
        let secrets = secrets(context.input);
        let Some(frame) = context.exchange.frame.as_ref().filter(|_| !secrets.is_empty()) else {
            return;
        };
        if context.tool.is_some_and(|tool| shows_environment(&tool.name, tool.description())) {
            return;
        }
        let sent = context.exchange.params.to_string();
        let answer = String::from_utf8_lossy(&frame.bytes);
        let shown =
            secrets.iter().find(|(_, secret)| answer.contains(secret) && !sent.contains(secret));
        if let Some((name, _)) = shown {
            problems.push(Problem::new(
                format!("value of {name}"),
                format!("the answer contains the value of {name}"),
            ));
        }
    }
}

static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)\b((?:[a-z]+[_-])*(?:api[_-]?key|access[_-]?key|secret|password|token))\\*["']?\s*[:=]\s*\\*["']?([A-Za-z0-9_+/-]{20,})"#,
    )
    .expect("built-in patterns are valid")
});

/// Tokens by these names are no secrets.
const HARMLESS: &[&str] = &["page", "progress", "next", "continuation", "cursor"];

/// A value in a refusal that is called a secret, has the make of one, and was not sent.
fn labelled(context: &ResponseContext<'_>) -> Option<Problem> {
    let text = error_text(context.exchange);
    let made = |value: &str| {
        value.contains(|c: char| c.is_ascii_digit()) && value.contains(|c: char| c.is_alphabetic())
    };
    let found = LABELLED.captures_iter(&text).find(|found| {
        let name = found[1].to_lowercase();
        made(&found[2]) && !HARMLESS.iter().any(|word| name.contains(word))
    })?;
    let name = &found[1];
    (!context.exchange.params.to_string().contains(&found[2])).then(|| {
        let message = format!("the refusal shows what it calls `{name}`");
        Problem::new("secret in a refusal", message)
    })
}

/// The names and values of what was passed to the server and looks secret.
fn secrets(input: &TooltestInput) -> Vec<(&str, &str)> {
    let (named, token) = match &input.target {
        Target::Stdio(stdio) => (&stdio.env, None),
        Target::Http(http) | Target::Sse(http) => (&http.headers, http.auth_token.as_deref()),
        Target::InProcess(_) => return Vec::new(),
    };
    let named = named.iter().filter(|(name, _)| is_secret(name)).map(|(name, value)| {
        let value = value.strip_prefix("Bearer ").unwrap_or(value);
        (name.as_str(), value)
    });
    let all = named.chain(token.map(|token| ("auth_token", token)));
    all.filter(|(_, value)| value.len() >= SHORTEST).collect()
}

fn is_secret(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "key",
        "token",
        "secret",
        "password",
        "passwd",
        "credential",
        "credentials",
        "authorization",
        "apikey",
    ];
    let name = name.to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// Whether it is the tool's purpose to show the environment.
fn shows_environment(name: &str, description: &str) -> bool {
    let text = format!("{name} {description}").to_lowercase();
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "env" || word == "printenv" || word.starts_with("environ"))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::input::StdioTarget;
    use serde_json::{Value, json};

    let call = |tool: &str, text: &str| {
        let result = json!({"content": [{"type": "text", "text": text}]});
        Scene::new()
            .tool(json!({"name": tool, "inputSchema": {"type": "object"}}))
            .call(tool, json!({}), result)
            .with_input(|input| {
                input.target = Target::Stdio(StdioTarget {
                    env: [("API_KEY".to_owned(), "sk-12345678".to_owned())].into(),
                    ..StdioTarget::default()
                });
            })
    };
    let refused = |sent: Value, text: &str| {
        let result = json!({"content": [{"type": "text", "text": text}], "isError": true});
        Scene::new()
            .tool(json!({"name": "sync", "inputSchema": {"type": "object"}}))
            .call("sync", sent, result)
    };
    let key = "0a1b2c3d4e5f60718293a4b5c6d7e8f9";
    let settings = format!("not synced: {{\"api_key\": \"{key}\"}}");
    Examples::of(&ENTRY)
        .flags("what it calls `api_key`", refused(json!({}), &settings))
        .passes(refused(json!({"api_key": key}), &settings))
        .passes(refused(json!({}), &format!("no such next_page_token: {key}")))
        .passes(refused(json!({}), "the api_key: missing-or-malformed-value"))
        .flags("the value of API_KEY", call("tool", "401 for key sk-12345678"))
        .passes(call("tool", "401 for key sk-…"))
        .passes(call("printEnv", "sk-12345678"))
}
