//! What refused calls leave behind: batches of which a part is kept, rings that are closed all the same, a refusal that counts.

mod serving;

use serde_json::{Value, json};
use serving::{input, serve};
use std::sync::{Arc, Mutex};
use tooltest_core::RunResult;
use tooltest_core::case::Phase;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// What is wrong with the server.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// A batch keeps the parcels before the one that is wrong.
    HalfBatch,
    /// A ring is refused and closed.
    ClosedRing,
    /// The depot is shut although that was refused.
    ShutAnyway,
}

/// A server that keeps parcels, some of which wait for others, and the arguments of every call that it got.
struct Depot {
    fault: Fault,
    calls: Arc<Mutex<Vec<Value>>>,
}

#[derive(Default)]
struct Kept {
    parcels: Vec<(String, String, Vec<String>)>,
    shut: bool,
}

impl Connector for Depot {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let (fault, calls) = (self.fault, Arc::clone(&self.calls));
        std::thread::spawn(move || {
            let mut kept = Kept::default();
            serve(&peer, &tools(), |name, sent| {
                calls
                    .lock()
                    .expect("no thread panics")
                    .push(json!({"name": name, "arguments": sent}));
                Some(vec![call(&mut kept, name, sent, fault).map(|value| value.to_string())])
            });
        });
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: &[&str]| json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false}});
    let text = json!({"type": "string", "minLength": 1});
    let ids = json!({"type": "array", "items": {"type": "string"}, "description": "ids of parcels that go first"});
    let parcel = json!({"type": "object", "properties": {"label": text, "after": ids}, "required": ["label"]});
    json!({"tools": [
        tool("parcel_add", json!({"label": text}), &["label"]),
        tool("parcel_add_many", json!({"parcels": {"type": "array", "items": parcel, "minItems": 1}}), &["parcels"]),
        tool("parcel_tie", json!({"id": text, "after_id": text}), &["id", "after_id"]),
        tool("parcel_list", json!({}), &[]),
        tool("shut_depot", json!({}), &[]),
    ]})
}

impl Kept {
    fn add(&mut self, label: &str, after: Vec<String>) -> Result<String, String> {
        for id in &after {
            self.known(id)?;
        }
        let id = format!("P-{}", self.parcels.len() + 1);
        self.parcels.push((id.clone(), label.to_owned(), after));
        Ok(id)
    }

    fn known(&self, id: &str) -> Result<(), String> {
        let known = self.parcels.iter().any(|(other, ..)| other == id);
        if known { Ok(()) } else { Err(format!("there is no parcel {id:?}")) }
    }

    fn waits_for(&self, one: &str, other: &str, steps: usize) -> bool {
        let after = self.parcels.iter().filter(|(id, ..)| id == one).flat_map(|(.., after)| after);
        steps > 0
            && (one == other || after.into_iter().any(|id| self.waits_for(id, other, steps - 1)))
    }
}

fn many(kept: &mut Kept, parcels: &Value, fault: Fault) -> Result<Value, String> {
    let before = kept.parcels.len();
    let mut ids = Vec::new();
    for (number, parcel) in parcels.as_array().ok_or("parcels must be a list")?.iter().enumerate() {
        let label = parcel["label"].as_str().ok_or("label must be text")?;
        let after = parcel["after"].as_array().into_iter().flatten();
        let after = after.filter_map(Value::as_str).map(str::to_owned).collect();
        match kept.add(label, after) {
            Ok(id) => ids.push(json!({"id": id, "label": label})),
            Err(message) => {
                if fault != Fault::HalfBatch {
                    kept.parcels.truncate(before);
                }
                return Err(format!("parcels[{number}]: {message}"));
            }
        }
    }
    Ok(json!({"parcels": ids}))
}

fn call(kept: &mut Kept, name: &str, sent: &Value, fault: Fault) -> Result<Value, String> {
    let text = |key: &str| {
        let text = sent[key].as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| format!("{key} must be text"))
    };
    let extra = |known: &[&str]| {
        let names = sent.as_object().into_iter().flat_map(serde_json::Map::keys);
        let mut others = names.filter(|name| !known.contains(&name.as_str()));
        others.next().map_or(Ok(()), |name| Err(format!("unknown argument {name:?}")))
    };
    match name {
        "parcel_add" => {
            extra(&["label"])?;
            let label = text("label")?;
            let id = kept.add(&label, Vec::new())?;
            Ok(json!({"id": id, "label": label}))
        }
        "parcel_add_many" => extra(&["parcels"]).and_then(|()| many(kept, &sent["parcels"], fault)),
        "parcel_tie" => {
            extra(&["id", "after_id"])?;
            let (id, after) = (text("id")?, text("after_id")?);
            kept.known(&id)?;
            kept.known(&after)?;
            let closes = kept.waits_for(&after, &id, 20);
            let parcel = kept.parcels.iter_mut().find(|(other, ..)| *other == id);
            if (!closes || fault == Fault::ClosedRing)
                && let Some((.., tied)) = parcel
                && !tied.contains(&after)
            {
                tied.push(after.clone());
            }
            if closes { Err("that closes a ring".to_owned()) } else { Ok(json!({"tied": id})) }
        }
        "shut_depot" => {
            extra(&[])?;
            let empty = kept.parcels.is_empty();
            kept.shut |= empty || fault == Fault::ShutAnyway;
            if empty { Ok(json!({"shut": true})) } else { Err("parcels are left".to_owned()) }
        }
        _ => {
            extra(&[])?;
            let parcel = |(id, label, after): &(String, String, Vec<String>)| json!({"id": id, "label": label, "after": after});
            Ok(
                json!({"parcels": kept.parcels.iter().map(parcel).collect::<Vec<_>>(), "shut": kept.shut}),
            )
        }
    }
}

/// A run, and every call that the server got.
fn run(fault: Fault, most: u64) -> (RunResult, Vec<Value>) {
    let mut input = input("depot", 1, most);
    input.phases = vec![Phase::Examples, Phase::Stateful, Phase::Boundary, Phase::Negative];
    let calls = Arc::default();
    let depot = Depot { fault, calls: Arc::clone(&calls) };
    let result = serving::run(depot, input);
    let calls = std::mem::take(&mut *calls.lock().expect("no thread panics"));
    (result, calls)
}

/// The tools that are said to have changed something by a refused call.
fn blamed(result: &RunResult) -> Vec<&str> {
    let all = result.findings.iter().chain(&result.warnings);
    let found = all.filter(|finding| finding.lint == "failed_call_changed_state");
    let mut tools: Vec<&str> = found.filter_map(|finding| finding.tool.as_deref()).collect();
    tools.dedup();
    tools
}

#[test]
fn a_batch_of_which_a_part_is_kept_is_found() {
    assert_eq!(blamed(&run(Fault::HalfBatch, 500).0), ["parcel_add_many"]);
}

#[test]
fn a_ring_that_is_refused_and_closed_is_found() {
    assert_eq!(blamed(&run(Fault::ClosedRing, 500).0), ["parcel_tie"]);
}

#[test]
fn a_refusal_that_counts_all_the_same_is_found() {
    assert_eq!(blamed(&run(Fault::ShutAnyway, 500).0), ["shut_depot"]);
}

#[test]
fn every_tool_soon_gets_a_call_that_its_schema_forbids_and_a_sound_server_passes() {
    let (result, calls) = run(Fault::None, 500);
    assert_eq!(blamed(&result), [""; 0]);
    for tool in tools()["tools"].as_array().expect("there are tools") {
        let own = calls.iter().take(300).filter(|call| call["name"] == tool["name"]);
        let known = &tool["inputSchema"]["properties"];
        let extra = |call: &&Value| {
            let sent = call["arguments"].as_object();
            sent.is_some_and(|sent| sent.keys().any(|name| known.get(name).is_none()))
        };
        assert!(own.clone().any(|call| extra(&call)), "{}", tool["name"]);
        let Some(required) = tool["inputSchema"]["required"][0].as_str() else { continue };
        let lacks = |call: &Value| call["arguments"].get(required).is_none();
        assert!(own.clone().any(lacks), "{} without {required}", tool["name"]);
    }
}
