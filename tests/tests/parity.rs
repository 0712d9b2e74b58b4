//! The same input gives the same result, times aside, through the command, MCP mode, Python and Node.

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use tooltest_tests::languages::{node, output, python, tooltest};
use tooltest_tests::times::{TIMES_AND_STDERR, strip};

#[test]
fn every_front_end_gives_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("input.json");
    // A server that always starts slowly: how cases shrink depends on that, and on a busy machine it may be either.
    let slowly = "sleep 0.1; exec \"$0\" demo --serve";
    let server = json!({"command": "sh", "args": ["-c", slowly, tooltest()]});
    let input = json!({
        "target": {"stdio": server}, "seed": 1, "max_calls": 300, "time_limit": 600, "failure_dir": "", "full_trace": true,
    });
    std::fs::write(&file, input.to_string()).expect("can be written");
    let command = through_the_command(&file);
    assert_eq!(command["outcome"], "failed");
    assert!(command["findings"].as_array().is_some_and(|findings| findings.len() > 2));
    same("MCP mode", through_mcp(&file), without_long_lists(command.clone()));
    if python::is_there() {
        same("Python", through_python(&file), command.clone());
    }
    if node::is_there() {
        same("Node", through_node(&file), command);
    }
}

/// In an empty folder, and without the user's own configuration.
fn beside(program: impl AsRef<std::ffi::OsStr>, input: &Path) -> Command {
    let folder = input.parent().expect("the input is in a folder");
    let mut command = Command::new(program);
    command.current_dir(folder).env("XDG_CONFIG_HOME", folder);
    command
}

fn through_the_command(input: &Path) -> Value {
    let mut command = beside(tooltest(), input);
    command.args(["run", "--report", "json", "--input"]).arg(input);
    parsed(&output(&mut command, &[1]))
}

fn through_mcp(input: &Path) -> Value {
    let mut command = beside(tooltest(), input);
    command.args(["call", "tooltest", "--json", "--request-timeout", "600"]);
    command.arg(format!("@{}", input.display()));
    command.arg("--").arg(tooltest()).arg("mcp");
    parsed(&output(&mut command, &[0]))["result"]["structuredContent"].take()
}

fn through_python(input: &Path) -> Value {
    let script = "import json, sys, tooltest\n\
         options = json.load(open(sys.argv[1]))\n\
         print(json.dumps(tooltest.run(options.pop('target'), **options).to_dict()))";
    let mut command = beside(python::developed(), input);
    parsed(&output(command.args(["-c", script]).arg(input), &[0]))
}

fn through_node(input: &Path) -> Value {
    node::prepare();
    let script = "const { run } = require(process.argv[1]); const { target, ...options } = require(process.argv[2]);\n\
         run(target, options).then((result) => console.log(JSON.stringify(result)))";
    let mut command = beside("node", input);
    parsed(&output(command.args(["-e", script]).arg(node::package()).arg(input), &[0]))
}

fn parsed(text: &[u8]) -> Value {
    serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

/// MCP mode names what the server offers, and does not list it.
fn without_long_lists(mut result: Value) -> Value {
    result["offered"] = Value::Null;
    result
}

fn same(front: &str, mut there: Value, mut here: Value) {
    if here["offered"].is_null() {
        there["offered"] = Value::Null;
    }
    strip(&mut there, &TIMES_AND_STDERR);
    strip(&mut here, &TIMES_AND_STDERR);
    if let Some(place) = difference(&there, &here, "") {
        panic!("{front} and the command differ at {place}");
    }
}

/// Where two documents differ first, with what stands there.
fn difference(there: &Value, here: &Value, place: &str) -> Option<String> {
    match (there, here) {
        (Value::Object(left), Value::Object(right)) => {
            let names: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            names
                .into_iter()
                .find_map(|name| difference(&there[name], &here[name], &format!("{place}/{name}")))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right).enumerate();
            pairs.find_map(|(at, (there, here))| difference(there, here, &format!("{place}/{at}")))
        }
        // JavaScript does not tell 10 from 10.0.
        (Value::Number(left), Value::Number(right)) if left.as_f64() == right.as_f64() => None,
        _ if there == here => None,
        _ => Some(format!("{place}: {there} and {here}")),
    }
}
