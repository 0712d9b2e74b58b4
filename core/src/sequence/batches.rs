//! Batches: a list of several items of which the last is one that the server is to refuse. Either all are taken or none, so the call
//! stands between looks.

use super::live::Live;
use super::mind::Mind;
use super::template::{self, check};
use crate::case::{Action, Label, Role, Step};
use crate::catalog::{Catalog, Tool};
use crate::generate::negatives;
use crate::pointer::{Places, join};
use crate::schema::{CompiledSchema, Parameter};
use serde_json::{Map, Value};

/// Good items before the one that is spoilt.
const GOOD: usize = 2;
/// Calls that are made up for their items.
const DRAWS: usize = 4;

/// The member of a tool's arguments that is a list of objects, or of names of things.
pub(super) fn list_of(tool: &Tool) -> Option<String> {
    let schema = tool.input_schema()?;
    schema.parameters().iter().filter(|p| p.in_array).find_map(|parameter| {
        let mut parts = parameter.pointer.split('/').skip(1);
        let (list, index, inside) = (parts.next()?, parts.next()?, parts.next().is_some());
        let named = || super::words::is_reference(&parameter.name) || speaks(parameter);
        (index == "0" && (inside || named())).then(|| crate::pointer::unescape(list))
    })
}

fn speaks(parameter: &Parameter) -> bool {
    parameter.description.as_deref().is_some_and(super::words::speaks_of_an_id)
}

impl Mind {
    /// Plans a batch; tells whether it did.
    pub(super) fn plan_batch(&mut self, tool: usize, live: &mut Live, catalog: &Catalog) -> bool {
        let (Some(schema), Some(list)) =
            (catalog.tools[tool].input_schema(), list_of(&catalog.tools[tool]))
        else {
            return false;
        };
        let turn = self.count_batch(tool);
        let Some(sound) = self.several(tool, &list, live, catalog) else {
            return false;
        };
        let spoilt = (0..3).find_map(|more| match (turn + more) % 3 {
            0 => self.with_a_missing(tool, schema, &list, &sound),
            1 => self.with_a_fault(schema, &list, &sound),
            _ => with_a_twin(schema, &list, &sound),
        });
        let Some(spoilt) = spoilt else {
            return false;
        };
        let readers = self.readers(tool, catalog);
        let script = template::script_of(check::FAILED_CALL, spoilt, None, &readers);
        live.put_first(script);
        !readers.is_empty()
    }

    /// A valid call whose list has one item more than is good.
    fn several(&mut self, tool: usize, list: &str, live: &Live, catalog: &Catalog) -> Option<Step> {
        let at = join("", list);
        let mut made: Option<Step> = None;
        for _ in 0..DRAWS {
            self.sure = true;
            let (step, _) = self.plain_call(tool, None, Role::Call, live, catalog)?;
            let own = step.action.arguments()?.place(&at).and_then(Value::as_array);
            let Some(items) = own.filter(|items| !items.is_empty()).cloned() else {
                continue;
            };
            let Some(made) = made.as_mut() else {
                made = Some(step);
                continue;
            };
            let slot = made.action.arguments_mut()?.place_mut(&at)?.as_array_mut()?;
            for (number, item) in items.into_iter().enumerate() {
                if slot.contains(&item) || slot.len() > GOOD {
                    continue;
                }
                let (from, to) = (format!("{at}/{number}"), format!("{at}/{}", slot.len()));
                slot.push(item);
                for binding in &step.bindings {
                    if let Some(rest) = inside(&binding.at, &from) {
                        let at = format!("{to}{rest}");
                        made.bindings.push(crate::case::Binding { at, ..binding.clone() });
                    }
                }
            }
        }
        let mut step = made?;
        let slot = step.action.arguments_mut()?.place_mut(&at)?.as_array_mut()?;
        slot.truncate(GOOD + 1);
        // What all items have in common may be all that there is.
        while slot.len() <= GOOD {
            let again = slot.first()?.clone();
            slot.push(again);
        }
        let arguments = step.action.arguments()?.clone();
        step.bindings.retain(|binding| arguments.place(&binding.at).is_some());
        catalog.tools[tool].input_schema()?.is_valid(&arguments).then_some(step)
    }

    /// The last item names something that is not there.
    fn with_a_missing(
        &mut self,
        tool: usize,
        schema: &CompiledSchema,
        list: &str,
        sound: &Step,
    ) -> Option<Step> {
        let first = format!("{}/0", join("", list));
        let mut places: Vec<(String, Value)> = Vec::new();
        for parameter in schema.parameters().iter().filter(|p| p.choices.is_empty()) {
            let Some(rest) = inside(&parameter.pointer, &first) else {
                continue;
            };
            let key = self.key_of(tool, parameter);
            self.links.refresh(key);
            let points = self.links.get(key).points_elsewhere() || speaks(parameter);
            if points {
                let live = self.links.get(key).likely().flat_map(|(p, _)| self.corpus.of_path(*p));
                let known = live.map(|entry| &entry.value).last();
                places.push((rest.to_owned(), missing(known, parameter, 0)));
            }
        }
        let (rest, value) = self.draw.pick(&places)?.clone();
        spoil(schema, list, sound, |item| put(item, &rest, value))
    }

    /// The last item breaks the schema.
    fn with_a_fault(&mut self, schema: &CompiledSchema, list: &str, sound: &Step) -> Option<Step> {
        let arguments = sound.action.arguments()?;
        let last = format!("{}/{GOOD}", join("", list));
        let mut faults = negatives(schema, arguments);
        faults.retain(|fault| {
            inside(&fault.pointer, &last).is_some() && !fault.coercible && !fault.advisory
        });
        let fault = self.draw.pick(&faults)?.clone();
        let mut step = sound.clone();
        step.bindings.retain(|b| arguments.place(&b.at) == fault.value.place(&b.at));
        *step.action.arguments_mut()? = fault.value;
        step.label = Label::Invalid {
            pointer: fault.pointer,
            keyword: fault.keyword,
            mutation: fault.mutation,
        };
        Some(step)
    }
}

/// The last item is the first one again.
fn with_a_twin(schema: &CompiledSchema, list: &str, sound: &Step) -> Option<Step> {
    let first = sound.action.arguments()?.place(&format!("{}/0", join("", list)))?.clone();
    spoil(schema, list, sound, |item| {
        *item = first;
        Some(())
    })
}

/// The call with another last item, where the schema allows it.
fn spoil(
    schema: &CompiledSchema,
    list: &str,
    sound: &Step,
    edit: impl FnOnce(&mut Value) -> Option<()>,
) -> Option<Step> {
    let mut step = sound.clone();
    let last = format!("{}/{GOOD}", join("", list));
    let Action::CallTool { arguments, .. } = &mut step.action else {
        return None;
    };
    edit(arguments.place_mut(&last)?)?;
    step.bindings.retain(|binding| inside(&binding.at, &last).is_none());
    schema.is_valid(arguments).then_some(step)
}

/// What follows `place` in a pointer to it or into it.
fn inside<'p>(pointer: &'p str, place: &str) -> Option<&'p str> {
    pointer.strip_prefix(place).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Puts a value where a pointer leads, with what is missing on the way.
fn put(item: &mut Value, rest: &str, value: Value) -> Option<()> {
    let mut slot = item;
    for token in rest.split('/').skip(1) {
        if token == "0" && !slot.is_object() {
            if !slot.is_array() {
                *slot = Value::Array(Vec::new());
            }
            let items = slot.as_array_mut()?;
            if items.is_empty() {
                items.push(Value::Null);
            }
            slot = items.first_mut()?;
            continue;
        }
        if !slot.is_object() {
            *slot = Value::Object(Map::new());
        }
        let name = crate::pointer::unescape(token);
        slot = slot.as_object_mut()?.entry(name).or_insert(Value::Null);
    }
    *slot = value;
    Some(())
}

/// A name that nothing has, of the same make as one that something has; each `turn` another.
pub(super) fn missing(known: Option<&Value>, parameter: &Parameter, turn: u32) -> Value {
    let number = parameter.types.contains(crate::schema::JsonTypes::of(&Value::from(1)));
    let far = 987_654_321 - i64::from(turn);
    match known {
        Some(Value::String(text)) if text.bytes().any(|b| b.is_ascii_digit()) => {
            let other = |c: char| match c {
                '0'..='8' if turn.is_multiple_of(2) => '9',
                '9' => '8',
                '0'..='8' => '7',
                c => c,
            };
            let changed: String = text.chars().map(other).collect();
            // Counters are short, and may come so far.
            let counts = changed.len() < 8;
            Value::from(if counts { format!("{changed}{}", 987 - turn) } else { changed })
        }
        Some(Value::Number(_)) => Value::from(far),
        None if number => Value::from(far),
        _ if turn == 0 => Value::from("nothing-of-that-name"),
        _ => Value::from(format!("nothing-of-that-name-{turn}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_put_where_nothing_was() {
        let mut item = json!({"content": "a"});
        put(&mut item, "/depends_on/0", json!("T-9")).expect("there is room");
        assert_eq!(item, json!({"content": "a", "depends_on": ["T-9"]}));
        let mut name = json!("T-1");
        put(&mut name, "", json!("T-9")).expect("it is replaced");
        assert_eq!(name, json!("T-9"));
    }

    #[test]
    fn only_what_is_inside_is_inside() {
        assert_eq!(inside("/tasks/1/id", "/tasks/1"), Some("/id"));
        assert_eq!(inside("/tasks/10/id", "/tasks/1"), None);
    }
}
