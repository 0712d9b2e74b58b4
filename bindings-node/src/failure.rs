//! Errors with a code, which the wrapper turns into `TooltestError`.

use napi::Error;

/// A result whose error has a kind of the core's as its code.
pub(crate) type Result<T> = std::result::Result<T, Error<String>>;

/// The JavaScript error for an error of the core.
pub(crate) fn raise(error: &tooltest_core::Error) -> Error<String> {
    Error::new(error.kind().to_owned(), error.to_string())
}

/// The JavaScript error for a fault in what the caller handed over.
pub(crate) fn input(message: impl Into<String>) -> Error<String> {
    Error::new("input".to_owned(), message.into())
}

/// The JavaScript error for a fault of tooltest.
pub(crate) fn bug(message: impl Into<String>) -> Error<String> {
    raise(&tooltest_core::Error::Bug(message.into()))
}
