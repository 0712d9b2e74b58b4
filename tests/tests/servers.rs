//! The reference servers' own tests, in their own languages: each is set up from its lock files and asked by official clients.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tooltest_tests::quiet::errors;
use tooltest_tests::served::{Served, http, stdio};

fn servers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("servers")
}

/// Runs a command to its end; shows what it printed where it fails.
fn run(command: &mut Command) {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{shown}\n{}\n{}", text(&output.stdout), text(&output.stderr));
}

/// A Python with the packages of `requirements` in a virtual environment of its own, set up once for all tests.
fn python_with(requirements: &Path) -> PathBuf {
    static READY: OnceLock<PathBuf> = OnceLock::new();
    let set_up = || {
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crud-venv");
        let python = venv.join("bin/python");
        if !python.exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
        }
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "-r"])
            .arg(requirements));
        python
    };
    READY.get_or_init(set_up).clone()
}

#[test]
fn the_python_server_serves_official_clients() {
    let folder = servers().join("crud");
    let python = python_with(&folder.join("requirements.txt"));
    run(Command::new(python).current_dir(&folder).args([
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "test_tools.py",
        "test_transports.py",
    ]));
}

#[test]
fn the_python_server_is_found_right() {
    let folder = servers().join("crud");
    let python = python_with(&folder.join("requirements.txt")).display().to_string();
    let server = folder.join("server.py").display().to_string();
    let over_stdio = errors(&stdio(&python, &[&server]));
    assert!(over_stdio.is_empty(), "{over_stdio:#?}");
    let served = Served::start(Command::new(&python).args([&server, "--http", "0"]), true);
    let over_http = errors(&http(&served));
    assert!(over_http.is_empty(), "{over_http:#?}");
}

#[test]
fn the_typescript_server_serves_official_clients_and_is_found_right() {
    let folder = servers().join("iteratr-tools");
    run(Command::new("npm").current_dir(&folder).args(["ci", "--no-audit", "--no-fund"]));
    run(Command::new("npm").current_dir(&folder).args(["run", "build"]));
    run(Command::new("npx").current_dir(&folder).args(["tsc", "-p", "tsconfig.test.json"]));
    let tests = ["tools", "store", "embedded"].map(|name| format!("dist/test/{name}.test.js"));
    run(Command::new("node").current_dir(&folder).arg("--test").args(tests));
    let script = |name: &str| folder.join("dist").join(name).display().to_string();
    let over_stdio = errors(&stdio("node", &[&script("stdio.js")]));
    assert!(over_stdio.is_empty(), "{over_stdio:#?}");
    let served = Served::start(Command::new("node").arg(script("serve.js")), false);
    let over_http = errors(&http(&served));
    assert!(over_http.is_empty(), "{over_http:#?}");
}
