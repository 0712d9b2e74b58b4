//! `TooltestError`: the one exception.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyType;
use tooltest_core::Error;

create_exception!(
    tooltest,
    TooltestError,
    PyException,
    "tooltest itself could not do its work; `kind` says which part. A failing server is a result, never an exception.\n\n\
     Kinds: `input`, `config`, `open` (the server could not be started or reached), `hook`, `file`, `bug`."
);

/// The class, with its default `kind`.
pub(crate) fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let class = py.get_type::<TooltestError>();
    class.setattr("kind", "bug")?;
    Ok(class)
}

/// The exception for an error of the core.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    with_kind(py, error.kind(), error.to_string())
}

/// The exception for a fault in what the caller handed over.
pub(crate) fn input(py: Python<'_>, message: String) -> PyErr {
    with_kind(py, "input", message)
}

fn with_kind(py: Python<'_>, kind: &str, message: String) -> PyErr {
    let error = TooltestError::new_err(message);
    match error.value(py).setattr("kind", kind) {
        Ok(()) => error,
        Err(other) => other,
    }
}
