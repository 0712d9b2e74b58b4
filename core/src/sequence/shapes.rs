//! Shapes of calls: which optional arguments go together, and with which mode. Tools that do several things by a parameter
//! (`action: kill | rename`) refuse what belongs to another mode; what worked is learned by mode.

use super::choose::Use;
use super::intent::{Intent, Modes, Verb, list_switch, own_id, verb_of_call};
use super::mind::Mind;
use super::template::check;
use crate::case::{Binding, Role};
use crate::catalog::{Catalog, Tool};
use crate::generate::Draw;
use crate::pointer::{Members, Places};
use crate::schema::CompiledSchema;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Optional members that are told apart.
const MEMBERS: usize = 64;
/// Refusals without a success that say that a tool's shapes matter.
const REFUSALS: u32 = 3;

/// Refusals after which a member is thought not to go with a mode, and how likely it is then left out.
const DOUBTFUL: u32 = 2;
const SPARED: f64 = 0.9;

/// How likely a set of members that worked is taken again.
const WORKED: f64 = 0.8;

/// What became of the shapes of a tool's calls: by mode and by which optional members there are.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    tried: BTreeMap<String, BTreeMap<u64, Tally>>,
    refused: u32,
}

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    ok: u32,
    refused: u32,
}

impl Shapes {
    /// How often a mode worked, and how often it was tried.
    fn of_mode(&self, mode: &str) -> (u32, u32) {
        let tallies = self.tried.get(mode).into_iter().flat_map(BTreeMap::values);
        tallies.fold((0, 0), |(ok, all), tally| (ok + tally.ok, all + tally.ok + tally.refused))
    }

    /// The optional members for a call in a mode, out of those that there are: mostly a set that worked, else the one tried least.
    fn members(&self, mode: &str, there: u64, draw: &mut Draw) -> u64 {
        let any = draw.bits() & there;
        let Some(tried) = self.tried.get(mode) else {
            return *draw.pick(&[0, there, any]).unwrap_or(&any);
        };
        let fits = |mask: &u64| mask & !there == 0;
        let worked: Vec<(u64, Tally)> = tried
            .iter()
            .filter(|(mask, tally)| fits(mask) && tally.ok > 0)
            .map(|(mask, tally)| (*mask, *tally))
            .collect();
        if !worked.is_empty() && draw.chance(WORKED) {
            return worked[draw.index(worked.len())].0;
        }
        let refused = if worked.is_empty() { 0 } else { refused_members(tried) };
        let there = if draw.chance(SPARED) { there & !refused } else { there };
        let single = (0..MEMBERS).map(|bit| 1u64 << bit).filter(|bit| bit & there != 0);
        let candidates: Vec<u64> = [any & there, 0, there].into_iter().chain(single).collect();
        let count = |mask: &u64| tried.get(mask).map_or(0, |tally| tally.ok + tally.refused);
        candidates.iter().copied().min_by_key(count).unwrap_or(any)
    }
}

/// The members with which a mode that works without them was refused each time.
fn refused_members(tried: &BTreeMap<u64, Tally>) -> u64 {
    let with = |bit: u64| {
        let tallies = tried.iter().filter(move |(mask, _)| *mask & bit != 0);
        tallies.fold((0, 0), |(ok, refused), (_, t)| (ok + t.ok, refused + t.refused))
    };
    let bits = (0..MEMBERS).map(|bit| 1u64 << bit);
    bits.filter(|bit| matches!(with(*bit), (0, refused) if refused >= DOUBTFUL)).sum()
}

impl Mind {
    /// Learns how a call with valid arguments went.
    pub(super) fn learn_shape(
        &mut self,
        tool: usize,
        arguments: &Value,
        ok: bool,
        catalog: &Catalog,
    ) {
        let (Some(schema), Some(members)) =
            (catalog.tools[tool].input_schema(), arguments.as_object())
        else {
            return;
        };
        let mode = mode_of(self.modes[tool].as_ref(), members);
        let mask = mask_of(members, optional_members(&catalog.tools[tool], schema));
        let shapes = self.shapes.entry(tool).or_default();
        let tally = shapes.tried.entry(mode).or_default().entry(mask).or_default();
        if ok {
            tally.ok += 1;
        } else {
            tally.refused += 1;
            shapes.refused += 1;
        }
    }

    /// Whether the shape of a tool's calls matters: it has modes, or calls with valid arguments were refused.
    pub(super) fn has_shapes(&self, tool: usize) -> bool {
        self.modes[tool].is_some()
            || self.switched[tool]
            || self.shapes.get(&tool).is_some_and(|shapes| shapes.refused >= REFUSALS)
    }

    /// Gives a call with all optional arguments the mode and the optional arguments that are worth a try.
    pub(super) fn shape(
        &mut self,
        tool: usize,
        role: &Role,
        offered: &Tool,
        call: &mut (Value, Vec<Binding>),
        uses: &mut Vec<Use>,
    ) {
        let (arguments, bindings) = call;
        let (Some(members), Some(schema)) = (arguments.as_object(), offered.input_schema()) else {
            return;
        };
        let mut shaped = members.clone();
        let none = Shapes::default();
        let shapes = self.shapes.get(&tool).unwrap_or(&none);
        if let Some(modes) = &self.modes[tool]
            && let Some(value) = wanted_mode(modes, shapes, role, &mut self.draw)
        {
            shaped.insert(modes.parameter.clone(), value);
        }
        let names = optional_members(offered, schema);
        let there = mask_of(&shaped, names);
        let mode = mode_of(self.modes[tool].as_ref(), &shaped);
        let mut wanted = shapes.members(&mode, there, &mut self.draw);
        // Whether a thing is made or changed is what the check is about.
        if let Some(bit) = own_id(offered)
            .and_then(|id| names.iter().position(|name| *name == id))
            .filter(|at| *at < MEMBERS)
            .map(|at| 1u64 << at)
        {
            match role {
                Role::Subject { check } if check == check::UPDATE => wanted |= bit,
                Role::Subject { check } if check == check::CREATE => wanted &= !bit,
                _ => {}
            }
        }
        for (at, name) in names.iter().enumerate().take(MEMBERS) {
            if wanted & (1 << at) == 0 {
                shaped.shift_remove(name);
            }
        }
        let shaped = Value::Object(shaped);
        if schema.is_valid(&shaped) {
            let same = |at: &str| arguments.place(at) == shaped.place(at);
            bindings.retain(|binding| same(&binding.at));
            uses.retain(|used| same(&used.at));
            *arguments = shaped;
        }
    }

    /// What a call of a tool is for, its mode taken into account.
    pub(super) fn verb_of(
        &self,
        tool: usize,
        arguments: Option<&Value>,
        catalog: &Catalog,
    ) -> Verb {
        let verb = self.intents[tool].verb;
        arguments.map_or(verb, |arguments| verb_of_call(&catalog.tools[tool], arguments, verb))
    }

    /// The checks that suit some mode of a tool.
    pub(super) fn checks_of_modes(&self, tool: usize, catalog: &Catalog) -> Vec<&'static str> {
        let verbs = self.modes[tool].iter().flat_map(|modes| &modes.values);
        let mut checks: Vec<&'static str> = verbs.filter_map(|(_, verb)| check_of(*verb)).collect();
        if self.intents[tool].verb == Verb::Create && own_id(&catalog.tools[tool]).is_some() {
            checks.push(check::UPDATE);
        }
        checks.sort_unstable();
        checks.dedup();
        checks
    }
}

/// The mode that a call is to have: one that suits the check that it is made for; else, now and then, one that seldom worked.
fn wanted_mode(modes: &Modes, shapes: &Shapes, role: &Role, draw: &mut Draw) -> Option<Value> {
    let suits = |verb: Verb| match role {
        Role::Subject { check } => check_of(verb).is_some_and(|own| own == check),
        _ => false,
    };
    let suited: Vec<&Value> =
        modes.values.iter().filter(|(_, verb)| suits(*verb)).map(|(value, _)| value).collect();
    if let Some(value) = draw.pick(&suited) {
        return Some((*value).clone());
    }
    if !draw.chance(0.5) {
        return None;
    }
    let seldom = |value: &&Value| {
        let (ok, all) = shapes.of_mode(&value.to_string());
        // A mode that never works is given up in time.
        (ok + all / 8, all)
    };
    modes.values.iter().map(|(value, _)| value).min_by_key(seldom).cloned()
}

fn check_of(verb: Verb) -> Option<&'static str> {
    match verb {
        Verb::Delete => Some(check::AFTER_DELETE),
        Verb::Update => Some(check::UPDATE),
        Verb::Create => Some(check::CREATE),
        Verb::Read | Verb::List | Verb::Other => None,
    }
}

fn mode_of(modes: Option<&Modes>, members: &Map<String, Value>) -> String {
    modes.and_then(|modes| members.get(&modes.parameter)).map(Value::to_string).unwrap_or_default()
}

/// The names of the optional members of the arguments, in the order of the schema.
fn optional_members<'a>(tool: &'a Tool, schema: &CompiledSchema) -> &'a [String] {
    tool.switches
        .optional
        .get_or_init(|| find_optional_members(schema).into_iter().map(str::to_owned).collect())
}

fn find_optional_members(schema: &CompiledSchema) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for parameter in schema.parameters() {
        let name = parameter.pointer.split('/').nth(1).unwrap_or_default();
        let plain = !name.is_empty() && !name.contains('~');
        if plain && !parameter.required && !names.contains(&name) {
            names.push(name);
        }
    }
    // An optional member of a required object is no member of the arguments.
    names.retain(|name| {
        let inside = format!("/{name}");
        let required =
            |pointer: &str| pointer == inside || pointer.starts_with(&format!("{inside}/"));
        !schema.parameters().iter().any(|other| other.required && required(&other.pointer))
    });
    names
}

fn mask_of(members: &Map<String, Value>, names: &[String]) -> u64 {
    let there = names.iter().enumerate().take(MEMBERS);
    there.filter(|(_, name)| members.member(name).is_some()).fold(0, |mask, (at, _)| mask | 1 << at)
}

/// Whether the tools of a catalog make or change things, or list them, by what optional arguments there are; by position.
pub(super) fn switched(catalog: &Catalog) -> Vec<bool> {
    let switched = |tool: &Tool| list_switch(tool).is_some() || own_id(tool).is_some();
    catalog.tools.iter().map(switched).collect()
}

/// The modes of the tools of a catalog, by position.
pub(super) fn modes(catalog: &Catalog) -> Vec<Option<Modes>> {
    catalog
        .tools
        .iter()
        .map(|tool| Modes::of(tool).filter(|_| Intent::of(tool).verb == Verb::Other).cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_worked_is_tried_again_and_what_did_not_is_left() {
        let mut shapes = Shapes::default();
        let rename = shapes.tried.entry("rename".to_owned()).or_default();
        rename.insert(0, Tally { ok: 0, refused: 9 });
        rename.insert(1, Tally { ok: 2, refused: 0 });
        let mut draw = Draw::new(1);
        let with = (0..200).filter(|_| shapes.members("rename", 1, &mut draw) == 1).count();
        assert!(with > 150, "{with} of 200");
        assert_eq!(shapes.of_mode("rename"), (2, 11));
    }
}
