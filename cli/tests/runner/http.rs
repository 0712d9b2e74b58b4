//! The smallest HTTP client: what goes out is exactly what a test says.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The head, in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The code of the error that the answer is.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The events of a stream: names with their documents.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        self.body.split("\n\n").filter(|event| !event.is_empty()).map(event).collect()
    }
}

fn event(text: &str) -> (String, Value) {
    let (name, document) = text.split_once('\n').unwrap();
    let document = serde_json::from_str(document.strip_prefix("data: ").unwrap()).unwrap();
    (name.strip_prefix("event: ").unwrap().to_owned(), document)
}

/// Opens a connection and sends bytes.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that answers before it has read everything may close; the answer tells.
    let _ = stream.write_all(bytes);
    stream
}

/// Sends a request with a body and further headers, and reads the whole answer.
pub(crate) fn request(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut lines = vec![format!("{line} HTTP/1.1"), "Connection: close".to_owned()];
    if !headers.iter().any(|(name, _)| *name == "Host") {
        lines.push(format!("Host: {address}"));
    }
    lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
    if line.starts_with("POST") {
        lines.push(format!("Content-Length: {}", body.len()));
    }
    let head = lines.join("\r\n");
    read(send(address, format!("{head}\r\n\r\n{body}").as_bytes()))
}

/// Reads an answer to its end.
pub(crate) fn read(stream: TcpStream) -> Answer {
    let mut stream = BufReader::new(stream);
    let head = head(&mut stream);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    if head.contains("transfer-encoding: chunked") {
        while let Some(chunk) = chunk(&mut stream) {
            body.extend(chunk);
        }
    } else {
        let length = head.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
        let length = length.and_then(|length| length.trim().parse().ok()).unwrap_or(u64::MAX);
        let _ = stream.take(length).read_to_end(&mut body);
    }
    Answer { status, head, body: String::from_utf8(body).unwrap() }
}

/// Reads the head of an answer.
pub(crate) fn head(stream: &mut impl BufRead) -> String {
    let mut head = String::new();
    while stream.read_line(&mut head).is_ok_and(|count| count > 2) {}
    head.to_ascii_lowercase()
}

/// Reads a chunk; none at the end.
pub(crate) fn chunk(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    stream.read_line(&mut size).ok()?;
    let size = usize::from_str_radix(size.trim(), 16).ok().filter(|size| *size > 0)?;
    let mut chunk = vec![0; size + 2];
    stream.read_exact(&mut chunk).ok()?;
    chunk.truncate(size);
    Some(chunk)
}
