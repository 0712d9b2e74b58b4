//! The mind of a worker: what it knows of the server, what it does next, and what it learns from each answer.

use super::choose::{Chooser, Mood, Use};
use super::corpus::{Corpus, Entry};
use super::exemplar::Exemplars;
use super::feedback::{ToolFeedback, learn_choices, weighted};
use super::intent::{Intent, Verb};
use super::links::{Links, ParamKey};
use super::live::Live;
use super::mine::{self, Mined};
use super::seeds;
use super::template::{self, Planned, View, check};
use crate::case::{Action, Binding, Label, Phase, Role, Step};
use crate::catalog::Catalog;
use crate::generate::{Boundary, Draw, boundaries, negative};
use crate::outcome::{Outcome, OutcomeKind};
use crate::plan::Plan;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What a worker knows.
pub(crate) struct Mind {
    pub(crate) draw: Draw,
    pub(crate) links: Links,
    pub(crate) corpus: Corpus,
    known: HashMap<ParamKey, Vec<Value>>,
    /// Objects and lists that the user gave.
    whole: seeds::Whole,
    pub(crate) intents: Vec<Intent>,
    /// Positions of the tools that may be called.
    pub(crate) callable: Vec<usize>,
    feedback: Vec<ToolFeedback>,
    transitions: HashSet<(u64, u64)>,
    /// Edges still to be tried, by tool; made when first wanted.
    edges: HashMap<usize, Vec<Boundary>>,
    /// How likely optional parameters are in this sequence.
    optional: f64,
    /// Successful calls with what they depend on.
    pub(crate) exemplars: Exemplars,
    phases: Phases,
}

/// Which kinds of steps the plan allows.
struct Phases {
    boundary: bool,
    negative: bool,
}

impl Mind {
    /// A mind that knows the catalog and nothing else.
    pub(crate) fn new(catalog: &Catalog, plan: &Plan, seed: u64) -> Self {
        let callable = catalog
            .tools
            .iter()
            .filter(|tool| plan.forbids(tool).is_none())
            .map(|tool| tool.index)
            .collect();
        let intents: Vec<Intent> = catalog.tools.iter().map(Intent::of).collect();
        let mut links = Links::default();
        let config = &plan.input.state_machine_config;
        let (known, whole) = seeds::lay_out(config, catalog, &intents, &mut links);
        Self {
            draw: Draw::new(seed),
            links,
            corpus: Corpus::default(),
            known,
            whole,
            intents,
            callable,
            feedback: vec![ToolFeedback::default(); catalog.tools.len()],
            transitions: HashSet::new(),
            edges: HashMap::new(),
            optional: 0.5,
            exemplars: Exemplars::default(),
            phases: Phases {
                boundary: plan.has(Phase::Boundary),
                negative: plan.has(Phase::Negative),
            },
        }
    }

    /// Forgets the values of the last sequence; what was learned of them stays.
    pub(crate) fn begin_sequence(&mut self) {
        self.corpus.reset();
        self.optional = [0.0, 0.5, 0.5, 1.0][self.draw.index(4)];
    }

    /// The next step of a sequence; none where there is nothing to call.
    pub(crate) fn next(
        &mut self,
        live: &mut Live,
        catalog: &Catalog,
        plan: &Plan,
    ) -> Option<(Step, Vec<Use>)> {
        for _ in 0..64 {
            let planned = match live.agenda.pop_front() {
                Some(planned) => planned,
                None => self.plan_next(live, catalog)?,
            };
            if let Some(step) = self.realise(planned, live, catalog, plan) {
                return Some(step);
            }
        }
        None
    }

    /// Decides freely what comes next.
    fn plan_next(&mut self, live: &mut Live, catalog: &Catalog) -> Option<Planned> {
        if live.phase != Phase::Stateful || self.callable.is_empty() {
            return None;
        }
        live.producers = 0;
        let weights: Vec<f32> =
            self.callable.iter().map(|tool| self.feedback[*tool].weight()).collect();
        let tool = self.callable[weighted(&weights, &mut self.draw)];
        let late = live.history.len() * 3 > live.length * 2;
        let established = self.feedback[tool].ok > 0;
        if self.phases.negative && established && self.draw.chance(if late { 0.4 } else { 0.08 }) {
            return Some(self.negative_plan(tool, live));
        }
        if established && !live.reads.is_empty() && self.draw.chance(0.2) {
            self.plan_check(tool, live, catalog);
            if let Some(planned) = live.agenda.pop_front() {
                return Some(planned);
            }
        }
        Some(Planned::About { tool, step: None, role: Role::Call })
    }

    fn negative_plan(&mut self, tool: usize, live: &mut Live) -> Planned {
        let views = template::views_for(tool, &live.reads, &self.intents, 2);
        if !views.is_empty() && self.draw.chance(0.3) {
            live.agenda.extend(template::script(check::FAILED_CALL, tool, None, &views));
            if let Some(planned) = live.agenda.pop_front() {
                return planned;
            }
        }
        Planned::Negative { tool, role: Role::Call }
    }

    /// Plans a metamorphic check around a call of `tool`.
    fn plan_check(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) {
        let Some(check) = template::check_for(tool, catalog, &self.intents) else {
            return;
        };
        let views = template::views_for(tool, &live.reads, &self.intents, 2);
        let about = views
            .iter()
            .find(|view| self.intents[view.tool].verb == Verb::Read)
            .or(views.first())
            .map(|view| view.step);
        if !views.is_empty() {
            live.agenda.extend(template::script(check, tool, about, &views));
        }
    }

    /// Turns a plan into a step; none where that is not possible now.
    fn realise(
        &mut self,
        planned: Planned,
        live: &mut Live,
        catalog: &Catalog,
        plan: &Plan,
    ) -> Option<(Step, Vec<Use>)> {
        match planned {
            Planned::Exact(step) => {
                let tool = step.action.tool().and_then(|name| catalog.tool(name));
                // One slow example of a tool is enough.
                let slow = tool.is_some_and(|tool| self.feedback[tool.index].is_slow());
                (!slow).then(|| (*step, Vec::new()))
            }
            Planned::Again { step, role } => {
                let (earlier, _) = live.history.get(step)?;
                Some((template::again(earlier, step, role), Vec::new()))
            }
            Planned::RepeatSubject { check } => {
                let subject = live.history.iter().rposition(
                    |(step, _)| matches!(&step.role, Role::Subject { check: c } if c == check),
                )?;
                let role = Role::Repeat { check: check.to_owned(), of: subject };
                Some((template::again(&live.history[subject].0, subject, role), Vec::new()))
            }
            Planned::About { tool, step, role } => {
                if step.is_none()
                    && live.phase == Phase::Stateful
                    && self.insert_producer(tool, &role, live, catalog)
                {
                    return None;
                }
                self.call(tool, step, role, live, catalog, plan)
            }
            Planned::Negative { tool, role } => self.negative_call(tool, role, live, catalog, plan),
        }
    }

    /// A call of `tool` with chosen arguments; now and then at an edge.
    fn call(
        &mut self,
        tool: usize,
        about: Option<usize>,
        role: Role,
        live: &Live,
        catalog: &Catalog,
        _plan: &Plan,
    ) -> Option<(Step, Vec<Use>)> {
        let offered = &catalog.tools[tool];
        let Some(schema) = offered.input_schema() else {
            let step = template::call(&offered.name, serde_json::json!({}), Vec::new(), role);
            return Some((Step { label: Label::Unknown, ..step }, Vec::new()));
        };
        let count = schema.parameters().len();
        let mut chooser =
            Chooser::new(&mut self.links, &self.corpus, &self.known, tool, &self.intents[tool]);
        chooser.focus = live.focus;
        chooser.whole = self.whole.get(&tool).map_or(&[], Vec::as_slice);
        match about.and_then(|step| live.objects.get(step)) {
            Some(objects) => chooser.about(objects),
            None => chooser.mood = Mood::draw(&mut self.draw, count),
        }
        let (arguments, bindings) = chooser.arguments(schema, &mut self.draw, self.optional)?;
        let uses = chooser.uses;
        let step = template::call(&offered.name, arguments, bindings, role);
        if step.role == Role::Call
            && self.phases.boundary
            && self.feedback[tool].calls > 0
            && self.wants_edge(tool)
        {
            return Some((self.at_edge(tool, step, catalog), Vec::new()));
        }
        Some((step, uses))
    }

    /// Whether a call is put at an edge: more often while there are telling ones that were not tried.
    fn wants_edge(&mut self, tool: usize) -> bool {
        let next = self.edges.get(&tool).map(|edges| edges.last().is_some_and(is_telling));
        self.draw.chance(if next == Some(false) { 0.2 } else { 0.4 })
    }

    /// Puts the next untried edge of a tool into a step's arguments: telling ones first, those of references last, since
    /// whatever is no reference to anything is refused in the same way.
    fn at_edge(&mut self, tool: usize, step: Step, catalog: &Catalog) -> Step {
        let Some(schema) = catalog.tools[tool].input_schema() else {
            return step;
        };
        let (draw, links) = (&mut self.draw, &mut self.links);
        let intent = &self.intents[tool];
        let edges = self.edges.entry(tool).or_insert_with(|| {
            let mut edges = boundaries(schema);
            draw.shuffle(&mut edges);
            edges.sort_by_cached_key(|edge| {
                let param = links.param(tool, intent, &edge.pointer, false);
                (!links.get(param).points_elsewhere(), is_telling(edge))
            });
            edges
        });
        let Some(edge) = edges.pop() else {
            self.edges.remove(&tool);
            return step;
        };
        let role = Role::Boundary { edge: edge.edge.clone(), pointer: edge.pointer.clone() };
        let Action::CallTool { tool, arguments } = &step.action else {
            return step;
        };
        let mut grafted = arguments.clone();
        if let (Some(slot), Some(value)) =
            (grafted.pointer_mut(&edge.pointer), edge.value.pointer(&edge.pointer))
        {
            *slot = value.clone();
            if schema.is_valid(&grafted) {
                let below = format!("{}/", edge.pointer);
                let kept = |binding: &&Binding| {
                    binding.at != edge.pointer && !binding.at.starts_with(&below)
                };
                let bindings = step.bindings.iter().filter(kept).cloned().collect();
                return template::call(tool, grafted, bindings, role);
            }
        }
        template::call(tool, edge.value, Vec::new(), role)
    }

    fn negative_call(
        &mut self,
        tool: usize,
        role: Role,
        live: &Live,
        catalog: &Catalog,
        plan: &Plan,
    ) -> Option<(Step, Vec<Use>)> {
        let schema = catalog.tools[tool].input_schema()?;
        let (mut step, _) = self.call(tool, None, role, live, catalog, plan)?;
        let base = step.action.arguments()?.clone();
        let mutated = negative(schema, &base, &mut self.draw)?;
        let Action::CallTool { arguments, .. } = &mut step.action else {
            return None;
        };
        step.bindings
            .retain(|binding| base.pointer(&binding.at) == mutated.value.pointer(&binding.at));
        *arguments = mutated.value;
        // What many servers convert, or need not check, says nothing about a missing check.
        step.label = if mutated.coercible || mutated.advisory {
            Label::Unknown
        } else {
            Label::Invalid {
                pointer: mutated.pointer,
                keyword: mutated.keyword,
                mutation: mutated.mutation,
            }
        };
        if !matches!(step.role, Role::Subject { .. }) {
            step.role = Role::Call;
        }
        Some((step, Vec::new()))
    }

    /// Where a required reference has no value yet, plans a call that is likely to bring one, then `tool` again.
    fn insert_producer(
        &mut self,
        tool: usize,
        role: &Role,
        live: &mut Live,
        catalog: &Catalog,
    ) -> bool {
        if live.producers >= 3 || self.draw.chance(0.1) {
            return false;
        }
        let Some(producer) = self.missing_producer(tool, catalog) else {
            return false;
        };
        live.producers += 1;
        live.agenda.push_front(Planned::About { tool, step: None, role: role.clone() });
        live.agenda.push_front(Planned::About { tool: producer, step: None, role: Role::Call });
        true
    }

    fn missing_producer(&mut self, tool: usize, catalog: &Catalog) -> Option<usize> {
        let schema = catalog.tools[tool].input_schema()?;
        for parameter in schema.parameters().iter().filter(|p| p.required && p.choices.is_empty()) {
            let key = self.links.param(
                tool,
                &self.intents[tool],
                &parameter.pointer,
                !parameter.hints.is_empty(),
            );
            self.links.refresh(key);
            let param = self.links.get(key);
            let live = param.paths.iter().any(|(path, _)| self.corpus.has_live(*path));
            let works_without = param.hints.ok + param.schema.ok + param.known.ok > 0;
            if !param.reference || live || works_without {
                continue;
            }
            let learned = param.paths.iter().filter(|(_, arm)| arm.ok > 0);
            let learned = learned
                .max_by(|a, b| a.1.mean().total_cmp(&b.1.mean()))
                .and_then(|(path, _)| self.links.paths[path.0 as usize].tool);
            let producer = learned.or_else(|| self.producer_by_name(tool, &parameter.path_tokens));
            if let Some(producer) = producer.filter(|p| *p != tool && self.callable.contains(p)) {
                return Some(producer);
            }
        }
        None
    }

    /// A tool whose name says that it makes or lists what `words` are about.
    fn producer_by_name(&mut self, tool: usize, words: &[String]) -> Option<usize> {
        let generic = |word: &String| matches!(word.as_str(), "id" | "uuid" | "name" | "key");
        let nouns: Vec<&String> =
            words.iter().filter(|w| !generic(w)).chain(self.intents[tool].nouns.last()).collect();
        let makes = |t: &&usize| {
            let intent = &self.intents[**t];
            **t != tool
                && matches!(intent.verb, Verb::Create | Verb::List)
                && intent.nouns.iter().any(|noun| nouns.contains(&noun))
        };
        let candidates: Vec<usize> = self.callable.iter().filter(makes).copied().collect();
        (!candidates.is_empty()).then(|| candidates[self.draw.index(candidates.len())])
    }

    /// Learns from the latest step of a sequence and plans what should follow it.
    pub(crate) fn learn(
        &mut self,
        live: &mut Live,
        uses: &[Use],
        outcome: Outcome,
        catalog: &Catalog,
        plan: &Plan,
    ) {
        let index = live.history.len() - 1;
        let tool = live.history[index]
            .0
            .action
            .tool()
            .and_then(|name| catalog.tool(name))
            .map(|tool| tool.index);
        if let Some(tool) = tool {
            let elapsed = live.history[index].1.elapsed;
            self.feedback[tool].learn(outcome, elapsed, &mut self.transitions);
            if live.history[index].0.label == Label::Valid {
                learn_choices(
                    &mut self.links,
                    &mut self.known,
                    uses,
                    live.history[index].0.action.arguments().unwrap_or(&Value::Null),
                    &live.history[index].1,
                    outcome,
                );
            }
        }
        let objects = self.mine(live, index, tool, outcome, plan);
        live.objects.push(objects);
        if let (Some(tool), OutcomeKind::Ok) = (tool, outcome.kind) {
            self.follow_up(live, index, tool);
        }
    }

    /// Takes the values of a step into the corpus; returns the objects that the step is about.
    fn mine(
        &mut self,
        live: &Live,
        index: usize,
        tool: Option<usize>,
        outcome: Outcome,
        plan: &Plan,
    ) -> Vec<u32> {
        let (step, exchange) = &live.history[index];
        let mut about: Vec<u32> = Vec::new();
        for binding in &step.bindings {
            about.extend(live.objects.get(binding.step).into_iter().flatten().take(4));
        }
        let worth = matches!(
            outcome.kind,
            OutcomeKind::Ok | OutcomeKind::ToolError | OutcomeKind::SoftError
        );
        if !worth {
            return about;
        }
        let mut mined: Vec<(Mined, bool)> =
            mine::answer(exchange, plan.input.state_machine_config.mine_text)
                .into_iter()
                .map(|m| (m, false))
                .collect();
        if outcome.kind == OutcomeKind::Ok
            && let Some(arguments) = step.action.arguments()
        {
            mined.extend(mine::arguments(arguments).into_iter().map(|m| (m, true)));
        }
        let highest = mined.iter().flat_map(|(m, _)| m.objects.iter().copied()).max().unwrap_or(0);
        let base = self.corpus.reserve_objects(highest + 1);
        let whole = base + highest + 1;
        let nouns = tool.map(|tool| self.intents[tool].nouns.clone()).unwrap_or_default();
        let prefix = if outcome.kind == OutcomeKind::Ok { "" } else { "error/" };
        for (value, argument) in mined {
            let path = format!("{prefix}{}", value.path);
            let path = self.links.path(tool, &nouns, &path, argument);
            let mut objects: Vec<u32> = value.objects.iter().map(|o| o + base).collect();
            objects.push(whole);
            self.corpus.add(Entry {
                value: value.value,
                path,
                step: Some(index),
                source: value.source,
                objects,
                stale: false,
            });
        }
        about.push(whole);
        about
    }

    /// Plans what is worth a look right after a success.
    fn follow_up(&mut self, live: &mut Live, index: usize, tool: usize) {
        let intent = &self.intents[tool];
        let step = &live.history[index].0;
        if intent.looks_read_only() {
            if !matches!(step.role, Role::Observe { .. }) && live.reads.len() < 64 {
                live.reads.push(View { step: index, tool });
            }
            return;
        }
        if intent.verb == Verb::Delete {
            for value in step
                .action
                .arguments()
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(|members| members.values())
            {
                self.corpus.mark_stale(value);
            }
        }
        if live.phase != Phase::Stateful
            || !matches!(step.role, Role::Call | Role::Boundary { .. })
            || !live.agenda.is_empty()
        {
            return;
        }
        if matches!(intent.verb, Verb::Create | Verb::Update) {
            live.focus = live.objects.last().and_then(|objects| objects.last().copied());
        }
        self.plan_look(live, index, tool);
    }

    fn plan_look(&mut self, live: &mut Live, index: usize, tool: usize) {
        let edge = matches!(live.history[index].0.role, Role::Boundary { .. });
        if self.intents[tool].verb == Verb::Delete && self.draw.chance(0.35) {
            live.agenda.push_back(Planned::Again { step: index, role: Role::Call });
        }
        let readers: Vec<usize> = self
            .callable
            .iter()
            .copied()
            .filter(|t| {
                *t != tool
                    && self.intents[*t].looks_read_only()
                    && self.intents[*t].shares_noun(&self.intents[tool])
            })
            .collect();
        if !readers.is_empty() && self.draw.chance(if edge { 0.8 } else { 0.4 }) {
            let reader = readers[self.draw.index(readers.len())];
            live.agenda.push_back(Planned::About {
                tool: reader,
                step: Some(index),
                role: Role::Call,
            });
        }
    }

    /// What was learned, strongest links first, and how many values there were.
    pub(crate) fn report(&self, catalog: &Catalog) -> crate::result::CorpusReport {
        let name = |tool: usize| catalog.tools[tool].name.as_str();
        let mut links = Vec::new();
        for param in &self.links.params {
            for (path, arm) in param.paths.iter().filter(|(_, arm)| arm.ok > 0) {
                let path = &self.links.paths[path.0 as usize];
                let kind = if path.argument { "argument " } else { "" };
                links.push(crate::result::CorpusLink {
                    from: format!("{} {kind}{}", path.tool.map_or("server", name), path.path),
                    to: format!("{} {}", name(param.tool), param.pointer),
                    uses: u64::from(arm.uses),
                    ok: u64::from(arm.ok),
                });
            }
        }
        links.sort_by(|a, b| {
            b.ok.cmp(&a.ok).then_with(|| a.from.cmp(&b.from)).then_with(|| a.to.cmp(&b.to))
        });
        links.truncate(40);
        crate::result::CorpusReport { values: self.corpus.total, links, dump: None }
    }
}

/// Whether an edge is one that programs often stumble over.
fn is_telling(edge: &Boundary) -> bool {
    matches!(
        edge.edge.as_str(),
        "minimum"
            | "maximum"
            | "empty string"
            | "longest string"
            | "longest string of astral characters"
            | "explicit default"
            | "only this optional"
            | "empty array"
            | "no optional parameter"
            | "all optional parameters"
            | "null"
            | "true"
            | "false"
    ) || edge.edge.starts_with("choice ")
}
