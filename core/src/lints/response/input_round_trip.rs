//! `input_round_trip`.

use crate::exchange::Reply;
use crate::lints::look::{result_type, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};

lint! {
    /// Answering what a result asked for leads nowhere.
    ///
    /// With valid answers and the state as it came, a retry must lead to a result, or to another question; not to an error,
    /// and not to questions without end.
    InputRoundTrip(Response, Error) {}
    spec: "basic/patterns/mrtr#basic-workflow", fix: "Take the answers under the keys that were asked, and finish the request.", since: V2026_07_28
}

impl Lint for InputRoundTrip {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let rounds = exchange.rounds.len();
        if rounds == 0 {
            return;
        }
        match &exchange.reply {
            // The answers fit the schema; whether they make sense to the tool is for a tool error to say.
            Reply::Error(error) if matches!(error.code, Some(-32602 | -32603 | -32600)) => problems
                .push(Problem::new(
                    "error after answers",
                    format!(
                        "after {rounds} rounds of valid answers, {} got the error {} ({})",
                        exchange.method,
                        error.code.unwrap_or_default(),
                        shorten(&error.message, 120)
                    ),
                )),
            Reply::Result(result) if result_type(result) == "input_required" => problems.push(
                Problem::new(
                    "no end",
                    format!(
                        "after {rounds} rounds of valid answers, {} still asks for input",
                        exchange.method
                    ),
                )
                .warning(),
            ),
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::case::Label;
    use crate::protocol::Revision;
    use serde_json::json;

    let asked = |reply| {
        Scene::at(Revision::V2026_07_28)
            .called("tool", json!({}), Label::Valid, reply)
            .with_exchange(|exchange| {
                exchange.rounds = vec![json!({"resultType": "input_required"})]
            })
    };
    Examples::of(&ENTRY)
        .flags("got the error -32602", asked(error(-32602, "no answer for key a")))
        .flags(
            "still asks for input",
            asked(Reply::Result(json!({"resultType": "input_required"}))),
        )
        .passes(asked(Reply::Result(json!({"resultType": "complete", "content": []}))))
}
