//! The files in which MCP clients keep their servers: `mcpServers` objects (Claude, Cursor, `.mcp.json`), `servers` objects (VS Code),
//! and arrays of named servers (Agent Client Protocol).

use super::comments;
use super::expand::{ExpandError, expand};
use crate::input::{HttpTarget, StdioTarget, Target};
use crate::suggest::did_you_mean;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A server of a client configuration file.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTarget {
    /// The name that the file gives it.
    pub name: String,
    /// How to reach it, variables not yet expanded.
    pub target: Target,
}

/// What is wrong with a client configuration file, or with the choice from it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// Not JSON, even with comments.
    #[error("is not JSON: {0}")]
    NotJson(String),
    /// No list of servers in it.
    #[error(
        "has no servers: expected an object `mcpServers` or `servers`, or an array of servers with names"
    )]
    NoServers,
    /// A server that cannot be understood.
    #[error("the server `{name}` {fault}")]
    BadServer {
        /// The server's name.
        name: String,
        /// What is wrong, as the rest of a sentence.
        fault: String,
    },
    /// No server of that name.
    #[error("has no server `{name}`: {}it has {}", suggestion.as_ref().map(|s| format!("{s} ")).unwrap_or_default(), known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name.
        suggestion: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// A variable that is not set.
    #[error("the server `{name}`: {source}")]
    Variable {
        /// The server's name.
        name: String,
        /// The variable.
        source: ExpandError,
    },
}

/// The servers of a client configuration file, in order. Comments and trailing commas are allowed.
pub fn parse_client_configuration(text: &str) -> Result<Vec<NamedTarget>, ClientError> {
    let document: Value = serde_json::from_str(&comments::strip(text))
        .map_err(|error| ClientError::NotJson(error.to_string()))?;
    if let Value::Array(list) = servers_array(&document) {
        return list.iter().enumerate().map(|(index, item)| from_array(index, item)).collect();
    }
    let servers = ["mcpServers", "servers", "context_servers"]
        .iter()
        .find_map(|key| document.get(key)?.as_object())
        .or_else(|| document.pointer("/mcp/servers")?.as_object())
        .ok_or(ClientError::NoServers)?;
    servers.iter().map(|(name, server)| from_object(name, server)).collect()
}

/// The Agent Client Protocol's array: the document itself, or its member `mcpServers`.
fn servers_array(document: &Value) -> &Value {
    match document.get("mcpServers").or_else(|| document.pointer("/params/mcpServers")) {
        Some(list @ Value::Array(_)) => list,
        _ => document,
    }
}

/// The server of that name with its variables expanded; the only one where no name is given.
pub fn pick(
    servers: &[NamedTarget],
    name: Option<&str>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<NamedTarget, ClientError> {
    let known = || servers.iter().map(|server| server.name.clone()).collect::<Vec<_>>();
    let server = if let (None, [only]) = (name, servers) {
        only
    } else {
        let name = name.unwrap_or_default();
        servers.iter().find(|server| server.name == name).ok_or_else(|| ClientError::Unknown {
            name: name.to_owned(),
            suggestion: did_you_mean(name, servers.iter().map(|server| server.name.as_str())),
            known: known(),
        })?
    };
    let target = expand_target(&server.target, lookup)
        .map_err(|source| ClientError::Variable { name: server.name.clone(), source })?;
    Ok(NamedTarget { name: server.name.clone(), target })
}

fn from_object(name: &str, server: &Value) -> Result<NamedTarget, ClientError> {
    let bad =
        |fault: &str| ClientError::BadServer { name: name.to_owned(), fault: fault.to_owned() };
    let Value::Object(members) = server else {
        return Err(bad("is not an object"));
    };
    let url = ["url", "serverUrl", "httpUrl"].iter().find_map(|key| members.get(*key)?.as_str());
    let target = match (members.get("command"), url) {
        (Some(Value::String(command)), _) => {
            let cwd = members.get("cwd").and_then(Value::as_str).map(str::to_owned);
            Target::Stdio(StdioTarget {
                command: command.clone(),
                args: strings(members, "args")
                    .ok_or_else(|| bad("has `args` that are not an array of strings"))?,
                env: map(members, "env")
                    .ok_or_else(|| bad("has an `env` that is not an object of strings"))?,
                cwd,
                ..StdioTarget::default()
            })
        }
        (_, Some(url)) => {
            let headers = map(members, "headers")
                .ok_or_else(|| bad("has `headers` that are not an object of strings"))?;
            let http = HttpTarget { url: url.to_owned(), headers, auth_token: None };
            if is_sse(members) { Target::Sse(http) } else { Target::Http(http) }
        }
        _ => return Err(bad("has neither a `command` nor a `url`")),
    };
    Ok(NamedTarget { name: name.to_owned(), target })
}

/// Servers say their transport under `type` or `transport`.
fn is_sse(members: &Map<String, Value>) -> bool {
    let kind = members.get("type").or_else(|| members.get("transport")).and_then(Value::as_str);
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("sse"))
}

fn strings(members: &Map<String, Value>, key: &str) -> Option<Vec<String>> {
    match members.get(key) {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        }
        Some(_) => None,
    }
}

fn map(members: &Map<String, Value>, key: &str) -> Option<BTreeMap<String, String>> {
    match members.get(key) {
        None | Some(Value::Null) => Some(BTreeMap::new()),
        Some(Value::Object(entries)) => {
            entries.iter().map(|(name, value)| Some((name.clone(), scalar(value)?))).collect()
        }
        Some(Value::Array(pairs)) => pairs
            .iter()
            .map(|pair| Some((pair.get("name")?.as_str()?.to_owned(), scalar(pair.get("value")?)?)))
            .collect(),
        Some(_) => None,
    }
}

/// People write numbers and booleans where the environment wants strings.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn from_array(index: usize, item: &Value) -> Result<NamedTarget, ClientError> {
    let name = item
        .get("name")
        .and_then(Value::as_str)
        .map_or_else(|| format!("no. {}", index + 1), str::to_owned);
    from_object(&name, item)
}

fn expand_target(
    target: &Target,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Target, ExpandError> {
    let one = |text: &String| expand(text, lookup);
    let all = |entries: &BTreeMap<String, String>| {
        entries
            .iter()
            .map(|(name, value)| Ok((name.clone(), one(value)?)))
            .collect::<Result<BTreeMap<_, _>, ExpandError>>()
    };
    let http = |http: &HttpTarget| {
        let auth_token = http.auth_token.as_ref().map(one).transpose()?;
        Ok(HttpTarget { url: one(&http.url)?, headers: all(&http.headers)?, auth_token })
    };
    Ok(match target {
        Target::Stdio(stdio) => Target::Stdio(StdioTarget {
            command: one(&stdio.command)?,
            args: stdio.args.iter().map(one).collect::<Result<_, _>>()?,
            env: all(&stdio.env)?,
            cwd: stdio.cwd.as_ref().map(one).transpose()?,
            only_env: stdio.only_env,
        }),
        Target::Http(target) => Target::Http(http(target)?),
        Target::Sse(target) => Target::Sse(http(target)?),
        Target::InProcess(target) => Target::InProcess(target.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Option<String> {
        (name == "TOKEN").then(|| "secret".to_owned())
    }

    #[test]
    fn the_files_of_claude_cursor_and_vs_code_are_read() {
        let text = r#"{ // servers
            "mcpServers": {
                "notes": {"command": "python", "args": ["-m", "notes"], "env": {"KEY": "${TOKEN}", "N": 3}, "cwd": "/srv"},
                "web": {"type": "sse", "url": "http://x/sse", "headers": {"Authorization": "Bearer ${TOKEN}"}},
            } }"#;
        let servers = parse_client_configuration(text).unwrap();
        let notes = pick(&servers, Some("notes"), &variable).unwrap().target;
        let env = [("KEY", "secret"), ("N", "3")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        let stdio = StdioTarget {
            command: "python".into(),
            args: vec!["-m".into(), "notes".into()],
            env: env.into(),
            cwd: Some("/srv".into()),
            ..StdioTarget::default()
        };
        assert_eq!(notes, Target::Stdio(stdio));
        let Target::Sse(web) = pick(&servers, Some("web"), &variable).unwrap().target else {
            panic!("not SSE")
        };
        assert_eq!(web.headers["Authorization"], "Bearer secret");
        let code = r#"{"inputs": [], "servers": {"a": {"type": "http", "url": "https://x/mcp"}}}"#;
        let only = pick(&parse_client_configuration(code).unwrap(), None, &variable).unwrap();
        assert_eq!((only.name.as_str(), matches!(only.target, Target::Http(_))), ("a", true));
    }

    #[test]
    fn the_agent_client_protocol_s_array_is_read() {
        let text = r#"[{"name": "fs", "command": "/bin/fs", "args": [], "env": [{"name": "A", "value": "b"}]},
            {"type": "http", "name": "api", "url": "https://x", "headers": [{"name": "H", "value": "v"}]}]"#;
        let servers = parse_client_configuration(text).unwrap();
        let Target::Stdio(fs) = &servers[0].target else { panic!("not stdio") };
        assert_eq!(fs.env["A"], "b");
        let Target::Http(api) = &servers[1].target else { panic!("not HTTP") };
        assert_eq!((servers[1].name.as_str(), api.headers["H"].as_str()), ("api", "v"));
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let fault = |text: &str| parse_client_configuration(text).unwrap_err().to_string();
        assert!(fault("{").starts_with("is not JSON"));
        assert!(fault("{}").starts_with("has no servers"));
        assert_eq!(
            fault(r#"{"servers": {"a": {}}}"#),
            "the server `a` has neither a `command` nor a `url`"
        );
        assert!(fault(r#"{"servers": {"a": {"command": "x", "args": "y"}}}"#).contains("`args`"));
        let servers = parse_client_configuration(
            r#"{"servers": {"notes": {"command": "${NO}"}, "b": {"command": "x"}}}"#,
        )
        .unwrap();
        let unknown = pick(&servers, Some("note"), &variable).unwrap_err().to_string();
        assert_eq!(unknown, "has no server `note`: did you mean `notes`? it has notes, b");
        assert!(
            pick(&servers, Some("notes"), &variable)
                .unwrap_err()
                .to_string()
                .contains("`NO` is not set")
        );
    }
}
