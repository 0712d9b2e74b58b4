//! `run_script` and `list_allowed`: the guarded runner's tools, offered only where it is set up.

use super::{Object, Outcome};
use crate::mcp::guard::Peer;
use crate::mcp::schema;
use crate::mcp::server::Server;
use crate::runner::{Failed, Listing, Refusal, Runner, ScriptRequest, ScriptResult};
use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::Tool;
use rmcp::service::RequestContext;
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

pub(super) const RUN: &str = "run_script";
pub(super) const LIST: &str = "list_allowed";

static REQUEST: LazyLock<Object> = LazyLock::new(schema::of::<ScriptRequest>);

pub(super) fn list_tool() -> Tool {
    let mut nothing = Object::new();
    nothing.insert("type".to_owned(), "object".into());
    nothing.insert("properties".to_owned(), Object::new().into());
    nothing.insert("additionalProperties".to_owned(), false.into());
    super::tool(
        LIST,
        "Lists the scripts that `run_script` may run, with the names of the arguments that they may get.",
        nothing,
        schema::of::<Listing>(),
        super::looks_up("List the scripts that may run"),
    )
}

/// The tool; its schema names the scripts and the variables.
pub(super) fn run_tool(runner: &Runner) -> Tool {
    let settings = runner.settings();
    let mut request = REQUEST.clone();
    if let Some(Value::Object(properties)) = request.get_mut("properties") {
        let mut describe = |name: &str, names: &[String]| {
            let Some(Value::Object(property)) = properties.get_mut(name) else { return };
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
            let about = format!("{about} Allowed are: {known}.");
            property.insert("description".to_owned(), about.into());
        };
        let scripts: Vec<String> =
            settings.scripts.iter().map(|script| script.name.clone()).collect();
        describe("path", &scripts);
        describe("args", &settings.args);
        describe("env", &settings.variables);
    }
    super::tool(
        RUN,
        "Runs a script that the policy allows, in its own folder and without a shell, and gives its exit code and output. \
         Everything that it started is ended with it.",
        request,
        schema::of::<ScriptResult>(),
        super::starts_anything("Run an allowed script"),
    )
}

pub(super) async fn run(
    server: &Server,
    arguments: Object,
    context: &RequestContext<RoleServer>,
) -> Outcome {
    let runner = runner(server)?;
    let requester = requester(context);
    let request = ScriptRequest::read(Value::Object(arguments));
    let done = match request {
        Ok(request) => tokio::select! {
            done = runner.run(request, requester) => done.map_err(in_words)?,
            () = server.runs().wanted_end(context) => return Err("the client ended the call, so the script was ended".to_owned()),
        },
        Err((attempt, refusal)) => {
            let attempt = attempt.by(RUN, requester);
            return Err(runner.refused(attempt, refusal).await.to_string());
        }
    };
    serde_json::to_value(done).map_err(|error| error.to_string())
}

pub(super) async fn list(
    server: &Server,
    arguments: &Object,
    context: &RequestContext<RoleServer>,
) -> Outcome {
    let runner = runner(server)?;
    let requester = requester(context);
    if let Some(name) = arguments.keys().next() {
        let refusal =
            Refusal::bad_arg(format!("unknown field `{name}`; allowed is an empty object"));
        let attempt = crate::runner::Asked::default().by(LIST, requester);
        return Err(runner.refused(attempt, refusal).await.to_string());
    }
    let listing = runner.list(requester).await.map_err(|refusal| refusal.to_string())?;
    serde_json::to_value(listing).map_err(|error| error.to_string())
}

fn runner(server: &Server) -> Result<&Arc<Runner>, String> {
    server.runner().ok_or_else(|| "the guarded runner is off".to_owned())
}

/// The client by the name that it gives itself, and its address where it has one.
fn requester(context: &RequestContext<RoleServer>) -> Option<String> {
    let client = context.client_info().map(|client| format!("{} {}", client.name, client.version));
    let peer = context.extensions.get::<Parts>().and_then(|head| head.extensions.get::<Peer>());
    match (client, peer) {
        (Some(client), Some(peer)) => Some(format!("{client} at {}", peer.0)),
        (client, peer) => client.or_else(|| peer.map(|peer| peer.0.to_string())),
    }
}

/// A failure for the model: what is wrong, and what the script wrote until then.
fn in_words(failed: Failed) -> String {
    let mut text = failed.refusal.to_string();
    for (name, output) in [("stdout", &failed.stdout), ("stderr", &failed.stderr)] {
        if !output.is_empty() {
            let _ = write!(text, "\n\n{name}:\n{output}");
        }
    }
    text
}
