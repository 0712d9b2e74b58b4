//! Names taken apart into words.

/// The words of a name, lower case and singular: `userIds`, `user_ids` and `UserIDs` are all `user`, `id`.
pub fn key_tokens(name: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (index, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            flush(&mut word, &mut tokens);
            continue;
        }
        if c.is_uppercase() && starts_word(&chars, index) {
            flush(&mut word, &mut tokens);
        }
        word.extend(c.to_lowercase());
    }
    flush(&mut word, &mut tokens);
    tokens
}

/// Whether the capital at `index` starts a word: after a small letter or digit, or before a small letter at the end of an
/// acronym (`IDList`), but not before the plural `s` of one (`IDs`).
fn starts_word(chars: &[char], index: usize) -> bool {
    let before = index.checked_sub(1).map(|index| chars[index]);
    let after = chars.get(index + 1).copied();
    match before {
        Some(before) if before.is_uppercase() => {
            let plural =
                after == Some('s') && chars.get(index + 2).is_none_or(|c| !c.is_lowercase());
            after.is_some_and(char::is_lowercase) && !plural
        }
        Some(before) => before.is_alphanumeric(),
        None => false,
    }
}

fn flush(word: &mut String, tokens: &mut Vec<String>) {
    if !word.is_empty() {
        tokens.push(singular(word));
        word.clear();
    }
}

/// The singular of an English noun, as well as endings tell it.
pub fn singular(word: &str) -> String {
    const UNCHANGED: [&str; 12] = [
        "address", "alias", "analysis", "basis", "bus", "class", "news", "process", "series",
        "status", "this", "https",
    ];
    if word.len() <= 2 || UNCHANGED.contains(&word) {
        return word.to_owned();
    }
    for (ending, replacement) in [
        ("ies", "y"),
        ("sses", "ss"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("uses", "us"),
        ("ves", "ve"),
    ] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 2
        {
            return format!("{stem}{replacement}");
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_styles_have_the_same_tokens() {
        for name in ["userIds", "user_ids", "UserIDs", "user-id", "user.id"] {
            assert_eq!(key_tokens(name), ["user", "id"], "{name}");
        }
        assert_eq!(key_tokens("HTTPServerURL"), ["http", "server", "url"]);
        assert_eq!(key_tokens("entries2"), ["entries2"]);
        assert_eq!(key_tokens(""), Vec::<String>::new());
    }

    #[test]
    fn singulars() {
        for (plural, one) in [
            ("entries", "entry"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("status", "status"),
            ("files", "file"),
            ("addresses", "address"),
            ("ids", "id"),
            ("values", "value"),
            ("is", "is"),
        ] {
            assert_eq!(singular(plural), one);
        }
    }
}
