//! The official SDKs' clients, with their real interpreters. Without these the tests are skipped, but not where `CI` is set.

use super::web::Listening;
use crate::harness::{Place, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scripts and what they need.
fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Whether a program is there, as asked by a command that succeeds with the versions that are supported.
fn is_there(what: &str, program: &str, ask: &[&str]) -> bool {
    let there = Command::new(program).args(ask).output().is_ok_and(|done| done.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "{what} is needed");
    if !there {
        // Shown by `cargo test -- --nocapture`; a test has no other way to say that it was skipped.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!("skipped: {what} is not there\n").as_bytes(),
        );
    }
    there
}

/// A folder that `fill` has filled from files of ours; kept until one of them changes.
fn installed(name: &str, files: &[&str], fill: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = |file: &&str| std::fs::read_to_string(clients().join(file)).unwrap();
    let wanted: String = files.iter().map(text).collect();
    let stamp = folder.join("stamp");
    if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
        return folder;
    }
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    fill(&folder);
    std::fs::write(stamp, wanted).unwrap();
    folder
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
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let supported = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    if !is_there("python3 (3.10 or later, with venv)", &python, &["-c", supported]) {
        return;
    }
    let folder = installed("mcp-clients-python", &["requirements.txt"], |folder| {
        run(Command::new(&python).args(["-m", "venv"]).arg(folder));
        run(Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(clients().join("requirements.txt")));
    });
    everything(folder.join("bin/python"), &clients().join("everything.py"));
}

#[test]
fn the_typescript_clients_use_everything() {
    let supported = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";
    if !is_there("node (20 or later, with npm)", "node", &["-e", supported]) {
        return;
    }
    let files = ["package.json", "package-lock.json", "everything.mjs"];
    let folder = installed("mcp-clients-typescript", &files, |folder| {
        for file in files {
            std::fs::copy(clients().join(file), folder.join(file)).unwrap();
        }
        run(Command::new("npm")
            .args(["ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(folder));
    });
    everything("node", &folder.join("everything.mjs"));
}
