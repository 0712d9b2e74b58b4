//! Interpreters and packages that some tests need. Without them these tests are skipped, but not where `CI` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Whether a program is there, as asked by a command that succeeds with the versions that are supported.
pub(crate) fn is_there(what: &str, program: &str, ask: &[&str]) -> bool {
    let there = Command::new(program).args(ask).output().is_ok_and(|done| done.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "{what} is needed");
    if !there {
        skipped(what);
    }
    there
}

/// Whether a program is there that the other tests do without; also where `CI` is set the test is skipped if it is not.
pub(crate) fn may_be_there(program: &str) -> bool {
    let asked = Command::new(program).arg("--version").output();
    let there = asked.is_ok_and(|done| done.status.success());
    if !there {
        skipped(program);
    }
    there
}

/// Says that a test is skipped.
fn skipped(what: &str) {
    // Shown by `cargo test -- --nocapture`; a test has no other way to say that it was skipped.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("skipped: {what} is not there\n").as_bytes(),
    );
}

/// The Python to use, if there is one with the module `venv`.
pub(crate) fn python() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let supported = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    is_there("python3 (3.10 or later, with venv)", &python, &["-c", supported]).then_some(python)
}

/// Whether there is Node with npm.
pub(crate) fn node() -> bool {
    let supported = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";
    is_there("node (20 or later, with npm)", "node", &["-e", supported])
}

/// A folder that `fill` has filled; kept until `wanted` changes.
pub(crate) fn installed(name: &str, wanted: &str, fill: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
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

/// A virtual environment with packages; its interpreter.
pub(crate) fn python_with(python: &str, name: &str, packages: &[&str]) -> PathBuf {
    let folder = installed(name, &packages.join("\n"), |folder| {
        run(Command::new(python).args(["-m", "venv"]).arg(folder));
        run(Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(packages));
    });
    folder.join("bin/python")
}
