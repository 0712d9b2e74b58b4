//! Command lines as one string: split into words and put together, in the way of a POSIX shell, without running one.

/// A quote or escape that is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the command line ends inside a quote (`{0}`)")]
pub struct UnclosedQuote(pub char);

/// Splits a command line into words: quotes and backslashes work as in a shell, nothing is expanded.
pub fn split_words(line: &str) -> Result<Vec<String>, UnclosedQuote> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' => quoted(&mut rest, word.get_or_insert_default(), '\'')?,
            '"' => quoted(&mut rest, word.get_or_insert_default(), '"')?,
            '\\' => {
                let next = rest.next().ok_or(UnclosedQuote('\\'))?;
                if next != '\n' {
                    word.get_or_insert_default().push(next);
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Copies up to the closing quote; in double quotes a backslash escapes what it does in a shell.
fn quoted(
    rest: &mut std::str::Chars<'_>,
    word: &mut String,
    quote: char,
) -> Result<(), UnclosedQuote> {
    loop {
        match rest.next().ok_or(UnclosedQuote(quote))? {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match rest.next().ok_or(UnclosedQuote(quote))? {
                '\n' => {}
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

/// A word as it must be written in a shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        let cases: [(&str, &[&str]); 6] = [
            ("  npx -y  server ", &["npx", "-y", "server"]),
            ("a 'b c' \"d \\\"e\\n\" f\\ g", &["a", "b c", "d \"e\\n", "f g"]),
            ("x''y '' \"\"", &["xy", "", ""]),
            ("$HOME *", &["$HOME", "*"]),
            ("a \\\n b", &["a", "b"]),
            ("", &[]),
        ];
        for (line, words) in cases {
            assert_eq!(split_words(line).unwrap(), words, "{line}");
        }
        assert_eq!(split_words("a 'b"), Err(UnclosedQuote('\'')));
        assert_eq!(split_words("a\\"), Err(UnclosedQuote('\\')));
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_one_word_again(words in proptest::collection::vec(".*", 0..4)) {
            let line: Vec<String> = words.iter().map(|word| quote(word)).collect();
            prop_assert_eq!(split_words(&line.join(" ")).unwrap(), words);
        }
    }
}
