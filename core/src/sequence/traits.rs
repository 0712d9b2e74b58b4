//! What never changes of the tools that may be called, and is asked for before every call: told once.

use super::brackets;
use super::intent::{Intent, Verb, own_id};
use crate::catalog::Catalog;

/// What never changes of the tools that may be called.
pub(super) struct Traits {
    /// By position, of all tools: whether some tool makes such things as it is about.
    pub(super) made: Vec<bool>,
    /// By position, of all tools: whether a parameter sets a mode.
    pub(super) moded: Vec<bool>,
    /// Whether there is anything to do aside: modes to set, or things that are named by an id of the caller's.
    pub(super) asides: bool,
    /// Whether some tool takes things away.
    pub(super) deletes: bool,
}

impl Traits {
    pub(super) fn of(callable: &[usize], intents: &[Intent], catalog: &Catalog) -> Self {
        let makes = |other: &&usize| intents[**other].verb == Verb::Create;
        let makers: Vec<&Intent> =
            callable.iter().filter(makes).map(|other| &intents[*other]).collect();
        let is_made =
            |intent: &Intent| makers.iter().any(|maker| maker.nouns.last() == intent.nouns.last());
        let moded: Vec<bool> = catalog
            .tools
            .iter()
            .map(|tool| brackets::mode(tool.index, catalog).is_some())
            .collect();
        let aside = |tool: &usize| moded[*tool] || own_id(&catalog.tools[*tool]).is_some();
        Self {
            made: intents.iter().map(is_made).collect(),
            asides: callable.iter().any(aside),
            deletes: callable.iter().any(|tool| intents[*tool].verb == Verb::Delete),
            moded,
        }
    }
}
