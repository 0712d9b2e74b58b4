//! A stateless server on the Rust SDK stays without findings: it is the `tooltest` command itself, in MCP mode.

use std::path::PathBuf;
use std::process::Command;
use tooltest_tests::quiet::{Served, errors, http, stdio};

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
