//! What the reference servers say of their seeded bugs and decoys: `bugs.json` and `decoys.json`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The reference servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum ServerName {
    /// Projects, tasks and comments, in Python.
    Crud,
    /// A task tracker, in TypeScript.
    Iteratr,
    /// Terminal sessions, in Rust.
    Wsh,
}

impl ServerName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Crud, Self::Iteratr, Self::Wsh];

    /// As the command line has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crud => "crud",
            Self::Iteratr => "iteratr",
            Self::Wsh => "wsh",
        }
    }

    /// The server's folder below `tests/servers`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Iteratr => "iteratr-tools",
            other => other.as_str(),
        }
    }
}

/// A seeded bug.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Bug {
    /// The value of `TOOLTEST_BUG`.
    pub id: String,
    /// The smallest number of calls on a fresh server that shows it.
    pub depth: u32,
    /// The lint that should report it.
    pub lint: String,
    /// Other lints that would be right.
    #[serde(default)]
    pub also: Vec<String>,
    /// The tools of which any is right; empty where none in particular is at fault.
    #[serde(deserialize_with = "tools")]
    pub tool: Vec<String>,
    /// Whether it takes concurrent or cancelled calls.
    pub concurrency: bool,
    /// Where it shows.
    pub transport: Transport,
    /// In which protocol era it shows.
    pub era: Era,
    /// What is wrong.
    pub description: String,
    /// Variables that the server's environment must hold.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

impl Bug {
    /// Whether a report of `lint` is right about the fault.
    pub fn fits_lint(&self, lint: &str) -> bool {
        self.lint == lint || self.also.iter().any(|also| also == lint)
    }

    /// Whether a report that names one of `named` is right about the place.
    pub fn fits_tool(&self, named: &[String]) -> bool {
        self.tool.is_empty() || named.iter().any(|tool| self.tool.contains(tool))
    }
}

/// An oddity that is no fault.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Decoy {
    /// The value of `TOOLTEST_DECOY`.
    pub id: String,
}

/// A transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// A protocol era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// All.
    Any,
    /// The handshake revisions, up to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

impl Era {
    /// The `protocol_version` of a run that is to show it.
    pub const fn protocol_version(self) -> &'static str {
        match self {
            Self::Any => "auto",
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }
}

/// The tool or tools that a bug's entry names: a string, a list of strings, or null.
fn tools<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Named {
        One(String),
        Any(Vec<String>),
    }
    Ok(match Option::<Named>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Named::One(tool)) => vec![tool],
        Some(Named::Any(tools)) => tools,
    })
}

/// The bugs of a server; `servers` is the folder `tests/servers`.
///
/// # Errors
/// A sentence, where the file is not there or not of that form.
pub fn bugs(servers: &Path, server: ServerName) -> Result<Vec<Bug>, String> {
    read(&servers.join(server.folder()).join("bugs.json"))
}

/// The decoys of a server; a server without `decoys.json` has none.
///
/// # Errors
/// As [`bugs`].
pub fn decoys(servers: &Path, server: ServerName) -> Result<Vec<Decoy>, String> {
    let file = servers.join(server.folder()).join("decoys.json");
    if file.exists() { read(&file) } else { Ok(Vec::new()) }
}

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("servers")
    }

    #[test]
    fn every_catalogue_is_read_and_names_lints_that_exist() {
        for server in ServerName::ALL {
            for bug in bugs(&servers(), server).unwrap() {
                let named = std::iter::once(&bug.lint).chain(&bug.also);
                for lint in named {
                    assert!(
                        tooltest_core::lints::entry(lint).is_some(),
                        "{} of {} names {lint}, which is no lint",
                        bug.id,
                        server.as_str()
                    );
                }
            }
        }
        assert_eq!(decoys(&servers(), ServerName::Crud).unwrap().len(), 10);
        assert!(decoys(&servers(), ServerName::Wsh).unwrap().is_empty());
    }

    #[test]
    fn a_tool_is_one_any_of_several_or_none() {
        let with = |tool: &str| -> Bug {
            let text = format!(
                r#"{{"id":"x","depth":1,"lint":"no_crash","tool":{tool},"concurrency":false,
                "transport":"stdio","era":"any","description":"","witness":[]}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        let named = |tool: &str| vec![tool.to_owned()];
        assert!(with("null").fits_tool(&[]));
        assert!(with(r#""a""#).fits_tool(&named("a")));
        assert!(!with(r#""a""#).fits_tool(&named("b")));
        assert!(!with(r#""a""#).fits_tool(&[]));
        assert!(with(r#"["a","b"]"#).fits_tool(&named("b")));
    }
}
