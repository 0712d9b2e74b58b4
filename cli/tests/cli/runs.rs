//! Real runs against the demo server, whose bugs are known.

use crate::harness::{Done, Place, done, program};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// Flags of a short deterministic run that comes upon some of the bugs.
const SHORT: &[&str] =
    &["run", "--seed", "1", "--max-calls", "300", "--request-timeout", "20", "--time-limit", "120"];

fn lints(result: &Value) -> Vec<&str> {
    result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["lint"].as_str().unwrap())
        .collect()
}

#[test]
fn an_allowlist_that_names_no_tool_is_shown_with_its_words() {
    let place = Place::new();
    let run = place.on_demo(&[SHORT, &["--tool-allowlist", "get_tsk"]].concat());
    assert_eq!(run.code, 4, "{}", run.err);
    assert!(run.out.contains("not on the allowlist (--tool-allowlist get_tsk)"), "{}", run.out);
}

#[test]
fn bugs_are_found_saved_replayed_and_accepted() {
    let place = Place::new();
    let run = place.on_demo(
        &[
            SHORT,
            &[
                "--json",
                "--report",
                "ndjson=events.ndjson",
                "--baseline",
                "known.json",
                "--update-baseline",
            ],
        ]
        .concat(),
    );
    assert_eq!(run.code, 0, "what was just accepted does not fail: {}", run.err);
    let accepted = run.json()["baseline"]["accepted"].clone();
    assert_eq!(accepted, json!([]), "nothing was known before");
    let result = run.json();
    assert_eq!(result["outcome"], "failed");
    assert!(lints(&result).contains(&"no_crash"), "{:?}", lints(&result));

    let events = place.read("events.ndjson");
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(
        (last["event"].as_str(), last["outcome"].as_str()),
        (Some("run_finished"), Some("failed"))
    );

    let again = place.on_demo(
        &[
            SHORT,
            &[
                "--json",
                "--baseline",
                "known.json",
                "--phases",
                "examples,boundary,stateful,negative,parallel",
            ],
        ]
        .concat(),
    );
    assert_eq!((again.code, &again.json()["outcome"]), (0, &json!("passed")), "{}", again.err);

    let crash = result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["lint"] == "no_crash")
        .unwrap();
    let file = crash["failure_file"].as_str().unwrap();
    let replay = place.run(&["replay", file, "--json"]);
    assert_eq!(
        (replay.code, &replay.json()["replayed"][0]["status"]),
        (1, &json!("failing")),
        "{}",
        replay.err
    );
    let reason = &replay.json()["coverage"][0]["reason"];
    assert_eq!(*reason, json!("not called: only saved failures were run again"));
}

#[test]
fn a_server_without_bugs_passes() {
    let place = Place::new();
    let done = place.run(&[
        "run",
        "--seed",
        "1",
        "--max-calls",
        "200",
        "--json",
        "--",
        program().to_str().unwrap(),
        "demo",
        "--serve",
        "--fixed",
    ]);
    let result = done.json();
    assert_eq!(
        (done.code, &result["outcome"], &result["findings"]),
        (0, &json!("passed"), &json!([]))
    );
}

#[test]
fn the_same_seed_gives_the_same_findings() {
    let fingerprints = || {
        let result = Place::new().on_demo(&[SHORT, &["--json"]].concat()).json();
        let findings = result["findings"].as_array().unwrap().clone();
        findings.iter().map(|finding| finding["fingerprint"].clone()).collect::<Vec<_>>()
    };
    let first = fingerprints();
    assert!(!first.is_empty());
    assert_eq!(first, fingerprints());
}

#[test]
fn a_configured_server_is_found_by_its_name() {
    let place = Place::new();
    let servers = json!({"mcpServers": {"demo": {"command": "${TOOLTEST}", "args": ["demo", "--serve"]}, "other": {"command": "x"}}});
    place.write(".mcp.json", &format!("// servers\n{servers}"));
    let list = |variables: &[(&str, &std::path::Path)], name: &str| {
        let output = place
            .command(&["list", "--json", "--server", name])
            .envs(variables.iter().copied())
            .output();
        done(output.unwrap())
    };
    let listed = list(&[("TOOLTEST", program())], "demo");
    assert_eq!(listed.json()["tools"].as_array().unwrap().len(), 6, "{}", listed.err);
    list(&[], "demo").fails(2, &["the variable `TOOLTEST` is not set"]);
    list(&[], "dmeo").fails(2, &["did you mean `demo`?"]);
}

#[test]
fn one_tool_is_called_by_hand() {
    let place = Place::new();
    let call = |args: &[&str]| place.on_demo(&[&["call"], args].concat());
    let made = call(&["create_task", "title=12", "priority=1"]);
    assert_eq!(
        (made.code, made.out.trim()),
        (0, r#"{"id":"tsk_1","title":"12","priority":1,"done":false}"#)
    );
    let whole = call(&["create_task", "title=12", "--json"]);
    assert_eq!(whole.json()["result"]["structuredContent"]["title"], "12");
    let refused = call(&["get_task", "id=tsk_5"]);
    assert_eq!((refused.code, refused.out.as_str()), (1, "tool error\nthere is no such task\n"));
    let unknown = call(&["get_tsk", r#"{"id": "tsk_1"}"#, "--json"]);
    assert_eq!((unknown.code, &unknown.json()["error"]["code"]), (1, &json!(-32602)));
    assert!(unknown.err.contains("did you mean `get_task`?"));
    call(&["get_task", "id"]).fails(2, &["neither NAME=VALUE nor"]);
}

#[test]
fn offers_are_shown_and_linted() {
    let place = Place::new();
    let offered = place.on_demo(&["list"]);
    assert!(
        offered.out.contains("Tools (6)") && offered.out.contains("create_task"),
        "{}",
        offered.out
    );
    let linted = place.on_demo(&["lint", "--json"]);
    let calls = linted.json()["coverage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["calls"].as_u64().unwrap())
        .sum::<u64>();
    assert_eq!(calls, 0, "lint calls no tool");
}

/// A long run whose server is up; `lines` are what it writes to standard error from then on.
#[cfg(unix)]
struct Running {
    child: std::process::Child,
    lines: std::io::Lines<BufReader<std::process::ChildStderr>>,
}

#[cfg(unix)]
impl Running {
    fn start(place: &Place, report: &str) -> Self {
        let program = program().display().to_string();
        let mut child = place
            .command(&["run", "--deep", "--report", report, "--", &program, "demo", "--serve"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut running = Self { child, lines };
        running.wait_for("connected to");
        running
    }

    fn wait_for(&mut self, start: &str) {
        let told = self.lines.find(|line| line.as_ref().unwrap().starts_with(start));
        assert!(told.is_some(), "the run never said {start:?}");
    }

    fn interrupt(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
    }

    fn end(self) -> Done {
        let lines = self.lines;
        let reader =
            std::thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>().join("\n"));
        let mut ended = done(self.child.wait_with_output().unwrap());
        ended.err = reader.join().unwrap();
        ended
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_still_reports() {
    let place = Place::new();
    let running = Running::start(&place, "json");
    running.interrupt();
    let ended = running.end();
    assert_eq!(
        (ended.code, &ended.json()["outcome"]),
        (130, &json!("interrupted")),
        "{}",
        ended.err
    );
}

/// The report goes into a pipe that nobody reads, so the first signal alone would never end the run.
#[test]
#[cfg(unix)]
fn a_second_interrupt_ends_at_once() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let mut running = Running::start(&place, "json=pipe");
    running.interrupt();
    running.wait_for("stopping; press Ctrl-C again to end at once");
    running.interrupt();
    let ended = running.end();
    assert_eq!(ended.code, 130, "{}", ended.err);
}

#[test]
fn values_are_told_as_they_enter_the_corpus() {
    let place = Place::new();
    let flags = ["run", "--seed", "1", "--max-calls", "20", "--log-corpus-deltas"];
    let told = place.on_demo(&[&flags[..], &["--dump-corpus", "--json"]].concat());
    assert!(told.err.contains("corpus: create_task id = \"tsk_1\""), "{}", told.err);
    assert_eq!(told.json()["corpus"]["dump"]["create_task id"][0], "tsk_1");
}
