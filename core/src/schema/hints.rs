//! Hints: values that are likely to mean something to a server, read from what its schemas and descriptions say.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::bounded::{Longer, bounded};
use super::{CompiledSchema, JsonTypes, Parameter, dictionary, files, statements};

/// Hints kept per parameter.
const MAX_HINTS: usize = 40;

/// Longest token taken from a description, in characters.
const MAX_TOKEN: usize = 120;

/// Longest list of values that is read, in characters, and longest examples.
const MAX_LIST: usize = 240;
const MAX_EXAMPLES: usize = 160;

/// Longest word before a bullet's explanation, in characters.
const MAX_HEAD: usize = 60;

/// Hints taken from the part of the tool's description that does not name the parameter.
const MAX_GENERAL: usize = 8;

/// Longest description that is read, in bytes.
const MAX_TEXT: usize = 20_000;

/// Fills in the hints of every parameter.
pub(super) fn fill(schema: &CompiledSchema, parameters: &mut [Parameter]) {
    let about = clipped(schema.about());
    let names: Vec<String> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
    for parameter in parameters {
        let candidates = candidates(parameter, about, &names);
        let mut hints: Vec<Value> = Vec::new();
        for candidate in candidates {
            if hints.len() >= MAX_HINTS {
                break;
            }
            if !hints.contains(&candidate) && schema.accepts(parameter, &candidate) {
                hints.push(candidate);
            }
        }
        parameter.hints = hints;
    }
}

/// Everything that may be a hint, the best first.
fn candidates(parameter: &Parameter, about: &str, names: &[String]) -> Vec<Value> {
    let mut found: Vec<Value> = parameter.examples.clone();
    found.extend(parameter.default.clone().filter(|value| !value.is_null()));
    found.extend(parameter.choices.iter().cloned());
    let described = clipped(parameter.description.as_deref().unwrap_or_default());
    let mut tokens = mine(described);
    let (near, far) = split_about(about, &parameter.name);
    tokens.extend(mine(&near));
    let mut general = quoted(&far);
    general.retain(|token| !names.contains(token));
    general.truncate(MAX_GENERAL);
    let masks = masks(described).into_iter().chain(masks(&near));
    let from_text = tokens
        .into_iter()
        .filter(|token| *token != parameter.name)
        .chain(masks.map(str::to_owned))
        .flat_map(|token| typed(&token, parameter.types))
        .collect::<Vec<_>>();
    let files = files::values(parameter, described, about);
    // A word out of a sentence is no path, where the kind of file is told.
    let told =
        from_text.iter().any(|value| value.as_str().is_some_and(|text| text.contains(['.', '/'])));
    let (first, then) =
        if files::is_path(parameter) && !told { (files, from_text) } else { (from_text, files) };
    found.extend(first);
    found.extend(then);
    let kinds = if names_a_kind(parameter) { enumerated(about) } else { Vec::new() };
    found.extend(kinds.into_iter().flat_map(|token| typed(&token, parameter.types)));
    found.extend(statements::statements(parameter, described, about));
    found.extend(dictionary::values(parameter, described));
    found.extend(general.into_iter().flat_map(|token| typed(&token, parameter.types)));
    found
}

/// Whether a parameter's name says that it takes one of a few words.
fn names_a_kind(parameter: &Parameter) -> bool {
    let kinds = ["type", "kind", "category", "mode", "action", "operation"];
    parameter.tokens.last().is_some_and(|word| kinds.contains(&word.as_str()))
}

static ENUMERATED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\w+)((?:,\s+\w+)+),?\s+(?:or|and)\s+(\w+)"));

/// The members of enumerations in running text: "a new bug, task, or epic".
fn enumerated(text: &str) -> Vec<String> {
    let members = |found: regex::Captures<'_>| -> Vec<String> {
        let middle = found[2].split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
        let ends = [found[1].to_owned(), found[3].to_owned()];
        middle.into_iter().chain(ends).filter(|word| !word.is_empty()).collect()
    };
    // Patterns are compiled where a text has what they need: together they take longer than a fast server's first calls.
    if !text.contains(',') {
        return Vec::new();
    }
    ENUMERATED.captures_iter(text).flat_map(members).take(MAX_GENERAL).collect()
}

fn clipped(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The lines of a tool's description that name the parameter, and the others.
fn split_about(about: &str, name: &str) -> (String, String) {
    let (mut near, mut far) = (String::new(), String::new());
    let plural = format!("{}s", name.to_lowercase());
    let names_it = |line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .any(|word| word == name || word.to_lowercase() == plural)
    };
    // A heading that names the parameter ("Actions:") speaks for the bullets below it.
    let mut headed = false;
    for line in about.lines() {
        let named = !name.is_empty() && names_it(line);
        let bullet = line.trim_start().starts_with(['-', '*', '•']);
        headed = if named { line.trim_end().ends_with(':') } else { headed && bullet };
        let part = if named || headed { &mut near } else { &mut far };
        part.push_str(line);
        part.push('\n');
    }
    (near, far)
}

/// The values that a token may stand for, given the types that are allowed.
fn typed(token: &str, types: JsonTypes) -> Vec<Value> {
    let mut values = Vec::new();
    let structured = types.intersects(JsonTypes::ARRAY.with(JsonTypes::OBJECT));
    if let Ok(parsed) = serde_json::from_str::<Value>(token) {
        let is_structure = parsed.is_array() || parsed.is_object();
        if types.intersects(JsonTypes::of(&parsed)) && (!is_structure || structured) {
            values.push(parsed);
        }
    }
    if types.contains(JsonTypes::STRING) {
        values.push(Value::from(token));
    }
    values
}

/// Values that a text says may be given: lists of choices, quoted ones where there is such a list.
pub(crate) fn advised(text: &str) -> Vec<String> {
    let mut tokens = listed(text);
    for found in ENDED.captures_iter(text) {
        tokens.extend(split_list(&found[1]));
    }
    tokens.extend(FORM.captures_iter(text).filter_map(|found| token(&found[1])));
    for found in bounded(&BRACKETED, text, MAX_LIST, Longer::IsNone) {
        tokens.extend(found.split(',').filter_map(token));
    }
    if !tokens.is_empty() || ANNOUNCED.is_match(text) {
        tokens.extend(quoted(text));
    }
    tokens.retain(|token| !token.contains(['[', ']', '{', '}']));
    tokens
}

static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:use|look like|(?:valid|allowed|supported|accepted|permitted|available)(?: \w+)?):?\s+([\w-]+(?:,\s+[\w-]+)*)",
    )
});

static FORM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)\b(?:expected|required|correct|valid|use)(?: the)? (?:format|form|pattern|syntax)(?: is)?:?\s+[`'"]?([^\s`'",;]{3,80})"#,
    )
});

static BRACKETED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:valid|allowed|supported|available|accepted)[_ ]?\w*["']?\s*[:=]\s*\[([^\]]+)\]"#,
    )
});

static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:one of|allowed|valid|supported|available|expected|choose|options)\b")
});

/// Tokens of a description that look like values.
fn mine(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut tokens = after_examples(text);
    tokens.extend(quoted(text));
    tokens.extend(listed(text));
    tokens
}

/// Compiles a pattern that is part of the program.
fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("built-in patterns are valid")
}

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|"#,
        r#"(?:^|[\s(\[,:=：，、（])'([^'\n]+)'"#
    ))
});

/// The contents of quotes and back-ticks.
fn quoted(text: &str) -> Vec<String> {
    if !text.contains(['`', '"', '“', '\'']) {
        return Vec::new();
    }
    bounded(&QUOTED, text, MAX_TOKEN, Longer::IsNone).into_iter().filter_map(token).collect()
}

static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\be\.?g\.?[,:]?|\bfor example[,:]?|\bexamples?:|\bsuch as|\bex:|\bdefaults? to|\bdefault is|",
        r"\bdefault:|\bdefault =|\blike)\s+([^\n;)\]]+)"
    ))
});

/// What follows "e.g.", "for example", "such as", "defaults to".
fn after_examples(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = ["e.g", "eg", "example", "such as", "ex:", "default", "like"];
    if !words.iter().any(|word| lower.contains(word)) {
        return Vec::new();
    }
    bounded(&AFTER, text, MAX_EXAMPLES, Longer::IsCut).into_iter().flat_map(split_list).collect()
}

static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\bone of|\bany of|\beither|\ballowed(?: values)?|\bvalid(?: values| options)?|\bpossible values|",
        r"\bsupported(?: \w+)?|\boptions|\bvalues|\bchoices|\bcan be|\bmust be|\bavailable(?: \w+)?)",
        r"(?:\s+(?:are|is|include|includes|one of|any of))?\s*:?\s+([^\n;()\]]+)"
    ))
});

static PIPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[(\[{<:\s]([\w.+-]+(?:\s?[|]\s?[\w.+-]+)+|[\w-]+(?:/[\w-]+)+)[)\]}>,.\s]")
});

static BULLET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^\s*[-*•]\s+([\w./-]+)\s*(?:[:(=–—-]|$)"));

/// The members of lists of choices: "one of a, b, c", "(a|b|c)", bullets.
fn listed(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let lists = text.contains([',', '|', '/']) || text.contains(" or ");
    for list in lists.then(|| bounded(&LISTED, text, MAX_LIST, Longer::IsCut)).into_iter().flatten()
    {
        if list.contains([',', '|', '/']) || list.contains(" or ") {
            tokens.extend(split_list(list));
        }
    }
    let padded = if text.contains(['|', '/']) { format!(" {text} ") } else { String::new() };
    for found in (!padded.is_empty()).then(|| PIPED.captures_iter(&padded)).into_iter().flatten() {
        let list = found.get(1).map_or("", |list| list.as_str());
        tokens.extend(list.split(['|', '/']).filter_map(token));
    }
    let heads = text.contains(['-', '*', '•']);
    let heads = heads.then(|| bounded(&BULLET, text, MAX_HEAD, Longer::IsNone));
    for head in heads.into_iter().flatten() {
        tokens.extend(head.split('/').filter_map(token));
        tokens.extend(token(head).filter(|head| head.contains('/')));
    }
    tokens
}

/// The members of a written list, up to the end of the sentence.
fn split_list(list: &str) -> Vec<String> {
    let end = sentence_end(list);
    let mut whole: Vec<String> = Vec::new();
    for part in list[..end].split([',', '|']) {
        for part in part.split(" or ").flat_map(|part| part.split(" and ")) {
            let part = part.trim();
            let part = part.strip_prefix("or ").unwrap_or(part);
            let part = part.strip_prefix("and ").unwrap_or(part);
            let name = part.split(" (").next().unwrap_or(part);
            let name = name.split(" = ").next().unwrap_or(name);
            if name.split_whitespace().count() <= 4 {
                whole.extend(token(name));
            }
        }
    }
    whole
}

/// Where the sentence ends: at a full stop before a space or the end, outside of quotes.
fn sentence_end(text: &str) -> usize {
    let mut quote: Option<char> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        match (quote, c) {
            (None, '"' | '`') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '.') if chars.peek().is_none_or(|(_, next)| next.is_whitespace()) => {
                return index;
            }
            _ => {}
        }
    }
    text.len()
}

/// A token without the punctuation around it; `None` if nothing is left or it is too long.
fn token(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '`', '\'', '“', '”', '‘', '’']).trim();
    let text = text.trim_end_matches([',', ';', '…']);
    let text = text.strip_suffix("...").unwrap_or(text);
    let length = text.chars().count();
    (length > 0 && length <= MAX_TOKEN).then(|| text.to_owned())
}

/// Ways of writing a format, and a value that has it.
const MASKS: &[(&str, &[&str])] = &[
    ("yyyy-mm-ddthh:mm", &["2024-03-15T09:30:00Z"]),
    ("yyyy-mm-dd hh:mm", &["2024-03-15 09:30:00"]),
    ("iso 8601", &["2024-03-15T09:30:00Z", "2024-03-15"]),
    ("iso-8601", &["2024-03-15T09:30:00Z", "2024-03-15"]),
    ("iso8601", &["2024-03-15T09:30:00Z", "2024-03-15"]),
    ("iso format", &["2024-03-15T09:30:00Z", "2024-03-15"]),
    ("iso date", &["2024-03-15"]),
    ("rfc 3339", &["2024-03-15T09:30:00Z"]),
    ("rfc3339", &["2024-03-15T09:30:00Z"]),
    ("yyyy-mm-dd", &["2024-03-15"]),
    ("yyyy/mm/dd", &["2024/03/15"]),
    ("yyyymmdd", &["20240315"]),
    ("yyyy-mm", &["2024-03"]),
    ("dd/mm/yyyy", &["15/03/2024"]),
    ("mm/dd/yyyy", &["03/15/2024"]),
    ("dd.mm.yyyy", &["15.03.2024"]),
    ("hh:mm:ss", &["09:30:00"]),
    ("hh:mm", &["09:30"]),
    ("24-hour", &["09:30"]),
    ("#rrggbb", &["#3366cc"]),
    ("rrggbb", &["3366cc"]),
    ("hex color", &["#3366cc"]),
    ("e.164", &["+12025550143"]),
    ("unix timestamp", &["1710495000"]),
    ("uuid", &["123e4567-e89b-42d3-a456-426614174000"]),
    ("semver", &["1.2.3"]),
    ("x.y.z", &["1.2.3"]),
    ("owner/repo", &["octocat/hello-world"]),
    ("a1:b2", &["A1:B2"]),
];

/// Values for the masks that a text shows.
fn masks(text: &str) -> Vec<&'static str> {
    if text.is_empty() {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let mut values = Vec::new();
    for (mask, examples) in MASKS {
        if lower.contains(mask) {
            values.extend_from_slice(examples);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Dialect;
    use serde_json::json;

    fn hints(schema: &Value, about: &str, pointer: &str) -> Vec<Value> {
        let schema =
            CompiledSchema::compile(schema, Dialect::Draft202012).unwrap().with_description(about);
        schema.all_parameters().at(pointer).unwrap().hints.clone()
    }

    fn described(description: &str) -> Vec<Value> {
        let schema = json!({"type": "object", "properties": {"zz": {"type": "string", "description": description}}});
        hints(&schema, "", "/zz")
    }

    #[test]
    fn lists_of_choices_in_all_their_spellings() {
        for text in [
            "One of red, green, blue",
            "Sort by (red|green|blue)",
            "Colour: must be red, green or blue.",
            "Use `red`, `green` or `blue`",
            "either 'red', 'green', or 'blue'. Not more.",
            "Modes:\n- red: warm\n- green: calm\n- blue: cold",
            "The tint, e.g. red, green, blue",
            "A tint such as red, green and blue.",
        ] {
            let found = described(text);
            for colour in ["red", "green", "blue"] {
                assert!(found.contains(&json!(colour)), "{text}: {found:?}");
            }
        }
    }

    #[test]
    fn a_kind_is_one_of_those_that_the_tool_enumerates() {
        let schema = json!({"type": "object", "properties": {
            "item_type": {"type": "string", "description": "item_type parameter"}, "title": {"type": "string"}
        }});
        let about = "Create a new issue, todo, feature, epic,\n   or diary entry for the project.";
        let found = hints(&schema, about, "/item_type");
        for kind in ["issue", "todo", "feature", "epic", "diary"] {
            assert!(found.contains(&json!(kind)), "{found:?}");
        }
        assert!(!hints(&schema, about, "/title").contains(&json!("todo")));
    }

    #[test]
    fn bullets_below_a_heading_that_names_the_parameter_are_its_values() {
        let schema = json!({"type": "object", "properties": {
            "action": {"type": "string"}, "reason": {"type": "string"}
        }});
        let about = "Changes things.\n\nActions:\n- heal: better\n- add/remove — with a name\nMore:\n- never: no";
        let found = hints(&schema, about, "/action");
        for action in ["heal", "add", "remove"] {
            assert!(found.contains(&json!(action)), "{found:?}");
        }
        assert!(!found.contains(&json!("never")), "{found:?}");
        let other = hints(&schema, about, "/reason");
        assert!(!other.contains(&json!("heal")), "{other:?}");
    }

    #[test]
    fn choices_are_read_between_the_marks_of_other_scripts() {
        assert!(described("运算类型。可选项：'basic', 'power'").contains(&json!("basic")));
    }

    #[test]
    fn masks_give_values_of_their_form() {
        assert!(described("Time in 24-hour format (HH:MM)").contains(&json!("09:30")));
        assert!(described("Date as YYYY-MM-DD").contains(&json!("2024-03-15")));
    }

    #[test]
    fn a_time_zone_is_found_by_name_and_by_example() {
        let schema = json!({"type": "object", "properties": {
            "timezone": {"type": "string", "description": "IANA timezone name (e.g., 'America/New_York', 'Europe/London')."}
        }});
        let found = hints(&schema, "", "/timezone");
        assert_eq!(found[0], json!("America/New_York"));
        assert!(found.contains(&json!("UTC")));
    }

    #[test]
    fn hints_obey_the_schema_and_its_types() {
        let schema = json!({"type": "object", "properties": {
            "depth": {"type": "integer", "maximum": 3, "description": "Levels, e.g. 2, 5 or all"}
        }});
        let found = hints(&schema, "", "/depth");
        assert!(found.contains(&json!(2)), "{found:?}");
        assert!(!found.contains(&json!(5)) && !found.contains(&json!("all")));
    }

    #[test]
    fn the_tools_description_counts_most_where_it_names_the_parameter() {
        let schema = json!({"type": "object", "properties": {
            "kind": {"type": "string"}, "other": {"type": "string"}
        }});
        let about = "Makes things.\nThe kind is one of cube, ball.\nSee 'elsewhere'.";
        let found = hints(&schema, about, "/kind");
        let place = |value: &str| found.iter().position(|hint| hint == value);
        assert!(place("cube").unwrap() < place("elsewhere").unwrap(), "{found:?}");
        assert!(!hints(&schema, about, "/other").contains(&json!("cube")));
    }
}
