//! The Python package: its own tests and the example project, with the real interpreter. Without Python this is skipped, but not where `CI` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a command that must succeed. What cargo tells this test must not reach a cargo inside it.
fn run(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST", "CARGO_BIN_", "CARGO_CRATE_", "NEXTEST"]
            .iter()
            .any(|start| text.starts_with(start))
        {
            command.env_remove(&name);
        }
    }
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// A virtual environment with what a requirements file names; its interpreter. Made anew when the file changes.
fn environment(requirements: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(requirements.trim_end_matches(".txt"));
    let python = folder.join("bin/python");
    let file = root().join("bindings-python").join(requirements);
    let wanted = std::fs::read_to_string(&file).expect("can be read");
    let stamp = folder.join("requirements");
    if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
        return python;
    }
    let _ = std::fs::remove_dir_all(&folder);
    run(Command::new(interpreter()).args(["-m", "venv"]).arg(&folder));
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
        .arg(&file));
    std::fs::write(stamp, wanted).expect("can be written");
    python
}

fn interpreter() -> String {
    std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Whether there is a Python that the package supports, with the module `venv`.
fn is_there() -> bool {
    let asked = Command::new(interpreter())
        .args(["-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))"])
        .output();
    let there = asked.is_ok_and(|output| output.status.success());
    assert!(
        there || std::env::var_os("CI").is_none(),
        "python3 (3.10 or later, with venv) is needed; PYTHON can name it"
    );
    if !there {
        // Shown by `cargo test -- --nocapture`; a test has no other way to say that it was skipped.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"SKIPPED: there is no python3 (3.10 or later, with venv); PYTHON can name it\n",
        );
    }
    there
}

#[test]
fn the_python_package_works() {
    if !is_there() {
        return;
    }
    let package = root().join("bindings-python");
    let python = environment("requirements-dev.txt");
    let folder = python.parent().and_then(Path::parent).expect("an environment");
    run(Command::new(&python)
        .args(["-m", "maturin", "develop", "--quiet"])
        .current_dir(&package)
        .env("VIRTUAL_ENV", folder));
    run(Command::new(&python).args(["-m", "pytest", "-q"]).current_dir(&package));
    run(Command::new(&python).args(["-m", "mypy", "-p", "tooltest"]).current_dir(&package));
    run(Command::new(&python)
        .args(["-m", "mypy.stubtest", "tooltest._native"])
        .current_dir(&package));
}

/// Needs the extension module that `the_python_package_works` has built.
#[test]
#[ignore = "takes minutes: a second environment and a wheel; `cargo test -p tooltest-tests --test python -- --ignored`"]
fn newer_sdks_and_the_example_project_work() {
    if !is_there() {
        return;
    }
    let package = root().join("bindings-python");
    let second = environment("requirements-sdk2.txt");
    run(Command::new(second)
        .args(["-m", "pytest", "-q", "tests/test_in_process.py"])
        .current_dir(&package)
        .env("PYTHONPATH", package.join("python")));
    run(&mut Command::new(root().join("tests/examples/python-pytest/check.sh")));
}
