//! `completion_result_shape`.

use crate::lints::meta::lint;
use crate::lints::probes::{asked, completion_probes};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::probe::Probe;
use crate::protocol::shapes;
use serde_json::Value;

lint! {
    /// A completion is malformed.
    ///
    /// It has at most 100 values, all strings; `total` counts no fewer than are there.
    CompletionResultShape(Probe, Error) {
        /// How many arguments and variables are completed at most.
        max: usize = 8,
    }
    spec: "server/utilities/completion", fix: "Send `completion: {values, total, hasMore}` with at most 100 strings."
}

impl Lint for CompletionResultShape {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        completion_probes(context, self.max)
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            let Some(result) = exchange.result() else { continue };
            let argument = exchange
                .params
                .pointer("/argument/name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let faults = shapes::check_result(context.list.revision, "completion/complete", result);
            let own = faults.into_iter().find(|fault| fault.pointer != "/resultType");
            let values =
                result.pointer("/completion/values").and_then(Value::as_array).map_or(0, Vec::len);
            let total = result.pointer("/completion/total").and_then(Value::as_u64);
            let what = match own {
                Some(fault) => fault.to_string(),
                None if values > 100 => format!("there are {values} values, more than 100"),
                None if total.is_some_and(|total| total < values as u64) => {
                    format!("the total is {} with {values} values", total.unwrap_or_default())
                }
                None => continue,
            };
            problems.push(Problem::new(
                what.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default().to_owned(),
                format!("completing {argument:?}: {what}"),
            ));
            return;
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::exchange::Reply;
    use serde_json::json;

    let completes = || {
        Scene::new()
            .capabilities(json!({"prompts": {}, "completions": {}}))
            .item(ListKind::Prompts, json!({"name": "p", "arguments": [{"name": "a"}]}))
    };
    Examples::of(&ENTRY)
        .flags(
            "/completion/values must be an array",
            completes().answers(|_, _| Reply::Result(json!({"completion": {"values": null}}))),
        )
        .flags(
            "101 values",
            completes()
                .answers(|_, _| Reply::Result(json!({"completion": {"values": vec!["x"; 101]}}))),
        )
        .flags(
            "the total is 1 with 2 values",
            completes().answers(|_, _| {
                Reply::Result(json!({"completion": {"values": ["a", "b"], "total": 1}}))
            }),
        )
        .passes(completes().answers(|_, _| Reply::Result(json!({"completion": {"values": []}}))))
        .passes(Scene::new().answers(|_, _| Reply::Result(json!({}))))
}
