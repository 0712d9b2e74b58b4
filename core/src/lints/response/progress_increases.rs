//! `progress_increases`.

use crate::lints::look::{member, notifications};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// Reported progress does not rise.
    ///
    /// Each report must be higher than the one before; a bar that stands or runs back looks like a fault.
    ProgressIncreases(Response, Error) {}
    spec: "basic/utilities/progress", fix: "Report the work done so far, each time more than before."
}

impl Lint for ProgressIncreases {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut last: Vec<(&Value, f64)> = Vec::new();
        for (_, message) in
            notifications(context).filter(|(method, _)| *method == "notifications/progress")
        {
            let params = member(message, "params");
            let (Some(token), Some(progress)) =
                (params.member("progressToken"), params.member("progress").and_then(Value::as_f64))
            else {
                continue;
            };
            match last.iter_mut().find(|(other, _)| *other == token) {
                Some((_, before)) if progress <= *before => {
                    problems.push(Problem::new(
                        "no rise",
                        format!("progress {progress} was reported after {before}"),
                    ));
                    return;
                }
                Some((_, before)) => *before = progress,
                None => last.push((token, progress)),
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let call = |steps: &[f64]| {
        let scene = Scene::new().call("tool", json!({}), json!({"content": []}));
        steps.iter().fold(scene, |scene, progress| {
        scene.stray(frame(&json!({
            "jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": progress}
        })))
    })
    };
    Examples::of(&ENTRY)
        .flags("0.5 was reported after 0.5", call(&[0.1, 0.5, 0.5]))
        .passes(call(&[0.0, 0.5, 1.0]))
}
