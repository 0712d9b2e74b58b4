//! A failure as a test. The test hands the case to the `tooltest` command, which judges it with the very lint that found it.

use super::comment;
use crate::failure::Failure;
use serde_json::Value;

/// The case as JSON text.
fn document(failure: &Failure) -> String {
    let text = serde_json::to_string_pretty(failure).expect("a failure has only string keys");
    crate::report::printable_json(&text)
}

/// A name for the test: letters, digits and underscores.
fn name(failure: &Failure) -> String {
    let tool = failure.tool.as_deref().unwrap_or("server");
    let plain: String = tool
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    format!("{}_{plain}", failure.lint)
}

/// Text as a raw Rust string whose quotes do not occur in it.
fn raw_rust(text: &str) -> String {
    let longest =
        text.split('"').skip(1).map(|rest| rest.chars().take_while(|c| *c == '#').count()).max();
    let hashes = "#".repeat(longest.unwrap_or(0) + 1);
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A test for pytest.
pub(super) fn pytest(failure: &Failure) -> String {
    // JSON strings are Python strings, so a JSON string of the document is a Python literal of it.
    let literal = Value::from(document(failure)).to_string().replace("\\n", "\\n\"\n    \"");
    format!(
        r#"# {about}
# Written by tooltest; needs `pip install tooltest pytest`.
import os
import subprocess

CASE = (
    {literal}
)


def test_{name}(tmp_path):
    case = tmp_path / "case.json"
    case.write_text(CASE, encoding="utf-8")
    command = [os.environ.get("TOOLTEST", "tooltest"), "replay", str(case), "--failure-dir="]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
"#,
        about = comment(failure),
        name = name(failure),
    )
}

/// A test for Vitest.
pub(super) fn vitest(failure: &Failure) -> String {
    format!(
        r"// {about}
// Written by tooltest; needs `npm install --save-dev tooltest vitest`.
import {{ spawnSync }} from 'node:child_process';
import {{ mkdtempSync, rmSync, writeFileSync }} from 'node:fs';
import {{ tmpdir }} from 'node:os';
import {{ join }} from 'node:path';
import {{ expect, test }} from 'vitest';

const failure = {document};

test('{name}', () => {{
  const folder = mkdtempSync(join(tmpdir(), 'tooltest-'));
  try {{
    const file = join(folder, 'case.json');
    writeFileSync(file, JSON.stringify(failure));
    const command = process.env.TOOLTEST ?? 'tooltest';
    const done = spawnSync(command, ['replay', file, '--failure-dir='], {{ encoding: 'utf8' }});
    expect(done.status, `${{done.stdout}}${{done.stderr}}`).toBe(0);
  }} finally {{
    rmSync(folder, {{ recursive: true }});
  }}
}}, 300_000);
",
        about = comment(failure),
        document = document(failure).replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"),
        name = name(failure),
    )
}

/// A test for Rust.
pub(super) fn rust(failure: &Failure) -> String {
    format!(
        r#"// {about}
// Written by tooltest; needs the `tooltest` command (`cargo install tooltest`).

const CASE: &str = {literal};

#[test]
fn {name}() {{
    let file = std::env::temp_dir().join(format!("{name}-{{}}.json", std::process::id()));
    std::fs::write(&file, CASE).expect("the temporary folder can be written to");
    let command = std::env::var("TOOLTEST").unwrap_or_else(|_| "tooltest".to_owned());
    let done = std::process::Command::new(command).arg("replay").arg(&file).arg("--failure-dir=").output();
    let _ = std::fs::remove_file(&file);
    let done = done.expect("the tooltest command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{{}}{{}}", text(&done.stdout), text(&done.stderr));
}}
"#,
        about = comment(failure),
        literal = raw_rust(&document(failure)),
        name = name(failure),
    )
}
