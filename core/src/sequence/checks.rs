//! Checks: short scripts around one call that let the server be its own oracle, planned once what they need is there.

use super::intent::Verb;
use super::live::Live;
use super::looks::latest_look;
use super::mind::Mind;
use super::template::{self, Planned, Subject, check};
use crate::case::{Label, Role};
use crate::catalog::Catalog;
use crate::outcome::{Outcome, OutcomeKind};

/// Under this name checks are counted that told nothing, and how many of a tool's are made again.
const UNCOUNTED: &str = "uncounted";
const MOST_UNCOUNTED: u32 = 4;

impl Mind {
    /// Plans a check around a call of `tool`, or what must be called first.
    pub(super) fn plan_check(
        &mut self,
        tool: usize,
        negative: bool,
        tries: u8,
        live: &mut Live,
        catalog: &Catalog,
    ) {
        let again = Planned::Check { tool, negative, tries: tries + 1 };
        if self.insert_producer(tool, again.clone(), live, catalog) {
            return;
        }
        if negative {
            self.plan_invalid(tool, live, catalog);
            return;
        }
        let latest = latest_look(live);
        let Some(check) = self.pick_check(tool, latest, catalog) else {
            self.plan_plain(tool, live, catalog);
            return;
        };
        if self.plan_own_form(check, tool, live, catalog) {
            return;
        }
        let anchor = self.anchor(tool, live);
        let needs_one = self.intents[tool].verb != Verb::Create;
        if anchor.is_none()
            && needs_one
            && tries < 2
            && let Some(first) = self.maker_of(tool).or_else(|| self.reader_for(tool, catalog))
        {
            live.agenda.push_front(again);
            live.agenda.push_front(Planned::About { tool: first, step: None, role: Role::Call });
            return;
        }
        if check == check::AFTER_DELETE
            && let Some(child) = anchor.and_then(|at| self.make_child(tool, at, live, catalog))
        {
            *self.checks.entry((tool, check)).or_default() -= 1;
            live.agenda.push_front(again);
            live.agenda.push_front(child);
            return;
        }
        let subject = Subject::About { tool, anchor };
        self.plan_around(check, tool, (subject, anchor), live, catalog);
    }

    /// Plans a check: looks, the call, the same looks, and what else suits the check.
    fn plan_around(
        &mut self,
        check: &'static str,
        tool: usize,
        (subject, anchor): (Subject, Option<usize>),
        live: &mut Live,
        catalog: &Catalog,
    ) {
        let readers = self.readers(tool, catalog);
        if readers.is_empty() {
            return;
        }
        let mut script = self.script(check, subject, anchor, &readers, live);
        if check == check::CREATE
            && let Some((reader, role)) = self.reader_or_list(tool, check, catalog)
        {
            script.push(Planned::LookAtSubject { check, reader, role });
        }
        if check == check::READ_ONLY && self.intents[tool].verb == Verb::List {
            script.push(Planned::RepeatSubject { check });
        }
        if check == check::AFTER_DELETE {
            self.look_at_child(&mut script, anchor, readers.len(), live, catalog);
            self.plan_return(&mut script, tool, anchor, readers.len());
        }
        live.put_first(script);
    }

    /// Plans a check in a form of its own, where it has one; tells whether it did.
    fn plan_own_form(
        &mut self,
        check: &str,
        tool: usize,
        live: &mut Live,
        catalog: &Catalog,
    ) -> bool {
        match check {
            check::DEFAULT => {
                self.plan_default(tool, live, catalog);
                true
            }
            check::LEAK => {
                self.plan_elsewhere(tool, live, catalog);
                true
            }
            check::CREATE => self.draw.chance(0.35) && self.plan_again(tool, live, catalog),
            check::UPDATE => self.plan_change_again(tool, live, catalog),
            _ => false,
        }
    }

    /// Plans a call that the schema forbids between two looks. It rarely does anything, so that one look is enough.
    fn plan_invalid(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) {
        let anchor = self.anchor(tool, live);
        let mut readers = self.readers(tool, catalog);
        readers.truncate(1);
        if !readers.is_empty() {
            *self.checks.entry((tool, check::FAILED_CALL)).or_default() += 1;
            let subject = Subject::Invalid { tool };
            let script = self.script(check::FAILED_CALL, subject, anchor, &readers, live);
            live.put_first(script);
        }
    }

    /// In a drill, a tool that no check suits is called all the same: what it leaves behind may show in what comes next.
    fn plan_plain(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) {
        if live.drill.is_none() {
            return;
        }
        let step = self.anchor(tool, live);
        let look = self.reader_for(tool, catalog);
        let about = |tool: usize| Planned::About { tool, step, role: Role::Call };
        live.put_first([tool].into_iter().chain(look).map(about).collect());
    }

    /// After a deletion: once more, which must be refused and change nothing, or the thing is brought back.
    fn plan_return(
        &mut self,
        script: &mut Vec<Planned>,
        tool: usize,
        anchor: Option<usize>,
        views: usize,
    ) {
        let check = check::AFTER_DELETE;
        let revivers = self.revivers_of(tool);
        let again = match self.draw.pick(&revivers) {
            Some(tool) if self.draw.chance(0.5) => {
                Planned::About { tool: *tool, step: anchor, role: Role::Call }
            }
            _ => Planned::RepeatSubject { check },
        };
        script.push(again);
        // All that it may show was looked at after the deletion; one look more is enough.
        let view = u32::try_from(self.draw.index(views)).unwrap_or(0);
        script.push(Planned::RepeatView { check, view });
    }

    /// Plans a look, the refused call at `step` once more, and the same look: a refusal must leave everything as it was.
    pub(super) fn plan_refused(
        &mut self,
        step: usize,
        tool: usize,
        outcome: Outcome,
        live: &mut Live,
        catalog: &Catalog,
    ) {
        let (refused, _) = &live.history[step];
        let fits = outcome.kind.is_refusal()
            && !self.intents[tool].looks_read_only()
            && matches!(refused.role, Role::Call | Role::Boundary { .. });
        // What the schema forbids is refused before anything is done. Where nothing is there, nothing can be changed, but made.
        let makes = self.intents[tool].verb == Verb::Create;
        let likely = match refused.label {
            Label::Valid if makes || self.has_made(tool, live) => 0.4,
            Label::Valid => 0.15,
            _ => 0.12,
        };
        if !fits || !self.draw.chance(likely) || !self.refusals.insert((tool, outcome.class)) {
            return;
        }
        let readers = self.readers(tool, catalog);
        if !readers.is_empty() {
            let anchor = (!live.history[step].0.bindings.is_empty()).then_some(step);
            let subject = Subject::Again { step };
            live.put_first(template::script(check::FAILED_CALL, subject, anchor, &readers));
        }
    }

    /// Whether the sequence has made such a thing as `tool` is about, as far as some tool makes any.
    pub(super) fn has_made(&self, tool: usize, live: &Live) -> bool {
        if !self.traits.made[tool] {
            return true;
        }
        let noun = self.intents[tool].nouns.last();
        let makes = |other: usize| {
            self.intents[other].verb == Verb::Create && self.intents[other].nouns.last() == noun
        };
        live.history.iter().zip(&live.outcomes).any(|((step, _), outcome)| {
            outcome.kind == OutcomeKind::Ok && self.tool_of(step).is_some_and(makes)
        })
    }

    /// After a change: does reading the thing leave it as it is? Each reader once after each kind of change, then now and then.
    /// Tells whether it was planned.
    pub(super) fn plan_read_check(
        &mut self,
        live: &mut Live,
        step: usize,
        tool: usize,
        catalog: &Catalog,
    ) -> bool {
        if self.intents[tool].verb == Verb::Delete {
            return false;
        }
        let Some(reader) = self.reader_for(tool, catalog).filter(|reader| {
            catalog.tools[*reader].hints.read_only && self.feedback[*reader].ok > 0
        }) else {
            return false;
        };
        let pair = (tool, format!("{} {reader}", check::READ_ONLY));
        let tried = self.varied.entry(pair).or_default();
        *tried += 1;
        let first = *tried == 1;
        if !first && !self.draw.chance(0.12) {
            return false;
        }
        let anchor = Some(step);
        if first {
            // What a read does to the thing itself shows in the next such read.
            let check = check::READ_ONLY;
            let role = Role::Observe { check: check.to_owned(), view: 0 };
            let look = Planned::About { tool: reader, step: anchor, role };
            live.put_first(vec![look, Planned::RepeatView { check, view: 0 }]);
            return true;
        }
        let readers = self.readers(reader, catalog);
        let subject = Subject::About { tool: reader, anchor };
        live.put_first(template::script(check::READ_ONLY, subject, anchor, &readers));
        !readers.is_empty()
    }

    /// Plans to make a thing once more that was made already: it may be refused, and then must leave everything as it was.
    fn plan_again(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) -> bool {
        let made = |step: &usize| {
            let (made, _) = &live.history[*step];
            self.tool_of(made) == Some(tool) && live.outcomes[*step].kind == OutcomeKind::Ok
        };
        // What was made with words of the caller's own may be refused the second time.
        let worded = |step: &usize| {
            let sent = live.history[*step].0.action.arguments();
            let values = sent.map(crate::mask::values).unwrap_or_default();
            made(step) && values.iter().any(serde_json::Value::is_string)
        };
        let steps = || (0..live.history.len()).rev();
        let Some(step) = steps().find(worded).or_else(|| steps().find(made)) else {
            return false;
        };
        let readers = self.readers(tool, catalog);
        let subject = Subject::Again { step };
        live.put_first(template::script(check::FAILED_CALL, subject, Some(step), &readers));
        !readers.is_empty()
    }

    /// Plans a change once more that was made already; where it may not be made twice, it must be refused and change nothing.
    fn plan_change_again(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) -> bool {
        self.intents[tool].verb == Verb::Update
            && !catalog.tools[tool].hints.idempotent
            && self.draw.chance(0.4)
            && self.plan_again(tool, live, catalog)
    }

    /// The check of `tool` that was made least.
    fn pick_check(
        &mut self,
        tool: usize,
        latest: Option<&str>,
        catalog: &Catalog,
    ) -> Option<&'static str> {
        let mut candidates = template::checks_for(tool, catalog, &self.intents);
        candidates.extend(self.checks_of_modes(tool, catalog));
        if candidates.contains(&check::READ_ONLY) && self.is_spared(tool) {
            candidates.retain(|check| *check != check::READ_ONLY);
        }
        if self.two_clients && self.intents[tool].looks_read_only() {
            candidates.push(check::LEAK);
        }
        // The looks that ended the check before serve as the first ones of an equal check.
        let ready = candidates.iter().copied().find(|check| Some(*check) == latest);
        let ready = ready.filter(|_| self.draw.chance(0.5));
        let least = ready.or_else(|| {
            candidates
                .into_iter()
                .min_by_key(|check| self.checks.get(&(tool, *check)).copied().unwrap_or(0))
        })?;
        *self.checks.entry((tool, least)).or_default() += 1;
        Some(least)
    }

    /// How often something was counted for a tool under a name.
    pub(super) fn counted(&self, tool: usize, name: &'static str) -> u32 {
        self.checks.get(&(tool, name)).copied().unwrap_or(0)
    }

    /// A check whose call named something that is gone told nothing: its turn comes again.
    pub(super) fn uncount_check(&mut self, tool: usize, role: &Role) {
        let Role::Subject { check } = role else {
            return;
        };
        let again = self.checks.entry((tool, UNCOUNTED)).or_default();
        *again += 1;
        if *again > MOST_UNCOUNTED {
            return;
        }
        let own = |(key, _): &(&(usize, &str), &mut u32)| key.0 == tool && key.1 == check;
        if let Some((_, count)) = self.checks.iter_mut().find(own) {
            *count = count.saturating_sub(1);
        }
    }

    /// An earlier step that is about one thing of the kind that `tool` is about.
    pub(super) fn anchor(&mut self, tool: usize, live: &Live) -> Option<usize> {
        let fits = |step: &usize| {
            let (made, _) = &live.history[*step];
            let Some(other) = self.tool_of(made) else {
                return false;
            };
            let intent = &self.intents[other];
            live.outcomes[*step].kind == OutcomeKind::Ok
                && matches!(intent.verb, Verb::Create | Verb::Read | Verb::Update)
                && (intent.shares_noun(&self.intents[tool])
                    || (intent.verb == Verb::Create
                        && self.kinds[tool].is_some()
                        && self.kinds[tool] == self.kinds[other]))
                && !live.objects[*step].is_empty()
                && !self.corpus.is_stale(*step)
        };
        let steps: Vec<usize> = (0..live.history.len()).filter(fits).collect();
        // Checks of several tools about one thing find what one of them leaves behind for the others.
        if let Some(step) = live.subject.filter(|step| steps.contains(step))
            && self.draw.chance(0.8)
        {
            return Some(step);
        }
        if self.draw.chance(0.6) { steps.last().copied() } else { self.draw.pick(&steps).copied() }
    }

    /// A tool that makes such a thing as `tool` is about.
    fn maker_of(&mut self, tool: usize) -> Option<usize> {
        let noun = self.intents[tool].nouns.last()?.clone();
        self.maker(&noun).filter(|maker| *maker != tool)
    }
}
