//! Runs probes: sends their steps on sessions and gathers what comes back.

use super::reach::reach;
use super::{
    Becomes, Probe, ProbeBody, ProbeHttp, ProbeOutcome, ProbeRequest, ProbeRun, ProbeSession,
    ProbeStep,
};
use crate::exchange::{Exchange, Reply};
use crate::message::{Frame, FrameKind};
use crate::protocol::Era;
use crate::session::{Closing, HeaderOption, Received, RequestOptions, Session};
use crate::transport::RawRequest;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often the server may fall silent or break down before the probes end: each time costs a time limit or a start.
const BREAKDOWNS_BORNE: usize = 4;
/// In how many parts the time of a request is cut, of which the rest of a probe gets one each, once the server left one of its
/// requests unanswered and answered others: it will leave the rest unanswered, too.
const SILENCE_SHARE: u32 = 5;
/// How long a fence waits.
const FENCE_PATIENCE: Duration = Duration::from_secs(5);

/// Opens sessions for probes and says whether there is time for more.
pub(crate) trait Opener {
    /// A session opened in the usual way, or why there is none.
    fn open(&mut self) -> Result<Session, String>;
    /// A connection on which nothing has been sent, or why there is none.
    fn connect(&mut self) -> Result<Session, String>;
    /// Takes a session that is no longer needed.
    fn close(&mut self, session: Session);
    /// Why no more probes may be sent, if so.
    fn has_ended(&self) -> Option<String>;
    /// How long requests wait.
    fn patience(&self) -> Duration;
}

/// Runs what the lints planned, each name once, and hands every lint the runs of its own probes, in the order planned.
pub(crate) fn run(planned: &[Vec<Probe>], opener: &mut dyn Opener) -> Vec<Vec<ProbeRun>> {
    let mut unique: Vec<&Probe> = Vec::new();
    for probe in planned.iter().flatten() {
        if !unique.iter().any(|other| other.name == probe.name) {
            unique.push(probe);
        }
    }
    unique.sort_by_key(|probe| (probe.session, has_close(probe)));
    let mut runner = Runner { opener, session: None, kind: ProbeSession::Shared, breakdowns: 0 };
    let runs: Vec<ProbeRun> = unique.into_iter().map(|probe| runner.run(probe)).collect();
    runner.leave();
    let of = |probe: &Probe| runs.iter().find(|run| run.probe.name == probe.name).cloned();
    planned.iter().map(|probes| probes.iter().filter_map(of).collect()).collect()
}

fn has_close(probe: &Probe) -> bool {
    probe.steps.iter().any(|step| matches!(step, ProbeStep::Close))
}

struct Runner<'a> {
    opener: &'a mut dyn Opener,
    /// The session at hand, and what it is for.
    session: Option<Session>,
    kind: ProbeSession,
    breakdowns: usize,
}

impl Runner<'_> {
    fn run(&mut self, probe: &Probe) -> ProbeRun {
        let mut run =
            ProbeRun { probe: probe.clone(), steps: Vec::new(), not_run: None, closing: None };
        if let Err(reason) = self.provide(probe.session) {
            run.not_run = Some(reason);
            return run;
        }
        run.closing = self.perform_parts(probe, &mut run.steps);
        let broken =
            run.steps.iter().any(|step| !step.alive || step.exchanges.iter().any(is_silent));
        if broken {
            self.breakdowns += 1;
        }
        if broken || matches!(probe.session, ProbeSession::Own | ProbeSession::Unopened) {
            self.leave();
        }
        run
    }

    /// Sends a probe's steps, on another connection after each [`ProbeStep::Reopen`].
    fn perform_parts(
        &mut self,
        probe: &Probe,
        outcomes: &mut Vec<ProbeOutcome>,
    ) -> Option<Closing> {
        let patience = self.opener.patience();
        let mut parts = probe.steps.split(|step| matches!(step, ProbeStep::Reopen));
        let session = self.session.take()?;
        // Where nothing has been asked yet, the process may still be starting.
        let start = (probe.session == ProbeSession::Unopened).then(|| session.startup_timeout());
        let (left, mut closing) = perform(session, parts.next()?, patience, start, outcomes);
        self.session = left;
        for part in parts {
            if !self.session.as_ref().is_some_and(Session::is_open) {
                break;
            }
            self.leave();
            let Ok(other) = self.opener.open() else { break };
            outcomes.push(ProbeOutcome { alive: true, ..ProbeOutcome::default() });
            let (left, end) = perform(begun(other, patience), part, patience, None, outcomes);
            (self.session, closing) = (left, end);
        }
        closing
    }

    /// Sees to it that there is a session of that kind.
    fn provide(&mut self, kind: ProbeSession) -> Result<(), String> {
        if let Some(reason) = self.opener.has_ended() {
            return Err(reason);
        }
        if self.breakdowns >= BREAKDOWNS_BORNE {
            return Err("the server left too many probes unanswered".to_owned());
        }
        // Rough probes come last on the session that harmless ones shared: there is nobody left whom they could disturb.
        let goes_on = self.kind == ProbeSession::Shared && kind == ProbeSession::Rough;
        if self.kind != kind && !goes_on {
            self.leave();
        }
        self.kind = kind;
        if self.session.as_ref().is_some_and(|session| !session.is_open()) {
            self.leave();
        }
        if self.session.is_none() {
            self.session = Some(match kind {
                ProbeSession::Unopened => self.opener.connect()?,
                _ => begun(self.opener.open()?, self.opener.patience()),
            });
        }
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(session) = self.session.take() {
            self.opener.close(session);
        }
    }
}

/// A request whose time was not cut short by the probe and that got no answer.
fn is_silent(exchange: &Exchange) -> bool {
    matches!(exchange.reply, Reply::Silence { .. }) && exchange.method != "subscriptions/listen"
}

/// A request without an answer from a server that answered another one meanwhile.
fn is_ignored(exchange: &Exchange) -> bool {
    is_silent(exchange) && matches!(exchange.reply, Reply::Silence { responsive: true })
}

/// Sends the steps of a probe, up to the one at which the connection breaks. The first request waits for as long as `start`
/// says, if it does.
fn perform(
    session: Session,
    steps: &[ProbeStep],
    patience: Duration,
    start: Option<Duration>,
    outcomes: &mut Vec<ProbeOutcome>,
) -> (Option<Session>, Option<Closing>) {
    let mut session = session;
    let mut start = start;
    let mut ignored = false;
    for step in steps {
        if matches!(step, ProbeStep::Close) {
            let closing = session.close();
            outcomes
                .push(ProbeOutcome { frames: closing.frames.clone(), ..ProbeOutcome::default() });
            return (None, Some(closing));
        }
        let Some(mut step) = bound(step, outcomes, &session) else {
            outcomes.push(ProbeOutcome { alive: session.is_open(), ..ProbeOutcome::default() });
            continue;
        };
        if let ProbeStep::Request(request) = &mut step {
            request.timeout = request.timeout.or(start.take());
            request.timeout = request.timeout.or(ignored.then(|| patience / SILENCE_SHARE));
        }
        let mut outcome = send(&mut session, &step, patience);
        reassign_answers(outcomes, &mut outcome);
        outcome.frames.append(&mut session.stray());
        outcome.alive = session.is_open();
        let alive = outcome.alive;
        ignored |= outcome.exchanges.iter().any(is_ignored);
        outcomes.push(outcome);
        if !alive {
            break;
        }
    }
    (Some(session), None)
}

/// A step with the values of earlier answers in it; `None` where one of them is not there.
fn bound(step: &ProbeStep, earlier: &[ProbeOutcome], session: &Session) -> Option<ProbeStep> {
    let mut step = step.clone();
    match &mut step {
        ProbeStep::Request(request) => {
            for binding in std::mem::take(&mut request.bindings) {
                let mut results = earlier
                    .iter()
                    .skip(binding.step)
                    .filter_map(|outcome| outcome.exchanges.first().and_then(Exchange::result));
                let value = results.find_map(|result| result.pointer(&binding.from))?;
                let place = if binding.member.starts_with('/') {
                    request.params.pointer_mut(&binding.member)?
                } else {
                    request.params.as_object_mut()?.entry(binding.member).or_insert(Value::Null)
                };
                *place = became(value, &binding.becomes, place, session)?;
            }
        }
        ProbeStep::Http(request) => {
            if let Some(of) = request.session_of {
                let id = earlier.get(of)?.http.as_ref()?.header("mcp-session-id")?;
                request.headers.push(("Mcp-Session-Id".to_owned(), Some(id.to_owned())));
            }
        }
        _ => {}
    }
    Some(step)
}

/// What a bound value becomes, by what stands in its place.
fn became(value: &Value, becomes: &Becomes, place: &Value, session: &Session) -> Option<Value> {
    Some(match becomes {
        Becomes::Itself => value.clone(),
        Becomes::Variable(name) => {
            let text = percent_encoding::utf8_percent_encode(
                value.as_str()?,
                percent_encoding::NON_ALPHANUMERIC,
            );
            let template = place.as_str()?;
            json!(template.replace(&format!("{{{name}}}"), &text.to_string()))
        }
        Becomes::Answers => session.answers_to(value.as_object()?),
    })
}

/// Answers to raw bytes come in with the next exchange, to which they do not belong: they are given to the step before.
fn reassign_answers(earlier: &mut [ProbeOutcome], outcome: &mut ProbeOutcome) {
    let Some(last) = earlier.last_mut().filter(|last| last.exchanges.is_empty()) else {
        return;
    };
    for exchange in &mut outcome.exchanges {
        let side = std::mem::take(&mut exchange.side);
        let (answers, rest): (Vec<Frame>, Vec<Frame>) = side
            .into_iter()
            .partition(|frame| matches!(frame.kind(), FrameKind::Result | FrameKind::Error));
        exchange.side = rest;
        last.frames.extend(answers);
    }
}

fn send(session: &mut Session, step: &ProbeStep, patience: Duration) -> ProbeOutcome {
    let mut outcome = ProbeOutcome::default();
    match step {
        ProbeStep::Request(request) => outcome.exchanges.push(ask(session, request)),
        ProbeStep::Together(requests) => outcome.exchanges = session.pipeline(requests.clone()),
        ProbeStep::Fence => outcome.exchanges.push(fence(session, patience)),
        ProbeStep::Notify { method, params } => {
            drop(session.http_side());
            session.notify(method, params.clone());
            outcome.http = session.http_side().pop().map(|(_, response)| response);
        }
        ProbeStep::Raw(bytes) => send_bytes(session, bytes, patience, &mut outcome),
        ProbeStep::Chunks(pieces) => {
            for piece in pieces {
                // A server that is gone shows at the next step.
                let _ = session.send_raw(piece);
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        ProbeStep::Http(request) => outcome.http = Some(ask_http(session, request, patience)),
        ProbeStep::Listen(milliseconds) => {
            let until = Instant::now() + Duration::from_millis(*milliseconds);
            while let Received::Frame(frame) = session.receive(until) {
                outcome.frames.push(frame);
            }
        }
        ProbeStep::Open => {
            // What the server said is in its identity; a failure shows at the next step.
            let _ = session.handshake();
            outcome.exchanges.extend(session.server().opening.as_deref().cloned());
        }
        ProbeStep::Reach { port, wait } => {
            outcome.reached = reach(*port, Duration::from_millis(*wait));
        }
        ProbeStep::Close | ProbeStep::Reopen => {}
    }
    outcome
}

fn ask(session: &mut Session, request: &ProbeRequest) -> Exchange {
    let headers = match request.headers.as_slice() {
        [] => HeaderOption::Auto,
        headers => HeaderOption::Patch(headers.to_vec()),
    };
    let options = RequestOptions {
        id: request.id.clone(),
        meta: request.meta.clone(),
        headers,
        progress_token: None,
        timeout: request.timeout,
        unanswered: request.unanswered,
    };
    session.request_with(&request.method, request.params.clone(), &options)
}

/// A session on which something was asked: without a handshake a probe's notification would be the first message, which no
/// client sends and some servers refuse.
fn begun(mut session: Session, patience: Duration) -> Session {
    if session.revision().era() == Era::Modern {
        fence(&mut session, patience);
    }
    session
}

/// The known-good request of the era.
fn fence(session: &mut Session, patience: Duration) -> Exchange {
    let method = match session.revision().era() {
        Era::Legacy => "ping",
        Era::Modern => "server/discover",
    };
    let timeout = Some(patience.min(FENCE_PATIENCE));
    session.request_with(method, Value::Null, &RequestOptions { timeout, ..Default::default() })
}

fn send_bytes(session: &mut Session, bytes: &[u8], patience: Duration, outcome: &mut ProbeOutcome) {
    if session.is_http() {
        let request = ProbeHttp { body: ProbeBody::Bytes(bytes.to_vec()), ..ProbeHttp::default() };
        outcome.http = Some(ask_http(session, &request, patience));
    } else {
        let mut line = bytes.to_vec();
        line.push(b'\n');
        let _ = session.send_raw(&line);
    }
}

fn ask_http(
    session: &mut Session,
    request: &ProbeHttp,
    patience: Duration,
) -> crate::exchange::HttpExchange {
    let (method, body) = match &request.body {
        ProbeBody::Empty => (Some(""), Vec::new()),
        ProbeBody::Bytes(bytes) => (None, bytes.clone()),
        ProbeBody::Request(method, params) => {
            (Some(method.as_str()), session.request_bytes(method, params.clone()))
        }
        ProbeBody::Notification(method, params) => {
            let mut message = json!({"jsonrpc": "2.0", "method": method});
            if !params.is_null() {
                message["params"] = params.clone();
            }
            (Some(method.as_str()), message.to_string().into_bytes())
        }
    };
    let params = match &request.body {
        ProbeBody::Request(_, params) | ProbeBody::Notification(_, params) => params.clone(),
        _ => Value::Null,
    };
    let mut headers = session.standard_headers(method.unwrap_or_default(), &params);
    if body.is_empty() {
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
    }
    for (name, value) in &request.headers {
        headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        headers.extend(value.iter().map(|value| (name.clone(), value.clone())));
    }
    let wait = request.wait.map(Duration::from_millis);
    session.raw_http(&RawRequest {
        method: if request.method.is_empty() { "POST".to_owned() } else { request.method.clone() },
        target: request.path.clone(),
        headers,
        body,
        timeout: wait.unwrap_or(patience),
    })
}
