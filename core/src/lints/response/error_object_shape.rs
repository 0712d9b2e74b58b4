//! `error_object_shape`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::protocol::shapes;

lint! {
    /// An error's `code` is no integer or its `message` no string.
    ///
    /// Typed clients cannot read such an error at all: the request seems to hang.
    ErrorObjectShape(Response, Error) {}
    spec: "basic/index#error-responses", fix: "Send `{\"code\": integer, \"message\": string}`, with `data` only if there is more to say."
}

impl Lint for ErrorObjectShape {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Reply::Error(error) = &context.exchange.reply else {
            return;
        };
        let faults = shapes::check_error(context.revision, &error.raw);
        for fault in faults.iter().filter(|fault| !fault.pointer.starts_with("/data")) {
            problems.push(Problem::new(fault.rule(), format!("in the error, {fault}")));
        }
        if let Some(code) = error.code.filter(|code| i32::try_from(*code).is_err()) {
            problems.push(Problem::new(
                "code beyond 32 bits",
                format!(
                    "the error code {code} does not fit 32 bits; typed clients lose the answer"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::{Reply, RpcError};
    use serde_json::Value;
    use serde_json::json;

    let answer = |raw: Value| {
        let code = raw.get("code").and_then(Value::as_i64);
        Scene::new().asked(
            "ping",
            json!({}),
            Reply::Error(RpcError { code, message: String::new(), raw }),
        )
    };
    Examples::of(&ENTRY)
        .flags(
            "/code must be an integer, not \"E1\"",
            answer(json!({"code": "E1", "message": "x"})),
        )
        .flags("/message must be a string, not nothing", answer(json!({"code": -32603})))
        .flags("the whole must be an object", answer(json!("boom")))
        .flags("does not fit 32 bits", answer(json!({"code": 99_999_999_999_i64, "message": "x"})))
        .passes(answer(json!({"code": -32603, "message": "x", "data": null})))
}
