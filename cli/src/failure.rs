//! Why a command ends without doing what it was asked: one message, an exit code, and what to do.

use crate::exit;
use std::fmt;
use tooltest_core::error::Error;
use tooltest_core::session::OpenError;

/// A command's failure.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) code: u8,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do, where the message does not say.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// A mistake in the command line or in a file that it names.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self { code: exit::USAGE, message: message.to_string(), hint: None }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: impl fmt::Display, error: &std::io::Error) -> Self {
        Self::usage(format!("{path}: {}", plain(error)))
    }

    /// Adds what to do.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What the system says, without the error number.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = exit::of_error(&error);
        let hint = match &error {
            Error::Bug(_) => {
                Some("please report it, with the command line and this message".to_owned())
            }
            Error::Input { field, .. } if !field.contains(['/', '.']) => {
                Some(format!("see `tooltest run --help` on --{}", field.replace('_', "-")))
            }
            Error::Config(_) => Some(
                "`tooltest config check FILE` looks at a file without running anything".to_owned(),
            ),
            _ => None,
        };
        let message = match &error {
            Error::Open(OpenError::Cancelled) => {
                "interrupted before the server had answered".to_owned()
            }
            Error::File { path, source } => format!("{path}: {}", plain(source)),
            error => error.to_string(),
        };
        Self { code, message, hint }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clean = tooltest_core::report::printable(&self.message);
        write!(f, "error: {clean}")?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {}", tooltest_core::report::printable(hint))?;
        }
        Ok(())
    }
}

/// What commands return: their exit code.
pub(crate) type CommandResult = Result<u8, Failure>;
