//! Plain JSON-RPC clients, which hide no fault.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;

use super::expect::view;
use crate::support::{Started, command, start_command};

/// Silence after which a step that expects no answer has its way.
const QUIET: Duration = Duration::from_secs(3);
/// Longest wait for any other answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// What to connect to: a server over HTTP, or a command for stdio.
pub(super) struct Target {
    modern: bool,
    args: Vec<String>,
    switches: Vec<(String, String)>,
    http: Option<Started>,
}

/// One connection: a process on stdio, a session over HTTP.
pub(super) struct Connection {
    modern: bool,
    last_id: AtomicU64,
    way: Way,
}

enum Way {
    Stdio {
        _child: Box<Child>,
        input: Box<tokio::sync::Mutex<ChildStdin>>,
        shared: Arc<Mutex<Shared>>,
    },
    Http {
        client: reqwest::Client,
        url: String,
        session: Option<String>,
    },
}

/// What the reader of a process's output knows. Dropping a waiting sender tells that there will be no answer.
#[derive(Default)]
struct Shared {
    waiting: HashMap<u64, oneshot::Sender<Value>>,
    junk: Vec<String>,
    ended: bool,
}

impl Target {
    pub(super) async fn new(
        http: bool,
        modern: bool,
        args: &[&str],
        switches: &[(&str, &str)],
    ) -> Self {
        let owned = |text: &str| text.to_owned();
        let mut target = Self {
            modern,
            args: args.iter().copied().map(owned).collect(),
            switches: switches.iter().map(|(key, value)| (owned(key), owned(value))).collect(),
            http: None,
        };
        if http {
            let mut command = target.command("serve");
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            target.http = Some(start_command(command).await);
        }
        target
    }

    fn command(&self, how: &str) -> Command {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let mut command = command(how, &args);
        command.envs(self.switches.iter().cloned());
        command
    }

    pub(super) async fn connect(&self) -> Connection {
        let way = match &self.http {
            Some(started) => {
                let url = format!("{}/mcp", started.base);
                Way::Http { client: reqwest::Client::new(), url, session: None }
            }
            None => start_stdio(self.command("mcp")),
        };
        let mut connection = Connection { modern: self.modern, last_id: AtomicU64::new(0), way };
        if !self.modern {
            connection.initialize().await;
        }
        connection
    }
}

fn start_stdio(mut command: Command) -> Way {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let input = Box::new(tokio::sync::Mutex::new(child.stdin.take().unwrap()));
    let shared = Arc::new(Mutex::new(Shared::default()));
    tokio::spawn(read(child.stdout.take().unwrap(), Arc::clone(&shared)));
    Way::Stdio { _child: Box::new(child), input, shared }
}

async fn read(output: ChildStdout, shared: Arc<Mutex<Shared>>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let mut shared = shared.lock().unwrap();
        match serde_json::from_str::<Value>(&line) {
            Ok(message) => {
                let waiting = message["id"].as_u64().and_then(|id| shared.waiting.remove(&id));
                waiting.map(|waiting| waiting.send(message));
            }
            Err(_) => shared.junk.push(line),
        }
    }
    let mut shared = shared.lock().unwrap();
    shared.ended = true;
    shared.waiting.clear();
}

impl Connection {
    async fn initialize(&mut self) {
        let info = json!({"name": "witness", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let answer = self.request("initialize", params, false).await;
        assert_eq!(answer["outcome"], "ok", "{answer}");
        if let Way::Http { session, .. } = &mut self.way {
            *session = answer["session_id"].as_str().map(str::to_owned);
        }
        self.notify("notifications/initialized", json!({})).await;
    }

    /// Sends a request and describes its answer. `silent` expects none and waits less.
    pub(super) async fn request(&self, method: &str, params: Value, silent: bool) -> Value {
        let wait = if silent { QUIET } else { PATIENCE };
        match &self.way {
            Way::Stdio { shared, .. } => {
                let (_, answer) = self.send(method, params).await;
                let answer = tokio::time::timeout(wait, answer).await.ok().and_then(Result::ok);
                let mut seen = view(answer.as_ref());
                seen.insert("junk".to_owned(), json!(shared.lock().unwrap().junk));
                seen.into()
            }
            Way::Http { .. } => tokio::time::timeout(wait, self.post(method, params))
                .await
                .unwrap_or_else(|_| view(None).into()),
        }
    }

    /// Sends a request and cancels it while it runs.
    pub(super) async fn cancelled(&self, method: &str, params: Value) {
        let (id, _) = self.send(method, params).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        self.notify("notifications/cancelled", json!({"requestId": id})).await;
    }

    async fn send(&self, method: &str, params: Value) -> (u64, oneshot::Receiver<Value>) {
        let message = self.message(method, params);
        let id = message["id"].as_u64().unwrap();
        let (waiting, answer) = oneshot::channel();
        let Way::Stdio { shared, .. } = &self.way else { panic!("cancelled over HTTP") };
        {
            let mut shared = shared.lock().unwrap();
            if !shared.ended {
                shared.waiting.insert(id, waiting);
            }
        }
        self.write(&message).await;
        (id, answer)
    }

    async fn notify(&self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        match &self.way {
            Way::Stdio { .. } => self.write(&message).await,
            Way::Http { .. } => {
                self.http_request(&message).send().await.unwrap();
            }
        }
    }

    async fn write(&self, message: &Value) {
        let Way::Stdio { input, .. } = &self.way else { panic!("written over HTTP") };
        // A process that has ended takes nothing; the answer that does not come tells.
        let _ = input.lock().await.write_all(format!("{message}\n").as_bytes()).await;
    }

    fn message(&self, method: &str, mut params: Value) -> Value {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        if self.modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "witness", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    fn http_request(&self, message: &Value) -> reqwest::RequestBuilder {
        let Way::Http { client, url, session } = &self.way else { panic!("posted over stdio") };
        let mut request =
            client.post(url).header("accept", "application/json, text/event-stream").json(message);
        if self.modern {
            request = request.header("mcp-protocol-version", "2026-07-28");
            request = request.header("mcp-method", message["method"].as_str().unwrap());
            let name = ["name", "uri"].iter().find_map(|field| message["params"][field].as_str());
            request =
                name.into_iter().fold(request, |request, name| request.header("mcp-name", name));
        } else if message["method"] != "initialize" {
            request = request.header("mcp-protocol-version", "2025-11-25");
        }
        session.iter().fold(request, |request, session| request.header("mcp-session-id", session))
    }

    async fn post(&self, method: &str, params: Value) -> Value {
        let message = self.message(method, params);
        let Ok(mut response) = self.http_request(&message).send().await else {
            return view(None).into();
        };
        let status = response.status().as_u16();
        let session = response.headers().get("mcp-session-id").cloned();
        let mut body = Vec::new();
        // A body that breaks off counts as far as it came.
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if answer_in(&body, &message["id"]).is_some() {
                break;
            }
        }
        let mut seen = view(answer_in(&body, &message["id"]).as_ref());
        seen.insert("http".to_owned(), json!({"status": status}));
        if let Some(session) = session {
            seen.insert("session_id".to_owned(), session.to_str().unwrap().into());
        }
        seen.into()
    }
}

/// The message that answers `id`, in a JSON body or an event stream.
fn answer_in(body: &[u8], id: &Value) -> Option<Value> {
    let text = String::from_utf8_lossy(body);
    let whole = std::iter::once(text.as_ref());
    let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut messages =
        whole.chain(events).filter_map(|json| serde_json::from_str::<Value>(json.trim()).ok());
    messages.find(|message| &message["id"] == id)
}
