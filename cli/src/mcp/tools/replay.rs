//! `replay`: runs saved failures again.

use super::{Object, Outcome};
use crate::mcp::answer::Answer;
use crate::mcp::schema;
use crate::mcp::server::Server;
use rmcp::RoleServer;
use rmcp::model::Tool;
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;
use tooltest_core::case::Phase;
use tooltest_core::failure;

pub(super) const NAME: &str = "replay";

/// The fields of the input that matter besides the files.
const INPUT: [&str; 6] =
    ["target", "request_timeout", "startup_timeout", "time_limit", "isolate", "fixture_dir"];
/// The fields of the result that say something then.
const OUTPUT: [&str; 7] =
    ["outcome", "reason", "server", "replayed", "findings", "not_measured", "left_out"];

static SCHEMA: LazyLock<Object> = LazyLock::new(|| {
    let mut schema = schema::part(&schema::INPUT, &INPUT);
    schema.insert("required".to_owned(), json!(["files"]));
    schema.insert(
        "description".to_owned(),
        "Which failures to run again, and on which server.".into(),
    );
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("files".to_owned(), json!({
            "description": "Failure files, or folders of them, as in a finding's `failure_file`.",
            "type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1,
        }));
        if let Some(Value::Object(target)) = properties.get_mut("target") {
            target.insert(
                "description".to_owned(),
                "The server to test; absent means the one that failed.".into(),
            );
        }
    }
    schema
});

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Runs saved failures again and says of each whether it is still there: `failing`, `flaky`, `fixed`, or `error`. \
         Starts the server that failed, or the one given as `target`.",
        SCHEMA.clone(),
        super::projected(&OUTPUT),
        super::starts_anything("Run saved failures again"),
    )
}

pub(super) async fn call(
    server: &Server,
    mut arguments: Object,
    context: &RequestContext<RoleServer>,
) -> Outcome {
    super::known(&arguments, &SCHEMA)?;
    let files = files(server, arguments.remove("files"))?;
    if !arguments.contains_key("target") {
        let target = failure::common_target(&files).map_err(|error| super::failure(&error))?;
        let target = serde_json::to_value(target).map_err(|error| error.to_string())?;
        arguments.insert("target".to_owned(), target);
    }
    // What is found meanwhile is not what was asked for, so it is not saved.
    arguments.insert("failure_dir".to_owned(), "".into());
    let mut input = super::input(server, arguments)?;
    input.phases = vec![Phase::Replay];
    input.keep_going = true;
    let seconds = input.time_limit;
    let result = server
        .runs()
        .carry_out(context, seconds, move |options| {
            let mut options = options.clone();
            options.replay = files;
            tooltest_core::run_blocking(input, &options)
        })
        .await
        .map_err(|error| super::failure(&error))?;
    super::project(&Answer::of(result, false), &OUTPUT)
}

/// The files that are named, and those in the folders that are named.
fn files(server: &Server, named: Option<Value>) -> Result<Vec<PathBuf>, String> {
    let named: Vec<String> = serde_json::from_value(named.unwrap_or_default())
        .map_err(|_| "files: must be a list of paths, each a string".to_owned())?;
    let folder = server.runs().options().working_dir;
    let mut files = Vec::new();
    for path in &named {
        server.trust().may_touch("files", path).map_err(|refusal| refusal.to_string())?;
        let found = failure::files(&folder.join(path)).map_err(|error| super::failure(&error))?;
        if found.is_empty() {
            return Err(format!("files: {path} holds no failure files"));
        }
        files.extend(found);
    }
    if files.is_empty() {
        return Err("files: must name at least one failure file, or a folder of them".to_owned());
    }
    Ok(files)
}
