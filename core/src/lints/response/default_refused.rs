//! `default_refused`.

use crate::exchange::Exchange;
use crate::lints::answers::refused_though_valid;
use crate::lints::look::{same, shorten, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::{Outcome, OutcomeKind};
use crate::pointer::{Members, Places};
use crate::sequence::feedback::error_text;
use serde_json::Value;

lint! {
    /// A default that the input schema advertises is refused when it is sent.
    ///
    /// Clients fill in defaults, and models copy them: both get an error for doing as they are told.
    DefaultRefused(Response, Error) {}
    spec: "server/tools#tool", fix: "Advertise a default that the handler accepts, or none."
}

impl Lint for DefaultRefused {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        if let Some((name, default)) = refused_between(context) {
            let message = format!(
                "the default {} of {name} was refused; without it, the same call succeeded before and after",
                show(default)
            );
            // Calls fail by chance, too: this is no proof.
            problems.push(Problem::new(format!("default of {name}"), message).warning());
        }
        let Some((tool, text, reason)) = refused_though_valid(context) else {
            return;
        };
        let name = reason.parameter.as_str();
        let default =
            tool.raw.place("/inputSchema/properties").and_then(|p| p.get(name)?.member("default"));
        let sent =
            context.exchange.params.member("arguments").and_then(|arguments| arguments.get(name));
        if let (Some(default), Some(sent)) = (default, sent)
            && same(default, sent)
        {
            problems.push(Problem::new(
                format!("default of {name}"),
                format!(
                    "the default {} of {name} was refused: {}",
                    show(default),
                    shorten(&text, 200)
                ),
            ));
        }
    }
}

/// The parameter and its default, where the exchange is the last of three calls of a tool that differ in nothing else: without it, with
/// it, without it, of which only the one with it was refused.
fn refused_between<'a>(context: &ResponseContext<'a>) -> Option<(&'a str, &'a Value)> {
    let tool = context.tool.filter(|_| context.outcome.kind == OutcomeKind::Ok)?;
    let declared = tool.raw.place("/inputSchema/properties")?.as_object()?;
    if !declared.values().any(|schema| schema.member("default").is_some()) {
        return None;
    }
    let without = context.exchange.params.member("arguments")?.as_object()?;
    let mut calls = context.history.iter().rev().filter_map(|(step, exchange)| {
        (step.action.tool() == Some(&tool.name)).then_some(exchange)
    });
    let given = |exchange: &'a Exchange| exchange.params.member("arguments")?.as_object();
    let refusal = calls.next()?;
    let before = calls.next().filter(|before| given(before) == Some(without))?;
    let refused = Outcome::of(refusal).kind == OutcomeKind::ToolError;
    if !refused || Outcome::of(before).kind != OutcomeKind::Ok {
        return None;
    }
    let with = given(refusal).filter(|with| with.len() == without.len() + 1)?;
    let (name, sent) = with.iter().find(|(name, _)| !without.contains_key(*name))?;
    let text = error_text(refusal).to_lowercase();
    let says = |word: &str| text.contains(&word.to_lowercase());
    // Every text has an empty one in it.
    let named = says(name) || sent.as_str().is_some_and(|sent| !sent.is_empty() && says(sent));
    let others = without.iter().all(|(name, value)| with.get(name) == Some(value));
    let default = declared.get(name)?.member("default")?;
    (others && named && same(default, sent)).then_some((name.as_str(), default))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |arguments: Value, text: &str| {
        let schema =
            json!({"type": "object", "properties": {"limit": {"type": "integer", "default": 0}}});
        let result = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        Scene::new().input_schema(schema).call("tool", arguments, result)
    };
    let refused = r#"Invalid arguments: [{"code": "too_small", "minimum": 1, "path": ["limit"], "message": "Number must be greater than or equal to 1"}]"#;
    let between = |arguments: Value, text: &str| {
        let refused = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        let ok = json!({"content": [{"type": "text", "text": "3 items"}]});
        let schema =
            json!({"type": "object", "properties": {"limit": {"type": "integer", "default": 0}}});
        Scene::new()
            .input_schema(schema)
            .after("tool", json!({}), ok.clone())
            .after("tool", arguments, refused)
            .call("tool", json!({}), ok)
    };
    let taken = {
        let refused = json!({"isError": true, "content": [{"type": "text", "text": "a is taken"}]});
        let ok = json!({"content": [{"type": "text", "text": "made"}]});
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}, "note": {"type": "string", "default": ""}}});
        Scene::new()
            .input_schema(schema)
            .after("tool", json!({"name": "a"}), ok.clone())
            .after("tool", json!({"name": "a", "note": ""}), refused)
            .call("tool", json!({"name": "a"}), ok)
    };
    Examples::of(&ENTRY)
        .passes(taken)
        .flags("the default 0 of limit", call(json!({"limit": 0}), refused))
        .flags("succeeded before and after", between(json!({"limit": 0}), "bad limit"))
        .passes(between(json!({"limit": 1}), "no"))
        .passes(call(json!({"limit": -1}), refused))
        .passes(call(json!({"limit": 0}), "no such project"))
}
