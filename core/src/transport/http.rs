//! Streamable HTTP: each message is a POST, answered with JSON or an event stream; a stand-alone stream opened with GET.

use super::cancel::CancelToken;
use super::endpoint::Endpoint;
use super::error::OpenError;
use super::http_call::Job;
use super::http_client::HttpClient;
use super::{Closing, Incoming, Rung, Ticket};
use crate::exchange::{Exit, HttpExchange};
use crate::input::HttpTarget;
use crate::message::{Channel, Frame};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long the DELETE that ends a session may take.
const DELETE_PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait before a stream is opened again, where the server does not say (the value that browsers use, shortened).
const RETRY_DEFAULT: Duration = Duration::from_secs(1);
/// The longest such wait that is granted.
const RETRY_LONGEST: Duration = Duration::from_secs(5);
/// How often the stand-alone stream is opened again.
const MOST_LISTENS: u32 = 5;

/// A message to be posted.
#[derive(Debug)]
pub(crate) struct Posting<'a> {
    pub(crate) body: &'a [u8],
    /// Headers of the protocol, besides those that every POST has.
    pub(crate) headers: &'a [(String, String)],
    /// Headers to be set, or left out where there is no value.
    pub(crate) patch: &'a [(String, Option<String>)],
    pub(crate) urgent: bool,
    pub(crate) deadline: Instant,
}

/// A request of the caller's own making, for probes.
#[derive(Debug, Clone)]
pub struct RawRequest {
    /// The method, for example `POST`.
    pub method: String,
    /// Path and query; `None` takes those of the target's URL.
    pub target: Option<String>,
    /// The headers, in this order and spelling. `Host` and `Content-Length` are added where they are missing.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long to wait for the end of the response.
    pub timeout: Duration,
}

/// A Streamable HTTP endpoint.
#[derive(Debug)]
pub struct Http {
    pub(crate) client: HttpClient,
    endpoint: Endpoint,
    /// The target's own headers.
    own: Vec<(String, String)>,
    session: Option<String>,
    version: Option<String>,
    /// Whether a stream that ends before the answer is taken up again (2025-11-25).
    pub(crate) resumable: bool,
    answered: Vec<Ticket>,
    /// What had come of requests whose stream was taken up again.
    earlier: HashMap<Ticket, HttpExchange>,
    listening: Option<Listening>,
}

/// The stand-alone stream.
#[derive(Debug)]
struct Listening {
    ticket: Ticket,
    opened: u32,
}

impl Http {
    /// Reads the target's URL; connects at the first request.
    pub fn new(
        target: &HttpTarget,
        frame_cap: usize,
        cancel: CancelToken,
    ) -> Result<Self, OpenError> {
        let endpoint = Endpoint::parse(&target.url)?;
        let own = own_headers(target, &endpoint)?;
        Ok(Self {
            client: HttpClient::new(endpoint.clone(), frame_cap, cancel),
            endpoint,
            own,
            session: None,
            version: None,
            resumable: false,
            answered: Vec::new(),
            earlier: HashMap::new(),
            listening: None,
        })
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends further messages to `reference`, seen from the present endpoint.
    pub(crate) fn send_to(&mut self, reference: &str) -> Result<(), String> {
        self.endpoint = self.endpoint.join(reference)?;
        Ok(())
    }

    /// Sets the headers that go with every further request.
    pub(crate) fn agree(&mut self, session: Option<String>, version: Option<&str>) {
        self.session = session;
        self.version = version.map(str::to_owned);
    }

    /// Whether the server has given the session an id.
    pub(crate) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// The headers that a POST carries besides `Host` and `Content-Length`: what negotiation, version and session demand,
    /// then `extra`; the target's own headers replace those of the same name.
    pub(crate) fn standard_headers(&self, extra: &[(String, String)]) -> Vec<(String, String)> {
        let mut headers = vec![
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ("Content-Type".to_owned(), "application/json".to_owned()),
        ];
        headers.extend(self.session_headers());
        headers.extend_from_slice(extra);
        self.with_own(headers)
    }

    fn session_headers(&self) -> Vec<(String, String)> {
        let version = self.version.iter().map(|v| ("MCP-Protocol-Version".to_owned(), v.clone()));
        let session = self.session.iter().map(|id| ("Mcp-Session-Id".to_owned(), id.clone()));
        version.chain(session).collect()
    }

    fn with_own(&self, mut headers: Vec<(String, String)>) -> Vec<(String, String)> {
        headers.retain(|(name, _)| !self.own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)));
        headers.extend_from_slice(&self.own);
        headers
    }

    /// Posts a message.
    pub(crate) fn post(&mut self, posting: &Posting<'_>) -> Ticket {
        let job = self.job(posting);
        let ticket = job.ticket;
        self.client.submit(job);
        ticket
    }

    /// Posts a message and waits for the end of the response.
    pub(crate) fn post_and_wait(&mut self, posting: &Posting<'_>) -> HttpExchange {
        let job = self.job(posting);
        self.client.exchange(job)
    }

    pub(super) fn job(&mut self, posting: &Posting<'_>) -> Job {
        let mut headers = self.standard_headers(posting.headers);
        for (name, value) in posting.patch {
            headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
            headers.extend(value.iter().map(|value| (name.clone(), value.clone())));
        }
        let left_out = |name: &str| {
            posting.patch.iter().any(|(n, v)| v.is_none() && n.eq_ignore_ascii_case(name))
        };
        let bytes =
            self.write_request("POST", &self.endpoint.target, &headers, posting.body, left_out);
        self.new_job(bytes, Channel::PostStream, posting.deadline, posting.urgent)
    }

    fn new_job(
        &mut self,
        bytes: Vec<u8>,
        channel: Channel,
        deadline: Instant,
        urgent: bool,
    ) -> Job {
        let ticket = self.client.take_ticket();
        Job {
            ticket,
            bytes,
            bodiless: false,
            channel,
            deadline,
            own_connection: false,
            urgent,
            not_before: None,
        }
    }

    fn write_request(
        &self,
        method: &str,
        target: &str,
        headers: &[(String, String)],
        body: &[u8],
        left_out: impl Fn(&str) -> bool,
    ) -> Vec<u8> {
        let has = |name: &str| {
            left_out(name) || headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name))
        };
        let mut out = Vec::with_capacity(512 + body.len());
        let mut push =
            |parts: &[&str]| parts.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
        push(&[method, " ", target, " HTTP/1.1\r\n"]);
        if !has("host") {
            push(&["Host: ", &self.endpoint.authority, "\r\n"]);
        }
        for (name, value) in headers {
            push(&[name, ": ", value, "\r\n"]);
        }
        if !has("content-length")
            && !has("transfer-encoding")
            && (!body.is_empty() || method == "POST")
        {
            push(&["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        push(&["\r\n"]);
        out.extend_from_slice(body);
        out
    }

    /// Opens the stand-alone stream; that a server has none shows in the record of its ticket.
    pub(crate) fn listen(&mut self, deadline: Instant) -> Ticket {
        let job = self.get(None, Channel::GetStream, deadline);
        let ticket = job.ticket;
        self.listening = Some(Listening { ticket, opened: 1 });
        self.client.submit(job);
        ticket
    }

    fn get(&mut self, last_event: Option<&str>, channel: Channel, deadline: Instant) -> Job {
        let mut headers = vec![("Accept".to_owned(), "text/event-stream".to_owned())];
        headers.extend(self.session_headers());
        headers.extend(last_event.map(|id| ("Last-Event-ID".to_owned(), id.to_owned())));
        let headers = self.with_own(headers);
        let bytes = self.write_request("GET", &self.endpoint.target, &headers, b"", |_| false);
        self.new_job(bytes, channel, deadline, true)
    }

    /// The next thing that came in, or why there is none by `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Incoming {
        loop {
            match self.client.receive(deadline) {
                Incoming::Ended { ticket, http } => {
                    let http = self.with_earlier(ticket, http);
                    if self.take_up_again(ticket, &http) {
                        self.earlier.insert(ticket, *http);
                        continue;
                    }
                    self.answered.retain(|answered| *answered != ticket);
                    self.listen_again(ticket, &http);
                    return Incoming::Ended { ticket, http };
                }
                other => return other,
            }
        }
    }

    fn with_earlier(&mut self, ticket: Ticket, http: Box<HttpExchange>) -> Box<HttpExchange> {
        let Some(mut whole) = self.earlier.remove(&ticket) else { return http };
        let resumed = *http;
        whole.events.extend(resumed.events);
        if resumed.status != 200 {
            (whole.status, whole.headers, whole.body) =
                (resumed.status, resumed.headers, resumed.body);
        }
        (whole.ended, whole.fault) = (resumed.ended, resumed.fault);
        Box::new(whole)
    }

    /// A stream that closed before the answer, with an event id to go on from, is asked for again.
    fn take_up_again(&mut self, ticket: Ticket, http: &HttpExchange) -> bool {
        let closed_early = http.ended && http.status == 200 && !self.answered.contains(&ticket);
        if !self.resumable || !closed_early || self.is_listening(ticket) {
            return false;
        }
        let Some(last) = http.events.iter().rev().find_map(|event| event.id.clone()) else {
            return false;
        };
        // The same id again means that nothing came since; a server may do that for ever.
        let before = self.earlier.get(&ticket);
        if before.is_some_and(|before| before.events.len() == http.events.len()) {
            return false;
        }
        let job = self.get(Some(&last), Channel::PostStream, Instant::now() + RETRY_LONGEST);
        self.client.submit(Job {
            ticket,
            not_before: Some(Instant::now() + retry_after(http)),
            ..job
        });
        true
    }

    fn is_listening(&self, ticket: Ticket) -> bool {
        self.listening.as_ref().is_some_and(|listening| listening.ticket == ticket)
    }

    fn listen_again(&mut self, ticket: Ticket, http: &HttpExchange) {
        let Some(listening) = self.listening.as_mut().filter(|l| l.ticket == ticket) else {
            return;
        };
        listening.opened += 1;
        let was_stream = http.status == 200
            && http.header("content-type").is_some_and(|t| t.contains("event-stream"));
        if !was_stream || listening.opened > MOST_LISTENS {
            self.listening = None;
            return;
        }
        let last = http.events.iter().rev().find_map(|event| event.id.clone());
        let job = self.get(last.as_deref(), Channel::GetStream, Instant::now() + RETRY_LONGEST);
        self.client.submit(Job {
            ticket,
            not_before: Some(Instant::now() + retry_after(http)),
            ..job
        });
    }

    /// Says that a request's answer has come.
    pub(crate) fn answered(&mut self, ticket: Ticket) {
        self.answered.push(ticket);
        self.client.answered(ticket);
    }

    /// Sends a request of the caller's own making on a connection of its own.
    pub(crate) fn raw(&mut self, request: &RawRequest) -> HttpExchange {
        let target = request.target.as_deref().unwrap_or(&self.endpoint.target);
        let bytes =
            self.write_request(&request.method, target, &request.headers, &request.body, |_| false);
        let deadline = Instant::now() + request.timeout;
        let job = self.new_job(bytes, Channel::PostStream, deadline, true);
        let bodiless = request.method == "HEAD";
        self.client.exchange(Job { own_connection: true, bodiless, ..job })
    }

    /// Ends the session with DELETE, where it has an id, and closes all connections.
    pub(crate) fn close(mut self) -> Closing {
        let http_delete = self.delete().map(|http| http.status);
        let frames = std::iter::from_fn(|| match self.client.receive(Instant::now()) {
            Incoming::Frame { frame, .. } => Some(Some(frame)),
            Incoming::Ended { .. } => Some(None),
            _ => None,
        });
        let frames: Vec<Frame> = frames.take(1000).flatten().collect();
        Closing { exit: Exit::default(), rung: Rung::Gone, frames, left_behind: false, http_delete }
    }

    fn delete(&mut self) -> Option<HttpExchange> {
        self.session.as_ref()?;
        let headers = self.with_own(self.session_headers());
        let bytes = self.write_request("DELETE", &self.endpoint.target, &headers, b"", |_| false);
        let job = self.new_job(bytes, Channel::PostStream, Instant::now() + DELETE_PATIENCE, true);
        Some(self.client.exchange(job))
    }
}

fn retry_after(http: &HttpExchange) -> Duration {
    let asked = http.events.iter().rev().find_map(|event| event.retry);
    asked.map_or(RETRY_DEFAULT, Duration::from_millis).min(RETRY_LONGEST)
}

/// The headers that the target's owner wants with every request.
pub(super) fn own_headers(
    target: &HttpTarget,
    endpoint: &Endpoint,
) -> Result<Vec<(String, String)>, OpenError> {
    let mut own: Vec<(String, String)> = target.headers.clone().into_iter().collect();
    let has_authorization = own.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    if let Some(token) = &target.auth_token {
        own.retain(|(name, _)| !name.eq_ignore_ascii_case("authorization"));
        own.push(("Authorization".to_owned(), format!("Bearer {token}")));
    } else if let Some(basic) = endpoint.basic.as_ref().filter(|_| !has_authorization) {
        own.push(("Authorization".to_owned(), basic.clone()));
    }
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    for (name, value) in &own {
        if name.is_empty() || !name.bytes().all(is_token) || value.contains(['\r', '\n', '\0']) {
            return Err(OpenError::BadHeader { name: name.clone() });
        }
    }
    Ok(own)
}
