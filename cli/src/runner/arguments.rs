//! Which arguments a script gets: names from the list, values that mean the same to every reader, numbers in their range.

use super::error::{Refusal, names, shown};

/// How many arguments a call may have.
pub(crate) const MOST: usize = 64;
/// How many bytes an argument may have.
pub(crate) const LONGEST: usize = 4096;
/// What a value may have besides letters and digits. Nothing in it means anything to a shell.
const SIGNS: &str = "_ . , : / @ % + = -";
/// The longest time-out that an argument may ask for, in whatever unit it has.
const LONGEST_TIMEOUT: u64 = 3_600_000;

/// Checks the arguments against the names allowed; gives them with their numbers in plain digits.
///
/// An argument is a name from the list, or `name=value`; a value may also follow its name as an argument of its own.
pub(crate) fn check(args: &[String], allowed: &[String]) -> Result<Vec<String>, Refusal> {
    if args.len() > MOST {
        return Err(Refusal::bad_arg(format!(
            "{} arguments are too many: at most {MOST} are allowed",
            args.len()
        )));
    }
    let mut checked = Vec::with_capacity(args.len());
    // The name that the next argument may be the value of.
    let mut open: Option<&str> = None;
    for arg in args {
        if arg.len() > LONGEST {
            return Err(Refusal::bad_arg(format!(
                "an argument of {} bytes is too long: at most {LONGEST} are allowed",
                arg.len()
            )));
        }
        let before = open.take();
        if let Some(name) = before.filter(|_| !looks_like_a_name(arg)) {
            checked.push(value(name, arg)?);
            continue;
        }
        before.map_or(Ok(()), complete)?;
        let (name, given) = match arg.split_once('=') {
            Some((name, given)) => (name, Some(given)),
            None => (arg.as_str(), None),
        };
        if !allowed.iter().any(|known| known == name) {
            return Err(not_allowed(name, allowed));
        }
        if let Some(given) = given {
            checked.push(format!("{name}={}", value(name, given)?));
        } else {
            checked.push(name.to_owned());
            open = Some(name);
        }
    }
    open.map_or(Ok(()), complete)?;
    Ok(checked)
}

fn not_allowed(name: &str, allowed: &[String]) -> Refusal {
    let known = names(allowed.iter().map(String::as_str));
    Refusal::bad_arg(format!(
        "the argument {} is not allowed; allowed are: {known}; a value is given as `name=value` or follows its name",
        shown(name)
    ))
}

fn looks_like_a_name(arg: &str) -> bool {
    let is_number = |rest: &str| {
        rest.starts_with(|first: char| first.is_ascii_digit()) && rest.parse::<f64>().is_ok()
    };
    arg.strip_prefix('-').is_some_and(|rest| !is_number(rest))
}

/// A name that needs a number must not stand without one.
fn complete(name: &str) -> Result<(), Refusal> {
    match Numeric::of(name) {
        Some(kind) => Err(kind.fault(name, None)),
        None => Ok(()),
    }
}

/// A value that may be given to `name`.
fn value(name: &str, text: &str) -> Result<String, Refusal> {
    if let Some(kind) = Numeric::of(name) {
        return kind.coerce(name, text);
    }
    if looks_like_a_name(text) {
        return Err(Refusal::bad_arg(format!(
            "the value {} of `{name}` starts with a dash, as the name of an argument does; allowed are values that do not, and negative numbers",
            shown(text)
        )));
    }
    let is_plain =
        |letter: char| letter.is_alphanumeric() || (letter != ' ' && SIGNS.contains(letter));
    match text.chars().find(|letter| !is_plain(*letter)) {
        Some(letter) => Err(Refusal::bad_arg(format!(
            "the value {} of `{name}` has the character {letter:?}; allowed are letters, digits and {SIGNS}",
            shown(text)
        ))),
        None => Ok(text.to_owned()),
    }
}

/// What a numeric argument counts; its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numeric {
    Port,
    Timeout,
}

impl Numeric {
    fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let mut words = name.trim_start_matches('-').rsplit(['-', '_']);
        let last = words.next()?;
        let is_unit = ["ms", "millis", "s", "sec", "secs", "seconds"].contains(&last);
        match if is_unit { words.next()? } else { last } {
            "port" if !is_unit => Some(Self::Port),
            "timeout" => Some(Self::Timeout),
            _ => None,
        }
    }

    const fn most(self) -> u64 {
        match self {
            Self::Port => 65_535,
            Self::Timeout => LONGEST_TIMEOUT,
        }
    }

    /// A whole number in its range, however it is written: ` 080`, `+80` and `80.0` are 80.
    fn coerce(self, name: &str, text: &str) -> Result<String, Refusal> {
        let digits = text.trim();
        let digits = digits.strip_prefix('+').unwrap_or(digits);
        let digits = match digits.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => whole,
            _ => digits,
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse::<u64>() {
            Ok(number) if is_number && (1..=self.most()).contains(&number) => {
                Ok(number.to_string())
            }
            _ => Err(self.fault(name, Some(text))),
        }
    }

    fn fault(self, name: &str, text: Option<&str>) -> Refusal {
        let what = match text {
            Some(text) => format!("the value {} of `{name}` is not allowed", shown(text)),
            None => format!("`{name}` needs a value"),
        };
        let most = self.most();
        Refusal::bad_arg(format!("{what}; allowed are whole numbers from 1 to {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::Code;
    use super::*;

    fn checked(args: &[&str]) -> Result<Vec<String>, Refusal> {
        let allowed = ["--port", "--name", "-v", "--timeout-ms", "test", "--offset"];
        let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        check(&owned(args), &owned(&allowed))
    }

    #[test]
    fn names_on_the_list_pass_with_their_values() {
        for args in [
            &["--name=x", "-v", "test"][..],
            &["--name", "a/b.py:3@x,y=1%"],
            &["--name="],
            &["--name", "größe"],
            &["--offset", "-5", "--offset=-0.5"],
            &[],
        ] {
            assert_eq!(checked(args).unwrap(), args);
        }
    }

    #[test]
    fn numbers_are_written_plainly_and_kept_in_their_range() {
        let args = ["--port=08080", "--port", " +80.0 ", "--timeout-ms", "1"];
        let plain = ["--port=8080", "--port", "80", "--timeout-ms", "1"];
        assert_eq!(checked(&args).unwrap(), plain);
        for bad in ["0", "65536", "-1", "8e1", "80.5", "", "x", "80;ls", "99999999999999999999"] {
            let error = checked(&[&format!("--port={bad}")]).unwrap_err();
            assert!(error.message.contains("from 1 to 65535"), "{bad}: {error}");
        }
        for args in [&["--port"][..], &["--port", "-v"], &["--port", "--port=1"]] {
            assert!(checked(args).unwrap_err().message.contains("needs a value"), "{args:?}");
        }
    }

    #[test]
    fn names_tell_what_is_a_number() {
        for (name, kind) in [
            ("--port", Some(Numeric::Port)),
            ("--HTTP_PORT", Some(Numeric::Port)),
            ("--request-timeout-ms", Some(Numeric::Timeout)),
            ("-timeout_s", Some(Numeric::Timeout)),
            ("--port-file", None),
            ("--report", None),
            ("--port-ms", None),
            ("", None),
        ] {
            assert_eq!(Numeric::of(name), kind, "{name}");
        }
    }

    #[test]
    fn injected_arguments_are_refused_and_the_list_is_told() {
        for args in [
            &["--forbidden"][..],
            &["--name=x --forbidden"],
            &["--name=x", "--forbidden"],
            &["--name", "x", "y"],
            &["--name", "--forbidden"],
            &["--name=--forbidden"],
            &["--name=-rf"],
            &["--name=x;ls"],
            &["--name=x\nls"],
            &["--name=x\0ls"],
            &["--name=$(ls)"],
            &["--name=`ls`"],
            &["--name=x|y"],
            &["--name=x&"],
            &["--name=\u{202e}x"],
            &["--name=*"],
            &["-vx"],
            &["--"],
            &["-"],
            &[""],
            &["free"],
            &["=x"],
            &["--nam=x"],
            &["--NAME=x"],
        ] {
            let error = checked(args).unwrap_err();
            assert_eq!(error.code, Code::BadArg, "{args:?}");
            assert!(error.message.contains("allowed"), "{error}");
            assert!(!error.message.contains(['\n', '\0']), "{error:?}");
        }
        assert!(checked(&["--forbidden"]).unwrap_err().message.contains("`--name`, `-v`"));
        assert!(checked(&["-v"; 65]).is_err());
        assert!(checked(&[&format!("--name={}", "x".repeat(LONGEST))]).is_err());
    }
}
