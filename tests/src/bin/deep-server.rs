//! `deep-server DEPTH [--crash] [--counted]`: a server whose one bug takes exactly DEPTH calls (1 to 5) to show.
//!
//! Parcels are created, sealed, sent and delivered, in that order. At depth 1 a heavy parcel cannot be created; at depth 2 no parcel
//! can be looked at; from depth 3 on a parcel cannot be looked at once it has been sealed, sent or delivered. With `--crash` the bug
//! ends the process instead of answering with an internal error. Ids differ from process to process, so that a case with literal ids
//! shows nothing on a fresh one; with `--counted` they are the same each time.

use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is done to a parcel after it was created, in order.
const STAGES: [&str; 3] = ["seal", "send", "deliver"];

struct Parcel {
    id: String,
    label: String,
    weight: i64,
    stage: usize,
}

struct Server {
    depth: usize,
    crash: bool,
    counted: bool,
    parcels: Vec<Parcel>,
}

/// Why a call brings no result.
enum Refusal {
    /// A tool error with this text.
    Told(String),
    /// The bug.
    Bug,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut server = Server {
        depth: arguments.first().and_then(|depth| depth.parse().ok()).unwrap_or(1),
        crash: has("--crash"),
        counted: has("--counted"),
        parcels: Vec::new(),
    };
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if let Some(answer) = server.answer(&message) {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

impl Server {
    fn answer(&mut self, message: &Value) -> Option<Value> {
        let id = message.get("id")?;
        let params = &message["params"];
        let outcome = match message["method"].as_str()? {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "deep", "version": "1.0.0"},
            })),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": tools()})),
            "tools/call" => self.call(params),
            _ => Err((-32601, "Method not found")),
        };
        Some(match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, text)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
            }
        })
    }

    fn call(&mut self, params: &Value) -> Result<Value, (i32, &'static str)> {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = tools().into_iter().find(|tool| tool["name"] == name) else {
            return Err((-32602, "Unknown tool"));
        };
        let outcome = fault(&tool, &params["arguments"])
            .map_or_else(|| self.act(name, &params["arguments"]), |text| Err(Refusal::Told(text)));
        match outcome {
            Ok(value) => Ok(json!({
                "content": [{"type": "text", "text": value.to_string()}],
                "structuredContent": value,
            })),
            Err(Refusal::Told(text)) => {
                Ok(json!({"isError": true, "content": [{"type": "text", "text": text}]}))
            }
            Err(Refusal::Bug) if self.crash => std::process::exit(70),
            Err(Refusal::Bug) => Err((-32603, "list index out of range")),
        }
    }

    fn act(&mut self, name: &str, arguments: &Value) -> Result<Value, Refusal> {
        if name == "list_parcels" {
            return Ok(json!({"parcels": self.parcels.iter().map(shown).collect::<Vec<_>>()}));
        }
        if name == "create_parcel" {
            return self.create(arguments);
        }
        let id = arguments["parcel_id"].as_str().unwrap_or_default();
        let Some(at) = self.parcels.iter().position(|parcel| parcel.id == id) else {
            return Err(Refusal::Told(format!("there is no parcel \"{id}\"")));
        };
        let parcel = &mut self.parcels[at];
        match name {
            "delete_parcel" => return Ok(json!({"deleted": shown(&self.parcels.remove(at))})),
            "get_parcel" if self.depth >= 2 && parcel.stage + 2 >= self.depth => {
                return Err(Refusal::Bug);
            }
            "get_parcel" => {}
            _ => {
                let wanted = STAGES.iter().position(|stage| name.starts_with(stage));
                if wanted != Some(parcel.stage) {
                    let done = parcel.stage.checked_sub(1).map_or("create", |at| STAGES[at]);
                    let text = format!("the last thing done to this parcel was to {done} it");
                    return Err(Refusal::Told(text));
                }
                parcel.stage += 1;
            }
        }
        Ok(json!({"parcel": shown(parcel)}))
    }

    fn create(&mut self, arguments: &Value) -> Result<Value, Refusal> {
        let weight = whole(&arguments["weight"]).unwrap_or_default();
        if self.depth == 1 && weight > 700 {
            return Err(Refusal::Bug);
        }
        let label = arguments["label"].as_str().unwrap_or_default().to_owned();
        let id = format!("pc_{:06x}", self.number() & 0x00ff_ffff);
        self.parcels.push(Parcel { id, label, weight, stage: 0 });
        Ok(json!({"parcel": self.parcels.last().map(shown)}))
    }

    /// A number for an id.
    fn number(&self) -> u64 {
        let count = self.parcels.len() as u64 + 1;
        if self.counted {
            return count * 40_503;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
        u64::from(now).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ count
    }
}

fn shown(parcel: &Parcel) -> Value {
    json!({"id": parcel.id, "label": parcel.label, "weight": parcel.weight, "stage": parcel.stage})
}

fn tools() -> Vec<Value> {
    let tool = |name: String, description: &str, properties: Value, reads: bool| {
        let required: Vec<&String> =
            properties.as_object().into_iter().flat_map(|p| p.keys()).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        let hints = json!({"readOnlyHint": reads, "openWorldHint": false});
        json!({"name": name, "description": description, "inputSchema": schema, "annotations": hints})
    };
    let id = json!({"parcel_id": {"type": "string", "description": "The id of a parcel", "maxLength": 40}});
    let made = json!({
        "label": {"type": "string", "description": "What stands on it", "maxLength": 40},
        "weight": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Grams"},
    });
    let mut tools = vec![
        tool("create_parcel".to_owned(), "Creates a parcel.", made, false),
        tool("list_parcels".to_owned(), "Lists all parcels.", json!({}), true),
        tool("get_parcel".to_owned(), "Shows one parcel.", id.clone(), true),
        tool("delete_parcel".to_owned(), "Deletes a parcel.", id.clone(), false),
    ];
    for stage in STAGES {
        let description = "Does the next thing to a parcel: seal, send, deliver, in this order.";
        tools.push(tool(format!("{stage}_parcel"), description, id.clone(), false));
    }
    tools
}

/// What is wrong with the arguments by the tool's schema.
fn fault(tool: &Value, arguments: &Value) -> Option<String> {
    let empty = serde_json::Map::new();
    let arguments = match arguments {
        Value::Null => &empty,
        Value::Object(members) => members,
        _ => return Some("arguments must be an object".to_owned()),
    };
    let properties = tool["inputSchema"]["properties"].as_object().unwrap_or(&empty);
    if let Some(name) = properties.keys().find(|name| !arguments.contains_key(*name)) {
        return Some(format!("`{name}` is missing"));
    }
    arguments.iter().find_map(|(name, value)| match (properties.get(name), value) {
        (None, _) => Some(format!("`{name}` is not known")),
        (Some(schema), Value::String(text)) => {
            let fits = schema["type"] == "string" && text.chars().count() <= 40;
            (!fits).then(|| format!("`{name}` is no text of at most 40 characters"))
        }
        (Some(schema), value) => {
            let fits = schema["type"] == "integer" && whole(value).is_some();
            (!fits)
                .then(|| format!("`{name}` is no number from 1 to 1000, or not of the right type"))
        }
    })
}

/// A whole number from 1 to 1000; one written with a fraction of zero counts, as in JSON Schema.
fn whole(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    (1..=1000).find(|n| (f64::from(*n) - number).abs() < f64::EPSILON).map(i64::from)
}
