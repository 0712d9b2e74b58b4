//! Documents: targets as people write them, reports of results, the schemas that the types are generated from.

use crate::failure::{self, Result};
use napi_derive::napi;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tooltest_core::finding::Finding;
use tooltest_core::report::{Format, HumanOptions, Verbosity};
use tooltest_core::{RunResult, TooltestInput};

/// Parses JSON text that our own wrapper wrote.
pub(crate) fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| failure::input(error.to_string()))
}

/// JSON text for our own wrapper.
pub(crate) fn text<T: serde::Serialize>(
    value: &T,
) -> std::result::Result<String, tooltest_core::Error> {
    serde_json::to_string(value).map_err(|error| tooltest_core::Error::Bug(error.to_string()))
}

fn document<T: serde::Serialize>(value: &T) -> Result<String> {
    text(value).map_err(|error| failure::raise(&error))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The target document for a written target (both JSON text).
#[napi]
pub fn read_target(written: String, name: Option<String>) -> Result<String> {
    let written: Value = parse(&written)?;
    match tooltest_core::target::read_target(&written, name.as_deref(), &variable) {
        Ok(target) => document(&target),
        Err(error) => Err(failure::raise(&error)),
    }
}

/// The target document of a server in the text of a client configuration file.
#[napi]
pub fn client_target(text: String, name: Option<String>) -> Result<String> {
    let servers = tooltest_core::target::parse_client_configuration(&text);
    let picked = servers
        .and_then(|servers| tooltest_core::target::pick(&servers, name.as_deref(), &variable));
    match picked {
        Ok(server) => document(&server.target),
        Err(error) => Err(failure::input(error.to_string())),
    }
}

/// The failure files at a path: itself, or those in a folder.
#[napi]
pub fn failure_files(path: String) -> Result<Vec<String>> {
    let files = tooltest_core::failure::files(Path::new(&path));
    let files = files.map_err(|error| failure::raise(&error))?;
    Ok(files.iter().map(|file| file.to_string_lossy().into_owned()).collect())
}

/// The target that failure files agree on, as JSON text.
#[napi]
pub fn common_target(files: Vec<String>) -> Result<String> {
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    match tooltest_core::failure::common_target(&files) {
        Ok(target) => document(&target),
        Err(error) => Err(failure::raise(&error)),
    }
}

/// A result (JSON text) in a report format.
#[napi]
pub fn render(
    result: String,
    format: String,
    width: u32,
    colour: bool,
    verbose: bool,
) -> Result<String> {
    let result: RunResult = parse(&result)?;
    let format: Format =
        format.parse().map_err(|error| failure::input(format!("format: {error}")))?;
    let verbosity = if verbose { Verbosity::Verbose } else { Verbosity::Normal };
    Ok(format.render(&result, &HumanOptions { width: width as usize, colour, verbosity }))
}

/// One finding (JSON text) as the terminal report shows it, without its heading.
#[napi]
pub fn render_finding(finding: String, width: u32, colour: bool) -> Result<String> {
    let finding: Finding = parse(&finding)?;
    let options = HumanOptions { width: width as usize, colour, verbosity: Verbosity::Normal };
    Ok(tooltest_core::report::human_finding(&finding, &options))
}

/// Results of one server (JSON text) as one.
#[napi]
pub fn merge(results: Vec<String>) -> Result<String> {
    let results: Vec<RunResult> =
        results.iter().map(|result| parse(result)).collect::<Result<_>>()?;
    match tooltest_core::report::merge(results) {
        Ok(whole) => document(&whole),
        Err(error) => Err(failure::input(error.to_string())),
    }
}

/// The JSON Schemas of the documents: `input`, `result` and `event`.
#[napi]
pub fn schemas() -> String {
    let read = SchemaSettings::draft2020_12().for_deserialize();
    let write = SchemaSettings::draft2020_12().for_serialize();
    let schemas = json!({
        "input": read.into_generator().into_root_schema_for::<TooltestInput>(),
        "result": write.clone().into_generator().into_root_schema_for::<RunResult>(),
        "event": write.into_generator().into_root_schema_for::<tooltest_core::event::Event>(),
    });
    schemas.to_string()
}

/// The version of tooltest.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
