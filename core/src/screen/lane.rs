//! The lane: which tools of a server are screened, and what is known of their answers.

use super::answer::Reader;
use super::history::History;
use super::pool::Pool;
use crate::case::{Label, Phase};
use crate::catalog::Catalog;
use crate::execute::Judge;
use crate::generate::Draw;
use crate::input::Target;
use crate::lints::Execution;
use crate::outcome::OutcomeKind;
use crate::plan::Plan;
use rustc_hash::FxHashSet;

/// Kinds of answers that are known of a tool at most.
const KINDS: usize = 4096;
/// Answers of a tool that may need a closer look, besides one in [`RARE`].
const ODD: u64 = 16;
const RARE: u64 = 8;

/// Where screening is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// It is not for this run or this server.
    #[default]
    Never,
    /// Values are gathered until nothing is left that only sequences can try.
    Gathering,
    /// Sessions of screening come between the sequences.
    Open,
}

/// A tool that may be screened.
pub(super) struct Screened {
    /// Its position in the catalog.
    pub(super) tool: usize,
    pub(super) pool: Pool,
    /// The kinds of answers that were judged and found good.
    pub(super) known: FxHashSet<u64>,
    pub(super) calls: u64,
    /// Calls whose answers needed a closer look.
    pub(super) odd: u64,
}

impl Screened {
    /// Whether most of its answers are of known kinds, so that screening it is worth something.
    pub(super) fn is_plain(&self) -> bool {
        self.odd <= ODD + self.calls / RARE
    }

    /// Remembers a kind of answer.
    pub(super) fn remember(&mut self, kind: u64) {
        if self.known.len() < KINDS {
            self.known.insert(kind);
        }
    }
}

/// Which tools of a server are screened, and what is known of their answers.
#[derive(Default)]
pub(crate) struct Lane {
    pub(super) stage: Stage,
    pub(super) tools: Vec<Screened>,
    pub(super) reader: Option<Reader>,
    pub(super) draw: Option<Draw>,
    /// What was sent on the session before; kept for its room.
    pub(super) history: History,
}

impl Lane {
    /// The lane of a worker, where the run may have one: those who want to see every call, or to judge each by rules of their own,
    /// and those who say how many sequences there are to be, get sequences only.
    pub(crate) fn new(judge: Judge<'_>, seed: u64) -> Self {
        let (plan, catalog) = (judge.plan, judge.catalog);
        if !is_allowed(plan) {
            return Self::default();
        }
        let mut tools = Vec::new();
        for tool in catalog.tools.iter().filter(|tool| plan.forbids(tool).is_none()) {
            if let Some(pool) = tool.input_schema().and_then(Pool::of) {
                let known = FxHashSet::default();
                tools.push(Screened { tool: tool.index, pool, known, calls: 0, odd: 0 });
            }
        }
        if tools.is_empty() {
            return Self::default();
        }
        Self {
            stage: Stage::Gathering,
            tools,
            reader: Some(Reader::new(&plan.input)),
            draw: Some(Draw::new(seed).fork("screen", 0)),
            history: History::default(),
        }
    }

    /// Keeps the arguments of the calls of a sequence that worked.
    pub(crate) fn gather(&mut self, execution: &Execution, catalog: &Catalog) {
        let (Some(draw), true) = (&mut self.draw, self.stage != Stage::Never) else {
            return;
        };
        for (step, outcome) in execution.case.steps.iter().zip(&execution.outcomes) {
            let tool = step.action.tool().and_then(|name| catalog.tool(name));
            if step.label != Label::Valid || outcome.kind != OutcomeKind::Ok {
                continue;
            }
            let at =
                tool.and_then(|tool| self.tools.binary_search_by_key(&tool.index, |s| s.tool).ok());
            if let (Some(at), Some(arguments)) = (at, step.action.arguments()) {
                self.tools[at].pool.keep(arguments, draw);
            }
        }
    }
}

fn is_allowed(plan: &Plan) -> bool {
    let input = &plan.input;
    let config = &input.state_machine_config;
    let reached = matches!(input.target, Target::Stdio(_) | Target::Http(_));
    let watched = input.trace_all || config.dump_corpus || config.log_corpus_deltas;
    reached
        && plan.has(Phase::Stateful)
        && !watched
        && input.assertions.is_empty()
        && input.cases.is_none()
}
