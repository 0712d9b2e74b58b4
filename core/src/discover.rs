//! Discovery: fetching the four lists, page by page, without being caught in a loop.

use crate::catalog::{Catalog, ListKind, Listing, WalkEnd};
use crate::session::Session;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Pages of one list after which the walk ends.
const MAX_PAGES: usize = 1000;

/// Fetches every list that the server declares.
pub(crate) fn fetch(session: &mut Session) -> Catalog {
    let listings = ListKind::ALL.into_iter().map(|list| walk(session, list)).collect();
    Catalog::from_listings(listings, session.revision())
}

/// Walks one list.
pub(crate) fn walk(session: &mut Session, list: ListKind) -> Listing {
    let declared =
        session.server().capabilities.get(list.capability()).is_some_and(|value| !value.is_null());
    let mut listing = Listing { list, pages: Vec::new(), end: WalkEnd::NotDeclared };
    // Servers that declare nothing at all are asked for tools all the same.
    if !declared && list != ListKind::Tools {
        return listing;
    }
    let mut seen = HashSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let params = cursor.as_ref().map_or(Value::Null, |cursor| json!({ "cursor": cursor }));
        let page = session.request(list.method(), params);
        let next = page
            .result()
            .map(|result| result.get("nextCursor").and_then(Value::as_str).map(str::to_owned));
        listing.pages.push(page);
        listing.end = match next {
            None => WalkEnd::Failed,
            Some(None) => WalkEnd::Complete,
            Some(Some(next)) if !seen.insert(next.clone()) => WalkEnd::RepeatedCursor(next),
            Some(Some(_)) if listing.pages.len() >= MAX_PAGES => WalkEnd::TooManyPages,
            Some(Some(next)) => {
                cursor = Some(next);
                continue;
            }
        };
        return listing;
    }
}
