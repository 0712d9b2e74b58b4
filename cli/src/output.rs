//! Writing: to standard output, to standard error, to files.

use crate::args::{LookArgs, Wanted};
use crate::failure::Failure;
use crate::terminal::{self, Stream};
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tooltest_core::report::{self, Format, HumanOptions};
use tooltest_core::result::RunResult;

/// Writes to standard output. A reader that went away (`| head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::file("standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error; nobody can be told when that fails.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes a failure to standard error.
pub(crate) fn complain(text: &str, look: &LookArgs) {
    match (text.strip_prefix("error:"), Stream::Err.colour(look)) {
        (Some(rest), true) => note(&format!("\u{1b}[1;31merror:\u{1b}[0m{rest}")),
        _ => note(text),
    }
}

/// The folder that a file is to be in, made where it is not there.
fn folder_of(path: &Path) -> std::io::Result<&Path> {
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    Ok(folder)
}

/// Opens a file that is written bit by bit; folders above it are made.
pub(crate) fn create(path: &Path) -> Result<std::fs::File, Failure> {
    folder_of(path)
        .and_then(|_| std::fs::File::create(path))
        .map_err(|error| Failure::file(path.display(), &error))
}

/// Writes a file whole or not at all; folders above it are made.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path.display(), &error);
    let folder = folder_of(path).map_err(failed)?;
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if is_special {
        // A device or pipe (`/dev/stderr`) cannot be replaced, only written to.
        return std::fs::write(path, text).map_err(failed);
    }
    let mut file =
        tempfile::Builder::new().prefix(".tooltest-").tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    readable(&file).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Temporary files are private; reports are as readable as any other file.
#[cfg(unix)]
fn readable(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// Writes the reports that were asked for, and those that GitHub Actions shows by itself.
///
/// Events (`ndjson`) that went out during the run are not written again: `streamed` says that they did.
pub(crate) fn write_reports(
    result: &RunResult,
    wanted: &[Wanted],
    look: &LookArgs,
    streamed: bool,
) -> Result<(), Failure> {
    let to_terminal = terminal::human(look);
    for report in wanted.iter().filter(|report| !(streamed && report.format == Format::Ndjson)) {
        match &report.path {
            None => print(&render(result, report.format, &to_terminal))?,
            Some(path) => {
                let plain = HumanOptions { width: 100, colour: false, ..to_terminal };
                write_file(path, &render(result, report.format, &plain))?;
                if !look.quiet {
                    note(&format!("{} report: {}", report.format, path.display()));
                }
            }
        }
    }
    Ok(())
}

fn render(result: &RunResult, format: Format, options: &HumanOptions) -> String {
    match format {
        Format::Junit => report::junit(result, Some(&now())),
        format => format.render(result, options),
    }
}

/// Under GitHub Actions: annotations in the log, and the step's summary.
pub(crate) fn write_for_github(result: &RunResult, wanted: &[Wanted]) {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("GITHUB_ACTIONS").as_deref() != Some("true") {
        return;
    }
    if wanted.iter().all(|report| report.format != Format::Github) {
        // The runner reads commands on both streams; standard output may hold a document.
        let _ = std::io::stderr().lock().write_all(report::github(result).as_bytes());
    }
    let Some(path) = set("GITHUB_STEP_SUMMARY") else { return };
    let summary = std::fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = summary.and_then(|mut file| file.write_all(report::markdown(result).as_bytes()));
    if let Err(error) = written {
        note(&format!(
            "warning: the step summary could not be written: {path}: {}",
            crate::failure::plain(&error)
        ));
    }
}

/// The time in UTC as `YYYY-MM-DDThh:mm:ss`.
fn now() -> String {
    let seconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    timestamp(seconds)
}

/// Seconds since 1970 as a date and time in UTC (days to civil date: Howard Hinnant, "chrono-compatible low-level date algorithms").
pub(crate) fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn seconds_become_dates() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"),
            (1_709_251_199, "2024-02-29T23:59:59"),
            (1_795_305_600, "2026-11-22T00:00:00"),
        ] {
            assert_eq!(timestamp(seconds), date);
        }
    }
}
