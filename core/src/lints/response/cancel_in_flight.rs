//! `cancel_in_flight`.

use crate::case::Role;
use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use std::time::Duration;

lint! {
    /// A call goes on after it was cancelled, and is answered.
    ///
    /// Whoever cancelled it waits for work that nobody wants any more. Only calls are judged that take much longer than it took
    /// to cancel them.
    CancelInFlight(Response, Disabled) {}
    spec: "basic/utilities/cancellation#behavior-requirements", fix: "Stop the work when `notifications/cancelled` comes, and send nothing more for the request."
}

/// Shorter calls may cross with the cancellation.
const SLOW: Duration = Duration::from_millis(300);

impl Lint for CancelInFlight {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let tool = context.step.and_then(|step| step.action.tool());
        let plain = context.step.is_some_and(|step| !matches!(step.role, Role::Cancelled { .. }));
        if !plain || tool.is_none() || context.exchange.elapsed < SLOW {
            return;
        }
        let answered = context.history.iter().any(|(step, exchange)| {
            matches!(step.role, Role::Cancelled { after_ms } if Duration::from_millis(after_ms) < SLOW / 4)
                && step.action.tool() == tool
                && matches!(exchange.reply, Reply::Silence { .. })
                && exchange.frame.is_some()
        });
        if answered {
            problems.push(Problem::new(
                "answered",
                "a call that takes long was cancelled early, and was answered all the same",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::Label;
    use crate::lints::scene::frame;
    use serde_json::json;

    let cancelled = |late: bool, took: u64| {
        let done = || Reply::Result(json!({"content": []}));
        let mut scene = Scene::new()
            .after("export", json!({}), json!({"content": []}))
            .called("export", json!({}), Label::Valid, done())
            .with_exchange(|exchange| exchange.elapsed = Duration::from_millis(took));
        scene.history[0].0.role = Role::Cancelled { after_ms: 8 };
        let exchange = scene.first();
        exchange.reply = Reply::Silence { responsive: true };
        exchange.frame = late.then(|| frame(&json!({"jsonrpc": "2.0", "id": 1, "result": {}})));
        scene
    };
    Examples::of(&ENTRY)
        .flags("was answered all the same", cancelled(true, 900))
        .passes(cancelled(false, 900))
        .passes(cancelled(true, 20))
}
