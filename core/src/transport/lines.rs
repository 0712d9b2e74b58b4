//! Splitting a stream of bytes into lines, with bounded memory.

use crate::message::{Anomaly, Channel, Frame};

/// How much the buffer can take before it grows.
const INITIAL: usize = 64 * 1024;
/// How much of a line that is longer than the cap is kept, to be shown.
const KEPT_OF_CUT: usize = 4 * 1024;

/// A buffer that bytes are read into and lines are taken out of. A line longer than the cap is cut: its start and its length
/// are kept, the rest is dropped as it comes.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the first line that was not taken yet starts.
    start: usize,
    /// Up to where no line feed was found.
    scanned: usize,
    /// Up to where `bytes` is filled.
    end: usize,
    cap: usize,
    cut: Option<CutLine>,
}

/// The line that is being dropped.
#[derive(Debug)]
struct CutLine {
    head: Vec<u8>,
    length: usize,
}

impl LineBuffer {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            bytes: vec![0; INITIAL],
            start: 0,
            scanned: 0,
            end: 0,
            cap: cap.max(KEPT_OF_CUT),
            cut: None,
        }
    }

    /// Free space to read into; never empty.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
            if self.bytes.len() > 16 * INITIAL {
                self.bytes = vec![0; INITIAL];
            }
        }
        if self.end == self.bytes.len() {
            self.make_room();
        }
        &mut self.bytes[self.end..]
    }

    fn make_room(&mut self) {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.bytes.len() {
            let larger = self.bytes.len() * 2;
            self.bytes.resize(larger, 0);
        }
    }

    /// Says that `count` bytes were read into [`LineBuffer::space`].
    pub(crate) fn filled(&mut self, count: usize) {
        self.end += count;
    }

    /// Takes the next whole line as a frame.
    pub(crate) fn next_frame(&mut self) -> Option<Frame> {
        let Some(newline) = memchr::memchr(b'\n', &self.bytes[self.scanned..self.end]) else {
            self.scanned = self.end;
            self.enforce_cap();
            return None;
        };
        let newline = self.scanned + newline;
        let line = &self.bytes[self.start..newline];
        let frame = match self.cut.take() {
            Some(cut) => Frame::cut(&cut.head, cut.length + line.len(), Channel::Line),
            None if line.len() > self.cap => {
                Frame::cut(&line[..KEPT_OF_CUT], line.len(), Channel::Line)
            }
            None => Frame::parse(line, Channel::Line),
        };
        (self.start, self.scanned) = (newline + 1, newline + 1);
        Some(frame)
    }

    /// The next whole line without its line feed, which stays where it is; `None` where there is none yet, or where it is too long
    /// to be kept.
    pub(crate) fn peek_line(&mut self) -> Option<&[u8]> {
        let found = memchr::memchr(b'\n', &self.bytes[self.scanned..self.end]);
        self.scanned = found.map_or(self.end, |at| self.scanned + at);
        let fits = found.is_some() && self.cut.is_none() && self.scanned - self.start <= self.cap;
        fits.then(|| &self.bytes[self.start..self.scanned])
    }

    /// Drops the line that [`LineBuffer::peek_line`] showed.
    pub(crate) fn skip_line(&mut self) {
        self.scanned += 1;
        self.start = self.scanned;
    }

    /// How many bytes wait to be taken.
    pub(crate) fn pending(&self) -> usize {
        self.end - self.start
    }

    /// Takes what is left when the stream has ended; `None` if it ended with a line feed.
    pub(crate) fn last_frame(&mut self) -> Option<Frame> {
        let line = &self.bytes[self.start..self.end];
        let mut frame = match self.cut.take() {
            Some(cut) => Frame::cut(&cut.head, cut.length + line.len(), Channel::Line),
            None if line.is_empty() => return None,
            None => Frame::parse(line, Channel::Line),
        };
        frame.anomalies.push(Anomaly::Unterminated);
        (self.start, self.scanned) = (self.end, self.end);
        Some(frame)
    }

    fn enforce_cap(&mut self) {
        let length = self.end - self.start;
        match &mut self.cut {
            Some(cut) => cut.length += length,
            None if length > self.cap => {
                let head = self.bytes[self.start..self.start + KEPT_OF_CUT].to_vec();
                self.cut = Some(CutLine { head, length });
            }
            None => return,
        }
        self.start = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn feed(buffer: &mut LineBuffer, mut bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        while !bytes.is_empty() {
            let space = buffer.space();
            let count = space.len().min(bytes.len());
            space[..count].copy_from_slice(&bytes[..count]);
            buffer.filled(count);
            bytes = &bytes[count..];
            frames.extend(std::iter::from_fn(|| buffer.next_frame()));
        }
        frames
    }

    #[test]
    fn a_line_over_the_cap_is_cut_and_the_next_one_is_whole() {
        let mut buffer = LineBuffer::new(100_000);
        let mut stream = vec![b'x'; 5_000_000];
        stream.extend_from_slice(b"\n{}\n");
        let frames = feed(&mut buffer, &stream);
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].anomalies, [Anomaly::TooLong { bytes: 5_000_000 }]);
        assert_eq!(frames[0].bytes.len(), KEPT_OF_CUT);
        assert_eq!(&*frames[1].bytes, b"{}");
        assert!(buffer.bytes.len() <= 4 * 100_000, "{}", buffer.bytes.len());
    }

    #[test]
    fn an_unterminated_rest_is_told() {
        let mut buffer = LineBuffer::new(100_000);
        assert_eq!(feed(&mut buffer, b"{}\n{\"a\":1}").len(), 1);
        let rest = buffer.last_frame().expect("a rest");
        assert_eq!(rest.anomalies, [Anomaly::Unterminated]);
        assert_eq!(rest.value, Some(serde_json::json!({"a":1})));
        assert!(buffer.last_frame().is_none());
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_chunks(
            chunks in proptest::collection::vec(proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..40), 0..40)
        ) {
            let mut buffer = LineBuffer::new(4096);
            let mut frames: Vec<Frame> = chunks.iter().flat_map(|chunk| feed(&mut buffer, chunk)).collect();
            frames.extend(buffer.last_frame());
            let stream = chunks.concat();
            let mut lines: Vec<&[u8]> = stream.split(|&byte| byte == b'\n').collect();
            if lines.last().is_some_and(|line| line.is_empty()) {
                lines.pop();
            }
            let seen: Vec<&[u8]> = frames.iter().map(|frame| &*frame.bytes).collect();
            let expected: Vec<&[u8]> = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
            prop_assert_eq!(seen, expected);
        }
    }
}
