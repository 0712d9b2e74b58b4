//! Folders that the server spoke of, and names in them: a server that works on files mostly takes paths below a folder of its own.

use crate::exchange::Exchange;
use crate::schema::Parameter;
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// How many folders are kept; the latest count.
const KEPT: usize = 6;
/// Only this much of a text is read, in bytes.
const READ: usize = 4_096;
/// Parts of paths that belong to programs, not to what they work on.
const FOREIGN: &[&str] = &[
    "node_modules",
    "site-packages",
    "dist-packages",
    "/usr/",
    "/proc/",
    "/dev/",
    "/lib",
    "/etc/",
    "/bin/",
];
/// Words of names of parameters that hold paths.
const NAMES: &[&str] = &[
    "path",
    "file",
    "filename",
    "filepath",
    "dir",
    "directory",
    "folder",
    "source",
    "destination",
    "target",
];

static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s"'`(\[:,=])((?:/[\w.@+-]+)+)"#).expect("built-in patterns are valid")
});

/// The folders that were spoken of.
#[derive(Debug, Default)]
pub struct Folders {
    /// Absolute paths, the latest last.
    known: Vec<String>,
}

impl Folders {
    /// Takes the folders that a successful answer names; a refusal names those that cannot be used, too.
    pub fn learn(&mut self, exchange: &Exchange) {
        for text in texts(exchange) {
            let mut end = text.len().min(READ);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            for found in PATH.captures_iter(&text[..end]) {
                self.keep(found.get(1).map_or("", |path| path.as_str()));
            }
        }
    }

    fn keep(&mut self, path: &str) {
        let whole = format!("{path}/");
        if FOREIGN.iter().any(|part| whole.contains(part)) {
            return;
        }
        let path = path.trim_end_matches('.');
        let (parent, last) = path.rsplit_once('/').unwrap_or_default();
        let is_file = last.trim_start_matches('.').contains('.');
        let folder = if is_file { parent } else { path };
        if folder.is_empty() || self.known.iter().any(|known| known == folder) {
            return;
        }
        if self.known.len() == KEPT {
            self.known.remove(0);
        }
        self.known.push(folder.to_owned());
    }

    /// Whether there is a folder for a parameter that holds a path.
    pub fn serve(&self, parameter: &Parameter) -> bool {
        !self.known.is_empty() && is_path(parameter)
    }

    /// A folder that stands where a file may be meant, with the name of a file in it.
    pub fn file_in(&self, value: &Value, parameter: &Parameter) -> Option<Value> {
        let folder = value.as_str().filter(|text| self.known.iter().any(|known| known == text))?;
        let name = parameter
            .hints
            .iter()
            .filter_map(Value::as_str)
            .find(|hint| hint.contains('.') && !hint.contains('/'));
        is_path(parameter).then(|| Value::from(format!("{folder}/{}", name.unwrap_or("test.txt"))))
    }

    /// A value that stands for a path, put below the folder that `at` (any number) picks.
    pub fn place(&self, value: &Value, at: usize) -> Option<Value> {
        let folder = self.known.get(at % self.known.len().max(1))?;
        let name = value.as_str()?.rsplit(['/', '\\']).next()?;
        Some(Value::from(match name {
            "" | "." | ".." => folder.clone(),
            name => format!("{folder}/{name}"),
        }))
    }
}

/// Whether a parameter's name says that it holds a path.
pub(crate) fn is_path(parameter: &Parameter) -> bool {
    parameter.tokens.iter().any(|word| NAMES.contains(&word.as_str()))
}

/// The same of the name of a member.
pub(super) fn names_a_path(name: &str) -> bool {
    crate::schema::key_tokens(name).iter().any(|word| NAMES.contains(&word.as_str()))
}

fn texts(exchange: &Exchange) -> impl Iterator<Item = &str> {
    let blocks =
        exchange.result().and_then(|result| result.get("content")).and_then(Value::as_array);
    blocks.into_iter().flatten().take(4).filter_map(|block| block.get("text")?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folders(paths: &[&str]) -> Folders {
        let mut folders = Folders::default();
        for text in paths {
            for found in PATH.captures_iter(text) {
                folders.keep(&found[1]);
            }
        }
        folders
    }

    #[test]
    fn folders_are_told_from_files_addresses_and_programs() {
        let found = folders(&[
            "Allowed directories:\n/srv/data/files",
            "wrote /srv/data/notes/a.txt.",
            "see https://example.com/a/b",
            "at /app/node_modules/x/index.js and /usr/bin/env",
            "and/or, 1/2",
        ]);
        assert_eq!(found.known, ["/srv/data/files", "/srv/data/notes"]);
    }

    #[test]
    fn names_are_put_below_a_folder() {
        let found = folders(&["/srv/files"]);
        assert_eq!(found.place(&json!("test.txt"), 7), Some(json!("/srv/files/test.txt")));
        assert_eq!(found.place(&json!("/tmp/test.txt"), 0), Some(json!("/srv/files/test.txt")));
        assert_eq!(found.place(&json!("."), 0), Some(json!("/srv/files")));
        assert_eq!(Folders::default().place(&json!("."), 0), None);
    }
}
