//! Runs the steps of a witness.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::client::{Connection, Target};
use super::expect::{holds, look_up, resolve};

/// None when every expectation holds, else the first one that does not.
pub(super) async fn shown(steps: &[Value], target: &Target) -> Option<String> {
    let mut connections: HashMap<String, Connection> = HashMap::new();
    let mut results: Vec<Value> = Vec::new();
    for step in steps {
        let group = step["parallel"].as_array().cloned().unwrap_or_else(|| vec![step.clone()]);
        for member in &group {
            if let Entry::Vacant(place) = connections.entry(connection_name(member)) {
                place.insert(target.connect().await);
            }
        }
        let first = results.len();
        let resolved: Vec<Value> = group.iter().map(|member| resolve(member, &results)).collect();
        let answers = join_all(
            resolved.iter().map(|member| perform(&connections[&connection_name(member)], member)),
        );
        results.extend(answers.await);
        for (number, member) in group.iter().enumerate() {
            let result = &results[first + number];
            for (path, wanted) in member["expect"].as_object().into_iter().flatten() {
                let seen = look_up(result, path);
                if !holds(seen.as_ref(), &resolve(wanted, &results)) {
                    return Some(format!(
                        "step {}: {path} is {seen:?}, not {wanted}; {result}",
                        first + number
                    ));
                }
            }
        }
    }
    None
}

fn connection_name(step: &Value) -> String {
    step["session"].as_str().unwrap_or("a").to_owned()
}

async fn perform(connection: &Connection, step: &Value) -> Value {
    let (method, params) = match step["tool"].as_str() {
        Some(tool) => ("tools/call", json!({"name": tool, "arguments": step["arguments"]})),
        None => {
            (step["method"].as_str().expect("a step is a tool or a method"), step["params"].clone())
        }
    };
    if step["cancel"] == true {
        connection.cancelled(method, params).await;
        return json!({"outcome": "none"});
    }
    let silent = step["expect"]["outcome"] == "none";
    connection.request(method, params, silent).await
}
