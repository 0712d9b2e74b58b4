//! The mind of a worker: what it knows of the server, what it does next, and what it learns from each answer.

use super::advice::Advice;
use super::bursts::BURST;
use super::choose::{Chooser, Mood, SURE, Use};
use super::corpus::Corpus;
use super::drill;
use super::edges::{Edge, Left};
use super::exemplar::Exemplars;
use super::feedback::{Known, ToolFeedback, weighted};
use super::first::First;
use super::folders::{self, Folders};
use super::intent::{Intent, Modes, list_switch};
use super::links::{self, Links, PathKey};
use super::live::Live;
use super::openers::Openers;
use super::pace::Pace;
use super::seeds;
use super::shapes::{self, Shapes};
use super::template::{self, Planned, check};
use super::told;
use super::traits::Traits;
use crate::case::{Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::generate::Draw;
use crate::input::Target;
use crate::plan::Plan;
use crate::schema::files;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a worker knows.
pub(crate) struct Mind {
    pub(crate) draw: Draw,
    pub(crate) links: Links,
    pub(crate) corpus: Corpus,
    pub(super) known: Known,
    /// Values that the user gave.
    seeded: Known,
    /// Objects and lists that the user gave.
    whole: seeds::Whole,
    /// Objects and lists that the schemas show.
    written: seeds::Whole,
    pub(crate) intents: Vec<Intent>,
    /// Positions of the tools that may be called.
    pub(crate) callable: Vec<usize>,
    pub(super) traits: Traits,
    pub(super) feedback: Vec<ToolFeedback>,
    pub(super) transitions: FxHashSet<(u64, u64)>,
    /// Edges still to be tried, by tool; made when first wanted.
    pub(super) edges: FxHashMap<usize, Vec<Edge>>,
    /// The edges that the latest call had two of, and its tool.
    pub(super) paired: Option<(usize, [Edge; 2])>,
    /// All edges, by tool: they are tried over and over.
    pub(super) bounds: FxHashMap<usize, Vec<Edge>>,
    /// What is left to try of each tool, by position.
    pub(super) left: Vec<Left>,
    /// How much each tool deserves the next call, by position.
    pub(super) weights: Vec<f32>,
    /// By tool: how often a parameter was given a value that breaks a keyword, by keyword and pointer.
    pub(super) faults: FxHashMap<usize, FxHashMap<String, u32>>,
    /// How soon the latest fault of each tool was to be tried: those that come later wait for the other tools.
    pub(super) tiers: FxHashMap<usize, u8>,
    /// The fault of the latest call that the schema forbids, and its tool.
    pub(super) latest_fault: Option<(usize, String)>,
    /// Tools of which every parameter was given a value that breaks each of its keywords.
    pub(super) broken: FxHashSet<usize>,
    /// How often each check was made of each tool.
    pub(super) checks: FxHashMap<(usize, &'static str), u32>,
    /// How often a check of a tool was made with each choice of a parameter: the tool, the check, the parameter and its value.
    pub(super) varied: FxHashMap<(usize, String), u32>,
    /// How often each reader looked at what each tool does: the tool, then the reader.
    pub(super) looks: FxHashMap<(usize, usize), u32>,
    /// The kind of thing that each tool is about, by position.
    pub(super) kinds: Vec<Option<String>>,
    /// How often each tool's kind of thing was drilled.
    pub(super) drills: FxHashMap<usize, u32>,
    /// In which order the tools of a kind of thing were drilled the last time.
    pub(super) orders: FxHashMap<String, Vec<usize>>,
    /// Refusals, by tool and class, whose call was made again between looks.
    pub(super) refusals: FxHashSet<(usize, u64)>,
    /// How often what one tool took away was brought back by another, and how often that was refused: by the latter, then the former.
    pub(super) revived: FxHashMap<(usize, usize), (u32, u32)>,
    /// The modes of the tools, by position.
    pub(super) modes: Vec<Option<Modes>>,
    /// Which tools do several things by their optional arguments, by position.
    pub(super) switched: Vec<bool>,
    /// What became of the shapes of calls, by tool.
    pub(super) shapes: FxHashMap<usize, Shapes>,
    /// Positions of tools by name.
    pub(super) by_name: FxHashMap<String, usize>,
    /// Whether the next call is to have all parameters that there are.
    pub(super) full: bool,
    /// Whether the next call is to succeed above all, since others wait for what it makes.
    pub(super) sure: bool,
    /// How likely optional parameters are in this sequence.
    pub(super) optional: f64,
    /// Successful calls with what they depend on.
    pub(crate) exemplars: Exemplars,
    pub(super) phases: Phases,
    /// How many calls of each sort were made.
    pub(super) pace: Pace,
    /// Every value that entered the corpus, by key, where the result is to carry them.
    pub(super) dump: Option<BTreeMap<String, Vec<serde_json::Value>>>,
    /// Whether the server can have two clients at once.
    pub(super) two_clients: bool,
    /// Folders that the server spoke of; none are looked for where no tool takes paths.
    pub(super) folders: Option<Folders>,
    /// Calls that sessions need first.
    pub(crate) openers: Openers,
    /// Tools that had no calls left when a session began.
    pub(super) without_calls: FxHashSet<usize>,
    /// What refusals said would be right.
    pub(super) advice: Advice,
    /// Names of files of the kinds that the server works on.
    common: Vec<serde_json::Value>,
    /// Names of files that calls worked with: those outlive a session.
    pub(super) files: Vec<(PathKey, serde_json::Value)>,
    /// What the server offers for arguments of prompts and variables of templates.
    pub(super) completions: Vec<(PathKey, serde_json::Value)>,
}

/// Which kinds of steps the plan allows.
pub(super) struct Phases {
    pub(super) boundary: bool,
    pub(super) negative: bool,
}

impl Phases {
    fn of(plan: &Plan) -> Self {
        Self { boundary: plan.has(Phase::Boundary), negative: plan.has(Phase::Negative) }
    }
}

/// Positions of the tools that may be called.
fn callable(catalog: &Catalog, plan: &Plan) -> Vec<usize> {
    let allowed = catalog.tools.iter().filter(|tool| plan.forbids(tool).is_none());
    allowed.map(|tool| tool.index).collect()
}

impl Mind {
    /// A mind that knows the catalog and nothing else.
    pub(crate) fn new(catalog: &Catalog, plan: &Plan, seed: u64) -> Self {
        let callable = callable(catalog, plan);
        let intents: Vec<Intent> = catalog.tools.iter().map(|tool| tool.intent.clone()).collect();
        let mut links = Links::default();
        let config = &plan.input.state_machine_config;
        let descriptions =
            catalog.tools.iter().filter_map(|tool| tool.raw.get("description")?.as_str());
        let (known, whole) = seeds::lay_out(config, catalog, &intents, &mut links);
        links::learn_descriptions(&mut links, catalog, &intents);
        let mut mind = Self {
            draw: Draw::new(seed),
            links,
            corpus: Corpus::new(told::wants(config)),
            dump: config.dump_corpus.then(BTreeMap::new),
            seeded: known.clone(),
            known,
            whole,
            written: seeds::written(catalog),
            traits: Traits::of(&callable, &intents, catalog),
            intents,
            callable,
            feedback: vec![ToolFeedback::default(); catalog.tools.len()],
            transitions: FxHashSet::default(),
            edges: FxHashMap::default(),
            bounds: FxHashMap::default(),
            paired: None,
            faults: FxHashMap::default(),
            tiers: FxHashMap::default(),
            latest_fault: None,
            broken: FxHashSet::default(),
            varied: FxHashMap::default(),
            checks: FxHashMap::default(),
            looks: FxHashMap::default(),
            kinds: drill::kinds(catalog),
            drills: FxHashMap::default(),
            orders: FxHashMap::default(),
            refusals: FxHashSet::default(),
            revived: FxHashMap::default(),
            modes: shapes::modes(catalog),
            switched: shapes::switched(catalog),
            shapes: FxHashMap::default(),
            by_name: catalog.tools.iter().map(|tool| (tool.name.clone(), tool.index)).collect(),
            full: false,
            sure: false,
            optional: 0.5,
            exemplars: Exemplars::default(),
            two_clients: matches!(plan.input.target, Target::Http(_)),
            phases: Phases::of(plan),
            pace: Pace::default(),
            openers: Openers::default(),
            without_calls: FxHashSet::default(),
            advice: Advice::default(),
            files: Vec::new(),
            completions: Vec::new(),
            common: files::common(descriptions),
            folders: takes_paths(catalog).then(Folders::default),
            left: vec![Left::default(); catalog.tools.len()],
            weights: Vec::new(),
        };
        mind.weights = (0..catalog.tools.len()).map(|tool| mind.weight_of(tool, catalog)).collect();
        mind
    }

    /// Forgets the values of the last sequence; what was learned of them stays.
    pub(crate) fn begin_sequence(&mut self) {
        self.corpus.reset();
        self.lay_out_files();
        self.lay_out_completions();
        // What another session's ids named is gone.
        let links = &self.links;
        self.known.retain(|param, _| !links.get(*param).points_elsewhere());
        for (param, values) in &self.seeded {
            self.known.entry(*param).or_insert_with(|| values.clone());
        }
        self.optional = [0.0, 0.5, 0.5, 1.0][self.draw.index(4)];
    }

    /// The next step of a sequence; none where there is nothing to call.
    pub(crate) fn next(&mut self, live: &mut Live, catalog: &Catalog) -> Option<(Step, Vec<Use>)> {
        let mut due = self.plan_due(live, catalog);
        live.chain &= due.is_none();
        for _ in 0..64 {
            let planned = match due.take().or_else(|| live.agenda.pop_front()) {
                Some(planned) => planned,
                None => self.plan_next(live, catalog)?,
            };
            if let Some((step, uses)) = self.realise(planned, live, catalog) {
                self.keep_pace(&step, live);
                return Some((step, uses));
            }
        }
        None
    }

    /// Decides freely what comes next.
    fn plan_next(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        if live.phase != Phase::Stateful || self.callable.is_empty() {
            return None;
        }
        live.producers.clear();
        if live.first.is_some() {
            return self.plan_first(live, catalog);
        }
        if self.plan_aside(live, catalog) {
            return live.agenda.pop_front();
        }
        if let Some(link) = self.plan_link(live, catalog) {
            return Some(link);
        }
        if let Some(planned) = self.plan_sweep(live.drill.is_none()) {
            live.burst = BURST;
            return Some(planned);
        }
        if self.plan_before_refusal(live, catalog) || self.plan_other_client(live, catalog) {
            return live.agenda.pop_front();
        }
        let weights = self.callable.iter().map(|tool| self.weights[*tool]);
        let tool = self.callable[weighted(weights, &mut self.draw)];
        let established = self.feedback[tool].ok > 0;
        if self.phases.negative && self.draw.chance(if established { 0.1 } else { 0.05 }) {
            let alone = self.draw.chance(0.7);
            return Some(if alone {
                Planned::Negative { tool, role: Role::Call }
            } else {
                Planned::Check { tool, negative: true, tries: 0 }
            });
        }
        let share = match (self.intents[tool].looks_read_only(), self.two_clients) {
            (true, true) => 0.16,
            (true, false) => 0.08,
            (false, _) => 0.3,
        };
        if established && self.draw.chance(share) {
            return Some(Planned::Check { tool, negative: false, tries: 0 });
        }
        Some(Planned::About { tool, step: None, role: Role::Call })
    }

    /// A call of `tool` with chosen arguments; now and then at an edge.
    pub(super) fn call(
        &mut self,
        tool: usize,
        about: Option<usize>,
        role: Role,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        let (step, uses) = self.plain_call(tool, about, role, live, catalog)?;
        if matches!(step.role, Role::Observe { .. }) && !self.is_told(&uses) {
            return None;
        }
        // The mode that suits the check is not to be another one's edge.
        let moded = self.modes[tool].is_some();
        let fits = matches!(&step.role, Role::Call)
            || matches!(&step.role, Role::Subject { check } if check != check::IDEMPOTENT && !moded);
        if fits
            && live.first.is_none()
            && step.label == Label::Valid
            && self.phases.boundary
            && self.feedback[tool].calls > 0
            && self.is_grounded(&uses)
            && self.wants_edge(tool)
        {
            let step = self.at_edge(tool, step, catalog);
            self.note_left(tool);
            return Some((step, Vec::new()));
        }
        let step = self.varied(tool, step, catalog);
        Some((step, uses))
    }

    /// A call of `tool` with chosen arguments.
    pub(super) fn plain_call(
        &mut self,
        tool: usize,
        about: Option<usize>,
        role: Role,
        live: &Live,
        catalog: &Catalog,
    ) -> Option<(Step, Vec<Use>)> {
        let offered = &catalog.tools[tool];
        let Some(schema) = offered.input_schema() else {
            let step = template::call(&offered.name, serde_json::json!({}), Vec::new(), role);
            return Some((Step { label: Label::Unknown, ..step }, Vec::new()));
        };
        let count = schema.parameters().len();
        let references = self.references(tool, schema);
        let points = !references.is_empty();
        let apart = references.len() > 1;
        let together = about.is_none().then(|| self.together(&references)).flatten();
        let looks = matches!(role, Role::Observe { .. });
        let full = std::mem::take(&mut self.full);
        let sure = std::mem::take(&mut self.sure).then_some(SURE);
        let steady = sure.or(live.first.as_ref().map(First::tries));
        let plain = full || looks || steady == Some(1);
        let moded = matches!(role, Role::Subject { .. }) && self.modes[tool].is_some();
        let shaped = !plain && self.has_shapes(tool) && (moded || self.draw.chance(0.8));
        let mut chooser =
            Chooser::new(&mut self.links, &self.corpus, &self.known, tool, &self.intents[tool]);
        chooser.focus = live.focus;
        chooser.steady = steady;
        chooser.folders = self.folders.as_ref();
        chooser.common = &self.common;
        chooser.advice = Some(&self.advice);
        chooser.whole = self.whole.get(&tool).map_or(&[], Vec::as_slice);
        chooser.written = self.written.get(&tool).map_or(&[], Vec::as_slice);
        match about.and_then(|step| live.objects.get(step)) {
            Some(objects) => chooser.about(objects),
            None if looks || steady.is_some() => {}
            None => chooser.mood = Mood::draw(&mut self.draw, count, points),
        }
        chooser.apart =
            apart && together.is_none() && about.is_none() && matches!(role, Role::Call);
        if let Some(object) = together {
            chooser.about(&[object]);
        }
        // A look that filters sees less.
        let optional = if looks { 0.0 } else { self.optional };
        let optional = if full || shaped { 1.0 } else { optional };
        let mut made = chooser.arguments(schema, &mut self.draw, optional)?;
        let mut uses = chooser.uses;
        if shaped {
            self.shape(tool, &role, offered, &mut made, &mut uses);
        }
        if looks
            && let Some(switch) = list_switch(offered)
            && let Some(members) = made.0.as_object_mut()
        {
            members.insert(switch.to_owned(), serde_json::Value::Bool(true));
        }
        let (arguments, bindings) = made;
        Some((template::call(&offered.name, arguments, bindings, role), uses))
    }
}

/// Whether any tool takes a path.
fn takes_paths(catalog: &Catalog) -> bool {
    let schemas = catalog.tools.iter().filter_map(crate::catalog::Tool::input_schema);
    schemas.flat_map(|schema| schema.parameters().iter()).any(folders::is_path)
}
