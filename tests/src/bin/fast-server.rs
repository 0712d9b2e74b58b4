//! `fast-server`: an MCP server that answers at once, so that a measurement shows what the tester costs.
//!
//! `fast-server [--tools=N] [--bug=always|big] [--unique] [--http]`. Every tool takes the same six parameters; the first one also has
//! an output schema. With `--unique` no two answers are alike. `--bug=always` fails every call of the first tool, `--bug=big` those
//! whose `count` is above 700. With `--http` it prints the port it listens on.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// What the server offers and how it fails.
#[derive(Clone, Default)]
struct Settings {
    tools: usize,
    bug: String,
    unique: bool,
    http: bool,
}

fn main() -> io::Result<()> {
    let settings = settings();
    if settings.http {
        return serve_http(&settings);
    }
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let (mut line, mut answer, mut count) = (String::new(), String::new(), 0);
    while input.read_line(&mut line)? > 0 {
        answer.clear();
        if respond(&settings, &line, &mut count, &mut answer) {
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
            ("--http", _) => settings.http = true,
            _ => {}
        }
    }
    settings
}

/// Writes the answer to a message; false for one that gets none.
fn respond(settings: &Settings, line: &str, count: &mut u64, answer: &mut String) -> bool {
    let Some(id) = id_of(line) else {
        return false;
    };
    let _ = write!(answer, "{{\"jsonrpc\":\"2.0\",\"id\":{id},");
    if line.contains("\"method\":\"tools/call\"") {
        *count += 1;
        call(settings, line, *count, answer);
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

fn call(settings: &Settings, line: &str, count: u64, answer: &mut String) {
    let first = line.contains("\"name\":\"tool_0\"");
    let big =
        number_after(line, "\"count\":").is_some_and(|n| n.parse::<f64>().is_ok_and(|n| n > 700.0));
    let fails = first && (settings.bug == "always" || (settings.bug == "big" && big));
    if fails {
        answer.push_str(r#""error":{"code":-32603,"message":"list index out of range"}"#);
        return;
    }
    let number = if settings.unique { count } else { 7 };
    let _ = write!(
        answer,
        r#""result":{{"content":[{{"type":"text","text":"{{\"ok\":true,\"number\":{number}}}"}}]"#
    );
    if first {
        let _ = write!(answer, r#","structuredContent":{{"ok":true,"number":{number}}}"#);
    }
    answer.push('}');
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
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
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
    let (mut line, mut body, mut count) = (String::new(), Vec::new(), 0);
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
        } else if respond(settings, &text, &mut count, &mut answer) {
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
