//! Messages that only a language's runtime writes when a program is wrong: an exception that its author did not foresee.

use regex::Regex;
use std::sync::LazyLock;

/// The messages, by language. Each is one that no author would write for a caller to read; what authors do pass on on purpose
/// (a key error that names a missing record, a division by zero in a calculator, a parser's complaint) is left out.
const PATTERNS: &[(&str, &str)] = &[
    (
        "Python",
        r"'?NoneType'? object (?:has no attribute|is not (?:subscriptable|iterable|callable|a mapping)|does not support|cannot be)",
    ),
    (
        "Python",
        r"'(?:str|int|float|list|dict|tuple|bool|set|bytes|function|coroutine)' object (?:has no attribute|is not (?:subscriptable|iterable|callable|a mapping)|does not support|cannot be interpreted)",
    ),
    (
        "Python",
        r"(?:list|tuple|string|range object|pop) (?:assignment )?index out of range|pop from (?:an )?empty (?:list|deque|set)",
    ),
    (
        "Python",
        r"unsupported operand type\(s\) for|not supported between instances of '|bad operand type for",
    ),
    (
        "Python",
        r"\w+\(\) (?:got an unexpected keyword argument|got multiple values for|missing \d+ required (?:positional|keyword-only)|takes (?:from )?\d+ (?:to \d+ )?positional arguments? but)",
    ),
    (
        "Python",
        r"cannot access (?:local|free) variable '|referenced before assignment|local variable '\w+' referenced",
    ),
    (
        "Python",
        r"Object of type \w+ is not JSON serializable|Out of range float values are not JSON compliant",
    ),
    ("Python", r"maximum recursion depth exceeded|dictionary changed size during iteration"),
    (
        "Python",
        r"can only concatenate (?:str|list|tuple)|(?:string|list|tuple) indices must be integers|expected str, bytes or os\.PathLike object, not",
    ),
    (
        "Python",
        r"'(?:utf-8|ascii|latin-1|charmap|utf8)' codec can't (?:en|de)code|can't (?:compare|subtract) offset-naive and offset-aware",
    ),
    (
        "Python",
        r"unhashable type: '|unorderable types|too many values to unpack|not enough values to unpack|embedded null (?:byte|character)",
    ),
    (
        "Python",
        r"Python int too large to convert|cannot convert float (?:infinity|NaN) to integer|Exceeds the limit \(\d+(?: digits)?\) for integer string conversion",
    ),
    (
        "JavaScript",
        r"Cannot (?:read|set) propert(?:y|ies) (?:of (?:undefined|null)|'[^']*' of (?:undefined|null))|(?:undefined|null) is not an object",
    ),
    (
        "JavaScript",
        r"\b[\w$]+\.[\w$.]+(?:\(\.\.\.\))? is not (?:a function|a constructor|iterable)\b|TypeError: [\w$.]+ is not (?:a function|a constructor|iterable)\b|object is not iterable \(cannot read",
    ),
    (
        "JavaScript",
        r"Cannot destructure property|Cannot convert undefined or null to object|Cannot access '\w+' before initialization",
    ),
    (
        "JavaScript",
        r"Maximum call stack size exceeded|Invalid array length|Invalid string length|Converting circular structure to JSON|Do not know how to serialize a BigInt",
    ),
    (
        "JavaScript",
        r"argument must be (?:of type|an instance of) .{1,60}\. Received|Invalid time value|Assignment to constant variable|Invalid count value",
    ),
    (
        "Rust",
        r"called `(?:Option|Result)::\w+\(\)` on (?:a|an) `|index out of bounds: the len is|is not a char boundary|attempt to \w+ with overflow|already (?:mutably )?borrowed",
    ),
    (
        "Go",
        r"runtime error: (?:index out of range|invalid memory address|slice bounds|integer divide|makeslice)|assignment to entry in nil map",
    ),
    (
        "Java",
        r"NullPointerException|ArrayIndexOutOfBoundsException|StringIndexOutOfBoundsException|ClassCastException|ConcurrentModificationException|(?:Index|index) -?\d+ out of bounds for length",
    ),
    (
        ".NET",
        r"Object reference not set to an instance of an object|Index was outside the bounds of the array|InvalidCastException",
    ),
    (
        "Ruby",
        r"undefined method [`'][^']+' for|undefined local variable or method|no implicit conversion of",
    ),
    (
        "PHP",
        r"Call to a member function \w+\(\) on null|Undefined (?:array key|index|variable|offset)",
    ),
];

static COMPILED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let compile = |(language, pattern): &(&'static str, &str)| {
        (*language, Regex::new(pattern).expect("a test compiles it"))
    };
    PATTERNS.iter().map(compile).collect()
});

/// A runtime's own message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The language whose runtime writes it.
    pub(super) language: &'static str,
    /// What matched.
    pub(super) text: String,
}

/// The first message of a runtime in `text` that is not part of what was sent.
pub(super) fn find_fault(text: &str, sent: &str) -> Option<Fault> {
    COMPILED.iter().find_map(|(language, pattern)| {
        let found = pattern.find(text)?;
        let echoed = pattern.is_match(sent);
        (!echoed).then(|| Fault { language, text: found.as_str().trim().to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_runtimes_are_told() {
        let cases = [
            ("Python", "Error executing tool get: 'NoneType' object has no attribute 'title'"),
            ("Python", "list index out of range"),
            ("Python", "unsupported operand type(s) for +: 'int' and 'str'"),
            ("Python", "f() got an unexpected keyword argument 'limit'"),
            ("Python", "Object of type datetime is not JSON serializable"),
            ("JavaScript", "Cannot read properties of undefined (reading 'map')"),
            ("JavaScript", "TypeError: items.filter is not a function"),
            ("JavaScript", "Invalid time value"),
            ("Rust", "called `Option::unwrap()` on a `None` value"),
            ("Go", "runtime error: index out of range [3] with length 2"),
            ("Java", "java.lang.NullPointerException: null"),
            (".NET", "Object reference not set to an instance of an object."),
        ];
        for (language, text) in cases {
            assert_eq!(
                find_fault(text, "{}").map(|fault| fault.language),
                Some(language),
                "{text}"
            );
        }
    }

    #[test]
    fn sentences_for_a_caller_are_not() {
        for text in [
            "Task 7 not found",
            "division by zero",
            "the path is not a directory",
            "'colour' is not a valid attribute",
            "name is required",
            "Error: this feature is not a function of the free plan",
            "index must be at most 3",
            "Unexpected token } in JSON at position 4",
            "the value is not iterable twice",
        ] {
            assert_eq!(find_fault(text, "{}"), None, "{text}");
        }
    }

    #[test]
    fn what_was_sent_is_no_fault() {
        assert_eq!(
            find_fault("no log has: list index out of range", "list index out of range"),
            None
        );
    }
}
