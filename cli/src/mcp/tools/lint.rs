//! `lint`: judges a server without calling a tool of it.

use super::{Object, Outcome};
use crate::mcp::answer::Answer;
use crate::mcp::schema;
use crate::mcp::server::Server;
use rmcp::RoleServer;
use rmcp::model::Tool;
use rmcp::service::RequestContext;
use std::sync::LazyLock;

pub(super) const NAME: &str = "lint";

/// The fields of the input that matter where no tool is called.
const INPUT: [&str; 8] = [
    "target",
    "protocol_version",
    "request_timeout",
    "startup_timeout",
    "time_limit",
    "isolate",
    "fixture_dir",
    "config",
];
/// The fields of the result that say something then.
const OUTPUT: [&str; 7] =
    ["outcome", "reason", "server", "findings", "warnings", "not_measured", "left_out"];

static SCHEMA: LazyLock<Object> = LazyLock::new(|| schema::part(&schema::INPUT, &INPUT));

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Judges an MCP server without calling any of its tools: its handshake, its lists and schemas, and how it takes odd messages. \
         Starts the command given as `target`.",
        SCHEMA.clone(),
        super::projected(&OUTPUT),
        super::starts_anything("Judge an MCP server without calling its tools"),
    )
}

pub(super) async fn call(
    server: &Server,
    mut arguments: Object,
    context: &RequestContext<RoleServer>,
) -> Outcome {
    super::known(&arguments, &SCHEMA)?;
    // Nothing is called, so there is no case to save.
    arguments.insert("failure_dir".to_owned(), "".into());
    let input = super::input(server, arguments)?;
    let seconds = input.time_limit;
    let result = server
        .runs()
        .carry_out(context, seconds, |options| tooltest_core::lint_blocking(input, options))
        .await
        .map_err(|error| super::failure(&error))?;
    super::project(&Answer::of(result, false), &OUTPUT)
}
