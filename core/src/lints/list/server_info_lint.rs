//! `server_info_lint`.

use super::item::{Is, ill_typed, quoted};
use super::uri::uri_fault;
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// What the server says of itself is incomplete or malformed.
    ///
    /// Hosts show name, title and website to users, and reports name the version that was tested.
    ServerInfoLint(List, Disabled) {}
    spec: "schema#implementation", fix: "Give the server a name and a version such as `1.4.2`, and well-formed optional members."
}

impl Lint for ServerInfoLint {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        const MEMBERS: [(&str, Is); 3] =
            [("title", Is::String), ("description", Is::String), ("websiteUrl", Is::String)];
        let opening = context.server.opening.as_ref().and_then(|opening| opening.result());
        let info = opening.and_then(|result| {
            result
                .get("serverInfo")
                .or_else(|| result.get("_meta")?.get("io.modelcontextprotocol/serverInfo"))
        });
        let Some(info) = info else {
            return;
        };
        let mut say = |rule: &'static str, message: String| {
            problems.push(Problem::new(rule, format!("serverInfo: {message}")))
        };
        let version = info.get("version").and_then(Value::as_str).unwrap_or_default();
        if !version.contains(|c: char| c.is_ascii_digit()) {
            say("version", format!("the version {} has no number in it", quoted(version)));
        }
        for (member, wrong) in ill_typed(info, &MEMBERS) {
            say(member, wrong);
        }
        let website = info.get("websiteUrl").and_then(Value::as_str);
        if let Some(website) = website.filter(|website| uri_fault(website).is_some()) {
            say("websiteUrl", format!("`websiteUrl` {} is no URI", quoted(website)));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let scene = |info: Value| Scene::new().opened(json!({ "serverInfo": info }));
    Examples::of(&ENTRY)
        .flags("serverInfo: the version \"latest\" has no number in it", scene(json!({"name": "a", "version": "latest"})))
        .flags("`title` is null", scene(json!({"name": "a", "version": "1", "title": null})))
        .flags("`websiteUrl` \"example\" is no URI", scene(json!({"name": "a", "version": "1", "websiteUrl": "example"})))
        .passes(scene(json!({"name": "a", "version": "v2.0.0-rc.1", "title": "A", "websiteUrl": "https://a.example"})))
}
