//! `stdio_exits_on_stdin_close`.

use crate::lints::RunContext;
use crate::lints::look::is_stdio;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::transport::Rung;

lint! {
    /// The server does not end when its standard input is closed.
    ///
    /// Clients that go away leave the process behind, with all that it holds.
    StdioExitsOnStdinClose(Run, Warning) {}
    spec: "basic/lifecycle#shutdown", fix: "End the process when standard input reaches its end."
}

impl Lint for StdioExitsOnStdinClose {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        let closings = &context.record.closings;
        let late = closings.iter().filter(|closing| closing.rung > Rung::StdinClosed).count();
        // On a busy machine one may be late.
        if is_stdio(context.input) && late > 0 && late * 2 > closings.len() {
            let killed = closings.iter().any(|closing| closing.rung == Rung::Killed);
            let how = if killed { "SIGKILL" } else { "SIGTERM" };
            problems.push(Problem::new(
                "lives on",
                format!(
                    "the server did not end when its standard input was closed; it needed {how}"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Exit;
    use crate::record::Record;
    use crate::session::Closing;

    let closed = |rung| {
        let closing = Closing {
            exit: Exit::default(),
            rung,
            frames: Vec::new(),
            left_behind: false,
            http_delete: None,
        };
        Scene::new().record(Record { closings: vec![closing], ..Record::default() })
    };
    Examples::of(&ENTRY)
        .flags("it needed SIGTERM", closed(Rung::Terminated))
        .passes(closed(Rung::StdinClosed))
}
