//! `elicit_sensitive_form`.

use crate::lints::look::{asks, member};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;

lint! {
    /// A form asks the user for a secret.
    ///
    /// What is typed into a form passes through the client and often through the model. Secrets are asked for in URL mode.
    ElicitSensitiveForm(Response, Disabled) {}
    spec: "client/elicitation#user-interaction-model", fix: "Ask for secrets in URL mode, on a page of your own.", since: V2025_06_18
}

const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "token",
    "credit_card",
    "card_number",
    "cvv",
    "ssn",
];

impl Lint for ElicitSensitiveForm {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for (method, params) in asks(context) {
            if method != "elicitation/create" || *member(params, "mode") == "url" {
                continue;
            }
            let fields = params.pointer("/requestedSchema/properties").and_then(|p| p.as_object());
            let secret = fields.into_iter().flatten().find(|(name, field)| {
                let title =
                    field.member("title").and_then(|title| title.as_str()).unwrap_or_default();
                let words = format!("{name} {title}").to_lowercase().replace([' ', '-'], "_");
                SECRETS.iter().any(|secret| words.contains(secret))
            });
            if let Some((name, _)) = secret {
                problems.push(Problem::new(
                    format!("asks for {name}"),
                    format!("a form asks for {name:?}, which looks like a secret"),
                ));
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let asks = |name: &str| {
        let schema = json!({"type": "object", "properties": {name: {"type": "string"}}});
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&ask))
    };
    Examples::of(&ENTRY).flags("userPassword", asks("userPassword")).passes(asks("colour"))
}
