//! What lints about refusals of invalid arguments share.

use crate::lints::Problem;
use crate::record::{Record, ToolRecord};

/// The tools that accepted calls which break one of the keywords, one problem each; `fault` says what such a call has.
pub(super) fn accepted<'a>(
    record: &'a Record,
    keywords: &'a [&str],
    fault: &'a str,
) -> impl Iterator<Item = Problem> + 'a {
    record.tools.iter().filter_map(move |tool| of_tool(tool, keywords, fault))
}

fn of_tool(tool: &ToolRecord, keywords: &[&str], fault: &str) -> Option<Problem> {
    let tried = || {
        let all = tool.invalid_by_keyword.iter();
        all.filter(|(keyword, _)| keywords.contains(&keyword.as_str())).map(|(_, tally)| tally)
    };
    let accepted: u64 = tried().map(|tally| tally.accepted).sum();
    let refused: u64 = tried().map(|tally| tally.refused).sum();
    if accepted == 0 {
        return None;
    }
    let message =
        format!("{accepted} of {} calls succeeded of which each {fault}", accepted + refused);
    let problem = Problem::new("accepted", message).tool(tool.name.clone());
    Some(match tried().find_map(|tally| tally.sample.clone()) {
        Some(sample) => problem.sample(sample),
        None => problem,
    })
}

/// A run that tried a tool with arguments that break a keyword.
#[cfg(test)]
pub(super) fn tried(keyword: &str, accepted: u64, refused: u64) -> crate::lints::scene::Scene {
    use crate::record::InvalidRecord;
    let tally = InvalidRecord { accepted, refused, sample: None };
    let tool = ToolRecord {
        name: "tool".to_owned(),
        invalid_by_keyword: [(keyword.to_owned(), tally)].into(),
        ..ToolRecord::default()
    };
    crate::lints::scene::Scene::new().record(Record { tools: vec![tool], ..Record::default() })
}
