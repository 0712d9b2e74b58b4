//! Every fault file's server causes the findings that it names; the clean one causes none.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::lints::Level;
use tooltest_core::{RunOptions, TooltestInput, run_blocking};
use tooltest_tests::faulty::fault::Fault;

/// Servers tested at once.
const AT_ONCE: usize = 8;

#[test]
fn every_fault_is_found_and_the_clean_server_is_clean() {
    let files = fault_files();
    assert!(files.len() > 40, "{} fault files", files.len());
    let (queue, wrong) = (Mutex::new(files), Mutex::new(Vec::new()));
    let next = || queue.lock().expect("no test thread panics").pop();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(file) = next() {
                    wrong.lock().expect("no test thread panics").extend(judge(&file));
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no test thread panics");
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn fault_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").path()).collect()
}

/// What is wrong with the findings at one faulty server.
fn judge(file: &Path) -> Vec<String> {
    let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let text = std::fs::read_to_string(file).expect("it can be read");
    let fault: Fault =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let result = match run_blocking(input(file), &RunOptions::default()) {
        Ok(result) => result,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let missing = fault.finds.iter().filter(|lint| {
        !result.findings.iter().any(|finding| finding.lint == **lint)
            && !result.warnings.iter().any(|warning| warning.lint == **lint)
    });
    let mut wrong: Vec<String> =
        missing.map(|lint| format!("{name}: {lint} was not found")).collect();
    if fault.finds.is_empty() {
        let errors = result.findings.iter().filter(|finding| finding.level == Level::Error);
        wrong
            .extend(errors.map(|finding| format!("{name}: {}: {}", finding.lint, finding.message)));
    }
    wrong
}

fn input(file: &Path) -> TooltestInput {
    let mut input = TooltestInput::new(Target::Stdio(StdioTarget {
        command: env!("CARGO_BIN_EXE_faulty-server").to_owned(),
        args: vec![file.display().to_string()],
        ..StdioTarget::default()
    }));
    input.seed = Some(1);
    input.max_calls = 40;
    input.request_timeout = 1.0;
    input.keep_going = true;
    input.failure_dir = String::new();
    input
}
