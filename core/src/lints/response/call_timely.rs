//! `call_timely`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A tool call got no answer in time.
    ///
    /// An agent that calls the tool waits until its own limit. Reports of progress extend the limit (`request_timeout`), up
    /// to three times its length.
    CallTimely(Response, Error) {}
    spec: "basic/lifecycle#timeouts", fix: "Bound every wait inside the tool and answer with `isError: true` when it is over; report progress where work takes long."
}

impl Lint for CallTimely {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let Reply::Silence { responsive } = exchange.reply else {
            return;
        };
        if exchange.method != "tools/call" {
            return;
        }
        let (rule, state) = if responsive {
            ("hangs", "the server still answered other requests meanwhile")
        } else {
            ("blocks the server", "the server answered nothing else meanwhile: the call blocks it")
        };
        let seconds = exchange.elapsed.as_secs_f64();
        problems.push(Problem::new(rule, format!("no answer in {seconds:.1} s; {state}")));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::Label;
    use crate::exchange::Reply;
    use serde_json::json;

    let silent = |responsive| {
        Scene::new().called("tool", json!({}), Label::Valid, Reply::Silence { responsive })
    };
    Examples::of(&ENTRY)
        .flags("still answered other requests", silent(true))
        .flags("the call blocks it", silent(false))
        .passes(Scene::new().asked("ping", json!({}), Reply::Silence { responsive: true }))
        .passes(Scene::new().call("tool", json!({}), json!({"content": []})))
}
