//! `missing_client_capability_error`.

use crate::exchange::Reply;
use crate::lints::look::client_capabilities;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::shapes;
use serde_json::Value;

lint! {
    /// An error -32021 does not say which client capability is missing, or names one that was declared.
    ///
    /// Clients read `data.requiredCapabilities` to tell the user what to switch on.
    MissingClientCapabilityError(Response, Error) {}
    spec: "basic/index#meta", fix: "Send `data.requiredCapabilities` with the capabilities that the request did not declare.", since: V2026_07_28
}

impl Lint for MissingClientCapabilityError {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        if error.code != Some(-32021) {
            return;
        }
        let faults = shapes::check_error(context.revision, &error.raw);
        if let Some(fault) = faults.iter().find(|fault| fault.pointer.starts_with("/data")) {
            problems.push(Problem::new(fault.rule(), format!("in the error -32021, {fault}")));
            return;
        }
        let required = error.raw.pointer("/data/requiredCapabilities").unwrap_or(&Value::Null);
        if required.as_object().is_some_and(serde_json::Map::is_empty) {
            problems.push(Problem::new(
                "names nothing",
                "the error -32021 names no missing capability",
            ));
        } else if is_within(required, client_capabilities(context)) {
            problems.push(Problem::new(
                "names what was declared",
                format!("the error -32021 asks for {required}, which the request declares"),
            ));
        }
    }
}

/// Whether every member of `required` is declared.
fn is_within(required: &Value, declared: &Value) -> bool {
    match required {
        Value::Object(members) => members.iter().all(|(name, inner)| {
            declared.get(name).is_some_and(|declared| is_within(inner, declared))
        }),
        _ => true,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::RpcError;
    use crate::protocol::Revision;
    use serde_json::json;

    let answer = |data| {
        let raw = json!({"code": -32021, "message": "Missing capability", "data": data});
        let reply = Reply::Error(RpcError { code: Some(-32021), message: String::new(), raw });
        let meta =
            json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
        Scene::at(Revision::V2026_07_28).asked("tools/call", json!({"_meta": meta}), reply)
    };
    Examples::of(&ENTRY)
        .flags("/data must be an object", answer(json!(null)))
        .flags("names no missing", answer(json!({"requiredCapabilities": {}})))
        .flags(
            "which the request declares",
            answer(json!({"requiredCapabilities": {"elicitation": {"form": {}}}})),
        )
        .passes(answer(json!({"requiredCapabilities": {"elicitation": {"url": {}}}})))
}
