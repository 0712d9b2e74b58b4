//! `cancel_breaks_server`.

use crate::exchange::Reply;
use crate::lints::look::cancelled_before;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// After a call was cancelled, the same call is never answered again.
    ///
    /// What the call held when it was cancelled (a lock, a connection, a worker) is not given back.
    CancelBreaksServer(Response, Error) {}
    spec: "basic/utilities/cancellation#behavior-requirements", fix: "Give back what a call holds when it is cancelled: `finally`, `defer`, `using`, a guard."
}

impl Lint for CancelBreaksServer {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Silence { responsive } = context.exchange.reply else {
            return;
        };
        if let Some((cancelled, tool)) = cancelled_before(context) {
            let state = if responsive {
                "still answers other requests"
            } else {
                "answers nothing else either"
            };
            problems.push(Problem::new(
                "hangs after a cancellation",
                format!("after a call of `{tool}` was cancelled, a call got no answer in {:.1} s; the server {state}", context.exchange.elapsed.as_secs_f64()),
            ).involving([cancelled]));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::{Label, Role};
    use serde_json::json;

    let cancelled = |reply: Reply, role: Role| {
        let mut scene = Scene::new().after("export", json!({}), json!({"content": []})).called(
            "export",
            json!({}),
            Label::Valid,
            reply,
        );
        scene.history[0].0.role = role;
        scene
    };
    let role = || Role::Cancelled { after_ms: 5 };
    Examples::of(&ENTRY)
        .flags(
            "after a call of `export` was cancelled",
            cancelled(Reply::Silence { responsive: true }, role()),
        )
        .passes(cancelled(Reply::Silence { responsive: true }, Role::Call))
        .passes(cancelled(Reply::Result(json!({"content": []})), role()))
}
