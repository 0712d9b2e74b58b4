//! `default_refused`.

use crate::lints::answers::refused_though_valid;
use crate::lints::look::{same, shorten, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A default that the input schema advertises is refused when it is sent.
    ///
    /// Clients fill in defaults, and models copy them: both get an error for doing as they are told.
    DefaultRefused(Response, Error) {}
    spec: "server/tools#tool", fix: "Advertise a default that the handler accepts, or none."
}

impl Lint for DefaultRefused {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some((tool, text, reason)) = refused_though_valid(context) else {
            return;
        };
        let name = reason.parameter.as_str();
        let default =
            tool.raw.pointer("/inputSchema/properties").and_then(|p| p.get(name)?.get("default"));
        let sent =
            context.exchange.params.get("arguments").and_then(|arguments| arguments.get(name));
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

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::{Value, json};

    let call = |arguments: Value, text: &str| {
        let schema =
            json!({"type": "object", "properties": {"limit": {"type": "integer", "default": 0}}});
        let result = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        Scene::new().input_schema(schema).call("tool", arguments, result)
    };
    let refused = r#"Invalid arguments: [{"code": "too_small", "minimum": 1, "path": ["limit"], "message": "Number must be greater than or equal to 1"}]"#;
    Examples::of(&ENTRY)
        .flags("the default 0 of limit", call(json!({"limit": 0}), refused))
        .passes(call(json!({"limit": -1}), refused))
        .passes(call(json!({"limit": 0}), "no such project"))
}
