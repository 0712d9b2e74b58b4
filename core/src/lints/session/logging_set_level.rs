//! `logging_set_level`.

use crate::exchange::Reply;
use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::probes::{asked, log_levels_probe, outcome};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::Value;

lint! {
    /// `logging/setLevel` does not accept every level.
    ///
    /// A client sets the level that its user chooses; it expects an empty result.
    LoggingSetLevel(Probe, Error) {}
    spec: "server/utilities/logging", fix: "Accept debug, info, notice, warning, error, critical, alert and emergency, and answer `{}`.", until: V2025_11_25
}

impl Lint for LoggingSetLevel {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        log_levels_probe(context)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in
            asked(context).filter(|(_, exchange)| exchange.method == "logging/setLevel")
        {
            let level = show(exchange.params.get("level").unwrap_or(&Value::Null));
            match &exchange.reply {
                // That the method is missing altogether is `capability_implies_method`.
                Reply::Error(error) if error.code != Some(-32601) => {
                    problems.push(Problem::new(
                        "refused",
                        format!("setting the log level {level} got {}", outcome(exchange)),
                    ));
                    return;
                }
                Reply::Result(result)
                    if result.as_object().is_none_or(|r| r.keys().any(|key| key != "_meta")) =>
                {
                    problems.push(
                        Problem::new(
                            "not empty",
                            format!(
                                "setting the log level was answered with {}, not {{}}",
                                show(result)
                            ),
                        )
                        .warning(),
                    );
                    return;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let logs = || Scene::new().capabilities(json!({"logging": {}}));
    Examples::of(&ENTRY)
        .flags(
            "the log level \"notice\"",
            logs().answers(|_, params| {
                if params["level"] == "notice" {
                    error(-32602, "bad level")
                } else {
                    Reply::Result(json!({}))
                }
            }),
        )
        .flags("not {}", logs().answers(|_, _| Reply::Result(json!({"ok": true}))))
        .passes(logs().answers(|_, _| Reply::Result(json!({}))))
        .passes(Scene::new().answers(|_, _| error(-32602, "bad level")))
}
