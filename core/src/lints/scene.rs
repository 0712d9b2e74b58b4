//! Scenes: servers made up for tests, shown to a lint through whichever method its hook has.
//!
//! A scene holds what a run would have learned of a server. [`Scene::judge`] builds the context that the lint's hook
//! takes and returns the problems it finds, so one kind of example serves all hooks.

use super::{
    CaseContext, Entry, Execution, Hook, ListContext, ProbeContext, Problem, ResponseContext,
    RunContext,
};
use crate::case::{Action, Label, Role, Step};
use crate::catalog::{Catalog, ListKind, Listing, WalkEnd};
use crate::exchange::{Exchange, HttpExchange, Reply, RpcError};
use crate::input::{HttpTarget, StdioTarget, Target, TooltestInput};
use crate::message::{Channel, Frame};
use crate::outcome::Outcome;
use crate::probe::{Probe, ProbeHttp, ProbeOutcome, ProbeRun, ProbeStep};
use crate::protocol::{Era, Revision};
use crate::record::Record;
use crate::session::ServerIdentity;
use serde_json::{Value, json};
use std::time::Duration;

/// What a made-up server answers to a request: method and params in, reply out.
pub(crate) type Answer = fn(&str, &Value) -> Reply;

/// What a made-up server answers to a free HTTP request of a probe.
pub(crate) type AnswerHttp = fn(&ProbeHttp) -> HttpExchange;

/// A made-up server and what was seen of it.
pub(crate) struct Scene {
    pub(crate) revision: Revision,
    pub(crate) input: TooltestInput,
    pub(crate) params: Value,
    pub(crate) listings: Vec<Listing>,
    pub(crate) server: ServerIdentity,
    pub(crate) exchange: Option<Exchange>,
    pub(crate) step: Option<Step>,
    pub(crate) history: Vec<(Step, Exchange)>,
    pub(crate) stray: Vec<Frame>,
    pub(crate) answer: Option<Answer>,
    pub(crate) answer_http: Option<AnswerHttp>,
    pub(crate) change_runs: Option<fn(&mut ProbeRun)>,
    pub(crate) probe_runs: Option<Vec<ProbeRun>>,
    pub(crate) execution: Option<Execution>,
    pub(crate) references: Vec<Execution>,
    pub(crate) record: Record,
}

impl Scene {
    /// A server of that revision that offers nothing.
    pub(crate) fn at(revision: Revision) -> Self {
        Self {
            revision,
            input: TooltestInput::new(Target::Stdio(StdioTarget {
                command: "server".to_owned(),
                ..StdioTarget::default()
            })),
            params: Value::Null,
            listings: Vec::new(),
            server: identity(revision, json!({"tools": {}, "resources": {}, "prompts": {}})),
            exchange: None,
            step: None,
            history: Vec::new(),
            stray: Vec::new(),
            answer: None,
            answer_http: None,
            change_runs: None,
            probe_runs: None,
            execution: None,
            references: Vec::new(),
            record: Record::default(),
        }
    }

    /// A server of 2025-11-25 that offers nothing.
    pub(crate) fn new() -> Self {
        Self::at(Revision::V2025_11_25)
    }

    /// Parameters of the lint other than the default ones.
    pub(crate) fn params(mut self, params: Value) -> Self {
        self.params = params;
        self
    }

    /// Capabilities other than empty `tools`, `resources` and `prompts`.
    pub(crate) fn capabilities(mut self, capabilities: Value) -> Self {
        self.server = identity(self.revision, capabilities);
        self
    }

    /// Changes what the server says of itself.
    pub(crate) fn with_server(mut self, change: impl FnOnce(&mut ServerIdentity)) -> Self {
        change(&mut self.server);
        self
    }

    /// The result that opened the session, where it is not a usual one.
    pub(crate) fn opened(mut self, result: Value) -> Self {
        let text = |at: &str| result.pointer(at).and_then(Value::as_str).map(str::to_owned);
        self.server.name = text("/serverInfo/name").unwrap_or_default();
        self.server.version = text("/serverInfo/version").unwrap_or_default();
        self.server.protocol_version = text("/protocolVersion");
        self.server.instructions = text("/instructions");
        self.server.capabilities = result.get("capabilities").cloned().unwrap_or_default();
        self.server.opening = Some(Box::new(opening(self.revision, result)));
        self
    }

    /// Adds a tool to the (last page of the) list.
    pub(crate) fn tool(self, tool: Value) -> Self {
        self.item(ListKind::Tools, tool)
    }

    /// Adds a tool named `tool` with that input schema.
    pub(crate) fn input_schema(self, schema: Value) -> Self {
        let mut tool = json!({"name": "tool", "description": "Does it."});
        tool["inputSchema"] = schema;
        self.tool(tool)
    }

    /// Adds a tool named `tool` with that output schema.
    pub(crate) fn output_schema(self, schema: Value) -> Self {
        let mut tool =
            json!({"name": "tool", "description": "Does it.", "inputSchema": {"type": "object"}});
        tool["outputSchema"] = schema;
        self.tool(tool)
    }

    /// Adds an item to the (last page of the) list.
    pub(crate) fn item(mut self, list: ListKind, item: Value) -> Self {
        if self.walk(list).pages.is_empty() {
            self = self.page(list, json!({ list.member(): [] }));
        }
        let page = self.walk(list).pages.last_mut().expect("just added");
        if let Reply::Result(result) = &mut page.reply {
            result[list.member()].as_array_mut().expect("a list").push(item);
        }
        self
    }

    /// Adds a page: the result of a list request.
    pub(crate) fn page(mut self, list: ListKind, result: Value) -> Self {
        let cursor = self.walk(list).pages.last().and_then(|page| {
            page.result()?.get("nextCursor").filter(|cursor| cursor.is_string()).cloned()
        });
        let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
        self.walk(list).pages.push(exchange(list.method(), params, Reply::Result(result)));
        self
    }

    /// Says why the walk over a list ended, where that is not [`WalkEnd::Complete`].
    pub(crate) fn end(mut self, list: ListKind, end: WalkEnd) -> Self {
        self.walk(list).end = end;
        self
    }

    fn walk(&mut self, list: ListKind) -> &mut Listing {
        let position = self.listings.iter().position(|listing| listing.list == list);
        let position = position.unwrap_or_else(|| {
            self.listings.push(Listing { list, pages: Vec::new(), end: WalkEnd::Complete });
            self.listings.len() - 1
        });
        &mut self.listings[position]
    }

    /// The exchange to judge: a call of `tool` with valid arguments, and its result.
    pub(crate) fn call(self, tool: &str, arguments: Value, result: Value) -> Self {
        self.called(tool, arguments, Label::Valid, Reply::Result(result))
    }

    /// The exchange to judge: a call of `tool`, what its schema says of the arguments, and the reply.
    pub(crate) fn called(
        mut self,
        tool: &str,
        arguments: Value,
        label: Label,
        reply: Reply,
    ) -> Self {
        let params = json!({"name": tool, "arguments": arguments});
        self.exchange = Some(exchange("tools/call", params, reply));
        self.step = Some(call_step(tool, arguments, label));
        self
    }

    /// The exchange to judge: any request.
    pub(crate) fn asked(mut self, method: &str, params: Value, reply: Reply) -> Self {
        self.exchange = Some(exchange(method, params, reply));
        self
    }

    /// Changes the exchange to judge.
    pub(crate) fn with_exchange(mut self, change: impl FnOnce(&mut Exchange)) -> Self {
        change(self.exchange.as_mut().expect("call or asked first"));
        self
    }

    /// Gives the exchange to judge an HTTP side.
    pub(crate) fn http(self, http: HttpExchange) -> Self {
        self.with_exchange(|exchange| exchange.http = Some(http))
    }

    /// Adds an earlier call of the case.
    pub(crate) fn after(mut self, tool: &str, arguments: Value, result: Value) -> Self {
        let params = json!({"name": tool, "arguments": arguments});
        let exchange = exchange("tools/call", params, Reply::Result(result));
        self.history.push((call_step(tool, arguments, Label::Valid), exchange));
        self
    }

    /// Adds a frame that belongs to no request.
    pub(crate) fn stray(mut self, frame: Frame) -> Self {
        self.stray.push(frame);
        self
    }

    /// How the server answers the requests of probes; fences are always answered.
    pub(crate) fn answers(mut self, answer: Answer) -> Self {
        self.answer = Some(answer);
        self
    }

    /// How the server answers the free HTTP requests of probes; without this, with 405.
    pub(crate) fn answers_http(mut self, answer: AnswerHttp) -> Self {
        self.answer_http = Some(answer);
        self
    }

    /// Changes each probe after it ran against [`Scene::answers`] and [`Scene::answers_http`].
    pub(crate) fn runs_changed(mut self, change: fn(&mut ProbeRun)) -> Self {
        self.change_runs = Some(change);
        self
    }

    /// Makes the target a Streamable HTTP endpoint on this machine.
    pub(crate) fn over_http(self) -> Self {
        self.with_input(|input| {
            input.target = Target::Http(HttpTarget {
                url: "http://127.0.0.1:8000/mcp".to_owned(),
                ..HttpTarget::default()
            });
        })
    }

    /// The probes as they ran, where [`Scene::answers`] says too little.
    pub(crate) fn probed(mut self, runs: Vec<ProbeRun>) -> Self {
        self.probe_runs = Some(runs);
        self
    }

    /// The case to judge.
    pub(crate) fn ran(mut self, execution: Execution) -> Self {
        self.execution = Some(execution);
        self
    }

    /// Adds a run of the same case in sequence.
    pub(crate) fn reference(mut self, execution: Execution) -> Self {
        self.references.push(execution);
        self
    }

    /// The record to judge.
    pub(crate) fn record(mut self, record: Record) -> Self {
        self.record = record;
        self
    }

    /// Changes the input.
    pub(crate) fn with_input(mut self, change: impl FnOnce(&mut TooltestInput)) -> Self {
        change(&mut self.input);
        self
    }

    /// The probes that the lint plans for this server.
    pub(crate) fn plan(&self, entry: &Entry) -> Vec<Probe> {
        let lint = (entry.build)(&self.params).expect("the scene's parameters fit the lint");
        let catalog = Catalog::from_listings(self.listings.clone(), self.revision);
        lint.probes(&ListContext {
            revision: self.revision,
            input: &self.input,
            server: &self.server,
            catalog: &catalog,
        })
    }

    /// What the lint says of this server.
    pub(crate) fn judge(&self, entry: &Entry) -> Vec<Problem> {
        let lint = (entry.build)(&self.params).expect("the scene's parameters fit the lint");
        let catalog = Catalog::from_listings(self.listings.clone(), self.revision);
        let server = &self.server;
        let seen =
            ListContext { revision: self.revision, input: &self.input, server, catalog: &catalog };
        let mut problems = Vec::new();
        match entry.meta.hook {
            Hook::List => lint.list(&seen, &mut problems),
            Hook::Probe => {
                let planned = lint.probes(&seen);
                let runs = self.probe_runs.clone();
                let runs = runs
                    .unwrap_or_else(|| planned.into_iter().map(|p| self.run_probe(p)).collect());
                lint.probed(&ProbeContext { list: &seen, runs: &runs, all: &runs }, &mut problems);
            }
            Hook::Response => {
                let exchange = self.exchange.as_ref().expect("a response lint needs an exchange");
                let name = self.step.as_ref().and_then(|step| step.action.tool());
                lint.response(
                    &ResponseContext {
                        revision: self.revision,
                        input: &self.input,
                        server,
                        catalog: &catalog,
                        tool: name.and_then(|name| catalog.tool(name)),
                        step: self.step.as_ref(),
                        exchange,
                        outcome: &Outcome::of(exchange),
                        history: &self.history,
                        stray: &self.stray,
                    },
                    &mut problems,
                );
            }
            Hook::Case => lint.case(
                &CaseContext {
                    revision: self.revision,
                    input: &self.input,
                    catalog: &catalog,
                    execution: self.execution.as_ref().expect("a case lint needs an execution"),
                    references: &self.references,
                },
                &mut problems,
            ),
            Hook::Run => lint.run(
                &RunContext {
                    revision: self.revision,
                    input: &self.input,
                    catalog: &catalog,
                    record: &self.record,
                },
                &mut problems,
            ),
        }
        problems
    }

    /// A probe as it runs against [`Scene::answers`].
    fn run_probe(&self, probe: Probe) -> ProbeRun {
        let steps = probe.steps.iter().map(|step| self.run_step(step)).collect();
        let mut run = ProbeRun { probe, steps, not_run: None, closing: None };
        if let Some(change) = self.change_runs {
            change(&mut run);
        }
        run
    }

    fn run_step(&self, step: &ProbeStep) -> ProbeOutcome {
        let reply = |method: &str, params: &Value| {
            self.answer.map_or_else(|| error(-32601, "Method not found"), |a| a(method, params))
        };
        let exchanges = match step {
            ProbeStep::Request(request) => {
                let reply = reply(&request.method, &request.params);
                let mut exchange = exchange(&request.method, request.params.clone(), reply);
                exchange.id = request.id.clone().unwrap_or(exchange.id);
                vec![exchange]
            }
            ProbeStep::Together(requests) => requests
                .iter()
                .map(|(method, params)| exchange(method, params.clone(), reply(method, params)))
                .collect(),
            ProbeStep::Fence => vec![exchange("ping", json!({}), Reply::Result(json!({})))],
            _ => Vec::new(),
        };
        let http = match step {
            ProbeStep::Http(request) => {
                Some(self.answer_http.map_or_else(|| http(405, ""), |a| a(request)))
            }
            _ => None,
        };
        ProbeOutcome { exchanges, http, alive: true, ..ProbeOutcome::default() }
    }
}

/// An HTTP response with that status and JSON (or nothing) as its body.
pub(crate) fn http(status: u16, body: &str) -> HttpExchange {
    let json = ("Content-Type".to_owned(), "application/json".to_owned());
    HttpExchange {
        status,
        headers: if body.is_empty() { Vec::new() } else { vec![json] },
        body: body.as_bytes().to_vec(),
        ended: true,
        ..HttpExchange::default()
    }
}

/// What an ordinary server of that revision says of itself.
fn identity(revision: Revision, capabilities: Value) -> ServerIdentity {
    let info = json!({"name": "made-up", "version": "1.0.0"});
    let result = match revision.era() {
        Era::Legacy => json!({
            "protocolVersion": revision.as_str(), "capabilities": capabilities, "serverInfo": info
        }),
        Era::Modern => json!({
            "resultType": "complete", "supportedVersions": [revision.as_str()],
            "capabilities": capabilities, "ttlMs": 0, "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": info}
        }),
    };
    ServerIdentity {
        name: "made-up".to_owned(),
        version: "1.0.0".to_owned(),
        protocol_version: Some(revision.as_str().to_owned()),
        capabilities,
        instructions: None,
        opening: Some(Box::new(opening(revision, result))),
    }
}

/// The exchange that opens a session of that revision.
fn opening(revision: Revision, result: Value) -> Exchange {
    let method = match revision.era() {
        Era::Legacy => "initialize",
        Era::Modern => "server/discover",
    };
    exchange(method, json!({}), Reply::Result(result))
}

/// An exchange with id 1 over a pipe.
pub(crate) fn exchange(method: &str, params: Value, reply: Reply) -> Exchange {
    let frame = match &reply {
        Reply::Result(result) => {
            let mut frame = frame(&json!({"jsonrpc": "2.0", "id": 1, "result": result}));
            // As in a real exchange, the result is in the reply alone.
            frame.value = Some(json!({"jsonrpc": "2.0", "id": 1, "result": null}));
            Some(frame)
        }
        Reply::Error(error) => Some(frame(&json!({"jsonrpc": "2.0", "id": 1, "error": error.raw}))),
        _ => None,
    };
    Exchange {
        method: method.to_owned(),
        params,
        id: json!(1),
        reply,
        frame,
        side: Vec::new(),
        http: None,
        rounds: Vec::new(),
        elapsed: Duration::from_millis(1),
    }
}

/// A frame with that JSON, read from a pipe.
pub(crate) fn frame(value: &Value) -> Frame {
    Frame {
        bytes: value.to_string().into_bytes().into(),
        value: Some(value.clone()),
        anomalies: Vec::new(),
        channel: Channel::Line,
    }
}

/// A JSON-RPC error.
pub(crate) fn error(code: i64, message: &str) -> Reply {
    Reply::Error(RpcError {
        code: Some(code),
        message: message.to_owned(),
        raw: json!({"code": code, "message": message}),
    })
}

/// A step that calls `tool`.
pub(crate) fn call_step(tool: &str, arguments: Value, label: Label) -> Step {
    Step {
        action: Action::CallTool { tool: tool.to_owned(), arguments },
        bindings: Vec::new(),
        label,
        role: Role::default(),
        group: None,
    }
}
