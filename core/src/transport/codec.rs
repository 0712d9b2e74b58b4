//! From bytes to frames: parsing that never fails and keeps what is odd.

use crate::message::{Anomaly, Channel, Frame};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Frame {
    /// Parses one message. It never fails: what is wrong with the bytes stands in `anomalies`, and `value` is `None` where
    /// they are not JSON. Bytes of a line come without the line feed; a carriage return at their end is noted and cut off.
    pub fn parse(bytes: impl Into<Arc<[u8]>>, channel: Channel) -> Self {
        let mut bytes: Arc<[u8]> = bytes.into();
        let mut anomalies = Vec::new();
        if channel == Channel::Line && bytes.last() == Some(&b'\r') {
            anomalies.push(Anomaly::CarriageReturn);
            bytes = bytes[..bytes.len() - 1].into();
        }
        let value = parse_value(&bytes, &mut anomalies);
        if matches!(value, Some(Value::Array(_))) {
            anomalies.push(Anomaly::Batch);
        }
        Self { bytes, value, anomalies, channel }
    }

    /// A frame whose line was longer than the cap: `head` is its start, `bytes` its full length as far as it was read.
    pub(crate) fn cut(head: &[u8], bytes: usize, channel: Channel) -> Self {
        Self {
            bytes: head.into(),
            value: None,
            anomalies: vec![Anomaly::TooLong { bytes }],
            channel,
        }
    }
}

fn parse_value(bytes: &[u8], anomalies: &mut Vec<Anomaly>) -> Option<Value> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            anomalies.push(Anomaly::NotUtf8 { offset: error.valid_up_to() });
            return None;
        }
    };
    let json = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => {
            anomalies.push(Anomaly::ByteOrderMark);
            rest
        }
        None => text,
    };
    if json.trim_ascii().is_empty() {
        anomalies.push(Anomaly::BlankLine);
        return None;
    }
    let (value, repeated) = match read_document(json, None) {
        Ok(parsed) => parsed,
        Err(error) => {
            let skipped = text.len() - json.len();
            let offset = skipped + offset_of(json, error.line(), error.column());
            anomalies.push(Anomaly::NotJson { offset, reason: error.to_string() });
            return None;
        }
    };
    if repeated {
        // A second, slower pass that knows where it is; well-behaved servers never need it.
        let places = Places::default();
        if read_document(json, Some(&places)).is_ok() {
            let found = places.repeated.into_inner().into_iter();
            anomalies.extend(found.map(|pointer| Anomaly::DuplicateKey { pointer }));
        }
    }
    Some(value)
}

/// The byte offset of a place that `serde_json` gives as a line and a column (in bytes, both from 1).
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before = memchr::memchr_iter(b'\n', text.as_bytes()).take(line.saturating_sub(1));
    let start = before.last().map_or(0, |newline| newline + 1);
    (start + column.saturating_sub(1)).min(text.len())
}

fn read_document(text: &str, places: Option<&Places>) -> serde_json::Result<(Value, bool)> {
    let repeated = Cell::new(false);
    let mut input = serde_json::Deserializer::from_str(text);
    let value = Tree { repeated: &repeated, places }.deserialize(&mut input)?;
    input.end()?;
    Ok((value, repeated.get()))
}

/// Where the parser is, and the repeated members that it has met.
#[derive(Default)]
struct Places {
    path: RefCell<Vec<String>>,
    repeated: RefCell<Vec<String>>,
}

impl Places {
    fn enter(&self, token: &str) {
        self.path.borrow_mut().push(token.replace('~', "~0").replace('/', "~1"));
    }

    fn leave(&self) {
        self.path.borrow_mut().pop();
    }

    fn note(&self) {
        let pointer =
            self.path.borrow().iter().fold(String::new(), |pointer, token| pointer + "/" + token);
        self.repeated.borrow_mut().push(pointer);
    }
}

/// Builds a [`Value`] and notes whether some object has a member twice (the last one wins, as in most parsers).
#[derive(Clone, Copy)]
struct Tree<'a> {
    repeated: &'a Cell<bool>,
    places: Option<&'a Places>,
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        loop {
            if let Some(places) = self.places {
                places.enter(&array.len().to_string());
            }
            let item = items.next_element_seed(self)?;
            if let Some(places) = self.places {
                places.leave();
            }
            match item {
                Some(item) => array.push(item),
                None => return Ok(Value::Array(array)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if let Some(places) = self.places {
                places.enter(&key);
                if object.contains_key(&key) {
                    places.note();
                }
            }
            let value = members.next_value_seed(self)?;
            if let Some(places) = self.places {
                places.leave();
            }
            if object.insert(key, value).is_some() {
                self.repeated.set(true);
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn line(bytes: &[u8]) -> Frame {
        Frame::parse(bytes, Channel::Line)
    }

    #[test]
    fn a_plain_message_has_no_anomalies() {
        let frame = line(br#"{"jsonrpc":"2.0","id":1,"result":{"a":[1,2.5,-3,null,true,"x"]}}"#);
        assert_eq!(frame.anomalies, []);
        let expected = json!({"jsonrpc":"2.0","id":1,"result":{"a":[1,2.5,-3,null,true,"x"]}});
        assert_eq!(frame.value, Some(expected));
    }

    #[test]
    fn repeated_members_are_named_by_pointer_and_the_last_one_wins() {
        let frame = line(br#"{"a":1,"b":[0,{"c/d":1,"c/d":2}],"a":3}"#);
        let pointers: Vec<_> = frame.anomalies.iter().map(|a| format!("{a:?}")).collect();
        assert_eq!(
            pointers,
            [r#"DuplicateKey { pointer: "/b/1/c~1d" }"#, r#"DuplicateKey { pointer: "/a" }"#]
        );
        assert_eq!(frame.value, Some(json!({"a":3,"b":[0,{"c/d":2}]})));
    }

    #[test]
    fn text_that_is_not_json_keeps_its_offset() {
        let frame = line(b"{\"a\": oops}");
        assert!(matches!(frame.anomalies[..], [Anomaly::NotJson { offset: 6, .. }]), "{frame:?}");
        let trailing = line(b"{} {}");
        assert!(
            matches!(trailing.anomalies[..], [Anomaly::NotJson { offset: 3, .. }]),
            "{trailing:?}"
        );
    }

    #[test]
    fn marks_and_line_ends_are_noted_and_parsed_around() {
        let frame = line("\u{feff}{\"id\":1}\r".as_bytes());
        assert_eq!(frame.anomalies, [Anomaly::CarriageReturn, Anomaly::ByteOrderMark]);
        assert_eq!(frame.value, Some(json!({"id":1})));
        assert_eq!(line(b"  ").anomalies, [Anomaly::BlankLine]);
        assert_eq!(line(b"\r").anomalies, [Anomaly::CarriageReturn, Anomaly::BlankLine]);
        assert_eq!(line(b"{\"a\":\"\xff\"}").anomalies, [Anomaly::NotUtf8 { offset: 6 }]);
        assert_eq!(line(b"[]").anomalies, [Anomaly::Batch]);
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_frame(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let frame = line(&bytes);
            prop_assert!(frame.value.is_some() || !frame.anomalies.is_empty());
        }

        #[test]
        fn the_value_is_the_one_that_serde_json_reads(text in r#"[\[\]{}:,"a-c0-9. \\en-]{0,24}"#) {
            let theirs = serde_json::from_str::<Value>(&text).ok();
            prop_assert_eq!(line(text.as_bytes()).value, theirs);
        }
    }
}
