//! `stdio_startup_time`.

use crate::lints::look::is_stdio;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The server takes long to answer its first request.
    ///
    /// Hosts start servers when they are opened; users wait, or the host gives up.
    StdioStartupTime(List, Disabled) {
        /// The longest time that is fine, in seconds.
        max_seconds: f64 = 10.0,
    }
    spec: "", fix: "Answer the handshake first, and load what takes long afterwards."
}

impl Lint for StdioStartupTime {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let Some(opening) = context.server.opening.as_ref().filter(|_| is_stdio(context.input))
        else {
            return;
        };
        let (seconds, most) = (opening.elapsed.as_secs_f64(), self.max_seconds);
        if seconds > most {
            problems.push(Problem::new(
                "slow start",
                format!("the first answer took {seconds:.1} s; the limit is {most} s"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let took = |seconds| {
        Scene::new().with_server(|server| {
            server.opening.as_mut().expect("opened").elapsed =
                std::time::Duration::from_secs(seconds);
        })
    };
    Examples::of(&ENTRY)
        .flags("took 11.0 s", took(11))
        .passes(took(11).params(json!({"max_seconds": 20.0})))
        .passes(took(1))
}
