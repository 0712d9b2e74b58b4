//! The process around a command: folders, variables, the wish to end.

use crate::args::{LookArgs, Surroundings};
use crate::failure::Failure;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use tooltest_core::RunOptions;
use tooltest_core::session::CancelToken;

/// Everything a command may use of the process that it runs in.
pub(crate) struct Host {
    /// Set when the user wants an end.
    pub(crate) cancel: CancelToken,
    /// How output looks.
    pub(crate) look: LookArgs,
}

pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

pub(crate) fn working_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::file("the working folder", &error))
}

/// Gives a function what the command line may ask of the process.
pub(crate) fn with_surroundings<T>(
    ask: impl FnOnce(&Surroundings<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let folder = working_folder()?;
    ask(&Surroundings { variable: &variable, folder: &folder })
}

/// The user's configuration folder.
pub(crate) fn user_config_dir() -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CONFIG_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".config")))
        .or_else(|| absolute("APPDATA"))
}

/// What a run gets from the process.
pub(crate) fn options(host: &Host) -> Result<RunOptions, Failure> {
    Ok(RunOptions {
        cancel: host.cancel.clone(),
        working_dir: working_folder()?,
        user_config_dir: user_config_dir(),
        find_config: true,
        random_seed: random_seed(),
        ..RunOptions::default()
    })
}

/// A seed that differs from run to run and that JavaScript can hold (below 2^53).
pub(crate) fn random_seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _, RandomState};
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u128(
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_nanos()),
    );
    hasher.finish() >> 11
}
