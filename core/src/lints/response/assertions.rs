//! `assertions`.

use crate::input::{Assertion, AssertionSubject, Expectation};
use crate::lints::look::{call_result, same, show};
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::pointer::Members;
use crate::schema::{CompiledSchema, Dialect};
use serde_json::{Value, json};

lint! {
    /// A call breaks a rule of your own.
    ///
    /// Each rule compares the value at a JSON Pointer into the arguments (`on = "input"`), the result (`output`), its
    /// `structuredContent` (`structured_output`) or the calls of the sequence so far (`sequence`, an array of objects with
    /// `tool`, `input`, `output` and `structured_output`). Results with `isError: true` are left alone, and so are places
    /// that a sequence has not reached yet. The input document may hold rules, too; both are judged.
    Assertions(Response, Error) {
        /// The rules, for example `{ tools = ["sum"], on = "structured_output", pointer = "/total", expect = { equals = 3 } }`.
        rules: Vec<Assertion> = Vec::new(),
    }
    spec: "", fix: "Make the tool keep the rule, or change the rule."
}

impl Lint for Assertions {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let Some(tool) = context.step.and_then(|step| step.action.tool()) else {
            return;
        };
        if call_result(context).is_none() || context.exchange.is_tool_error() {
            return;
        }
        for rule in self.rules.iter().chain(&context.input.assertions) {
            let meant = rule.tools.is_empty()
                || rule.tools.iter().any(|pattern| crate::glob::matches(pattern, tool));
            if meant {
                problems.extend(broken(rule, context));
            }
        }
    }
}

/// What a rule has to say against an exchange.
fn broken(rule: &Assertion, context: &ResponseContext<'_>) -> Option<Problem> {
    let document = document(rule.on, context)?;
    let found = document.pointer(&rule.pointer);
    let missing =
        || found.map_or_else(|| "there is nothing".to_owned(), |v| format!("it is {}", show(v)));
    let complaint = match &rule.expect {
        Expectation::Exists(wanted) if *wanted == found.is_some() => return None,
        Expectation::Exists(true) => "should be there".to_owned(),
        Expectation::Exists(false) => format!("should not be there, but {}", missing()),
        // A sequence grows: what is not there yet may come.
        _ if found.is_none() && rule.on == AssertionSubject::Sequence => return None,
        Expectation::Equals(value) if found.is_some_and(|found| same(found, value)) => return None,
        Expectation::Equals(value) => format!("should be {}, but {}", show(value), missing()),
        Expectation::NotEquals(value) if found.is_none_or(|found| !same(found, value)) => {
            return None;
        }
        Expectation::NotEquals(value) => format!("should not be {}", show(value)),
        Expectation::Matches(schema) => mismatch(schema, found)?,
    };
    let place = if rule.pointer.is_empty() { "all".to_owned() } else { rule.pointer.clone() };
    let words = format!("{} of the {} {complaint}", place, noun(rule.on));
    let key = rule
        .name
        .clone()
        .unwrap_or_else(|| format!("{} {} {}", noun(rule.on), rule.pointer, json!(rule.expect)));
    let message =
        rule.name.as_ref().map_or_else(|| words.clone(), |name| format!("{name}: {words}"));
    Some(Problem::new(key, message))
}

/// Why a value does not match a schema; `None` where it does.
fn mismatch(schema: &Value, found: Option<&Value>) -> Option<String> {
    let Some(found) = found else {
        return Some("should match a schema, but there is nothing".to_owned());
    };
    match CompiledSchema::compile(schema, Dialect::Draft202012) {
        Ok(schema) => {
            let violations = schema.violations(found);
            let first = violations.first()?;
            Some(format!("does not match the rule's schema: {}", first.message))
        }
        Err(error) => {
            Some(format!("cannot be judged, since the rule's schema is no schema: {error}"))
        }
    }
}

fn noun(on: AssertionSubject) -> &'static str {
    match on {
        AssertionSubject::Input => "arguments",
        AssertionSubject::Output => "result",
        AssertionSubject::StructuredOutput => "structuredContent",
        AssertionSubject::Sequence => "sequence",
    }
}

/// The document that a rule's pointer points into; `None` where there is none to judge.
fn document(on: AssertionSubject, context: &ResponseContext<'_>) -> Option<Value> {
    let arguments = context.step?.action.arguments().cloned().unwrap_or_default();
    let result = call_result(context)?;
    let structured = |result: &Value| result.member("structuredContent").cloned();
    Some(match on {
        AssertionSubject::Input => arguments,
        AssertionSubject::Output => result.clone(),
        AssertionSubject::StructuredOutput => structured(result).unwrap_or_default(),
        AssertionSubject::Sequence => {
            let entry = |tool: Option<&str>, input: Value, output: &Value| json!({"tool": tool, "input": input, "output": output, "structured_output": structured(output)});
            let earlier = context.history.iter().map(|(step, exchange)| {
                let input = step.action.arguments().cloned().unwrap_or_default();
                entry(step.action.tool(), input, exchange.result().unwrap_or(&Value::Null))
            });
            let own = entry(context.step?.action.tool(), arguments, result);
            Value::Array(earlier.chain([own]).collect())
        }
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    let called = |rule: Value| {
        let result = json!({"content": [], "structuredContent": {"total": 3, "items": ["a"]}});
        Scene::new()
            .params(json!({ "rules": [rule] }))
            .after("add", json!({"n": 1}), json!({"content": []}))
            .call("sum", json!({"n": 2}), result)
    };
    let rule = |on: &str, pointer: &str, expect: Value| json!({"on": on, "pointer": pointer, "expect": expect});
    let named = json!({"name": "totals", "tools": ["su*"], "on": "structured_output", "pointer": "/total", "expect": {"equals": 4}});
    let other =
        json!({"tools": ["other"], "on": "output", "pointer": "", "expect": {"exists": false}});
    Examples::of(&ENTRY)
        .flags("totals: /total of the structuredContent should be 4, but it is 3", called(named))
        .flags(
            "/n of the arguments should not be there",
            called(rule("input", "/n", json!({"exists": false}))),
        )
        .flags(
            "/isError of the result should be there",
            called(rule("output", "/isError", json!({"exists": true}))),
        )
        .flags(
            "does not match",
            called(rule("structured_output", "/items", json!({"matches": {"maxItems": 0}}))),
        )
        .flags(
            "/0/tool of the sequence should not be \"add\"",
            called(rule("sequence", "/0/tool", json!({"not_equals": "add"}))),
        )
        .passes(called(rule("structured_output", "/total", json!({"equals": 3.0}))))
        .passes(called(rule("sequence", "/5/tool", json!({"equals": "sum"}))))
        .passes(called(rule(
            "structured_output",
            "/items",
            json!({"matches": {"items": {"type": "string"}}}),
        )))
        .passes(called(other))
        .passes(Scene::new().call("sum", json!({}), json!({"content": []})))
}
