//! Exit codes. They are part of the interface: scripts rely on them.

use tooltest_core::error::Error;
use tooltest_core::result::{Outcome, RunResult};

/// Something was judged and nothing is wrong at the level that fails.
pub const PASSED: u8 = 0;
/// There are findings at level error (or warning, with `--fail-on warning`).
pub const FINDINGS: u8 = 1;
/// The command line, the input or the configuration is wrong.
pub const USAGE: u8 = 2;
/// The server could not be started or connected to.
pub const NO_SERVER: u8 = 3;
/// Nothing was judged: no tool had a real success.
pub const INCONCLUSIVE: u8 = 4;
/// tooltest itself failed.
pub const BUG: u8 = 70;
/// The user ended the run; reports hold what was found until then.
pub const INTERRUPTED: u8 = 130;

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// Findings at level error.
    Error,
    /// Findings at level error or warning.
    Warning,
    /// Nothing: findings are only reported.
    Never,
}

/// The exit code of a finished run.
pub fn of_result(result: &RunResult, fail_on: FailOn) -> u8 {
    let fails = match fail_on {
        FailOn::Error => !result.findings.is_empty(),
        FailOn::Warning => !result.findings.is_empty() || !result.warnings.is_empty(),
        FailOn::Never => false,
    };
    match result.outcome {
        Outcome::Interrupted => INTERRUPTED,
        _ if fails => FINDINGS,
        Outcome::Inconclusive => INCONCLUSIVE,
        Outcome::Passed | Outcome::Failed => PASSED,
    }
}

/// The exit code of a run that has no result.
pub const fn of_error(error: &Error) -> u8 {
    match error {
        Error::Input { .. } | Error::Config(_) | Error::File { .. } => USAGE,
        Error::Open(tooltest_core::session::OpenError::Cancelled) => INTERRUPTED,
        Error::Open(_) | Error::Hook(_) => NO_SERVER,
        Error::Bug(_) => BUG,
    }
}

/// The table for `--help`.
pub const HELP: &str = "\
Exit codes:
    0  passed: something was judged, and nothing is wrong
    1  findings at level error (--fail-on warning: or warning)
    2  the command line, the input or the configuration is wrong
    3  the server could not be started or connected to
    4  inconclusive: no tool had a real success, so nothing was judged
   70  a bug of tooltest
  130  interrupted; the reports hold what was found until then";
