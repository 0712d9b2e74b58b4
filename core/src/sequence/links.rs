//! Links: which values of which answers serve which parameters; a prior from names, corrected by what happens.
//!
//! Each choice is an arm of a bandit with a Beta posterior; Thompson sampling picks among the arms of a parameter.

use super::corpus::{Corpus, Entry};
use super::intent::{Intent, Verb};
use super::words::{self, is_id, leaf_words, param_words, path_words, similarity};
use crate::catalog::Catalog;
use crate::generate::Draw;
use crate::schema::{CompiledSchema, JsonTypes};
use rustc_hash::FxHashMap;

/// Number of a parameter in [`Links`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamKey(pub u32);

/// Number of a value path in [`Links`]: a tool and a masked place in its answers (or arguments).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathKey(pub u32);

/// Successes and failures with a prior: a Beta distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    good: f32,
    bad: f32,
    /// Uses so far.
    pub uses: u32,
    /// Uses in calls that succeeded.
    pub ok: u32,
}

impl Arm {
    /// An arm with a prior of `good` successes and `bad` failures.
    pub fn new(good: f32, bad: f32) -> Self {
        Self { good, bad, uses: 0, ok: 0 }
    }

    /// A draw from (a normal approximation of) the posterior.
    pub fn sample(&self, draw: &mut Draw) -> f32 {
        let sum = self.good + self.bad;
        let mean = self.good / sum;
        let deviation = (mean * (1.0 - mean) / (sum + 1.0)).sqrt();
        mean + deviation * normal(draw)
    }

    /// Adds an outcome with a weight from 0 to 1.
    pub fn learn(&mut self, success: bool, weight: f32) {
        self.uses += 1;
        if success {
            self.ok += 1;
            self.good += weight;
        } else {
            self.bad += weight;
        }
        // Old evidence fades, so that a link that stops working is left again.
        if self.good + self.bad > 60.0 {
            self.good *= 0.5;
            self.bad *= 0.5;
        }
    }

    /// Whether a parameter's values come from there.
    pub fn is_likely(&self) -> bool {
        self.mean() >= LIKELY
    }

    /// The mean of the posterior.
    pub fn mean(&self) -> f32 {
        self.good / (self.good + self.bad)
    }
}

/// About a standard normal number: the sum of four uniform ones, scaled.
fn normal(draw: &mut Draw) -> f32 {
    let bits = draw.bits();
    let part =
        |shift: u32| f32::from(u16::try_from((bits >> shift) & 0xffff).unwrap_or(0)) / 65_536.0;
    (part(0) + part(16) + part(32) + part(48) - 2.0) * 1.732
}

/// A parameter of a tool.
#[derive(Debug, Clone)]
pub struct ParamLinks {
    /// The tool's position in the catalog.
    pub tool: usize,
    /// Its JSON Pointer in the arguments, array indices as 0.
    pub pointer: String,
    /// The words of its name, with the tool's nouns where the name alone says little.
    words: Vec<String>,
    /// Whether it names something that must exist: an id, a path, a URI.
    pub reference: bool,
    /// Values the schema allows.
    pub schema: Arm,
    /// Values that the schema's or description's words suggest.
    pub hints: Arm,
    /// Values of earlier calls that succeeded.
    pub known: Arm,
    /// Any value of the right type.
    pub any: Arm,
    /// Leaving the parameter out.
    pub omit: Arm,
    /// Arms of value paths, with the similarity of names; only those worth trying.
    pub paths: Vec<(PathKey, Arm)>,
    /// The things that the tool is about.
    nouns: Vec<String>,
    /// Whether errors told that it names something that must exist.
    points: bool,
    /// Up to which path number `paths` was filled.
    seen_paths: u32,
}

/// A place in a tool's answers or arguments.
#[derive(Debug, Clone)]
pub struct PathLinks {
    /// The tool's position in the catalog; none for resources, prompts, seeds.
    pub tool: Option<usize>,
    /// The masked place, for example `items/*/id`.
    pub path: String,
    /// Whether it is a place in arguments.
    pub argument: bool,
    /// The first of the paths that stand for the same thing, itself if there is none before it: those share values and arms.
    pub first: PathKey,
    /// Whether others share its values.
    pub shared: bool,
    words: Vec<String>,
}

impl PathLinks {
    /// Whether its values are ids.
    pub fn is_of_id(&self) -> bool {
        is_id(&self.words) && !self.is_of_error()
    }

    /// Whether its values stood in refusals.
    pub fn is_of_error(&self) -> bool {
        self.path.starts_with(ERROR)
    }
}

/// From this mean on, a path is one that a parameter's values come from.
const LIKELY: f32 = 0.45;

/// What the paths of values in refusals begin with.
pub const ERROR: &str = "error/";

/// All parameters and value paths of a run, with what was learned of them.
#[derive(Debug, Default, Clone)]
pub struct Links {
    /// Parameters by number.
    pub params: Vec<ParamLinks>,
    /// Paths by number.
    pub paths: Vec<PathLinks>,
    /// By tool, then by pointer.
    param_numbers: Vec<FxHashMap<String, ParamKey>>,
    /// By tool and whether it is a place in arguments, then by place.
    path_numbers: FxHashMap<(Option<usize>, bool), FxHashMap<String, PathKey>>,
    /// The first of the places in arguments that stand for the same thing.
    alike: FxHashMap<Alike, PathKey>,
}

/// What places in arguments of several tools must have in common to stand for the same thing: place and words, and of tools that
/// make things also what those make, since such a call may bring what another one needs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Alike {
    path: String,
    words: Vec<String>,
    makes: Option<Vec<String>>,
}

impl Links {
    /// The number of the parameter at `pointer` of tool `tool`.
    pub fn param(&mut self, tool: usize, intent: &Intent, pointer: &str, hinted: bool) -> ParamKey {
        if self.param_numbers.len() <= tool {
            self.param_numbers.resize_with(tool + 1, FxHashMap::default);
        }
        let numbers = &mut self.param_numbers[tool];
        if let Some(key) = numbers.get(pointer) {
            return *key;
        }
        let key = ParamKey(u32::try_from(self.params.len()).unwrap_or(u32::MAX));
        self.params.push(ParamLinks::new(tool, intent, pointer, hinted));
        numbers.insert(pointer.to_owned(), key);
        key
    }

    /// The number of the path `path` of tool `tool`, which is for `intent`.
    pub fn path(
        &mut self,
        tool: Option<usize>,
        intent: Option<&Intent>,
        path: &str,
        argument: bool,
    ) -> PathKey {
        let numbers = self.path_numbers.entry((tool, argument)).or_default();
        if let Some(key) = numbers.get(path) {
            return *key;
        }
        let key = PathKey(u32::try_from(self.paths.len()).unwrap_or(u32::MAX));
        numbers.insert(path.to_owned(), key);
        let path = path.to_owned();
        let words = path_words(&path, intent.map_or(&[], |intent| &intent.nouns));
        let mut first = key;
        if let Some(intent) = intent.filter(|_| argument) {
            let makes = (intent.verb == Verb::Create).then(|| intent.nouns.clone());
            let alike = Alike { path: path.clone(), words: words.clone(), makes };
            first = *self.alike.entry(alike).or_insert(key);
        }
        if first != key {
            self.paths[first.0 as usize].shared = true;
        }
        self.paths.push(PathLinks { tool, path, argument, first, shared: false, words });
        key
    }

    /// The first of the paths that stand for the same thing as this one.
    pub fn first(&self, path: PathKey) -> PathKey {
        self.paths[path.0 as usize].first
    }

    /// Brings the arms of a parameter up to date with the paths seen since.
    pub fn refresh(&mut self, param: ParamKey) {
        let param = &mut self.params[param.0 as usize];
        let count = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        for number in param.seen_paths..count {
            let path = &self.paths[number as usize];
            if path.first.0 != number {
                continue;
            }
            let likeness = similarity(&param.words, &path.words).max(param.pointing(&path.words));
            let known = param.points && param.paths.iter().any(|(key, _)| key.0 == number);
            if likeness >= 0.2 && !known {
                let echo = if path.argument { 0.8 } else { 1.0 };
                let good = 0.3 + 4.0 * likeness.powf(1.5) * echo;
                param.paths.push((PathKey(number), Arm::new(good, 1.6)));
            }
        }
        param.seen_paths = count;
    }

    /// Learns from an error that a parameter names something that must exist, whatever it is called: from now on it may take
    /// any id.
    pub fn learn_pointing(&mut self, param: ParamKey) {
        let param = self.get_mut(param);
        if !param.points && !param.reference {
            param.points = true;
            param.schema = Arm::new(0.5, 2.5);
            param.seen_paths = 0;
        }
    }

    /// What is known of a parameter.
    pub fn get(&self, param: ParamKey) -> &ParamLinks {
        &self.params[param.0 as usize]
    }

    /// As [`Links::get`], to learn.
    pub fn get_mut(&mut self, param: ParamKey) -> &mut ParamLinks {
        &mut self.params[param.0 as usize]
    }

    /// Learns that a value of `path` was used for `param`.
    pub fn learn_path(&mut self, param: ParamKey, path: PathKey, success: bool, weight: f32) {
        let param = self.get_mut(param);
        match param.paths.iter_mut().find(|(key, _)| *key == path) {
            Some((_, arm)) => arm.learn(success, weight),
            // A lucky find outside of the likely paths becomes one of them.
            None if success => {
                let mut arm = Arm::new(1.0, 1.0);
                arm.learn(true, 1.0);
                param.paths.push((path, arm));
            }
            None => {}
        }
    }
}

/// Learns from descriptions which parameters name something that must exist: "the id of the task that comes first".
pub(super) fn learn_descriptions(links: &mut Links, catalog: &Catalog, intents: &[Intent]) {
    for tool in &catalog.tools {
        let parameters = tool.input_schema().into_iter().flat_map(CompiledSchema::parameters);
        for parameter in parameters.filter(|p| p.choices.is_empty()) {
            if parameter.description.as_deref().is_some_and(words::speaks_of_an_id) {
                let hinted = !parameter.hints.is_empty();
                let key = links.param(tool.index, &intents[tool.index], &parameter.pointer, hinted);
                links.learn_pointing(key);
            }
        }
    }
}

impl ParamLinks {
    fn new(tool: usize, intent: &Intent, pointer: &str, hinted: bool) -> Self {
        let words = param_words(pointer, &intent.nouns);
        let own = leaf_words(pointer);
        let reference = words::names_existing(&own);
        Self {
            tool,
            pointer: pointer.to_owned(),
            words,
            reference,
            schema: if reference { Arm::new(0.5, 2.5) } else { Arm::new(2.0, 1.5) },
            // An example of an id in a description names something that is rarely there.
            hints: match (hinted, reference) {
                (false, _) => Arm::new(0.0, 1.0),
                (true, true) => Arm::new(0.7, 2.0),
                (true, false) => Arm::new(3.0, 1.5),
            },
            known: Arm::new(2.0, 1.5),
            any: Arm::new(0.3, 2.5),
            omit: Arm::new(2.0, 2.0),
            paths: Vec::new(),
            nouns: intent.nouns.clone(),
            points: false,
            seen_paths: 0,
        }
    }

    /// Whether a value of one of its likelier paths is at hand.
    pub fn has_live(&self, links: &Links, corpus: &Corpus, types: JsonTypes) -> bool {
        self.paths.iter().any(|(path, arm)| {
            let told = !links.paths[path.0 as usize].is_of_error();
            let fits = |entry: &Entry| !entry.stale && types.contains(JsonTypes::of(&entry.value));
            told && arm.is_likely() && corpus.of_path(*path).any(fits)
        })
    }

    /// The paths that its values come from.
    pub fn likely(&self) -> impl Iterator<Item = &(PathKey, Arm)> {
        self.paths.iter().filter(|(_, arm)| arm.is_likely())
    }

    /// The objects that have a value of one of its likelier paths, oldest first.
    pub fn live_objects(&self, corpus: &Corpus) -> Vec<u32> {
        let entries =
            self.likely().flat_map(|(path, _)| corpus.of_path(*path)).filter(|e| !e.stale);
        let mut objects: Vec<u32> = entries.flat_map(|e| e.objects.iter().copied()).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Whether it names something that must exist, by its name or by what errors told.
    pub fn points_elsewhere(&self) -> bool {
        self.reference || self.points
    }

    /// How likely values of a path are what this parameter points to, where errors told that it points to something.
    fn pointing(&self, path: &[String]) -> f32 {
        let id = is_id(path);
        match (self.points && id, path.iter().any(|word| self.nouns.contains(word))) {
            (false, _) => 0.0,
            (true, true) => 0.8,
            (true, false) => 0.3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_tells_that_a_parameter_points_to_something() {
        let intent = Intent::of_name("task-depends");
        let mut links = Links::default();
        let param = links.param(0, &intent, "/depends_on", false);
        let lists = Intent::of_name("list-tasks");
        let id = links.path(Some(1), Some(&lists), "tasks/*/id", false);
        links.refresh(param);
        assert!(links.get(param).paths.is_empty());
        links.learn_pointing(param);
        links.refresh(param);
        links.learn_pointing(param);
        links.refresh(param);
        assert_eq!(links.get(param).paths.iter().map(|(path, _)| *path).collect::<Vec<_>>(), [id]);
    }

    #[test]
    fn the_same_argument_of_several_tools_is_one_arm() {
        let mut links = Links::default();
        let mut argument =
            |tool, name, path| links.path(Some(tool), Some(&Intent::of_name(name)), path, true);
        let read = argument(0, "read-task", "project");
        let closed = argument(1, "close-task", "project");
        let made = argument(2, "create-task", "project");
        let made_again = argument(3, "add-task", "project");
        let (name, other) = (argument(0, "read-task", "name"), argument(4, "read-user", "name"));
        assert_ne!(read, closed);
        assert_eq!([read, closed].map(|path| links.first(path)), [read; 2]);
        assert_eq!([made, made_again].map(|path| links.first(path)), [made; 2]);
        assert_eq!([name, other].map(|path| links.first(path)), [name, other]);
        let param = links.param(5, &Intent::of_name("count-tasks"), "/project", false);
        links.refresh(param);
        let arms: Vec<PathKey> = links.get(param).paths.iter().map(|(path, _)| *path).collect();
        assert_eq!(arms, [read, made]);
    }

    #[test]
    fn an_id_goes_to_the_parameter_of_its_own_thing() {
        let words = |pointer: &str, nouns: &[&str]| {
            param_words(pointer, &nouns.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>())
        };
        let task_id = words("/task_id", &["comment"]);
        assert!(
            similarity(&task_id, &words("task/id", &[]))
                > similarity(&task_id, &words("project/id", &[]))
        );
        assert!(
            (similarity(&words("/id", &["task"]), &words("taskId", &["x"])) - 1.3).abs() < 1e-6
        );
        assert!(
            (similarity(&words("/id", &["task"]), &words("tasks/*/id", &["task"])) - 1.3).abs()
                < 1e-6
        );
    }
}
