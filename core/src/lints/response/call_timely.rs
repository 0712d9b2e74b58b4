//! `call_timely`.

use crate::exchange::Reply;
use crate::lints::look::cancelled_before;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::{Members, Places};
use crate::schema::{CompiledSchema, Parameter};
use serde_json::Value;

lint! {
    /// A tool call got no answer in time.
    ///
    /// An agent that calls the tool waits until its own limit. Reports of progress extend the limit (`request_timeout`), up
    /// to three times its length. Before the run ends the call is made once more with three times the limit: one that is then
    /// answered is slow, which is a warning. A call that asks for a wait of that length, by an argument or a default that is
    /// named so (`timeout_ms`, `delay`), may take it.
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
        if asks_to_wait(context, seconds) {
            return;
        }
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

/// Names of what says how long a call may take, or is to.
const WAITS: &[&str] =
    &["timeout", "wait", "delay", "duration", "sleep", "pause", "idle", "deadline"];
/// Units of time in names, in seconds. Short ones tell of a wait by themselves; what takes hours is as a rule not the call.
const UNITS: &[(&[&str], f64)] = &[
    (&["ms", "msec", "msecs", "millis", "milliseconds"], 0.001),
    (&["secs", "seconds"], 1.0),
    (&["mins", "minutes"], 60.0),
    (&["hours"], 3600.0),
];

/// Whether the call says that it may take so many seconds, by what it sent or by a default that it left out.
fn asks_to_wait(context: &ResponseContext<'_>, seconds: f64) -> bool {
    let schema = context.tool.and_then(crate::catalog::Tool::input_schema);
    let sent = context.exchange.params.member("arguments");
    let parameters = schema.map(CompiledSchema::parameters).unwrap_or_default();
    parameters.iter().any(|parameter| {
        let value = sent.and_then(|sent| sent.place(&parameter.pointer));
        let value = value.filter(|value| !value.is_null()).or(parameter.default.as_ref());
        let value = value.and_then(Value::as_f64);
        value.zip(unit_of(parameter)).is_some_and(|(value, unit)| value * unit >= seconds)
    })
}

/// The unit of a parameter that is a time to wait, in seconds. Where the name has none, the longest that is usual.
fn unit_of(parameter: &Parameter) -> Option<f64> {
    let named = |words: &[&str]| parameter.tokens.iter().any(|t| words.contains(&t.as_str()));
    let unit = UNITS.iter().find(|(words, _)| named(words)).map(|(_, unit)| *unit);
    let short = unit.filter(|unit| *unit <= 1.0);
    if named(WAITS) { unit.or(Some(1.0)) } else { short }
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
    let waits = |name: &str, value: u32| {
        let number = json!({"type": "integer", "default": 40_000});
        let schema = json!({"type": "object", "properties": {name: number}});
        let mut scene = Scene::new().input_schema(schema).called(
            "tool",
            if value == 0 { json!({}) } else { json!({name: value}) },
            Label::Valid,
            Reply::Silence { responsive: true },
        );
        scene.exchange.as_mut().expect("the call").elapsed = std::time::Duration::from_secs(10);
        scene
    };
    Examples::of(&ENTRY)
        .passes(waits("timeout_ms", 60_000))
        .passes(waits("delay", 20))
        .passes(waits("wait_ms", 0))
        .flags("no answer in 10.0 s", waits("timeout_ms", 500))
        .flags("no answer in 10.0 s", waits("count", 60_000))
        .flags("no answer in 10.0 s", waits("minutes", 30))
        .flags("took 12.0 s", slow)
        .flags("still answered other requests", silent(true))
        .flags("the call blocks it", silent(false))
        .passes(Scene::new().asked("ping", json!({}), Reply::Silence { responsive: true }))
        .passes(Scene::new().call("tool", json!({}), json!({"content": []})))
}
