//! `tooltest`: tests a server.

use super::{Object, Outcome};
use crate::mcp::answer::Answer;
use crate::mcp::schema;
use crate::mcp::server::Server;
use rmcp::RoleServer;
use rmcp::model::Tool;
use rmcp::service::RequestContext;

pub(super) const NAME: &str = "tooltest";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Tests an MCP server: calls its tools in every way their schemas allow, follows their answers, and reports each distinct bug \
         with the smallest calls that show it and what to do. Starts the command given as `target` and really calls its tools. \
         A server full of bugs is a normal result; an error means that there is no result.",
        schema::INPUT.clone(),
        schema::of::<Answer>(),
        super::starts_anything("Test an MCP server"),
    )
}

pub(super) async fn call(
    server: &Server,
    arguments: Object,
    context: &RequestContext<RoleServer>,
) -> Outcome {
    let input = super::input(server, arguments)?;
    let (seconds, whole) = (input.time_limit, input.full_trace || input.trace_all);
    let result = server
        .runs()
        .carry_out(context, seconds, |options| tooltest_core::run_blocking(input, options))
        .await
        .map_err(|error| super::failure(&error))?;
    serde_json::to_value(Answer::of(result, whole)).map_err(|error| error.to_string())
}
