//! `fast-server`: an MCP server that answers at once, so that a measurement shows what the tester costs.
//!
//! `fast-server [--tools=N] [--bug=BUG] [--unique] [--counted] [--http]`. Every tool takes the same six parameters; the first one also
//! has an output schema. With `--unique` no two answers are alike; with `--counted` they tell how often other tools were called. With
//! `--http` it prints the address it listens on.
//!
//! Bugs are the first tool's: `always` fails every call of it, `big` those whose `count` is above 700, `late` the 700th of all calls
//! and those after it. For a `count` of exactly 777, `rare` fails, `shape` breaks the output schema, `crash` ends the server,
//! `silence` keeps quiet, `id` answers under another id, `garbage` writes a line that is no message.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// What the server offers and how it fails.
#[derive(Clone, Default)]
struct Settings {
    tools: usize,
    bug: String,
    unique: bool,
    counted: bool,
    http: bool,
}

/// What a server has seen.
#[derive(Default)]
struct Seen {
    calls: u64,
    /// Calls of each tool, by the text of its name.
    by_tool: std::collections::HashMap<String, u64>,
}

fn main() -> io::Result<()> {
    let settings = settings();
    if settings.http {
        return serve_http(&settings);
    }
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let (mut line, mut answer, mut seen) = (String::new(), String::new(), Seen::default());
    while input.read_line(&mut line)? > 0 {
        answer.clear();
        if respond(&settings, &line, &mut seen, &mut answer) {
            answer.push('\n');
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

fn settings() -> Settings {
    let mut settings = Settings { tools: 10, ..Settings::default() };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').unwrap_or((&argument, "")) {
            ("--tools", number) => settings.tools = number.parse().unwrap_or(10),
            ("--bug", bug) => bug.clone_into(&mut settings.bug),
            ("--unique", _) => settings.unique = true,
            ("--counted", _) => settings.counted = true,
            ("--http", _) => settings.http = true,
            _ => {}
        }
    }
    settings
}

/// Writes the answer to a message; false for one that gets none.
#[expect(clippy::exit, reason = "a crash is one of the bugs")]
fn respond(settings: &Settings, line: &str, seen: &mut Seen, answer: &mut String) -> bool {
    let Some(id) = id_of(line) else {
        return false;
    };
    let bug = bug_of(settings, line, seen.calls);
    match bug {
        "crash" => std::process::exit(3),
        "silence" => return false,
        "garbage" => answer.push_str("now calling the tool\n"),
        _ => {}
    }
    let other = if bug == "id" { "9" } else { "" };
    let _ = write!(answer, "{{\"jsonrpc\":\"2.0\",\"id\":{other}{id},");
    if line.contains("\"method\":\"tools/call\"") {
        seen.calls += 1;
        call(settings, line, seen, bug, answer);
    } else if line.contains("\"method\":\"initialize\"") {
        answer.push_str(r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fast","version":"1"}}"#);
    } else if line.contains("\"method\":\"tools/list\"") {
        list(settings.tools, answer);
    } else if line.contains("\"method\":\"ping\"") {
        answer.push_str("\"result\":{}");
    } else {
        answer.push_str(r#""error":{"code":-32601,"message":"Method not found"}"#);
    }
    answer.push('}');
    true
}

/// The bug that a message shows; empty for none.
fn bug_of<'s>(settings: &'s Settings, line: &str, calls: u64) -> &'s str {
    if settings.bug.is_empty() || !line.contains("\"name\":\"tool_0\"") {
        return "";
    }
    let count = number_after(line, "\"count\":").and_then(|n| n.parse::<f64>().ok());
    let shown = match settings.bug.as_str() {
        "always" => true,
        "big" => count.is_some_and(|n| n > 700.0),
        "late" => calls >= 699,
        _ => count == Some(777.0),
    };
    if shown { &settings.bug } else { "" }
}

fn call(settings: &Settings, line: &str, seen: &mut Seen, bug: &str, answer: &mut String) {
    let first = line.contains("\"name\":\"tool_0\"");
    if matches!(bug, "always" | "big" | "late" | "rare") {
        answer.push_str(r#""error":{"code":-32603,"message":"list index out of range"}"#);
        return;
    }
    let number = match settings {
        Settings { unique: true, .. } => seen.calls,
        Settings { counted: true, .. } => others(seen, line),
        _ => 7,
    };
    let _ = write!(
        answer,
        r#""result":{{"content":[{{"type":"text","text":"{{\"ok\":true,\"number\":{number}}}"}}]"#
    );
    if first {
        let ok = if bug == "shape" { "\"yes\"" } else { "true" };
        let _ = write!(answer, r#","structuredContent":{{"ok":{ok},"number":{number}}}"#);
    }
    answer.push('}');
}

/// How often other tools than the one that a message calls were called; counts it.
fn others(seen: &mut Seen, line: &str) -> u64 {
    let name = line.split("\"name\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let own = seen.by_tool.entry(name.unwrap_or_default().to_owned()).or_default();
    *own += 1;
    seen.calls - *own
}

fn list(tools: usize, answer: &mut String) {
    const INPUT: &str = r#"{"type":"object","properties":{"title":{"type":"string","description":"A title"},"count":{"type":"integer","minimum":0,"maximum":1000,"description":"How many"},"ratio":{"type":"number","description":"A share"},"flag":{"type":"boolean","description":"Whether"},"tags":{"type":"array","items":{"type":"string"},"description":"Words"},"kind":{"type":"string","enum":["a","b","c"],"description":"Which"}},"required":["title","count"]}"#;
    const OUTPUT: &str = r#"{"type":"object","properties":{"ok":{"type":"boolean"},"number":{"type":"integer"}},"required":["ok","number"]}"#;
    answer.push_str("\"result\":{\"tools\":[");
    for tool in 0..tools {
        let separator = if tool == 0 { "" } else { "," };
        let output = if tool == 0 { format!(",\"outputSchema\":{OUTPUT}") } else { String::new() };
        let _ = write!(
            answer,
            r#"{separator}{{"name":"tool_{tool}","description":"Does thing {tool}","inputSchema":{INPUT}{output}}}"#
        );
    }
    answer.push_str("]}");
}

/// The id of a request, as text: a number or a string.
fn id_of(line: &str) -> Option<&str> {
    let key = "\"id\":";
    let rest = line[line.find(key)? + key.len()..].trim_start();
    match rest.strip_prefix('"') {
        Some(text) => Some(&rest[..text.find('"')? + 2]),
        None => number_after(line, key),
    }
}

/// The number that follows `key`, as text.
fn number_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line[line.find(key)? + key.len()..].trim_start();
    let end =
        rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

fn serve_http(settings: &Settings) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    for stream in listener.incoming() {
        let (stream, settings) = (stream?, settings.clone());
        std::thread::spawn(move || connection(&stream, &settings));
    }
    Ok(())
}

/// Answers the requests of one connection until it is closed.
fn connection(stream: &TcpStream, settings: &Settings) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream);
    let mut output = stream;
    let (mut line, mut body, mut seen) = (String::new(), Vec::new(), Seen::default());
    loop {
        let (mut length, mut posted) = (0, false);
        loop {
            line.clear();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            posted |= line.starts_with("POST ");
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        body.resize(length, 0);
        input.read_exact(&mut body)?;
        let mut answer = String::new();
        let text = String::from_utf8_lossy(&body);
        let status = if !posted {
            "405 Method Not Allowed"
        } else if respond(settings, &text, &mut seen, &mut answer) {
            "200 OK"
        } else {
            "202 Accepted"
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        );
        output.write_all((head + &answer).as_bytes())?;
    }
}
