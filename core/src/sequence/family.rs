//! Families: things that belong to others. What becomes of them when those are taken away, and whether they are found under one
//! that is not theirs.

use super::choose::{Choice, Use};
use super::intent::Verb;
use super::live::Live;
use super::mind::Mind;
use super::template::{Planned, check};
use super::words::is_reference;
use crate::case::{Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::outcome::OutcomeKind;
use crate::schema::{CompiledSchema, key_tokens, singular};
use serde_json::Value;

/// Under these names the tries are counted.
const APART: &str = "under another";
const CHILD: &str = "with a child";
/// How often a call is made under another thing, for each tool.
const TIMES: u32 = 2;

impl Mind {
    /// Puts looks at something that belongs to the thing `anchor` around a deletion.
    pub(super) fn look_at_child(
        &mut self,
        script: &mut Vec<Planned>,
        anchor: Option<usize>,
        views: usize,
        live: &Live,
        catalog: &Catalog,
    ) {
        let Some(child) = anchor.and_then(|anchor| self.child_of(anchor, live)) else {
            return;
        };
        let Some(maker) = self.tool_of(&live.history[child].0) else { return };
        let Some(reader) = self.reader_of_one(maker).or_else(|| self.reader_for(maker, catalog))
        else {
            return;
        };
        let check = check::AFTER_DELETE;
        let view = u32::try_from(views).unwrap_or(u32::MAX);
        let role = Role::Observe { check: check.to_owned(), view };
        script.insert(0, Planned::About { tool: reader, step: Some(child), role });
        script.push(Planned::RepeatView { check, view });
    }

    /// A tool that reads one such thing as `maker` makes or changes.
    pub(super) fn reader_of_one(&mut self, maker: usize) -> Option<usize> {
        let readers = self.readers_of_one(maker);
        self.draw.pick(&readers).copied()
    }

    /// All tools that read one such thing as `maker` makes or changes.
    pub(super) fn readers_of_one(&self, maker: usize) -> Vec<usize> {
        let noun = self.intents[maker].nouns.last();
        let reads = |other: &usize| {
            self.intents[*other].verb == Verb::Read
                && self.intents[*other].nouns.last() == noun
                && self.feedback[*other].ok > 0
                && !self.feedback[*other].is_slow()
        };
        self.callable.iter().copied().filter(reads).collect()
    }

    /// Before a deletion, a few times: a call that makes something which belongs to the thing `anchor`, where there is nothing yet.
    pub(super) fn make_child(
        &mut self,
        tool: usize,
        anchor: usize,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<Planned> {
        let noun = self.intents[tool].nouns.last()?.clone();
        if self.child_of(anchor, live).is_some() {
            return None;
        }
        let belongs = |other: &usize| {
            let schema = catalog.tools[*other].input_schema();
            let mut required =
                schema.into_iter().flat_map(CompiledSchema::parameters).filter(|p| p.required);
            let names = |name: &str| key_tokens(name).iter().any(|word| singular(word) == noun);
            self.intents[*other].verb == Verb::Create
                && !self.intents[*other].revives
                && self.intents[*other].nouns.last() != Some(&noun)
                && self.feedback[*other].ok > 0
                && required.any(|p| is_reference(&p.name) && names(&p.name))
        };
        let makers: Vec<usize> = self.callable.iter().copied().filter(belongs).collect();
        let maker = self.draw.pick(&makers).copied()?;
        let tried = self.varied.entry((tool, CHILD.to_owned())).or_default();
        *tried += 1;
        let step = Some(anchor);
        (*tried <= TIMES).then_some(Planned::About { tool: maker, step, role: Role::Call })
    }

    /// The call that made the thing which the step `index` took away, once more: what was gone may not be quite gone.
    pub(super) fn made_again(&self, live: &Live, index: usize) -> Option<Planned> {
        let (gone, _) = &live.history[index];
        let makes = |step: &usize| {
            let maker = live.history.get(*step).and_then(|(step, _)| self.tool_of(step));
            maker.is_some_and(|maker| self.intents[maker].verb == Verb::Create)
        };
        let named: Vec<usize> = gone.bindings.iter().map(|binding| binding.step).collect();
        let step = named.into_iter().filter(makes).max()?;
        Some(Planned::Again { step, role: Role::Call })
    }

    /// The latest step that made something of another kind with a value of the thing `anchor`.
    fn child_of(&self, anchor: usize, live: &Live) -> Option<usize> {
        let intent =
            |step: usize| self.tool_of(&live.history[step].0).map(|tool| &self.intents[tool]);
        let own = intent(anchor)?.nouns.last();
        let shares = |step: usize| {
            live.objects[step].iter().any(|object| live.objects[anchor].contains(object))
        };
        (0..live.history.len()).rev().find(|step| {
            let makes = intent(*step)
                .is_some_and(|intent| intent.verb == Verb::Create && intent.nouns.last() != own);
            makes
                && live.outcomes[*step].kind == OutcomeKind::Ok
                && !live.history[*step].0.bindings.is_empty()
                && shares(*step)
                && !self.corpus.is_stale(*step)
        })
    }

    /// After a read that was told of two things: the same under another of those that the thing belongs to.
    pub(super) fn plan_apart(&mut self, live: &mut Live, index: usize, tool: usize, uses: &[Use]) {
        let step = &live.history[index].0;
        let fits = live.phase == Phase::Stateful
            && live.first.is_none()
            && live.agenda.is_empty()
            && step.label == Label::Valid
            && step.role == Role::Call
            && step.bindings.len() > 1
            && self.intents[tool].verb == Verb::Read;
        let tries = self.varied.get(&(tool, APART.to_owned())).copied().unwrap_or(0);
        if !fits || tries >= TIMES {
            return;
        }
        let intent = &self.intents[tool];
        let parent = |used: &&Use| {
            let name = used.at.trim_start_matches('/');
            !name.contains('/')
                && !intent.names_own(name)
                && self.links.get(used.param).points_elsewhere()
        };
        let Some((used, path)) = uses.iter().filter(parent).find_map(|used| match used.choice {
            Choice::Path(path) | Choice::Any(path) => Some((used, path)),
            _ => None,
        }) else {
            return;
        };
        let others = self.corpus.of_path(path).rev();
        let other = others.into_iter().find(|entry| !entry.stale && entry.value != used.value);
        if let Some(step) =
            other.and_then(|other| under(step, used, &other.value, other.binding(&used.at)))
        {
            *self.varied.entry((tool, APART.to_owned())).or_default() += 1;
            live.agenda.push_back(Planned::Exact(Box::new(step)));
            return;
        }
        let words: Vec<String> = key_tokens(&used.at).iter().map(|word| singular(word)).collect();
        let makes = |other: &usize| {
            let intent = &self.intents[*other];
            let noun = intent.nouns.last();
            intent.verb == Verb::Create && noun.is_some_and(|noun| words.contains(noun))
        };
        let maker = self.callable.iter().copied().find(makes);
        if let Some(tool) = maker.filter(|maker| !self.feedback[*maker].is_hopeless()) {
            live.agenda.push_back(Planned::Make { tool });
            live.agenda.push_back(Planned::Again { step: index, role: Role::Call });
        }
    }
}

/// The call with another value in the place of `used`.
fn under(
    step: &Step,
    used: &Use,
    value: &Value,
    binding: Option<crate::case::Binding>,
) -> Option<Step> {
    let mut step = Step { group: None, ..step.clone() };
    let slot = step.action.arguments_mut()?.pointer_mut(&used.at)?;
    *slot = value.clone();
    step.bindings.retain(|own| own.at != used.at);
    step.bindings.extend(binding);
    Some(step)
}
