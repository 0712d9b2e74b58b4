//! The short way of a session: requests whose bytes were made beforehand, and answers that are looked at where they lie. What is not
//! as expected is read again the ordinary way.

use super::wire::Session;
use super::{MetaOption, RequestOptions, encode, stateless};
use crate::exchange::{Exchange, Reply};
use crate::protocol::Era;
use crate::transport::{Posting, Transport, Written};
use serde_json::{Value, json};
use std::time::Instant;

/// What stands for the id and for the arguments while a request is taken apart.
const ID: &str = "tooltest-the-id";
const ARGUMENTS: &str = "tooltest-the-arguments";

/// What all calls of a tool have in common, as bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestParts {
    /// The head of the POST up to the length of the body; none where messages are lines.
    http_head: Option<Vec<u8>>,
    /// What comes before, between and after the places of id and arguments.
    parts: Vec<Vec<u8>>,
    /// Whether the arguments (else the id) come after the part of that number.
    arguments_after: Vec<bool>,
}

impl RequestParts {
    /// Appends a request.
    pub(crate) fn write(&self, out: &mut Vec<u8>, id: u64, arguments: &[u8]) {
        let mut digits = itoa::Buffer::new();
        let id = digits.format(id).as_bytes();
        if let Some(head) = &self.http_head {
            let places = self.arguments_after.iter();
            let filled: usize = places
                .map(|is_arguments| if *is_arguments { arguments.len() } else { id.len() })
                .sum();
            let fixed: usize = self.parts.iter().map(Vec::len).sum();
            out.extend_from_slice(head);
            out.extend_from_slice(itoa::Buffer::new().format(filled + fixed).as_bytes());
            out.extend_from_slice(b"\r\n\r\n");
        }
        for (at, part) in self.parts.iter().enumerate() {
            out.extend_from_slice(part);
            match self.arguments_after.get(at) {
                Some(true) => out.extend_from_slice(arguments),
                Some(false) => out.extend_from_slice(id),
                None => {}
            }
        }
    }

    /// Takes a request with stand-ins apart.
    fn of(line: &[u8], http_head: Option<Vec<u8>>) -> Option<Self> {
        let [id, arguments] = [ID, ARGUMENTS].map(|word| format!("\"{word}\""));
        let mut parts = Self { http_head, ..Self::default() };
        let mut rest = line;
        loop {
            let find = |word: &str| memchr::memmem::find(rest, word.as_bytes());
            let (at, is_arguments) = match (find(&id), find(&arguments)) {
                (Some(id), Some(arguments)) => (id.min(arguments), arguments < id),
                (Some(id), None) => (id, false),
                (None, Some(arguments)) => (arguments, true),
                (None, None) => break,
            };
            parts.parts.push(rest[..at].to_vec());
            parts.arguments_after.push(is_arguments);
            rest = &rest[at + if is_arguments { arguments.len() } else { id.len() }..];
        }
        parts.parts.push(rest.to_vec());
        let filled = parts.arguments_after.iter().filter(|is_arguments| **is_arguments).count();
        (filled == 1 && parts.arguments_after.len() > 1).then_some(parts)
    }
}

/// A call on the short way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent<'a> {
    pub(crate) id: u64,
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a Value,
}

impl Session {
    /// The parts of calls of a tool; none where they cannot go the short way on this transport.
    pub(crate) fn request_parts(&mut self, tool: &str) -> Option<RequestParts> {
        let params = json!({"name": tool, "arguments": ARGUMENTS});
        let token = self.options.progress.then(|| Value::from(ID));
        let params = self.with_meta(params, &MetaOption::Full, token.as_ref());
        let mut line = Vec::new();
        encode::request(&mut line, &Value::from(ID), "tools/call", &params);
        let head = match &self.transport {
            Transport::Stdio(_) => None,
            Transport::Http(_) => {
                line.pop();
                // What is repeated in headers differs from call to call.
                if self.repeats_arguments(tool) {
                    return None;
                }
                let headers = self.protocol_headers("tools/call", &params);
                Some(self.transport.http()?.quick_head(&headers)?)
            }
            Transport::Sse(_) | Transport::Memory(_) => return None,
        };
        RequestParts::of(&line, head)
    }

    /// Sends requests made of such parts; over HTTP one at a time. Tells whether all went out.
    pub(crate) fn send_quickly(&mut self, requests: &[u8], deadline: Instant) -> bool {
        match &mut self.transport {
            Transport::Http(http) => http.send_quickly(requests, deadline),
            _ => self.write(requests, deadline) == Written::Whole,
        }
    }

    /// The next answer and, over HTTP, the head that came with it (else empty), left where they are; none where something else comes,
    /// or nothing by `deadline`.
    pub(crate) fn peek(&mut self, deadline: Instant) -> Option<(&[u8], &[u8])> {
        match &mut self.transport {
            Transport::Stdio(stdio) => stdio.peek_line(deadline).map(|line| (&b""[..], line)),
            Transport::Http(http) => http.peek(deadline),
            Transport::Sse(_) | Transport::Memory(_) => None,
        }
    }

    /// Drops the answer that [`Session::peek`] showed.
    pub(crate) fn skip(&mut self) {
        match &mut self.transport {
            Transport::Stdio(stdio) => stdio.skip_line(),
            Transport::Http(http) => http.done_quickly(),
            Transport::Sse(_) | Transport::Memory(_) => {}
        }
    }

    /// Reads the ordinary way what came, or comes, for calls that were sent at `started` and that are not answered.
    pub(crate) fn settle_sent(&mut self, sent: &[Sent<'_>], started: Instant) -> Vec<Exchange> {
        let options = RequestOptions::default();
        let mut waiting = Vec::with_capacity(sent.len());
        for call in sent {
            let params = json!({"name": call.tool, "arguments": call.arguments});
            let options = RequestOptions { id: Some(Value::from(call.id)), ..options.clone() };
            let mut one = self.prepare("tools/call", params, &options);
            one.deadline = started + (one.deadline - one.started);
            one.started = started;
            waiting.push(one);
        }
        if let Some(exit) = &self.closed {
            // What it did not read in time it cannot answer.
            let unread = exit.code.is_none() && exit.signal.is_none();
            for one in &mut waiting {
                let silent = Reply::Silence { responsive: false };
                one.settle(if unread { silent } else { Reply::Closed(exit.clone()) });
            }
        } else if matches!(self.transport, Transport::Http(_)) {
            for one in &mut waiting {
                let mut body = Vec::new();
                encode::request(&mut body, &one.id, &one.method, &one.params);
                body.pop();
                let headers = self.protocol_headers(&one.method, &one.params);
                let (body, headers, deadline) = (&body[..], &headers[..], one.deadline);
                let posting = Posting { body, headers, patch: &[], urgent: false, deadline };
                one.ticket = self.transport.http().map(|http| http.go_on(&posting));
                one.http_due = true;
            }
        }
        self.settle(&mut waiting);
        let mut exchanges: Vec<Exchange> =
            waiting.into_iter().map(super::waiting::Waiting::into_exchange).collect();
        if self.revision.era() == Era::Modern {
            for exchange in &mut exchanges {
                stateless::follow_up(self, exchange, &options);
            }
        }
        exchanges
    }

    /// How long a request may take.
    pub(crate) fn patience(&self) -> std::time::Duration {
        self.options.request_timeout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_request_that_they_were_taken_from() {
        let params =
            json!({"name": "a\"b", "arguments": ARGUMENTS, "_meta": {"progressToken": ID}});
        let mut line = Vec::new();
        encode::request(&mut line, &Value::from(ID), "tools/call", &params);
        let parts = RequestParts::of(&line, None).expect("it has both");
        let (mut made, mut wanted) = (Vec::new(), Vec::new());
        parts.write(&mut made, 17, br#"{"n":1}"#);
        let params = json!({"name": "a\"b", "arguments": {"n": 1}, "_meta": {"progressToken": 17}});
        encode::request(&mut wanted, &json!(17), "tools/call", &params);
        assert_eq!(String::from_utf8_lossy(&made), String::from_utf8_lossy(&wanted));
    }

    #[test]
    fn over_http_the_length_is_that_of_the_body() {
        let line = format!(r#"{{"id":"{ID}","arguments":"{ARGUMENTS}"}}"#);
        let parts = RequestParts::of(line.as_bytes(), Some(b"Content-Length: ".to_vec()));
        let mut made = Vec::new();
        parts.expect("it has both").write(&mut made, 123, br#"{"n":1}"#);
        let body = r#"{"id":123,"arguments":{"n":1}}"#;
        let wanted = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        assert_eq!(String::from_utf8_lossy(&made), wanted);
    }
}
