//! Edits: calls that quote a part of a text and say what it is to become, as two that change two parts of one text.

use super::pairs::free_text;
use crate::case::{Binding, Case, Phase, Role, Source, Step};
use crate::catalog::{Catalog, Tool};
use crate::generate::maximal;
use crate::pointer::{join, scalars};
use crate::schema::CompiledSchema;
use crate::sequence::exemplar::Exemplar;
use crate::sequence::mind::Mind;
use crate::sequence::template::call;
use crate::sequence::words::leaf_words;
use serde_json::{Map, Value};

/// Words for the part that an edit looks for.
const SOUGHT: &[&str] = &["old", "search", "find", "from", "original", "before", "existing"];
/// Words for what takes its place.
const PUT: &[&str] = &["new", "replace", "replacement", "to", "after", "with", "updated"];
/// What stands for the words that each session gets anew: the two parts, and what they become.
const STAND_INS: [&str; 4] = ["first part", "second part", "first text", "second text"];
/// Looks at the text after the edits.
const MOST_VIEWS: usize = 4;

/// Two edits of one text, each after the call that writes it, and looks at it.
pub(super) struct Edits {
    pub(super) a: Exemplar,
    pub(super) b: Exemplar,
    pub(super) views: Vec<Exemplar>,
}

/// The edits that these writers make of what others of them write; none where nothing shows the text.
pub(super) fn edits(
    mind: &Mind,
    catalog: &Catalog,
    writers: &[usize],
    readers: &[usize],
) -> Vec<Edits> {
    let of = |editor: &usize| {
        let edit = Edit::of(mind, &catalog.tools[*editor])?;
        let others = writers.iter().filter(|writer| *writer != editor);
        let mut texts = others.filter_map(|writer| written(mind, catalog, *writer, &edit));
        texts.find_map(|text| {
            let views = views(mind, catalog, readers, &text);
            let (a, b) = (edit.of_part(&text, 0)?, edit.of_part(&text, 1)?);
            (!views.is_empty()).then_some(Edits { a, b, views })
        })
    };
    writers.iter().filter_map(of).collect()
}

/// Puts these words in the place of the stand-ins.
pub(super) fn fill_in(case: &mut Case, words: &[String; 4]) {
    for arguments in case.steps.iter_mut().filter_map(|step| step.action.arguments_mut()) {
        for pointer in scalars(arguments) {
            if let Some(Value::String(text)) = arguments.pointer_mut(&pointer) {
                for (stand_in, word) in STAND_INS.iter().zip(words) {
                    *text = text.replace(stand_in, word);
                }
            }
        }
    }
}

/// A call that changes a part of a text.
struct Edit<'c> {
    tool: &'c Tool,
    schema: &'c CompiledSchema,
    /// No more than it takes.
    arguments: Value,
    /// Where the part that it looks for is.
    sought: String,
    /// Where its replacement is.
    put: String,
    /// The members that say which text: required strings besides.
    subject: Vec<String>,
}

impl<'c> Edit<'c> {
    fn of(mind: &Mind, tool: &'c Tool) -> Option<Self> {
        let schema = tool.input_schema()?;
        let known = mind.exemplars.of(tool.index).iter();
        let known = known.filter_map(|e| e.case.steps.last()?.action.arguments().cloned());
        known.chain(maximal(schema)).find_map(|arguments| Self::in_call(tool, schema, arguments))
    }

    fn in_call(tool: &'c Tool, schema: &'c CompiledSchema, mut arguments: Value) -> Option<Self> {
        let (sought, _) = places(&arguments)?;
        let holder = sought.split('/').nth(1)?.to_owned();
        let required = |name: &str| {
            schema.parameters().iter().any(|p| p.required && p.pointer == join("", name))
        };
        let beside_it = places(arguments.get(&holder)?).is_none();
        let members = arguments.as_object_mut()?;
        if let Some(Value::Array(items)) = members.get_mut(&holder) {
            items.retain(|item| places(item).is_some());
            items.truncate(1);
        }
        members.retain(|name, value| {
            let is_place = beside_it && (is_any(name, SOUGHT) || is_any(name, PUT));
            *name == holder || required(name) || (is_place && value.is_string())
        });
        let (sought, put) = places(&arguments)?;
        let is_subject = |(name, value): (&String, &Value)| {
            let place = join("", name);
            (value.is_string() && place != sought && place != put).then(|| name.clone())
        };
        let subject: Vec<String> = arguments.as_object()?.iter().filter_map(is_subject).collect();
        (!subject.is_empty()).then_some(Self { tool, schema, arguments, sought, put, subject })
    }

    /// The edit of the first or the second part of a text that was written.
    fn of_part(&self, text: &Written, part: usize) -> Option<Exemplar> {
        let mut arguments = self.arguments.clone();
        *arguments.pointer_mut(&self.sought)? = Value::from(STAND_INS[part]);
        *arguments.pointer_mut(&self.put)? = Value::from(STAND_INS[part + 2]);
        let case = text.followed_by(self.tool, arguments, &self.subject)?;
        let valid = self.schema.is_valid(case.steps.last()?.action.arguments()?);
        valid.then_some(Exemplar { tool: self.tool.index, case })
    }
}

/// Where arguments hold the part that is looked for, and beside it what takes its place.
fn places(arguments: &Value) -> Option<(String, String)> {
    let texts: Vec<String> = scalars(arguments)
        .into_iter()
        .filter(|pointer| arguments.pointer(pointer).is_some_and(Value::is_string))
        .collect();
    let parent = |pointer: &str| pointer.rsplit_once('/').map(|(parent, _)| parent.to_owned());
    let sought = texts.iter().find(|pointer| is_any(pointer, SOUGHT))?;
    let beside = |pointer: &&String| {
        *pointer != sought && parent(pointer) == parent(sought) && is_any(pointer, PUT)
    };
    Some((sought.clone(), texts.iter().find(beside)?.clone()))
}

fn is_any(place: &str, words: &[&str]) -> bool {
    leaf_words(place).iter().any(|word| words.contains(&word.as_str()))
}

/// A call that writes a text of two parts, with what it depends on.
struct Written {
    case: Case,
    /// The members that say which text, with their values.
    subject: Vec<(String, Value)>,
}

impl Written {
    /// The text written, then a call about it.
    fn followed_by(&self, tool: &Tool, mut arguments: Value, subject: &[String]) -> Option<Case> {
        let step = self.case.steps.len() - 1;
        let mut bindings = Vec::new();
        for (name, value) in self.subject.iter().filter(|(name, _)| subject.contains(name)) {
            arguments.as_object_mut()?.insert(name.clone(), value.clone());
            let at = join("", name);
            bindings.push(Binding { from: Source::Argument { pointer: at.clone() }, at, step });
        }
        let mut case = self.case.clone();
        case.steps.push(call(&tool.name, arguments, bindings, Role::Call));
        Some(case)
    }
}

/// The call of `writer` that writes the text which the edit is about, where it names its text as the edit does.
fn written(mind: &Mind, catalog: &Catalog, writer: usize, edit: &Edit<'_>) -> Option<Written> {
    let schema = catalog.tools[writer].input_schema()?;
    mind.exemplars.of(writer).iter().find_map(|exemplar| {
        let mut case = Case { phase: Phase::Parallel, ..exemplar.case.clone() };
        let last: &mut Step = case.steps.last_mut()?;
        let arguments = last.action.arguments()?.clone();
        let said = |name: &String| {
            let value = arguments.get(name).filter(|value| value.is_string())?;
            Some((name.clone(), value.clone()))
        };
        let subject: Vec<_> = edit.subject.iter().map(said).collect::<Option<_>>()?;
        let is_text = |place: &String| {
            place.matches('/').count() == 1
                && !subject.iter().any(|(name, _)| join("", name) == *place)
        };
        let place = free_text(last, catalog).find(is_text)?;
        let mut changed = arguments.clone();
        let text = format!("{}\n{}\n", STAND_INS[0], STAND_INS[1]);
        *changed.pointer_mut(&place)? = Value::from(text);
        last.bindings.retain(|binding| binding.at != place);
        let valid = schema.is_valid(&changed);
        *last.action.arguments_mut()? = changed;
        valid.then_some(Written { case, subject })
    })
}

/// Looks at a text: reads that need to be told nothing but which text.
fn views(mind: &Mind, catalog: &Catalog, readers: &[usize], text: &Written) -> Vec<Exemplar> {
    let named: Vec<String> = text.subject.iter().map(|(name, _)| name.clone()).collect();
    let look = |reader: &usize| {
        let tool = &catalog.tools[*reader];
        let schema = tool.input_schema()?;
        let case = text.followed_by(tool, Value::Object(Map::new()), &named)?;
        let valid = schema.is_valid(case.steps.last()?.action.arguments()?);
        valid.then_some(Exemplar { tool: *reader, case })
    };
    let writer = text.case.steps.last().and_then(|step| catalog.tool(step.action.tool()?));
    let mut looks: Vec<Exemplar> = readers.iter().filter_map(look).collect();
    looks.sort_by_key(|view| {
        let intents = &mind.intents;
        !writer.is_some_and(|writer| intents[view.tool].shares_noun(&intents[writer.index]))
    });
    looks.truncate(MOST_VIEWS);
    looks
}
