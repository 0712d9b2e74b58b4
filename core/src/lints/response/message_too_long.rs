//! `message_too_long`.

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
    /// A message is longer than any client keeps.
    ///
    /// What a model cannot read, and a client has to hold in memory as a whole, is of no use. Nothing in such a message was judged.
    MessageTooLong(Response, Warning) {}
    spec: "", fix: "Return a page, a summary or a resource link instead of everything."
}

impl Lint for MessageTooLong {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let longest = frames(context)
            .flat_map(|frame| &frame.anomalies)
            .filter_map(|anomaly| match anomaly {
                Anomaly::TooLong { bytes } => Some(*bytes),
                _ => None,
            })
            .max();
        if let Some(bytes) = longest {
            let mebibytes = bytes / (1024 * 1024);
            problems.push(Problem::new(
                "too long",
                format!("a message is longer than {mebibytes} MiB; it was cut and not judged"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::Frame;
    use serde_json::json;

    let long = Frame {
        value: None,
        anomalies: vec![Anomaly::TooLong { bytes: 20 << 20 }],
        ..frame(&json!(0))
    };
    let call = || Scene::new().call("tool", json!({}), json!({"content": []}));
    Examples::of(&ENTRY).flags("longer than 20 MiB", call().stray(long)).passes(call())
}
