//! The suite: the lints that a run uses, with the levels that its configuration gives them.

use super::{Hook, Level, Lint, entries};
use crate::protocol::Revision;
use serde_json::Value;

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
        let mut settings = Vec::new();
        for entry in entries() {
            let (level, params) = choose(entry.meta.id).unwrap_or((entry.meta.level, Value::Null));
            if level != Level::Disabled {
                let lint = (entry.build)(&params).map_err(|error| (entry.meta.id, error))?;
                settings.push(Setting { lint, level });
            }
        }
        Ok(Self { settings })
    }

    /// The lints that run at `hook` for `revision`.
    pub fn at(&self, hook: Hook, revision: Revision) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(move |setting| {
            let meta = setting.lint.meta();
            meta.hook == hook && meta.applies_to(revision)
        })
    }

    /// The setting of the lint with that id, if it runs.
    pub fn setting(&self, id: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.lint.meta().id == id)
    }
}
