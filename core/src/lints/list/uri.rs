//! URIs (RFC 3986) and URI templates (RFC 6570), read as their grammars say.

/// What is wrong with a text that should be an absolute URI.
pub(super) enum UriFault {
    /// It has no scheme, or has white space or control characters: no reader can take it for a URI.
    Broken(String),
    /// It has characters that must be percent-encoded; lenient readers take it anyway.
    Unencoded(String),
}

/// What is wrong with `text` as an absolute URI, if something is.
pub(super) fn uri_fault(text: &str) -> Option<UriFault> {
    if text.is_empty() {
        return Some(UriFault::Broken("it is empty".to_owned()));
    }
    if let Some(odd) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Some(UriFault::Broken(format!("it has the character {odd:?} in it")));
    }
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    if !scheme.is_some_and(is_scheme) {
        return Some(UriFault::Broken("it begins with no scheme (a letter, then letters, digits, `+`, `-` or `.`, then `:`), so it is no absolute URI".to_owned()));
    }
    if let Some(odd) = text.chars().find(|c| !is_uri_character(*c)) {
        return Some(UriFault::Unencoded(format!("the character {odd:?} must be percent-encoded")));
    }
    has_bad_escape(text)
        .then(|| UriFault::Unencoded("a `%` is not followed by two hexadecimal digits".to_owned()))
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Unreserved and reserved characters, and `%`.
fn is_uri_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c)
}

fn has_bad_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(|at| bytes[*at] == b'%').any(|at| {
        let digits = bytes.get(at + 1..at + 3);
        !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// What is wrong with a text that should be a URI template.
pub(super) enum TemplateFault {
    /// Its braces or expressions cannot be read.
    Broken(String),
    /// It breaks the grammar in a way that most readers tolerate.
    Lax(String),
}

/// What is wrong with `text` as a URI template, if something is.
pub(super) fn template_fault(text: &str) -> Option<TemplateFault> {
    let mut rest = text;
    let mut lax = None;
    let mut expressions = 0;
    while let Some(at) = rest.find(['{', '}']) {
        if rest.as_bytes()[at] == b'}' {
            return Some(TemplateFault::Broken("a `}` has no `{` before it".to_owned()));
        }
        let Some((expression, after)) = rest[at + 1..].split_once('}') else {
            return Some(TemplateFault::Broken("a `{` is never closed".to_owned()));
        };
        match expression_fault(expression) {
            Some(TemplateFault::Broken(wrong)) => return Some(TemplateFault::Broken(wrong)),
            Some(TemplateFault::Lax(wrong)) => lax = Some(wrong),
            None => {}
        }
        expressions += 1;
        rest = after;
    }
    if expressions == 0 && lax.is_none() {
        lax = Some("it has no variable, so it is a plain URI".to_owned());
    }
    lax.map(TemplateFault::Lax)
}

fn expression_fault(expression: &str) -> Option<TemplateFault> {
    let shown = format!("`{{{expression}}}`");
    if expression.contains('{') {
        return Some(TemplateFault::Broken(format!("{shown} has a brace inside")));
    }
    let variables =
        expression.strip_prefix(['+', '#', '.', '/', ';', '?', '&']).unwrap_or(expression);
    if variables.is_empty() {
        return Some(TemplateFault::Broken(format!("{shown} names no variable")));
    }
    if variables.starts_with(['=', ',', '!', '@', '|']) {
        return Some(TemplateFault::Broken(format!(
            "{shown} begins with an operator that is reserved"
        )));
    }
    variables.split(',').find_map(|variable| variable_fault(variable, &shown))
}

fn variable_fault(variable: &str, shown: &str) -> Option<TemplateFault> {
    let (name, length) = match variable.split_once(':') {
        Some((name, length)) => (name, Some(length)),
        None => (variable.strip_suffix('*').unwrap_or(variable), None),
    };
    let is_length =
        |text: &str| text.parse::<u16>().is_ok_and(|length| (1..10_000).contains(&length));
    if length.is_some_and(|length| !is_length(length)) {
        return Some(TemplateFault::Broken(format!(
            "{shown} has a prefix length that is no number from 1 to 9999"
        )));
    }
    if name.is_empty() {
        return Some(TemplateFault::Broken(format!("{shown} has a variable without a name")));
    }
    let odd =
        name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%')))?;
    Some(TemplateFault::Lax(format!(
        "a variable of {shown} has {odd:?} in its name; RFC 6570 allows letters, digits, `_` and dots"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_told_from_other_texts() {
        for uri in [
            "file:///a/b%20c",
            "memo://x",
            "urn:isbn:0451450523",
            "https://[::1]:80/a?b=c#d",
            "x-y+z.1:",
        ] {
            assert!(uri_fault(uri).is_none(), "{uri}");
        }
        for text in ["", "a", "/a/b", "note://my note", "1x://a", "a b:c", "://x"] {
            assert!(matches!(uri_fault(text), Some(UriFault::Broken(_))), "{text}");
        }
        for text in ["file:///grün", "x://{id}", "x://a%2", "x://a%zz", "x://\"a\""] {
            assert!(matches!(uri_fault(text), Some(UriFault::Unencoded(_))), "{text}");
        }
    }

    #[test]
    fn templates_follow_rfc_6570() {
        for template in
            ["x://{id}", "x://{+path}{?q,r*}", "x://{a.b}/{name:3}", "file:///{/parts*}"]
        {
            assert!(template_fault(template).is_none(), "{template}");
        }
        for template in [
            "x://{",
            "x://}",
            "x://{}",
            "x://{a{b}}",
            "x://{=a}",
            "x://{a:0}",
            "x://{a,,b}",
            "x://{?}",
        ] {
            assert!(
                matches!(template_fault(template), Some(TemplateFault::Broken(_))),
                "{template}"
            );
        }
        for template in ["x://a", "x://{user-id}"] {
            assert!(matches!(template_fault(template), Some(TemplateFault::Lax(_))), "{template}");
        }
    }
}
