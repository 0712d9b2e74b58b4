//! What the server offers and answers.

use super::client::{Client, demo, document, fault};
use crate::harness::Place;
use serde_json::{Value, json};
use tooltest_core::schema::{CompiledSchema, Dialect};

fn tools(client: &mut Client) -> Vec<Value> {
    client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
}

/// Asserts that an answer is what the tool's output schema says.
#[track_caller]
fn matches_schema(client: &mut Client, tool: &str, document: &Value) {
    let tools = tools(client);
    let tool = tools.iter().find(|one| one["name"] == tool).unwrap();
    let schema = CompiledSchema::compile(&tool["outputSchema"], Dialect::Draft202012).unwrap();
    assert_eq!(schema.violations(document), []);
}

#[test]
fn the_prompt_is_the_guide() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let list = client.request("prompts/list", json!({}));
    assert_eq!(list["result"]["prompts"].as_array().unwrap().len(), 1);
    assert_eq!(list["result"]["prompts"][0]["name"], "tooltest-fix-loop");
    let prompt = client.request("prompts/get", json!({"name": "tooltest-fix-loop"}));
    let message = &prompt["result"]["messages"][0];
    assert_eq!(message["role"], "user");
    let text = message["content"]["text"].as_str().unwrap();
    for words in [
        "At most 50",
        "until it finds nothing",
        "\"tool_allowlist\"",
        "tooltest run --tool-allowlist",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let unknown = client.request("prompts/get", json!({"name": "fix"}));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn the_resource_is_the_same_guide() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let list = client.request("resources/list", json!({}));
    let resource = &list["result"]["resources"][0];
    assert_eq!(resource["uri"], "tooltest://guides/fix-loop");
    assert_eq!(resource["mimeType"], "text/markdown");
    let read = client.request("resources/read", json!({"uri": "tooltest://guides/fix-loop"}));
    let contents = &read["result"]["contents"][0];
    assert_eq!(contents["uri"], "tooltest://guides/fix-loop");
    let text = contents["text"].as_str().unwrap();
    assert_eq!(resource["size"], text.len());
    let prompt = client.request("prompts/get", json!({"name": "tooltest-fix-loop"}));
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], text);
    let unknown = client.request("resources/read", json!({"uri": "tooltest://guides/other"}));
    assert_eq!(unknown["error"]["code"], -32002);
}

#[test]
fn tools_say_truthfully_what_they_do() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let tools = tools(&mut client);
    let hint = |tool: &Value, name: &str| tool["annotations"][name].as_bool().unwrap();
    let safe = tools.iter().map(|tool| {
        let hints = ["readOnlyHint", "destructiveHint", "openWorldHint"];
        (tool["name"].as_str().unwrap(), hints.map(|name| hint(tool, name)))
    });
    // What starts a command can do whatever that command does.
    let (starts, looks) = ([false, true, true], [true, false, false]);
    assert_eq!(
        safe.collect::<Vec<_>>(),
        [
            ("tooltest", starts),
            ("lint", starts),
            ("replay", starts),
            ("explain_lint", looks),
            ("list_lints", looks)
        ]
    );
    let required = |tool: &Value| tool["inputSchema"]["required"].clone();
    assert_eq!(required(&tools[0]), json!(["target"]));
    assert_eq!(required(&tools[2]), json!(["files"]));
}

#[test]
fn a_server_full_of_bugs_is_a_normal_result() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let input = json!({"target": demo(&[]), "seed": 1, "max_calls": 600, "time_limit": 60});
    let result = client.call("tooltest", input);
    let answer = document(&result);
    assert_eq!(answer["outcome"], "failed");
    assert!(answer.to_string().len() <= 32 * 1024);
    matches_schema(&mut client, "tooltest", answer);
    let crash = answer["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["lint"] == "no_crash" && finding["tool"] == "get_task")
        .unwrap();
    assert_eq!(crash["case"]["steps"].as_array().unwrap().len(), 3, "{crash}");
    assert_eq!(crash["case"]["steps"][0].get("request"), None);
    replays(&place, &mut client, crash["failure_file"].as_str().unwrap());
}

/// The saved case fails again, and no longer on a server without the bug.
fn replays(place: &Place, client: &mut Client, file: &str) {
    assert!(place.path(file).is_file(), "{file}");
    let result = client.call("replay", json!({"files": [file]}));
    assert_eq!(document(&result)["replayed"][0]["status"], "failing", "{result}");
    matches_schema(client, "replay", document(&result));
    let fixed = json!({"files": [file], "target": demo(&["--fixed"])});
    let result = client.call("replay", fixed);
    assert_eq!(document(&result)["replayed"][0]["status"], "fixed", "{result}");
}

#[test]
fn lint_calls_no_tool() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let result = client.call("lint", json!({"target": demo(&[])}));
    let answer = document(&result);
    assert_eq!(answer["outcome"], "passed", "{answer}");
    assert_eq!(answer["server"]["name"], "tooltest-demo");
    assert_eq!(answer.get("coverage"), None);
    matches_schema(&mut client, "lint", answer);
}

#[test]
fn lints_are_listed_and_explained() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let all = client.call("list_lints", json!({}));
    let some = client.call("list_lints", json!({"level": "disabled", "phase": "run"}));
    matches_schema(&mut client, "list_lints", document(&all));
    let ids = |result: &Value| -> Vec<String> {
        let lints = document(result)["lints"].as_array().unwrap().clone();
        lints.iter().map(|lint| lint["id"].as_str().unwrap().to_owned()).collect()
    };
    let (all, some) = (ids(&all), ids(&some));
    assert!(all.len() > some.len() && all.contains(&"no_crash".to_owned()));
    assert!(some.contains(&"coverage".to_owned()) && !some.contains(&"no_crash".to_owned()));
    let result = client.call("explain_lint", json!({"id": "no-crash"}));
    let lint = document(&result);
    assert_eq!((&lint["id"], &lint["level"]), (&json!("no_crash"), &json!("error")));
    matches_schema(&mut client, "explain_lint", lint);
}

#[test]
fn bad_input_names_the_field_and_what_is_allowed() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let target = json!({"stdio": {"command": "server"}});
    for (tool, arguments, words) in [
        ("tooltest", json!({}), "missing field `target`"),
        ("tooltest", json!({"command": "server"}), "unknown field `command`"),
        (
            "tooltest",
            json!({"target": {"stdio": {"comand": "x"}}}),
            "target.stdio: unknown field `comand`; did you mean `command`?",
        ),
        (
            "tooltest",
            json!({"target": {"stdio": {"command": "x", "env": ["A=1"]}}}),
            "target.stdio.env: must not be an array but an object",
        ),
        (
            "tooltest",
            json!({"target": target, "max_call": 1}),
            "input: unknown field `max_call`; did you mean `max_calls`?",
        ),
        (
            "tooltest",
            json!({"target": target, "time_limit": 0}),
            "time_limit: must be a number of seconds above 0",
        ),
        ("tooltest", json!({"target": {"in_process": {}}}), "stdio, http or sse"),
        (
            "tooltest",
            json!({"target": "server"}),
            "target: unknown value `server`; known are stdio, http, sse",
        ),
        ("lint", json!({"target": target, "max_calls": 1}), "input: unknown field `max_calls`"),
        ("replay", json!({"files": "one.json"}), "files: must be a list of paths"),
        ("replay", json!({"files": []}), "files: must name at least one"),
        ("replay", json!({"files": ["one.json"]}), "one.json: No such file"),
        (
            "explain_lint",
            json!({"id": "no_crsh"}),
            "id: there is no lint `no_crsh`; did you mean `no_crash`?",
        ),
        ("explain_lint", json!({}), "id: is missing"),
        ("list_lints", json!({"level": "warn"}), "level: unknown variant `warn`, expected one of"),
    ] {
        let result = client.call(tool, arguments.clone());
        let text = fault(&result);
        assert!(text.contains(words), "{tool} {arguments}: {text}");
        assert!(!text.contains("sse, in_process"), "{text}");
    }
}

#[test]
fn what_does_not_exist_is_a_protocol_error() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let answer = client.request("tools/call", json!({"name": "tooltst", "arguments": {}}));
    assert_eq!(answer["error"]["code"], -32602);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `tooltest`?"), "{message}");
    let page = client.request("tools/list", json!({"cursor": "2"}));
    assert_eq!(page["error"]["code"], -32602);
    let answer = client.request("completion/complete", json!({"ref": {"type": "ref/prompt", "name": "tooltest-fix-loop"}, "argument": {"name": "a", "value": ""}}));
    assert_eq!(answer["error"]["code"], -32601);
}

#[test]
fn without_a_result_the_answer_is_an_error_that_says_why() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let missing = json!({"target": {"stdio": {"command": "./no-such-server"}}});
    let result = client.call("tooltest", missing);
    assert!(fault(&result).contains("no program `./no-such-server`"), "{result}");
    place.write("tooltest.toml", "[[lints]]\nid = \"no_crsh\"\nlevel = \"error\"\n");
    let result = client.call("tooltest", json!({"target": demo(&[])}));
    assert!(fault(&result).contains("no_crash"), "{result}");
}

#[test]
fn progress_goes_up_and_ends_before_the_answer() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let input = json!({"target": {"stdio": {"command": "/bin/sh", "args": ["-c", "exec sleep 60"]}}, "startup_timeout": 2});
    let result = client.call("tooltest", input);
    assert!(fault(&result).contains("server"), "{result}");
    let numbers: Vec<f64> = client
        .told
        .iter()
        .map(|told| {
            assert_eq!(told["method"], "notifications/progress");
            assert_eq!(told["params"]["progressToken"], "token of call");
            assert!(told["params"]["message"].is_string());
            told["params"]["progress"].as_f64().unwrap()
        })
        .collect();
    assert!(numbers.len() > 1 && numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    client.told.clear();
    client.call("list_lints", json!({}));
    assert_eq!(client.told, [json!(null); 0]);
}

#[test]
fn runs_at_once_do_not_disturb_each_other() {
    let place = Place::new();
    let mut client = Client::start(&place);
    let input = |target: Value, seed: u64| json!({"target": target, "seed": seed, "max_calls": 300, "time_limit": 60, "failure_dir": ""});
    client.ask_tool("buggy", "tooltest", input(demo(&[]), 1));
    client.ask_tool("fixed", "tooltest", input(demo(&["--fixed"]), 2));
    let (fixed, buggy) = (client.answer("fixed"), client.answer("buggy"));
    assert_eq!(document(&buggy["result"])["outcome"], "failed");
    assert_eq!(document(&buggy["result"])["seed"], 1);
    assert_eq!(document(&fixed["result"])["outcome"], "passed", "{fixed}");
    assert_eq!(document(&fixed["result"])["seed"], 2);
}
