//! `no_crash`.

use crate::exchange::{Exchange, Exit, Reply};
use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// The server ended, or dropped the connection, instead of answering.
    ///
    /// Whatever a client sends, the server must live on: a crash loses the state of every session and the answers under way.
    NoCrash(Response, Error) {}
    spec: "basic/index#responses", fix: "Catch the failure at the tool's boundary and answer with `isError: true` and a text that says what was wrong.", fixed: true
}

impl Lint for NoCrash {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Closed(exit) = &context.exchange.reply else {
            return;
        };
        // A report shows the case; what belongs to none is shown here.
        let asked = context.step.map_or_else(|| request(context.exchange), |_| String::new());
        let message = format!("the server {} instead of answering{asked}", describe(exit));
        let mut problem = Problem::new(rule(exit), message);
        if let Some(line) = exit.stderr.lines().rev().find(|line| !line.trim().is_empty()) {
            problem = problem.evidence(line.trim());
        }
        problems.push(problem);
    }
}

/// A request in words.
fn request(exchange: &Exchange) -> String {
    let mut params = exchange.params.clone();
    let members = params.as_object_mut();
    let bare = members.is_none_or(|members| {
        members.remove("_meta");
        members.is_empty()
    });
    let with = if bare { String::new() } else { format!(" with {}", show(&params)) };
    format!(" `{}`{with}", exchange.method)
}

fn describe(exit: &Exit) -> String {
    match (exit.signal, exit.code) {
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(code)) => format!("exited with code {code}"),
        (None, None) if exit.detail.is_empty() => "closed the connection".to_owned(),
        (None, None) => format!("closed the connection ({})", exit.detail),
    }
}

fn rule(exit: &Exit) -> String {
    match (exit.signal, exit.code) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) => format!("exit {code}"),
        (None, None) => "closed".to_owned(),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::Label;
    use serde_json::json;
    let closed =
        |exit: Exit| Scene::new().called("tool", json!({}), Label::Valid, Reply::Closed(exit));
    Examples::of(&ENTRY)
        .flags("exited with code 1", closed(Exit { code: Some(1), ..Exit::default() }))
        .flags("ended by signal 11", closed(Exit { signal: Some(11), ..Exit::default() }))
        .flags("closed the connection", closed(Exit::default()))
        .flags(
            "answering `tools/call` with",
            Scene::new().asked(
                "tools/call",
                json!({"arguments": {}}),
                Reply::Closed(Exit::default()),
            ),
        )
        .passes(Scene::new().call("tool", json!({}), json!({"content": [], "isError": true})))
}
