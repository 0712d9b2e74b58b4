//! `elicit_url_valid`.

use crate::lints::look::{asks, member, shorten};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, frame},
};
use crate::pointer::Members;

lint! {
    /// An elicitation sends the user to something that is no usable web address.
    ///
    /// Clients show the address and open it in a browser; over plain http the user's answer can be read on the way.
    ElicitUrlValid(Response, Error) {}
    spec: "client/elicitation#url-mode-elicitation-requests", fix: "Send an absolute https URL.", since: V2025_11_25
}

impl Lint for ElicitUrlValid {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let mut sent = None;
        for (method, params) in asks(context) {
            if method != "elicitation/create" || *member(params, "mode") != "url" {
                continue;
            }
            let sent =
                sent.get_or_insert_with(|| context.exchange.params.to_string().to_lowercase());
            let Some(address) = params.member("url").and_then(|url| url.as_str()) else {
                continue;
            };
            // What the caller gave is the caller's.
            if sent.contains(&address.to_lowercase()) {
                continue;
            }
            let shown = shorten(address, 120);
            match url::Url::parse(address) {
                Err(error) => problems.push(Problem::new(
                    "no URL",
                    format!("the elicitation's url {shown:?} is no URL ({error})"),
                )),
                Ok(url) if url.scheme() == "https" => {}
                Ok(url) if url.scheme() == "http" && is_loopback(&url) => {}
                Ok(url) if url.scheme() == "http" => {
                    problems.push(
                        Problem::new(
                            "plain http",
                            format!("the elicitation's url {shown:?} is not https"),
                        )
                        .warning(),
                    );
                }
                Ok(url) => problems.push(Problem::new(
                    "no web address",
                    format!(
                        "the elicitation's url has the scheme {:?}, which is no web address",
                        url.scheme()
                    ),
                )),
            }
        }
    }
}

fn is_loopback(url: &url::Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use serde_json::json;

    let given = |arguments, url: &str| {
        let params = json!({"mode": "url", "message": "?", "elicitationId": "1", "url": url});
        let ask =
            json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params});
        Scene::new().call("tool", arguments, json!({"content": []})).stray(frame(&ask))
    };
    let asks = |url: &str| given(json!({}), url);
    Examples::of(&ENTRY)
        .flags("is no URL", asks("/login"))
        .flags("is not https", asks("http://example.com/login"))
        .flags("no web address", asks("javascript:alert(1)"))
        .passes(asks("https://example.com/login"))
        .passes(given(json!({"url": "n:"}), "n:"))
        .passes(asks("http://127.0.0.1:8000/login"))
}
