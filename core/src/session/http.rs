//! What a session does differently over HTTP.

use super::settle::Probe;
use super::waiting::Waiting;
use super::wire::Session;
use super::{HeaderOption, MetaOption, ParamHeader, encode, headers};
use crate::exchange::{Exit, HttpExchange, HttpFault, Reply};
use crate::transport::{Posting, RawRequest, Ticket, Transport};
use serde_json::Value;
use std::collections::HashMap;
use std::time::Instant;

/// How many responses to messages that are no requests are kept.
const ASIDE_CAP: usize = 100;

/// The state of a session that only HTTP needs.
#[derive(Debug, Default)]
pub(super) struct HttpSide {
    /// Messages under way that are no requests of ours, and what they are.
    under_way: Vec<(Ticket, String)>,
    responses: Vec<(String, HttpExchange)>,
    marked: HashMap<String, Vec<ParamHeader>>,
}

impl HttpSide {
    /// The ticket of the message that was sent last without waiting.
    pub(super) fn newest_aside(&self) -> Option<Ticket> {
        self.under_way.last().map(|(ticket, _)| *ticket)
    }
}

impl Session {
    /// Says which arguments of `tool` are repeated in headers (2026-07-28); see [`ParamHeader::of_schema`].
    pub fn set_param_headers(&mut self, tool: &str, marked: Vec<ParamHeader>) {
        self.http.marked.insert(tool.to_owned(), marked);
    }

    /// Lets another session of the same server repeat the same arguments in headers.
    pub(super) fn share_param_headers(&self, other: &mut Self) {
        other.http.marked.clone_from(&self.http.marked);
    }

    /// The headers that a POST of this message carries, besides `Host` and `Content-Length`; empty where there is no HTTP.
    pub fn standard_headers(&mut self, method: &str, params: &Value) -> Vec<(String, String)> {
        let extra = self.protocol_headers(method, params);
        self.transport.http().map(|http| http.standard_headers(&extra)).unwrap_or_default()
    }

    /// Whether messages are posted over HTTP.
    pub fn is_http(&self) -> bool {
        matches!(self.transport, Transport::Http(_) | Transport::Sse(_))
    }

    /// A request as it would be sent, with the next id and the `_meta` that the revision demands.
    pub fn request_bytes(&mut self, method: &str, params: Value) -> Vec<u8> {
        let id = self.take_id();
        let params = self.with_meta(params, &MetaOption::Full, None);
        let mut body = Vec::new();
        encode::request(&mut body, &id, method, &params);
        body.pop();
        body
    }

    /// Sends an HTTP request exactly as given, on a connection of its own, and waits for the end of the response. Where the
    /// transport is not HTTP, the record says so.
    pub fn raw_http(&mut self, request: &RawRequest) -> HttpExchange {
        match self.transport.http() {
            Some(http) => http.raw(request),
            None => HttpExchange {
                fault: Some(HttpFault::NotHttp("the target is not reached over HTTP".to_owned())),
                ..HttpExchange::default()
            },
        }
    }

    /// Takes the HTTP responses to messages that are no requests: method (or `GET` for the stand-alone stream, empty for
    /// responses and raw bytes) and what came back.
    pub fn http_side(&mut self) -> Vec<(String, HttpExchange)> {
        std::mem::take(&mut self.http.responses)
    }

    /// Whether arguments of a tool are repeated in headers.
    pub(super) fn repeats_arguments(&self, tool: &str) -> bool {
        self.http.marked.get(tool).is_some_and(|marked| !marked.is_empty())
    }

    pub(super) fn protocol_headers(&self, method: &str, params: &Value) -> Vec<(String, String)> {
        let tool = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let marked = self.http.marked.get(tool).map(Vec::as_slice).unwrap_or_default();
        headers::standard(self.revision, method, params, marked)
    }

    /// Posts each request.
    pub(super) fn post_requests(&mut self, waiting: &mut [Waiting], option: &HeaderOption) {
        let patch: &[_] = match option {
            HeaderOption::Auto => &[],
            HeaderOption::Patch(patch) => patch,
        };
        let mut body = Vec::new();
        for waiting in waiting {
            body.clear();
            encode::request(&mut body, &waiting.id, &waiting.method, &waiting.params);
            body.pop();
            let headers = self.protocol_headers(&waiting.method, &waiting.params);
            let posting = Posting {
                body: &body,
                headers: &headers,
                patch,
                urgent: false,
                deadline: waiting.deadline,
            };
            waiting.ticket = self.transport.http().map(|http| http.post(&posting));
            waiting.http_due = true;
        }
    }

    /// Posts a message that is no request of ours.
    pub(super) fn post_aside(&mut self, message: &[u8], method: &str, params: &Value, wait: bool) {
        let headers =
            if method.is_empty() { Vec::new() } else { self.protocol_headers(method, params) };
        let body = message.strip_suffix(b"\n").unwrap_or(message);
        let deadline = Instant::now() + self.options.request_timeout;
        let posting = Posting { body, headers: &headers, patch: &[], urgent: true, deadline };
        let Some(http) = self.transport.http() else { return };
        if wait {
            let response = http.post_and_wait(&posting);
            self.keep_response(method.to_owned(), response);
        } else {
            let ticket = http.post(&posting);
            self.http.under_way.push((ticket, method.to_owned()));
        }
    }

    /// Opens the stand-alone stream.
    pub(super) fn listen(&mut self) {
        let deadline = Instant::now() + self.options.request_timeout;
        if let Transport::Http(http) = &mut self.transport {
            let ticket = http.listen(deadline);
            self.http.under_way.push((ticket, "GET".to_owned()));
        }
    }

    fn keep_response(&mut self, what: String, response: HttpExchange) {
        if self.http.responses.len() < ASIDE_CAP {
            self.http.responses.push((what, response));
        }
    }

    /// Keeps the response to a message that nobody waits for.
    pub(super) fn keep_http(&mut self, ticket: Ticket, response: HttpExchange) {
        let Some(index) = self.http.under_way.iter().position(|(t, _)| *t == ticket) else {
            return;
        };
        let what = self.http.under_way[index].1.clone();
        // The stand-alone stream may be opened again under its ticket.
        if what != "GET" {
            self.http.under_way.swap_remove(index);
        }
        self.keep_response(what, response);
    }

    /// The answer is here: the rest of its stream is not worth much waiting.
    pub(super) fn end_stream(&mut self, ticket: Option<Ticket>) {
        if let (Some(ticket), Some(http)) = (ticket, self.transport.http()) {
            http.answered(ticket);
        }
    }

    /// Closes the connection of a request that is given up; tells whether there was one.
    pub(super) fn close_stream(&mut self, waiting: &mut Waiting) -> bool {
        let (Some(ticket), Some(http)) = (waiting.ticket, self.transport.http()) else {
            return false;
        };
        let so_far = http.client.abandon(ticket);
        let closed = so_far.is_some();
        waiting.http = waiting.http.take().or_else(|| Some(Box::new(so_far.unwrap_or_default())));
        closed
    }

    /// A response is over: if it carried no answer, that settles its request.
    pub(super) fn http_ended(
        &mut self,
        ticket: Ticket,
        response: Box<HttpExchange>,
        waiting: &mut [Waiting],
        probe: Option<&mut Probe>,
    ) {
        // Over HTTP+SSE the response to a POST only says that the message came; its answer is on the other stream.
        let tells = !matches!(self.transport, Transport::Sse(_));
        if let Some(probe) = probe.filter(|probe| tells && probe.ticket == Some(ticket)) {
            probe.answered |= response.status != 0;
        }
        let Some(owner) = waiting.iter_mut().find(|w| w.ticket == Some(ticket)) else {
            return self.keep_http(ticket, *response);
        };
        if owner.reply.is_none() {
            let doubtful = owner.doubtful.take();
            if let Some(exit) = self.session_lost(&response) {
                owner.frame = doubtful;
                owner.settle(Reply::Closed(exit));
            } else if let Some(frame) = doubtful {
                owner.accept_doubtful(frame);
            } else if let Some(reply) = self.reply_without_answer(&response) {
                owner.settle(reply);
            }
        }
        owner.http = Some(response);
    }

    /// What a response that carried no answer means; `None` where the answer comes another way.
    fn reply_without_answer(&mut self, response: &HttpExchange) -> Option<Reply> {
        if let Some(fault) = &response.fault {
            let exit = Exit { detail: fault.to_string(), ..Exit::default() };
            if *fault == HttpFault::Refused {
                self.closed = Some(exit.clone());
            }
            return Some(match fault {
                HttpFault::Timeout => Reply::Silence { responsive: false },
                HttpFault::NotHttp(why) => Reply::Malformed(why.clone()),
                _ => Reply::Closed(exit),
            });
        }
        if matches!(self.transport, Transport::Sse(_)) && (200..300).contains(&response.status) {
            return None;
        }
        let kind = response.header("content-type").unwrap_or("no content type");
        Some(Reply::Malformed(format!(
            "HTTP {} ({kind}) without an answer to the request",
            response.status
        )))
    }

    /// A 404 within a session says that the server does not know it any more (2025-11-25, transports#session-management).
    fn session_lost(&mut self, response: &HttpExchange) -> Option<Exit> {
        let has_session = self.transport.http().is_some_and(|http| http.has_session());
        if response.status != 404 || !has_session {
            return None;
        }
        let detail = "HTTP 404: the server does not know the session any more".to_owned();
        let exit = Exit { detail, ..Exit::default() };
        self.closed = Some(exit.clone());
        Some(exit)
    }
}
