//! The MCP server: fourteen tools over the operations in `tools`.

use std::sync::Arc;

use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, Json, RoleServer, ServerHandler, tool, tool_handler, tool_router};

use super::{prompts, resources, waits};
use crate::app::App;
use crate::bugs;
use crate::failure::Failure;
use crate::tools::{
    self, AwaitQuiesce, CreateSession, CreatedSession, GetScreen, GetScrollback, InputMode,
    InputModeState, ListSessions, ManageSession, ManagedSession, OverlayAnswer, OverlayParams,
    PanelAnswer, PanelParams, Quiet, RemoveElement, Removed, RunCommand, RunResult, ScreenMode,
    ScreenModeState, ScreenResult, Scrollback, SendInput, SentInput, SessionList,
};

/// One connection's view of the server; all connections share the state.
#[derive(Clone)]
pub(crate) struct Wsh {
    app: Arc<App>,
    tool_router: Arc<ToolRouter<Self>>,
}

#[tool_router]
impl Wsh {
    /// A server over this state.
    pub(crate) fn new(app: Arc<App>) -> Self {
        let mut router = Self::tool_router();
        waits::declare(&mut router, &app.config);
        Self { app, tool_router: Arc::new(router) }
    }

    /// Start a program in a new terminal session. Without a command it is the server's shell.
    #[tool(annotations(
        title = "Create a session",
        read_only_hint = false,
        destructive_hint = false,
        idempotent_hint = false,
        open_world_hint = true
    ))]
    async fn wsh_create_session(
        &self,
        Parameters(params): Parameters<CreateSession>,
    ) -> Result<Json<CreatedSession>, Failure> {
        tools::create_session(&self.app, params).await.map(Json)
    }

    /// List all sessions, or one.
    #[tool(annotations(title = "List sessions", read_only_hint = true, open_world_hint = false))]
    async fn wsh_list_sessions(
        &self,
        Parameters(params): Parameters<ListSessions>,
    ) -> Result<Json<SessionList>, Failure> {
        tools::list_sessions(&self.app, params).map(Json)
    }

    /// End a session, give it another name, or send its viewers away.
    #[tool(annotations(
        title = "Manage a session",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = false
    ))]
    async fn wsh_manage_session(
        &self,
        Parameters(params): Parameters<ManageSession>,
    ) -> Result<Json<ManagedSession>, Failure> {
        tools::manage_session(&self.app, params).await.map(Json)
    }

    /// Type into a session, exactly what is given. Control characters are keys: "\n" is Enter, "\u0003" is Ctrl-C.
    #[tool(annotations(
        title = "Type input",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = true
    ))]
    async fn wsh_send_input(
        &self,
        Parameters(params): Parameters<SendInput>,
    ) -> Result<Json<SentInput>, Failure> {
        tools::send_input(&self.app, params).await.map(Json)
    }

    /// Read what the terminal shows now.
    #[tool(annotations(title = "Read the screen", read_only_hint = true, open_world_hint = false))]
    async fn wsh_get_screen(
        &self,
        Parameters(params): Parameters<GetScreen>,
    ) -> Result<Json<ScreenResult>, Failure> {
        tools::get_screen(&self.app, params).await.map(Json)
    }

    /// Read everything printed so far, page by page, oldest line first.
    #[tool(annotations(
        title = "Read the scrollback",
        read_only_hint = true,
        open_world_hint = false
    ))]
    async fn wsh_get_scrollback(
        &self,
        Parameters(params): Parameters<GetScrollback>,
    ) -> Result<Json<Scrollback>, Failure> {
        tools::get_scrollback(&self.app, params).await.map(Json)
    }

    /// Wait until the program has printed nothing for a while. An error if it does not fall silent in time.
    #[tool(annotations(
        title = "Wait for silence",
        read_only_hint = true,
        open_world_hint = false
    ))]
    async fn wsh_await_quiesce(
        &self,
        Parameters(params): Parameters<AwaitQuiesce>,
    ) -> Result<Json<Quiet>, Failure> {
        tools::await_quiesce(&self.app, params).await.map(Json)
    }

    /// Type a line, wait until the program falls silent, and read the screen: three calls in one.
    #[tool(annotations(
        title = "Run a command",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = true
    ))]
    async fn wsh_run_command(
        &self,
        Parameters(params): Parameters<RunCommand>,
    ) -> Result<Json<RunResult>, Failure> {
        tools::run_command(&self.app, params).await.map(Json)
    }

    /// Make an overlay (a box with text over the screen), change one by its id, or list them.
    #[tool(annotations(
        title = "Draw an overlay",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = false
    ))]
    async fn wsh_overlay(
        &self,
        Parameters(params): Parameters<OverlayParams>,
    ) -> Result<Json<OverlayAnswer>, Failure> {
        tools::overlay(&self.app, params).map(Json)
    }

    /// Remove one overlay by its id, or all that show.
    #[tool(annotations(
        title = "Remove overlays",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = false
    ))]
    async fn wsh_remove_overlay(
        &self,
        Parameters(params): Parameters<RemoveElement>,
    ) -> Result<Json<Removed>, Failure> {
        tools::remove_overlay(&self.app, params).map(Json)
    }

    /// Make a panel (rows at the top or bottom that the program does not get), change one by its id, or list them.
    #[tool(annotations(
        title = "Draw a panel",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = false
    ))]
    async fn wsh_panel(
        &self,
        Parameters(params): Parameters<PanelParams>,
    ) -> Result<Json<PanelAnswer>, Failure> {
        tools::panel(&self.app, params).map(Json)
    }

    /// Remove one panel by its id, or all that show, and give the program their rows back.
    #[tool(annotations(
        title = "Remove panels",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = false,
        open_world_hint = false
    ))]
    async fn wsh_remove_panel(
        &self,
        Parameters(params): Parameters<RemoveElement>,
    ) -> Result<Json<Removed>, Failure> {
        tools::remove_panel(&self.app, params).map(Json)
    }

    /// Tell or set where typed input goes: to the program, or captured and kept from it.
    #[tool(annotations(
        title = "Input mode",
        read_only_hint = false,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn wsh_input_mode(
        &self,
        Parameters(params): Parameters<InputMode>,
    ) -> Result<Json<InputModeState>, Failure> {
        tools::input_mode(&self.app, params).map(Json)
    }

    /// Tell or change the drawing layer. The alternate layer starts empty, and leaving it removes what was drawn in it.
    #[tool(annotations(
        title = "Screen mode",
        read_only_hint = false,
        destructive_hint = true,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn wsh_screen_mode(
        &self,
        Parameters(params): Parameters<ScreenMode>,
    ) -> Result<Json<ScreenModeState>, Failure> {
        tools::screen_mode(&self.app, params).map(Json)
    }
}

impl Wsh {
    /// The state behind this connection.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Carries out a call.
    pub(crate) async fn route(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.tool_router.call(ToolCallContext::new(self, request, context)).await
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Wsh {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match bugs::active() {
            Some(bug) => bugs::call(bug, self, request, context).await,
            None => self.route(request, context).await,
        }
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("wsh", env!("CARGO_PKG_VERSION")))
            .with_instructions(prompts::INSTRUCTIONS)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request).map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list(&self.app)))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.app, &request.uri).await.map(Into::into)
    }
}
