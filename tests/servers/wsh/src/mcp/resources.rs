//! Resources: the list of sessions, and each session's screen and scrollback as text.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::app::App;
use crate::session::Session;
use crate::terminal::{Format, Line};
use crate::tools::{ListSessions, list_sessions};

const SESSIONS: &str = "wsh://sessions";

/// The list of sessions, and two resources for each session.
pub(super) fn list(app: &App) -> Vec<Resource> {
    let mut resources = vec![
        Resource::new(SESSIONS, "sessions")
            .with_title("Sessions")
            .with_description("All sessions, as JSON")
            .with_mime_type("application/json"),
    ];
    for (name, _) in app.sessions.all() {
        for (part, what) in
            [("screen", "What its terminal shows"), ("scrollback", "Everything printed so far")]
        {
            resources.push(
                Resource::new(format!("{SESSIONS}/{name}/{part}"), format!("{name} {part}"))
                    .with_description(format!("Session {name}. {what}"))
                    .with_mime_type("text/plain"),
            );
        }
    }
    resources
}

/// Templates of the resources that sessions have.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |part: &str, description: &str| {
        ResourceTemplate::new(format!("{SESSIONS}/{{name}}/{part}"), format!("session {part}"))
            .with_description(description)
            .with_mime_type("text/plain")
    };
    vec![
        template("screen", "What a session's terminal shows now"),
        template("scrollback", "Everything a session's program has printed that is still kept"),
    ]
}

/// Reads one resource.
pub(super) async fn read(app: &App, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    if uri == SESSIONS {
        return sessions(app);
    }
    let missing =
        || ErrorData::resource_not_found(format!("no resource {uri}"), Some(json!({"uri": uri})));
    let path = uri.strip_prefix(SESSIONS).and_then(|rest| rest.strip_prefix('/'));
    let (name, part) = path.and_then(|path| path.split_once('/')).ok_or_else(missing)?;
    let session = app.sessions.find(name).map_err(|_| missing())?;
    session.settle().await;
    let text = match part {
        "screen" => text(session.emulator().screen(Format::Plain).lines),
        "scrollback" => scrollback(&session),
        _ => return Err(missing()),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]))
}

fn sessions(app: &App) -> Result<ReadResourceResult, ErrorData> {
    let list = list_sessions(app, ListSessions::all())
        .map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
    let text =
        serde_json::to_string(&list).map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
    let contents = ResourceContents::text(text, SESSIONS).with_mime_type("application/json");
    Ok(ReadResourceResult::new(vec![contents]))
}

fn scrollback(session: &Session) -> String {
    text(session.emulator().scrollback(0, usize::MAX, Format::Plain).0)
}

fn text(lines: Vec<Line>) -> String {
    let plain = lines.into_iter().map(|line| match line {
        Line::Plain(text) => text,
        Line::Styled(_) => String::new(),
    });
    plain.collect::<Vec<_>>().join("\n")
}
