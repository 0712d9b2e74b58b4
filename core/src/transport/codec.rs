//! From bytes to frames: parsing that never fails and keeps what is odd.

use super::json;
use crate::message::{Anomaly, Channel, Frame};
use serde_json::Value;
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
    let rest = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => {
            anomalies.push(Anomaly::ByteOrderMark);
            rest
        }
        None => text,
    };
    let skipped = text.len() - rest.len();
    if rest.trim_ascii().is_empty() {
        anomalies.push(Anomaly::BlankLine);
        return None;
    }
    match json::parse(rest) {
        Ok(document) => {
            let repeated = document.repeated.into_iter();
            anomalies.extend(repeated.map(|pointer| Anomaly::DuplicateKey { pointer }));
            if let Some(offset) = document.unpaired {
                anomalies.push(Anomaly::UnpairedSurrogate { offset: skipped + offset });
            }
            Some(document.value)
        }
        Err(fault) => {
            anomalies
                .push(Anomaly::NotJson { offset: skipped + fault.offset, reason: fault.reason });
            None
        }
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
    fn what_parsers_disagree_on_is_noted() {
        let frame = line(br#"{"a":{"b":1,"b":"\ud800"}}"#);
        let repeated = Anomaly::DuplicateKey { pointer: "/a/b".to_owned() };
        assert_eq!(frame.anomalies, [repeated, Anomaly::UnpairedSurrogate { offset: 17 }]);
        assert_eq!(frame.value, Some(json!({"a":{"b":"\u{fffd}"}})));
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
    }
}
