//! `call_param_header_mirrored`.

use crate::exchange::Reply;
use crate::lints::look::{is_streamable, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::session::ParamHeader;
use serde_json::Value;

lint! {
    /// A call whose `Mcp-Param-*` headers repeat its arguments as they should is refused for its headers.
    ///
    /// No client can call the tool.
    CallParamHeaderMirrored(Response, Error) {}
    spec: "basic/transports/streamable-http#custom-headers-from-tool-parameters", fix: "Compare headers with the arguments at the places that `x-mcp-header` marks, after decoding.", since: V2026_07_28
}

impl Lint for CallParamHeaderMirrored {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let (Some(tool), Reply::Error(error)) = (context.tool, &context.exchange.reply) else {
            return;
        };
        let schema = tool.raw.get("inputSchema").unwrap_or(&Value::Null);
        let marked = !ParamHeader::of_schema(schema).is_empty();
        if is_streamable(context.input, context.server) && marked && error.code == Some(-32020) {
            problems.push(Problem::new(
                "refused",
                format!(
                    "a call with the headers that `x-mcp-header` asks for was refused: {}",
                    shorten(&error.message, 120)
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let marked = |reply| {
        Scene::at(Revision::V2026_07_28)
        .over_http()
        .input_schema(json!({"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}}))
        .called("tool", json!({"n": 42}), crate::case::Label::Valid, reply)
    };
    Examples::of(&ENTRY)
        .flags("asks for was refused", marked(error(-32020, "Header mismatch")))
        .passes(marked(Reply::Result(json!({"content": []}))))
}
