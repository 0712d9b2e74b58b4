//! Failure files: a finding's case on disk, to be run again with no random numbers.

use crate::case::Case;
use crate::error::Error;
use crate::protocol::Revision;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The version of the shape of [`Failure`].
pub const FAILURE_VERSION: u32 = 1;

/// A saved failing case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// [`FAILURE_VERSION`].
    pub failure_version: u32,
    /// The lint.
    pub lint: String,
    /// The fingerprint that the case must show again.
    pub fingerprint: String,
    /// The tool at fault, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What was wrong.
    pub message: String,
    /// The name of the server that showed it.
    pub server: String,
    /// The revision it was shown at.
    pub revision: Revision,
    /// The seed of the run.
    pub seed: u64,
    /// The target of the run with its secrets redacted, so that `tooltest replay FILE` knows what to start.
    pub target: Value,
    /// The case.
    pub case: Case,
    /// Replays in a row that did not show it.
    #[serde(default)]
    pub fixed_runs: u32,
}

impl Failure {
    /// The name of the file: what a person looks for first, then what makes it unique.
    pub fn file_name(&self) -> String {
        let tool = self.tool.as_deref().unwrap_or("server");
        let tool: String = tool
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
            .take(40)
            .collect();
        format!("{}-{tool}-{}.json", self.lint, &self.fingerprint[..self.fingerprint.len().min(8)])
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be read, [`Error::Input`] where it is no failure file of this version.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::File { path: name.clone(), source })?;
        let failure: Self = serde_json::from_str(&text).map_err(|error| {
            Error::input(name.clone(), format!("is not a failure file: {error}"))
        })?;
        if failure.failure_version != FAILURE_VERSION {
            let message = format!(
                "is of version {}, and this tooltest reads version {FAILURE_VERSION}",
                failure.failure_version
            );
            return Err(Error::input(name, message));
        }
        Ok(failure)
    }

    /// Writes the file into `folder` (made if it is not there), whole or not at all; returns its path.
    ///
    /// # Errors
    /// [`Error::File`] where that is not possible.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, Error> {
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |source| Error::File { path, source }
        };
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let path = folder.join(self.file_name());
        let partial = path.with_extension("json.partial");
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Bug(error.to_string()))?;
        std::fs::write(&partial, text + "\n").map_err(failed(&partial))?;
        std::fs::rename(&partial, &path).map_err(failed(&path))?;
        Ok(path)
    }
}

/// The failure files in a folder, by name; a file stands for itself.
///
/// # Errors
/// [`Error::File`] where the folder cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = std::fs::read_dir(path)
        .map_err(|source| Error::File { path: path.display().to_string(), source })?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    found.sort();
    Ok(found)
}

/// The target that saved failures agree on, so that they can be replayed without naming it again.
///
/// # Errors
/// [`Error::File`] and [`Error::Input`] as [`Failure::read`]; [`Error::Input`] where they are of different servers or there are none.
pub fn common_target(files: &[PathBuf]) -> Result<crate::input::Target, Error> {
    let mut known: Option<Value> = None;
    for path in files {
        let target = Failure::read(path)?.target;
        if known.as_ref().is_some_and(|known| *known != target) {
            return Err(Error::input(
                "files",
                "are of different servers; replay them one by one, or name the target",
            ));
        }
        known = Some(target);
    }
    let target = known.ok_or_else(|| Error::input("files", "hold no saved failure"))?;
    serde_json::from_value(target).map_err(|error| Error::input("target", error.to_string()))
}
