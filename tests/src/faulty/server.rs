//! The server that fault files change: one tool, everything else as the specification has it.

use super::fault::{Answer, Fault, Rule};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};

const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// A server on standard input and output.
pub struct Server<W> {
    fault: Fault,
    /// How often each rule fitted.
    fitted: Vec<u64>,
    output: W,
}

impl<W: Write> Server<W> {
    /// A server with this fault.
    pub fn new(fault: Fault, output: W) -> Self {
        let fitted = vec![0; fault.rules.len()];
        Self { fault, fitted, output }
    }

    /// Answers until the input ends.
    ///
    /// # Errors
    /// Where a pipe is closed.
    pub fn serve(&mut self, input: impl BufRead) -> io::Result<()> {
        if let Some(banner) = self.fault.banner.clone() {
            self.write(&Value::String(banner), &Value::Null)?;
        }
        for line in input.split(b'\n') {
            let line = line?;
            match serde_json::from_slice::<Value>(&line) {
                Ok(message) => self.handle(&message)?,
                Err(_) => self.handle(&json!({"method": "broken"}))?,
            }
        }
        Ok(())
    }

    fn handle(&mut self, message: &Value) -> io::Result<()> {
        let Some(at) = self.rule(message) else {
            return self.write_some(respond(&self.fault, message), message);
        };
        let rule = self.fault.rules[at].clone();
        for line in &rule.before {
            self.write(line, message)?;
        }
        let id = message.get("id").cloned().unwrap_or(Value::Null);
        let answer = match rule.answer {
            None => respond(&self.fault, message),
            Some(Answer::Result(result)) => {
                Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
            }
            Some(Answer::Error(error)) => Some(json!({"jsonrpc": "2.0", "id": id, "error": error})),
            Some(Answer::Line(line)) => Some(line),
            Some(Answer::Bytes(length)) => Some(Value::String("x".repeat(length))),
            Some(Answer::Silence) => None,
            Some(Answer::Exit(code)) => {
                self.output.flush()?;
                std::process::exit(code)
            }
        };
        let answer = answer.map(|mut answer| {
            change(&mut answer, &rule.change);
            answer
        });
        self.write_some(answer, message)?;
        for line in &rule.then {
            self.write(line, message)?;
        }
        Ok(())
    }

    /// The first rule that a message fits.
    fn rule(&mut self, message: &Value) -> Option<usize> {
        let method = message.get("method").and_then(Value::as_str)?;
        let fits = |rule: &Rule| {
            (rule.to == method || (rule.to == "*" && message.get("id").is_some()))
                && rule.when.iter().all(|(at, value)| message.pointer(at) == Some(value))
        };
        let at = self.fault.rules.iter().position(fits)?;
        self.fitted[at] += 1;
        (self.fitted[at] > self.fault.rules[at].after).then_some(at)
    }

    fn write_some(&mut self, line: Option<Value>, message: &Value) -> io::Result<()> {
        line.map_or(Ok(()), |line| self.write(&line, message))
    }

    /// Writes a line: text as it is, anything else as JSON with its placeholders filled in.
    fn write(&mut self, line: &Value, message: &Value) -> io::Result<()> {
        match line {
            Value::String(text) => writeln!(self.output, "{text}")?,
            line => writeln!(self.output, "{}", filled(line, message))?,
        }
        self.output.flush()
    }
}

/// A clean server's answer; none to a notification.
fn respond(fault: &Fault, message: &Value) -> Option<Value> {
    let method = message.get("method").and_then(Value::as_str)?;
    if method == "broken" {
        return Some(
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "Parse error"}}),
        );
    }
    let id = message.get("id")?;
    let params = message.get("params").unwrap_or(&Value::Null);
    let outcome = match method {
        "initialize" => Ok(initialize(fault, params)),
        "ping" => Ok(json!({})),
        "tools/list" if params.get("cursor").is_some() => Err((-32602, "no such cursor")),
        "tools/list" => Ok(json!({"tools": tools(fault)})),
        "tools/call" => call(fault, params),
        _ => Err((-32601, "Method not found")),
    };
    Some(match outcome {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, text)) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
        }
    })
}

fn initialize(fault: &Fault, params: &Value) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let revision = REVISIONS.into_iter().find(|known| *known == wanted).unwrap_or(REVISIONS[3]);
    let mut capabilities = fault.capabilities.clone();
    capabilities.insert("tools".to_owned(), json!({}));
    json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "serverInfo": {"name": "faulty", "version": "1.0.0"},
    })
}

fn tools(fault: &Fault) -> Vec<Value> {
    let mut echo = json!({
        "name": "echo",
        "description": "Answers the text that it is given.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to answer"}},
            "required": ["text"],
            "additionalProperties": false,
        },
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    });
    set_members(&mut echo, &fault.tool);
    std::iter::once(echo).chain(fault.more_tools.iter().cloned()).collect()
}

fn call(fault: &Fault, params: &Value) -> Result<Value, (i32, &'static str)> {
    let known = |name: &str| tools(fault).iter().any(|tool| tool["name"] == name);
    let name =
        params.get("name").and_then(Value::as_str).ok_or((-32602, "`name` must be a string"))?;
    if !known(name) {
        return Err((-32602, "Unknown tool"));
    }
    let arguments = match params.get("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err((-32602, "`arguments` must be an object")),
    };
    let text = arguments.get("text").and_then(Value::as_str);
    Ok(match text {
        Some(text) if arguments.len() == 1 => json!({"content": [{"type": "text", "text": text}]}),
        _ => {
            json!({"isError": true, "content": [{"type": "text", "text": "Give `text`, a string, and nothing else."}]})
        }
    })
}

fn set_members(value: &mut Value, members: &Map<String, Value>) {
    for (name, member) in members {
        match (value.as_object_mut(), member) {
            (Some(object), Value::Null) => {
                object.shift_remove(name);
            }
            (Some(object), member) => {
                object.insert(name.clone(), member.clone());
            }
            (None, _) => {}
        }
    }
}

/// Sets members by JSON Pointer.
fn change(value: &mut Value, changes: &Map<String, Value>) {
    for (at, member) in changes {
        if let Some((parent, name)) = at.rsplit_once('/')
            && let Some(parent) = value.pointer_mut(parent)
        {
            set_members(parent, &Map::from_iter([(name.to_owned(), member.clone())]));
        }
    }
}

/// A copy with the placeholders filled in.
fn filled(value: &Value, message: &Value) -> Value {
    match value {
        Value::String(text) if text == "$id" => message.get("id").cloned().unwrap_or_default(),
        Value::String(text) if text == "$token" => {
            message.pointer("/params/_meta/progressToken").cloned().unwrap_or_default()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, message)).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, member)| (name.clone(), filled(member, message))).collect(),
        ),
        other => other.clone(),
    }
}
