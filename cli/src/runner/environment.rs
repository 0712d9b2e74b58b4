//! Which variables a script gets: those on the list and no other.

use super::error::{Refusal, names, shown};
use std::collections::BTreeMap;

/// How many bytes a variable's value may have.
const LONGEST: usize = 32 * 1024;

/// Variables with which a program runs code of the caller's choice. A script may inherit them where the list names them; a
/// caller never sets them.
const PROTECTED: [&str; 30] = [
    "PATH",
    "IFS",
    "ENV",
    "BASH_ENV",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONBREAKPOINT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "GCONV_PATH",
    "EDITOR",
    "PAGER",
    "RUSTC_WRAPPER",
    "RUSTC",
    "HOSTALIASES",
];
const PROTECTED_PREFIXES: [&str; 5] = ["LD_", "DYLD_", "BASH_FUNC_", "GIT_", "TSM_"];

/// The environment of a script: for each name on the list the caller's value, else the one that is inherited, if any.
pub(crate) fn build(
    given: &BTreeMap<String, String>,
    allowed: &[String],
    inherited: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Refusal> {
    for (name, value) in given {
        if !allowed.contains(name) {
            let known =
                names(allowed.iter().map(String::as_str).filter(|name| !is_protected(name)));
            return Err(Refusal::policy(format!(
                "the variable {} is not allowed; allowed are: {known}",
                shown(name)
            )));
        }
        if is_protected(name) {
            return Err(Refusal::policy(format!(
                "the variable `{name}` is inherited, so that a caller cannot choose which code runs; allowed is a call without it"
            )));
        }
        if value.len() > LONGEST || value.contains(|letter: char| letter.is_control()) {
            return Err(Refusal::policy(format!(
                "the value of the variable `{name}` is not allowed; allowed are at most {LONGEST} bytes without control characters"
            )));
        }
    }
    let value = |name: &String| given.get(name).or_else(|| inherited.get(name)).cloned();
    Ok(allowed.iter().filter_map(|name| Some((name.clone(), value(name)?))).collect())
}

/// Whether a name can be a variable's, and is not one that belongs to the runner itself.
pub(crate) fn is_name(name: &str) -> bool {
    let mut letters = name.bytes();
    let first = letters.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic());
    first
        && letters.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        && !name.starts_with("TSM_")
}

fn is_protected(name: &str) -> bool {
    PROTECTED.contains(&name) || PROTECTED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::error::Code;
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn built(given: &[(&str, &str)]) -> Result<BTreeMap<String, String>, Refusal> {
        let allowed = ["PATH", "LANG", "MODE", "LD_PRELOAD"].map(str::to_owned);
        build(&map(given), &allowed, &map(&[("PATH", "/bin"), ("LANG", "C"), ("SECRET", "s")]))
    }

    #[test]
    fn the_environment_has_the_list_and_nothing_else() {
        assert_eq!(built(&[]).unwrap(), map(&[("PATH", "/bin"), ("LANG", "C")]));
        let given = built(&[("LANG", "de"), ("MODE", "a b;c")]).unwrap();
        assert_eq!(given, map(&[("PATH", "/bin"), ("LANG", "de"), ("MODE", "a b;c")]));
    }

    #[test]
    fn smuggled_variables_are_refused() {
        for (name, value) in [
            ("SECRET", "x"),
            ("LD_PRELOAD", "/tmp/x.so"),
            ("LD_LIBRARY_PATH", "/tmp"),
            ("PATH", "/tmp"),
            ("MODE", "a\0b"),
            ("MODE", "a\nb"),
            ("mode", "x"),
            ("MODE=x", "y"),
            ("", ""),
        ] {
            let error = built(&[(name, value)]).unwrap_err();
            assert_eq!(error.code, Code::Policy, "{name}");
            assert!(error.message.contains("allowed"), "{error}");
        }
        let told = built(&[("SECRET", "x")]).unwrap_err().message;
        assert!(told.ends_with("allowed are: `LANG`, `MODE`"), "{told}");
    }

    #[test]
    fn names_of_variables_are_plain() {
        for (name, fine) in
            [("A_1", true), ("_", true), ("1A", false), ("A=B", false), ("TSM_TOKEN", false)]
        {
            assert_eq!(is_name(name), fine, "{name}");
        }
    }
}
