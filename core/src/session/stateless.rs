//! 2026-07-28: no handshake; every request carries its own `_meta`, and results may ask for more input.

use super::answer;
use super::open::{ServerIdentity, opening_result};
use super::wire::Session;
use super::{MetaOption, RequestOptions, SessionOptions};
use crate::exchange::{Exchange, Reply};
use crate::pointer::Members;
use crate::protocol::Revision;
use crate::transport::OpenError;
use serde_json::{Map, Value, json};

/// How often a result may ask for more input before it is taken as it is.
const MOST_ROUNDS: usize = 8;
/// Who answers, in the `_meta` of a result.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The `_meta` members that every request carries.
pub(super) fn meta(options: &SessionOptions, revision: Revision) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision.as_str(),
        "io.modelcontextprotocol/clientInfo": options.client_info,
        "io.modelcontextprotocol/clientCapabilities": options.client_capabilities,
    })
}

/// Puts `demanded`, then the caller's own `_meta`, then the patch and the progress token into `params`. Parameters that are
/// no object are left alone.
pub(super) fn merge_meta(
    params: Value,
    demanded: Value,
    option: &MetaOption,
    token: Option<&Value>,
) -> Value {
    let mut params = match params {
        Value::Null => Map::new(),
        Value::Object(params) => params,
        other => return other,
    };
    let mut meta = match demanded {
        Value::Object(meta) => meta,
        _ => Map::new(),
    };
    match params.remove("_meta") {
        Some(Value::Object(own)) => meta.extend(own),
        Some(other) => {
            // A probe of the caller's: it goes out as it is.
            params.insert("_meta".to_owned(), other);
            return Value::Object(params);
        }
        None => {}
    }
    if let Some(token) = token {
        meta.insert("progressToken".to_owned(), token.clone());
    }
    if let MetaOption::Patch(Value::Object(patch)) = option {
        for (name, value) in patch {
            if value.is_null() {
                meta.remove(name);
            } else {
                meta.insert(name.clone(), value.clone());
            }
        }
    }
    if !meta.is_empty() {
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
    Value::Object(params)
}

/// Asks `server/discover` and takes what it says.
pub(super) fn open(session: &mut Session) -> Result<(), OpenError> {
    let timeout = Some(session.options.startup_timeout);
    let options = RequestOptions { timeout, ..Default::default() };
    let exchange = session.request_with("server/discover", json!({}), &options);
    identify(session, exchange)
}

/// Fills in who the server is from the answer to `server/discover`.
pub(super) fn identify(session: &mut Session, exchange: Exchange) -> Result<(), OpenError> {
    let result = opening_result(session, &exchange)?;
    let info = result.member("_meta").and_then(|meta| meta.get(SERVER_INFO));
    let info = info.or_else(|| result.member("serverInfo")).unwrap_or(&Value::Null);
    let version = Some(session.revision.as_str().to_owned());
    session.server = ServerIdentity::new(info, result, version, exchange.clone());
    Ok(())
}

/// Answers `input_required` results until one is complete: same parameters, a new id, `inputResponses` under the same keys,
/// and `requestState` exactly as it came.
pub(super) fn follow_up(session: &mut Session, exchange: &mut Exchange, options: &RequestOptions) {
    let mut rounds = Vec::new();
    while rounds.len() < MOST_ROUNDS {
        let Some(retry) = retry_params(session, exchange) else { break };
        let options = RequestOptions { id: None, ..options.clone() };
        let next = session.request_once(&exchange.method, retry, &options);
        let previous = std::mem::replace(exchange, next);
        exchange.elapsed += previous.elapsed;
        exchange.side.splice(0..0, previous.side);
        if let Reply::Result(intermediate) = previous.reply {
            rounds.push(intermediate);
        }
    }
    exchange.rounds = rounds;
}

impl Session {
    /// The answers to input requests, under their keys; those of a kind that nobody knows are left out.
    pub(crate) fn answers_to(&self, requests: &Map<String, Value>) -> Value {
        let answers = requests.iter().filter_map(|(key, request)| {
            let method = request.member("method").and_then(Value::as_str)?;
            let params = request.member("params").unwrap_or(&Value::Null);
            Some((key.clone(), answer::to_question(&self.options, method, params)?))
        });
        Value::Object(answers.collect())
    }
}

fn retry_params(session: &Session, exchange: &Exchange) -> Option<Value> {
    let result = exchange.result()?;
    if result.member("resultType").and_then(Value::as_str) != Some("input_required") {
        return None;
    }
    let mut params = exchange.params.as_object()?.clone();
    params.remove("inputResponses");
    params.remove("requestState");
    if let Some(requests) = result.member("inputRequests").and_then(Value::as_object) {
        params.insert("inputResponses".to_owned(), session.answers_to(requests));
    }
    if let Some(state) = result.member("requestState") {
        params.insert("requestState".to_owned(), state.clone());
    }
    Some(Value::Object(params))
}
