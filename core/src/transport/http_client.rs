//! A small HTTP/1.1 client for one server: several requests under way on several connections, watched by one thread. It adds
//! nothing, follows nothing and hides nothing; what came back is recorded as it came.

use super::cancel::CancelToken;
use super::connection::{Connection, Read1};
use super::endpoint::Endpoint;
use super::http_call::{Call, Job};
use super::quick::Quick;
use super::{IDLE_SLICE, Incoming, Ticket, Written};
use crate::exchange::{HttpExchange, HttpFault};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many requests are under way at once; more of them wait their turn.
const MOST_CALLS: usize = 16;
/// How long an idle connection is trusted: common servers close theirs after five seconds.
const IDLE_LIMIT: Duration = Duration::from_secs(2);
/// How long an idle connection is used again without a look at it.
const SURELY_ALIVE: Duration = Duration::from_millis(50);
/// How long a stream may go on after it has carried the answer.
const AFTER_ANSWER: Duration = Duration::from_millis(100);
/// The same once the server has shown several times that it does not end its streams.
const AFTER_ANSWER_SHORT: Duration = Duration::from_millis(5);

/// Requests under way, idle connections, and what came in.
#[derive(Debug)]
pub(crate) struct HttpClient {
    endpoint: Endpoint,
    pub(super) cancel: CancelToken,
    pub(super) frame_cap: usize,
    idle: Vec<(Connection, Instant)>,
    calls: Vec<Call>,
    queue: VecDeque<Job>,
    ready: VecDeque<Incoming>,
    pub(super) buffer: Vec<u8>,
    next_ticket: u64,
    streams_left_open: u32,
    /// The request that goes the short way.
    pub(super) quick: Option<Quick>,
}

impl HttpClient {
    pub(crate) fn new(endpoint: Endpoint, frame_cap: usize, cancel: CancelToken) -> Self {
        Self {
            endpoint,
            cancel,
            frame_cap,
            idle: Vec::new(),
            calls: Vec::new(),
            queue: VecDeque::new(),
            ready: VecDeque::new(),
            buffer: vec![0; 64 * 1024],
            next_ticket: 1,
            streams_left_open: 0,
            quick: None,
        }
    }

    pub(crate) fn take_ticket(&mut self) -> Ticket {
        self.next_ticket += 1;
        Ticket(self.next_ticket)
    }

    /// Sends a request, or queues it while too many are under way. What comes of it comes from [`HttpClient::receive`].
    pub(crate) fn submit(&mut self, job: Job) {
        let full = self.calls.len() >= MOST_CALLS;
        if (full && !job.urgent) || job.not_before.is_some() {
            self.queue.push_back(job);
        } else {
            self.start(job);
        }
    }

    fn start(&mut self, job: Job) {
        let idle = if job.own_connection { None } else { self.take_idle() };
        if let Some(connection) = idle {
            self.begin(Call::new(job, connection, true, self.frame_cap));
        } else {
            self.start_fresh(job);
        }
    }

    fn start_fresh(&mut self, job: Job) {
        match Connection::open(&self.endpoint, job.deadline, &self.cancel) {
            Ok(connection) => self.begin(Call::new(job, connection, false, self.frame_cap)),
            Err(fault) => {
                let http = HttpExchange { fault: Some(fault), ..HttpExchange::default() };
                self.ready.push_back(Incoming::Ended { ticket: job.ticket, http: Box::new(http) });
            }
        }
    }

    fn begin(&mut self, mut call: Call) {
        let written = call.send(&self.cancel);
        match written {
            Written::Whole => self.calls.push(call),
            // It may have answered before it had read everything, or said why it closed.
            Written::Closed if call.has_input() => self.calls.push(call),
            Written::Closed if call.reused => self.start_fresh(call.into_job()),
            Written::Closed => {
                let reason = "the connection was closed while the request was sent".to_owned();
                self.finish(call, false, Some(HttpFault::Closed(reason)));
            }
            Written::Timeout | Written::Cancelled => {
                self.finish(call, false, Some(HttpFault::Timeout))
            }
        }
    }

    fn take_idle(&mut self) -> Option<Connection> {
        while let Some((connection, since)) = self.idle.pop() {
            let age = since.elapsed();
            if age < SURELY_ALIVE || (age < IDLE_LIMIT && !connection.has_input()) {
                return Some(connection);
            }
        }
        None
    }

    /// A connection, and whether it has carried another request; none where there can be none.
    pub(super) fn connection(&mut self, deadline: Instant) -> Option<(Connection, bool)> {
        match self.take_idle() {
            Some(connection) => Some((connection, true)),
            None => Some((Connection::open(&self.endpoint, deadline, &self.cancel).ok()?, false)),
        }
    }

    /// Keeps a connection for the next request.
    pub(super) fn keep_idle(&mut self, connection: Connection) {
        self.idle.push((connection, Instant::now()));
    }

    /// Takes over a request that was sent, of whose response so many bytes are in the buffer.
    pub(super) fn take_over(&mut self, call: Call, filled: usize) {
        self.calls.push(call);
        if filled > 0 {
            self.take_in(self.calls.len() - 1, filled);
        }
    }

    /// The next thing that came in, or why there is none by `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Incoming {
        loop {
            if let Some(incoming) = self.ready.pop_front() {
                return incoming;
            }
            if self.cancel.is_cancelled() {
                return Incoming::Cancelled;
            }
            // What has already come is looked at once more when the time is over.
            let last = Instant::now() >= deadline;
            self.step(deadline);
            if last && self.ready.is_empty() {
                return Incoming::Timeout;
            }
        }
    }

    /// What has come after waiting for at most a slice.
    pub(crate) fn poll_once(&mut self, deadline: Instant) -> Option<Incoming> {
        if self.ready.is_empty() {
            self.step(deadline);
        }
        self.ready.pop_front()
    }

    /// Waits for at most a slice, and takes in what came.
    pub(crate) fn step(&mut self, deadline: Instant) {
        let now = Instant::now();
        self.end_overdue(now);
        self.start_due(now);
        if !self.ready.is_empty() {
            return;
        }
        let finishes = self.calls.iter().filter_map(|call| call.finish_by);
        let starts = self.queue.iter().filter_map(|job| job.not_before);
        let next = finishes.chain(starts).chain([deadline]).min().unwrap_or(deadline);
        let wait = next.saturating_duration_since(now).min(IDLE_SLICE);
        match self.calls.len() {
            0 => std::thread::sleep(wait),
            // A blocking read of the only connection saves a system call.
            1 if wait == IDLE_SLICE => self.pump(0),
            _ => self.pump_ready(wait),
        }
    }

    fn pump_ready(&mut self, wait: Duration) {
        let mut fds: Vec<PollFd<'_>> =
            self.calls.iter().map(|call| PollFd::new(call.connection(), PollFlags::IN)).collect();
        let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
        if !poll(&mut fds, Some(&wait)).is_ok_and(|ready| ready > 0) {
            return;
        }
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        // From the end, since a call that is done leaves the list.
        for index in (0..ready.len()).rev().filter(|&index| ready[index]) {
            self.pump(index);
        }
    }

    /// Reads once from a call's connection.
    fn pump(&mut self, index: usize) {
        let call = &mut self.calls[index];
        let end = match call.read(&mut self.buffer) {
            Read1::Nothing => return,
            Read1::Bytes(count) => return self.take_in(index, count),
            Read1::Ended if call.is_stale() => {
                let call = self.calls.swap_remove(index);
                return self.start_fresh(call.into_job());
            }
            Read1::Ended => call.close().map_err(|why| HttpFault::Closed(why.to_owned())),
            Read1::Broken(_) if call.is_stale() => {
                let call = self.calls.swap_remove(index);
                return self.start_fresh(call.into_job());
            }
            Read1::Broken(why) => Err(HttpFault::Closed(why)),
        };
        let call = self.calls.swap_remove(index);
        self.finish(call, true, end.err());
    }

    /// Takes the first bytes of the buffer in for a call.
    fn take_in(&mut self, index: usize, count: usize) {
        match self.calls[index].take_in(&self.buffer[..count], &mut self.ready) {
            Some(end) => {
                let call = self.calls.swap_remove(index);
                self.finish(call, true, end.err());
            }
            None => self.calls[index].connection().acknowledge(),
        }
    }

    fn finish(&mut self, mut call: Call, by_server: bool, fault: Option<HttpFault>) {
        call.http.ended = by_server;
        call.http.fault = fault;
        // A body that broke off is no message.
        let whole = by_server && call.http.fault.is_none();
        if let Some(frame) = call.body_frame().filter(|_| whole) {
            self.ready.push_back(Incoming::Frame { frame, ticket: call.frame_ticket() });
        }
        let reusable = by_server && call.is_reusable();
        let (ticket, http, connection) = call.into_parts();
        self.ready.push_back(Incoming::Ended { ticket, http: Box::new(http) });
        if reusable {
            self.idle.push((connection, Instant::now()));
        }
    }

    fn end_overdue(&mut self, now: Instant) {
        while let Some(index) =
            self.calls.iter().position(|call| call.finish_by.is_some_and(|by| now >= by))
        {
            self.streams_left_open += 1;
            let call = self.calls.swap_remove(index);
            self.finish(call, false, None);
        }
    }

    fn start_due(&mut self, now: Instant) {
        while self.calls.len() < MOST_CALLS {
            let due = |job: &Job| job.not_before.is_none_or(|start| now >= start);
            let Some(index) = self.queue.iter().position(due) else { return };
            if let Some(job) = self.queue.remove(index) {
                self.start(job);
            }
        }
    }

    /// Says that a request's answer has come: what is left of its stream is waited for only a little while.
    pub(crate) fn answered(&mut self, ticket: Ticket) {
        let patience = if self.streams_left_open < 3 { AFTER_ANSWER } else { AFTER_ANSWER_SHORT };
        if let Some(call) = self.calls.iter_mut().find(|call| call.ticket() == ticket) {
            call.finish_by = Some(Instant::now() + patience);
        }
    }

    /// Closes a request's connection and returns what had come.
    pub(crate) fn abandon(&mut self, ticket: Ticket) -> Option<HttpExchange> {
        self.queue.retain(|job| job.ticket != ticket);
        let index = self.calls.iter().position(|call| call.ticket() == ticket)?;
        Some(self.calls.swap_remove(index).into_parts().1)
    }

    /// What has come of a request that is under way.
    pub(crate) fn so_far(&self, ticket: Ticket) -> Option<&HttpExchange> {
        self.calls.iter().find(|call| call.ticket() == ticket).map(|call| &call.http)
    }

    /// Sends a request and waits for the end of its response, at most until its deadline. What comes for other requests
    /// meanwhile is kept.
    pub(crate) fn exchange(&mut self, job: Job) -> HttpExchange {
        let (ticket, deadline) = (job.ticket, job.deadline);
        self.submit(job);
        loop {
            if let Some(http) = self.take_ended(ticket) {
                return http;
            }
            if Instant::now() >= deadline || self.cancel.is_cancelled() {
                let partial = self.abandon(ticket).unwrap_or_default();
                return HttpExchange { fault: Some(HttpFault::Timeout), ..partial };
            }
            self.step(deadline);
            self.wait_if_busy(deadline);
        }
    }

    /// Takes the end of a request out of what came in, and the frames that belong to it.
    fn take_ended(&mut self, wanted: Ticket) -> Option<HttpExchange> {
        let is_end = |incoming: &Incoming| matches!(incoming, Incoming::Ended { ticket, .. } if *ticket == wanted);
        let index = self.ready.iter().position(is_end)?;
        let ended = self.ready.remove(index);
        self.ready
            .retain(|i| !matches!(i, Incoming::Frame { ticket, .. } if *ticket == Some(wanted)));
        match ended {
            Some(Incoming::Ended { http, .. }) => Some(*http),
            _ => None,
        }
    }

    /// While something else is ready, a step returns at once; the connections are then looked at here.
    fn wait_if_busy(&mut self, deadline: Instant) {
        if !self.ready.is_empty() && !self.calls.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            self.pump_ready(left.min(IDLE_SLICE));
        }
    }
}
