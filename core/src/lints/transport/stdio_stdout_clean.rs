//! `stdio_stdout_clean`.

use crate::lints::look::{frames, shorten};
use crate::lints::meta::lint;
use crate::lints::noise::{Noise, noise};
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::printed};
use crate::message::Channel;

lint! {
    /// Something other than messages is printed on standard output.
    ///
    /// Standard output belongs to the protocol: a banner or a log line makes clients report a broken message, or give up.
    StdioStdoutClean(Response, Error) {}
    spec: "basic/transports#stdio", fix: "Print logs and banners on standard error."
}

impl Lint for StdioStdoutClean {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let lines = frames(context).filter(|frame| frame.channel == Channel::Line);
        let found = lines.filter_map(|frame| Some((frame, noise(frame)?)));
        let stray = found
            .into_iter()
            .find(|(_, noise)| matches!(noise, Noise::Text | Noise::OtherJson | Noise::Blank));
        let Some((frame, noise)) = stray else {
            return;
        };
        let shown = shorten(&frame.preview(200), 120);
        problems.push(match noise {
            Noise::Blank => {
                Problem::new("blank line", "an empty line is on standard output").warning()
            }
            Noise::OtherJson => Problem::new(
                "other JSON",
                format!("JSON that is no message is on standard output: {shown}"),
            ),
            _ => Problem::new("text", format!("text is on standard output: {shown}"))
                .evidence(frame.preview(1000)),
        });
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("Server running on stdio", printed("Server running on stdio"))
        .flags("JSON that is no message", printed("{\"level\": \"info\"}"))
        .flags("an empty line", printed(""))
        .passes(printed("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/x\"}"))
}
