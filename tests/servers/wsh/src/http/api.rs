//! The API's handlers: each turns a request into parameters and calls the operation.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::reply::{Problem, body, params, query};
use crate::app::App;
use crate::failure::Failure;
use crate::tools;

type Shared = State<Arc<App>>;
type Body = Result<Json<Value>, JsonRejection>;
type Pairs = Query<Vec<(String, String)>>;
type Answer = Result<Json<Value>, Problem>;

fn answer<T: Serialize>(result: Result<T, Failure>) -> Answer {
    let value = serde_json::to_value(result?);
    value.map(Json).map_err(|e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, e.to_string()))
}

pub(crate) async fn create(
    State(app): Shared,
    json: Body,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let made = answer(tools::create_session(&app, params(body(json)?, &[])?).await)?;
    Ok((StatusCode::CREATED, made))
}

pub(crate) async fn list(State(app): Shared) -> Answer {
    answer(tools::list_sessions(&app, tools::ListSessions::all()))
}

pub(crate) async fn show(State(app): Shared, Path(name): Path<String>) -> Answer {
    let mut list = tools::list_sessions(&app, tools::ListSessions::one(name.clone()))?;
    answer(list.sessions.pop().ok_or(Failure::UnknownSession(name)))
}

pub(crate) async fn rename(State(app): Shared, Path(name): Path<String>, json: Body) -> Answer {
    let mut fields = body(json)?;
    let new_name = fields.remove("name").ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "name is missing: the session's new name")
    })?;
    fields.insert("new_name".to_owned(), new_name);
    let params = params(fields, &[("session", &name), ("action", "rename")])?;
    answer(tools::manage_session(&app, params).await)
}

pub(crate) async fn kill(
    State(app): Shared,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let params = params(Map::new(), &[("session", &name), ("action", "kill")])?;
    tools::manage_session(&app, params).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn detach(State(app): Shared, Path(name): Path<String>) -> Answer {
    let params = params(Map::new(), &[("session", &name), ("action", "detach")])?;
    answer(tools::manage_session(&app, params).await)
}

pub(crate) async fn input(State(app): Shared, Path(name): Path<String>, json: Body) -> Answer {
    answer(tools::send_input(&app, params(body(json)?, &[("session", &name)])?).await)
}

pub(crate) async fn run(State(app): Shared, Path(name): Path<String>, json: Body) -> Answer {
    answer(tools::run_command(&app, params(body(json)?, &[("session", &name)])?).await)
}

/// With `composed=true` the rows as a viewer sees them: panels and overlays drawn in.
pub(crate) async fn screen(
    State(app): Shared,
    Path(name): Path<String>,
    Query(pairs): Pairs,
) -> Answer {
    let mut fields = query(pairs);
    if fields.remove("composed") == Some(Value::Bool(true)) {
        let session = app.sessions.find(&name)?;
        session.settle().await;
        return Ok(Json(json!({"session": name, "lines": session.composed()})));
    }
    answer(tools::get_screen(&app, params(fields, &[("session", &name)])?).await)
}

pub(crate) async fn scrollback(
    State(app): Shared,
    Path(name): Path<String>,
    Query(pairs): Pairs,
) -> Answer {
    answer(tools::get_scrollback(&app, params(query(pairs), &[("session", &name)])?).await)
}

pub(crate) async fn quiesce(
    State(app): Shared,
    Path(name): Path<String>,
    Query(pairs): Pairs,
) -> Answer {
    answer(tools::await_quiesce(&app, params(query(pairs), &[("session", &name)])?).await)
}

fn listing() -> Map<String, Value> {
    Map::from_iter([("list".to_owned(), Value::Bool(true))])
}

pub(crate) async fn overlays(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::overlay(&app, params(listing(), &[("session", &name)])?))
}

pub(crate) async fn overlay(State(app): Shared, Path(name): Path<String>, json: Body) -> Answer {
    answer(tools::overlay(&app, params(body(json)?, &[("session", &name)])?))
}

pub(crate) async fn remove_overlays(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::remove_overlay(&app, params(Map::new(), &[("session", &name)])?))
}

pub(crate) async fn remove_overlay(
    State(app): Shared,
    Path((name, id)): Path<(String, String)>,
) -> Answer {
    answer(tools::remove_overlay(&app, params(Map::new(), &[("session", &name), ("id", &id)])?))
}

pub(crate) async fn panels(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::panel(&app, params(listing(), &[("session", &name)])?))
}

pub(crate) async fn panel(State(app): Shared, Path(name): Path<String>, json: Body) -> Answer {
    answer(tools::panel(&app, params(body(json)?, &[("session", &name)])?))
}

pub(crate) async fn remove_panels(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::remove_panel(&app, params(Map::new(), &[("session", &name)])?))
}

pub(crate) async fn remove_panel(
    State(app): Shared,
    Path((name, id)): Path<(String, String)>,
) -> Answer {
    answer(tools::remove_panel(&app, params(Map::new(), &[("session", &name), ("id", &id)])?))
}

pub(crate) async fn input_mode(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::input_mode(&app, params(Map::new(), &[("session", &name)])?))
}

pub(crate) async fn set_input_mode(
    State(app): Shared,
    Path(name): Path<String>,
    json: Body,
) -> Answer {
    answer(tools::input_mode(&app, params(body(json)?, &[("session", &name)])?))
}

pub(crate) async fn screen_mode(State(app): Shared, Path(name): Path<String>) -> Answer {
    answer(tools::screen_mode(&app, params(Map::new(), &[("session", &name)])?))
}

pub(crate) async fn set_screen_mode(
    State(app): Shared,
    Path(name): Path<String>,
    json: Body,
) -> Answer {
    answer(tools::screen_mode(&app, params(body(json)?, &[("session", &name)])?))
}
