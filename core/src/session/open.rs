//! Opening a session: connecting, finding out the era, and reading who the server is.

use super::wire::Session;
use super::{Protocol, RequestOptions, SessionOptions, stateful, stateless};
use crate::exchange::{Exchange, Reply};
use crate::input::Target;
use crate::protocol::{Era, Revision};
use crate::transport::{Memory, OpenError, Stdio, Transport};
use serde_json::{Value, json};
use std::time::Duration;

/// How long a server may be silent on the first modern request before it counts as one with a handshake.
const DETECTION_PATIENCE: Duration = Duration::from_secs(10);
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
    /// Starts or connects to `target` and opens a session with it. With [`Protocol::Auto`] the era is found out first.
    pub fn open(target: &Target, options: &SessionOptions) -> Result<Self, OpenError> {
        match options.protocol {
            Protocol::Fixed(revision) => Self::open_as(target, options, revision),
            Protocol::Auto => match Self::probe(target, options)? {
                Some(modern) => Ok(modern),
                None => Self::open_as(target, options, Revision::NEWEST_LEGACY),
            },
        }
    }

    /// Finds out which revision to offer to `target`, so that later sessions need not probe.
    pub fn detect(target: &Target, options: &SessionOptions) -> Result<Revision, OpenError> {
        match options.protocol {
            Protocol::Fixed(revision) => Ok(revision),
            Protocol::Auto => {
                let modern = Self::probe(target, options)?;
                Ok(modern.map_or(Revision::NEWEST_LEGACY, |session| session.revision))
            }
        }
    }

    fn open_as(
        target: &Target,
        options: &SessionOptions,
        revision: Revision,
    ) -> Result<Self, OpenError> {
        let mut session = Self::unopened(connect(target, options)?, options, revision);
        match revision.era() {
            Era::Legacy => stateful::open(&mut session)?,
            Era::Modern => stateless::open(&mut session)?,
        }
        Ok(session)
    }

    /// Asks `server/discover` on a connection of its own. A modern server's session is returned, opened; for a server with a
    /// handshake there is `None`, and the connection is gone, since the probe may have upset it.
    fn probe(target: &Target, options: &SessionOptions) -> Result<Option<Self>, OpenError> {
        let mut session = Self::unopened(connect(target, options)?, options, Revision::V2026_07_28);
        let timeout = Some(options.startup_timeout.min(DETECTION_PATIENCE));
        let request = RequestOptions { timeout, ..Default::default() };
        let exchange = session.request_with("server/discover", json!({}), &request);
        if options.cancel.is_cancelled() {
            return Err(OpenError::Cancelled);
        }
        match &exchange.reply {
            Reply::Result(result) if result.get("supportedVersions").is_some() => {}
            Reply::Error(error) if error.code.is_some_and(|code| MODERN_CODES.contains(&code)) => {}
            _ => return Ok(None),
        }
        stateless::identify(&mut session, exchange)?;
        Ok(Some(session))
    }
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
        Target::Http(target) | Target::Sse(target) => Err(OpenError::BadUrl {
            url: target.url.clone(),
            reason: "HTTP is not available in this build".to_owned(),
        }),
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
        Reply::Error(error) => {
            Err(OpenError::Rejected { method, code: error.code, message: error.message.clone() })
        }
        Reply::Malformed(reason) => Err(OpenError::Protocol(reason.clone())),
        Reply::Closed(exit) => Err(OpenError::ExitedAtOnce { exit: exit.clone() }),
        Reply::Silence { .. } => Err(silence(session, exchange)),
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
