//! Secrets planted in headers, variables and URLs, which the server under test then spills, are in nothing that is written.

use crate::harness::{Done, Place};
use crate::notes::{Notes, script};
use crate::tools::python;
use std::path::{Path, PathBuf};

const REPORTS: [&str; 9] = [
    "--report=human",
    "--report=json=out/result.json",
    "--report=junit=out/junit.xml",
    "--report=sarif=out/result.sarif",
    "--report=html=out/report.html",
    "--report=markdown=out/report.md",
    "--report=github=out/annotations.txt",
    "--report=ndjson=out/events.ndjson",
    "--update-baseline",
];

const BUDGET: [&str; 8] = [
    "--seed=1",
    "--max-calls=120",
    "--full-trace",
    "--trace-all",
    "--dump-corpus",
    "--verbose",
    "--request-timeout=10",
    "--baseline=out/baseline.json",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Nothing that was written holds a secret, in whatever spelling; what stands in its place shows that the server did spill it.
fn assert_hidden(place: &Place, ran: &Done, secrets: &[&str]) {
    let mut written = vec![
        ("standard output".to_owned(), ran.out.clone()),
        ("standard error".to_owned(), ran.err.clone()),
    ];
    for file in files(place.0.path()) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        written.push((file.display().to_string(), text));
    }
    for (name, text) in &written {
        for secret in secrets {
            assert!(!text.contains(secret), "{name} holds {secret}");
        }
    }
    for name in ["standard output", "result.json", "report.html", "events.ndjson", "junit.xml"] {
        let shown = written.iter().find(|(file, _)| file.ends_with(name)).unwrap();
        assert!(shown.1.contains("[redacted]"), "{name} does not show what the server spilt");
    }
    assert!(written.iter().any(|(file, _)| file.contains("failures/")), "a failure was saved");
}

#[test]
fn on_pipes() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let script = script().display().to_string();
    let token = "NOTES_TOKEN=env-\"planted\"/\\one two";
    let server = ["--env", token, "--", &python, &script, "--leaky", "--buggy"];
    let ran = place.run(&[&["run"][..], &BUDGET, &REPORTS, &server].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The middle of the secret shows in every spelling of the whole.
    assert_hidden(
        &place,
        &ran,
        &["env-\"planted", "planted\\\"/", "env-%22planted", "\\\\one two"],
    );

    let file = files(&place.path(".tooltest"))
        .into_iter()
        .find(|file| file.display().to_string().contains("no_crash"))
        .unwrap();
    let file = file.to_str().unwrap();
    place.run(&["replay", file]).fails(2, &["NOTES_TOKEN", "--env NOTES_TOKEN=…"]);
    let again = place.run(&["replay", file, "--env", token, "--json"]);
    assert_eq!((again.code, &again.json()["replayed"][0]["status"]), (1, &"failing".into()));
}

#[test]
fn over_http() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let notes = Notes::start(&python, &["--leaky", "--buggy"]);
    let url = format!("{}?access_token=url%2Fplanted-two&x=1", notes.url);
    let server = [
        url.as_str(),
        "--header=X-Api-Key: key-planted-three",
        "--header=X-Note: ghp4planted5four6seven",
        "--auth-token=bearer-planted-five",
    ];
    let ran = place.run(&[&["run"][..], &BUDGET, &REPORTS, &server].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let planted = ["url%2Fplanted", "url/planted", "key-planted", "ghp4planted", "bearer-planted"];
    assert_hidden(&place, &ran, &planted);
}

/// A server that ends at once spills its variables on standard error, which the error quotes.
#[test]
fn in_errors() {
    let place = Place::new();
    let secret = "env-planted-six";
    let token = format!("API_TOKEN={secret}");
    let failed = place.run(&["run", "--env", &token, "--", "sh", "-c", "env >&2; exit 3"]);
    failed.fails(3, &["API_TOKEN=[redacted]"]);
    assert!(!failed.err.contains(secret) && !failed.out.contains(secret), "{failed:?}");
}
