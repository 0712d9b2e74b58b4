//! Globs over names: `*` stands for any run of characters, `?` for one; everything else for itself.

/// Whether `name` as a whole fits `pattern`. Case counts.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where the last `*` was, and up to where it has swallowed the name.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, swallowed)) => {
                    star = Some((at, swallowed + 1));
                    p = at + 1;
                    n = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Whether a name is let through by an allowlist (empty: all) and a blocklist of names or globs.
pub fn selects(allowlist: &[String], blocklist: &[String], name: &str) -> bool {
    let listed = |list: &[String]| list.iter().any(|pattern| matches(pattern, name));
    (allowlist.is_empty() || listed(allowlist)) && !listed(blocklist)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        for (pattern, name) in [
            ("read", "read"),
            ("*", ""),
            ("read_*", "read_file"),
            ("*_file", "read_my_file"),
            ("a*b*c", "a_b_b_c"),
            ("r??d", "read"),
            ("é?", "éa"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("read", "reads"), ("read_*", "Read_x"), ("a*c", "abcd"), ("?", ""), ("", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn the_blocklist_wins() {
        let list = |patterns: &[&str]| patterns.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(selects(&[], &[], "x"));
        assert!(selects(&list(&["read_*"]), &[], "read_a"));
        assert!(!selects(&list(&["read_*"]), &[], "write_a"));
        assert!(!selects(&list(&["*"]), &list(&["write_?"]), "write_a"));
    }
}
