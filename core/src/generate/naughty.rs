//! Strings that careless code mishandles.

use std::sync::LazyLock;

/// Tags and strings. None has a NUL; all are valid UTF-8.
static STRINGS: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
    let mut list: Vec<(&'static str, String)> = [
        ("quotes", "it's \"quoted\""),
        ("punctuation", r##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##),
        ("comma and newline", "a,b\nc"),
        ("carriage return", "a\r\nb"),
        ("tab", "a\tb"),
        ("backslash", "a\\b"),
        ("right to left", "\u{202e}abc\u{202c} שלום"),
        ("astral", "😀𝒳"),
        ("combining", "e\u{301}"),
        ("zero width", "a\u{200b}b"),
        ("accents", "naïve café"),
        ("path escape", "../"),
        ("sql", "' OR 1=1 --"),
        ("template", "{{7*7}}"),
        ("format string", "%s%d%n"),
        ("shell", "$(id) `id` ; |"),
        ("html", "<b onclick=1>&amp;</b>"),
        ("space", " "),
        ("spaces around", "  a  "),
        ("number as text", "007"),
        ("null as text", "null"),
        ("true as text", "true"),
        ("json as text", "{\"a\":[1]}"),
        ("dot", "."),
        ("dash first", "-rf"),
        ("control", "\u{7}\u{1b}[31m"),
        ("replacement", "\u{fffd}"),
        ("prototype", "__proto__"),
    ]
    .into_iter()
    .map(|(tag, text)| (tag, text.to_owned()))
    .collect();
    list.push(("10 kB", "a".repeat(10_000)));
    list
});

/// All of them.
pub(super) fn all() -> &'static [(&'static str, String)] {
    &STRINGS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_has_a_nul_and_tags_are_unique() {
        let mut tags: Vec<&str> = all().iter().map(|(tag, _)| *tag).collect();
        assert!(all().iter().all(|(_, text)| !text.contains('\0')));
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), all().len());
    }
}
