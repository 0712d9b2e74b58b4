//! `${VAR}` in client configuration files.

use std::fmt::Write as _;

/// A variable that is not set and has no default.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the variable `{name}` is not set; set it, or write ${{{name}:-default}}")]
pub struct ExpandError {
    /// The variable.
    pub name: String,
}

/// Replaces `${VAR}`, `${env:VAR}` (as VS Code writes it) and `${VAR:-default}` by what `lookup` knows.
///
/// Other uses of `$` stay. `${workspaceFolder}` and `${userHome}` are asked for under these names.
pub fn expand(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, ExpandError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, after) = rest.split_at(start);
        out.push_str(before);
        let Some(end) = after.find('}') else {
            rest = after;
            break;
        };
        let inner = &after[2..end];
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        if is_name(name) {
            let value = lookup(name).or_else(|| default.map(str::to_owned));
            out.push_str(&value.ok_or_else(|| ExpandError { name: name.to_owned() })?);
        } else {
            let _ = write!(out, "${{{inner}}}");
        }
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> Option<String> {
        (name == "KEY").then(|| "s${KEY}".to_owned())
    }

    #[test]
    fn variables_are_replaced_once() {
        for (text, expected) in [
            ("a ${KEY} ${env:KEY}", "a s${KEY} s${KEY}"),
            ("${NONE:-x:y}${KEY:-no}", "x:ys${KEY}"),
            ("$KEY ${} ${a b} ${input:token} ${KEY", "$KEY ${} ${a b} ${input:token} ${KEY"),
        ] {
            assert_eq!(expand(text, &known).unwrap(), expected);
        }
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let error = expand("x ${NONE}", &known).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the variable `NONE` is not set; set it, or write ${NONE:-default}"
        );
    }
}
