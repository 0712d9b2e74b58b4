//! Generated files are committed and fresh. `UPDATE=1 cargo test -p tooltest-tests --test generated` rewrites them.

use std::path::{Path, PathBuf};
use tooltest_core::{config, lints};

/// Every generated file: its path from the root of the repository, and what belongs in it.
fn files() -> Vec<(&'static str, String)> {
    vec![
        ("tooltest.toml", config::default_toml()),
        ("tooltest.schema.json", pretty(&config::json_schema())),
        ("docs/lints.md", lints::markdown()),
    ]
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

#[test]
fn generated_files_are_fresh() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let update = std::env::var_os("UPDATE").is_some();
    let mut stale = Vec::new();
    for (name, fresh) in files() {
        let path = root.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|committed| committed == fresh) {
            continue;
        }
        if update {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
            std::fs::write(&path, fresh).expect("can be written");
        } else {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "{stale:?} are stale; run `UPDATE=1 cargo test -p tooltest-tests --test generated`"
    );
}
