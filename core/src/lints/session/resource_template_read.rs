//! `resource_template_read`.

use crate::exchange::Reply;
use crate::lints::look::shorten;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::{Value, json};

lint! {
    /// Reading a URI that was built from a template ends in an internal error.
    ///
    /// Whatever stands in a template's variable, the server answers with contents or says what was wrong.
    ResourceTemplateRead(Probe, Warning) {
        /// How many templates are tried at most.
        max: usize = 5,
    }
    spec: "server/resources#resource-templates", fix: "Check the variables and answer with \"not found\" where nothing fits."
}

impl Lint for ResourceTemplateRead {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        let templates = context.catalog.templates.iter().take(self.max);
        let uris = templates.filter_map(|template| fill(&template.uri_template));
        let reads: Vec<_> = uris.map(|uri| ask("resources/read", json!({ "uri": uri }))).collect();
        if reads.is_empty() { Vec::new() } else { vec![shared("resources by template", reads)] }
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (_, exchange) in asked(context) {
            if matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32603)) {
                let uri = exchange.params.get("uri").and_then(Value::as_str).unwrap_or_default();
                problems.push(Problem::new(
                    "internal error",
                    format!("reading {} got {}", shorten(uri, 80), outcome(exchange)),
                ));
                return;
            }
        }
    }
}

/// The template with `tooltest-1` in the place of each expression; `None` where a brace has no partner.
fn fill(template: &str) -> Option<String> {
    let mut uri = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (expression, after) = after.split_once('}')?;
        uri.push_str(before);
        // Query and path parameters may be left out.
        if !expression.starts_with(['?', '&', ';', '#', '/', '.']) {
            uri.push_str("tooltest-1");
        }
        rest = after;
    }
    uri.push_str(rest);
    Some(uri)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let listed = || {
        Scene::new()
            .item(ListKind::Templates, json!({"uriTemplate": "notes://{id}{?page}", "name": "n"}))
    };
    Examples::of(&ENTRY)
        .flags(
            "reading notes://tooltest-1 got the error -32603",
            listed().answers(|_, _| error(-32603, "NaN")),
        )
        .passes(listed().answers(|_, _| error(-32602, "Resource not found")))
}
