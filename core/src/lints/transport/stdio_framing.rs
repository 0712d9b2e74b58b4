//! `stdio_framing`.

use crate::lints::look::{frames, shorten};
use crate::lints::meta::lint;
use crate::lints::noise::{Noise, noise};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::printed};
use crate::message::{Anomaly, Channel};

lint! {
    /// Messages are not one line each.
    ///
    /// A message that is pretty-printed, follows a `Content-Length` header or lacks its line feed is not seen by clients.
    StdioFraming(Response, Error) {}
    spec: "basic/transports#stdio", fix: "Write each message as one line, without line breaks in it, ended by a line feed."
}

impl Lint for StdioFraming {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for frame in frames(context).filter(|frame| frame.channel == Channel::Line) {
            let rule = match noise(frame) {
                Some(Noise::Fragment) => "a message is spread over several lines",
                Some(Noise::Header) => "messages follow headers",
                None if frame.anomalies.contains(&Anomaly::Unterminated) => {
                    "the last message has no line feed"
                }
                _ => continue,
            };
            let shown = shorten(&frame.preview(200), 80);
            problems.push(Problem::new(rule, format!("{rule}: {shown}")));
            return;
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("spread over several lines", printed("  \"jsonrpc\": \"2.0\","))
        .flags("follow headers", printed("Content-Length: 52"))
        .passes(printed("{\"jsonrpc\": \"2.0\", \"method\": \"x\"}"))
}
