//! Resources: what templates show of a thing that was made, and whether they show it still when it is gone.

use super::live::Live;
use super::mind::Mind;
use super::mine;
use super::template::Planned;
use crate::case::{Action, Label, Role, Step};
use crate::catalog::Catalog;
use crate::schema::{key_tokens, singular};
use crate::sequence::intent::{OWN_IDS, Verb};
use serde_json::{Value, json};

/// How often the resources of what a tool made, and of what it took away, are read.
const READS: u32 = 4;
/// Templates filled in at a time.
const TEMPLATES: usize = 3;

/// Under these names the reads are counted.
const MADE: &str = "resources of what was made";
const GONE: &str = "resources of what is gone";

impl Mind {
    /// Plans to read the resources that show what a step made or took away, and after the latter what resources there are.
    pub(super) fn plan_resources(
        &mut self,
        live: &mut Live,
        index: usize,
        (tool, verb): (usize, Verb),
        catalog: &Catalog,
    ) {
        let name = match verb {
            Verb::Create => MADE,
            Verb::Delete => GONE,
            _ => return,
        };
        let done = self.checks.get(&(tool, name)).copied().unwrap_or(0);
        if done >= READS || catalog.templates.is_empty() {
            return;
        }
        let (step, exchange) = &live.history[index];
        let intent = &self.intents[tool];
        // What a thing is in has resources of its own.
        let own = |path: &str| {
            let leaf = path.rsplit('/').next().unwrap_or_default();
            intent.nouns.is_empty() || intent.names_own(leaf) || leaf == "name"
        };
        let mut values = step.action.arguments().map(mine::arguments).unwrap_or_default();
        if verb == Verb::Create {
            values.extend(mine::answer(exchange, false));
        }
        values.retain(|mined| own(&mined.path));
        let templates = catalog.templates.iter();
        // A template of one kind of thing says nothing of another kind.
        let kinds = &self.kinds;
        let other = |thing: &str| {
            kinds.iter().flatten().any(|kind| kind == thing)
                && intent.nouns.last().is_some_and(|noun| noun != thing)
        };
        let filled = templates.filter_map(|t| filled(&t.uri_template, &values, &other));
        let mut planned: Vec<Action> =
            filled.take(TEMPLATES).map(|uri| Action::ReadResource { uri }).collect();
        if verb == Verb::Delete && !planned.is_empty() {
            let params = json!({});
            planned.push(Action::Request { method: "resources/list".to_owned(), params });
        }
        if planned.is_empty() {
            return;
        }
        *self.checks.entry((tool, name)).or_default() += 1;
        // The looks of a check belong together.
        let place = live.agenda.iter().take_while(|planned| is_of_script(planned)).count();
        for action in planned.into_iter().rev() {
            live.agenda.insert(place, Planned::Exact(Box::new(plain(action))));
        }
    }
}

pub(super) fn is_of_script(planned: &Planned) -> bool {
    matches!(
        planned,
        Planned::RepeatView { .. } | Planned::RepeatSubject { .. } | Planned::LookAtSubject { .. }
    )
}

fn plain(action: Action) -> Step {
    Step { action, bindings: Vec::new(), label: Label::Unknown, role: Role::Call, group: None }
}

/// Whether one of the parts of a URI is the value.
pub(crate) fn names(uri: &str, value: &Value) -> bool {
    let value = value.as_str().filter(|value| !value.is_empty());
    value.is_some_and(|value| uri.split(['/', '?', '&', '=', '#']).any(|part| part == value))
}

/// A template with its variables replaced by values of what a call made or took away; none where one of them has none.
fn filled(template: &str, values: &[mine::Mined], other: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut uri = String::new();
    let mut rest = template;
    let mut any = false;
    while let Some((before, after)) = rest.split_once('{') {
        let (expression, tail) = after.split_once('}')?;
        uri.push_str(before);
        let variable = expression.trim_start_matches('+');
        if !variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let thing = uri.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
        let noun = key_tokens(thing).pop().map(|word| singular(&word)).unwrap_or_default();
        if other(&noun) {
            return None;
        }
        let found = ranked(variable, &noun, values)?;
        uri.push_str(&found);
        any = true;
        rest = tail;
    }
    uri.push_str(rest);
    any.then_some(uri)
}

/// The value that fits a variable best: one of its name, one named for the thing that the template speaks of just before it, or an id.
fn ranked(variable: &str, noun: &str, values: &[mine::Mined]) -> Option<String> {
    let rank = |path: &str| {
        let leaf = path.rsplit('/').next().unwrap_or_default();
        let words = key_tokens(leaf);
        let of_thing = words.first().is_some_and(|word| word == noun)
            && words[1..].iter().all(|word| matches!(word.as_str(), "id" | "name" | "key"));
        if leaf == variable {
            Some(0)
        } else if of_thing {
            Some(1)
        } else {
            OWN_IDS.contains(&leaf).then_some(2)
        }
    };
    let plain = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '~');
        (!text.is_empty() && text.chars().all(safe)).then_some(text)
    };
    let ranked = values.iter().filter_map(|mined| Some((rank(&mined.path)?, plain(&mined.value)?)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Reply;
    use crate::lints::scene::exchange;

    fn uri(template: &str, sent: &Value, answered: &Value) -> Option<String> {
        let result = json!({"content": [], "structuredContent": answered});
        let mut values = mine::arguments(sent);
        let exchange = exchange("tools/call", json!({}), Reply::Result(result));
        values.extend(mine::answer(&exchange, false));
        filled(template, &values, &|thing| thing == "panel")
    }

    #[test]
    fn templates_are_filled_with_what_was_made() {
        let made = json!({"session": "s1", "pid": 7});
        assert_eq!(
            uri("wsh://sessions/{name}/screen", &json!({}), &made).as_deref(),
            Some("wsh://sessions/s1/screen")
        );
        assert_eq!(uri("note://{id}", &json!({}), &json!({"id": 3})).as_deref(), Some("note://3"));
        assert_eq!(uri("note://{slug}", &json!({"slug": "a"}), &made).as_deref(), Some("note://a"));
        assert_eq!(uri("note://{slug}", &json!({}), &made), None, "nothing fits");
        assert_eq!(
            uri("note://{slug}", &json!({"slug": "a/b"}), &made),
            None,
            "it would need escapes"
        );
        assert_eq!(uri("note://panels/{id}", &json!({"id": "a"}), &made), None, "another thing");
        assert_eq!(uri("note://all", &json!({}), &made), None);
    }

    #[test]
    fn a_uri_names_its_parts() {
        assert!(names("wsh://sessions/s1/screen", &json!("s1")));
        assert!(!names("wsh://sessions/s10/screen", &json!("s1")));
    }
}
