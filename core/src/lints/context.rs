//! What lints look at.

use crate::case::{Case, Step};
use crate::catalog::{Catalog, Tool};
use crate::exchange::Exchange;
use crate::input::TooltestInput;
use crate::message::Frame;
use crate::outcome::Outcome;
use crate::probe::ProbeRun;
use crate::protocol::Revision;
use crate::record::Record;
use crate::session::{Closing, ServerIdentity};
use serde_json::Value;
use std::sync::Arc;

/// A case as it ran: `exchanges[i]` answers `case.steps[i]`; fewer exchanges than steps where the server died.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The case with the arguments that were sent.
    pub case: Case,
    /// The exchanges, one a step.
    pub exchanges: Vec<Arc<Exchange>>,
    /// How each exchange went, one a step.
    pub outcomes: Vec<Outcome>,
    /// Frames that belong to no request: garbage, wrong ids, double answers, unsolicited notifications.
    pub stray: Vec<Frame>,
    /// How the session ended, where it was closed after the case.
    pub closing: Option<Closing>,
}

/// Calls of the run that probes may repeat: whoever allowed the calls allowed their repetition.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Calls that succeed on a fresh session: tool and arguments.
    pub calls: Vec<(String, Value)>,
    /// Valid calls that were refused, of tools that never worked: tool and arguments.
    pub refused: Vec<(String, Value)>,
    /// Calls that asked for input before they were complete; the last round's parameters are in the exchange.
    pub questions: Vec<Exchange>,
}

/// The handshake and the lists.
pub struct ListContext<'a> {
    /// The revision in use.
    pub revision: Revision,
    /// What is tested and how.
    pub input: &'a TooltestInput,
    /// Who the server says it is.
    pub server: &'a ServerIdentity,
    /// What it offers; the raw pages are in it.
    pub catalog: &'a Catalog,
    /// What earlier calls have shown; empty before and without calls.
    pub seen: &'a Seen,
}

/// The answers to a lint's probes.
pub struct ProbeContext<'a> {
    /// The handshake and the lists.
    pub list: &'a ListContext<'a>,
    /// The probes as they ran, in the order planned; fewer where the run's budget ended.
    pub runs: &'a [ProbeRun],
    /// Every probe of the run, those of other lints, too.
    pub all: &'a [ProbeRun],
}

/// One exchange.
pub struct ResponseContext<'a> {
    /// The revision in use.
    pub revision: Revision,
    /// What is tested and how.
    pub input: &'a TooltestInput,
    /// Who the server says it is.
    pub server: &'a ServerIdentity,
    /// What it offers.
    pub catalog: &'a Catalog,
    /// The tool called, if the exchange is a call of a known tool.
    pub tool: Option<&'a Tool>,
    /// The step, if the exchange is part of a case (handshake and list exchanges are not).
    pub step: Option<&'a Step>,
    /// The exchange.
    pub exchange: &'a Exchange,
    /// How it went.
    pub outcome: &'a Outcome,
    /// The steps and exchanges before it in its case, oldest first.
    pub history: &'a [(Step, Arc<Exchange>)],
    /// Frames that came in with this exchange and belong to no request.
    pub stray: &'a [Frame],
}

/// A whole case.
pub struct CaseContext<'a> {
    /// The revision in use.
    pub revision: Revision,
    /// What is tested and how.
    pub input: &'a TooltestInput,
    /// What the server offers.
    pub catalog: &'a Catalog,
    /// The case as it ran.
    pub execution: &'a Execution,
    /// The same steps run in sequence, once per order, where the case has steps sent together.
    pub references: &'a [Execution],
}

/// The finished run.
pub struct RunContext<'a> {
    /// The revision in use.
    pub revision: Revision,
    /// What was tested and how.
    pub input: &'a TooltestInput,
    /// What the server offers.
    pub catalog: &'a Catalog,
    /// Everything counted during the run.
    pub record: &'a Record,
}
