//! `elicit_default_valid`.

use crate::lints::look::{asks, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A default of an elicitation's form does not fit its own field.
    ///
    /// The form opens with a value that cannot be submitted.
    ElicitDefaultValid(Response, Warning) {}
    spec: "client/elicitation#requested-schema", fix: "Choose a default that the field's own schema allows.", since: V2025_11_25
}

impl Lint for ElicitDefaultValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let fields =
            asks(context).into_iter().filter(|(method, _)| *method == "elicitation/create");
        let fields = fields
            .filter_map(|(_, params)| params.pointer("/requestedSchema/properties")?.as_object());
        for (name, field) in fields.flatten() {
            let Some(default) = field.member("default") else { continue };
            if !fits(default, field) {
                problems.push(Problem::new(
                    format!("default of {name}"),
                    format!(
                        "the default {} of the field {name:?} does not fit the field",
                        show(default)
                    ),
                ));
            }
        }
    }
}

fn fits(default: &Value, field: &Value) -> bool {
    let bound = |name: &str| field.get(name).and_then(Value::as_f64);
    let within = |value: f64, least: &str, most: &str| {
        bound(least).is_none_or(|least| value >= least)
            && bound(most).is_none_or(|most| value <= most)
    };
    let count = |value: usize| u32::try_from(value).map_or(f64::MAX, f64::from);
    match field.member("type").and_then(Value::as_str) {
        Some("boolean") => default.is_boolean(),
        Some("string") => default.as_str().is_some_and(|text| {
            within(count(text.chars().count()), "minLength", "maxLength")
                && choices(field).is_none_or(|choices| choices.contains(&default))
        }),
        Some(kind @ ("integer" | "number")) => default.as_f64().is_some_and(|number| {
            within(number, "minimum", "maximum") && (kind == "number" || number.fract() == 0.0)
        }),
        Some("array") => default.as_array().is_some_and(|items| {
            let choices = field.member("items").and_then(choices);
            within(count(items.len()), "minItems", "maxItems")
                && items
                    .iter()
                    .all(|item| choices.as_ref().is_none_or(|choices| choices.contains(&item)))
        }),
        _ => true,
    }
}

/// The values that a choice offers.
fn choices(field: &Value) -> Option<Vec<&Value>> {
    if let Some(values) = field.member("enum").and_then(Value::as_array) {
        return Some(values.iter().collect());
    }
    let titled = field.member("oneOf").or_else(|| field.member("anyOf"))?.as_array()?;
    Some(titled.iter().filter_map(|choice| choice.member("const")).collect())
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let asks = |property: Value| {
        let schema = json!({"type": "object", "properties": {"p": property}});
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&ask))
    };
    Examples::of(&ENTRY)
        .flags("\"c\"", asks(json!({"type": "string", "enum": ["a", "b"], "default": "c"})))
        .flags("0", asks(json!({"type": "integer", "minimum": 1, "default": 0})))
        .passes(asks(
            json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}], "default": "a"}),
        ))
        .passes(asks(json!({"type": "boolean"})))
}
