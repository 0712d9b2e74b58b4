//! `input_request_kind`.

use crate::lints::look::input_required;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::protocol::shapes;

lint! {
    /// An input request is none of those that clients can fulfil, or malformed.
    ///
    /// Clients answer `elicitation/create`, `sampling/createMessage` and `roots/list`; anything else ends the call.
    InputRequestKind(Response, Error) {}
    spec: "basic/patterns/mrtr#server-requirements-basic-workflow", fix: "Send `{\"method\": …, \"params\": …}` of one of the three requests, without `jsonrpc` and `id`.", since: V2026_07_28
}

impl Lint for InputRequestKind {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let requests = input_required(context)
            .filter_map(|result| result.member("inputRequests")?.as_object());
        for (key, request) in requests.flatten() {
            let faults =
                shapes::check_named(context.revision, "InputRequest", request).unwrap_or_default();
            // The form's own schema is `elicit_schema_restricted`.
            let own =
                faults.iter().find(|fault| !fault.pointer.starts_with("/params/requestedSchema"));
            if let Some(fault) = own {
                problems.push(Problem::new(
                    fault.rule(),
                    format!("in the input request {key:?}, {fault}"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let call = |request| {
        let result = json!({"resultType": "input_required", "inputRequests": {"k": request}});
        Scene::at(Revision::V2026_07_28).call("tool", json!({}), result)
    };
    let form = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}});
    Examples::of(&ENTRY)
        .flags("/method", call(json!({"method": "ping"})))
        .flags("/params", call(json!({"method": "elicitation/create"})))
        .passes(call(json!({"method": "elicitation/create", "params": form})))
        .passes(call(json!({"method": "roots/list"})))
}
