//! `http_header_base64`.

use crate::lints::look::is_streamable;
use crate::lints::meta::lint;
use crate::lints::probes::{error_code, named_target, post, shared, step_responses};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http, odd_headers_code},
};
use crate::probe::Probe;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

lint! {
    /// A name that is encoded in its header is not decoded before it is compared.
    ///
    /// Names that are not plain ASCII can travel only like this.
    HttpHeaderBase64(Probe, Error) {}
    spec: "basic/transports/streamable-http#value-encoding", fix: "Decode `=?base64?…?=` in Mcp-Name and Mcp-Param-* before comparing.", since: V2026_07_28
}

impl Lint for HttpHeaderBase64 {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let Some((method, params, name)) =
            named_target(context).filter(|_| is_streamable(context.input, context.server))
        else {
            return Vec::new();
        };
        let encoded = format!("=?base64?{}?=", STANDARD.encode(name));
        let steps = vec![
            post(method, params.clone(), &[]),
            post(method, params, &[("Mcp-Name", Some(&encoded))]),
        ];
        vec![shared("an encoded Mcp-Name", steps)]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, response) in step_responses(context).filter(|(_, r)| error_code(r) == Some(-32020))
        {
            let status = response.status;
            problems.push(Problem::new(
                "not decoded",
                format!("a request whose Mcp-Name was in base64 got status {status} with the error -32020"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    use crate::protocol::Revision;
    use serde_json::json;

    let modern = |answer| {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .item(ListKind::Resources, json!({"uri": "file:///a", "name": "a"}))
            .answers_http(answer)
    };
    Examples::of(&ENTRY)
        .flags("got status 400 with the error -32020", modern(odd_headers_code::<-32020>))
        .passes(modern(|_| http(200, r#"{"result":{}}"#)))
}
