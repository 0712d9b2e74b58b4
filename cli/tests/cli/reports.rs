//! Saved results in every format, and what the surroundings ask for.

use crate::harness::{Place, done};
use serde_json::Value;
use std::process::Stdio;

const RESULT: &str = include_str!("../../../core/tests/fixtures/failed.json");
const SHOWN: &str = include_str!("../../../core/tests/snapshots/failed-80.txt");

fn saved() -> Place {
    let place = Place::new();
    place.write("result.json", RESULT);
    place
}

#[test]
fn a_saved_result_is_shown_as_the_run_showed_it() {
    let shown = saved().run(&["report", "result.json"]);
    assert_eq!((shown.code, shown.out.as_str()), (1, SHOWN));
    let place = saved();
    let same = place.run(&["report", "result.json", "--json"]);
    assert_eq!(same.json(), serde_json::from_str::<Value>(RESULT).unwrap());
    assert_eq!(place.run(&["report", "result.json", "--fail-on", "never", "-q"]).code, 0);
}

#[test]
fn reports_go_to_files_whole_and_the_terminal_still_gets_its_own() {
    let place = saved();
    let args = [
        "report",
        "result.json",
        "--report",
        "html=out/deep/report.html",
        "--report",
        "junit=junit.xml",
        "--report",
        "sarif=x.sarif",
        "--report",
        "markdown=x.md",
        "--report",
        "json=again.json",
        "--report",
        "ndjson=x.ndjson",
        "--report",
        "github=x.log",
    ];
    let shown = place.run(&args);
    assert_eq!((shown.code, shown.out.as_str()), (1, SHOWN));
    for (name, start) in [
        ("out/deep/report.html", "<!doctype html>"),
        ("junit.xml", "<?xml version"),
        ("x.sarif", "{"),
        ("x.md", "## ❌ tooltest: notes 1.4.2 failed"),
        ("again.json", "{"),
        ("x.ndjson", "{\"event\":"),
        ("x.log", "::error title=no_crash"),
    ] {
        assert!(place.read(name).starts_with(start), "{name}");
        assert!(shown.err.contains(name), "{name} is not named on standard error");
    }
    assert!(
        !place.read("junit.xml").contains("1970-01-01"),
        "the time of the report is known here"
    );
    let leftovers = std::fs::read_dir(place.0.path()).unwrap().filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".tooltest-")
    });
    assert_eq!(leftovers.count(), 0);
}

#[test]
fn colours_follow_the_usual_variables() {
    let coloured = |variables: &[(&str, &str)], args: &[&str]| {
        let place = saved();
        let output = place
            .command(&[&["report", "result.json"], args].concat())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        done(output).out.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

#[test]
fn github_actions_gets_annotations_and_a_summary() {
    let place = saved();
    place.write("summary.md", "before\n");
    let output = place
        .command(&["report", "result.json", "--json"])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", place.path("summary.md"))
        .output()
        .unwrap();
    let shown = done(output);
    assert!(shown.err.starts_with("::error title=no_crash"), "{}", shown.err);
    assert!(shown.json().is_object(), "standard output stays one document");
    assert!(place.read("summary.md").starts_with("before\n## ❌ tooltest"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = saved();
    let mut child = place
        .command(&["report", "result.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let shown = done(child.wait_with_output().unwrap());
    assert_eq!((shown.code, shown.err.as_str()), (1, ""));
}

#[test]
fn shards_are_merged() {
    let place = saved();
    place.write("other.json", &RESULT.replace("\"seed\": 8371029447", "\"seed\": 2"));
    let whole = place.run(&["report", "--merge", "result.json", "other.json", "--json"]).json();
    assert_eq!(whole["budget"]["calls"], 1624);
    assert_eq!(whole["findings"].as_array().unwrap().len(), 5);
}

/// The parts of a run, each on a machine of its own, then one report of all: what `docs/ci.md` says.
#[test]
fn the_shards_of_a_run_are_joined() {
    let place = Place::new();
    let mut findings = std::collections::BTreeSet::new();
    for part in ["1/2", "2/2"] {
        let file = format!("--report=json=result-{}.json", &part[..1]);
        let flags =
            ["run", "--seed=7", "--max-calls=300", "--shard", part, "--fail-on=never", &file];
        let run = place.on_demo(&[&flags[..], &["-q"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let result: Value =
            serde_json::from_str(&place.read(&format!("result-{}.json", &part[..1]))).unwrap();
        let calls = result["budget"]["calls"].as_u64().unwrap();
        assert!((100..=200).contains(&calls), "{calls} is not about half of the calls");
        let all = result["findings"].as_array().unwrap().iter();
        findings.extend(all.map(|finding| finding["fingerprint"].to_string()));
    }
    let whole = place.run(&["report", "--merge", "result-1.json", "result-2.json", "--json"]);
    let joined = whole.json();
    let all: std::collections::BTreeSet<String> = joined["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["fingerprint"].to_string())
        .collect();
    assert_eq!((whole.code, &all), (1, &findings));
    assert!(findings.len() > 1);
}

/// What `action.yml` runs, as the runner does it.
#[test]
#[cfg(unix)]
fn the_action_runs_and_tells_its_outputs() {
    let place = Place::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/action.sh");
    let folder = crate::harness::program().parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let run = |step: &str, inputs: &[(&str, &str)]| {
        let output = std::process::Command::new("bash")
            .args([script, step])
            .env_clear()
            .env("PATH", &path)
            .env("HOME", place.0.path())
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_OUTPUT", place.path("output"))
            .env("GITHUB_STEP_SUMMARY", place.path("summary.md"))
            .envs(inputs.iter().copied())
            .current_dir(place.0.path())
            .output()
            .unwrap();
        done(output)
    };
    assert!(run("install", &[]).out.starts_with("tooltest "));
    let server = [
        ("INPUT_COMMAND", "tooltest demo --serve"),
        ("INPUT_ARGS", "--seed=1\n--max-calls=300\n\n"),
        ("INPUT_SHARD", "1/1"),
    ];
    let failed = run("run", &server);
    assert_eq!(failed.code, 1, "{}", failed.err);
    assert!(failed.err.contains("::error title=no_crash"), "{}", failed.err);
    assert_eq!(place.read("output"), "result=tooltest-reports/result.json\noutcome=failed\n");
    assert!(place.read("summary.md").contains("tooltest-demo"));
    for name in ["result.json", "junit.xml", "tooltest.sarif", "report.html"] {
        assert!(!place.read(&format!("tooltest-reports/{name}")).is_empty());
    }
    let linted = [("INPUT_COMMAND", "tooltest demo --serve"), ("INPUT_LINT_ONLY", "true")];
    assert_eq!(run("run", &linted).code, 0);
}

#[test]
fn changes_between_snapshots_are_told() {
    let place = Place::new();
    place.write("old.json", r#"{"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}]}"#);
    place.write("new.json", r#"{"result": {"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}}, {"name": "b"}]}}"#);
    let changed = place.run(&["diff", "old.json", "new.json"]);
    assert_eq!(changed.code, 1);
    assert_eq!(
        changed.out,
        "Breaking\n  tool a\n    x is required now  /inputSchema/required\nCompatible\n  tool b\n    was added\n2 changes, 1 of them breaking\n"
    );
    assert_eq!(place.run(&["diff", "old.json", "old.json"]).code, 0);
}

#[test]
fn lints_and_configuration_are_printed() {
    let place = Place::new();
    assert!(place.run(&["lints"]).out.contains("no_crash"));
    assert!(place.run(&["lints", "list", "--json"]).json().as_array().unwrap().len() > 50);
    assert!(place.run(&["lints", "explain", "no-crash"]).out.starts_with("# no_crash\n"));
    let default = place.run(&["config", "default"]).out;
    place.write("tooltest.toml", &default);
    assert_eq!(place.run(&["config", "check", "tooltest.toml"]).code, 0);
    assert!(place.run(&["config", "show"]).out.contains("tooltest.toml"));
    assert!(place.run(&["config", "schema"]).json().is_object());
    assert!(place.run(&["completions", "bash"]).out.contains("_tooltest"));
}
