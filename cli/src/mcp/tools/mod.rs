//! The tools, one a file: what each is, and what it does.

mod lint;
mod lints;
mod replay;
mod scripts;
mod tooltest;

use super::answer::Answer;
use super::schema::{self, Object};
use super::server::Server;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use tooltest_core::suggest::did_you_mean;
use tooltest_core::{Error, TooltestInput};

/// What a call comes to: a document, or why there is none, for the model to read.
type Outcome = Result<Value, String>;

static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    vec![tooltest::tool(), lint::tool(), replay::tool(), lints::explain_tool(), lints::list_tool()]
});

/// All tools; those of the guarded runner where it is set up.
pub(super) fn all(server: &Server) -> Vec<Tool> {
    let mut all = ALL.clone();
    if let Some(runner) = server.runner() {
        all.extend([scripts::list_tool(), scripts::run_tool(runner)]);
    }
    all
}

/// Calls a tool.
pub(super) async fn call(
    server: &Server,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let outcome = match request.name.as_ref() {
        tooltest::NAME => tooltest::call(server, arguments, &context).await,
        lint::NAME => lint::call(server, arguments, &context).await,
        replay::NAME => replay::call(server, arguments, &context).await,
        lints::EXPLAIN => lints::explain(&arguments),
        lints::LIST => lints::list(&arguments),
        scripts::RUN if server.runner().is_some() => {
            scripts::run(server, arguments, &context).await
        }
        scripts::LIST if server.runner().is_some() => {
            scripts::list(server, &arguments, &context).await
        }
        unknown => {
            let all = all(server);
            let names: Vec<&str> = all.iter().map(|tool| tool.name.as_ref()).collect();
            let meant = did_you_mean(unknown, names.iter().copied());
            let meant = meant.unwrap_or_else(|| format!("there are {}", names.join(", ")));
            let message = format!("name: there is no tool `{unknown}`; {meant}");
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    Ok(match outcome {
        Ok(document) => CallToolResult::structured(document),
        Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
    })
}

/// A tool with its schemas.
fn tool(
    name: &'static str,
    about: &'static str,
    input: Object,
    output: Object,
    hints: ToolAnnotations,
) -> Tool {
    let mut tool = Tool::new(name, about, Arc::new(input));
    tool.output_schema = Some(Arc::new(output));
    tool.title.clone_from(&hints.title);
    tool.annotations = Some(hints);
    tool
}

/// The hints of a tool that starts whatever it is told to.
fn starts_anything(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(false)
        .destructive(true)
        .idempotent(false)
        .open_world(true)
}

/// The hints of a tool that only looks something up in this program.
fn looks_up(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
}

/// Refuses arguments that a tool does not have.
fn known(arguments: &Object, input: &Object) -> Result<(), String> {
    let properties = input.get("properties").and_then(Value::as_object);
    let names: Vec<&str> =
        properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let Some(unknown) = arguments.keys().find(|name| !names.contains(&name.as_str())) else {
        return Ok(());
    };
    let meant = did_you_mean(unknown, names.iter().copied());
    let meant = meant.unwrap_or_else(|| format!("known are {}", names.join(", ")));
    Err(format!("input: unknown field `{unknown}`; {meant}"))
}

/// The input that the arguments are, read as everywhere, and checked against what this client may have started.
fn input(server: &Server, arguments: Object) -> Result<TooltestInput, String> {
    let mut input = TooltestInput::from_value(Value::Object(arguments))
        // What only programs that hold the server can give is not offered here.
        .map_err(|error| failure(&error).replace(", in_process", ""))?;
    if matches!(input.target, tooltest_core::input::Target::InProcess(_)) {
        return Err("target: in_process is for programs that hold the server themselves; stdio, http or sse is possible here".to_owned());
    }
    server.trust().may_run(&mut input).map_err(|refusal| refusal.to_string())?;
    Ok(input)
}

/// Why there is no result, for the model.
fn failure(error: &Error) -> String {
    tooltest_core::report::printable(&error.to_string()).into_owned()
}

/// The part of an answer that a tool's output schema has.
fn project(answer: &Answer, names: &[&str]) -> Outcome {
    let document = serde_json::to_value(answer).map_err(|error| error.to_string())?;
    let Value::Object(mut object) = document else { return Ok(document) };
    object.retain(|name, _| names.contains(&name.as_str()));
    Ok(Value::Object(object))
}

/// The output schema of [`project`]. The schema of `tooltest` has the words for what is inside.
fn projected(names: &[&str]) -> Object {
    schema::terse(schema::part(&schema::of::<Answer>(), names))
}
