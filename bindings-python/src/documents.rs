//! Documents: targets as people write them, reports of results, the schemas that Python's types are generated from.

use crate::failure;
use pyo3::prelude::*;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::path::PathBuf;
use tooltest_core::finding::Finding;
use tooltest_core::report::{Format, HumanOptions, Verbosity};
use tooltest_core::{RunResult, TooltestInput};

/// Parses JSON text that our own wrapper wrote.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| failure::input(py, error.to_string()))
}

/// JSON text for our own wrapper.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> Result<String, tooltest_core::Error> {
    serde_json::to_string(value).map_err(|error| tooltest_core::Error::Bug(error.to_string()))
}

/// The target document for a written target (both JSON text).
#[pyfunction]
#[pyo3(signature = (written, name = None))]
pub(crate) fn read_target(py: Python<'_>, written: &str, name: Option<&str>) -> PyResult<String> {
    let written: Value = parse(py, written)?;
    let lookup = |variable: &str| std::env::var(variable).ok();
    match tooltest_core::target::read_target(&written, name, &lookup) {
        Ok(target) => document(py, &target),
        Err(error) => Err(failure::raise(py, &error)),
    }
}

/// The target document of a server in the text of a client configuration file.
#[pyfunction]
#[pyo3(signature = (text, name = None))]
pub(crate) fn client_target(py: Python<'_>, text: &str, name: Option<&str>) -> PyResult<String> {
    let lookup = |variable: &str| std::env::var(variable).ok();
    let servers = tooltest_core::target::parse_client_configuration(text);
    let picked = servers.and_then(|servers| tooltest_core::target::pick(&servers, name, &lookup));
    match picked {
        Ok(server) => document(py, &server.target),
        Err(error) => Err(failure::input(py, error.to_string())),
    }
}

fn document<T: serde::Serialize>(py: Python<'_>, value: &T) -> PyResult<String> {
    text(value).map_err(|error| failure::raise(py, &error))
}

/// The failure files at a path: itself, or those in a folder.
#[pyfunction]
pub(crate) fn failure_files(py: Python<'_>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
    tooltest_core::failure::files(&path).map_err(|error| failure::raise(py, &error))
}

/// The target that failure files agree on, as JSON text.
#[pyfunction]
pub(crate) fn common_target(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<String> {
    match tooltest_core::failure::common_target(&files) {
        Ok(target) => document(py, &target),
        Err(error) => Err(failure::raise(py, &error)),
    }
}

/// A result (JSON text) in a report format.
#[pyfunction]
#[pyo3(signature = (result, format, width = 100, colour = false, verbose = false))]
pub(crate) fn render(
    py: Python<'_>,
    result: &str,
    format: &str,
    width: usize,
    colour: bool,
    verbose: bool,
) -> PyResult<String> {
    let result: RunResult = parse(py, result)?;
    let format: Format =
        format.parse().map_err(|error| failure::input(py, format!("format: {error}")))?;
    let verbosity = if verbose { Verbosity::Verbose } else { Verbosity::Normal };
    Ok(format.render(&result, &HumanOptions { width, colour, verbosity }))
}

/// One finding (JSON text) as the terminal report shows it, without its heading.
#[pyfunction]
#[pyo3(signature = (finding, width = 100, colour = false))]
pub(crate) fn render_finding(
    py: Python<'_>,
    finding: &str,
    width: usize,
    colour: bool,
) -> PyResult<String> {
    let finding: Finding = parse(py, finding)?;
    let options = HumanOptions { width, colour, verbosity: Verbosity::Normal };
    Ok(tooltest_core::report::human_finding(&finding, &options))
}

/// Results of one server (JSON text) as one.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, results: Vec<String>) -> PyResult<String> {
    let results: Vec<RunResult> =
        results.iter().map(|result| parse(py, result)).collect::<PyResult<_>>()?;
    match tooltest_core::report::merge(results) {
        Ok(whole) => document(py, &whole),
        Err(error) => Err(failure::input(py, error.to_string())),
    }
}

/// The JSON Schemas of the documents: `input`, `result` and `event`.
#[pyfunction]
pub(crate) fn schemas() -> String {
    let read = SchemaSettings::draft2020_12().for_deserialize();
    let write = SchemaSettings::draft2020_12().for_serialize();
    let schemas = json!({
        "input": read.into_generator().into_root_schema_for::<TooltestInput>(),
        "result": write.clone().into_generator().into_root_schema_for::<RunResult>(),
        "event": write.into_generator().into_root_schema_for::<tooltest_core::event::Event>(),
    });
    schemas.to_string()
}
