//! The pages for people. Each is one document: no asset comes from anywhere else, and it talks to nobody but this server.

use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};

pub(crate) const DOCS: &str = "/docs";
pub(crate) const PLAYGROUND: &str = "/mcp_ui";

/// What pages are put together from, by the marks that stand for it.
const PARTS: [(&str, &str); 5] = [
    ("/*STYLE*/", include_str!("pages/style.css")),
    ("/*SHARED*/", include_str!("pages/shared.js")),
    ("/*CLIENT*/", include_str!("pages/mcp.js")),
    ("/*FORM*/", include_str!("pages/form.js")),
    ("/*PLAYGROUND*/", include_str!("pages/mcp_ui.js")),
];
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The description of the REST part.
pub(super) async fn docs() -> Response {
    page(StatusCode::OK, include_str!("pages/docs.html"))
}

/// The playground.
pub(super) async fn playground() -> Response {
    page(StatusCode::OK, include_str!("pages/mcp_ui.html"))
}

/// What a person sees instead of a page where the token is missing: a page that asks for it. Nothing for programs.
pub(crate) fn sign_in(head: &Parts) -> Option<Response> {
    let accepted = head.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok())?;
    let is_page = [DOCS, PLAYGROUND].contains(&head.uri.path()) && head.method == Method::GET;
    (is_page && accepted.contains("text/html"))
        .then(|| page(StatusCode::UNAUTHORIZED, include_str!("pages/sign_in.html")))
}

fn page(status: StatusCode, text: &'static str) -> Response {
    let text = PARTS.iter().fold(text.to_owned(), |text, (name, part)| text.replace(name, part));
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_refer_to_nothing_outside() {
        let pages = ["pages/docs.html", "pages/mcp_ui.html", "pages/sign_in.html"];
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runner");
        let pages = pages.map(|page| std::fs::read_to_string(folder.join(page)).unwrap());
        for text in pages.iter().map(String::as_str).chain(PARTS.map(|(_, part)| part)) {
            for outside in ["http://", "https://", "@import", "src=", "<link", "url("] {
                assert!(!text.contains(outside), "{outside}");
            }
        }
    }
}
