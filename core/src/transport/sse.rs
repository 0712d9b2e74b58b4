//! HTTP+SSE of 2024-11-05: one event stream for everything that the server says, POSTs for what it is told.

use super::cancel::CancelToken;
use super::error::OpenError;
use super::http::Http;
use super::{Closing, Incoming, Ticket};
use crate::exchange::{Exit, HttpExchange, HttpFault};
use crate::input::HttpTarget;
use std::time::Instant;

/// An open HTTP+SSE connection.
#[derive(Debug)]
pub struct Sse {
    pub(crate) http: Http,
    stream: Ticket,
}

impl Sse {
    /// Opens the stream and waits until it has named the endpoint for messages.
    pub fn open(
        target: &HttpTarget,
        frame_cap: usize,
        cancel: CancelToken,
        deadline: Instant,
    ) -> Result<Self, OpenError> {
        let mut http = Http::new(target, frame_cap, cancel.clone())?;
        let address = http.endpoint().address();
        let stream = http.listen(deadline);
        loop {
            if let Some(reference) = http.client.so_far(stream).and_then(endpoint_event) {
                http.send_to(&reference).map_err(OpenError::Protocol)?;
                return Ok(Self { http, stream });
            }
            if cancel.is_cancelled() {
                return Err(OpenError::Cancelled);
            }
            if let Some(Incoming::Ended { http, .. }) = http.client.poll_once(deadline) {
                return Err(why_not(&http, &address));
            }
            if Instant::now() >= deadline {
                let reason = "its event stream did not begin with an `endpoint` event";
                return Err(OpenError::Protocol(reason.to_owned()));
            }
        }
    }

    /// The next thing that came in, or why there is none by `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Incoming {
        match self.http.client.receive(deadline) {
            Incoming::Ended { ticket, http } if ticket == self.stream => {
                let why = http.fault.as_ref().map(ToString::to_string);
                let detail = why.unwrap_or_else(|| "the server ended the event stream".to_owned());
                Incoming::Closed(Exit { detail, ..Exit::default() })
            }
            other => other,
        }
    }

    /// Closes the stream, which ends the session.
    pub(crate) fn close(self) -> Closing {
        self.http.close()
    }
}

fn endpoint_event(http: &HttpExchange) -> Option<String> {
    http.events.iter().find(|event| event.event == "endpoint").map(|event| event.data.clone())
}

fn why_not(http: &HttpExchange, address: &str) -> OpenError {
    match &http.fault {
        Some(fault) => OpenError::from_fault(fault, address),
        None if http.status != 200 => OpenError::from_status(http),
        None => {
            OpenError::Protocol("the event stream ended before it named an endpoint".to_owned())
        }
    }
}

impl OpenError {
    /// What a fault below HTTP means for the opening.
    pub(crate) fn from_fault(fault: &HttpFault, address: &str) -> Self {
        let address = address.to_owned();
        match fault {
            HttpFault::Refused => Self::Refused { address },
            HttpFault::Unreachable(reason) => Self::Unreachable { address, reason: reason.clone() },
            HttpFault::Tls(reason) => Self::Tls { address, reason: reason.clone() },
            HttpFault::Timeout => {
                Self::Unreachable { address, reason: "no answer in time".to_owned() }
            }
            HttpFault::NotHttp(reason) | HttpFault::Closed(reason) => {
                Self::Protocol(format!("{address}: {reason}"))
            }
        }
    }

    /// What an HTTP status without a JSON-RPC message means for the opening.
    pub(crate) fn from_status(http: &HttpExchange) -> Self {
        let text = String::from_utf8_lossy(&http.body);
        let body: String = text.trim().chars().take(200).collect();
        let location = http.header("location").unwrap_or("elsewhere");
        let hint = match http.status {
            401 | 403 => "give a bearer token or the header that the server wants".to_owned(),
            404 => "check the URL's path; it often ends in /mcp or /sse".to_owned(),
            405 | 406 | 415 => "check that the URL is an MCP endpoint".to_owned(),
            300..=399 => {
                format!("redirects are not followed; use the URL it points to ({location})")
            }
            500..=599 => "the server failed; its own log should say why".to_owned(),
            _ => "check that the URL is an MCP endpoint".to_owned(),
        };
        Self::HttpStatus { status: http.status, body, hint }
    }
}
