//! Completions: values that the server itself offers for the arguments of its prompts and the variables of its templates.

use super::corpus::Entry;
use super::mind::Mind;
use crate::case::{Action, Source, Step};
use crate::catalog::Catalog;
use crate::exchange::Exchange;
use serde_json::{Value, json};

const METHOD: &str = "completion/complete";
/// Values kept of all answers.
const KEPT: usize = 100;

/// Questions for the values of every argument and variable, with nothing typed yet
/// (`completion/complete`, server/utilities/completion).
pub(crate) fn questions(catalog: &Catalog) -> Vec<Action> {
    let prompts = catalog.prompts.iter().flat_map(|prompt| {
        let arguments = prompt.raw.get("arguments").and_then(Value::as_array);
        let names = arguments.into_iter().flatten().filter_map(|a| a.get("name")?.as_str());
        names.map(|name| ask(&json!({"type": "ref/prompt", "name": prompt.name}), name))
    });
    let templates = catalog.templates.iter().flat_map(|template| {
        let uri = &template.uri_template;
        variables(uri).map(move |name| ask(&json!({"type": "ref/resource", "uri": uri}), name))
    });
    prompts.chain(templates).collect()
}

fn ask(of: &Value, argument: &str) -> Action {
    let params = json!({"ref": of, "argument": {"name": argument, "value": ""}});
    Action::Request { method: METHOD.to_owned(), params }
}

/// The names of a URI template's variables (RFC 6570).
fn variables(template: &str) -> impl Iterator<Item = &str> {
    let expressions = template.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    expressions
        .flat_map(|expression| {
            expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).split(',')
        })
        .map(|variable| variable.split([':', '*']).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
}

impl Mind {
    /// Keeps what a question was answered with: what a server offers outlives a session.
    pub(super) fn take_completions(&mut self, step: &Step, exchange: &Exchange) {
        let Action::Request { method, params } = &step.action else { return };
        let name = params.pointer("/argument/name").and_then(Value::as_str);
        let (METHOD, Some(name)) = (method.as_str(), name) else { return };
        let offered = exchange.result().and_then(|result| result.pointer("/completion/values"));
        let path = self.links.path(None, None, name, false);
        for value in offered.and_then(Value::as_array).into_iter().flatten() {
            let known = self.completions.iter().any(|known| *known == (path, value.clone()));
            if value.is_string() && !known && self.completions.len() < KEPT {
                self.completions.push((path, value.clone()));
            }
        }
    }

    /// Puts the values into the empty corpus of a sequence.
    pub(super) fn lay_out_completions(&mut self) {
        for (path, value) in &self.completions {
            self.corpus.add(Entry {
                value: value.clone(),
                path: *path,
                from: *path,
                step: None,
                source: Source::Argument { pointer: String::new() },
                objects: Vec::new(),
                stale: false,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::variables;

    #[test]
    fn variables_of_templates_have_no_operators_and_modifiers() {
        let names: Vec<&str> = variables("notes://{owner}{/path*}{?page,size:3}").collect();
        assert_eq!(names, ["owner", "path", "page", "size"]);
        assert_eq!(variables("notes://all").count(), 0);
    }
}
