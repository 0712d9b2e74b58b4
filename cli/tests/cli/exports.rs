//! Exported failures, run by the tools that they are for: each fails on the server with the bug and passes on the one without.

use crate::harness::{Place, done, program};
use crate::notes::Notes;
use crate::tools::{installed, may_be_there, node, python, python_with, run};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What the tests of an export share: a server with the bug, one without, and the saved failure.
struct Bug {
    place: Place,
    buggy: Notes,
    fixed: Notes,
    file: String,
}

impl Bug {
    fn found() -> Option<Self> {
        let python = python()?;
        let place = Place::new();
        let (buggy, fixed) = (Notes::start(&python, &["--buggy"]), Notes::start(&python, &[]));
        let result =
            place.run(&["run", &buggy.url, "--seed", "1", "--max-calls", "300", "--json"]).json();
        let file = crash(&result);
        Some(Self { place, buggy, fixed, file })
    }

    /// The export as it is, and the same for the server without the bug.
    fn exported(&self, format: &str) -> [String; 2] {
        let text = self.place.run(&["replay", &self.file, "--export", format]).out;
        let fixed = text.replace(&self.buggy.url, &self.fixed.url);
        assert_ne!(text, fixed, "the export names its server");
        [text, fixed]
    }
}

/// The failure file of the crash among the findings.
fn crash(result: &Value) -> String {
    let findings = result["findings"].as_array().unwrap();
    let crash = findings.iter().find(|finding| finding["lint"] == "no_crash").unwrap();
    crash["failure_file"].as_str().unwrap().to_owned()
}

/// The first must have failed because of the finding, the second must have passed.
#[track_caller]
fn assert_tells_apart(buggy: Output, fixed: Output, finding: &str) {
    let (buggy, fixed) = (done(buggy), done(fixed));
    assert!(buggy.code > 0, "on the buggy server: {buggy:?}");
    let told = buggy.out.contains(finding) || buggy.err.contains(finding);
    assert!(told, "no {finding:?} in {buggy:?}");
    assert_eq!(fixed.code, 0, "on the fixed server: {fixed:?}");
}

#[test]
fn rust() {
    let Some(bug) = Bug::found() else { return };
    let outcome = |name: &str, source: &str| {
        let binary = bug.place.path(name);
        let source = bug.place.write(&format!("{name}.rs"), source);
        run(Command::new("rustc")
            .args(["--test", "--edition", "2021", "-o"])
            .arg(&binary)
            .arg(source));
        Command::new(binary).env("TOOLTEST", program()).output().unwrap()
    };
    let [buggy, fixed] = bug.exported("rust");
    assert_tells_apart(outcome("buggy", &buggy), outcome("fixed", &fixed), "no_crash");
}

#[test]
fn pytest() {
    let Some(bug) = Bug::found() else { return };
    let python = python_with(&python().unwrap(), "exports-python", &["pytest==9.2.0"]);
    let outcome = |name: &str, source: &str| {
        let file = bug.place.write(&format!("{name}/test_{name}.py"), source);
        Command::new(&python)
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .arg(file)
            .env("TOOLTEST", program())
            .current_dir(bug.place.0.path())
            .output()
            .unwrap()
    };
    let [buggy, fixed] = bug.exported("pytest");
    assert_tells_apart(outcome("buggy", &buggy), outcome("fixed", &fixed), "no_crash");
}

#[test]
fn vitest() {
    if !node() {
        return;
    }
    let Some(bug) = Bug::found() else { return };
    let wanted = "vitest@4.1.12";
    let folder = installed("exports-node", wanted, |folder| {
        fs::write(folder.join("package.json"), r#"{"private": true, "type": "module"}"#).unwrap();
        run(Command::new("npm")
            .args(["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", wanted])
            .current_dir(folder));
    });
    let outcome = |name: &str, source: &str| {
        let tests = tempfile::Builder::new().prefix("test-").tempdir_in(&folder).unwrap();
        fs::write(tests.path().join(format!("{name}.test.js")), source).unwrap();
        vitest_in(&folder, tests.path())
    };
    let [buggy, fixed] = bug.exported("vitest");
    assert_tells_apart(outcome("buggy", &buggy), outcome("fixed", &fixed), "no_crash");
}

fn vitest_in(folder: &Path, tests: &Path) -> Output {
    Command::new("node")
        .arg(folder.join("node_modules/vitest/vitest.mjs"))
        .args(["run", "--root"])
        .arg(tests)
        .env("TOOLTEST", program())
        .env("CI", "true")
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn curl() {
    let tools = ["curl", "jq", "bash"].map(may_be_there);
    if tools.contains(&false) {
        return;
    }
    let Some(bug) = Bug::found() else { return };
    let outcome = |name: &str, source: &str| {
        Command::new("bash").arg(bug.place.write(name, source)).output().unwrap()
    };
    let [buggy, fixed] = bug.exported("curl");
    assert_tells_apart(outcome("buggy.sh", &buggy), outcome("fixed.sh", &fixed), "no answer");
}

#[test]
fn json_rpc_lines() {
    let place = Place::new();
    let flags = ["run", "--seed", "1", "--max-calls", "300", "--json"];
    let file = crash(&place.on_demo(&flags).json());
    place
        .run(&["replay", &file, "--export", "curl"])
        .fails(2, &["curl can only reach HTTP servers"]);
    let lines = place.run(&["replay", &file, "--export", "jsonl"]).out;
    let outcome = |fixed: &[&str]| {
        let mut child = place
            .command(&[&["demo", "--serve"], fixed].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let fixed = outcome(&["--fixed"]);
    let answers = String::from_utf8_lossy(&fixed.stdout).lines().count();
    let notifications = lines.lines().filter(|line| line.contains("notifications/")).count();
    assert_eq!(answers, lines.lines().count() - notifications, "every request is answered");
    assert_tells_apart(outcome(&[]), fixed, "panic");
}
