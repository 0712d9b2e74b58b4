//! Requests and their answers.

use crate::http_server::{After, Server, handshake, reply, reply_json, result};
use crate::{call, echo, legacy, options};
use serde_json::{Value, json};
use std::io::Write;
use std::net::Shutdown;
use std::sync::{Arc, Barrier};
use std::time::Duration;
use tooltest_core::exchange::Reply;
use tooltest_core::input::{HttpTarget, Target};
use tooltest_core::message::{Anomaly, Channel};
use tooltest_core::session::{HeaderOption, RawRequest, RequestOptions, Session};

#[test]
fn one_kept_connection_carries_the_whole_session() {
    let server = legacy(echo);
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    for _ in 0..5 {
        let exchange = call(&mut session);
        assert_eq!(exchange.reply, Reply::Result(json!({"name": "x"})));
        let http = exchange.http.expect("the test server works");
        assert_eq!((http.status, http.ended, http.fault), (200, true, None));
        assert_eq!(http.headers[0], ("Content-Type".to_owned(), "application/json".to_owned()));
        assert!(http.body.starts_with(b"{"));
        assert_eq!(exchange.frame.expect("the test server works").channel, Channel::HttpBody);
    }
    let side = session.http_side();
    assert_eq!((side[0].0.as_str(), side[0].1.status), ("notifications/initialized", 202));
    assert_eq!(session.close().http_delete, Some(204));
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.connection == 0));
    let first = &requests[0];
    assert_eq!(first.header("Accept"), Some("application/json, text/event-stream"));
    assert_eq!(first.header("Mcp-Session-Id"), None);
    assert_eq!(first.header("MCP-Protocol-Version"), None);
    let later = server.request("tools/call");
    assert_eq!(later.header("Mcp-Session-Id"), Some("s-1"));
    assert_eq!(later.header("MCP-Protocol-Version"), Some("2025-11-25"));
    assert!(later.headers.iter().any(|(name, _)| name == "Mcp-Session-Id"));
    assert_eq!(
        requests.last().expect("the test server works").header("Mcp-Session-Id"),
        Some("s-1")
    );
}

#[test]
fn the_target_s_headers_and_token_go_with_every_request() {
    let server = legacy(echo);
    let target = HttpTarget {
        url: server.url.clone(),
        headers: [("X-Own".to_owned(), "1".to_owned()), ("accept".to_owned(), "*/*".to_owned())]
            .into(),
        auth_token: Some("secret".to_owned()),
    };
    let session = Session::open(&Target::Http(target), &options()).expect("the test server works");
    drop(session);
    for request in server.requests() {
        assert_eq!(request.header("x-own"), Some("1"));
        assert_eq!(request.header("authorization"), Some("Bearer secret"));
        assert_eq!(request.header("accept"), Some("*/*"));
    }
}

#[test]
fn bodies_without_length_and_closed_connections_are_read() {
    let server = legacy(|request, stream| {
        let message = result(request, json!({"closing": true}));
        let _ =
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{message}");
        After::Close
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    for _ in 0..3 {
        assert_eq!(call(&mut session).reply, Reply::Result(json!({"closing": true})));
    }
}

#[test]
fn a_connection_that_the_server_closed_meanwhile_is_replaced() {
    // It promises to keep the connection, and closes it all the same.
    let server = Server::start(|request, stream| {
        handshake(request, stream).unwrap_or_else(|| echo(request, stream));
        let _ = stream.shutdown(Shutdown::Both);
        After::Close
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    for _ in 0..5 {
        assert!(matches!(call(&mut session).reply, Reply::Result(_)));
    }
}

#[test]
fn responses_that_break_off_are_told() {
    let half = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"";
    for (sent, expected) in [
        ("", "before a response came"),
        ("HTTP/1.1 200 OK\r\nContent-Le", "within the response's head"),
        (half, "within the response's body"),
    ] {
        let server = legacy(move |_, stream| {
            let _ = stream.write_all(sent.as_bytes());
            let _ = stream.shutdown(Shutdown::Both);
            After::Close
        });
        let mut session =
            Session::open(&server.target(), &options()).expect("the test server works");
        let exchange = call(&mut session);
        let Reply::Closed(exit) = &exchange.reply else { panic!("{exchange:?}") };
        assert!(exit.detail.contains(expected), "{}", exit.detail);
        assert!(session.is_open());
        assert!(matches!(session.request("ping", Value::Null).reply, Reply::Result(_)));
    }
}

#[test]
fn what_is_no_http_or_no_answer_is_malformed() {
    let cases: [(&str, &str); 4] = [
        ("what?\r\n\r\n", "not HTTP/1.1"),
        ("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", "HTTP 202"),
        (
            "HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p/>",
            "HTTP 500 (text/html)",
        ),
        ("HTTP/1.1 302 Found\r\nLocation: /else\r\nContent-Length: 0\r\n\r\n", "HTTP 302"),
    ];
    for (sent, expected) in cases {
        let server = legacy(move |_, stream| {
            let _ = stream.write_all(sent.as_bytes());
            After::Close
        });
        let mut session =
            Session::open(&server.target(), &options()).expect("the test server works");
        let exchange = call(&mut session);
        assert!(
            matches!(&exchange.reply, Reply::Malformed(why) if why.contains(expected)),
            "{:?}",
            exchange.reply
        );
    }
}

#[test]
fn a_body_that_is_no_json_is_the_answer_all_the_same() {
    let server = legacy(|_, stream| {
        reply(stream, "200 OK", "Content-Type: application/json\r\n", b"{oops");
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert!(matches!(&exchange.reply, Reply::Malformed(why) if why.contains("not JSON")));
    assert!(matches!(
        exchange.frame.expect("the test server works").anomalies[..],
        [Anomaly::NotJson { offset: 1, .. }]
    ));
}

#[test]
fn an_error_with_a_status_is_an_error_and_keeps_its_status() {
    let server = legacy(|request, stream| {
        let id = &request.json()["id"];
        let error =
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "bad"}});
        reply_json(stream, "400 Bad Request", &error);
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert!(matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32602)));
    assert_eq!(exchange.http.expect("the test server works").status, 400);
}

#[test]
fn an_error_without_an_id_belongs_to_its_post() {
    let server = legacy(|_, stream| {
        let error =
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "no"}});
        reply_json(stream, "400 Bad Request", &error);
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let requests = (0..3).map(|_| ("tools/call".to_owned(), json!({}))).collect();
    for exchange in session.pipeline(requests) {
        assert!(
            matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32000)),
            "{exchange:?}"
        );
    }
}

#[test]
fn a_session_that_the_server_forgot_is_closed() {
    let server = legacy(|_, stream| {
        let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32001, "message": "Session not found"}});
        reply_json(stream, "404 Not Found", &error);
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert!(
        matches!(&exchange.reply, Reply::Closed(exit) if exit.detail.contains("404")),
        "{exchange:?}"
    );
    assert!(!session.is_open());
}

#[test]
fn pipelined_requests_travel_side_by_side() {
    let together = Arc::new(Barrier::new(4));
    let server = legacy(move |request, stream| {
        together.wait();
        echo(request, stream)
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let requests = (0..4).map(|n| ("tools/call".to_owned(), json!({"n": n}))).collect();
    let exchanges = session.pipeline(requests);
    let echoed: Vec<_> =
        exchanges.iter().map(|e| e.result().expect("the test server works")["n"].clone()).collect();
    assert_eq!(echoed, [0, 1, 2, 3]);
    assert!(exchanges.iter().all(|exchange| exchange.http.is_some()));
}

#[test]
fn more_requests_than_connections_wait_their_turn() {
    let server = legacy(echo);
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let requests = (0..100).map(|n| ("tools/call".to_owned(), json!({"n": n}))).collect();
    let exchanges = session.pipeline(requests);
    assert!(
        exchanges
            .iter()
            .enumerate()
            .all(|(n, exchange)| exchange.result().expect("the test server works")["n"] == n)
    );
    let connections = server
        .requests()
        .iter()
        .map(|request| request.connection)
        .max()
        .expect("the test server works");
    assert!(connections < 17, "{connections}");
}

#[test]
fn raw_requests_go_out_as_given() {
    let server = legacy(echo);
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let request = RawRequest {
        method: "POST".to_owned(),
        target: Some("/other?x=1".to_owned()),
        headers: vec![
            ("hOsT".to_owned(), "evil.example".to_owned()),
            ("X-Odd".to_owned(), " v ".to_owned()),
        ],
        body: b"{\"id\": 1, \"method\": \"tools/call\", \"params\": 2}".to_vec(),
        timeout: Duration::from_secs(10),
    };
    let response = session.raw_http(&request);
    assert_eq!((response.status, response.ended), (200, true));
    let seen = server.requests().pop().expect("the test server works");
    assert_eq!(seen.line, "POST /other?x=1 HTTP/1.1");
    assert_eq!(seen.headers[0], ("hOsT".to_owned(), "evil.example".to_owned()));
    assert_eq!(seen.headers.len(), 3);
    let head = RawRequest { method: "HEAD".to_owned(), body: Vec::new(), ..request };
    assert_eq!(session.raw_http(&head).status, 200);
}

#[test]
fn headers_can_be_patched() {
    let server = legacy(echo);
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let patch = vec![
        ("MCP-PROTOCOL-VERSION".to_owned(), Some("banana".to_owned())),
        ("Mcp-Session-Id".to_owned(), None),
    ];
    let options =
        RequestOptions { headers: HeaderOption::Patch(patch), ..RequestOptions::default() };
    session.request_with("tools/call", json!({}), &options);
    let seen = server.request("tools/call");
    assert!(seen.headers.contains(&("MCP-PROTOCOL-VERSION".to_owned(), "banana".to_owned())));
    assert_eq!(
        seen.headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("mcp-protocol-version"))
            .count(),
        1
    );
    assert_eq!(seen.header("mcp-session-id"), None);
}
