//! Making text of servers harmless in each place that a report puts it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character is unseen, moves the cursor, or reorders its neighbours.
const fn is_hidden(c: char) -> bool {
    c.is_ascii_control()
        || matches!(c,
            '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Text for one line: every hidden character, line ends too, becomes a visible escape such as `\u001b`.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    visible(text, false)
}

/// Text of several lines: as [`line`], but line ends stay and tabs become spaces.
pub fn block(text: &str) -> Cow<'_, str> {
    visible(text, true)
}

fn visible(text: &str, keep_lines: bool) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' if keep_lines => out.push('\n'),
            '\r' if keep_lines && rest.peek() == Some(&'\n') => {}
            '\t' if keep_lines => out.push_str("    "),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A JSON document whose strings hold no hidden character: each becomes a JSON escape, so that the document stays the same.
pub fn json(document: &str) -> String {
    let hidden = |c: char| is_hidden(c) && !c.is_ascii_control() || c == '\u{7f}';
    if !document.contains(hidden) {
        return document.to_owned();
    }
    let mut out = String::with_capacity(document.len() + 64);
    for c in document.chars() {
        if hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Text or attribute value of HTML and XML. Hidden characters become visible, so that the result is legal XML 1.0.
pub(super) fn markup(text: &str) -> String {
    let clean = block(text);
    let mut out = String::with_capacity(clean.len() + 16);
    for c in clean.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Inline text of GitHub-flavoured Markdown, safe in table cells, too; backticks that pair up stay as code.
pub(super) fn markdown(text: &str) -> String {
    let clean = line(text);
    let parts: Vec<&str> = clean.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return markdown_plain(&clean);
    }
    let mut out = String::with_capacity(clean.len() + 16);
    for (index, part) in parts.iter().enumerate() {
        match (index % 2, part.is_empty()) {
            (0, _) => out.push_str(&markdown_plain(part)),
            (_, true) => out.push_str("\\`\\`"),
            _ => out.push_str(&markdown_code(part)),
        }
    }
    out
}

fn markdown_plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// A code span of Markdown, safe in table cells, too.
pub(super) fn markdown_code(text: &str) -> String {
    let clean = line(text);
    if clean.trim().is_empty() {
        return "<code></code>".to_owned();
    }
    let mut out = String::from("<code>");
    for c in clean.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Characters that mean something even inside inline markup become references.
            '`' | '*' | '_' | '[' | ']' | '|' | '~' | '\\' | '@' | '#' | '!' | '$' | ':' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push_str("</code>");
    out
}

/// A fenced block of Markdown whose fence is longer than any run of backticks in it.
pub(super) fn markdown_fence(text: &str, language: &str) -> String {
    let clean = block(text);
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", clean.trim_end_matches('\n'))
}

/// The message of a GitHub workflow command. Line ends are kept, encoded.
pub(super) fn command_message(text: &str) -> String {
    block(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property value of a GitHub workflow command.
pub(super) fn command_property(text: &str) -> String {
    let clean = line(text).replace('%', "%25");
    clean.replace(':', "%3A").replace(',', "%2C")
}

/// A URL that a report may link to: `http` or `https`; anything else is text, not a link.
pub(super) fn link(url: &str) -> Option<&str> {
    (url.starts_with("https://") || url.starts_with("http://")).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_escape_sequence_survives() {
        assert_eq!(
            line("a\u{1b}[2J\u{7}\r\n\tb\u{202e}\u{9b}"),
            "a\\u001b[2J\\u0007\\r\\n\\tb\\u202e\\u009b"
        );
        assert_eq!(block("a\r\n\tb\rc\u{1b}"), "a\n    b\\rc\\u001b");
        assert!(matches!(line("plain ünïcödé 日本"), Cow::Borrowed(_)));
    }

    #[test]
    fn markup_is_legal_xml() {
        assert_eq!(
            markup("<a b='\"'>&\u{0}\u{fffe}"),
            "&lt;a b=&#39;&quot;&#39;&gt;&amp;\\u0000\\ufffe"
        );
    }

    #[test]
    fn markdown_keeps_code_and_nothing_else() {
        assert_eq!(markdown("`a|b` *c* <d> @e"), "<code>a&#124;b</code> \\*c\\* &lt;d&gt; &#64;e");
        assert_eq!(markdown("odd ` tick"), "odd \\` tick");
        assert_eq!(markdown("x``y"), "x\\`\\`y");
    }

    #[test]
    fn a_fence_outgrows_its_content() {
        assert_eq!(markdown_fence("a ```` b", ""), "`````\na ```` b\n`````\n");
    }

    #[test]
    fn commands_cannot_be_smuggled() {
        assert_eq!(command_message("a%\r\n::error::b"), "a%25%0A::error::b");
        assert_eq!(command_property("a,b::c\n%"), "a%2Cb%3A%3Ac\\n%25");
    }

    #[test]
    fn only_web_links_are_links() {
        assert_eq!(link("javascript:alert(1)"), None);
        assert_eq!(link("https://x/y"), Some("https://x/y"));
    }
}
