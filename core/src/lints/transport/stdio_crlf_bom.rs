//! `stdio_crlf_bom`.

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
    /// Lines end in CR LF, or the output begins with a byte order mark.
    ///
    /// Strict clients take both for a part of the message.
    StdioCrlfBom(Response, Warning) {}
    spec: "basic/transports#stdio", fix: "Write UTF-8 without a mark, and bare line feeds."
}

impl Lint for StdioCrlfBom {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let what =
            frames(context).flat_map(|frame| &frame.anomalies).find_map(|anomaly| match anomaly {
                Anomaly::CarriageReturn => Some("a line ends in CR LF"),
                Anomaly::ByteOrderMark => Some("a message begins with a byte order mark"),
                _ => None,
            });
        if let Some(what) = what {
            problems.push(Problem::new(what, what));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::message::{Anomaly, Frame};
    use serde_json::json;

    let line = |anomalies| {
        let odd = Frame { anomalies, ..frame(&json!({"jsonrpc": "2.0", "method": "x"})) };
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(odd)
    };
    Examples::of(&ENTRY)
        .flags("CR LF", line(vec![Anomaly::CarriageReturn]))
        .flags("byte order mark", line(vec![Anomaly::ByteOrderMark]))
        .passes(line(vec![]))
}
