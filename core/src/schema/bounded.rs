//! Matches of bounded length, from patterns without counted repetitions.

use regex::Regex;

/// What becomes of a group with more characters than wanted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Longer {
    /// It is no match; the search goes on right behind where it began.
    IsNone,
    /// It is cut; the search goes on behind the cut.
    IsCut,
}

/// The first group of every match, at most `most` characters long. A counted repetition in the pattern would do the same, but
/// compiles to a copy of its class for each count, which takes longer than everything else before the first call.
pub(super) fn bounded<'t>(
    pattern: &Regex,
    text: &'t str,
    most: usize,
    longer: Longer,
) -> Vec<&'t str> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(matched) = pattern.captures_at(text, at) {
        let whole = matched.get_match();
        let Some(group) = matched.iter().skip(1).flatten().next() else { break };
        match (group.as_str().char_indices().nth(most), longer) {
            (None, _) => {
                found.push(group.as_str());
                at = whole.end();
            }
            (Some((cut, _)), Longer::IsCut) => {
                found.push(&group.as_str()[..cut]);
                at = group.start() + cut;
            }
            (Some(_), Longer::IsNone) => {
                let first = whole.as_str().chars().next().map_or(1, char::len_utf8);
                at = whole.start() + first;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_groups_are_those_of_counted_repetitions() {
        let (free, counted) = (r#"(?:^|,)"([^"]+)""#, r#"(?:^|,)"([^"]{1,3})""#);
        let (free, counted) = (Regex::new(free).unwrap(), Regex::new(counted).unwrap());
        for text in
            [r#""abc""#, r#""abcd""#, r#""abcd","e","fghi","#, r#"",","#, r#""äöü","äöüß","a"#]
        {
            let wanted: Vec<&str> =
                counted.captures_iter(text).map(|c| c.get(1).unwrap().as_str()).collect();
            assert_eq!(bounded(&free, text, 3, Longer::IsNone), wanted, "{text}");
        }
        let (free, counted) =
            (Regex::new("x:([a-z ]+)").unwrap(), Regex::new("x:([a-z ]{1,3})").unwrap());
        for text in ["x:ab", "x:abcdx:e", "x:ax:b", "x:aaaaaaax:b x:c"] {
            let wanted: Vec<&str> =
                counted.captures_iter(text).map(|c| c.get(1).unwrap().as_str()).collect();
            assert_eq!(bounded(&free, text, 3, Longer::IsCut), wanted, "{text}");
        }
    }
}
