//! `valid_input_rejected`.

use crate::lints::answers::refused_though_valid;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::outcome::template;

lint! {
    /// Arguments that the input schema allows were refused by the tool's own validation.
    ///
    /// The schema that the server offers and the one that its handler checks differ: a model that does as it is told gets
    /// an error. Only messages of validators that name a type, a required member, a format or a choice count; what a tool
    /// refuses for reasons of its own does not.
    ValidInputRejected(Response, Warning) {}
    spec: "server/tools#tool", fix: "Derive the offered schema from the one that the handler validates with."
}

impl Lint for ValidInputRejected {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some((_, text, reason)) = refused_though_valid(context) else {
            return;
        };
        problems.push(Problem::new(
            format!("{} {}", reason.kind, template(&reason.parameter)),
            format!("arguments that the input schema allows were refused: {}", shorten(&text, 200)),
        ));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let schema = json!({"type": "object", "properties": {"count": {"type": "integer"}, "data": {"type": "string"}}});
    let call = |text: &str| {
        let result = json!({"isError": true, "content": [{"type": "text", "text": text}]});
        Scene::new().input_schema(schema.clone()).call("tool", json!({}), result)
    };
    let pydantic = "1 validation error for call[tool]\ncount\n  Field required [type=missing, input_value={}, input_type=dict]";
    Examples::of(&ENTRY)
        .flags("Field required", call(pydantic))
        .flags("required property", call("Input validation error: 'count' is a required property"))
        .passes(call("count must be larger than the number of pages"))
        .passes(call("the document is invalid: 'title' is a required property"))
        .passes(call("File not found: /x"))
}
