//! Servers on the official SDKs stay without errors. The one on the Rust SDK is the `tooltest` command itself, in MCP mode; the
//! others keep notes, ask their users, tell of changes and make tasks.

use std::path::PathBuf;
use std::process::Command;
use tooltest_core::input::Target;
use tooltest_tests::languages::{node, python};
use tooltest_tests::quiet::{errors, run_errors};
use tooltest_tests::served::{Served, http, protected, stdio};

fn tooltest() -> PathBuf {
    let mut command = std::env::current_exe().expect("a running test has a path");
    command.pop();
    command.pop();
    let command = command.join("tooltest");
    assert!(command.exists(), "build the command first: cargo build -p tooltest");
    command
}

#[test]
fn the_rust_sdk_over_stdio() {
    let command = tooltest().display().to_string();
    let found = errors(&stdio(&command, &["mcp", "--stdio"]));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_rust_sdk_over_http() {
    let mut command = Command::new(tooltest());
    let served = Served::start(command.args(["mcp", "--http", "--bind", "127.0.0.1:0"]), true);
    let found = errors(&http(&served));
    assert!(found.is_empty(), "{found:#?}");
}

/// Both eras, calls included.
fn assert_quiet(target: &Target) {
    for version in ["2025-11-25", "2026-07-28"] {
        let found = run_errors(target, version);
        assert!(found.is_empty(), "{found:#?}");
    }
}

fn notes_in_node() -> String {
    node::install();
    node::package().join("test/servers/notes.mjs").display().to_string()
}

fn notes_in_python(requirements: &str, server: &str) -> (String, String) {
    let server = python::package().join("tests/servers").join(server);
    (python::environment(requirements).display().to_string(), server.display().to_string())
}

#[test]
fn the_typescript_sdk_over_stdio() {
    if node::is_there() {
        assert_quiet(&stdio("node", &[&notes_in_node()]));
    }
}

#[test]
fn the_typescript_sdk_over_http() {
    if node::is_there() {
        let served = Served::start(Command::new("node").args([&notes_in_node(), "--http"]), false);
        assert_quiet(&http(&served));
    }
}

#[test]
fn the_typescript_sdk_for_those_who_have_a_token() {
    if node::is_there() {
        let arguments = [&notes_in_node(), "--http", "--protected"];
        let served = Served::start(Command::new("node").args(arguments), false);
        assert_quiet(&protected(&served, "wide"));
    }
}

#[test]
fn the_older_python_sdk_with_tasks() {
    if python::is_there() {
        let (python, server) = notes_in_python("requirements-dev.txt", "notes_sdk1.py");
        let found = run_errors(&stdio(&python, &[&server]), "2025-11-25");
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// In its release 1.30 that SDK loses the session when the cancellation of a call arrives together with the answer to the question
/// that the call had put: its receive loop ends on the closed stream of the question. Now and then a run meets that race, rightly.
#[test]
fn the_older_python_sdk_with_tasks_over_http() {
    if python::is_there() {
        let (python, server) = notes_in_python("requirements-dev.txt", "notes_sdk1.py");
        let served = Served::start(Command::new(&python).args([&server, "--http"]), false);
        let mut found = run_errors(&http(&served), "2025-11-25");
        found.retain(|finding| !finding.contains(" no_crash: "));
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
#[ignore = "makes a second environment; `cargo test -p tooltest-tests --test quiet -- --ignored`"]
fn the_newer_python_sdk_and_fastmcp_with_tasks() {
    if !python::is_there() {
        return;
    }
    let (python, server) = notes_in_python("requirements-sdk2.txt", "notes_sdk2.py");
    assert_quiet(&stdio(&python, &[&server]));
    let arguments = [server.as_str(), "--http", "--protected"];
    let served = Served::start(Command::new(&python).args(arguments), false);
    assert_quiet(&protected(&served, "wide"));
    let (python, server) = notes_in_python("requirements-sdk2.txt", "notes_fastmcp.py");
    assert_quiet(&stdio(&python, &[&server]));
}
