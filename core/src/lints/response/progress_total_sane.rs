//! `progress_total_sane`.

use crate::lints::look::{member, notifications};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use serde_json::Value;

lint! {
    /// Reported progress goes beyond its total.
    ///
    /// Clients show a bar of more than 100 %.
    ProgressTotalSane(Response, Disabled) {}
    spec: "basic/utilities/progress", fix: "Leave `total` out where it is not known."
}

impl Lint for ProgressTotalSane {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        for (_, message) in
            notifications(context).filter(|(method, _)| *method == "notifications/progress")
        {
            let number = |name: &str| member(message, "params").get(name).and_then(Value::as_f64);
            if let (Some(progress), Some(total)) = (number("progress"), number("total"))
                && (progress > total || total <= 0.0)
            {
                problems.push(Problem::new(
                    "beyond total",
                    format!("progress {progress} of {total} was reported"),
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |progress: f64| {
        let params = json!({"progressToken": 1, "progress": progress, "total": 2});
        let note = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        Scene::new().call("tool", json!({}), json!({"content": []})).stray(frame(&note))
    };
    Examples::of(&ENTRY).flags("progress 3 of 2", call(3.0)).passes(call(2.0))
}
