//! One fault at several tools: told in full once.

use crate::finding::Finding;

/// A finding that is told in full, with those of other tools that say the same.
pub(super) struct Repeated<'r> {
    /// Its place in the list, from 0.
    pub(super) index: usize,
    /// The first in the list.
    pub(super) first: &'r Finding,
    /// Those of the same lint and code at other tools, with their places.
    pub(super) others: Vec<(usize, &'r Finding)>,
}

/// The findings of a list in its order, those of one lint and code together.
pub(super) fn repeats(list: &[Finding]) -> Vec<Repeated<'_>> {
    let mut all: Vec<Repeated<'_>> = Vec::new();
    for (index, finding) in list.iter().enumerate() {
        let same = |known: &&mut Repeated<'_>| {
            let first = known.first;
            (&first.lint, &first.code) == (&finding.lint, &finding.code)
                && first.tool.is_some()
                && finding.tool.is_some()
        };
        match all.iter_mut().find(same) {
            Some(known) => known.others.push((index, finding)),
            None => all.push(Repeated { index, first: finding, others: Vec::new() }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::RunResult;

    #[test]
    fn the_same_fault_at_other_tools_is_one_group() {
        let result: RunResult =
            serde_json::from_str(include_str!("../../tests/fixtures/failed.json")).unwrap();
        let first = &result.findings[0];
        let at = |tool: Option<&str>, code: &str| Finding {
            tool: tool.map(str::to_owned),
            code: code.to_owned(),
            ..first.clone()
        };
        let list = [
            at(Some("a"), "x"),
            at(Some("b"), "y"),
            at(Some("c"), "x"),
            at(None, "x"),
            at(None, "x"),
        ];
        let groups: Vec<(usize, Vec<usize>)> = repeats(&list)
            .iter()
            .map(|group| (group.index, group.others.iter().map(|(index, _)| *index).collect()))
            .collect();
        assert_eq!(groups, [(0, vec![2]), (1, vec![]), (3, vec![]), (4, vec![])]);
    }
}
