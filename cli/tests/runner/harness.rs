//! A folder with scripts and the real command that serves them.

use crate::http::{self, Answer};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const LOG: &str = "log/runner-audit.jsonl";

/// The command that is tested.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tooltest"))
}

/// A folder; scripts are in `root`.
pub(crate) struct Place(TempDir);

impl Place {
    /// A folder with these scripts.
    pub(crate) fn new(scripts: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.path("root")).unwrap();
        for (name, text) in scripts {
            let path = place.path("root").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// The lines of the audit log.
    pub(crate) fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(LOG)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The only line of the audit log with that result.
    pub(crate) fn logged(&self, result: &str) -> Value {
        let lines: Vec<Value> =
            self.log().into_iter().filter(|line| line["result"] == result).collect();
        assert_eq!(lines.len(), 1, "{result}: {lines:?}");
        lines[0].clone()
    }

    /// Waits until the audit log has so many lines.
    pub(crate) fn log_of(&self, count: usize) -> Vec<Value> {
        wait_for(|| Some(self.log()).filter(|log| log.len() >= count))
    }

    /// Waits until a script has written a line, and gives it.
    pub(crate) fn line_of(&self, name: &str) -> String {
        let path = self.path("root").join(name);
        wait_for(|| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            text.split_once('\n').map(|(line, _)| line.to_owned())
        })
    }

    /// The command in an environment of its own that allows these scripts.
    pub(crate) fn command(&self, scripts: &str) -> Command {
        let mut command = Command::new(program());
        command.env_clear().current_dir(self.path("")).env("HOME", self.path(""));
        for kept in ["PATH", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(kept) {
                command.env(kept, value);
            }
        }
        command.env("TSM_ALLOWED_ROOT", "root").env("TSM_ALLOWED_SCRIPTS", scripts);
        command.env("TSM_ALLOWED_ARGS", "--name,--port").env("TSM_ENV_ALLOWLIST", "MODE,PATH");
        command.env("TSM_LOG_DIR", "log").env("SECRET", "do not tell");
        command
    }

    /// Starts the server over HTTP.
    pub(crate) fn serve(&self, scripts: &str, change: impl FnOnce(&mut Command)) -> Server {
        let mut command = self.command(scripts);
        change(&mut command);
        command.args(["mcp", "--http", "--bind", "127.0.0.1:0"]);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server tells its address").unwrap();
            if let Some((_, address)) = line.split_once("http://") {
                break address.trim_end_matches("/mcp").parse().unwrap();
            }
        };
        // What the server says is read on, so that it never waits.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }
}

/// Asks until there is an answer; a test that hangs fails after a while.
pub(crate) fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(answer) = ask() {
            return answer;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("what was waited for did not happen");
}

/// Whether a process runs, not counting one that has ended and waits to be reaped.
pub(crate) fn lives(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn get(&self, path: &str) -> Answer {
        http::request(self.address, &format!("GET {path}"), &[], "")
    }

    pub(crate) fn post(&self, path: &str, document: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        http::request(self.address, &format!("POST {path}"), &headers, &document.to_string())
    }

    /// Asks to run a script.
    pub(crate) fn run(&self, document: &Value) -> Answer {
        self.post("/actions/run_script", document)
    }

    /// Sends an MCP request of the revision without sessions; gives its result.
    pub(crate) fn mcp(&self, method: &str, params: Value) -> Value {
        let mut params = params;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "attacker", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let name = params["name"].as_str().unwrap_or_default();
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
            ("Mcp-Name", name),
        ];
        let headers = if name.is_empty() { &headers[..4] } else { &headers[..] };
        let answer = http::request(self.address, "POST /mcp", headers, &message.to_string());
        let lines = answer.body.lines().rev();
        let mut lines = lines.map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let message = lines.find_map(|line| serde_json::from_str::<Value>(line).ok());
        message.unwrap_or_else(|| panic!("{answer:?}"))
    }

    /// Calls a tool; gives its result.
    pub(crate) fn call(&self, name: &str, arguments: &Value) -> Value {
        let message = self.mcp("tools/call", json!({"name": name, "arguments": arguments}));
        message.get("result").unwrap_or_else(|| panic!("{message}")).clone()
    }

    /// The most memory that the server has had, in kilobytes.
    pub(crate) fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) fn end(mut self) {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
