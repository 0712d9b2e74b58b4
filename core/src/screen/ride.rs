//! A session of screening.

use super::doubt::{self, Doubt};
use super::history::History;
use super::lane::{Lane, Screened, Stage};
use crate::case::Phase;
use crate::error::Error;
use crate::session::{RequestParts, Session};
use crate::worker::Worker;
use std::time::{Duration, Instant};

/// Calls of one session.
const LONGEST: usize = 4000;
/// The run's budget is looked at after so many calls, or so much time; so are calls counted.
const LOOK: usize = 16;
const LOOK_TIME: Duration = Duration::from_millis(20);
/// An answer that takes longer gets a closer look.
const SOON: Duration = Duration::from_secs(1);

/// A call that was sent.
pub(super) struct Flight {
    pub(super) id: u64,
    /// Which of the lane's tools.
    pub(super) slot: usize,
    /// Its number in the history.
    pub(super) call: usize,
    /// Which parameters have fresh values.
    pub(super) freshened: u64,
    pub(super) answered: bool,
}

/// A session of screening.
pub(super) struct Ride {
    pub(super) session: Session,
    /// By place in the lane; none for tools that cannot go the short way.
    parts: Vec<RequestParts>,
    pub(super) history: History,
    pub(super) flights: Vec<Flight>,
    /// What is to be told when it is over.
    pub(super) doubts: Vec<Doubt>,
    pub(super) over: bool,
    out: Vec<u8>,
    /// Calls with good answers that are not counted yet.
    uncounted: u64,
    /// When the latest answer came, or what was done after it was done: about when the next call is sent.
    now: Instant,
}

/// Screens for a session, where it is time for that.
///
/// # Errors
/// Where no session can be opened.
pub(crate) fn screen(worker: &mut Worker<'_>) -> Result<(), Error> {
    if !worker.lane.is_due(worker) || !worker.may_go_on() {
        return Ok(());
    }
    let mut lane = std::mem::take(&mut worker.lane);
    let done = screen_with(worker, &mut lane);
    worker.lane = lane;
    done
}

fn screen_with(worker: &mut Worker<'_>, lane: &mut Lane) -> Result<(), Error> {
    if lane.stage == Stage::Gathering {
        lane.decide(worker)?;
    }
    lane.tools.retain(Screened::is_plain);
    if lane.tools.is_empty() {
        lane.stage = Stage::Never;
        return Ok(());
    }
    worker.fresh_session()?;
    let Some(session) = worker.session.take() else { return Ok(()) };
    let Some(mut ride) = Ride::new(session, lane, worker) else {
        return Ok(());
    };
    ride.run(worker, lane);
    worker.record.phases.entry(Phase::Stateful).or_default().cases += 1;
    let Ride { session, history, doubts, .. } = ride;
    worker.sessions.close(session);
    for doubt in doubts {
        doubt::tell(worker, &history, doubt);
    }
    lane.history = history;
    worker.settle_all();
    Ok(())
}

impl Ride {
    /// A ride on a session, or none where the transport has no short way.
    fn new(mut session: Session, lane: &mut Lane, worker: &mut Worker<'_>) -> Option<Self> {
        let name = |tool: &Screened| &worker.judge.catalog.tools[tool.tool].name;
        let parts: Vec<_> =
            lane.tools.iter().map(|tool| session.request_parts(name(tool))).collect();
        let mut fits = parts.iter().map(Option::is_some);
        lane.tools.retain(|_| fits.next().unwrap_or(false));
        if lane.tools.is_empty() {
            lane.stage = Stage::Never;
            worker.session = Some(session);
            return None;
        }
        let mut history = std::mem::take(&mut lane.history);
        history.clear();
        Some(Self {
            session,
            parts: parts.into_iter().flatten().collect(),
            history,
            flights: Vec::new(),
            doubts: Vec::new(),
            over: false,
            out: Vec::new(),
            uncounted: 0,
            now: Instant::now(),
        })
    }

    /// Calls, until the session is as long as it may be, or something was found that its end is waited for.
    fn run(&mut self, worker: &mut Worker<'_>, lane: &mut Lane) {
        let together = if self.session.is_http() { 1 } else { worker.judge.plan.input.in_flight };
        let mut allowed = 0;
        let mut looked = self.now;
        while !self.over && self.history.len() < LONGEST && !self.history.is_full() {
            if allowed == 0 || self.now.duration_since(looked) > LOOK_TIME {
                self.count(worker);
                worker.shared.progress(worker.judge.plan, Phase::Stateful, "");
                if !worker.may_go_on() || !self.session.is_open() {
                    return;
                }
                let left = worker.shared.calls_left(worker.judge.plan);
                // The last ones are not all for one of several workers.
                let share = left / u64::try_from(worker.share.1).unwrap_or(1).max(1);
                allowed = usize::try_from(share.max(1)).unwrap_or(LOOK).min(LOOK);
                self.now = Instant::now();
                looked = self.now;
            }
            let count = allowed.min(together);
            allowed -= count;
            self.compose(count, lane);
            self.exchange(worker, lane);
        }
        self.count(worker);
    }

    /// Counts the calls made since the last time.
    fn count(&mut self, worker: &mut Worker<'_>) {
        let made = std::mem::take(&mut self.uncounted);
        worker.shared.count_calls(made);
        worker.record.calls += made;
        worker.record.phases.entry(Phase::Stateful).or_default().calls += made;
    }

    /// Puts the next calls together.
    fn compose(&mut self, count: usize, lane: &mut Lane) {
        self.flights.clear();
        self.out.clear();
        let Some(draw) = &mut lane.draw else { return };
        for _ in 0..count {
            let slot = draw.index(lane.tools.len());
            let screened = &mut lane.tools[slot];
            let write = |out: &mut Vec<u8>| screened.pool.write(out, draw);
            let (call, freshened) = self.history.add(screened.tool, write);
            screened.calls += 1;
            let id = self.session.take_number();
            self.parts[slot].write(&mut self.out, id, self.history.call(call).1);
            self.flights.push(Flight { id, slot, call, freshened, answered: false });
        }
    }

    /// Sends them and takes the answers in.
    fn exchange(&mut self, worker: &mut Worker<'_>, lane: &mut Lane) {
        let started = self.now;
        let deadline = started + self.session.patience();
        let mut open = self.flights.len();
        if self.session.send_quickly(&self.out, deadline) {
            while open > 0 {
                let Some((head, line)) = self.session.peek(deadline) else { break };
                let Some(slot) = known(lane, worker, &mut self.flights, head, line) else { break };
                self.now = Instant::now();
                let elapsed = self.now.duration_since(started);
                if elapsed > SOON {
                    break;
                }
                self.session.skip();
                self.flights[slot].answered = true;
                self.uncounted += 1;
                let tool = lane.tools[self.flights[slot].slot].tool;
                worker.record.tools[tool].count_good(elapsed);
                open -= 1;
            }
        }
        if open > 0 {
            self.count(worker);
            doubt::look(worker, lane, self, started);
            self.now = Instant::now();
        }
    }
}

/// The call that an answer is for, where it is of a known kind.
fn known(
    lane: &mut Lane,
    worker: &Worker<'_>,
    flights: &mut [Flight],
    head: &[u8],
    line: &[u8],
) -> Option<usize> {
    let answer = lane.reader.as_mut()?.read(head, line)?;
    let at = flights.iter().position(|flight| flight.id == answer.id && !flight.answered)?;
    let screened = &lane.tools[flights[at].slot];
    if !screened.known.contains(&answer.kind) {
        return None;
    }
    let schema = worker.judge.catalog.tools[screened.tool].output_schema();
    if let (Some(schema), Some(structured)) = (schema, answer.structured) {
        let value = serde_json::from_slice(structured).ok()?;
        if !schema.is_valid(&value) {
            return None;
        }
    }
    Some(at)
}
