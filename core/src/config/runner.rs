//! The `[runner]` table: what MCP mode's script runner may do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What MCP mode's script runner may do. Nothing is allowed that is not named here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunnerConfig {
    /// The folder that every script must be in, after symbolic links are followed; relative to the file's folder.
    pub allowed_root: Option<String>,
    /// The scripts that may run: paths under `allowed_root`.
    pub allowed_scripts: Vec<String>,
    /// The names of the arguments that scripts may get, for example `--port`.
    pub allowed_args: Vec<String>,
    /// The environment variables that scripts may get.
    pub env_allowlist: Vec<String>,
    /// Milliseconds after which a script is ended, where the call does not say.
    pub timeout_ms_default: u64,
    /// Bytes of output kept of a script.
    pub max_output_bytes: u64,
    /// Bytes kept of a line of output.
    pub max_line_bytes: u64,
    /// The folder of the audit log.
    pub log_dir: Option<String>,
    /// How much is logged to standard error: `error`, `warn`, `info` or `debug`.
    pub log_level: String,
    /// The bearer token that every HTTP endpoint asks for.
    pub token: Option<String>,
}

impl Default for RunnerConfig {
    fn default() -> Self {
        Self {
            allowed_root: None,
            allowed_scripts: Vec::new(),
            allowed_args: Vec::new(),
            env_allowlist: Vec::new(),
            timeout_ms_default: 90_000,
            max_output_bytes: 262_144,
            max_line_bytes: 8_192,
            log_dir: None,
            log_level: "info".to_owned(),
            token: None,
        }
    }
}

impl RunnerConfig {
    /// The fields with their defaults, as an object.
    pub(super) fn fields() -> Value {
        serde_json::to_value(Self::default()).expect("plain data")
    }
}
