//! `elicit_schema_restricted`.

use crate::lints::look::{asks, member};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::protocol::shapes;

lint! {
    /// An elicitation asks with a schema that clients cannot make a form of.
    ///
    /// The schema is a flat object of strings, numbers, booleans and choices; anything nested makes clients refuse it, and
    /// the tool that waits for the answer fails.
    ElicitSchemaRestricted(Response, Error) {}
    spec: "client/elicitation#requested-schema", fix: "Ask for a flat object whose properties are strings, numbers, booleans or enums.", since: V2025_06_18
}

impl Lint for ElicitSchemaRestricted {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let forms = asks(context).into_iter().filter(|(method, params)| {
            *method == "elicitation/create" && *member(params, "mode") != "url"
        });
        for (_, params) in forms {
            let faults =
                shapes::check_named(context.revision, "FormParams", params).unwrap_or_default();
            let own = faults.iter().find(|fault| fault.pointer.starts_with("/requestedSchema"));
            if let Some(fault) = own {
                problems.push(Problem::new(fault.rule(), format!("in the elicitation, {fault}")));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let asks = |property| {
        let schema = json!({"type": "object", "properties": {"p": property}});
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&ask))
    };
    Examples::of(&ENTRY)
        .flags(
            "/requestedSchema/properties/p/type",
            asks(json!({"type": "object", "properties": {}})),
        )
        .flags("/requestedSchema/properties/p", asks(json!({"type": "string", "format": "uuid"})))
        .passes(asks(json!({"type": "string", "enum": ["a", "b"]})))
        .passes(asks(json!({"type": "array", "items": {"type": "string", "enum": ["a"]}})))
}
