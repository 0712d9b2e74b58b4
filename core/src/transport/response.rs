//! HTTP/1.1 responses out of a stream of bytes: head, then a body of known length, in chunks, or up to the end of the stream.

/// The longest head that is read.
const HEAD_CAP: usize = 256 * 1024;
/// The most headers that are read.
const MOST_HEADERS: usize = 200;

/// A response's head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    /// Whether the connection may carry another request afterwards, as far as the head tells.
    pub(crate) keep_alive: bool,
}

impl Head {
    /// The first header of that name, compared without case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// What comes out of the reader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// The head; comes once, first.
    Head(Head),
    /// Bytes of the body, chunks taken apart.
    Body(&'a [u8]),
    /// The body has ended. What follows in the stream is not this response's.
    End,
}

/// Where the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    /// So many bytes of body are left.
    Length(u64),
    /// The body goes to the end of the stream.
    UntilClose,
    /// At the line with a chunk's size.
    ChunkSize,
    /// So many bytes of the chunk are left.
    ChunkData(u64),
    /// At the line end after a chunk.
    ChunkEnd,
    /// At a trailer line, or the empty line that ends them.
    Trailer,
    Done,
}

/// Reads one response. Bytes that were not used yet are kept inside.
#[derive(Debug)]
pub(crate) struct ResponseReader {
    state: State,
    input: Vec<u8>,
    used: usize,
    /// The request was HEAD: whatever the headers say, there is no body.
    bodiless: bool,
    until_close: bool,
}

impl ResponseReader {
    pub(crate) fn new(bodiless: bool) -> Self {
        Self { state: State::Head, input: Vec::new(), used: 0, bodiless, until_close: false }
    }

    /// Takes bytes of the stream in.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.input.drain(..self.used);
        self.used = 0;
        self.input.extend_from_slice(bytes);
    }

    /// Whether any byte of the response has come.
    pub(crate) fn has_begun(&self) -> bool {
        self.state != State::Head || !self.input.is_empty()
    }

    /// Whether the connection is clean for another request.
    pub(crate) fn is_reusable(&self) -> bool {
        self.state == State::Done && self.used == self.input.len() && !self.until_close
    }

    /// The stream has ended: `Ok` if that is a proper end of the response.
    pub(crate) fn close(&mut self) -> Result<(), &'static str> {
        match self.state {
            State::UntilClose | State::Done => {
                self.state = State::Done;
                Ok(())
            }
            State::Head if self.input.is_empty() => {
                Err("the connection was closed before a response came")
            }
            State::Head => Err("the connection was closed within the response's head"),
            _ => Err("the connection was closed within the response's body"),
        }
    }

    /// The next part, or `None` if more bytes are needed. An error says what is wrong with the response.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'_>>, String> {
        loop {
            match self.state {
                State::Head => match self.head()? {
                    Some(head) if (100..200).contains(&head.status) => self.state = State::Head,
                    Some(head) => return Ok(Some(Part::Head(head))),
                    None => return Ok(None),
                },
                State::Length(0) => self.state = State::Done,
                State::Length(left) => {
                    let Some(count) = self.available(left) else { return Ok(None) };
                    self.state = State::Length(left - count as u64);
                    return Ok(Some(Part::Body(self.take(count))));
                }
                State::UntilClose => {
                    let Some(count) = self.available(u64::MAX) else { return Ok(None) };
                    return Ok(Some(Part::Body(self.take(count))));
                }
                State::ChunkSize => {
                    let Some(line) = self.line()? else { return Ok(None) };
                    let size = chunk_size(&line)?;
                    self.state = if size == 0 { State::Trailer } else { State::ChunkData(size) };
                }
                State::ChunkData(0) => self.state = State::ChunkEnd,
                State::ChunkData(left) => {
                    let Some(count) = self.available(left) else { return Ok(None) };
                    self.state = State::ChunkData(left - count as u64);
                    return Ok(Some(Part::Body(self.take(count))));
                }
                State::ChunkEnd => match self.line()? {
                    Some(line) if line.is_empty() => self.state = State::ChunkSize,
                    Some(_) => return Err("a chunk is longer than its size says".to_owned()),
                    None => return Ok(None),
                },
                State::Trailer => match self.line()? {
                    Some(line) if line.is_empty() => self.state = State::Done,
                    Some(_) => {}
                    None => return Ok(None),
                },
                State::Done => return Ok(Some(Part::End)),
            }
        }
    }

    fn available(&self, limit: u64) -> Option<usize> {
        let there = self.input.len() - self.used;
        let count = usize::try_from(limit).unwrap_or(usize::MAX).min(there);
        (count > 0).then_some(count)
    }

    fn take(&mut self, count: usize) -> &[u8] {
        let from = self.used;
        self.used += count;
        &self.input[from..self.used]
    }

    /// A line without its end, once it is there as a whole.
    fn line(&mut self) -> Result<Option<Vec<u8>>, String> {
        let rest = &self.input[self.used..];
        let Some(end) = memchr::memchr(b'\n', rest) else {
            return if rest.len() > HEAD_CAP {
                Err("a chunk's size line does not end".to_owned())
            } else {
                Ok(None)
            };
        };
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]).to_vec();
        self.used += end + 1;
        Ok(Some(line))
    }

    fn head(&mut self) -> Result<Option<Head>, String> {
        let mut slots = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut slots);
        let rest = &self.input[self.used..];
        let length = match response.parse(rest) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if rest.len() > HEAD_CAP => {
                return Err("the response's head does not end".to_owned());
            }
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(error) => return Err(format!("the response is not HTTP/1.1: {error}")),
        };
        let headers = response.headers.iter();
        let headers =
            headers.map(|h| (h.name.to_owned(), String::from_utf8_lossy(h.value).into_owned()));
        let newest = response.version == Some(1);
        let mut head = Head {
            status: response.code.unwrap_or(0),
            headers: headers.collect(),
            keep_alive: false,
        };
        self.state = self.body_state(&head)?;
        self.until_close = self.state == State::UntilClose;
        let connection = head.header("connection").unwrap_or_default().to_ascii_lowercase();
        head.keep_alive =
            !connection.contains("close") && (newest || connection.contains("keep-alive"));
        self.used += length;
        Ok(Some(head))
    }

    fn body_state(&self, head: &Head) -> Result<State, String> {
        if self.bodiless || matches!(head.status, 100..200 | 204 | 304) {
            return Ok(State::Length(0));
        }
        let coding = head.header("transfer-encoding").unwrap_or_default();
        if coding.to_ascii_lowercase().ends_with("chunked") {
            return Ok(State::ChunkSize);
        }
        match head.header("content-length") {
            Some(length) => {
                let wrong = |_| format!("the header Content-Length is no number: {length:?}");
                Ok(State::Length(length.trim().parse().map_err(wrong)?))
            }
            None => Ok(State::UntilClose),
        }
    }
}

fn chunk_size(line: &[u8]) -> Result<u64, String> {
    let text = String::from_utf8_lossy(line);
    let digits = text.split(';').next().unwrap_or_default().trim();
    let all_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let size = if all_hex { u64::from_str_radix(digits, 16).ok() } else { None };
    size.ok_or_else(|| format!("a chunk's size is no hexadecimal number: {digits:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Status, body, whether it ended, and whether the connection can be used again.
    fn read(stream: &[u8], chunk: usize) -> Result<(u16, Vec<u8>, bool, bool), String> {
        let mut reader = ResponseReader::new(false);
        let (mut status, mut body) = (0, Vec::new());
        for bytes in stream.chunks(chunk) {
            reader.feed(bytes);
            loop {
                match reader.next()? {
                    Some(Part::Head(head)) => status = head.status,
                    Some(Part::Body(bytes)) => body.extend_from_slice(bytes),
                    Some(Part::End) => return Ok((status, body, true, reader.is_reusable())),
                    None => break,
                }
            }
        }
        let ended = reader.close().is_ok();
        Ok((status, body, ended, reader.is_reusable()))
    }

    #[test]
    fn bodies_of_all_kinds_are_read_in_any_chunks() {
        type Expected<'a> = (u16, &'a [u8], bool, bool);
        let cases: [(&[u8], Expected<'_>); 6] = [
            (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", (200, b"hello", true, true)),
            (
                b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n",
                (200, b"hello", true, true),
            ),
            (b"HTTP/1.0 500 Oops\r\n\r\nhello", (500, b"hello", true, false)),
            (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", (204, b"", true, true)),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", (200, b"hello", false, false)),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", (200, b"hel", false, false)),
        ];
        for (stream, (status, body, ended, reusable)) in cases {
            for chunk in [1, 2, 7, 1000] {
                let expected = Ok((status, body.to_vec(), ended, reusable));
                assert_eq!(read(stream, chunk), expected, "{}", String::from_utf8_lossy(stream));
            }
        }
    }

    #[test]
    fn what_is_not_http_is_told() {
        assert!(read(b"SSH-2.0-OpenSSH\r\n", 100).unwrap_err().contains("not HTTP/1.1"));
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
        assert!(read(chunked, 100).unwrap_err().contains("hexadecimal"));
        let length = b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n";
        assert!(read(length, 100).unwrap_err().contains("Content-Length"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived_and_chunks_do_not_matter(
            start in prop_oneof![Just(""), Just("HTTP/1.1 200 OK\r\n\r\n"), Just("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")],
            rest in proptest::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'1'), any::<u8>()], 0..60),
        ) {
            let stream = [start.as_bytes(), &rest].concat();
            prop_assert_eq!(read(&stream, 1).is_ok(), read(&stream, 1000).is_ok());
            if let (Ok(one), Ok(other)) = (read(&stream, 1), read(&stream, 1000)) {
                prop_assert_eq!((one.0, one.1, one.2), (other.0, other.1, other.2));
            }
        }
    }
}
