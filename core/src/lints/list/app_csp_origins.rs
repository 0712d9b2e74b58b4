//! `app_csp_origins`.

use super::item::{Faults, Item, all, shown};
use crate::lints::meta::lint;
use crate::lints::{Lint, ListContext, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use serde_json::Value;
#[cfg(test)]
use serde_json::json;

lint! {
    /// A domain in a user interface's content security policy is not an origin.
    ///
    /// Hosts of the Apps extension copy the entries into a policy; what is no origin is dropped or makes the policy wider than meant.
    AppCspOrigins(List, Disabled) {}
    spec: "SEP-1865", fix: "Write scheme and host alone, for example `https://api.example.com` or `https://*.example.com`.", since: V2025_11_25
}

impl Lint for AppCspOrigins {
    fn list(&self, context: &ListContext<'_>, problems: &mut Vec<Problem>) {
        let mut faults = Faults::new(problems);
        for item in all(context.catalog) {
            check(item, &mut faults);
        }
    }
}

fn check(item: Item<'_>, faults: &mut Faults<'_>) {
    let csp = item.raw.pointer("/_meta/ui/csp").and_then(Value::as_object);
    for (member, domains) in
        csp.into_iter().flatten().filter(|(member, _)| member.ends_with("Domains"))
    {
        let odd = domains
            .as_array()
            .into_iter()
            .flatten()
            .find(|domain| !domain.as_str().is_some_and(is_origin));
        if let Some(odd) = odd {
            faults.add(
                item,
                format!("csp {member}"),
                format!("`_meta.ui.csp.{member}` has {}, which is no origin", shown(odd)),
            );
        }
    }
}

/// Scheme, host (perhaps with `*.` before it) and perhaps a port.
fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else {
        return false;
    };
    let is_host_character =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '*' | '[' | ']');
    matches!(scheme, "https" | "http" | "wss" | "ws")
        && !authority.is_empty()
        && authority.chars().all(is_host_character)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;
    let scene = |domain: &str| {
        let meta = json!({"ui": {"csp": {"connectDomains": [domain]}}});
        Scene::new().item(ListKind::Resources, json!({"uri": "ui://a", "name": "a", "_meta": meta}))
    };
    Examples::of(&ENTRY)
        .flags("resource \"ui://a\": `_meta.ui.csp.connectDomains` has \"https://a.example/path\", which is no origin", scene("https://a.example/path"))
        .flags("has \"a.example\"", scene("a.example"))
        .passes(scene("https://*.a.example:8443"))
}
