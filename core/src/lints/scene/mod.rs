//! Scenes: servers made up for tests, shown to a lint through whichever method its hook has.
//!
//! A scene holds what a run would have learned of a server. [`Scene::judge`] builds the context that the lint's hook
//! takes and returns the problems it finds, so one kind of example serves all hooks.

mod judge;
mod servers;
mod wire;

pub(crate) use servers::{
    challenged, discovered, lists_resource, odd_headers, odd_headers_code, printed, refuses,
};
pub(crate) use wire::{
    asking_server, call_step, error, exchange, frame, http, listens, silent_at_the_end,
    task_server, task_server_e,
};

use super::{Execution, Seen};
use crate::case::{Label, Step};
use crate::catalog::{ListKind, Listing, WalkEnd};
use crate::exchange::{Exchange, HttpExchange, Reply, SseEvent};
use crate::input::{HttpTarget, StdioTarget, Target, TooltestInput};
use crate::message::Frame;
use crate::probe::{ProbeHttp, ProbeRun};
use crate::protocol::Revision;
use crate::record::Record;
use crate::session::ServerIdentity;
use serde_json::{Value, json};
use std::sync::Arc;
use wire::{identity, opening};

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
    pub(crate) history: Vec<(Step, Arc<Exchange>)>,
    pub(crate) stray: Vec<Frame>,
    pub(crate) answer: Option<Answer>,
    pub(crate) answer_http: Option<AnswerHttp>,
    pub(crate) change_runs: Option<fn(&mut ProbeRun)>,
    pub(crate) probe_runs: Option<Vec<ProbeRun>>,
    pub(crate) execution: Option<Execution>,
    pub(crate) references: Vec<Execution>,
    pub(crate) record: Record,
    pub(crate) seen: Seen,
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
            seen: Seen::default(),
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
        self.history.push((call_step(tool, arguments, Label::Valid), exchange.into()));
        self
    }

    /// The first of the earlier exchanges.
    pub(crate) fn first(&mut self) -> &mut Exchange {
        Arc::make_mut(&mut self.history[0].1)
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

    /// Makes the target a Streamable HTTP endpoint that gave the session an id.
    pub(crate) fn in_session(self) -> Self {
        self.over_http().with_server(|server| {
            let mut response = http(200, "{}");
            response.headers.push(("Mcp-Session-Id".to_owned(), "0af7-6519".to_owned()));
            if let Some(opening) = &mut server.opening {
                opening.http = Some(response);
            }
        })
    }

    /// Makes the target a Streamable HTTP endpoint for which the input has a token.
    pub(crate) fn with_token(self) -> Self {
        self.over_http().with_input(|input| {
            if let Target::Http(target) = &mut input.target {
                target.auth_token = Some("secret".to_owned());
            }
        })
    }

    /// Makes the target an endpoint of HTTP+SSE.
    pub(crate) fn over_sse(self) -> Self {
        self.over_http().with_input(|input| {
            if let Target::Http(target) = &input.target {
                input.target = Target::Sse(target.clone());
            }
        })
    }

    /// The exchange to judge: a request that was answered with an event stream of these events.
    pub(crate) fn streamed(self, events: Vec<SseEvent>) -> Self {
        let kind = ("Content-Type".to_owned(), "text/event-stream".to_owned());
        let stream = HttpExchange {
            status: 200,
            headers: vec![kind],
            events,
            ended: true,
            ..HttpExchange::default()
        };
        self.over_http().asked("tools/list", json!({}), Reply::Result(json!({}))).http(stream)
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

    /// A call that earlier phases have seen succeed.
    pub(crate) fn seen_call(mut self, tool: &str, arguments: Value) -> Self {
        self.seen.calls.push((tool.to_owned(), arguments));
        self
    }

    /// A valid call of a tool that has never worked.
    pub(crate) fn refused_call(mut self, tool: &str, arguments: Value) -> Self {
        self.seen.refused.push((tool.to_owned(), arguments));
        self
    }

    /// A call of `tool` that asked for input first: the `input_required` result of its first round.
    pub(crate) fn seen_question(mut self, tool: &str, round: Value) -> Self {
        let params = json!({"name": tool, "arguments": {}});
        let mut call = exchange("tools/call", params, Reply::Result(json!({"content": []})));
        call.rounds.push(round);
        self.seen.questions.push(call);
        self
    }
}
