//! The native half of the Python package `tooltest`. JSON text crosses the boundary in both directions; nothing is decided here.

mod connector;
mod documents;
mod failure;
mod run;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::connector::Outbox;
    #[pymodule_export]
    use super::documents::{
        client_target, common_target, failure_files, merge, read_target, render, render_finding,
        schemas,
    };
    #[pymodule_export]
    use super::run::{Run, end_all, main};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    use super::{Bound, PyModule, PyModuleMethods, PyResult, failure};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("TooltestError", failure::class(module.py())?)
    }
}
