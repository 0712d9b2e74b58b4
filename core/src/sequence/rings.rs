//! Rings: a tool that ties a thing to another of its kind ties a to b, b to c and c to a. What must not be closed is to be refused
//! and to leave nothing behind; what is closed all the same must not break what reads it.

use super::corpus::Entry;
use super::links::ParamKey;
use super::live::Live;
use super::mind::Mind;
use super::template::{self, Planned, check};
use crate::case::{Action, Binding, Role, Step};
use crate::catalog::Catalog;
use crate::schema::Parameter;
use serde_json::Value;

/// Under these names the special checks of a tool are counted.
const RING: &str = "ring";
const BATCH: &str = "batch";
/// How many things each ring of a tool has, one ring after another.
const LENGTHS: [usize; 4] = [3, 2, 3, 1];
/// Batches of a tool: each way of spoiling one twice.
pub(super) const BATCHES: u32 = 6;
/// Defaults of a tool that reads, each compared with what is left out.
const DEFAULTS: usize = 3;
/// Reads that need nothing, after a ring.
const READS: usize = 3;

impl Mind {
    /// A ring, a batch or a stranger for a tool that had few.
    pub(super) fn plan_special(&mut self, catalog: &Catalog) -> Option<Planned> {
        let done =
            |mind: &Self, tool: usize, name| mind.checks.get(&(tool, name)).copied().unwrap_or(0);
        let mut special: Vec<(u32, Planned)> = Vec::new();
        for tool in self.callable.clone() {
            let feedback = &self.feedback[tool];
            if feedback.ok == 0 || feedback.is_slow() {
                continue;
            }
            if self.intents[tool].looks_read_only() {
                let defaults = template::defaults(&catalog.tools[tool]).count().min(DEFAULTS);
                let compared = done(self, tool, check::DEFAULT);
                if (compared as usize) < defaults {
                    special.push((compared, Planned::Default { tool }));
                }
                if self.wants_stranger(tool, catalog) {
                    special.push((0, Planned::Stranger { tool }));
                }
                continue;
            }
            let rings = done(self, tool, RING);
            if (rings as usize) < LENGTHS.len() && self.tied(tool, catalog).is_some() {
                special.push((rings, Planned::Ring { tool, tries: 0 }));
            }
            if self.wants_stranger(tool, catalog) {
                special.push((0, Planned::Stranger { tool }));
            }
            let batches = done(self, tool, BATCH);
            if batches < BATCHES && super::batches::list_of(&catalog.tools[tool]).is_some() {
                special.push((batches, Planned::Batch { tool }));
            }
        }
        self.draw.shuffle(&mut special);
        special.into_iter().min_by_key(|(done, _)| *done).map(|(_, planned)| planned)
    }

    /// Counts a batch of a tool; returns how many there were.
    pub(super) fn count_batch(&mut self, tool: usize) -> u32 {
        let batches = self.checks.entry((tool, BATCH)).or_default();
        *batches += 1;
        *batches - 1
    }

    /// The places of a call that take two things of one kind.
    fn tied(&mut self, tool: usize, catalog: &Catalog) -> Option<[(String, ParamKey); 2]> {
        let schema = catalog.tools[tool].input_schema()?;
        let mut places: Vec<(String, ParamKey)> = Vec::new();
        let own = |p: &&Parameter| !p.in_array && p.choices.is_empty() && is_member(&p.pointer);
        let required = schema.parameters().iter().filter(own).filter(|p| p.required);
        let optional = schema.parameters().iter().filter(own).filter(|p| !p.required);
        for parameter in required.chain(optional) {
            let key = self.key_of(tool, parameter);
            self.links.refresh(key);
            if self.links.get(key).points_elsewhere() {
                places.push((parameter.pointer.clone(), key));
            }
        }
        // They take the same things where a place in answers or arguments is likely for both.
        let shares = |one: ParamKey, other: ParamKey| {
            let other = self.links.get(other);
            self.links.get(one).likely().any(|(path, _)| other.likely().any(|(o, _)| o == path))
        };
        let first = places.first()?.clone();
        let second = places.iter().skip(1).find(|(_, key)| shares(first.1, *key))?.clone();
        Some([first, second])
    }

    /// Plans a ring; tells whether it did.
    pub(super) fn plan_ring(
        &mut self,
        tool: usize,
        tries: u8,
        live: &mut Live,
        catalog: &Catalog,
    ) -> bool {
        let Some([one, other]) = self.tied(tool, catalog) else {
            return false;
        };
        let rings = self.checks.get(&(tool, RING)).copied().unwrap_or(0) as usize;
        let length = LENGTHS[rings % LENGTHS.len()];
        let things = self.things(one.1, other.1);
        let maker = self.kinds[tool].clone().and_then(|noun| self.maker(&noun));
        // The first time with new things: older ones may be tied already.
        let wanted = if rings == 0 { usize::MAX } else { length };
        if things.len() < wanted
            && tries == 0
            && let Some(maker) = maker.filter(|maker| *maker != tool)
        {
            live.agenda.push_front(Planned::Ring { tool, tries: 1 });
            (0..length).for_each(|_| live.agenda.push_front(Planned::Make { tool: maker }));
            return true;
        }
        if things.len() < length {
            return false;
        }
        *self.checks.entry((tool, RING)).or_default() += 1;
        let things: Vec<Entry> = things.into_iter().take(length).collect();
        let mut steps = Vec::new();
        for (number, thing) in things.iter().enumerate() {
            let next = &things[(number + 1) % things.len()];
            let tie = [(one.0.as_str(), thing), (other.0.as_str(), next)];
            let Some(step) = self.tie(tool, tie, live, catalog) else {
                return false;
            };
            steps.push(step);
        }
        let Some(closing) = steps.pop() else {
            return false;
        };
        let readers = self.readers(tool, catalog);
        let exact = |step: Step| Planned::Exact(Box::new(step));
        let mut planned: Vec<Planned> = steps.into_iter().map(exact).collect();
        planned.extend(template::script_of(
            check::FAILED_CALL,
            closing,
            closing_anchor(live),
            &readers,
        ));
        planned.extend(self.plain_reads(tool, catalog));
        live.put_first(planned);
        true
    }

    /// Things that both places may name, the latest first.
    fn things(&self, one: ParamKey, other: ParamKey) -> Vec<Entry> {
        let others = self.links.get(other);
        let fits = |value: &Value| {
            others.likely().any(|(path, _)| {
                self.corpus.of_path(*path).any(|entry| !entry.stale && entry.value == *value)
            })
        };
        let mut things: Vec<Entry> = Vec::new();
        for (path, _) in self.links.get(one).likely() {
            for entry in self.corpus.of_path(*path).filter(|entry| !entry.stale) {
                let new = things.iter().all(|known| known.value != entry.value);
                if new && entry.step.is_some() && fits(&entry.value) {
                    things.push(entry.clone());
                }
            }
        }
        things.sort_by_key(|entry| std::cmp::Reverse(entry.step));
        things
    }

    /// A call of the tool with these things at these places.
    fn tie(
        &mut self,
        tool: usize,
        ends: [(&str, &Entry); 2],
        live: &Live,
        catalog: &Catalog,
    ) -> Option<Step> {
        self.sure = true;
        let (mut step, _) = self.plain_call(tool, None, Role::Call, live, catalog)?;
        let Action::CallTool { arguments, .. } = &mut step.action else {
            return None;
        };
        let members = arguments.as_object_mut()?;
        for (at, thing) in ends {
            let name = crate::pointer::unescape(at.trim_start_matches('/'));
            members.insert(name, thing.value.clone());
            step.bindings.retain(|binding| binding.at != at);
            let bound: Option<Binding> = thing.binding(at);
            step.bindings.extend(bound);
        }
        catalog.tools[tool].input_schema()?.is_valid(arguments).then_some(step)
    }

    /// Reads of such things that need nothing.
    fn plain_reads(&mut self, tool: usize, catalog: &Catalog) -> Vec<Planned> {
        let plain = |reader: &usize| {
            let schema = catalog.tools[*reader].input_schema();
            let asks = schema.is_some_and(|s| s.parameters().iter().any(|p| p.required));
            self.intents[*reader].looks_read_only()
                && self.intents[*reader].shares_noun(&self.intents[tool])
                && !self.feedback[*reader].is_slow()
                && !asks
        };
        let mut readers: Vec<usize> = self.callable.iter().copied().filter(plain).collect();
        self.draw.shuffle(&mut readers);
        let read = |tool| Planned::About { tool, step: None, role: Role::Call };
        readers.into_iter().take(READS).map(read).collect()
    }
}

/// Whether a pointer names a member of the whole.
fn is_member(pointer: &str) -> bool {
    pointer.matches('/').count() == 1
}

/// The step whose things looks around the closing call are about: the latest.
fn closing_anchor(live: &Live) -> Option<usize> {
    (0..live.objects.len()).rev().find(|step| !live.objects[*step].is_empty())
}
