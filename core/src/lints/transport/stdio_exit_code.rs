//! `stdio_exit_code`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::transport::Rung;

lint! {
    /// The process ends with an exit code other than 0 when its standard input is closed.
    ///
    /// Supervisors report a crash where there was none.
    StdioExitCode(Run, Disabled) {}
    spec: "", fix: "End with exit code 0 when standard input reaches its end."
}

impl Lint for StdioExitCode {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        let closings =
            context.record.closings.iter().filter(|closing| closing.rung == Rung::StdinClosed);
        let codes = closings.filter_map(|closing| closing.exit.code);
        if let Some(code) = codes.into_iter().find(|code| *code != 0) {
            problems.push(Problem::new(
                format!("exit code {code}"),
                format!(
                    "the process ended with exit code {code} when its standard input was closed"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Exit;
    use crate::record::Record;

    let ended = |code| {
        let closing = crate::session::Closing {
            exit: Exit { code: Some(code), ..Exit::default() },
            rung: Rung::StdinClosed,
            frames: Vec::new(),
            left_behind: false,
            http_delete: None,
        };
        Scene::new().record(Record { closings: vec![closing], ..Record::default() })
    };
    Examples::of(&ENTRY).flags("exit code 1", ended(1)).passes(ended(0))
}
