//! Ground: whether what a call names is known to be there.

use super::choose::{Choice, Use};
use super::links::ParamKey;
use super::mind::Mind;
use crate::schema::{CompiledSchema, Parameter};

impl Mind {
    /// Under which key things are learned of a tool's parameter.
    pub(super) fn key_of(&mut self, tool: usize, parameter: &Parameter) -> ParamKey {
        let hinted = !parameter.hints.is_empty();
        self.links.param(tool, &self.intents[tool], &parameter.pointer, hinted)
    }

    /// The required parameters of a tool that name something that must exist.
    pub(super) fn references(&mut self, tool: usize, schema: &CompiledSchema) -> Vec<ParamKey> {
        let required = schema.parameters().iter().filter(|p| p.required && p.choices.is_empty());
        let mut keys = Vec::new();
        for parameter in required {
            let key = self.key_of(tool, parameter);
            self.links.refresh(key);
            if self.links.get(key).points_elsewhere() {
                keys.push(key);
            }
        }
        keys
    }

    /// An object to which values for all references belong, where there are several references: mostly the latest.
    pub(super) fn together(&mut self, references: &[ParamKey]) -> Option<u32> {
        if references.len() < 2 || self.draw.chance(0.25) {
            return None;
        }
        let objects = |key: &ParamKey| self.links.get(*key).live_objects(&self.corpus);
        let mut common = objects(&references[0]);
        for key in &references[1..] {
            let others = objects(key);
            common.retain(|object| others.contains(object));
        }
        let latest = common.last().copied();
        if self.draw.chance(0.6) { latest } else { self.draw.pick(&common).copied() }
    }

    /// Whether every reference in a call was taken from what the server told: otherwise it is refused, whatever else it says.
    pub(super) fn is_grounded(&self, uses: &[Use]) -> bool {
        let invented = |used: &&Use| matches!(used.choice, Choice::Schema | Choice::Hint);
        !uses.iter().filter(invented).any(|used| self.links.get(used.param).points_elsewhere())
    }

    /// Whether every reference in a call comes from where such values are likely to be told.
    pub(super) fn is_told(&self, uses: &[Use]) -> bool {
        uses.iter().all(|used| {
            let param = self.links.get(used.param);
            match used.choice {
                _ if !param.points_elsewhere() => true,
                Choice::Path(path) => param.likely().any(|(likely, _)| *likely == path),
                Choice::Known | Choice::Omit => true,
                Choice::Any(_) | Choice::Hint | Choice::Schema => false,
            }
        })
    }
}
