//! JSON with comments and trailing commas, as editors write it.

/// Replaces comments and trailing commas by spaces, so that the rest keeps its place in the document.
pub(super) fn strip(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    // Where the last comma outside of strings is, if only space came after it.
    let mut comma: Option<usize> = None;
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('"', _) => {
                comma = None;
                out.push(c);
                copy_string(&mut rest, &mut out);
            }
            ('/', Some('/')) => {
                out.push(' ');
                while let Some(c) = rest.next_if(|c| *c != '\n') {
                    blank(c, &mut out);
                }
            }
            ('/', Some('*')) => {
                // The star is taken with the slash: `/*/` does not close what it opens.
                rest.next();
                out.push_str("  ");
                let mut last = ' ';
                for c in rest.by_ref() {
                    blank(c, &mut out);
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            (',', _) => {
                comma = Some(out.len());
                out.push(c);
            }
            (']' | '}', _) => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(c);
            }
            _ => {
                if !c.is_whitespace() {
                    comma = None;
                }
                out.push(c);
            }
        }
    }
    out
}

fn copy_string(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    let mut escaped = false;
    for c in rest.by_ref() {
        out.push(c);
        match (escaped, c) {
            (false, '"') => return,
            (false, '\\') => escaped = true,
            _ => escaped = false,
        }
    }
}

fn blank(c: char, out: &mut String) {
    out.push(if c == '\n' { '\n' } else { ' ' });
}

#[cfg(test)]
mod tests {
    use super::strip;
    use serde_json::{Value, json};

    fn read(text: &str) -> Value {
        serde_json::from_str(&strip(text)).unwrap()
    }

    #[test]
    fn comments_and_trailing_commas_go() {
        let text =
            "\u{feff}{ // one\n \"a\": [1, /* , */ 2, ], /**/ \"b\": {\"c\": 1,\n}, /* x **/ }";
        assert_eq!(read(text), json!({"a": [1, 2], "b": {"c": 1}}));
    }

    #[test]
    fn strings_stay_as_they_are() {
        let text = r#"{"url": "http://x/*y*/", "q": "a\"//,]", "c": ",}"}"#;
        assert_eq!(read(text), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_slash_star_slash_opens_only() {
        assert_eq!(read("/*/ 1, /*/ 2 /* 3 */"), json!(2));
    }

    #[test]
    fn unclosed_parts_end_with_the_text() {
        assert_eq!(strip("1 /* x").trim(), "1");
        assert_eq!(strip("\"a\\"), "\"a\\");
    }
}
