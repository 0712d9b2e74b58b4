//! `wire_duplicate_keys`.

use crate::lints::look::frames;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::message::Anomaly;

lint! {
    /// An object has the same member twice.
    ///
    /// Which of the two counts depends on the client's parser, so two clients read two different answers.
    WireDuplicateKeys(Response, Warning) {}
    spec: "RFC 8259 section 4", fix: "Build messages from maps, not by pasting text together."
}

impl Lint for WireDuplicateKeys {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let repeated = frames(context).flat_map(|frame| &frame.anomalies).find_map(|a| match a {
            Anomaly::DuplicateKey { pointer } => Some(pointer),
            _ => None,
        });
        if let Some(pointer) = repeated {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            problems.push(Problem::new(
                format!("{name} twice"),
                format!("the member {pointer} is in its object twice"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::{Anomaly, Frame};
    use serde_json::json;

    let twice = Frame {
        anomalies: vec![Anomaly::DuplicateKey { pointer: "/result/content".to_owned() }],
        ..frame(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}))
    };
    let call = || Scene::new().call("tool", json!({}), json!({"content": []}));
    Examples::of(&ENTRY)
        .flags(
            "/result/content is in its object twice",
            call().with_exchange(|e| e.frame = Some(twice)),
        )
        .passes(call())
}
