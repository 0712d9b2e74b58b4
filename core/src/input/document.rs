//! Reading a `TooltestInput` from JSON, with errors that name the field and what may have been meant.

use super::TooltestInput;
use crate::error::Error;
use crate::suggest::did_you_mean;

impl TooltestInput {
    /// Reads an input document.
    ///
    /// # Errors
    /// [`Error::Input`] with the faulty field, as in `target.stdio.args`, and what is allowed there.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let mut source = serde_json::Deserializer::from_str(text);
        let read = serde_path_to_error::deserialize(&mut source).map_err(|error| {
            let path = error.path().to_string();
            explain(&path, &error.into_inner().to_string())
        });
        let input = read?;
        source
            .end()
            .map_err(|error| Error::input("input", format!("is not one JSON document: {error}")))?;
        Ok(input)
    }

    /// As [`TooltestInput::from_json`], for a document that is parsed already.
    pub fn from_value(document: serde_json::Value) -> Result<Self, Error> {
        serde_path_to_error::deserialize(document).map_err(|error| {
            let path = error.path().to_string();
            explain(&path, &error.into_inner().to_string())
        })
    }
}

/// Turns the parser's words into ours: "unknown field `seeds`, expected one of …" names the nearest of those expected.
fn explain(path: &str, message: &str) -> Error {
    let field = if path.is_empty() || path == "." || path == "?" { "input" } else { path };
    let place = message.rfind(" at line ");
    let words = place.map_or(message, |at| &message[..at]);
    let Some((head, expected)) = words.split_once(", expected ") else {
        return Error::input(field, plain(message));
    };
    if !head.starts_with("unknown ") {
        return Error::input(field, plain(message));
    }
    let quoted = |text: &'_ str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let typed = quoted(head).pop().unwrap_or_default();
    let known = quoted(expected);
    let what = if head.starts_with("unknown variant") { "value" } else { "field" };
    let meant = did_you_mean(&typed, known.iter().map(String::as_str));
    let meant = meant.unwrap_or_else(|| format!("known are {}", known.join(", ")));
    // The path of an unknown field ends in the field itself; the object around it says more.
    let around = field.strip_suffix(&typed).map_or(field, |around| around.trim_end_matches('.'));
    let around = if around.is_empty() { "input" } else { around };
    Error::input(around, format!("unknown {what} `{typed}`; {meant}"))
}

/// The parser's words for what it met and wanted, in those of JSON.
fn plain(message: &str) -> String {
    if message.contains("expected map with a single key") {
        return "must be an object with exactly one key".to_owned();
    }
    let mut text =
        message.replacen("invalid type: ", "must not be ", 1).replace(", expected ", " but ");
    for (word, ours) in [
        (" be sequence", " be an array"),
        (" be map", " be an object"),
        (" but a sequence", " but an array"),
        (" but a map", " but an object"),
    ] {
        text = text.replacen(word, ours, 1);
    }
    match text.split_once(" but struct ") {
        Some((met, _)) => format!("{met} but an object"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        TooltestInput::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn unknown_fields_come_with_a_suggestion() {
        let target = r#""target": {"stdio": {"command": "x"}}"#;
        assert_eq!(
            fault(&format!("{{{target}, \"max_call\": 3}}")),
            "input: unknown field `max_call`; did you mean `max_calls`?"
        );
        assert_eq!(
            fault(r#"{"target": {"stdio": {"comand": "x"}}}"#),
            "target.stdio: unknown field `comand`; did you mean `command`?"
        );
        assert_eq!(
            fault(r#"{"target": {"stdoi": {"command": "x"}}}"#),
            "target: unknown value `stdoi`; did you mean `stdio`?"
        );
    }

    #[test]
    fn faults_name_their_place() {
        assert!(
            fault(r#"{"target": {"stdio": {"command": 3}}}"#)
                .starts_with("target.stdio.command: must not be integer `3`")
        );
        for (stdio, words) in [
            (
                r#"{"command": "x", "env": ["A=1"]}"#,
                "target.stdio.env: must not be an array but an object",
            ),
            (
                r#"{"command": "x", "args": {}}"#,
                "target.stdio.args: must not be an object but an array",
            ),
            ("3", "target.stdio: must not be integer `3` but an object"),
        ] {
            let text = fault(&format!(r#"{{"target": {{"stdio": {stdio}}}}}"#));
            assert!(text.starts_with(words), "{text}");
        }
        let two = serde_json::json!({"target": {"stdio": {"command": "x"}, "http": {"url": "y"}}});
        let fault_of_two = TooltestInput::from_value(two).unwrap_err().to_string();
        assert_eq!(fault_of_two, "target: must be an object with exactly one key");
        assert!(fault("{").starts_with("input: "));
        assert!(
            fault(r#"{"target": {"stdio": {"command": "x"}}} trailing"#)
                .contains("one JSON document")
        );
    }
}
