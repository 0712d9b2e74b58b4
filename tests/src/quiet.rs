//! Judging servers that are right: they must stay without findings, in each era and over each transport.

use tooltest_core::input::Target;
use tooltest_core::lints::Level;
use tooltest_core::{RunOptions, TooltestInput, lint_blocking, run_blocking};

/// What a short run with calls finds at level error: a few sequences, then every probe, those of tasks and of questions, too.
///
/// # Panics
/// Where the server does not speak that version, or a run does not come to its end.
pub fn run_errors(target: &Target, version: &str) -> Vec<String> {
    let mut input = TooltestInput::new(target.clone());
    version.clone_into(&mut input.protocol_version);
    input.time_limit = 600.0;
    input.startup_timeout = 120.0;
    input.failure_dir = String::new();
    input.seed = Some(1);
    input.cases = Some(1);
    input.keep_going = true;
    let result = run_blocking(input, &RunOptions::default());
    let result = result.unwrap_or_else(|error| panic!("{version}: {error}"));
    assert_eq!(result.server.revision.map(|r| r.to_string()).as_deref(), Some(version));
    // Where nothing succeeds, little is judged.
    assert!(result.coverage.iter().any(|tool| tool.ok > 0), "{version}: no call succeeded");
    let errors = result.findings.into_iter().filter(|finding| finding.level == Level::Error);
    errors.map(|finding| format!("{version} {}: {}", finding.lint, finding.message)).collect()
}

/// What the lints of handshake, lists and probes find at level error, in both eras.
///
/// # Panics
/// Where the server does not speak one of them.
pub fn errors(target: &Target) -> Vec<String> {
    let eras = ["2025-11-25", "2026-07-28"];
    let findings = eras.into_iter().flat_map(|version| {
        let mut input = TooltestInput::new(target.clone());
        version.clone_into(&mut input.protocol_version);
        input.time_limit = 600.0;
        input.failure_dir = String::new();
        let result = lint_blocking(input, &RunOptions::default());
        let result = result.unwrap_or_else(|error| panic!("{version}: {error}"));
        assert_eq!(result.server.revision.map(|r| r.to_string()).as_deref(), Some(version));
        let found = result.findings.into_iter();
        found.map(move |finding| format!("{version} {}: {}", finding.lint, finding.message))
    });
    findings.collect()
}
