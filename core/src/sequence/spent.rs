//! What is left for sequences to try, and whether the tools are of the kind whose calls build on each other.

use super::intent::Verb;
use super::mind::Mind;

/// Successful calls after which a tool's answers are known well enough.
const KNOWN: u32 = 8;

impl Mind {
    /// Whether every fault, edge and check that is planned of the tools that work was tried.
    pub(crate) fn has_tried_all(&self) -> bool {
        let left = |tool: &usize| {
            let left = &self.left[*tool];
            (self.phases.negative && left.fault.is_some())
                || (self.phases.boundary && left.edge.is_some())
        };
        !self.callable.iter().any(left)
    }

    /// Whether calls of a tool work, soon, and name nothing that must be there.
    pub(crate) fn works_alone(&self, tool: usize) -> bool {
        let feedback = &self.feedback[tool];
        let trouble = feedback.crashes > 0 || feedback.is_slow();
        feedback.ok >= KNOWN && !trouble && self.modes[tool].is_none() && !self.points(tool)
    }

    fn points(&self, tool: usize) -> bool {
        self.links.params.iter().any(|param| param.tool == tool && param.points_elsewhere())
    }

    /// Whether tools name things that must be there, or by their names make, change or take away things; or sessions need calls
    /// before others work.
    pub(crate) fn shows_state_by_names(&self) -> bool {
        let changes = |verb| matches!(verb, Verb::Create | Verb::Update | Verb::Delete);
        let tells = |tool: &usize| changes(self.intents[*tool].verb) || self.points(*tool);
        !self.openers.are_none() || self.callable.iter().any(tells)
    }
}
