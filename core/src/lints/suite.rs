//! The suite: the lints that a run uses, with the levels that its configuration gives them.

use super::{Hook, Level, Lint, entries};
use crate::protocol::Revision;
use serde_json::Value;
use std::collections::BTreeMap;

/// Parameters that do not fit a lint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParamsError(pub String);

/// A lint that runs, and how much its findings weigh.
pub struct Setting {
    /// The lint with its parameters.
    pub lint: Box<dyn Lint>,
    /// The level of its findings; never [`Level::Disabled`].
    pub level: Level,
}

/// The lints of a run, in the registry's order.
#[derive(Default)]
pub struct Suite {
    settings: Vec<Setting>,
    /// For each hook and revision the positions of the lints that run there: every answer asks for them.
    places: BTreeMap<(Hook, Revision), Vec<usize>>,
}

impl Suite {
    /// The suite of the built-in configuration: every lint at its own level with its default parameters.
    pub fn built_in() -> Self {
        Self::with(|_| None).expect("default parameters fit")
    }

    /// A suite in which `choose` gives level and parameters by lint id (`None`: as built in).
    ///
    /// # Errors
    /// The id and reason of the first lint whose parameters do not fit.
    pub fn with(
        choose: impl Fn(&str) -> Option<(Level, Value)>,
    ) -> Result<Self, (&'static str, ParamsError)> {
        let mut settings: Vec<Setting> = Vec::new();
        for entry in entries() {
            let (level, params) = choose(entry.meta.id).unwrap_or((entry.meta.level, Value::Null));
            if level != Level::Disabled {
                let lint = (entry.build)(&params).map_err(|error| (entry.meta.id, error))?;
                settings.push(Setting { lint, level });
            }
        }
        let mut places: BTreeMap<(Hook, Revision), Vec<usize>> = BTreeMap::new();
        for (at, setting) in settings.iter().enumerate() {
            let meta = setting.lint.meta();
            for revision in Revision::ALL.into_iter().filter(|r| meta.applies_to(*r)) {
                places.entry((meta.hook, revision)).or_default().push(at);
            }
        }
        Ok(Self { settings, places })
    }

    /// The lints that run at `hook` for `revision`.
    pub fn at(&self, hook: Hook, revision: Revision) -> impl Iterator<Item = &Setting> {
        let places = self.places.get(&(hook, revision)).map_or(&[][..], Vec::as_slice);
        places.iter().map(|at| &self.settings[*at])
    }

    /// The setting of the lint with that id, if it runs.
    pub fn setting(&self, id: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.lint.meta().id == id)
    }
}
