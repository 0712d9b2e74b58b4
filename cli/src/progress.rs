//! Progress on standard error: one line that changes on a terminal, plain lines elsewhere.

use crate::args::LookArgs;
use crate::output::note;
use crate::terminal::Stream;
use std::io::Write as _;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tooltest_core::event::Event;
use tooltest_core::finding::Finding;
use tooltest_core::lints::Level;
use tooltest_core::report::{phase_name, printable};
use tooltest_core::session::CancelToken;

/// How often the line is drawn anew.
const FRAME: Duration = Duration::from_millis(120);
/// Columns of a line about a value.
const CORPUS_LINE: usize = 160;

/// What is known of the run so far.
#[derive(Debug, Default)]
struct State {
    phase: String,
    doing: String,
    calls: u64,
    max_calls: u64,
    time_limit: f64,
    errors: usize,
    warnings: usize,
    /// Findings to be told above the line.
    news: Vec<String>,
    stopping: bool,
    done: bool,
}

/// A progress display. Nothing is shown before the first event or after [`Progress::finish`].
pub(crate) struct Progress {
    shared: Arc<Shared>,
    drawer: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    style: Style,
    /// Set when the user asked for an end.
    cancel: CancelToken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Silent,
    Lines,
    Bar { colour: bool },
}

impl Progress {
    /// A display that suits standard error.
    pub(crate) fn start(look: &LookArgs, cancel: CancelToken) -> Self {
        let style = match (look.quiet, Stream::Err.is_terminal()) {
            (true, _) => Style::Silent,
            (false, true) => Style::Bar { colour: Stream::Err.colour(look) },
            (false, false) => Style::Lines,
        };
        let shared =
            Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), style, cancel });
        let drawer = match style {
            Style::Bar { colour } => {
                let shared = Arc::clone(&shared);
                std::thread::Builder::new()
                    .name("progress".to_owned())
                    .spawn(move || draw(&shared, colour))
                    .ok()
            }
            _ => None,
        };
        Self { shared, drawer }
    }

    /// What takes the events in.
    pub(crate) fn observer(&self) -> impl Fn(&Event) + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |event| shared.take(event)
    }

    /// Clears the line.
    pub(crate) fn finish(mut self) {
        self.shared.lock().done = true;
        self.shared.changed.notify_all();
        if let Some(drawer) = self.drawer.take() {
            let _ = drawer.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, event: &Event) {
        if self.style == Style::Silent {
            return;
        }
        let mut state = self.lock();
        let line = state.take(event);
        if self.style == Style::Lines && self.cancel.is_cancelled() && !state.stopping {
            note("stopping; press Ctrl-C again to end at once");
        }
        state.stopping = self.cancel.is_cancelled();
        match (self.style, line) {
            (Style::Lines, Some(line)) => note(&line),
            (Style::Bar { .. }, Some(line))
                if matches!(event, Event::FindingShrunk { .. } | Event::CorpusGrew { .. }) =>
            {
                state.news.push(line);
            }
            _ => {}
        }
        drop(state);
        self.changed.notify_all();
    }
}

impl State {
    /// Takes an event in; returns what a display of plain lines says about it.
    fn take(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::RunStarted { target, max_calls, time_limit, .. } => {
                (self.max_calls, self.time_limit) = (*max_calls, *time_limit);
                "starting".clone_into(&mut self.phase);
                Some(format!("testing {}", printable(target).replace('\n', " ")))
            }
            Event::ServerReady { name, version, revision, tools, .. } => {
                let plural = if *tools == 1 { "" } else { "s" };
                Some(format!(
                    "connected to {} {}, MCP {revision}, {tools} tool{plural}",
                    printable(name).replace('\n', " "),
                    printable(version).replace('\n', " ")
                ))
            }
            Event::PhaseStarted { phase } => {
                phase_name(*phase).clone_into(&mut self.phase);
                self.doing.clear();
                None
            }
            Event::PhaseFinished { phase, calls, skipped: None } if *calls > 0 => {
                let plural = if *calls == 1 { "" } else { "s" };
                Some(format!(
                    "{}: {calls} call{plural}, {} so far",
                    phase_name(*phase),
                    self.tally()
                ))
            }
            Event::Progress { phase, calls, doing, .. } => {
                phase_name(*phase).clone_into(&mut self.phase);
                self.calls = *calls;
                self.doing.clone_from(doing);
                None
            }
            // What is found first may still turn out not to come again; only what was confirmed is told.
            Event::FindingShrunk { finding } => {
                match finding.level {
                    Level::Error => self.errors += 1,
                    _ => self.warnings += 1,
                }
                Some(headline(finding))
            }
            Event::CorpusGrew { tool, key, value } => {
                let line = format!("corpus: {tool} {key} = {value}");
                Some(cut(&printable(&line).replace('\n', " "), CORPUS_LINE))
            }
            _ => None,
        }
    }

    fn tally(&self) -> String {
        let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
        format!("{}, {}", plural(self.errors, "error"), plural(self.warnings, "warning"))
    }

    /// The changing line, at most `width` columns of plain text.
    fn line(&self, elapsed: Duration, width: usize) -> String {
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = self.calls as f64 / elapsed.as_secs_f64().max(0.1);
        let stopping = if self.stopping { "stopping, " } else { "" };
        let seconds = elapsed.as_secs();
        let left = format!(
            " {}/{} calls {rate:.0}/s  {seconds}/{:.0} s  {}",
            self.calls,
            self.max_calls,
            self.time_limit,
            self.tally()
        );
        let doing = if self.doing.is_empty() {
            String::new()
        } else {
            format!(": {}", printable(&self.doing).replace('\n', " "))
        };
        let right = format!("  {stopping}{}{doing}", self.phase);
        let bar_width = width.saturating_sub(left.len() + right.chars().count() + 2).clamp(0, 24);
        let bar = if bar_width < 6 { String::new() } else { self.bar(elapsed, bar_width) };
        format!("{bar}{left}{right}").chars().take(width.saturating_sub(1)).collect()
    }

    /// How far the run is: the larger share of the two budgets.
    fn bar(&self, elapsed: Duration, width: usize) -> String {
        #[expect(clippy::cast_precision_loss, reason = "a share, for a bar")]
        let calls = self.calls as f64 / (self.max_calls.max(1)) as f64;
        let time = elapsed.as_secs_f64() / self.time_limit.max(0.001);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "between 0 and the bar's width"
        )]
        let full = (calls.max(time).clamp(0.0, 1.0) * width as f64).round() as usize;
        format!("{}{}", "━".repeat(full), "─".repeat(width.saturating_sub(full)))
    }
}

/// A finding in one line.
fn headline(finding: &Finding) -> String {
    let word = match finding.level {
        Level::Error => "error",
        _ => "warning",
    };
    let tool = finding.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let text = format!("{word}: {}{tool}: {}", finding.lint, finding.message);
    printable(&text).replace('\n', " ")
}

/// Text of at most `width` characters, with an ellipsis where something was cut.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Draws the line until the run is done.
fn draw(shared: &Shared, colour: bool) {
    let started = Instant::now();
    let mut state = shared.lock();
    let mut drawn = false;
    while !state.done {
        if !state.phase.is_empty() {
            let width = Stream::Err.width();
            state.stopping = shared.cancel.is_cancelled();
            let line = state.line(started.elapsed(), width);
            let news: String = state
                .news
                .drain(..)
                .map(|news| cut(&news, width.saturating_sub(1)) + "\n")
                .collect();
            let line = if colour { format!("\u{1b}[36m{line}\u{1b}[0m") } else { line };
            // Back to the line's start and clear it; news scroll up above it.
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[2K{news}{line}");
            let _ = std::io::stderr().flush();
            drawn = true;
        }
        state = match shared.changed.wait_timeout_while(state, FRAME, |state| !state.done) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        };
    }
    if drawn {
        let _ = write!(std::io::stderr().lock(), "\r\u{1b}[2K");
        let _ = std::io::stderr().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_and_tells_what_matters() {
        let state = State {
            phase: "stateful".into(),
            doing: "shrinking get_task".into(),
            calls: 500,
            max_calls: 1000,
            time_limit: 60.0,
            errors: 1,
            ..State::default()
        };
        for width in [40, 80, 120] {
            let line = state.line(Duration::from_secs(10), width);
            assert!(line.chars().count() < width, "{width}: {line}");
            assert!(line.contains("500/1000 calls 50/s"), "{line}");
        }
        assert!(state.line(Duration::from_secs(10), 120).contains("━━━━━━━━━━━━────────────"));
        assert_eq!([cut("short", 5), cut("longer", 5)], ["short", "long…"]);
    }
}
