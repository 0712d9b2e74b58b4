//! A target as people write it in code: a command line, its words, a URL, an entry of a client configuration file, or the document itself.

use super::{parse_client_configuration, pick, split_words};
use crate::error::Error;
use crate::input::{HttpTarget, StdioTarget, Target};
use serde_json::{Value, json};

/// Reads a target in any of its written forms. `name` chooses among several servers; `lookup` gives the variables of client configurations.
///
/// # Errors
/// [`Error::Input`] that names the field `target` and the forms there are.
pub fn read_target(
    written: &Value,
    name: Option<&str>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Target, Error> {
    match written {
        Value::String(text) if text.contains("://") && !text.contains(char::is_whitespace) => {
            Ok(Target::Http(HttpTarget { url: text.clone(), ..HttpTarget::default() }))
        }
        Value::String(line) => {
            let words =
                split_words(line).map_err(|error| Error::input("target", error.to_string()))?;
            stdio(words)
        }
        Value::Array(items) if items.iter().all(Value::is_string) => {
            stdio(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        Value::Object(members)
            if members.len() == 1
                && ["stdio", "http", "sse", "in_process"]
                    .iter()
                    .any(|kind| members.contains_key(*kind)) =>
        {
            serde_path_to_error::deserialize(written).map_err(|error| {
                Error::input(format!("target.{}", error.path()), error.inner().to_string())
            })
        }
        Value::Object(members)
            if ["command", "url", "serverUrl", "httpUrl"]
                .iter()
                .any(|key| members.contains_key(*key)) =>
        {
            let label = name.unwrap_or("target");
            configured(&json!({ "mcpServers": { label: written } }), None, lookup)
        }
        Value::Object(_) | Value::Array(_) => configured(written, name, lookup),
        other => Err(Error::input(
            "target",
            format!("must be a command, a URL, or an entry of a client configuration, not {other}"),
        )),
    }
}

fn stdio(words: Vec<String>) -> Result<Target, Error> {
    let mut words = words.into_iter();
    let command = words
        .next()
        .ok_or_else(|| Error::input("target", "must name a program; the command is empty"))?;
    Ok(Target::Stdio(StdioTarget { command, args: words.collect(), ..StdioTarget::default() }))
}

fn configured(
    document: &Value,
    name: Option<&str>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Target, Error> {
    let failed = |error: super::ClientError| Error::input("target", error.to_string());
    let servers = parse_client_configuration(&document.to_string()).map_err(failed)?;
    Ok(pick(&servers, name, lookup).map_err(failed)?.target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &Value) -> Result<Target, Error> {
        read_target(written, None, &|name| (name == "HOME").then(|| "/home/x".to_owned()))
    }

    fn command(command: &str, args: &[&str]) -> Target {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Target::Stdio(StdioTarget { command: command.to_owned(), args, ..StdioTarget::default() })
    }

    #[test]
    fn commands_are_read_as_a_line_and_as_words() {
        let expected = command("python", &["my server.py", "-v"]);
        assert_eq!(read(&json!("python 'my server.py' -v")).unwrap(), expected);
        assert_eq!(read(&json!(["python", "my server.py", "-v"])).unwrap(), expected);
        assert!(read(&json!([])).is_err());
        assert!(read(&json!("  ")).is_err());
        assert!(read(&json!("python 'x")).unwrap_err().to_string().contains("quote"));
    }

    #[test]
    fn urls_entries_and_documents_are_read() {
        let url = |target: Target| match target {
            Target::Http(http) => http.url,
            other => panic!("{other:?}"),
        };
        assert_eq!(url(read(&json!("https://x/mcp")).unwrap()), "https://x/mcp");
        assert_eq!(
            url(read(&json!({"url": "https://x/mcp", "type": "http"})).unwrap()),
            "https://x/mcp"
        );
        assert_eq!(url(read(&json!({"http": {"url": "https://x/mcp"}})).unwrap()), "https://x/mcp");
        let whole = json!({"mcpServers": {"a": {"command": "${HOME}/a", "args": ["-x"]}}});
        assert_eq!(read(&whole).unwrap(), command("/home/x/a", &["-x"]));
        assert_eq!(read(&whole["mcpServers"]["a"]).unwrap(), command("/home/x/a", &["-x"]));
    }

    #[test]
    fn faults_name_the_field() {
        for written in [json!(3), json!({}), json!({"stdio": {"comand": "x"}}), json!([1])] {
            let error = read(&written).unwrap_err();
            assert!(error.to_string().starts_with("target"), "{error}");
        }
    }
}
