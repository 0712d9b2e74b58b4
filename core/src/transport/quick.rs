//! The short way over HTTP: a request made beforehand, and a response that is looked at in place. Whatever is not an ordinary response
//! of known length goes the long way, with what has come of it.

use super::connection::{Connection, Read1};
use super::http::{Http, Posting};
use super::http_call::{Call, Job};
use super::http_client::HttpClient;
use super::{Ticket, Written};
use std::time::{Duration, Instant};

/// Longer responses go the long way.
const MOST: usize = 64 * 1024;

/// A request that went out, and how much of its response is in the client's buffer.
#[derive(Debug)]
pub(crate) struct Quick {
    connection: Connection,
    reused: bool,
    filled: usize,
    /// Where the body begins.
    body: usize,
    whole: bool,
}

impl HttpClient {
    /// Sends a request on a connection that is at hand, or on a new one. Tells whether it went out; otherwise nothing did.
    fn send_quickly(&mut self, request: &[u8], deadline: Instant) -> bool {
        let Some((mut connection, reused)) = self.connection(deadline) else {
            return false;
        };
        if connection.write(request, deadline, &self.cancel) != Written::Whole {
            return false;
        }
        self.quick = Some(Quick { connection, reused, filled: 0, body: 0, whole: false });
        true
    }

    /// Waits for the response; none where it is not an ordinary one in time.
    fn peek(&mut self, deadline: Instant) -> Option<(&[u8], &[u8])> {
        let quick = self.quick.as_mut()?;
        while !quick.whole {
            let space =
                self.buffer.get_mut(quick.filled..MOST).filter(|space| !space.is_empty())?;
            match quick.connection.read(space) {
                Read1::Bytes(count) => quick.filled += count,
                Read1::Nothing if self.cancel.is_cancelled() || Instant::now() >= deadline => {
                    return None;
                }
                Read1::Nothing => continue,
                Read1::Ended | Read1::Broken(_) => return None,
            }
            let come = &self.buffer[..quick.filled];
            let Some(body) = memchr::memmem::find(come, b"\r\n\r\n").map(|at| at + 4) else {
                continue;
            };
            let length = content_length(&come[..body])?;
            if quick.filled > body + length {
                return None;
            }
            (quick.body, quick.whole) = (body, quick.filled == body + length);
            if !quick.whole {
                quick.connection.acknowledge();
            }
        }
        let come = &self.buffer[..quick.filled];
        Some(come.split_at(quick.body))
    }

    /// Ends the short way in good order.
    fn done_quickly(&mut self) {
        if let Some(quick) = self.quick.take() {
            self.keep_idle(quick.connection);
        }
    }

    /// Goes on the long way, with what has come.
    fn go_on(&mut self, job: Job) {
        match self.quick.take() {
            None => self.submit(job),
            Some(quick) => {
                let call = Call::new(job, quick.connection, quick.reused, self.frame_cap);
                self.take_over(call, quick.filled);
            }
        }
    }
}

/// The length that a head tells, where nothing in it says that the response is anything but that much JSON on a connection that stays.
fn content_length(head: &[u8]) -> Option<usize> {
    let mut length = None;
    for line in head.split(|byte| *byte == b'\n').skip(1) {
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            let digits = std::str::from_utf8(value).ok()?;
            length = Some(digits.parse().ok()?);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding")
            || (name.eq_ignore_ascii_case(b"connection")
                && !value.eq_ignore_ascii_case(b"keep-alive"))
        {
            return None;
        }
    }
    length.filter(|_| head.starts_with(b"HTTP/1.1 200"))
}

impl Http {
    /// The head of a POST up to the length of its body; the body follows after two line ends. None where the target's owner has a
    /// length of their own.
    pub(crate) fn quick_head(&mut self, headers: &[(String, String)]) -> Option<Vec<u8>> {
        let deadline = Instant::now() + Duration::from_secs(1);
        let posting = Posting { body: b"", headers, patch: &[], urgent: false, deadline };
        let job = self.job(&posting);
        job.bytes.strip_suffix(b"0\r\n\r\n").map(<[u8]>::to_vec)
    }

    /// Sends such a request; tells whether it went out.
    pub(crate) fn send_quickly(&mut self, request: &[u8], deadline: Instant) -> bool {
        self.client.send_quickly(request, deadline)
    }

    /// Head and body of its response, as soon as they are there; none where it goes the long way.
    pub(crate) fn peek(&mut self, deadline: Instant) -> Option<(&[u8], &[u8])> {
        self.client.peek(deadline)
    }

    /// Says that the response was taken.
    pub(crate) fn done_quickly(&mut self) {
        self.client.done_quickly();
    }

    /// Goes on the long way with the request that was sent, or sends it.
    pub(crate) fn go_on(&mut self, posting: &Posting<'_>) -> Ticket {
        let job = self.job(posting);
        let ticket = job.ticket;
        self.client.go_on(job);
        ticket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ordinary_heads_have_a_length() {
        let of = |head: &str| content_length(head.as_bytes());
        assert_eq!(
            of("HTTP/1.1 200 OK\r\nContent-Type: x\r\ncontent-length: 12\r\n\r\n"),
            Some(12)
        );
        assert_eq!(of("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"), None);
        assert_eq!(of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), None);
        assert_eq!(of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"), None);
        assert_eq!(of("HTTP/1.1 200 OK\r\n\r\n"), None);
    }
}
