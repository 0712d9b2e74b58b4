//! What the terminal can do: width and colours.

use crate::args::{Colour, LookArgs};
use std::io::IsTerminal as _;
use tooltest_core::report::{HumanOptions, Verbosity};

/// One of the two outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    /// Whether a person looks at it.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Out => std::io::stdout().is_terminal(),
            Self::Err => std::io::stderr().is_terminal(),
        }
    }

    /// Its width in columns, 80 where nobody knows.
    pub(crate) fn width(self) -> usize {
        let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let size = match self {
            Self::Out => terminal_size::terminal_size_of(std::io::stdout()),
            Self::Err => terminal_size::terminal_size_of(std::io::stderr()),
        };
        let real = size.map(|(width, _)| usize::from(width.0));
        real.or(asked).filter(|width| *width > 0).unwrap_or(80)
    }

    /// Whether it takes colours.
    pub(crate) fn colour(self, look: &LookArgs) -> bool {
        let set = |name: &str| {
            std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
        };
        match look.color {
            Colour::Always => true,
            Colour::Never => false,
            // NO_COLOR counts whatever its value is, but for the empty one (no-color.org).
            Colour::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => {
                false
            }
            Colour::Auto if set("CLICOLOR_FORCE") => true,
            Colour::Auto => {
                self.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// How the terminal report looks on standard output.
pub(crate) fn human(look: &LookArgs) -> HumanOptions {
    let verbosity = match (look.quiet, look.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    };
    HumanOptions { width: Stream::Out.width(), colour: Stream::Out.colour(look), verbosity }
}
