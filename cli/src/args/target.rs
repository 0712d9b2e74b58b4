//! The ways to name a server on the command line.

use crate::failure::Failure;
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tooltest_core::input::Target;
use tooltest_core::target::{parse_client_configuration, pick, split_words};

/// The server to talk to: one of the forms.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Target")]
pub(crate) struct TargetArgs {
    /// The server's URL (Streamable HTTP).
    #[arg(value_name = "URL", help_heading = "Target")]
    positional: Vec<String>,
    #[command(flatten)]
    server: ServerArgs,
}

/// As [`TargetArgs`], for commands whose positional arguments are something else.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Target")]
pub(crate) struct ServerArgs {
    /// The server's URL (Streamable HTTP).
    #[arg(long, value_name = "URL")]
    url: Vec<String>,
    /// The server's command line, as one string.
    #[arg(long, value_name = "COMMAND LINE")]
    command: Option<String>,
    /// One more argument for the command; may be given several times.
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    args: Vec<String>,
    /// An environment variable for the command; may be given several times.
    #[arg(long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// The command's working folder.
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<String>,
    /// A header for every request to the URL; may be given several times.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// Sent to the URL as `Authorization: Bearer …` [environment: `TOOLTEST_AUTH_TOKEN`]
    #[arg(long, value_name = "TOKEN")]
    auth_token: Option<String>,
    /// The URL speaks the older HTTP+SSE transport.
    #[arg(long)]
    sse: bool,
    /// A server of a client configuration file, by its name there.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// That file; looked for in the usual places when absent.
    #[arg(long, value_name = "FILE")]
    mcp_config: Option<PathBuf>,
    /// The server's command and its arguments, after `--`.
    #[arg(last = true, value_name = "COMMAND ARGS")]
    rest: Vec<String>,
}

/// What the command line may ask of the process.
pub(crate) struct Surroundings<'a> {
    /// An environment variable.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<String>,
    /// The working folder.
    pub(crate) folder: &'a Path,
}

impl TargetArgs {
    /// The target that the arguments name; `None` where they name none.
    pub(crate) fn target(&self, around: &Surroundings<'_>) -> Result<Option<Value>, Failure> {
        let mut server = self.server.clone();
        server.url.splice(0..0, self.positional.iter().cloned());
        server.target(around)
    }
}

impl ServerArgs {
    /// Whether any form is used.
    pub(crate) fn names_a_server(&self) -> bool {
        !self.url.is_empty()
            || !self.rest.is_empty()
            || self.command.is_some()
            || self.server.is_some()
            || self.mcp_config.is_some()
    }

    /// The target that the arguments name; `None` where they name none.
    pub(crate) fn target(&self, around: &Surroundings<'_>) -> Result<Option<Value>, Failure> {
        self.check_forms()?;
        if let Some(url) = self.url.first() {
            return self.http(url, around).map(Some);
        }
        if self.server.is_some() || self.mcp_config.is_some() {
            return self.configured(around).map(Some);
        }
        let mut words = match &self.command {
            Some(line) => {
                split_words(line).map_err(|error| Failure::usage(format!("--command: {error}")))?
            }
            None => self.rest.clone(),
        };
        words.extend(self.args.iter().cloned());
        if words.is_empty() {
            return Ok(None);
        }
        let command = words.remove(0);
        let mut stdio = json!({"command": command, "args": words, "env": self.environment()?});
        if let Some(cwd) = &self.cwd {
            stdio["cwd"] = cwd.as_str().into();
        }
        Ok(Some(json!({ "stdio": stdio })))
    }

    fn check_forms(&self) -> Result<(), Failure> {
        let forms = [
            ("a URL", !self.url.is_empty()),
            ("--command", self.command.is_some()),
            ("a command after --", !self.rest.is_empty()),
            ("--server or --mcp-config", self.server.is_some() || self.mcp_config.is_some()),
        ];
        let given: Vec<&str> =
            forms.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
        if given.len() > 1 {
            return Err(Failure::usage(format!(
                "the server is named twice: by {}",
                given.join(" and by ")
            )));
        }
        let is_url = |text: &String| text.contains("://");
        if let Some(word) = self.url.first().filter(|text| !is_url(text)) {
            let line = self.url.join(" ");
            let failure = Failure::usage(format!("`{word}` is not a URL"));
            return Err(failure.hint(format!("a command goes after `--`: tooltest run -- {line}")));
        }
        if self.url.len() > 1 {
            return Err(Failure::usage(format!(
                "`{}` is one too many: only one URL can be tested at a time",
                self.url[1]
            )));
        }
        let for_commands = !self.args.is_empty() || !self.env.is_empty() || self.cwd.is_some();
        let for_urls = !self.headers.is_empty() || self.auth_token.is_some() || self.sse;
        match given.first() {
            Some(&"a URL") if for_commands => {
                Err(Failure::usage("--arg, --env and --cwd go with a command, not with a URL"))
            }
            Some(&("--command" | "a command after --")) if for_urls => Err(Failure::usage(
                "--header, --auth-token and --sse go with a URL, not with a command",
            )),
            _ => Ok(()),
        }
    }

    /// Puts secrets that a failure file leaves out back into its target: from flags, or from variables of the same name.
    pub(crate) fn restore_secrets(
        &self,
        target: &mut Value,
        around: &Surroundings<'_>,
    ) -> Result<(), Failure> {
        let given = self.environment()?;
        let headers = self.header_map()?;
        if let Some(env) = target.pointer_mut("/stdio/env").and_then(Value::as_object_mut) {
            for (name, value) in env.iter_mut().filter(|(_, value)| is_masked(value)) {
                let found = given.get(name).cloned().or_else(|| (around.variable)(name));
                *value = found.ok_or_else(|| left_out(name, &format!("--env {name}=…")))?.into();
            }
        }
        if let Some(stdio) = target.get_mut("stdio").and_then(Value::as_object_mut) {
            let env = stdio.entry("env").or_insert_with(|| json!({}));
            for (name, value) in given {
                env[name] = value.into();
            }
        }
        for kind in ["http", "sse"] {
            let Some(http) = target.get_mut(kind) else { continue };
            if http.get("url").is_some_and(is_masked) {
                return Err(left_out("part of the URL", "--url URL"));
            }
            let token =
                self.auth_token.clone().or_else(|| (around.variable)("TOOLTEST_AUTH_TOKEN"));
            if http.get("auth_token").is_some_and(is_masked) {
                http["auth_token"] =
                    token.ok_or_else(|| left_out("the bearer token", "--auth-token …"))?.into();
            }
            for (name, value) in
                http.get_mut("headers").and_then(Value::as_object_mut).into_iter().flatten()
            {
                match headers.get(name) {
                    Some(found) => *value = found.as_str().into(),
                    None if is_masked(value) => {
                        return Err(left_out(name, &format!("--header '{name}: …'")));
                    }
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn header_map(&self) -> Result<BTreeMap<String, String>, Failure> {
        let pair = |text: &String| match text.split_once(':') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            }
            _ => Err(Failure::usage(format!("--header: expected NAME: VALUE, not `{text}`"))),
        };
        self.headers.iter().map(pair).collect()
    }

    /// The variables given with `--env`.
    pub(crate) fn environment(&self) -> Result<BTreeMap<String, String>, Failure> {
        let pair = |text: &String| match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
            _ => Err(Failure::usage(format!("--env: expected NAME=VALUE, not `{text}`"))),
        };
        self.env.iter().map(pair).collect()
    }

    fn http(&self, url: &str, around: &Surroundings<'_>) -> Result<Value, Failure> {
        let headers = self.header_map()?;
        let mut http = json!({"url": url, "headers": headers});
        let token = self.auth_token.clone().or_else(|| (around.variable)("TOOLTEST_AUTH_TOKEN"));
        if let Some(token) = token.filter(|token| !token.is_empty()) {
            http["auth_token"] = token.into();
        }
        Ok(json!({ (if self.sse { "sse" } else { "http" }): http }))
    }

    fn configured(&self, around: &Surroundings<'_>) -> Result<Value, Failure> {
        let path = match &self.mcp_config {
            Some(path) => path.clone(),
            None => find_configuration(around)?,
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::file(path.display(), &error))?;
        let failed = |error| Failure::usage(format!("{} {error}", path.display()));
        let servers = parse_client_configuration(&text).map_err(failed)?;
        let home = || (around.variable)("HOME").or_else(|| (around.variable)("USERPROFILE"));
        let lookup = |name: &str| match name {
            "workspaceFolder" => Some(around.folder.display().to_string()),
            "userHome" => home(),
            name => (around.variable)(name),
        };
        let mut target = pick(&servers, self.server.as_deref(), &lookup).map_err(failed)?.target;
        if let Target::Stdio(stdio) = &mut target {
            stdio.args.extend(self.args.iter().cloned());
            stdio.env.extend(self.environment()?);
            stdio.cwd = self.cwd.clone().or(stdio.cwd.take());
        }
        serde_json::to_value(&target).map_err(Failure::usage)
    }
}

/// What stands in a secret's place in failure files.
const MASK: &str = "[redacted]";

fn is_masked(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(MASK))
}

fn left_out(what: &str, flag: &str) -> Failure {
    Failure::usage(format!("the failure file leaves out the secret {what}"))
        .hint(format!("give it with {flag}"))
}

/// The first client configuration file in the usual places: the project's, then the user's.
fn find_configuration(around: &Surroundings<'_>) -> Result<PathBuf, Failure> {
    const PROJECT: [&str; 4] = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", "mcp.json"];
    const USER: [&str; 4] = [
        ".cursor/mcp.json",
        ".config/Claude/claude_desktop_config.json",
        "Library/Application Support/Claude/claude_desktop_config.json",
        ".claude.json",
    ];
    let home = (around.variable)("HOME").map(PathBuf::from);
    let roaming = (around.variable)("APPDATA")
        .map(|folder| PathBuf::from(folder).join("Claude/claude_desktop_config.json"));
    let project = PROJECT.iter().map(|name| around.folder.join(name));
    let user = USER.iter().filter_map(|name| Some(home.as_ref()?.join(name)));
    project.chain(user).chain(roaming).find(|path| path.is_file()).ok_or_else(|| {
        Failure::usage(format!("no client configuration file was found; looked for {} here, and for those of Cursor and Claude", PROJECT.join(", ")))
            .hint("name the file with --mcp-config FILE")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        target: TargetArgs,
    }

    fn read(args: &[&str]) -> Result<Option<Value>, Failure> {
        let line = Line::try_parse_from([&["x"], args].concat()).unwrap();
        line.target.target(&Surroundings { variable: &|_| None, folder: Path::new("/nowhere") })
    }

    #[test]
    fn each_form_names_its_target() {
        let stdio = |command: &str, args: &[&str], env: Value| json!({"stdio": {"command": command, "args": args, "env": env}});
        assert_eq!(
            read(&["--", "npx", "-y", "s"]).unwrap(),
            Some(stdio("npx", &["-y", "s"], json!({})))
        );
        assert_eq!(
            read(&["--command", "a 'b c'", "--arg", "-d", "--env", "K=v=w"]).unwrap(),
            Some(stdio("a", &["b c", "-d"], json!({"K": "v=w"})))
        );
        assert_eq!(
            read(&["http://x", "--header", "A: b", "--auth-token", "t"]).unwrap(),
            Some(json!({"http": {"url": "http://x", "headers": {"A": "b"}, "auth_token": "t"}}))
        );
        assert_eq!(
            read(&["http://x", "--sse"]).unwrap(),
            Some(json!({"sse": {"url": "http://x", "headers": {}}}))
        );
        assert_eq!(read(&[]).unwrap(), None);
    }

    #[test]
    fn mixtures_are_refused_with_advice() {
        for (args, words) in [
            (
                &["python", "server.py"][..],
                "a command goes after `--`: tooltest run -- python server.py",
            ),
            (&["http://x", "--", "y"], "named twice"),
            (&["http://x", "--cwd", "/"], "go with a command"),
            (&["--sse", "--", "y"], "go with a URL"),
            (&["--env", "K", "--", "y"], "NAME=VALUE"),
            (&["--server", "x"], "--mcp-config FILE"),
            (&["http://x", "http://y"], "one too many"),
        ] {
            let failure = read(args).unwrap_err();
            assert!(failure.to_string().contains(words), "{failure}");
        }
    }
}
