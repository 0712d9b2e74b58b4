//! Starts servers and calls them through the official client.

mod outcome;
mod process;

pub(crate) use outcome::Outcome;
pub(crate) use process::{SAFE, Started, command, start, start_command};

use std::collections::HashMap;

use rmcp::model::{
    CallToolRequestParams, ClientConfig, GetPromptRequestParams, ProtocolVersion,
    ReadResourceRequestParams,
};
use rmcp::service::RunningService;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value;

/// How a client reaches the server, and in which era of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Stdio(Era),
    Http(Era),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Legacy,
    Modern,
}

pub(crate) const WAYS: [Way; 4] = [
    Way::Stdio(Era::Legacy),
    Way::Stdio(Era::Modern),
    Way::Http(Era::Legacy),
    Way::Http(Era::Modern),
];

/// A fresh server and a client of it. The server ends when this goes.
pub(crate) struct Server {
    client: RunningService<RoleClient, ClientConfig>,
    /// Where the HTTP side listens.
    pub(crate) base: String,
    schemas: HashMap<String, jsonschema::Validator>,
    _process: Option<Started>,
}

/// Runs a test on a fresh server for each way to reach it, with the harmless shell.
pub(crate) async fn on_all_ways(test: impl AsyncFn(&Server)) {
    on_all_ways_with(&SAFE, test).await;
}

/// Runs a test on a fresh server for each way to reach it.
pub(crate) async fn on_all_ways_with(args: &[&str], test: impl AsyncFn(&Server)) {
    for way in WAYS {
        let server = Server::start(way, args).await;
        eprintln!("-- {way:?}");
        test(&server).await;
    }
}

impl Server {
    pub(crate) async fn start(way: Way, args: &[&str]) -> Self {
        let (client, base, process) = match way {
            Way::Stdio(era) => {
                let (transport, stderr) = TokioChildProcess::builder(command("mcp", args))
                    .stderr(std::process::Stdio::piped())
                    .spawn()
                    .unwrap();
                let base = process::listening(stderr.unwrap()).await;
                (connect(transport, era).await, base, None)
            }
            Way::Http(era) => {
                let started = start("serve", args).await;
                let base = started.base.clone();
                (Self::http_client(&base, era).await, base, Some(started))
            }
        };
        Self::with(client, base, process).await
    }

    /// Another client of the same server, over HTTP.
    pub(crate) async fn beside(&self) -> Self {
        let client = Self::http_client(&self.base, Era::Legacy).await;
        Self::with(client, self.base.clone(), None).await
    }

    async fn with(
        client: RunningService<RoleClient, ClientConfig>,
        base: String,
        process: Option<Started>,
    ) -> Self {
        let mut server = Self { client, base, schemas: HashMap::new(), _process: process };
        for tool in server.client.list_all_tools().await.unwrap() {
            let schema = Value::Object((*tool.output_schema.unwrap()).clone());
            server
                .schemas
                .insert(tool.name.to_string(), jsonschema::validator_for(&schema).unwrap());
        }
        server
    }

    async fn http_client(base: &str, era: Era) -> RunningService<RoleClient, ClientConfig> {
        connect(StreamableHttpClientTransport::from_uri(format!("{base}/mcp")), era).await
    }

    /// The client itself.
    pub(crate) fn client(&self) -> &RunningService<RoleClient, ClientConfig> {
        &self.client
    }

    /// Calls a tool. Structured content is checked against the tool's output schema.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let params = CallToolRequestParams::new(tool.to_owned())
            .with_arguments(arguments.as_object().unwrap().clone());
        let outcome = Outcome::from(self.client.call_tool(params).await);
        if let Some(value) = outcome.structured() {
            let schema = &self.schemas[tool];
            let faults: Vec<String> =
                schema.iter_errors(value).map(|error| error.to_string()).collect();
            assert!(faults.is_empty(), "{tool} answered {value}, against its schema: {faults:?}");
        }
        outcome
    }

    /// Calls a tool that must succeed, and returns its structured content.
    pub(crate) async fn ok(&self, tool: &str, arguments: Value) -> Value {
        match self.call(tool, arguments.clone()).await {
            Outcome::Ok(value) => value,
            other => panic!("{tool} {arguments} gave {other:?}"),
        }
    }

    /// Calls a tool that must refuse, and returns its text.
    pub(crate) async fn refused(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments.clone()).await {
            Outcome::ToolError { text, .. } => text,
            other => panic!("{tool} {arguments} gave {other:?}"),
        }
    }

    /// Makes a session with this name.
    pub(crate) async fn session(&self, name: &str) {
        self.ok("wsh_create_session", serde_json::json!({"name": name})).await;
    }

    /// The lines of a session's screen, as plain text, without blank ones at the end.
    pub(crate) async fn lines(&self, session: &str) -> Vec<String> {
        let screen = self.ok("wsh_get_screen", serde_json::json!({"session": session})).await;
        trimmed(&screen["lines"])
    }

    /// Reads a text resource, or says why not.
    pub(crate) async fn read(&self, uri: &str) -> Result<String, (i32, String)> {
        let result = self.client.read_resource(ReadResourceRequestParams::new(uri)).await;
        let contents = result.map_err(outcome::rpc_error)?.contents;
        let value = serde_json::to_value(&contents[0]).unwrap();
        assert_eq!(value["uri"], uri);
        Ok(value["text"].as_str().unwrap().to_owned())
    }

    /// Gets a prompt's text, or says why not.
    pub(crate) async fn prompt(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<String, (i32, String)> {
        let mut params = GetPromptRequestParams::new(name);
        params.arguments = arguments.as_object().cloned();
        let result = self.client.get_prompt(params).await.map_err(outcome::rpc_error)?;
        let value = serde_json::to_value(&result.messages).unwrap();
        assert_eq!(value.as_array().unwrap().len(), 1);
        Ok(value[0]["content"]["text"].as_str().unwrap().to_owned())
    }
}

/// Lines as strings, without blank ones at the end.
pub(crate) fn trimmed(lines: &Value) -> Vec<String> {
    let mut lines: Vec<String> =
        lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

async fn connect<T, E, A>(transport: T, era: Era) -> RunningService<RoleClient, ClientConfig>
where
    T: rmcp::transport::IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let mut config = ClientConfig::default();
    config.protocol_version = ProtocolVersion::V_2025_11_25;
    let mode = match era {
        Era::Legacy => ClientLifecycleMode::Initialize,
        Era::Modern => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
    };
    config.serve_with_lifecycle(transport, mode).await.unwrap()
}
