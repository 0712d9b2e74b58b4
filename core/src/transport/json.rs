//! JSON text to a value: exact about where it fails, and about what other parsers disagree on.
//!
//! Ours, because every answer passes through it: it is faster than a general deserialiser, notes repeated members in the
//! same pass, and goes on where a text is JSON by its grammar although some parsers refuse it (unpaired surrogates).

use serde_json::{Map, Number, Value};

/// How deep values may be nested. Deeper ones could not be written to a report and read back.
const DEEPEST: usize = 127;
/// How many members an object gets room for at first.
const USUAL_MEMBERS: usize = 4;

/// Strings with escapes are mostly JSON in JSON; so much room saves most of them from growing.
const ESCAPED_LENGTH: usize = 128;

/// A document and what is odd about it.
#[derive(Debug, PartialEq)]
pub(super) struct Document {
    pub(super) value: Value,
    /// JSON Pointers of repeated members; the last one of each counts.
    pub(super) repeated: Vec<String>,
    /// Offset of the first `\u` escape that is half of a pair; U+FFFD stands in its place.
    pub(super) unpaired: Option<usize>,
}

/// Where and why a text is not one JSON value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) reason: String,
}

/// Reads a text that must be exactly one JSON value, with white space around it.
pub(super) fn parse(text: &str) -> Result<Document, Fault> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth: 0,
        repeated: Vec::new(),
        unpaired: None,
    };
    let value = reader.value()?;
    reader.skip_space();
    if reader.at < reader.bytes.len() {
        return reader.fault("something follows the value");
    }
    Ok(Document { value, repeated: reader.repeated, unpaired: reader.unpaired })
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    repeated: Vec<String>,
    unpaired: Option<usize>,
}

impl Reader<'_> {
    fn fault<T>(&self, reason: &str) -> Result<T, Fault> {
        let reason = if self.at < self.bytes.len() { reason } else { "the text ends too early" };
        Err(Fault { offset: self.at, reason: reason.to_owned() })
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// The next byte that is no white space, not consumed.
    fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            _ => self.fault("no JSON value begins like this"),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth == DEEPEST {
            return self.fault("nested deeper than 127 levels, which the tester does not follow");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn literal(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        self.fault("no JSON value begins like this")
    }

    fn object(&mut self) -> Result<Value, Fault> {
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(Map::new()));
        }
        let mut object = Map::with_capacity(USUAL_MEMBERS);
        loop {
            if self.peek() != Some(b'"') {
                return self.fault("a member's name must be a string");
            }
            let name = self.string()?;
            if self.peek() != Some(b':') {
                return self.fault("a colon must follow a member's name");
            }
            self.at += 1;
            self.member(&mut object, name)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return self.fault("a comma or a closing brace is missing"),
            }
        }
        self.at += 1;
        Ok(Value::Object(object))
    }

    fn member(&mut self, object: &mut Map<String, Value>, name: String) -> Result<(), Fault> {
        let known = self.repeated.len();
        let value = self.value()?;
        if self.repeated.len() > known {
            self.prefix(known, &name);
        }
        match object.entry(name) {
            serde_json::map::Entry::Vacant(place) => {
                place.insert(value);
            }
            serde_json::map::Entry::Occupied(mut place) => {
                let pointer = crate::pointer::join("", place.key());
                place.insert(value);
                self.repeated.push(pointer);
            }
        }
        Ok(())
    }

    fn array(&mut self) -> Result<Value, Fault> {
        let mut array = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(array));
        }
        loop {
            let known = self.repeated.len();
            let item = self.value()?;
            if self.repeated.len() > known {
                self.prefix(known, &array.len().to_string());
            }
            array.push(item);
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return self.fault("a comma or a closing bracket is missing"),
            }
        }
        self.at += 1;
        Ok(Value::Array(array))
    }

    /// Completes the pointers of repeated members that were found further in.
    fn prefix(&mut self, from: usize, token: &str) {
        let token = crate::pointer::join("", token);
        for pointer in &mut self.repeated[from..] {
            pointer.insert_str(0, &token);
        }
    }

    /// Reads a string; `at` is on its opening quote.
    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let start = self.at;
        self.at = plain_end(self.bytes, start);
        if self.bytes.get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(self.text[start..self.at - 1].to_owned());
        }
        let mut string = String::with_capacity((self.at - start) * 2 + ESCAPED_LENGTH);
        string.push_str(&self.text[start..self.at]);
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => self.escape(&mut string)?,
                _ => return self.fault("a control character in a string"),
            }
            let from = self.at;
            self.at = plain_end(self.bytes, from);
            string.push_str(&self.text[from..self.at]);
        }
    }

    fn escape(&mut self, string: &mut String) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        let character = match self.bytes.get(self.at) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex()?;
                let character = self.character(unit)?;
                string.push(character.unwrap_or('\u{fffd}'));
                if character.is_none() {
                    self.unpaired.get_or_insert(start);
                }
                return Ok(());
            }
            _ => return self.fault("an unknown escape in a string"),
        };
        self.at += 1;
        string.push(character);
        Ok(())
    }

    /// The character that begins with this UTF-16 unit; `None` for half of a pair that lacks the other half.
    fn character(&mut self, unit: u16) -> Result<Option<char>, Fault> {
        if !(0xd800..0xdc00).contains(&unit) {
            return Ok(char::from_u32(u32::from(unit)));
        }
        if !self.bytes[self.at..].starts_with(b"\\u") {
            return Ok(None);
        }
        let after_first = self.at;
        self.at += 2;
        let second = self.hex()?;
        let pair = char::decode_utf16([unit, second]).next().and_then(Result::ok);
        if pair.is_none() {
            // The second one may begin a pair of its own.
            self.at = after_first;
        }
        Ok(pair)
    }

    fn hex(&mut self) -> Result<u16, Fault> {
        let digits =
            self.bytes.get(self.at..self.at + 4).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return self.fault("four hexadecimal digits must follow \\u");
        };
        let unit = digits.iter().fold(0, |unit, digit| (unit << 4) | hex_value(*digit));
        self.at += 4;
        Ok(unit)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        let negative = self.bytes[self.at] == b'-';
        self.at += usize::from(negative);
        let whole = self.digits()?;
        if whole > 1 && self.bytes[self.at - whole] == b'0' {
            self.at -= whole - 1;
            return self.fault("a number must not begin with a zero");
        }
        let mut integral = true;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            integral = false;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            integral = false;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        let number = if integral { integer(text, negative) } else { None };
        let number = number.or_else(|| Number::from_f64(text.parse().ok()?));
        match number {
            Some(number) => Ok(Value::Number(number)),
            None => Err(Fault {
                offset: start,
                reason: "the number is too large for a double".to_owned(),
            }),
        }
    }

    /// Skips digits and returns how many there were, at least one.
    fn digits(&mut self) -> Result<usize, Fault> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start {
            self.fault("a digit is missing in a number")
        } else {
            Ok(self.at - start)
        }
    }
}

/// An integer that fits; zero with a sign does not, since its sign would be lost.
fn integer(text: &str, negative: bool) -> Option<Number> {
    if negative {
        text.parse::<i64>().ok().filter(|number| *number != 0).map(Number::from)
    } else {
        text.parse::<u64>().ok().map(Number::from)
    }
}

fn hex_value(digit: u8) -> u16 {
    let value = match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'A' + 10,
    };
    u16::from(value)
}

/// Where a string's plain part ends: at a quote, a backslash, a control character, or the end of the text.
fn plain_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    // Names and short values end soon; longer texts are searched in wider steps.
    let near = rest.len().min(24);
    if let Some(end) = rest[..near].iter().position(|&byte| is_special(byte)) {
        return from + end;
    }
    let end = memchr::memchr2(b'"', b'\\', &rest[near..]).map_or(rest.len(), |end| near + end);
    let control = rest[near..end].iter().position(|&byte| byte < 0x20);
    from + control.map_or(end, |control| near + control)
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn fault(text: &str) -> (usize, String) {
        let fault = parse(text).expect_err(text);
        (fault.offset, fault.reason)
    }

    #[test]
    fn all_kinds_of_values_are_read() {
        let text = r#" {"a": [1, -2, 0, -0.5, 1e3, 18446744073709551615, 18446744073709551616, true, false, null, {}, []],
            "\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t": "é😀"} "#;
        let document = parse(text).unwrap();
        assert_eq!(document.value, serde_json::from_str::<Value>(text).unwrap());
        assert_eq!((document.repeated, document.unpaired), (vec![], None));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        assert_eq!(fault("{\"a\": oops}"), (6, "no JSON value begins like this".to_owned()));
        assert_eq!(fault("{\"a\": Infinity}").0, 6);
        assert_eq!(fault("{} {}"), (3, "something follows the value".to_owned()));
        assert_eq!(fault("{\"a\": [1, 2"), (11, "the text ends too early".to_owned()));
        assert_eq!(fault("{a: 1}").0, 1);
        assert_eq!(fault("[01]").0, 2);
        assert_eq!(fault("[1.]").0, 3);
        assert_eq!(fault("[1,]").0, 3);
        assert_eq!(fault("\"a\nb\"").0, 2);
        assert_eq!(fault("\"\\x\"").0, 2);
        assert_eq!(fault("[1e999]"), (1, "the number is too large for a double".to_owned()));
        assert!(fault(&"[".repeat(1000)).1.contains("nested deeper"));
    }

    #[test]
    fn repeated_members_are_named_in_the_same_pass() {
        let document = parse(r#"{"a":1,"b":[0,{"c/d":1,"c/d":2}],"a":3}"#).unwrap();
        assert_eq!(document.repeated, ["/b/1/c~1d", "/a"]);
        assert_eq!(document.value, json!({"a": 3, "b": [0, {"c/d": 2}]}));
    }

    #[test]
    fn half_a_pair_is_replaced_and_noted() {
        let document = parse(r#"["\ud83d","\ude00x","\ud83d\ud83d\ude00"]"#).unwrap();
        assert_eq!(document.value, json!(["\u{fffd}", "\u{fffd}x", "\u{fffd}😀"]));
        assert_eq!(document.unpaired, Some(2));
    }

    #[test]
    fn the_deepest_value_can_be_written_and_read_back() {
        let text = format!("{}{}", "[".repeat(DEEPEST), "]".repeat(DEEPEST));
        let value = parse(&text).unwrap().value;
        assert_eq!(serde_json::from_str::<Value>(&value.to_string()).unwrap(), value);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[a-z\"\\\\\n\u{0}é😀]{0,60}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let members = proptest::collection::vec(("[a-c\"\n]{0,3}", inner.clone()), 0..8);
            prop_oneof![
                proptest::collection::vec(inner, 0..6).prop_map(Value::from),
                members.prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_that_is_written_is_read_back(value in any_value(), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            prop_assert_eq!(parse(&text.unwrap()).unwrap().value, value);
        }

        #[test]
        fn what_serde_json_reads_and_refuses_is_read_and_refused(
            text in prop_oneof![r#"[\[\]{}:,"ab0-9. \\e+tu-]{0,16}"#, "-?[0-9]{1,3}(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,2})?"]
        ) {
            match (parse(&text), serde_json::from_str::<Value>(&text)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours.value, theirs),
                (Ok(ours), Err(theirs)) => prop_assert!(ours.unpaired.is_some(), "{} {:?}", theirs, ours),
                (Err(ours), Ok(_)) => prop_assert!(false, "{:?}", ours),
                (Err(ours), Err(_)) => prop_assert!(ours.offset <= text.len()),
            }
        }

        #[test]
        fn any_text_is_survived(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
