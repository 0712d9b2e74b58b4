//! "Did you mean": the known name that a mistyped one is closest to.

/// The candidate that is close enough to `word` to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = word.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&typed, name), name))
        .filter(|(score, _)| *score >= 0.82)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// `did you mean …?`, if some candidate is close enough.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, candidates).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_recognised_and_a_stranger_is_not() {
        let names = ["max_tools", "no_crash", "coverage"];
        assert_eq!(nearest("max_tool", names), Some("max_tools"));
        assert_eq!(nearest("no-crash", names), Some("no_crash"));
        assert_eq!(nearest("Covrage", names), Some("coverage"));
        assert_eq!(nearest("telemetry", names), None);
    }
}
