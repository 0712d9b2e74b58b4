//! Requests to parameters, and failures to status codes.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// A failed request: the status and one sentence.
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.message}))).into_response()
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match &failure {
            Failure::UnknownSession(_) | Failure::Missing(_) => StatusCode::NOT_FOUND,
            Failure::Invalid(_) => StatusCode::BAD_REQUEST,
            Failure::Conflict(_) => StatusCode::CONFLICT,
            Failure::Forbidden(_) => StatusCode::FORBIDDEN,
            Failure::Late { .. } => StatusCode::GATEWAY_TIMEOUT,
            Failure::System(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, failure.to_string())
    }
}

/// Parameters from a JSON body. An empty object stands for no body.
pub(crate) fn body(
    json: Result<Json<Value>, JsonRejection>,
) -> Result<Map<String, Value>, Problem> {
    match json {
        Ok(Json(Value::Object(fields))) => Ok(fields),
        Ok(_) => Err(Problem::new(StatusCode::BAD_REQUEST, "the body must be a JSON object")),
        Err(rejection) => Err(Problem::new(rejection.status(), rejection.body_text())),
    }
}

/// Parameters from a query string. Numbers and booleans are recognised by their looks.
pub(crate) fn query(pairs: Vec<(String, String)>) -> Map<String, Value> {
    let typed = |text: String| match text.as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        digits => digits.parse::<u64>().map_or_else(|_| Value::String(text.clone()), Value::from),
    };
    pairs.into_iter().map(|(key, value)| (key, typed(value))).collect()
}

/// The operation's parameters: the request's fields and what the path says. A field the path sets is no field.
pub(crate) fn params<P: DeserializeOwned>(
    mut fields: Map<String, Value>,
    path: &[(&str, &str)],
) -> Result<P, Problem> {
    for (key, value) in path {
        if fields.insert((*key).to_owned(), Value::from(*value)).is_some() {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                format!("{key} belongs into the path"),
            ));
        }
    }
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, error.to_string()))
}
