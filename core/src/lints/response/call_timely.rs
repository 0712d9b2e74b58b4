//! `call_timely`.

use crate::exchange::Reply;
use crate::lints::look::cancelled_before;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// A tool call got no answer in time.
    ///
    /// An agent that calls the tool waits until its own limit. Reports of progress extend the limit (`request_timeout`), up
    /// to three times its length. Before the run ends the call is made once more with three times the limit: one that is then
    /// answered is slow, which is a warning.
    CallTimely(Response, Error) {}
    spec: "basic/lifecycle#timeouts", fix: "Bound every wait inside the tool and answer with `isError: true` when it is over; report progress where work takes long."
}

impl Lint for CallTimely {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        // After a cancellation it is `cancel_breaks_server`.
        if exchange.method != "tools/call" || cancelled_before(context).is_some() {
            return;
        }
        let seconds = exchange.elapsed.as_secs_f64();
        let problem = |message| Problem::new("no answer in time", message);
        match exchange.reply {
            Reply::Silence { responsive: true } => problems.push(problem(format!(
                "no answer in {seconds:.1} s; the server still answered other requests meanwhile"
            ))),
            Reply::Silence { responsive: false } => problems.push(problem(format!(
                "no answer in {seconds:.1} s; the server answered nothing else meanwhile: the call blocks it"
            ))),
            // Only a call that was given more time comes here without having shown that it is at work.
            _ if seconds > context.input.request_timeout && exchange.side.is_empty() => problems.push(
                problem(format!("the answer took {seconds:.1} s and nothing told of progress")).warning(),
            ),
            _ => {}
        }
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
    let mut slow = Scene::new().call("tool", json!({}), json!({"content": []}));
    slow.exchange.as_mut().expect("the call").elapsed = std::time::Duration::from_secs(12);
    Examples::of(&ENTRY)
        .flags("took 12.0 s", slow)
        .flags("still answered other requests", silent(true))
        .flags("the call blocks it", silent(false))
        .passes(Scene::new().asked("ping", json!({}), Reply::Silence { responsive: true }))
        .passes(Scene::new().call("tool", json!({}), json!({"content": []})))
}
