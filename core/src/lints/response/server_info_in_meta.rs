//! `server_info_in_meta`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use serde_json::Value;

lint! {
    /// Results do not say which server they come from.
    ///
    /// Without a handshake, `_meta["io.modelcontextprotocol/serverInfo"]` is the only place where clients learn the server's
    /// name and version.
    ServerInfoInMeta(Response, Warning) {}
    spec: "basic/index#meta", fix: "Put `name` and `version` into `_meta[\"io.modelcontextprotocol/serverInfo\"]` of every result.", since: V2026_07_28
}

impl Lint for ServerInfoInMeta {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(result) = context.exchange.result() else {
            return;
        };
        // The handshake's results are of a revision that has another place for it.
        if context.exchange.method == "initialize" {
            return;
        }
        let info = result
            .member("_meta")
            .and_then(|meta| meta.member("io.modelcontextprotocol/serverInfo"));
        let text = |name: &str| info.and_then(|info| info.get(name)).and_then(Value::as_str);
        let method = &context.exchange.method;
        let what = match info {
            None => "no serverInfo in its _meta",
            Some(_) if text("name").is_none() => "a serverInfo without a name",
            Some(_) if text("version").is_none() => "a serverInfo without a version",
            Some(_) => return,
        };
        problems.push(Problem::new(what, format!("the result of {method} has {what}")));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::Reply;
    use crate::protocol::Revision;
    use serde_json::json;

    let list = |meta| {
        let result = json!({"tools": [], "resultType": "complete", "_meta": meta});
        Scene::at(Revision::V2026_07_28).asked("tools/list", json!({}), Reply::Result(result))
    };
    let handshake = Reply::Result(json!({"protocolVersion": "2025-11-25"}));
    let handshake = Scene::at(Revision::V2026_07_28).asked("initialize", json!({}), handshake);
    Examples::of(&ENTRY)
        .passes(handshake)
        .flags("no serverInfo", list(json!({})))
        .flags(
            "without a version",
            list(json!({"io.modelcontextprotocol/serverInfo": {"name": "x"}})),
        )
        .passes(list(json!({"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}})))
}
