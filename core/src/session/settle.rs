//! Waiting until every request under way is answered or given up.

use super::waiting::Waiting;
use super::wire::Session;
use super::{answer, encode};
use crate::exchange::{Exit, Reply};
use crate::message::{Anomaly, Channel, Frame, FrameKind};
use crate::protocol::Era;
use crate::transport::{Incoming, Ticket};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a server that let a request's time pass has to answer a ping.
const PROBE_PATIENCE: Duration = Duration::from_secs(3);
/// How many frames are taken in that nothing asked for, before the next request.
const LISTENED: usize = 100;

/// A request that tells a slow server from one that is blocked.
pub(super) struct Probe {
    id: Value,
    pub ticket: Option<Ticket>,
    until: Instant,
    pub answered: bool,
}

impl Session {
    /// Receives until every one of `waiting` is settled.
    pub(super) fn settle(&mut self, waiting: &mut [Waiting]) {
        let mut probe: Option<Probe> = None;
        while let Some(deadline) = next_deadline(waiting, probe.as_ref()) {
            match self.transport.receive(deadline) {
                Incoming::Frame { frame, ticket } => {
                    let answered = self.route_any(frame, ticket, waiting, probe.as_mut());
                    if answered {
                        grant_more_time(waiting);
                        continue;
                    }
                }
                Incoming::Ended { ticket, http } => {
                    self.http_ended(ticket, http, waiting, probe.as_mut())
                }
                Incoming::Timeout => {}
                Incoming::Cancelled => {
                    let exit =
                        Exit { detail: "the run was cancelled".to_owned(), ..Exit::default() };
                    settle_all(waiting, &exit);
                    return;
                }
                Incoming::Closed(exit) => {
                    settle_all(waiting, &exit);
                    self.closed = Some(exit);
                    return;
                }
            }
            self.look_at_the_clock(waiting, &mut probe);
        }
        if let Some(probe) = probe.filter(|probe| !probe.answered) {
            self.abandon(probe.id);
        }
    }

    /// Takes in what comes without being asked for, until nothing came for `patience`; it is kept as stray.
    pub(crate) fn linger(&mut self, patience: Duration) {
        for _ in 0..LISTENED {
            match self.transport.receive(Instant::now() + patience) {
                Incoming::Frame { frame, ticket } => {
                    self.route_any(frame, ticket, &mut [], None);
                }
                Incoming::Ended { ticket, http } => self.http_ended(ticket, http, &mut [], None),
                Incoming::Timeout | Incoming::Cancelled => return,
                Incoming::Closed(exit) => {
                    self.closed = Some(exit);
                    return;
                }
            }
        }
    }

    /// Routes a frame, or each message of a batch; tells whether it settled a request.
    fn route_any(
        &mut self,
        mut frame: Frame,
        ticket: Option<Ticket>,
        waiting: &mut [Waiting],
        mut probe: Option<&mut Probe>,
    ) -> bool {
        if !frame.anomalies.contains(&Anomaly::Batch) {
            return self.route(frame, ticket, waiting, probe);
        }
        let Some(Value::Array(messages)) = frame.value.take() else {
            unreachable!("a batch is an array");
        };
        let mut answered = false;
        for message in messages {
            let part = Frame { value: Some(message), ..frame.clone() };
            answered |= self.route(part, ticket, waiting, probe.as_deref_mut());
        }
        answered
    }

    fn route(
        &mut self,
        frame: Frame,
        ticket: Option<Ticket>,
        waiting: &mut [Waiting],
        probe: Option<&mut Probe>,
    ) -> bool {
        match frame.kind() {
            FrameKind::Result | FrameKind::Error => {
                return self.route_answer(frame, ticket, waiting, probe);
            }
            FrameKind::Request => self.answer_server(&frame),
            FrameKind::Notification => note_progress(&frame, waiting),
            FrameKind::Invalid => {
                let id = frame.id();
                let open = |w: &&mut Waiting| w.reply.is_none() && Some(&w.id) == id;
                if let Some(target) = waiting.iter_mut().find(open) {
                    target.answer(frame);
                    let ticket = target.ticket;
                    self.end_stream(ticket);
                    return true;
                }
                if let Some(owner) = owner_of_unreadable(&frame, ticket, waiting) {
                    owner.doubt(frame);
                    return false;
                }
            }
        }
        self.keep_aside(frame, ticket, waiting);
        false
    }

    fn route_answer(
        &mut self,
        frame: Frame,
        ticket: Option<Ticket>,
        waiting: &mut [Waiting],
        probe: Option<&mut Probe>,
    ) -> bool {
        let id = frame.id();
        if let Some(target) = waiting.iter_mut().find(|w| w.reply.is_none() && Some(&w.id) == id) {
            target.answer(frame);
            let ticket = target.ticket;
            self.end_stream(ticket);
            return true;
        }
        if let Some(probe) = probe.filter(|probe| Some(&probe.id) == id && !probe.answered) {
            probe.answered = true;
            return false;
        }
        if let Some(at) = self.abandoned.iter().position(|abandoned| Some(abandoned) == id) {
            self.abandoned.remove(at);
            self.late.push(frame);
            return false;
        }
        match self.owner_of_doubtful(&frame, ticket, waiting) {
            Some(owner) => owner.doubt(frame),
            None => self.keep_aside(frame, ticket, waiting),
        }
        false
    }

    /// The request that an answer with an id nobody waits for must be meant for, if there can be only one.
    fn owner_of_doubtful<'w>(
        &self,
        frame: &Frame,
        ticket: Option<Ticket>,
        waiting: &'w mut [Waiting],
    ) -> Option<&'w mut Waiting> {
        let only = the_only_one(ticket, waiting)?;
        let number = match frame.id() {
            None | Some(Value::Null) => return (frame.kind() == FrameKind::Error).then_some(only),
            Some(Value::String(text)) => text.parse().ok(),
            Some(id) => id.as_u64(),
        };
        let answers_an_earlier_one =
            number.is_some_and(|n| self.has_issued(n) && only.id.as_u64() != Some(n));
        (!answers_an_earlier_one).then_some(only)
    }

    fn answer_server(&mut self, request: &Frame) {
        if self.revision.era() == Era::Modern {
            return;
        }
        let Some(id) = request.id() else { return };
        let (member, content) = answer::to_request(&self.options, request);
        let mut out = Vec::new();
        encode::response(&mut out, id, member, &content);
        self.post(&out, "", &Value::Null, false);
    }

    fn keep_aside(&mut self, frame: Frame, ticket: Option<Ticket>, waiting: &mut [Waiting]) {
        let owner = waiting.iter().position(|w| ticket.is_some() && w.ticket == ticket);
        let owner = owner.or_else(|| waiting.iter().position(|w| w.reply.is_none()));
        match owner {
            Some(owner) => waiting[owner].keep_aside(frame),
            None => self.keep_stray(frame),
        }
    }

    fn look_at_the_clock(&mut self, waiting: &mut [Waiting], probe: &mut Option<Probe>) {
        let now = Instant::now();
        for waiting in waiting.iter_mut().filter(|w| w.is_overdue(now)) {
            if let Some(frame) = waiting.doubtful.take() {
                waiting.accept_doubtful(frame);
            }
        }
        if !waiting.iter().any(|w| w.is_overdue(now)) {
            return;
        }
        match probe {
            None => *probe = Some(self.send_probe(waiting)),
            Some(sent) if sent.answered || now >= sent.until => {
                let responsive = sent.answered;
                for waiting in waiting.iter_mut().filter(|w| w.is_overdue(now)) {
                    self.give_up(waiting, responsive);
                }
                let sent = probe.take().filter(|sent| !sent.answered);
                if let Some(sent) = sent {
                    self.abandon(sent.id);
                }
            }
            Some(_) => {}
        }
    }

    /// Asks something harmless, unless the server is still being opened.
    fn send_probe(&mut self, waiting: &[Waiting]) -> Probe {
        let now = Instant::now();
        let opening = waiting.iter().any(|w| is_opening(&w.method));
        let id = self.take_id();
        if opening {
            return Probe { id, ticket: None, until: now, answered: false };
        }
        let (method, params) = match self.revision.era() {
            Era::Legacy => ("ping", Value::Null),
            Era::Modern => ("server/discover", json!({"_meta": self.meta})),
        };
        let mut out = Vec::new();
        encode::request(&mut out, &id, method, &params);
        self.post(&out, method, &params, false);
        let until = now + PROBE_PATIENCE.min(self.options.request_timeout);
        Probe { id, ticket: self.http.newest_aside(), until, answered: false }
    }

    fn give_up(&mut self, waiting: &mut Waiting, responsive: bool) {
        waiting.settle(Reply::Silence { responsive });
        self.abandon(waiting.id.clone());
        // In the modern era a closed stream says it all.
        let closed = self.close_stream(waiting) && self.revision.era() == Era::Modern;
        if !closed && !is_opening(&waiting.method) {
            let params = json!({"requestId": waiting.id, "reason": "no answer in time"});
            self.send_notification("notifications/cancelled", &params, false);
        }
    }
}

/// A server that answers one of several requests is at work on the others.
fn grant_more_time(waiting: &mut [Waiting]) {
    if waiting.len() > 1 {
        let now = Instant::now();
        waiting.iter_mut().filter(|w| w.reply.is_none()).for_each(|w| w.extend(now));
    }
}

/// The request that is waiting alone, or alone for this ticket.
fn the_only_one(ticket: Option<Ticket>, waiting: &mut [Waiting]) -> Option<&mut Waiting> {
    let is_candidate =
        |w: &&mut Waiting| w.reply.is_none() && (ticket.is_none() || w.ticket == ticket);
    let mut candidates = waiting.iter_mut().filter(is_candidate);
    let only = candidates.next().filter(|w| w.doubtful.is_none())?;
    candidates.next().is_none().then_some(only)
}

/// The request that a frame which cannot be parsed must be the answer to: it names its id, or it is the whole body of the
/// response, or it was too long to be kept.
fn owner_of_unreadable<'w>(
    frame: &Frame,
    ticket: Option<Ticket>,
    waiting: &'w mut [Waiting],
) -> Option<&'w mut Waiting> {
    if frame.value.is_some() {
        return None;
    }
    let only = the_only_one(ticket, waiting)?;
    let too_long = frame.anomalies.iter().any(|a| matches!(a, Anomaly::TooLong { .. }));
    let certain =
        too_long || frame.channel == Channel::HttpBody || names_id(&frame.bytes, &only.id);
    certain.then_some(only)
}

/// Whether the text has a member `id` with that value, as far as one can tell without parsing it.
fn names_id(bytes: &[u8], id: &Value) -> bool {
    let id = id.to_string();
    let mut places = memchr::memmem::find_iter(bytes, b"\"id\"");
    places.any(|place| {
        let rest = bytes[place + 4..].trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b":") else { return false };
        let rest = rest.trim_ascii_start().strip_prefix(id.as_bytes());
        rest.is_some_and(|rest| {
            !rest.first().is_some_and(|&next| next.is_ascii_digit() || next == b'.')
        })
    })
}

fn is_opening(method: &str) -> bool {
    matches!(method, "initialize" | "server/discover")
}

/// When to look again, or `None` when everything is settled.
fn next_deadline(waiting: &[Waiting], probe: Option<&Probe>) -> Option<Instant> {
    let open = waiting.iter().filter(|w| !w.is_settled());
    // One that only waits for the end of its HTTP response is told by the transport.
    let open = open.map(|w| {
        if w.reply.is_some() { Instant::now() + Duration::from_secs(1) } else { w.deadline }
    });
    let Some(probe) = probe.filter(|probe| !probe.answered) else {
        return open.min();
    };
    // An overdue request waits for the probe rather than for its own deadline.
    let now = Instant::now();
    open.map(|deadline| if now >= deadline { probe.until } else { deadline }).min()
}

fn settle_all(waiting: &mut [Waiting], exit: &Exit) {
    for waiting in waiting.iter_mut().filter(|w| w.reply.is_none()) {
        match waiting.doubtful.take() {
            Some(frame) => waiting.accept_doubtful(frame),
            None => waiting.settle(Reply::Closed(exit.clone())),
        }
    }
}

fn note_progress(frame: &Frame, waiting: &mut [Waiting]) {
    if frame.method() != Some("notifications/progress") {
        return;
    }
    let token = frame.value.as_ref().and_then(|v| v.pointer("/params/progressToken"));
    let owner = waiting
        .iter_mut()
        .find(|w| w.reply.is_none() && w.token.is_some() && w.token.as_ref() == token);
    if let Some(owner) = owner {
        owner.extend(Instant::now());
    }
}
