//! The grammar of `_meta` keys (2026-07-28, basic/index#meta; the same since 2025-06-18 but for which prefixes are reserved).

/// What is wrong with a `_meta` key, if something is.
pub fn fault(key: &str) -> Option<String> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if let Some(prefix) = prefix {
        for label in prefix.split('.') {
            if !is_label(label) {
                return Some(format!(
                    "the label {label:?} of its prefix does not start with a letter, end with a letter or digit, and have only \
                     letters, digits and hyphens between"
                ));
            }
        }
    }
    if name.is_empty() {
        return prefix.is_none().then(|| "it is empty".to_owned());
    }
    let edges = [name.chars().next(), name.chars().next_back()];
    if !edges.into_iter().flatten().all(|c| c.is_ascii_alphanumeric()) {
        return Some(format!("its name {name:?} does not begin and end with a letter or digit"));
    }
    let odd =
        name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))?;
    Some(format!("its name {name:?} has the character {odd:?} in it"))
}

/// Whether a key has a prefix whose second label is `modelcontextprotocol` or `mcp`, which is reserved for the protocol.
pub fn is_reserved(key: &str) -> bool {
    let prefix = key.rsplit_once('/').map_or("", |(prefix, _)| prefix);
    matches!(prefix.split('.').nth(1), Some("modelcontextprotocol" | "mcp"))
}

fn is_label(label: &str) -> bool {
    let edges = (label.chars().next(), label.chars().next_back());
    matches!(edges, (Some(first), Some(last)) if first.is_ascii_alphabetic() && last.is_ascii_alphanumeric())
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_the_grammar() {
        for key in
            ["a", "progressToken", "com.example/a_b.c-d", "io.modelcontextprotocol/x", "a/", "x9/1"]
        {
            assert_eq!(fault(key), None, "{key}");
        }
        for key in ["", "_fastmcp", "a b", "a-", "9a.b/c", "a..b/c", "/c", "a-/c", "ключ"] {
            assert!(fault(key).is_some(), "{key}");
        }
    }

    #[test]
    fn the_second_label_decides_what_is_reserved() {
        for key in ["io.modelcontextprotocol/x", "dev.mcp/", "com.mcp.tools/x"] {
            assert!(is_reserved(key), "{key}");
        }
        for key in ["com.example.mcp/x", "mcp/x", "progressToken"] {
            assert!(!is_reserved(key), "{key}");
        }
    }
}
