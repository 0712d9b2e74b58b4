//! How much tools deserve the next call, and which of them only read.

use super::intent::is_set_to_list;
use super::mind::Mind;
use crate::case::Step;
use crate::catalog::Catalog;

impl Mind {
    /// The position of the tool that a step calls.
    pub(super) fn tool_of(&self, step: &Step) -> Option<usize> {
        self.by_name.get(step.action.tool()?).copied()
    }

    /// The position of the tool that a step calls, if that tool only reads.
    pub(crate) fn reads_only(&self, step: &Step, catalog: &Catalog) -> Option<usize> {
        let tool = self.tool_of(step)?;
        let reads = self.intents[tool].looks_read_only() || catalog.tools[tool].hints.read_only;
        reads.then_some(tool)
    }

    /// The position of the tool that a step calls, if the call only looks: its tool does, or is told to list.
    pub(super) fn look_of(&self, step: &Step, catalog: &Catalog) -> Option<usize> {
        let tool = self.tool_of(step)?;
        let lists = || is_set_to_list(&catalog.tools[tool], step.action.arguments());
        (self.intents[tool].looks_read_only() || lists()).then_some(tool)
    }

    /// How much a tool deserves the next call. One that only reads and has nothing to choose is called often enough by checks.
    pub(super) fn weight_of(&self, tool: usize, catalog: &Catalog) -> f32 {
        let weight = self.feedback[tool].weight();
        let reads = self.intents[tool].looks_read_only() || catalog.tools[tool].hints.read_only;
        let schema = catalog.tools[tool].input_schema();
        let few = schema.is_none_or(|schema| schema.parameters().len() <= 1);
        if reads && self.feedback[tool].ok >= 10 {
            weight * if few { 0.2 } else { 0.6 }
        } else {
            weight
        }
    }
}
