//! Getting the reference servers ready: what is missing is installed or built below the target folder.

use super::catalogue::ServerName;
use super::options::Options;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the servers' programs are.
#[derive(Debug, Clone, Default)]
pub struct Programs {
    /// A Python that has what crud needs.
    pub python: PathBuf,
    /// The entry script of crud.
    pub crud: PathBuf,
    /// The built iteratr-tools.
    pub node_dist: PathBuf,
    /// The built wsh.
    pub wsh: PathBuf,
}

/// Finds or makes what the wanted servers need. `target` is Cargo's target folder.
///
/// # Errors
/// A sentence that names the step that failed.
pub fn prepare(servers: &Path, target: &Path, options: &Options) -> Result<Programs, String> {
    let mut programs =
        Programs { crud: servers.join("crud").join("server.py"), ..Programs::default() };
    for server in options.servers() {
        let source = servers.join(server.folder());
        match server {
            ServerName::Crud => {
                programs.python = given(options.python.as_deref(), || python(&source, target))?;
            }
            ServerName::Iteratr => {
                programs.node_dist =
                    given(options.node_dist.as_deref(), || node_dist(&source, target))?;
            }
            ServerName::Wsh => {
                programs.wsh = given(options.wsh.as_deref(), || wsh(target))?;
            }
        }
    }
    Ok(programs)
}

fn given(
    path: Option<&Path>,
    make: impl FnOnce() -> Result<PathBuf, String>,
) -> Result<PathBuf, String> {
    match path {
        Some(path) if path.exists() => Ok(path.to_owned()),
        Some(path) => Err(format!("{} does not exist", path.display())),
        None => make(),
    }
}

fn python(source: &Path, target: &Path) -> Result<PathBuf, String> {
    let folder = target.join("bench-servers").join("crud-venv");
    let python = folder.join("bin").join("python");
    let done = folder.join("ready");
    if !done.exists() {
        step(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let requirements = source.join("requirements.txt");
        step(
            Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements),
        )?;
        std::fs::write(&done, "").map_err(|e| format!("{}: {e}", done.display()))?;
    }
    Ok(python)
}

/// Builds a copy, so that the repository's folder stays as it is.
fn node_dist(source: &Path, target: &Path) -> Result<PathBuf, String> {
    let folder = target.join("bench-servers").join("iteratr-tools");
    let modules = folder.join("node_modules");
    copy(source, &folder)?;
    if !modules.exists() {
        step(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    }
    step(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&folder))?;
    Ok(folder.join("dist"))
}

/// Copies files and folders, those apart that are made from the others.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("copying {}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(fail)?;
    for entry in std::fs::read_dir(from).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" || entry.file_name() == "dist" {
            continue;
        }
        if entry.file_type().map_err(fail)?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target).map_err(fail)?;
        }
    }
    Ok(())
}

fn wsh(target: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers/wsh/Cargo.toml");
    step(
        Command::new(cargo)
            .args(["build", "--quiet", "--manifest-path"])
            .arg(manifest)
            .arg("--target-dir")
            .arg(target),
    )?;
    Ok(target.join("debug").join("wsh"))
}

fn step(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}
