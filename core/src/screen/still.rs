//! Whether a server shows state. Screening makes calls in any order, which is worth little where calls build on each other.

use super::lane::{Lane, Stage};
use crate::case::{Phase, Role};
use crate::error::Error;
use crate::sequence::live::Live;
use crate::sequence::template;
use crate::worker::Worker;
use serde_json::Value;

/// Calls of sequences before screening is thought of, over all workers.
const SEQUENCES: u64 = 800;
/// Tools that are tried for state.
const TRIED: usize = 64;

impl Lane {
    /// Whether the next session is to screen.
    pub(super) fn is_due(&self, worker: &Worker<'_>) -> bool {
        match self.stage {
            Stage::Never => false,
            Stage::Open => true,
            Stage::Gathering => {
                let made =
                    worker.record.phases.get(&Phase::Stateful).map_or(0, |phase| phase.calls);
                let workers = u64::try_from(worker.share.1).unwrap_or(1);
                made >= SEQUENCES / workers.max(1) && worker.mind.has_tried_all()
            }
        }
    }

    /// Decides whether this server is screened, once there is nothing left that only sequences can try. Leaves the tools that are.
    ///
    /// # Errors
    /// Where no session can be opened.
    pub(super) fn decide(&mut self, worker: &mut Worker<'_>) -> Result<(), Error> {
        let mind = &worker.mind;
        self.tools.retain(|tool| mind.works_alone(tool.tool) && tool.pool.is_ready());
        let still =
            !mind.shows_state_by_names() && !self.tools.is_empty() && self.is_still(worker)?;
        self.stage = if still { Stage::Open } else { Stage::Never };
        if !still {
            self.tools.clear();
        }
        Ok(())
    }

    /// Calls each tool twice, and once more after all the others: an answer that only the others can have changed tells of state.
    /// Answers that differ at once tell of a clock or of chance.
    fn is_still(&mut self, worker: &mut Worker<'_>) -> Result<bool, Error> {
        let Some(draw) = &mut self.draw else { return Ok(false) };
        let mut calls = Vec::new();
        for screened in self.tools.iter_mut().take(TRIED) {
            let mut bytes = Vec::new();
            screened.pool.write(&mut bytes, draw);
            let arguments: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let name = &worker.judge.catalog.tools[screened.tool].name;
            calls.push(template::call(name, arguments, Vec::new(), Role::Call));
        }
        let twice = calls.iter().flat_map(|call| [call, call]);
        let steps: Vec<_> = twice.chain(&calls).cloned().collect();
        worker.fresh_session()?;
        let mut live = Live::new(Phase::Stateful, steps.len());
        for step in steps {
            let open = worker.session.as_ref().is_some_and(crate::session::Session::is_open);
            if !open || !worker.may_go_on() {
                break;
            }
            worker.perform(&mut live, step, &[]);
        }
        let answer = |at: usize| live.history.get(at).and_then(|(_, exchange)| exchange.result());
        let still = (0..calls.len()).all(|call| {
            let (first, second) = (answer(2 * call), answer(2 * call + 1));
            first.is_some() && (first != second || second == answer(2 * calls.len() + call))
        });
        worker.end_sequence(live);
        Ok(still)
    }
}
