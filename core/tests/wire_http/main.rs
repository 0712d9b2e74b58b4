//! Sessions over real HTTP on loopback, well-behaved and faulty.

mod eras;
mod http_server;
mod opening;
mod requests;
mod streams;

use http_server::{After, Request, Server, handshake, reply_json, result};
use serde_json::json;
use std::net::TcpStream;
use std::time::Duration;
use tooltest_core::exchange::Exchange;
use tooltest_core::protocol::Revision;
use tooltest_core::session::{Protocol, Session, SessionOptions};

pub(crate) fn options() -> SessionOptions {
    SessionOptions {
        protocol: Protocol::Fixed(Revision::V2025_11_25),
        listen: false,
        ..SessionOptions::default()
    }
}

pub(crate) fn impatient() -> SessionOptions {
    SessionOptions { request_timeout: Duration::from_millis(400), ..options() }
}

/// A server with a handshake whose other requests are answered by `handler`.
pub(crate) fn legacy(
    handler: impl Fn(&Request, &mut TcpStream) -> After + Send + Sync + 'static,
) -> Server {
    Server::start(move |request, stream| {
        handshake(request, stream).unwrap_or_else(|| handler(request, stream))
    })
}

pub(crate) fn echo(request: &Request, stream: &mut TcpStream) -> After {
    reply_json(stream, "200 OK", &result(request, request.json()["params"].clone()));
    After::Keep
}

pub(crate) fn call(session: &mut Session) -> Exchange {
    session.request("tools/call", json!({"name": "x"}))
}
