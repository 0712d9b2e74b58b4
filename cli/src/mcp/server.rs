//! The MCP server: what it says of itself, and who answers what.

use super::run::Runs;
use super::trust::Trust;
use super::{guide, tools};
use crate::runner::Runner;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    MetaObject, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;

const INSTRUCTIONS: &str = "Finds real bugs in MCP servers. Call `tooltest` with the server's command or URL as `target`; \
findings come with the smallest calls that show them, and with what to do. Look into the prompt `tooltest-fix-loop` for how to work.";

/// One connection's view of the server; all connections share the runs.
#[derive(Clone)]
pub(crate) struct Server {
    runs: Runs,
    trust: Trust,
    runner: Option<Arc<Runner>>,
}

impl Server {
    /// A server that starts for its clients what `trust` allows.
    pub(crate) fn new(runs: Runs, trust: Trust) -> Self {
        Self { runs, trust, runner: None }
    }

    /// The server, with the guarded runner's tools.
    pub(crate) fn with_runner(self, runner: Option<Arc<Runner>>) -> Self {
        Self { runner, ..self }
    }

    /// The guarded runner, where it is set up.
    pub(crate) fn runner(&self) -> Option<&Arc<Runner>> {
        self.runner.as_ref()
    }

    /// The runs of this process.
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// What a client may have started.
    pub(crate) fn trust(&self) -> &Trust {
        &self.trust
    }
}

/// Who we are, with every result where the revision wants that.
fn named(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    context.protocol_version().filter(|version| *version >= ProtocolVersion::V_2026_07_28)?;
    let name = serde_json::to_value(identity()).ok()?;
    Some(MetaObject(JsonObject::from_iter([(
        "io.modelcontextprotocol/serverInfo".to_owned(),
        name,
    )])))
}

fn identity() -> Implementation {
    Implementation::new("tooltest", env!("CARGO_PKG_VERSION")).with_title("tooltest")
}

/// Every list is one page, so any cursor is one that we never gave.
fn first_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(
            "cursor: there is no such page; leave it out, the list is one page",
            None,
        )),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities).with_server_info(identity()).with_instructions(INSTRUCTIONS)
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        first_page(request)?;
        Ok(ListToolsResult {
            meta: named(&context),
            ..ListToolsResult::with_all_items(tools::all(self))
        })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all(self).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let meta = named(&context);
        let result = tools::call(self, request, context).await?;
        Ok(result.with_meta(meta).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        first_page(request)?;
        Ok(ListPromptsResult {
            meta: named(&context),
            ..ListPromptsResult::with_all_items(vec![guide::prompt()])
        })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let mut result = guide::get(&request.name)?;
        result.meta = named(&context);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        first_page(request)?;
        Ok(ListResourcesResult {
            meta: named(&context),
            ..ListResourcesResult::with_all_items(vec![guide::resource()])
        })
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        first_page(request)?;
        Ok(ListResourceTemplatesResult {
            meta: named(&context),
            ..ListResourceTemplatesResult::default()
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut result = guide::read(&request.uri)?;
        result.meta = named(&context);
        Ok(result.into())
    }
}
