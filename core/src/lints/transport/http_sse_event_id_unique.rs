//! `http_sse_event_id_unique`.

use crate::exchange::HttpExchange;
use crate::lints::look::event_stream;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};

lint! {
    /// Two streams use the same event id.
    ///
    /// A client that asks to go on after an event gets the rest of another stream.
    HttpSseEventIdUnique(Response, Warning) {}
    spec: "basic/transports#resumability-and-redelivery", fix: "Make event ids unique over all streams of a session, for example by putting the stream's name into them.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSseEventIdUnique {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let ids = |http: Option<&'_ HttpExchange>| -> Vec<String> {
            http.into_iter()
                .flat_map(|http| &http.events)
                .filter_map(|event| event.id.clone())
                .collect()
        };
        let own = ids(event_stream(context));
        // An empty id sets a reader's memory back; it is no id.
        let again = own.iter().filter(|id| !id.is_empty()).find(|id| {
            context.history.iter().any(|(_, earlier)| ids(earlier.http.as_ref()).contains(id))
        });
        if let Some(id) = again {
            problems.push(Problem::new(
                "id again",
                format!("the event id {id:?} stands in two streams of the session"),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::exchange::SseEvent;
    use serde_json::json;

    let event = |id: &str| SseEvent {
        id: Some(id.to_owned()),
        data: "{}".to_owned(),
        ..SseEvent::default()
    };
    let second = |id: &str| {
        let mut scene =
            Scene::new().streamed(vec![event(id)]).after("tool", json!({}), json!({"content": []}));
        scene.first().http =
            Some(HttpExchange { status: 200, events: vec![event("1")], ..HttpExchange::default() });
        scene
    };
    Examples::of(&ENTRY).flags("\"1\" stands in two streams", second("1")).passes(second("2"))
}
