//! What was taken away and is made again in the same way: the server remembers the old one, and ends.

mod serving;

use serde_json::{Value, json};
use serving::{Answers, input, run, serve};
use std::collections::BTreeMap;
use tooltest_core::case::Phase;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// Beds of a garden, by name, and whether each is still there.
type Beds = BTreeMap<String, bool>;

struct Garden;

impl Connector for Garden {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        std::thread::spawn(move || {
            let mut beds = Beds::new();
            serve(&peer, &tools(), |name, sent| call(&mut beds, name, sent));
        });
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: &[&str]| json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false}});
    let name = json!({"type": "string", "minLength": 1});
    json!({"tools": [
        tool("create_bed", json!({"name": name}), &["name"]),
        tool("delete_bed", json!({"bed_name": name}), &["bed_name"]),
        tool("list_beds", json!({}), &[]),
    ]})
}

fn call(beds: &mut Beds, name: &str, sent: &Value) -> Answers {
    let text = |key: &str| sent[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let known = |key: &str| match (sent.as_object().map_or(0, serde_json::Map::len), text(key)) {
        (1, Some(name)) => Ok(name),
        _ => Err(format!("give {key} and nothing else")),
    };
    let answer = match name {
        "create_bed" => match known("name") {
            Ok(name) if beds.get(&name) == Some(&false) => return None,
            Ok(name) if beds.contains_key(&name) => Err(format!("there is a bed {name:?} already")),
            Ok(name) => {
                beds.insert(name.clone(), true);
                Ok(json!({"bed_name": name}).to_string())
            }
            Err(message) => Err(message),
        },
        "delete_bed" => known("bed_name").and_then(|name| match beds.get_mut(&name) {
            Some(there) if *there => {
                *there = false;
                Ok(json!({"deleted": true}).to_string())
            }
            _ => Err(format!("there is no bed {name:?}")),
        }),
        _ => {
            let there = beds.iter().filter(|(_, there)| **there);
            let there: Vec<Value> = there.map(|(name, _)| json!({"bed_name": name})).collect();
            Ok(json!({"beds": there}).to_string())
        }
    };
    Some(vec![answer])
}

#[test]
fn what_is_made_again_after_it_was_taken_away_is_tried() {
    let mut input = input("garden", 1, 300);
    input.phases = vec![Phase::Examples, Phase::Stateful];
    let result = run(Garden, input);
    let ends = result.findings.iter().find(|finding| finding.tool.as_deref() == Some("create_bed"));
    let case = ends.and_then(|finding| finding.case.as_ref()).expect("it is found");
    let names: Vec<&str> = case.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["create_bed", "delete_bed", "create_bed"]);
}
