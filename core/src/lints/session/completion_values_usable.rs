//! `completion_values_usable`.

use crate::catalog::Prompt;
use crate::exchange::Reply;
use crate::lints::look::declares;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, outcome, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::{Becomes, Probe, ProbeBinding, ProbeRequest, ProbeStep};
use serde_json::{Value, json};

lint! {
    /// A value that the server itself proposes is refused.
    ///
    /// Completions stand in a menu: who picks one expects it to work.
    CompletionValuesUsable(Probe, Disabled) {
        /// How many prompts and templates are tried at most.
        max: usize = 6,
    }
    spec: "server/utilities/completion", fix: "Propose only values that `prompts/get` and `resources/read` take."
}

impl Lint for CompletionValuesUsable {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !declares(context.server, "completions") {
            return Vec::new();
        }
        let prompts = context.catalog.prompts.iter().filter_map(|prompt| {
            let argument = only_argument(prompt)?;
            let reference = json!({"type": "ref/prompt", "name": prompt.name});
            let get = json!({"name": prompt.name, "arguments": {argument: null}});
            let place = format!("/arguments/{}", argument.replace('~', "~0").replace('/', "~1"));
            let steps = chain(reference, argument, "prompts/get", get, place, Becomes::Itself);
            Some(shared(format!("a completed argument of the prompt {:?}", prompt.name), steps))
        });
        let templates = context.catalog.templates.iter().filter_map(|template| {
            let variable = only_variable(&template.uri_template)?;
            let reference = json!({"type": "ref/resource", "uri": template.uri_template});
            let read = json!({"uri": template.uri_template});
            let becomes = Becomes::Variable(variable.to_owned());
            let steps =
                chain(reference, variable, "resources/read", read, "uri".to_owned(), becomes);
            Some(shared(format!("a completed variable of {:?}", template.uri_template), steps))
        });
        prompts.chain(templates).take(self.max).collect()
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        for (run, exchange) in asked(context) {
            if exchange.method != "completion/complete" && matches!(exchange.reply, Reply::Error(_))
            {
                problems.push(Problem::new(
                    exchange.method.clone(),
                    format!(
                        "{} with {} got {}",
                        exchange.method,
                        run.probe.name,
                        outcome(exchange)
                    ),
                ));
            }
        }
    }
}

/// A completion, and a request with its first value.
fn chain(
    reference: Value,
    name: &str,
    method: &str,
    params: Value,
    member: String,
    becomes: Becomes,
) -> Vec<ProbeStep> {
    let argument = json!({"name": name, "value": ""});
    let from = "/completion/values/0".to_owned();
    vec![
        ask("completion/complete", json!({"ref": reference, "argument": argument})),
        ProbeStep::Request(ProbeRequest {
            method: method.to_owned(),
            params,
            bindings: vec![ProbeBinding { step: 0, from, member, becomes }],
            ..ProbeRequest::default()
        }),
    ]
}

/// The argument to complete: values of several may not go together.
fn only_argument(prompt: &Prompt) -> Option<&str> {
    let arguments = prompt.raw.get("arguments")?.as_array()?;
    let required = |argument: &&Value| argument.get("required") == Some(&json!(true));
    let argument = match arguments.as_slice() {
        [only] => only,
        several => {
            let mut required = several.iter().filter(required);
            required.next().filter(|_| required.next().is_none())?
        }
    };
    argument.get("name")?.as_str()
}

/// The variable of a template that has only one, in a simple expression.
fn only_variable(template: &str) -> Option<&str> {
    let (_, rest) = template.split_once('{')?;
    let (name, rest) = rest.split_once('}')?;
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (is_name && !name.is_empty() && !rest.contains('{')).then_some(name)
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::catalog::ListKind;

    let completes = || {
        Scene::new()
            .capabilities(json!({"prompts": {}, "resources": {}, "completions": {}}))
            .item(ListKind::Prompts, json!({"name": "p", "arguments": [{"name": "a"}]}))
    };
    let templated = json!({"name": "t", "uriTemplate": "note://{id}"});
    Examples::of(&ENTRY)
        .flags(
            "a completed argument of the prompt",
            completes().answers(|method, _| match method {
                "completion/complete" => Reply::Result(json!({"completion": {"values": ["x"]}})),
                _ => error(-32602, "no such a"),
            }),
        )
        .flags(
            "a completed variable of \"note://{id}\"",
            Scene::new()
                .capabilities(json!({"resources": {}, "completions": {}}))
                .item(ListKind::Templates, templated)
                .answers(|method, _| match method {
                    "completion/complete" => {
                        Reply::Result(json!({"completion": {"values": ["x"]}}))
                    }
                    _ => error(-32002, "not found"),
                }),
        )
        .passes(completes().answers(|method, _| match method {
            "completion/complete" => Reply::Result(json!({"completion": {"values": ["x"]}})),
            _ => Reply::Result(json!({"messages": []})),
        }))
        .passes(Scene::new())
}
