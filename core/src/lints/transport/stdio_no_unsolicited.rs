//! `stdio_no_unsolicited`.

use crate::lints::look::is_stdio;
use crate::lints::meta::lint;
use crate::lints::probes::watched_opening;
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::probe::Probe;

lint! {
    /// The server sends something before the client has said a word.
    ///
    /// Nothing has been agreed on yet; clients drop what comes or give up.
    StdioNoUnsolicited(Probe, Warning) {}
    spec: "basic/lifecycle#initialization", fix: "Wait for the client's first message.", until: V2025_11_25
}

impl Lint for StdioNoUnsolicited {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if is_stdio(context.input) { vec![watched_opening(context)] } else { Vec::new() }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let early =
            context.runs.iter().filter_map(|run| run.steps.first()).flat_map(|step| &step.frames);
        // Lines of text are `stdio_stdout_clean`.
        if let Some(frame) = early.into_iter().find(|frame| frame.value.is_some()) {
            problems.push(Problem::new(
                "unsolicited",
                format!(
                    "before the first message of the client, the server sent {}",
                    frame.preview(80)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    Examples::of(&ENTRY)
        .flags(
            "notifications/ready",
            Scene::new().runs_changed(|run| {
                run.steps[0]
                    .frames
                    .push(frame(&json!({"jsonrpc": "2.0", "method": "notifications/ready"})));
            }),
        )
        .passes(Scene::new())
}
