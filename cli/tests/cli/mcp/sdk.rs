//! The official SDKs' clients, with their real interpreters. Without these the tests are skipped, but not where `CI` is set.

use super::web::Listening;
use crate::harness::{Place, program};
use crate::tools::{installed, node, python, python_with, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scripts and what they need.
fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// The text of the files that an installation is made from.
fn text_of(files: &[&str]) -> String {
    files.iter().map(|file| std::fs::read_to_string(clients().join(file)).unwrap()).collect()
}

/// Lets a script talk to this program: started by it, and listening already.
fn everything(interpreter: impl AsRef<std::ffi::OsStr>, script: &Path) {
    let place = Place::new();
    let (server, other) = (Listening::start(&place, &[]), Listening::start(&place, &[]));
    run(Command::new(interpreter)
        .arg(script)
        .arg(program())
        .args([server.url(), other.url()])
        .current_dir(place.0.path()));
}

#[test]
fn the_python_client_uses_everything() {
    let Some(python) = python() else { return };
    let wanted = text_of(&["requirements.txt"]);
    let packages: Vec<&str> = wanted.split_whitespace().collect();
    let python = python_with(&python, "mcp-clients-python", &packages);
    everything(python, &clients().join("everything.py"));
}

#[test]
fn the_typescript_clients_use_everything() {
    if !node() {
        return;
    }
    let files = ["package.json", "package-lock.json", "everything.mjs"];
    let folder = installed("mcp-clients-typescript", &text_of(&files), |folder| {
        for file in files {
            std::fs::copy(clients().join(file), folder.join(file)).unwrap();
        }
        run(Command::new("npm")
            .args(["ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(folder));
    });
    everything("node", &folder.join("everything.mjs"));
}
