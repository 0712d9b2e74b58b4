//! Finds the configuration in force. A file that is found replaces the built-in configuration; nothing is merged.

use super::{Config, ConfigError, parse};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the configuration file.
pub const FILE_NAME: &str = "tooltest.toml";

/// Where a configuration came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file that the user named.
    Named(PathBuf),
    /// A file found from the working directory upward.
    Project(PathBuf),
    /// The file in the user's configuration folder.
    User(PathBuf),
    /// No file: the built-in configuration.
    BuiltIn,
}

impl Origin {
    /// The file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Named(path) | Self::Project(path) | Self::User(path) => Some(path),
            Self::BuiltIn => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(path) | Self::Project(path) => write!(f, "{}", path.display()),
            Self::User(path) => write!(f, "{} (the user's own)", path.display()),
            Self::BuiltIn => f.write_str("built in"),
        }
    }
}

/// The configuration in force for work in `start`: the nearest `tooltest.toml` from there upward to the root of the git
/// repository (outside of one, only `start` is looked at), else the one in the user's configuration folder, else the
/// built-in one.
pub fn discover(
    start: &Path,
    user_config_dir: Option<&Path>,
) -> Result<(Config, Origin), ConfigError> {
    if let Some(path) = project_file(start) {
        return Ok((load(&path)?, Origin::Project(path)));
    }
    if let Some(path) = user_config_dir.map(|dir| dir.join(FILE_NAME)).filter(|path| path.is_file())
    {
        return Ok((load(&path)?, Origin::User(path)));
    }
    Ok((Config::built_in(), Origin::BuiltIn))
}

/// Reads the configuration file at `path`.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
        path: name.clone(),
        line: None,
        message: format!("cannot be read: {error}"),
        suggestion: None,
    })?;
    parse(&text, &name)
}

fn project_file(start: &Path) -> Option<PathBuf> {
    // In a worktree and in a submodule `.git` is a file.
    let root = start.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(start);
    start
        .ancestors()
        .take_while(|folder| folder.starts_with(root))
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SOME: &str = "[[lints]]\nid = \"max_tools\"\nlevel = \"error\"\n";

    #[test]
    fn the_nearest_file_up_to_the_git_root_replaces_all_others() {
        let home = tempfile::tempdir().unwrap();
        let user = home.path().join("config");
        let repository = home.path().join("work/repository");
        let inner = repository.join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::create_dir_all(&user).unwrap();
        let origin = || discover(&inner, Some(&user)).unwrap().1;
        assert_eq!(origin(), Origin::BuiltIn);

        fs::write(user.join(FILE_NAME), SOME).unwrap();
        assert_eq!(origin(), Origin::User(user.join(FILE_NAME)));

        fs::write(home.path().join(FILE_NAME), "not TOML").unwrap();
        fs::write(repository.join(FILE_NAME), SOME).unwrap();
        assert_eq!(origin(), Origin::User(user.join(FILE_NAME)), "no repository: start only");

        fs::create_dir(repository.join(".git")).unwrap();
        let (config, origin) = discover(&inner, Some(&user)).unwrap();
        assert_eq!(origin, Origin::Project(repository.join(FILE_NAME)));
        assert_eq!(config.lints.len(), 1, "replaced, not merged");

        fs::write(inner.join(FILE_NAME), "").unwrap();
        let (config, origin) = discover(&inner, Some(&user)).unwrap();
        assert_eq!(origin, Origin::Project(inner.join(FILE_NAME)));
        assert_eq!(config, Config::built_in(), "it says nothing about lints");

        fs::remove_file(inner.join(FILE_NAME)).unwrap();
        fs::remove_file(repository.join(FILE_NAME)).unwrap();
        assert!(matches!(discover(&inner, None).unwrap().1, Origin::BuiltIn), "not above the root");
    }

    #[test]
    fn an_unreadable_file_is_named() {
        let error = load(Path::new("/nowhere/tooltest.toml")).unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/tooltest.toml: cannot be read"), "{error}");
    }
}
