//! `completion_has_more_consistent`.

use crate::lints::look::complete;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// A completion's `hasMore` contradicts its `total`.
    ///
    /// Clients show "more" where there is none, or the other way round.
    CompletionHasMoreConsistent(Response, Disabled) {}
    spec: "server/utilities/completion", fix: "Set `hasMore` when `total` is larger than the number of values."
}

impl Lint for CompletionHasMoreConsistent {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) =
            complete(context).filter(|_| context.exchange.method == "completion/complete")
        else {
            return;
        };
        let member =
            |name: &str| result.member("completion").and_then(|completion| completion.get(name));
        let more = member("hasMore").and_then(Value::as_bool);
        let total = member("total").and_then(Value::as_u64);
        let count = member("values").and_then(Value::as_array).map(|values| values.len() as u64);
        if let (Some(more), Some(total), Some(count)) = (more, total, count)
            && more != (total > count)
        {
            problems.push(Problem::new(
                "contradiction",
                format!("a completion has {count} values of {total} and hasMore {more}"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use serde_json::json;

    let completed = |more: bool| {
        let completion = json!({"values": ["a", "b"], "total": 9, "hasMore": more});
        Scene::new().asked(
            "completion/complete",
            json!({}),
            Reply::Result(json!({"completion": completion})),
        )
    };
    Examples::of(&ENTRY)
        .flags("2 values of 9 and hasMore false", completed(false))
        .passes(completed(true))
}
