//! The skeleton of a JSON text: its names and the kinds of its values, as a number. Texts that are no JSON by the letter have none.

use std::ops::Range;

/// How deep values may be nested.
const DEEPEST: usize = 64;

/// Adds to a hash.
pub(super) fn mix(hash: u64, more: u64) -> u64 {
    (hash.rotate_left(5) ^ more).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// Adds bytes to a hash.
pub(super) fn mix_bytes(hash: u64, bytes: &[u8]) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    let mut hash = mix(hash, bytes.len() as u64);
    for chunk in &mut chunks {
        hash = mix(hash, u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
    }
    let rest = chunks.remainder();
    rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
}

/// A place in a JSON text.
pub(super) struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    /// Where the strings are that are values, as far as they were gone over, where they are wanted.
    pub(super) strings: Option<Vec<Range<usize>>>,
}

/// The bytes at which reading a string does not just go on.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        ends[byte] = true;
        byte += 1;
    }
    ends[b'"' as usize] = true;
    ends[b'\\' as usize] = true;
    ends
};

/// The skeleton of a whole text.
pub(super) fn skeleton(text: &[u8]) -> Option<u64> {
    let mut scan = Scan::new(text);
    let found = scan.value(0)?;
    scan.is_at_end().then_some(found)
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, strings: None }
    }

    /// A text whose strings are wanted, in the room of those of another one.
    pub(super) fn with_strings(text: &'t [u8], mut room: Vec<Range<usize>>) -> Self {
        room.clear();
        Self { text, at: 0, strings: Some(room) }
    }

    /// The next byte that is no white space, which stays.
    pub(super) fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }

    /// Takes that byte, after white space.
    pub(super) fn take(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then(|| self.at += 1)
    }

    /// The text that `read` goes over.
    pub(super) fn span<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(&'t [u8], T)> {
        self.next()?;
        let from = self.at;
        let value = read(self)?;
        Some((&self.text[from..self.at], value))
    }

    /// Goes over the members of an object.
    pub(super) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, &'t [u8]) -> Option<()>,
    ) -> Option<()> {
        self.take(b'{')?;
        if self.next()? == b'}' {
            return self.take(b'}');
        }
        loop {
            self.next()?;
            let name = self.string()?;
            self.take(b':')?;
            each(self, name)?;
            match self.next()? {
                b',' => self.take(b',')?,
                _ => return self.take(b'}'),
            }
        }
    }

    /// Goes over the items of an array.
    pub(super) fn items(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.next()? == b']' {
            return self.take(b']');
        }
        loop {
            each(self)?;
            match self.next()? {
                b',' => self.take(b',')?,
                _ => return self.take(b']'),
            }
        }
    }

    /// What is between the quotes of a string, as written.
    pub(super) fn string(&mut self) -> Option<&'t [u8]> {
        self.take(b'"')?;
        let from = self.at;
        loop {
            let rest = self.text.get(self.at..)?;
            self.at += rest.iter().position(|byte| ENDS[usize::from(*byte)])?;
            match self.text[self.at] {
                b'"' => {
                    self.at += 1;
                    return Some(&self.text[from..self.at - 1]);
                }
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    /// A string that is a value.
    pub(super) fn string_value(&mut self) -> Option<&'t [u8]> {
        let string = self.string()?;
        if let Some(strings) = &mut self.strings {
            strings.push(self.at - 1 - string.len()..self.at - 1);
        }
        Some(string)
    }

    /// Halves of surrogate pairs are left to those who look closer.
    fn escape(&mut self) -> Option<()> {
        match *self.text.get(self.at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' => {
                let digits = self.text.get(self.at + 2..self.at + 6)?;
                let half = matches!(digits[0], b'd' | b'D') && !matches!(digits[1], b'0'..=b'7');
                if half || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }

    /// The skeleton of the next value.
    pub(super) fn value(&mut self, depth: usize) -> Option<u64> {
        if depth > DEEPEST {
            return None;
        }
        match self.next()? {
            b'{' => {
                let mut hash = 1;
                self.members(|scan, name| {
                    hash = mix(mix_bytes(hash, name), scan.value(depth + 1)?);
                    Some(())
                })?;
                Some(mix(hash, 1))
            }
            b'[' => {
                let (mut hash, mut last) = (2, None);
                self.items(|scan| {
                    let item = scan.value(depth + 1)?;
                    // How many alike there are makes no difference.
                    if Some(item) != last {
                        hash = mix(hash, item);
                        last = Some(item);
                    }
                    Some(())
                })?;
                Some(mix(hash, 2))
            }
            b'"' => Some(if self.string_value()?.is_empty() { 3 } else { 4 }),
            b't' => self.word(b"true", 5),
            b'f' => self.word(b"false", 6),
            b'n' => self.word(b"null", 7),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8], kind: u64) -> Option<u64> {
        let found = self.text[self.at..].starts_with(word);
        self.at += word.len();
        found.then_some(kind)
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        self.at - from
    }

    fn number(&mut self) -> Option<u64> {
        if self.text.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let zero = self.text.get(self.at) == Some(&b'0');
        let whole = self.digits();
        if whole == 0 || (zero && whole > 1) {
            return None;
        }
        let mut kind = 8;
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            kind = 9;
            (self.digits() > 0).then_some(())?;
        }
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            kind = 9;
            if matches!(self.text.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            (self.digits() > 0).then_some(())?;
        }
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str) -> Option<u64> {
        skeleton(text.as_bytes())
    }

    #[test]
    fn contents_make_no_difference_and_kinds_do() {
        let known = of(r#"{"a": [1, 2], "b": "x", "c": true}"#);
        assert!(known.is_some());
        assert_eq!(known, of(r#"{"a":[17],"b":"other\n\u00e9","c":true}"#));
        for other in [
            r#"{"a":[1],"b":"x","c":false}"#,
            r#"{"a":[1.5],"b":"x","c":true}"#,
            r#"{"a":[],"b":"x","c":true}"#,
            r#"{"a":[1],"b":"","c":true}"#,
            r#"{"a":[1],"b":null,"c":true}"#,
            r#"{"b":"x","a":[1],"c":true}"#,
            r#"{"a":[1],"b":"x","c":true,"c":true}"#,
        ] {
            assert!(of(other).is_some() && of(other) != known, "{other}");
        }
    }

    #[test]
    fn what_is_no_json_has_no_skeleton() {
        for text in [
            "",
            "{",
            "{\"a\":1,}",
            "[1,]",
            "01",
            "1.",
            "1e",
            "-",
            "\"\n\"",
            "\"\\x\"",
            "tru",
            "{} {}",
            "NaN",
            "{\"a\" 1}",
            "\"\\ud83d\"",
            "[1 2]",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    proptest! {
        /// Whoever reads JSON by the letter reads all that has a skeleton.
        #[test]
        fn nothing_but_json_has_a_skeleton(text in r#"[\[\]{}",:0-9.eE+\-a-ctrufalsn \\]{0,24}"#) {
            if of(&text).is_some() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
            }
        }
    }
}
