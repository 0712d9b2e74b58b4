//! Files that calls worked with. What is on a disk outlives a session, so their names are values for later sequences, too.

use super::corpus::Entry;
use super::finds::Find;
use super::folders;
use super::links::PathKey;
use super::mind::Mind;
use serde_json::Value;

/// How many names are kept; the latest count.
const KEPT: usize = 10;

/// Keeps the argument of a call that succeeded, where it names a file.
pub(super) fn keep(files: &mut Vec<(PathKey, Value)>, path: PathKey, argument: &Find<'_>) {
    // Most arguments are no text with a full stop in it, and need no closer look.
    let Some(text) = argument.value.as_str().filter(|text| text.contains('.')) else {
        return;
    };
    let name = argument.path.rsplit('/').find(|part| *part != "*").unwrap_or_default();
    let is_file = {
        let last = text.rsplit(['/', '\\']).next().unwrap_or(text);
        last.len() <= 80 && last.trim_matches('.').contains('.')
    };
    let known = files.iter().any(|(_, known)| known == argument.value);
    if !is_file || known || !folders::names_a_path(name) {
        return;
    }
    if files.len() == KEPT {
        files.remove(0);
    }
    files.push((path, argument.value.clone()));
}

impl Mind {
    /// Puts the names of files into the empty corpus of a sequence.
    pub(super) fn lay_out_files(&mut self) {
        for (path, value) in &self.files {
            self.corpus.add(Entry {
                value: value.clone(),
                path: self.links.first(*path),
                from: *path,
                step: None,
                source: crate::case::Source::Argument { pointer: String::new() },
                objects: Vec::new(),
                stale: false,
            });
        }
    }
}
