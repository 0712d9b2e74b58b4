//! `stdio_no_orphans`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// Processes that the server started outlive it.
    ///
    /// They hold files, ports and memory that nobody knows of.
    StdioNoOrphans(Run, Disabled) {}
    spec: "", fix: "End child processes before the server ends."
}

impl Lint for StdioNoOrphans {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        let closings = &context.record.closings;
        let left = closings.iter().filter(|closing| closing.left_behind).count();
        if left > 0 {
            problems.push(Problem::new(
                "left behind",
                format!("{left} of {} times, processes of the server were still there after it had ended", closings.len()),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Exit;
    use crate::record::Record;
    use crate::transport::Rung;

    let ended = |left_behind| {
        let closing = crate::session::Closing {
            exit: Exit::default(),
            rung: Rung::StdinClosed,
            frames: Vec::new(),
            left_behind,
            http_delete: None,
        };
        Scene::new().record(Record { closings: vec![closing], ..Record::default() })
    };
    Examples::of(&ENTRY).flags("1 of 1 times", ended(true)).passes(ended(false))
}
