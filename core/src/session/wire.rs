//! The session: sends requests and gathers what comes back.

use super::http::HttpSide;
use super::open::ServerIdentity;
use super::waiting::Waiting;
use super::{HeaderOption, MetaOption, RequestOptions, SessionOptions, encode, stateless};
use crate::exchange::{Exchange, Exit, Reply};
use crate::input::Target;
use crate::message::Frame;
use crate::protocol::{Era, Revision};
use crate::transport::{Closing, Incoming, Transport, Written};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::time::Instant;

/// How many frames that belong to no request are kept.
const STRAY_CAP: usize = 1000;
/// How many ids of abandoned requests are remembered.
const ABANDONED_CAP: usize = 1000;

/// A connection to a server that has been opened. One thread owns it; nothing runs between calls. Dropping it kills the
/// server's process group; [`Session::close`] ends it in good order.
#[derive(Debug)]
pub struct Session {
    pub(super) transport: Transport,
    pub(super) options: SessionOptions,
    pub(super) revision: Revision,
    pub(super) server: ServerIdentity,
    next_id: u64,
    out: Vec<u8>,
    pub(super) stray: Vec<Frame>,
    pub(super) late: Vec<Frame>,
    pub(super) abandoned: VecDeque<Value>,
    pub(super) closed: Option<Exit>,
    pub(super) meta: Value,
    pub(super) http: HttpSide,
    /// Where another client connects to, over HTTP.
    pub(super) target: Option<Box<Target>>,
    pub(super) peer: Option<Box<Session>>,
}

/// What came of [`Session::receive`].
#[derive(Debug)]
pub enum Received {
    /// A frame.
    Frame(Frame),
    /// Nothing came in time.
    Timeout,
    /// The server is gone.
    Closed(Exit),
}

impl Session {
    /// A session that has not said anything yet.
    pub(super) fn unopened(
        mut transport: Transport,
        options: &SessionOptions,
        revision: Revision,
    ) -> Self {
        if let Some(http) = transport.http().filter(|_| revision.era() == Era::Modern) {
            http.agree(None, Some(revision.as_str()));
        }
        Self {
            transport,
            meta: stateless::meta(options, revision),
            options: options.clone(),
            revision,
            server: ServerIdentity::default(),
            next_id: 1,
            out: Vec::new(),
            stray: Vec::new(),
            late: Vec::new(),
            abandoned: VecDeque::new(),
            closed: None,
            http: HttpSide::default(),
            target: None,
            peer: None,
        }
    }

    /// Sends a request as the revision demands and waits for its answer. Server requests that come meanwhile are answered,
    /// and in 2026-07-28 so are the questions of `input_required` results. Never fails: what went wrong is the reply.
    pub fn request(&mut self, method: &str, params: Value) -> Exchange {
        self.request_with(method, params, &RequestOptions::default())
    }

    /// As [`Session::request`], with chosen id, `_meta`, headers, progress token or timeout.
    pub fn request_with(
        &mut self,
        method: &str,
        params: Value,
        options: &RequestOptions,
    ) -> Exchange {
        let mut exchange = self.request_once(method, params, options);
        if self.revision.era() == Era::Modern && !options.unanswered {
            stateless::follow_up(self, &mut exchange, options);
        }
        exchange
    }

    pub(super) fn request_once(
        &mut self,
        method: &str,
        params: Value,
        options: &RequestOptions,
    ) -> Exchange {
        let waiting = self.prepare(method, params, options);
        let mut waiting = [waiting];
        self.send_requests(&mut waiting, &options.headers);
        self.settle(&mut waiting);
        let [waiting] = waiting;
        waiting.into_exchange()
    }

    /// Sends all requests before it reads any answer (stdio: in one write; HTTP: on parallel connections). The exchanges come
    /// in the order of the requests; answers are matched by id.
    pub fn pipeline(&mut self, requests: Vec<(String, Value)>) -> Vec<Exchange> {
        let options = RequestOptions::default();
        let prepared =
            requests.into_iter().map(|(method, params)| self.prepare(&method, params, &options));
        let mut waiting: Vec<Waiting> = prepared.collect();
        self.send_requests(&mut waiting, &HeaderOption::Auto);
        self.settle(&mut waiting);
        waiting.into_iter().map(Waiting::into_exchange).collect()
    }

    /// How long the server may take to start.
    pub(crate) fn startup_timeout(&self) -> std::time::Duration {
        self.options.startup_timeout
    }

    /// Gives the server that much time for every answer from now on.
    pub(crate) fn allow_time(&mut self, time: std::time::Duration) {
        self.options.request_timeout = time;
        self.options.hard_timeout = self.options.hard_timeout.max(self.options.request_timeout);
    }

    pub(super) fn prepare(
        &mut self,
        method: &str,
        params: Value,
        options: &RequestOptions,
    ) -> Waiting {
        let id = options.id.clone().unwrap_or_else(|| self.take_id());
        let wants_progress = self.options.progress && method == "tools/call";
        let token = options.progress_token.clone().or_else(|| wants_progress.then(|| id.clone()));
        let params = self.with_meta(params, &options.meta, token.as_ref());
        let timeout = options.timeout.unwrap_or(self.options.request_timeout);
        let started = Instant::now();
        Waiting {
            method: method.to_owned(),
            params,
            id,
            token,
            ticket: None,
            http_due: false,
            started,
            timeout,
            deadline: started + timeout,
            hard: started + timeout.max(self.options.hard_timeout),
            reply: None,
            frame: None,
            doubtful: None,
            side: Vec::new(),
            http: None,
            elapsed: std::time::Duration::ZERO,
        }
    }

    pub(super) fn with_meta(
        &self,
        params: Value,
        option: &MetaOption,
        token: Option<&Value>,
    ) -> Value {
        let modern = self.revision.era() == Era::Modern;
        let wanted = (modern && *option != MetaOption::Omit)
            || token.is_some()
            || matches!(option, MetaOption::Patch(_));
        if !wanted {
            return params;
        }
        let demanded =
            if modern && *option != MetaOption::Omit { self.meta.clone() } else { json!({}) };
        stateless::merge_meta(params, demanded, option, token)
    }

    pub(super) fn take_id(&mut self) -> Value {
        Value::from(self.take_number())
    }

    /// The next id.
    pub(crate) fn take_number(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// The server process's resident memory in KiB; none without a process of our own, or where the system does not tell.
    pub fn resident_kib(&self) -> Option<u64> {
        self.transport.resident_kib()
    }

    /// Whether `id` is one that this session has given out.
    pub(super) fn has_issued(&self, id: u64) -> bool {
        (1..self.next_id).contains(&id)
    }

    fn send_requests(&mut self, waiting: &mut [Waiting], headers: &HeaderOption) {
        if let Some(exit) = &self.closed {
            for waiting in waiting {
                waiting.settle(Reply::Closed(exit.clone()));
            }
            return;
        }
        if self.transport.http().is_some() {
            return self.post_requests(waiting, headers);
        }
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        for waiting in &*waiting {
            encode::request(&mut out, &waiting.id, &waiting.method, &waiting.params);
        }
        let deadline = waiting.iter().map(|w| w.deadline).min().unwrap_or_else(Instant::now);
        let written = self.write(&out, deadline);
        self.out = out;
        if written == Written::Timeout {
            for waiting in waiting {
                waiting.settle(Reply::Silence { responsive: false });
            }
        }
        // A server that closed its input may still answer, and its output says how it ended.
    }

    /// Sends a notification. A server that is gone shows at the next request.
    pub fn notify(&mut self, method: &str, params: Value) {
        let mut params = params;
        if self.revision.era() == Era::Modern {
            params = stateless::merge_meta(params, self.meta.clone(), &MetaOption::Full, None);
        }
        self.send_notification(method, &params, true);
    }

    /// Sends a notification as it is; over HTTP, `wait` for the server to take it, so that it comes before what follows.
    pub(super) fn send_notification(&mut self, method: &str, params: &Value, wait: bool) {
        let mut out = Vec::new();
        encode::notification(&mut out, method, params);
        self.post(&out, method, params, wait);
    }

    /// Sends a message that no answer is waited for.
    pub(super) fn post(
        &mut self,
        message: &[u8],
        method: &str,
        params: &Value,
        wait: bool,
    ) -> Written {
        if self.closed.is_some() {
            return Written::Closed;
        }
        if self.transport.http().is_some() {
            self.post_aside(message, method, params, wait);
            return Written::Whole;
        }
        self.write(message, Instant::now() + self.options.request_timeout)
    }

    /// Writes where messages share one stream. After half a message nothing more can be said on it.
    pub(super) fn write(&mut self, bytes: &[u8], deadline: Instant) -> Written {
        let written = self.transport.write(bytes, deadline);
        if written == Written::Timeout {
            let detail = "the server does not read its input".to_owned();
            self.closed = Some(Exit { detail, ..self.exit_now() });
        }
        written
    }

    /// Sends bytes as they are: on stdio no line feed is added; over HTTP they are the body of a POST with the usual headers.
    pub fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.post(bytes, "", &Value::Null, false) {
            Written::Whole => Ok(()),
            Written::Timeout | Written::Cancelled => Err(io::ErrorKind::TimedOut.into()),
            Written::Closed => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The next frame, whatever it is. Nothing is answered or matched.
    pub fn receive(&mut self, deadline: Instant) -> Received {
        if let Some(exit) = &self.closed {
            return Received::Closed(exit.clone());
        }
        loop {
            match self.transport.receive(deadline) {
                Incoming::Frame { frame, .. } => return Received::Frame(frame),
                Incoming::Ended { ticket, http } => self.keep_http(ticket, *http),
                Incoming::Timeout | Incoming::Cancelled => return Received::Timeout,
                Incoming::Closed(exit) => {
                    self.closed = Some(exit.clone());
                    return Received::Closed(exit);
                }
            }
        }
    }

    /// Whether the server is still there, as far as is known.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// The revision that was agreed on.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// What the server said about itself.
    pub fn server(&self) -> &ServerIdentity {
        &self.server
    }

    /// The end of the server's standard error so far, at most 64 KiB.
    pub fn stderr_tail(&self) -> String {
        self.transport.stderr_tail()
    }

    /// Takes the frames that belong to no request: unknown ids, second answers, lines that are no messages, notifications
    /// that came between requests. Those that came while a request was waiting are in that exchange's `side`.
    pub fn stray(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.stray)
    }

    /// Takes the answers that came after their request had been given up; they are no fault of the server's.
    pub fn late(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.late)
    }

    pub(super) fn keep_stray(&mut self, frame: Frame) {
        if self.stray.len() < STRAY_CAP {
            self.stray.push(frame);
        }
    }

    pub(super) fn abandon(&mut self, id: Value) {
        if self.abandoned.len() == ABANDONED_CAP {
            self.abandoned.pop_front();
        }
        self.abandoned.push_back(id);
    }

    pub(super) fn exit_now(&self) -> Exit {
        Exit { stderr: self.transport.stderr_tail(), ..Exit::default() }
    }

    /// Ends the session in good order: a process gets its input closed, then SIGTERM, then SIGKILL.
    pub fn close(mut self) -> Closing {
        if let Some(peer) = self.peer.take() {
            peer.close();
        }
        let mut closing = self.transport.close();
        let mut frames = self.stray;
        frames.append(&mut closing.frames);
        Closing { frames, ..closing }
    }
}
