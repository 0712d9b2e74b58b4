//! A real Chromium without a window, driven over its debugging protocol. It can reach this machine only.

use crate::harness::wait_for;
use crate::http;
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A page of a browser.
pub(crate) struct Browser {
    child: Child,
    socket: BufReader<TcpStream>,
    next: u64,
    /// What the page complained about.
    pub(crate) complaints: Vec<String>,
    _profile: TempDir,
}

/// The program; none where there is no Chromium.
fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

impl Browser {
    #[expect(clippy::print_stdout, reason = "whoever reads the test's output should know")]
    /// Starts a browser with an empty profile; none, with a message, where there is no Chromium.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            println!(
                "skipped: there is no Chromium on the PATH (Debian: apt-get install chromium)"
            );
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,1000"])
            .arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
            .arg("--remote-debugging-port=0")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .env("HOME", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let port = profile.path().join("DevToolsActivePort");
        let port: u16 = wait_for(|| {
            let text = std::fs::read_to_string(&port).ok()?;
            text.lines().next()?.parse().ok()
        });
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let page = wait_for(|| {
            let pages = http::request(address, "GET /json/list", &[], "").json();
            pages.as_array()?.iter().find(|page| page["type"] == "page").cloned()
        });
        let url = page["webSocketDebuggerUrl"].as_str().unwrap();
        let path = url.splitn(4, '/').nth(3).unwrap();
        let socket = open(address, path);
        let complaints = Vec::new();
        let mut browser = Self { child, socket, next: 1, complaints, _profile: profile };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Asks the browser; gives the result.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let message = json!({"id": id, "method": method, "params": params}).to_string();
        write(self.socket.get_mut(), &message);
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let message: Value = serde_json::from_slice(&frame(&mut self.socket)).unwrap();
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(params.to_string()),
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap();
                let is_ours = url.starts_with("http://127.0.0.1:")
                    || url.starts_with("data:")
                    || url == "about:blank";
                assert!(is_ours, "the page asks for {url}");
            }
            _ => {}
        }
        message
    }

    pub(crate) fn open(&mut self, url: &str) {
        self.ask("Page.navigate", json!({ "url": url }));
    }

    /// Evaluates an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.ask("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let whether = format!("Boolean({expression})");
        for _ in 0..1500 {
            if self.eval(&whether) == true {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let page = self.eval("document.body.innerText");
        panic!("{expression} did not come true: {page} {:?}", self.complaints);
    }

    /// The text of an element.
    pub(crate) fn text(&mut self, id: &str) -> String {
        let text = self.eval(&format!("document.getElementById({id:?}).innerText"));
        text.as_str().unwrap().to_owned()
    }

    /// Presses a key, as a person does.
    pub(crate) fn press(&mut self, key: &str, control: bool) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            " " => 32,
            _ => 0,
        };
        let text = if key == "Enter" { "\r" } else { key };
        let modifiers = if control { 2 } else { 0 };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        if code != 9 {
            event["text"] = text.into();
        }
        self.ask("Input.dispatchKeyEvent", event.clone());
        event["type"] = "keyUp".into();
        event.as_object_mut().unwrap().remove("text");
        self.ask("Input.dispatchKeyEvent", event);
    }

    /// Types text where the focus is.
    pub(crate) fn type_in(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Takes a picture, and keeps it where `TOOLTEST_SCREENSHOTS` says; gives its size in bytes.
    pub(crate) fn picture(&mut self, name: &str) -> usize {
        let data =
            self.ask("Page.captureScreenshot", json!({}))["data"].as_str().unwrap().to_owned();
        if let Some(folder) = std::env::var_os("TOOLTEST_SCREENSHOTS") {
            std::fs::write(PathBuf::from(folder).join(format!("{name}.png.b64")), &data).unwrap();
        }
        data.len()
    }

    /// Makes the window as small as a phone's, or as it was.
    pub(crate) fn phone(&mut self, on: bool) {
        let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false});
        if on {
            self.ask("Emulation.setDeviceMetricsOverride", size);
        } else {
            self.ask("Emulation.clearDeviceMetricsOverride", json!({}));
        }
    }

    /// Makes pages dark or light.
    pub(crate) fn scheme(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.ask("Emulation.setEmulatedMedia", json!({ "features": features }));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Opens a web socket.
fn open(address: SocketAddr, path: &str) -> BufReader<TcpStream> {
    let head = format!(
        "GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut socket = BufReader::new(http::send(address, head.as_bytes()));
    let head = http::head(&mut socket);
    assert!(head.starts_with("http/1.1 101"), "{head}");
    socket
}

/// Sends a text. The mask of zeros leaves it as it is.
fn write(socket: &mut TcpStream, text: &str) {
    let mut bytes = vec![0x81, 0x80 | 127];
    bytes.extend((text.len() as u64).to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(text.as_bytes());
    socket.write_all(&bytes).unwrap();
}

/// The next whole message.
fn frame(socket: &mut impl Read) -> Vec<u8> {
    let mut message = Vec::new();
    loop {
        let mut head = [0; 2];
        socket.read_exact(&mut head).unwrap();
        let length = match head[1] & 0x7f {
            126 => u64::from(u16::from_be_bytes(bytes(socket))),
            127 => u64::from_be_bytes(bytes(socket)),
            short => u64::from(short),
        };
        let mut part = vec![0; usize::try_from(length).unwrap()];
        socket.read_exact(&mut part).unwrap();
        // Pings and their like are no part of a message.
        if head[0] & 0x0f < 8 {
            message.extend(part);
            if head[0] & 0x80 != 0 {
                return message;
            }
        }
    }
}

fn bytes<const N: usize>(socket: &mut impl Read) -> [u8; N] {
    let mut bytes = [0; N];
    socket.read_exact(&mut bytes).unwrap();
    bytes
}
