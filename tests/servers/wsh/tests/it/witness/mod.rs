//! Every seeded bug shows with its switch, leaves its mark in the side file, and does not show without.

mod client;
mod expect;
mod run;

use std::path::Path;

use futures_util::StreamExt;
use serde_json::Value;

use client::Target;
use run::shown;

const OPTIONS: [&str; 6] = ["--shell", "echo-shell", "--idle-ms", "150", "--max-wait-ms", "5000"];

fn catalogue() -> Vec<Value> {
    let entries: Value = serde_json::from_str(include_str!("../../../bugs.json")).unwrap();
    entries.as_array().unwrap().clone()
}

/// The eras a witness runs in.
fn eras(entry: &Value) -> Vec<bool> {
    match entry["era"].as_str().unwrap() {
        "legacy" => vec![false],
        "modern" => vec![true],
        "any" => vec![false, true],
        other => panic!("no era: {other}"),
    }
}

/// Runs a witness on a fresh server. None when it is shown, else why not.
async fn run(entry: &Value, modern: bool, switches: &[(&str, &str)]) -> Option<String> {
    let given = entry["env"].as_object().into_iter().flatten();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
    let switches: Vec<(&str, &str)> = switches.iter().copied().chain(given).collect();
    let target = Target::new(entry["transport"] == "http", modern, &OPTIONS, &switches).await;
    shown(entry["witness"].as_array().unwrap(), &target).await
}

/// What is wrong with an entry, if something is.
async fn compare(entry: &Value, modern: bool, side: &Path) -> Option<String> {
    let id = entry["id"].as_str().unwrap();
    let side_file = side.join(format!("{id}-{modern}"));
    let switches = [("TOOLTEST_BUG", id), ("TOOLTEST_TRIGGER_FILE", side_file.to_str().unwrap())];
    if let Some(why) = run(entry, modern, &switches).await {
        return Some(format!("{id} (modern: {modern}) is not shown on the mutant: {why}"));
    }
    let marks = std::fs::read_to_string(&side_file).unwrap_or_default();
    if marks.is_empty() || marks.lines().any(|mark| mark != id) {
        return Some(format!("{id} (modern: {modern}) left these marks: {marks:?}"));
    }
    let clean = run(entry, modern, &[("TOOLTEST_BUG", "")]).await;
    clean.is_none().then(|| format!("{id} (modern: {modern}) is shown on the clean server too"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_bug_is_witnessed() {
    let side = tempfile::tempdir().unwrap();
    let only = std::env::var("WITNESS").ok();
    let entries = catalogue();
    let chosen =
        entries.iter().filter(|entry| only.as_deref().is_none_or(|only| entry["id"] == only));
    let runs = chosen.flat_map(|entry| eras(entry).into_iter().map(move |modern| (entry, modern)));
    let faults = futures_util::stream::iter(runs)
        .map(|(entry, modern)| compare(entry, modern, side.path()))
        .buffer_unordered(4)
        .filter_map(async |fault| fault)
        .collect::<Vec<_>>()
        .await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn entries_are_complete() {
    for entry in catalogue() {
        let fields = [
            "id",
            "depth",
            "lint",
            "tool",
            "concurrency",
            "transport",
            "era",
            "description",
            "witness",
        ];
        assert!(fields.iter().all(|field| entry.get(field).is_some()), "{entry}");
        let steps = entry["witness"].as_array().unwrap();
        let calls: usize =
            steps.iter().map(|step| step["parallel"].as_array().map_or(1, Vec::len)).sum();
        let depth = usize::try_from(entry["depth"].as_u64().unwrap()).unwrap();
        assert!((1..=calls).contains(&depth), "{}: {calls} calls, depth {depth}", entry["id"]);
    }
}

#[test]
fn the_readme_names_every_bug() {
    let readme = include_str!("../../../README.md");
    for entry in catalogue() {
        let named = format!("`{}` {}", entry["id"].as_str().unwrap(), entry["depth"]);
        assert!(readme.contains(&named), "{named}");
    }
}

#[tokio::test]
async fn a_bug_that_does_not_exist_is_refused() {
    let mut command = crate::support::command("mcp", &OPTIONS);
    let output = command
        .env("TOOLTEST_BUG", "nothing")
        .stdin(std::process::Stdio::null())
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("TOOLTEST_BUG=nothing") && told.contains("crash_on_lost_focus"),
        "{told}"
    );
}
