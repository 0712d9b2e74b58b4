//! Echoes: answers that tell the choice that a call was made with. Where one call shows that a tool does so, another shows what it
//! took instead.

use super::observed::{intent_of, is_look, is_ok, objects, tool_of};
use crate::case::Label;
use crate::catalog::Tool;
use crate::lints::{CaseContext, Problem};
use crate::pointer::join;
use crate::schema::{CompiledSchema, Parameter};
use crate::sequence::template::defaults;
use serde_json::Value;

/// Choices of a parameter that are told apart.
const CHOICES: std::ops::RangeInclusive<usize> = 2..=8;

/// The parameters of a tool with a few choices, by name.
fn chosen(tool: &Tool) -> impl Iterator<Item = (&str, &Parameter)> {
    let parameters = tool.input_schema().into_iter().flat_map(CompiledSchema::parameters);
    parameters.filter_map(|parameter| {
        let name = parameter.pointer.strip_prefix('/')?;
        let words = parameter.choices.iter().filter(|choice| choice.is_string()).count();
        (!name.contains(['/', '~']) && CHOICES.contains(&words)).then_some((name, parameter))
    })
}

/// The member of that name of the only document of an answer, where it is one of the choices.
fn echo(context: &CaseContext<'_>, at: usize, name: &str, choices: &[Value]) -> Option<Value> {
    let documents = objects(&context.execution.exchanges[at]);
    let [document] = documents.as_slice() else {
        return None;
    };
    document.get(name).filter(|value| value.is_string() && choices.contains(value)).cloned()
}

fn sent<'a>(context: &CaseContext<'a>, at: usize, name: &str) -> Option<&'a Value> {
    let arguments = context.execution.case.steps[at].action.arguments()?.as_object()?;
    arguments.get(name).filter(|value| !value.is_null())
}

/// Successful calls of the tool of a step before it, the latest first.
fn earlier<'a>(context: &'a CaseContext<'_>, at: usize) -> impl Iterator<Item = usize> + 'a {
    let name = tool_of(context.execution, at);
    (0..at).rev().filter(move |other| {
        is_ok(context.execution, *other)
            && context.execution.case.steps[*other].label == Label::Valid
            && tool_of(context.execution, *other) == name
    })
}

/// A read that was not told a choice, and answers that it took another one than the documented default; that it answers what it was
/// told shows another call.
pub(super) fn otherwise_than_default(context: &CaseContext<'_>, at: usize) -> Option<Problem> {
    let tool = context.catalog.tool(tool_of(context.execution, at))?;
    let members = context.execution.case.steps[at].action.arguments()?.as_object()?;
    chosen(tool).filter(|(name, _)| !members.contains_key(*name)).find_map(|(name, parameter)| {
        let (_, default) = defaults(tool).find(|(other, _)| *other == name)?;
        let told = echo(context, at, name, &parameter.choices)?;
        let echoes = |other: &usize| {
            let given = sent(context, *other, name);
            given == Some(default) && echo(context, *other, name, &parameter.choices).as_ref() == given
        };
        // Other choices may tell what this one is to be; what it is asked about does not.
        let steps = &context.execution.case.steps;
        let rest = |step: usize| {
            let mut rest = steps[step].action.arguments()?.as_object()?.clone();
            rest.shift_remove(name);
            for (other, value) in &mut rest {
                let at = join("", other);
                if steps[step].bindings.iter().any(|binding| binding.at == at) {
                    *value = Value::Null;
                }
            }
            Some(rest)
        };
        let after = at + 1..context.execution.exchanges.len();
        let other_way = after.filter(|other| {
            is_ok(context.execution, *other) && tool_of(context.execution, *other) == tool.name
        });
        let witness = earlier(context, at)
            .chain(other_way)
            .filter(|other| rest(*other) == rest(at))
            .find(echoes)?;
        let message = format!(
            "`{}` without `{name}` answers with `{name}`: {told}; the documented default is {default}",
            tool.name
        );
        (told != *default).then(|| {
            let step = at.max(witness);
            let problem = Problem::new(format!("default of {name}"), message).tool(&tool.name);
            problem.step(step).involving([at.min(witness)])
        })
    })
}

/// A change that was made twice with a choice, nothing but looks in between: the first answer shows the choice, the second another one.
pub(super) fn taken_once(context: &CaseContext<'_>, at: usize) -> Option<Problem> {
    let execution = context.execution;
    let steps = &execution.case.steps;
    let tool = context.catalog.tool(tool_of(execution, at))?;
    let first = earlier(context, at).next().filter(|other| {
        steps[*other].action == steps[at].action && steps[*other].group.is_none()
    })?;
    let quiet = |between: usize| {
        !is_ok(execution, between)
            || steps[between].action.tool().is_none()
            || is_look(&intent_of(context, between))
    };
    if steps[at].label != Label::Valid || !(first + 1..at).all(quiet) {
        return None;
    }
    chosen(tool).find_map(|(name, parameter)| {
        let given = sent(context, at, name)?;
        let shown = |step: usize| echo(context, step, name, &parameter.choices);
        let told = shown(at).filter(|told| told != given)?;
        let message = format!(
            "`{}` acknowledged `{name}`: {given} when called so once more, but its answer shows {told}; the first one showed {given}",
            tool.name
        );
        (shown(first).as_ref() == Some(given)).then(|| {
            let problem = Problem::new(format!("{name} taken once"), message);
            problem.tool(&tool.name).step(at).involving([first])
        })
    })
}

#[cfg(test)]
pub(super) mod scenes {
    use super::super::observed::{execution, structured};
    use crate::case::Role;
    use crate::lints::scene::Scene;
    use serde_json::{Value, json};

    fn choosing(name: &str, choices: &Value, default: Option<&str>) -> Value {
        let mut parameter = json!({"type": "string", "enum": choices});
        if let Some(default) = default {
            parameter["default"] = json!(default);
        }
        json!({"type": "object", "properties": {name: parameter}})
    }

    /// A mode that was set twice, and what the second answer shows.
    pub(in super::super) fn twice(shown: &str) -> Scene {
        let schema = choosing("mode", &json!(["capture", "release"]), None);
        let sets = json!({"name": "input_mode", "inputSchema": schema});
        let call = |shown: &str| {
            (
                "input_mode",
                Role::Call,
                json!({"mode": "capture"}),
                structured(json!({"mode": shown})),
            )
        };
        Scene::new().tool(sets).ran(execution(vec![call("capture"), call(shown)]))
    }

    /// A screen that is read in its documented default format and without a format, and what the latter shows.
    pub(in super::super) fn read(shown: &str) -> Scene {
        let schema = choosing("format", &json!(["plain", "styled"]), Some("plain"));
        let reads = json!({"name": "get_screen", "inputSchema": schema});
        let answer = |format: &str| structured(json!({"format": format}));
        Scene::new().tool(reads).ran(execution(vec![
            ("get_screen", Role::Call, json!({"format": "plain"}), answer("plain")),
            ("get_screen", Role::Call, json!({}), answer(shown)),
        ]))
    }
}
