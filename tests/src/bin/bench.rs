//! `bench`: runs a tester over the reference servers, clean and with each seeded bug, and says what it found.

use clap::Parser as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use tooltest_tests::bench::external::External;
use tooltest_tests::bench::options::Options;
use tooltest_tests::bench::row::Row;
use tooltest_tests::bench::tester::Tester;
use tooltest_tests::bench::tooltest::Tooltest;
use tooltest_tests::bench::{prepare, report, run, subject, summary::Summary};

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say(&format!("bench: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Runs the bench; the answer is whether the gates hold, where they are asked for.
fn bench(options: &Options) -> Result<bool, String> {
    let servers = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers");
    let subjects = subject::subjects(&servers, options)?;
    let programs = prepare::prepare(&servers, &target_folder()?, options)?;
    let tester: Box<dyn Tester> = match &options.tester {
        Some(template) => Box::new(External { template: template.clone() }),
        None => Box::new(Tooltest { trace: options.trace }),
    };
    let name = tester.name();
    // Who stops the bench half-way keeps what was measured by then.
    let so_far: Mutex<Vec<Row>> = Mutex::new(Vec::new());
    let done = |row: &Row| {
        say(&report::line(row));
        let mut rows = so_far.lock().unwrap_or_else(PoisonError::into_inner);
        rows.push(row.clone());
        if let Err(error) = save(&name, &rows, options) {
            say(&format!("bench: {error}"));
        }
    };
    let rows = run::run(tester.as_ref(), &subjects, &programs, options, &done);
    say(&format!("\n{}", report::totals_table(&rows)));
    save(&name, &rows, options)?;
    let missed = Summary::of(&rows).missed_gates();
    if options.gates {
        for gate in &missed {
            say(&format!("gate missed: {gate}"));
        }
    }
    Ok(!options.gates || missed.is_empty())
}

/// Cargo's target folder: two above this program.
fn target_folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = program.ancestors().nth(2).ok_or("this program is in no target folder")?;
    Ok(folder.to_owned())
}

/// Prints lines; a closed pipe is no fault of the bench.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Writes the rows and their totals to the files that the options name.
fn save(tester: &str, rows: &[Row], options: &Options) -> Result<(), String> {
    if let Some(file) = &options.json {
        write(file, &format!("{:#}\n", report::document(tester, rows, options)))?;
    }
    if let Some(file) = &options.markdown {
        write(file, &report::markdown(tester, rows, options))?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}
