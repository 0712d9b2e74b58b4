//! Opening a session: connecting, finding out the era, and reading who the server is.

use super::waiting::reply_of;
use super::wire::Session;
use super::{Protocol, RequestOptions, SessionOptions, stateful, stateless};
use crate::exchange::{Exchange, HttpExchange, HttpFault, Reply};
use crate::input::Target;
use crate::protocol::{Era, Revision};
use crate::transport::{Http, Memory, OpenError, Sse, Stdio, Transport};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a server may be silent on the first modern request before it counts as one with a handshake.
const DETECTION_PATIENCE: Duration = Duration::from_secs(10);
/// How long it is silent before it is asked another way.
const FIRST_PATIENCE: Duration = Duration::from_secs(2);
/// Error codes that only servers of the modern era send (2026-07-28, basic/versioning).
const MODERN_CODES: [i64; 3] = [-32020, -32021, -32022];

/// What a server says about itself when the session opens.
#[derive(Debug, Clone, Default)]
pub struct ServerIdentity {
    /// `serverInfo.name`; empty where it is missing.
    pub name: String,
    /// `serverInfo.version`; empty where it is missing.
    pub version: String,
    /// The version that the server answered with, as it stands on the wire, known or not.
    pub protocol_version: Option<String>,
    /// `capabilities`; null where it is missing.
    pub capabilities: Value,
    /// `instructions`, if there are any.
    pub instructions: Option<String>,
    /// The exchange that opened the session.
    pub opening: Option<Box<Exchange>>,
}

impl ServerIdentity {
    pub(super) fn new(
        info: &Value,
        result: &Value,
        protocol_version: Option<String>,
        opening: Exchange,
    ) -> Self {
        let text =
            |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            name: text(info, "name").unwrap_or_default(),
            version: text(info, "version").unwrap_or_default(),
            protocol_version,
            capabilities: result.get("capabilities").cloned().unwrap_or_default(),
            instructions: text(result, "instructions"),
            opening: Some(Box::new(opening)),
        }
    }
}

impl Session {
    /// As [`Session::open`], without what another client would need.
    pub(super) fn open_alone(target: &Target, options: &SessionOptions) -> Result<Self, OpenError> {
        if let Protocol::Fixed(revision) = options.protocol {
            return Self::open_as(target, options, revision);
        }
        let opened = match Self::probe(target, options) {
            Ok(Some(modern)) => Ok(modern),
            Ok(None) => Self::open_as(target, options, Revision::NEWEST_LEGACY),
            Err(error) => Err(error),
        };
        match opened {
            Err(error) => match error.newest_supported() {
                Some(revision) => Self::open_as(target, options, revision),
                None => Err(error),
            },
            opened => opened,
        }
    }

    /// Finds out which revision to offer to `target`, so that later sessions need not probe.
    pub fn detect(target: &Target, options: &SessionOptions) -> Result<Revision, OpenError> {
        if let Protocol::Fixed(revision) = options.protocol {
            return Ok(revision);
        }
        match Self::probe(target, options) {
            Ok(Some(session)) => Ok(session.revision),
            Ok(None) => Ok(Revision::NEWEST_LEGACY),
            Err(error) => error.newest_supported().ok_or(error),
        }
    }

    /// Starts or connects to `target` without a word of the protocol, as [`Session::handshake`] or a probe wants it. With
    /// [`Protocol::Auto`] the newest revision that has a handshake is assumed.
    pub fn connect(target: &Target, options: &SessionOptions) -> Result<Self, OpenError> {
        let revision = match options.protocol {
            Protocol::Fixed(revision) => revision,
            Protocol::Auto => Revision::NEWEST_LEGACY,
        };
        Ok(Self::unopened(connect(target, options)?, options, revision))
    }

    /// Opens a session that was only connected: `initialize` and what belongs to it, or `server/discover`.
    pub fn handshake(&mut self) -> Result<(), OpenError> {
        match self.revision.era() {
            Era::Legacy => stateful::open(self),
            Era::Modern => stateless::open(self),
        }
    }

    fn open_as(
        target: &Target,
        options: &SessionOptions,
        revision: Revision,
    ) -> Result<Self, OpenError> {
        let mut session = Self::unopened(connect(target, options)?, options, revision);
        match (session.handshake(), target) {
            (Ok(()), _) => Ok(session),
            (Err(error), Target::Http(http)) if may_be_oldest_transport(&error, revision) => {
                // Servers of 2024-11-05 take no POST at this URL, but offer a stream.
                let older = Self::open_as(&Target::Sse(http.clone()), options, revision);
                older.map_err(|_| error)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Asks `server/discover` on a connection of its own. A modern server's session is returned, opened; for a server with a
    /// handshake there is `None`, and the connection is gone, since the probe may have upset it.
    fn probe(target: &Target, options: &SessionOptions) -> Result<Option<Self>, OpenError> {
        if matches!(target, Target::Sse(_)) {
            return Ok(None);
        }
        let mut session = Self::unopened(connect(target, options)?, options, Revision::V2026_07_28);
        let exchange = session.ask_to_discover();
        if options.cancel.is_cancelled() {
            return Err(OpenError::Cancelled);
        }
        match &exchange.reply {
            Reply::Result(result) if result.get("supportedVersions").is_some() => {}
            Reply::Error(error) if error.code.is_some_and(|code| MODERN_CODES.contains(&code)) => {}
            _ => {
                let reachable = session.is_reachable(&exchange);
                // Given time to end by itself, a server that runs once at a time releases its lock.
                session.close();
                return reachable.map(|()| None);
            }
        }
        stateless::identify(&mut session, exchange)?;
        Ok(Some(session))
    }

    /// Asks `server/discover`. Some servers with a handshake say nothing to a method that they do not know; they are told
    /// from slow ones by a ping.
    fn ask_to_discover(&mut self) -> Exchange {
        let patience = self.options.startup_timeout.min(DETECTION_PATIENCE);
        let first =
            if self.transport.http().is_some() { patience } else { patience.min(FIRST_PATIENCE) };
        let ask = |timeout| RequestOptions { timeout: Some(timeout), ..Default::default() };
        let mut exchange = self.request_with("server/discover", json!({}), &ask(first));
        let silent = matches!(exchange.reply, Reply::Silence { .. });
        if silent && first < patience && self.is_open() {
            let rest = patience.saturating_sub(first);
            let ping = self.request_with("ping", Value::Null, &ask(rest));
            let late = self.late().into_iter().find(|frame| frame.id() == Some(&exchange.id));
            match late {
                Some(mut frame) => {
                    exchange.reply = reply_of(&mut frame);
                    exchange.frame = Some(frame);
                }
                None => exchange.side.extend(ping.side),
            }
        }
        exchange
    }

    /// Whether it makes sense to go on with a handshake after a probe that failed.
    fn is_reachable(&self, exchange: &Exchange) -> Result<(), OpenError> {
        let Some(response) = &exchange.http else { return Ok(()) };
        match &response.fault {
            Some(HttpFault::Refused | HttpFault::Unreachable(_) | HttpFault::Tls(_)) => {
                opening_result(self, exchange).map(|_| ())
            }
            None if matches!(response.status, 401 | 403) => Err(OpenError::from_status(response)),
            _ => Ok(()),
        }
    }
}

fn may_be_oldest_transport(error: &OpenError, revision: Revision) -> bool {
    let status = match error {
        OpenError::HttpStatus { status, .. } => Some(*status),
        OpenError::Rejected { status, .. } => *status,
        _ => None,
    };
    revision.era() == Era::Legacy && matches!(status, Some(400 | 404 | 405))
}

fn connect(target: &Target, options: &SessionOptions) -> Result<Transport, OpenError> {
    let cancel = options.cancel.clone();
    match target {
        Target::Stdio(target) => {
            let stdio = Stdio::spawn(
                target,
                &options.extra_env,
                options.frame_cap,
                options.shutdown,
                cancel,
            )?;
            Ok(Transport::Stdio(Box::new(stdio)))
        }
        Target::InProcess(_) => {
            let connector = options.connector.as_deref().ok_or_else(|| {
                OpenError::Connect("no connection was handed over with the input".to_owned())
            })?;
            Ok(Transport::Memory(Memory::connect(connector, cancel)?))
        }
        Target::Http(target) => {
            Ok(Transport::Http(Box::new(Http::new(target, options.frame_cap, cancel)?)))
        }
        Target::Sse(target) => {
            let deadline = Instant::now() + options.startup_timeout;
            Ok(Transport::Sse(Box::new(Sse::open(target, options.frame_cap, cancel, deadline)?)))
        }
    }
}

/// The result object of an opening request, or why there is none.
pub(super) fn opening_result<'e>(
    session: &Session,
    exchange: &'e Exchange,
) -> Result<&'e Value, OpenError> {
    let method = exchange.method.clone();
    match &exchange.reply {
        _ if session.options.cancel.is_cancelled() => Err(OpenError::Cancelled),
        Reply::Result(result) if result.is_object() => Ok(result),
        Reply::Result(other) => Err(OpenError::Protocol(format!(
            "the result of `{method}` is not an object: {other:.200}"
        ))),
        Reply::Error(error) => Err(OpenError::Rejected {
            method,
            code: error.code,
            message: error.message.clone(),
            supported: supported_versions(&error.raw),
            status: exchange.http.as_ref().map(|response| response.status),
        }),
        _ if exchange.http.is_some() => Err(http_failure(session, exchange)),
        Reply::Malformed(reason) => Err(OpenError::Protocol(reason.clone())),
        Reply::Closed(exit) => Err(OpenError::ExitedAtOnce { exit: exit.clone() }),
        Reply::Silence { .. } => Err(silence(session, exchange)),
    }
}

/// The versions that an error to an opening request says the server would accept.
fn supported_versions(error: &Value) -> Vec<String> {
    let versions = error.pointer("/data/supported").and_then(Value::as_array);
    versions.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

impl OpenError {
    /// The newest known revision among those that the server offered when it refused another.
    fn newest_supported(&self) -> Option<Revision> {
        match self {
            Self::Rejected { supported, .. } => {
                supported.iter().filter_map(|date| Revision::parse(date)).max()
            }
            _ => None,
        }
    }
}

fn http_failure(session: &Session, exchange: &Exchange) -> OpenError {
    let address = session.transport.address();
    match (&exchange.reply, &exchange.http) {
        (Reply::Silence { .. }, _) | (_, None) => silence(session, exchange),
        (_, Some(HttpExchange { fault: Some(fault), .. })) => {
            OpenError::from_fault(fault, &address)
        }
        (Reply::Malformed(reason), Some(response)) if (200..300).contains(&response.status) => {
            OpenError::Protocol(reason.clone())
        }
        (_, Some(response)) => OpenError::from_status(response),
    }
}

fn silence(session: &Session, exchange: &Exchange) -> OpenError {
    if let Some(garbage) = exchange.side.iter().find(|frame| frame.value.is_none()) {
        let shown = garbage.preview(200);
        return OpenError::Protocol(format!(
            "it did not answer `{}`, but wrote this to its standard output, which only messages may use: {shown}",
            exchange.method
        ));
    }
    OpenError::Timeout {
        method: exchange.method.clone(),
        after: session.options.startup_timeout,
        stderr: session.stderr_tail(),
    }
}
