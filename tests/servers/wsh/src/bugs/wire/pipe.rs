//! Standard input and output with a hand on the lines.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream};

use super::change::change;

/// Both directions of a connection.
pub(crate) type Connection =
    (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

/// Requests that wait for their answers, by id.
type Requests = Arc<Mutex<BTreeMap<String, Value>>>;

const BUFFER: usize = 64 * 1024;

/// Standard input and output, with answers changed if a bug says so.
pub(crate) fn stdio() -> Connection {
    let (input, output) = rmcp::transport::stdio();
    let Some(bug) = super::active() else { return (Box::new(input), Box::new(output)) };
    let (to_server, requests_in) = tokio::io::duplex(BUFFER);
    let (answers_out, from_server) = tokio::io::duplex(BUFFER);
    let requests = Requests::default();
    tokio::spawn(forward_requests(input, to_server, Arc::clone(&requests)));
    tokio::spawn(forward_answers(bug, from_server, output, requests));
    (Box::new(requests_in), Box::new(answers_out))
}

async fn forward_requests(
    input: tokio::io::Stdin,
    mut to_server: DuplexStream,
    requests: Requests,
) {
    let mut lines = BufReader::new(input).split(b'\n');
    while let Ok(Some(mut line)) = lines.next_segment().await {
        if let Ok(request) = serde_json::from_slice::<Value>(&line)
            && let Some(id) = request.get("id")
        {
            requests.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string(), request);
        }
        line.push(b'\n');
        if to_server.write_all(&line).await.is_err() {
            return;
        }
    }
}

async fn forward_answers(
    bug: &str,
    from_server: DuplexStream,
    mut output: tokio::io::Stdout,
    requests: Requests,
) {
    let mut lines = BufReader::new(from_server).split(b'\n');
    while let Ok(Some(mut line)) = lines.next_segment().await {
        if let Ok(mut answer) = serde_json::from_slice::<Value>(&line) {
            let id = answer["id"].to_string();
            let request = requests.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            if request.is_some_and(|request| change(bug, &request, &mut answer)) {
                crate::bugs::trigger(bug);
                line = answer.to_string().into_bytes();
            }
        }
        line.push(b'\n');
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
