//! The snippets that attach tooltest to a client, in the forms that clients keep.

use serde_json::{Value, json};

/// A client's configuration format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Client {
    /// Claude Desktop and Claude Code (`mcpServers`).
    Claude,
    /// Visual Studio Code (`.vscode/mcp.json`).
    Vscode,
    /// Cursor (`.cursor/mcp.json`).
    Cursor,
    /// A project's `.mcp.json`.
    McpJson,
    /// The Agent Client Protocol (`mcpServers` of `session/new`).
    Acp,
}

/// How a client reaches tooltest.
pub(crate) enum Way {
    /// It starts the command.
    Stdio {
        /// The program, as found on the PATH where it is there.
        command: String,
        /// The program's whole path, for clients that look for nothing.
        path: String,
    },
    /// It connects to a running one.
    Http {
        /// The endpoint.
        url: String,
        /// Whether a token is needed; it is named by its variable, so that files stay free of secrets.
        token: bool,
    },
}

/// The variable that holds the token of the HTTP side.
pub(crate) const TOKEN_VARIABLE: &str = "TSM_TOKEN";

/// What goes into the client's configuration file.
pub(crate) fn snippet(client: Client, way: &Way) -> Value {
    match client {
        Client::Acp => json!([acp(way)]),
        Client::Vscode => json!({"servers": {"tooltest": typed(way, "${env:", "}")}}),
        Client::McpJson | Client::Claude => {
            json!({"mcpServers": {"tooltest": typed(way, "${", "}")}})
        }
        Client::Cursor => {
            let mut server = typed(way, "${env:", "}");
            // Cursor tells the kinds apart by their fields.
            if let Some(server) = server.as_object_mut() {
                server.remove("type");
            }
            json!({"mcpServers": {"tooltest": server}})
        }
    }
}

/// A server with its type, in the form that most clients share.
fn typed(way: &Way, open: &str, close: &str) -> Value {
    match way {
        Way::Stdio { command, .. } => {
            json!({"type": "stdio", "command": command, "args": ["mcp"]})
        }
        Way::Http { url, token } => {
            let mut server = json!({"type": "http", "url": url});
            if *token {
                let value = format!("Bearer {open}{TOKEN_VARIABLE}{close}");
                server["headers"] = json!({ "Authorization": value });
            }
            server
        }
    }
}

fn acp(way: &Way) -> Value {
    match way {
        Way::Stdio { path, .. } => {
            json!({"name": "tooltest", "command": path, "args": ["mcp"], "env": []})
        }
        Way::Http { url, token } => {
            let value = format!("Bearer ${{{TOKEN_VARIABLE}}}");
            let header = json!({"name": "Authorization", "value": value});
            let headers = if *token { json!([header]) } else { json!([]) };
            json!({"type": "http", "name": "tooltest", "url": url, "headers": headers})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;
    use tooltest_core::input::{StdioTarget, Target};
    use tooltest_core::target::{parse_client_configuration, pick};

    fn stdio() -> Way {
        Way::Stdio { command: "tooltest".to_owned(), path: "/opt/bin/tooltest".to_owned() }
    }

    fn http(token: bool) -> Way {
        Way::Http { url: "http://127.0.0.1:8765/mcp".to_owned(), token }
    }

    #[test]
    fn each_client_gets_its_own_form() {
        let started = json!({"type": "stdio", "command": "tooltest", "args": ["mcp"]});
        assert_eq!(snippet(Client::Claude, &stdio()), json!({"mcpServers": {"tooltest": started}}));
        assert_eq!(snippet(Client::McpJson, &stdio()), snippet(Client::Claude, &stdio()));
        assert_eq!(snippet(Client::Vscode, &stdio()), json!({"servers": {"tooltest": started}}));
        assert_eq!(
            snippet(Client::Cursor, &stdio()),
            json!({"mcpServers": {"tooltest": {"command": "tooltest", "args": ["mcp"]}}})
        );
        assert_eq!(
            snippet(Client::Acp, &stdio()),
            json!([{"name": "tooltest", "command": "/opt/bin/tooltest", "args": ["mcp"], "env": []}])
        );
    }

    #[test]
    fn over_http_the_token_is_named_and_not_shown() {
        let headers = |client, pointer: &str| {
            snippet(client, &http(true)).pointer(pointer).cloned().unwrap_or_default()
        };
        let at = "/mcpServers/tooltest/headers/Authorization";
        assert_eq!(headers(Client::Claude, at), "Bearer ${TSM_TOKEN}");
        assert_eq!(headers(Client::Cursor, at), "Bearer ${env:TSM_TOKEN}");
        let at = "/servers/tooltest/headers/Authorization";
        assert_eq!(headers(Client::Vscode, at), "Bearer ${env:TSM_TOKEN}");
        assert_eq!(headers(Client::Acp, "/0/headers/0/value"), "Bearer ${TSM_TOKEN}");
        let without = snippet(Client::Claude, &http(false));
        assert_eq!(without["mcpServers"]["tooltest"].get("headers"), None);
    }

    #[test]
    fn tooltest_reads_every_form_that_it_writes() {
        let nothing = |_: &str| None;
        for client in Client::value_variants() {
            let text = snippet(*client, &stdio()).to_string();
            let servers = parse_client_configuration(&text).unwrap();
            let target = pick(&servers, Some("tooltest"), &nothing).unwrap();
            let command = if *client == Client::Acp { "/opt/bin/tooltest" } else { "tooltest" };
            let wanted = StdioTarget {
                command: command.to_owned(),
                args: vec!["mcp".to_owned()],
                ..StdioTarget::default()
            };
            assert_eq!(target.target, Target::Stdio(wanted), "{client:?}");
            let text = snippet(*client, &http(false)).to_string();
            let servers = parse_client_configuration(&text).unwrap();
            let target = pick(&servers, Some("tooltest"), &nothing).unwrap();
            assert!(matches!(target.target, Target::Http(_)), "{client:?}: {target:?}");
        }
    }
}
