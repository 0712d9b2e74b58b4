//! `input_required_shape`.

use crate::lints::look::{input_required, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::{Map, Value};

lint! {
    /// An `input_required` result asks for nothing, or is malformed.
    ///
    /// It needs `inputRequests` or `requestState`; `requestState` is a string; caching hints do not belong in it.
    InputRequiredShape(Response, Error) {}
    spec: "basic/patterns/mrtr", fix: "Send `inputRequests` (an object of requests by key), `requestState` (a string), or both, and nothing to cache.", since: V2026_07_28
}

impl Lint for InputRequiredShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for result in input_required(context) {
            let (requests, state) = (result.member("inputRequests"), result.member("requestState"));
            let asks = requests.and_then(Value::as_object).is_some_and(|r| !Map::is_empty(r));
            let what = match (requests, state) {
                (Some(other), _) if !other.is_object() => format!("inputRequests {}", show(other)),
                (_, Some(other)) if !other.is_string() => {
                    format!("the requestState {}", show(other))
                }
                (_, None) if !asks => "neither inputRequests nor requestState".to_owned(),
                _ if result.member("ttlMs").is_some() || result.member("cacheScope").is_some() => {
                    "caching hints".to_owned()
                }
                _ => continue,
            };
            problems
                .push(Problem::new(what.clone(), format!("an input_required result has {what}")));
            return;
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let call = |mut result: Value| {
        result["resultType"] = json!("input_required");
        Scene::at(Revision::V2026_07_28).call("tool", json!({}), result)
    };
    Examples::of(&ENTRY)
        .flags("neither", call(json!({})))
        .flags("neither", call(json!({"inputRequests": {}})))
        .flags("the requestState 7", call(json!({"requestState": 7})))
        .flags("caching hints", call(json!({"requestState": "s", "ttlMs": 0})))
        .passes(call(json!({"requestState": "s"})))
        .passes(call(json!({"inputRequests": {"k": {"method": "roots/list"}}})))
}
