//! Every lint's examples: servers that it flags and servers that it leaves alone.

use super::scene::Scene;
use super::{Entry, entries};

/// A lint with servers that it flags and servers that it leaves alone.
pub(crate) struct Examples {
    entry: &'static Entry,
    flagged: Vec<(Scene, &'static str)>,
    passed: Vec<Scene>,
}

impl Examples {
    /// No examples yet of the lint with that entry.
    pub(crate) fn of(entry: &'static Entry) -> Self {
        Self { entry, flagged: Vec::new(), passed: Vec::new() }
    }

    /// Adds a server that the lint flags with exactly one problem, whose message has `words` in it.
    pub(crate) fn flags(mut self, words: &'static str, scene: Scene) -> Self {
        self.flagged.push((scene, words));
        self
    }

    /// Adds a server that the lint leaves alone.
    pub(crate) fn passes(mut self, scene: Scene) -> Self {
        self.passed.push(scene);
        self
    }
}

fn all() -> impl Iterator<Item = Examples> {
    [
        super::list::EXAMPLES,
        super::session::EXAMPLES,
        super::transport::EXAMPLES,
        super::response::EXAMPLES,
        super::stateful::EXAMPLES,
        super::run::EXAMPLES,
    ]
    .into_iter()
    .flatten()
    .map(|examples| examples())
}

#[test]
fn every_lint_has_a_server_that_it_flags_and_one_that_it_does_not() {
    let examples: Vec<Examples> = all().collect();
    for entry in entries() {
        let own = examples.iter().find(|examples| std::ptr::eq(examples.entry, entry));
        let own = own.unwrap_or_else(|| panic!("{}: no examples", entry.meta.id));
        assert!(!own.flagged.is_empty(), "{}: no server that it flags", entry.meta.id);
        assert!(!own.passed.is_empty(), "{}: no server that it leaves alone", entry.meta.id);
    }
}

#[test]
fn lints_flag_what_they_should() {
    for examples in all() {
        let meta = examples.entry.meta;
        for (index, (scene, words)) in examples.flagged.iter().enumerate() {
            let of = format!("{}: flagged example {index}", meta.id);
            assert!(meta.applies_to(scene.revision), "{of}: does not hold for {}", scene.revision);
            let messages: Vec<String> =
                scene.judge(examples.entry).into_iter().map(|problem| problem.message).collect();
            assert_eq!(messages.len(), 1, "{of}: {messages:#?}");
            assert!(messages[0].contains(words), "{of}: no {words:?} in {:?}", messages[0]);
        }
    }
}

#[test]
fn lints_leave_alone_what_is_right() {
    for examples in all() {
        for (index, scene) in examples.passed.iter().enumerate() {
            let of = format!("{}: passed example {index}", examples.entry.meta.id);
            let problems = scene.judge(examples.entry);
            assert!(problems.is_empty(), "{of}: {problems:#?}");
        }
    }
}
