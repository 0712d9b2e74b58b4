//! One HTTP request under way.

use super::cancel::CancelToken;
use super::connection::{Connection, Read1};
use super::event_source::{EventSource, RawEvent};
use super::response::{Head, Part, ResponseReader};
use super::{Incoming, Ticket, Written};
use crate::exchange::{HttpExchange, HttpFault};
use crate::message::{Channel, Frame};
use std::collections::VecDeque;
use std::time::Instant;

/// How many events of one stream are kept in its record.
const MOST_EVENTS: usize = 1000;
/// How much of a body that is longer than the cap is shown.
const KEPT_OF_CUT: usize = 4 * 1024;

/// A request to be sent.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) ticket: Ticket,
    /// Head and body as they go out.
    pub(crate) bytes: Vec<u8>,
    /// The request is HEAD.
    pub(crate) bodiless: bool,
    /// What frames of its event stream are.
    pub(crate) channel: Channel,
    pub(crate) deadline: Instant,
    /// Do not use a connection again that has carried another request.
    pub(crate) own_connection: bool,
    /// Send it even when many others are under way, since those may wait for it.
    pub(crate) urgent: bool,
    pub(crate) not_before: Option<Instant>,
}

/// A request that was sent.
#[derive(Debug)]
pub(crate) struct Call {
    job: Job,
    connection: Connection,
    pub(crate) reused: bool,
    reader: ResponseReader,
    source: Option<EventSource>,
    events: Vec<RawEvent>,
    pub(crate) http: HttpExchange,
    body_length: usize,
    frame_cap: usize,
    keep_alive: bool,
    /// When the tester ends the stream.
    pub(crate) finish_by: Option<Instant>,
}

impl Call {
    pub(crate) fn new(job: Job, connection: Connection, reused: bool, frame_cap: usize) -> Self {
        let reader = ResponseReader::new(job.bodiless);
        Self {
            job,
            connection,
            reused,
            reader,
            source: None,
            events: Vec::new(),
            http: HttpExchange::default(),
            body_length: 0,
            frame_cap,
            keep_alive: false,
            finish_by: None,
        }
    }

    pub(crate) fn ticket(&self) -> Ticket {
        self.job.ticket
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(crate) fn has_input(&self) -> bool {
        self.connection.has_input()
    }

    /// The ticket that its frames carry: those of the stand-alone stream belong to no request.
    pub(crate) fn frame_ticket(&self) -> Option<Ticket> {
        (self.job.channel != Channel::GetStream).then_some(self.job.ticket)
    }

    pub(crate) fn send(&mut self, cancel: &CancelToken) -> Written {
        self.connection.write(&self.job.bytes, self.job.deadline, cancel)
    }

    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Read1 {
        self.connection.read(buffer)
    }

    /// Whether the connection must have been closed by the server before it saw the request.
    pub(crate) fn is_stale(&self) -> bool {
        self.reused && !self.reader.has_begun()
    }

    pub(crate) fn is_reusable(&self) -> bool {
        self.keep_alive && self.reader.is_reusable()
    }

    /// The stream has ended: `Ok` if that ends the response in good order.
    pub(crate) fn close(&mut self) -> Result<(), &'static str> {
        self.reader.close()
    }

    /// Takes bytes in; frames go to `ready`. `Some` when the response is over, with what is wrong with it.
    pub(crate) fn take_in(
        &mut self,
        bytes: &[u8],
        ready: &mut VecDeque<Incoming>,
    ) -> Option<Result<(), HttpFault>> {
        self.reader.feed(bytes);
        let ticket = self.frame_ticket();
        loop {
            match self.reader.next() {
                Ok(None) => return None,
                Ok(Some(Part::End)) => return Some(Ok(())),
                Ok(Some(Part::Head(head))) => {
                    self.keep_alive = head.keep_alive;
                    self.source = is_event_stream(&head).then(|| EventSource::new(self.frame_cap));
                    self.http.status = head.status;
                    self.http.headers = head.headers;
                }
                Ok(Some(Part::Body(bytes))) => {
                    if let Some(source) = &mut self.source {
                        source.feed(bytes, &mut self.events);
                    } else {
                        let room = self.frame_cap.saturating_sub(self.http.body.len());
                        self.http.body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                        self.body_length += bytes.len();
                    }
                }
                Err(why) => return Some(Err(HttpFault::NotHttp(why))),
            }
            for event in self.events.drain(..) {
                if self.http.events.len() < MOST_EVENTS {
                    self.http.events.push(event.to_event());
                }
                if event.is_message() {
                    let frame = message(event, self.job.channel);
                    ready.push_back(Incoming::Frame { frame, ticket });
                }
            }
        }
    }

    /// The body as a frame, if it is, or looks like, JSON. What refuses the stand-alone stream answers no message.
    pub(crate) fn body_frame(&self) -> Option<Frame> {
        if self.job.channel == Channel::GetStream {
            return None;
        }
        let declared = self
            .http
            .header("content-type")
            .is_some_and(|t| t.to_ascii_lowercase().contains("json"));
        let body = &self.http.body;
        let looks =
            body.trim_ascii_start().first().is_some_and(|first| matches!(first, b'{' | b'['));
        if body.is_empty() || !(declared || looks) {
            return None;
        }
        if self.body_length > body.len() {
            return Some(Frame::cut(
                &body[..body.len().min(KEPT_OF_CUT)],
                self.body_length,
                Channel::HttpBody,
            ));
        }
        Some(Frame::parse(body.as_slice(), Channel::HttpBody))
    }

    pub(crate) fn into_job(self) -> Job {
        self.job
    }

    pub(crate) fn into_parts(self) -> (Ticket, HttpExchange, Connection) {
        (self.job.ticket, self.http, self.connection)
    }
}

fn message(event: RawEvent, channel: Channel) -> Frame {
    match event.cut {
        Some(length) => {
            Frame::cut(&event.data[..event.data.len().min(KEPT_OF_CUT)], length, channel)
        }
        None => Frame::parse(event.data, channel),
    }
}

fn is_event_stream(head: &Head) -> bool {
    head.header("content-type").is_some_and(|kind| {
        let essence = kind.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("text/event-stream")
    })
}
