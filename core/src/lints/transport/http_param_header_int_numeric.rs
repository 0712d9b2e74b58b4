//! `http_param_header_int_numeric`.

use crate::lints::meta::lint;
use crate::lints::probes::{
    Header, error_code, marked_call, over_http, post, shared, step_responses,
};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;

lint! {
    /// A whole number in an `Mcp-Param-*` header is compared as text.
    ///
    /// `42.0` and `42` are the same number.
    HttpParamHeaderIntNumeric(Probe, Disabled) {}
    spec: "basic/transports/streamable-http#server-validation", fix: "Compare whole numbers by value.", since: V2026_07_28
}

impl Lint for HttpParamHeaderIntNumeric {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some((params, header, value)) =
            marked_call(context).filter(|(.., value)| value.is_i64())
        else {
            return Vec::new();
        };
        let same = format!("{value}.0");
        let changes: [&[Header<'_>]; 2] = [&[], &[(header.as_str(), Some(&same))]];
        let steps = changes.map(|headers| post("tools/call", params.clone(), headers)).to_vec();
        over_http(context, || shared("a number written in another way", steps))
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if step_responses(context).any(|(_, response)| error_code(response) == Some(-32020)) {
            problems.push(Problem::new(
                "as text",
                "a header with the same number written as N.0 was refused with -32020",
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let marked = |answer| {
        Scene::at(Revision::V2026_07_28)
        .over_http()
        .input_schema(json!({"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}}))
        .seen_call("tool", json!({"n": 42}))
        .answers_http(answer)
    };
    Examples::of(&ENTRY)
        .flags("refused with -32020", marked(odd_headers_code::<-32020>))
        .passes(marked(|_| http(200, r#"{"result":{}}"#)))
}
