//! Server-sent events out of a stream of bytes, in any chunks (WHATWG HTML, section 9.2.6).

use crate::exchange::SseEvent;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An event with its data as bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RawEvent {
    pub(crate) event: String,
    pub(crate) data: Vec<u8>,
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    /// The full length of the data where it was longer than the cap and was cut.
    pub(crate) cut: Option<usize>,
}

impl RawEvent {
    /// Whether it carries a message: it has data and no other name than `message`.
    pub(crate) fn is_message(&self) -> bool {
        !self.data.is_empty() && (self.event.is_empty() || self.event == "message")
    }

    /// The event as reports show it.
    pub(crate) fn to_event(&self) -> SseEvent {
        SseEvent {
            event: self.event.clone(),
            data: String::from_utf8_lossy(&self.data).into_owned(),
            id: self.id.clone(),
            retry: self.retry,
        }
    }
}

/// The parser. Memory is bounded: lines and data beyond the cap are counted, not kept.
#[derive(Debug)]
pub(crate) struct EventSource {
    line: Vec<u8>,
    /// Length of the line, kept or not.
    length: usize,
    after_return: bool,
    at_start: bool,
    event: RawEvent,
    /// Whether the event under way has any field.
    begun: bool,
    has_data: bool,
    data_length: usize,
    cap: usize,
}

impl EventSource {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            line: Vec::new(),
            length: 0,
            after_return: false,
            at_start: true,
            event: RawEvent::default(),
            begun: false,
            has_data: false,
            data_length: 0,
            cap,
        }
    }

    /// Takes the next bytes of the stream in and appends the events that they complete.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], events: &mut Vec<RawEvent>) {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\r', b'\n', bytes) else {
                self.keep(bytes);
                return;
            };
            self.keep(&bytes[..end]);
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            events.extend(self.end_of_line());
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = (self.cap + 64).saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len();
    }

    fn end_of_line(&mut self) -> Option<RawEvent> {
        let mut line = std::mem::take(&mut self.line);
        let dropped = std::mem::take(&mut self.length) - line.len();
        let skip =
            usize::from(std::mem::take(&mut self.at_start) && line.starts_with(BYTE_ORDER_MARK));
        let text = &line[skip * BYTE_ORDER_MARK.len()..];
        let event = if text.is_empty() { self.dispatch() } else { self.field(text, dropped) };
        line.clear();
        self.line = line;
        event
    }

    fn dispatch(&mut self) -> Option<RawEvent> {
        let begun = std::mem::take(&mut self.begun);
        let data_length = std::mem::take(&mut self.data_length);
        self.has_data = false;
        let mut event = std::mem::take(&mut self.event);
        event.cut = (data_length > event.data.len()).then_some(data_length);
        begun.then_some(event)
    }

    fn field(&mut self, line: &[u8], dropped: usize) -> Option<RawEvent> {
        let colon = memchr::memchr(b':', line);
        let (name, value) = match colon {
            Some(0) => return None,
            Some(colon) => {
                (&line[..colon], line[colon + 1..].strip_prefix(b" ").unwrap_or(&line[colon + 1..]))
            }
            None => (line, &b""[..]),
        };
        match name {
            b"data" => self.data(value, dropped),
            b"event" => self.event.event = String::from_utf8_lossy(value).into_owned(),
            b"id" if !value.contains(&0) => {
                self.event.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" => {
                let digits = std::str::from_utf8(value).ok();
                let digits = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                self.event.retry = digits.and_then(|text| text.parse().ok()).or(self.event.retry);
            }
            _ => return None,
        }
        self.begun = true;
        None
    }

    fn data(&mut self, value: &[u8], dropped: usize) {
        if std::mem::replace(&mut self.has_data, true) {
            self.append(b"\n");
        }
        self.append(value);
        self.data_length += dropped;
    }

    fn append(&mut self, bytes: &[u8]) {
        let room = self.cap.saturating_sub(self.event.data.len());
        self.event.data.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.data_length += bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(chunks: &[&[u8]]) -> Vec<SseEvent> {
        let mut source = EventSource::new(1000);
        let mut events = Vec::new();
        for chunk in chunks {
            source.feed(chunk, &mut events);
        }
        events.iter().map(RawEvent::to_event).collect()
    }

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent { event: name.to_owned(), data: data.to_owned(), ..SseEvent::default() }
    }

    #[test]
    fn fields_comments_and_all_line_ends_are_read() {
        let stream = "\u{feff}: hello\nevent: message\ndata: a\ndata:b\ndata\r\rid: 7\rretry: 250\r\ndata:  c\r\n\r\nother: x\n\ndata: lost";
        let numbered = SseEvent { id: Some("7".to_owned()), retry: Some(250), ..event("", " c") };
        assert_eq!(parse(&[stream.as_bytes()]), [event("message", "a\nb\n"), numbered]);
    }

    #[test]
    fn a_priming_event_has_an_id_and_no_data() {
        let primed = SseEvent { id: Some("0".to_owned()), ..SseEvent::default() };
        assert_eq!(parse(&[b"id: 0\ndata:\n\n"]), [primed]);
    }

    #[test]
    fn data_beyond_the_cap_is_counted_and_not_kept() {
        let mut source = EventSource::new(1000);
        let mut events = Vec::new();
        source.feed(b"data: ", &mut events);
        for _ in 0..50 {
            source.feed(&[b'x'; 100], &mut events);
        }
        source.feed(b"\n\ndata: ok\n\n", &mut events);
        assert_eq!((events[0].data.len(), events[0].cut), (1000, Some(5000)));
        assert_eq!((&*events[1].data, events[1].cut), (&b"ok"[..], None));
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_chunks_give_the_same_events(
            chunks in proptest::collection::vec(
                prop_oneof![
                    "(data|id|event|retry|x)?:? ?[a-c1-3\u{e9}]{0,4}(\r\n|\n|\r){0,3}".prop_map(String::into_bytes),
                    proptest::collection::vec(any::<u8>(), 0..8),
                ],
                0..20,
            )
        ) {
            let whole = chunks.concat();
            let pieces: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
            let bytes: Vec<&[u8]> = whole.chunks(1).collect();
            prop_assert_eq!(parse(&pieces), parse(&[&whole]));
            prop_assert_eq!(parse(&bytes), parse(&[&whole]));
        }
    }
}
