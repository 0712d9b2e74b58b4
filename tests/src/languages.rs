//! Python and Node as tests start them. Without them a test is skipped, but not where `CI` is set.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the sources.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder that this build puts its programs in.
pub fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let folder =
        test.ancestors().nth(2).expect("tests are built into a folder of the programs' folder");
    folder.to_owned()
}

/// The `tooltest` command of this build.
pub fn tooltest() -> PathBuf {
    let command = built().join("tooltest");
    assert!(command.exists(), "build the command first: cargo build -p tooltest");
    command
}

/// Runs a command that must succeed; what it prints is shown as the test's own.
pub fn run(command: &mut Command) {
    let status = clean(command).status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Runs a command that must end with one of these codes; what it writes to standard output.
pub fn output(command: &mut Command, codes: &[i32]) -> Vec<u8> {
    let done = clean(command).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let fine = done.status.code().is_some_and(|code| codes.contains(&code));
    assert!(fine, "{command:?}: {}\n{}", done.status, String::from_utf8_lossy(&done.stderr));
    done.stdout
}

/// What cargo tells a test must not reach a cargo inside it.
fn clean(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST", "CARGO_BIN_", "CARGO_CRATE_", "NEXTEST"]
            .iter()
            .any(|start| text.starts_with(start))
        {
            command.env_remove(&name);
        }
    }
    command
}

/// Held while something is installed: tests of one program run at the same time.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static INSTALLING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Whether a program says that it is what we need. Where it is not there, says so, and fails where `CI` is set.
fn is_there(command: &mut Command, what: &str) -> bool {
    let there = command.output().is_ok_and(|output| output.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "{what} is needed");
    if !there {
        // Shown by `cargo test -- --nocapture`; a test has no other way to say that it was skipped.
        let words = format!("SKIPPED: there is no {what}\n");
        let _ = std::io::stderr().write_all(words.as_bytes());
    }
    there
}

/// Python.
pub mod python {
    use super::{Command, Path, PathBuf, root, run};

    /// Whether there is a Python that the package supports, with what makes virtual environments.
    pub fn is_there() -> bool {
        let needed = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
        super::is_there(
            Command::new(interpreter()).args(["-c", needed]),
            "python3 (3.10 or later, with venv; PYTHON can name it)",
        )
    }

    fn interpreter() -> String {
        std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned())
    }

    /// The folder of the package.
    pub fn package() -> PathBuf {
        root().join("bindings-python")
    }

    /// A virtual environment with what a requirements file names; its interpreter. Made anew when the file changes.
    pub fn environment(requirements: &str) -> PathBuf {
        let _alone = super::alone();
        let name = requirements.trim_end_matches(".txt");
        let folder = super::built().with_file_name("tmp").join(name);
        let python = folder.join("bin/python");
        let file = package().join(requirements);
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

    /// The interpreter of an environment in which the package of this checkout is installed.
    pub fn developed() -> PathBuf {
        let python = environment("requirements-dev.txt");
        let folder = python.parent().and_then(Path::parent).expect("an environment");
        run(Command::new(&python)
            .args(["-m", "maturin", "develop", "--quiet"])
            .current_dir(package())
            .env("VIRTUAL_ENV", folder));
        python
    }
}

/// Node.
pub mod node {
    use super::{Command, PathBuf, root, run};

    /// Whether there are a Node that the package supports, and npm.
    pub fn is_there() -> bool {
        let needed = "process.exit(process.versions.node.split('.')[0] >= 20 ? 0 : 1)";
        super::is_there(Command::new("node").args(["-e", needed]), "node (20 or later)")
            && super::is_there(Command::new("npm").arg("--version"), "npm")
    }

    /// The folder of the package.
    pub fn package() -> PathBuf {
        root().join("bindings-node")
    }

    /// Installs what the package's own tests need, where the lock file changed, and builds the addon.
    pub fn prepare() {
        install();
        run(Command::new("node").arg("scripts/build.mjs").current_dir(package()));
    }

    /// Installs what the package's own tests need, where the lock file changed.
    pub fn install() {
        let _alone = super::alone();
        let package = package();
        let wanted = std::fs::read(package.join("package-lock.json")).expect("can be read");
        let stamp = package.join("node_modules/.tooltest-lock");
        if !std::fs::read(&stamp).is_ok_and(|made| made == wanted) {
            run(Command::new("npm")
                .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
                .current_dir(&package));
            std::fs::write(stamp, wanted).expect("can be written");
        }
    }
}
