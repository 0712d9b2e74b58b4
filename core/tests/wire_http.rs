//! Sessions over real HTTP on loopback, well-behaved and faulty.

mod http_server;

use http_server::{
    After, Request, Server, chunk, event, handshake, reply, reply_json, result, start_events,
};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;
use tooltest_core::exchange::{Exchange, Reply};
use tooltest_core::input::{HttpTarget, Target};
use tooltest_core::message::{Anomaly, Channel};
use tooltest_core::protocol::Revision;
use tooltest_core::session::{
    HeaderOption, OpenError, ParamHeader, Protocol, RawRequest, RequestOptions, Session,
    SessionOptions,
};

fn options() -> SessionOptions {
    SessionOptions {
        protocol: Protocol::Fixed(Revision::V2025_11_25),
        listen: false,
        ..SessionOptions::default()
    }
}

fn impatient() -> SessionOptions {
    SessionOptions { request_timeout: Duration::from_millis(400), ..options() }
}

/// A server with a handshake whose other requests are answered by `handler`.
fn legacy(handler: impl Fn(&Request, &mut TcpStream) -> After + Send + Sync + 'static) -> Server {
    Server::start(move |request, stream| {
        handshake(request, stream).unwrap_or_else(|| handler(request, stream))
    })
}

fn echo(request: &Request, stream: &mut TcpStream) -> After {
    reply_json(stream, "200 OK", &result(request, request.json()["params"].clone()));
    After::Keep
}

fn call(session: &mut Session) -> Exchange {
    session.request("tools/call", json!({"name": "x"}))
}

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
fn an_answer_in_an_event_stream_split_anywhere_is_read() {
    let server = legacy(|request, stream| {
        start_events(stream);
        let note =
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "é"}});
        let text = format!(
            ": hi\nid: 1\ndata:\n\n{}{}",
            event(&note),
            event(&result(request, json!({"n": 1})))
        );
        let mut cut = 1;
        let mut rest = text.as_str();
        while !rest.is_empty() {
            while !rest.is_char_boundary(cut.min(rest.len())) {
                cut += 1;
            }
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            chunk(stream, piece);
            rest = after;
            cut = cut % 7 + 1;
        }
        chunk(stream, "");
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"n": 1})));
    assert_eq!(
        exchange.side[0].value.as_ref().expect("the test server works")["params"]["data"],
        "é"
    );
    let http = exchange.http.expect("the test server works");
    assert_eq!(http.events.len(), 3);
    assert_eq!((http.events[0].id.as_deref(), http.events[0].data.as_str()), (Some("1"), ""));
    assert!(http.ended && http.body.is_empty());
    call(&mut session);
    assert!(server.requests().iter().all(|request| request.connection == 0));
}

#[test]
fn a_stream_that_stays_open_after_the_answer_is_left() {
    let server = legacy(|request, stream| {
        start_events(stream);
        chunk(stream, &event(&result(request, json!({}))));
        std::thread::sleep(Duration::from_secs(60));
        After::Close
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({})));
    assert!(!exchange.http.expect("the test server works").ended);
    assert!(matches!(call(&mut session).reply, Reply::Result(_)));
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
fn requests_of_the_server_are_answered_by_post() {
    let (sender, receiver) = channel();
    let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
    let server = legacy(move |request, stream| {
        if request.method().is_empty() {
            sender
                .lock()
                .expect("the test server works")
                .send(request.json())
                .expect("the test server works");
            reply(stream, "202 Accepted", "", b"");
            return After::Keep;
        }
        start_events(stream);
        chunk(stream, &event(&json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"})));
        let answer =
            receiver.lock().expect("the test server works").recv().expect("the test server works");
        chunk(stream, &event(&result(request, json!({"heard": answer}))));
        chunk(stream, "");
        After::Keep
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    let heard = &exchange.result().expect("the test server works")["heard"];
    assert_eq!((&heard["id"], &heard["result"]), (&json!("q"), &json!({"roots": []})));
}

#[test]
fn the_stand_alone_stream_is_listened_to() {
    let (sender, receiver) = channel();
    let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
    let server = Server::start(move |request, stream| {
        if request.is("GET") {
            start_events(stream);
            chunk(stream, &event(&json!({"jsonrpc": "2.0", "id": "g", "method": "ping"})));
            std::thread::sleep(Duration::from_secs(60));
            return After::Close;
        }
        if request.json()["id"] == "g" {
            sender.lock().expect("the test server works").send(()).expect("the test server works");
            reply(stream, "202 Accepted", "", b"");
            return After::Keep;
        }
        handshake(request, stream).unwrap_or_else(|| {
            receiver.lock().expect("the test server works").recv().expect("the test server works");
            echo(request, stream)
        })
    });
    let options = SessionOptions { listen: true, ..options() };
    let mut session = Session::open(&server.target(), &options).expect("the test server works");
    let exchange = call(&mut session);
    assert!(matches!(exchange.reply, Reply::Result(_)));
    assert_eq!(exchange.side[0].channel, Channel::GetStream);
}

#[test]
fn a_server_without_a_stand_alone_stream_is_noted() {
    let server = legacy(echo);
    let options = SessionOptions { listen: true, ..options() };
    let mut session = Session::open(&server.target(), &options).expect("the test server works");
    call(&mut session);
    call(&mut session);
    let side = session.http_side();
    assert!(side.iter().any(|(what, http)| what == "GET" && http.status == 405), "{side:?}");
}

#[test]
fn a_stream_that_closed_early_is_taken_up_again() {
    let request_id = Arc::new(Mutex::new(Value::Null));
    let server = Server::start(move |request, stream| {
        if request.is("GET") {
            assert_eq!(request.header("last-event-id"), Some("e1"));
            start_events(stream);
            let answer = json!({"jsonrpc": "2.0", "id": *request_id.lock().expect("the test server works"), "result": {"resumed": true}});
            chunk(stream, &event(&answer));
            chunk(stream, "");
            return After::Keep;
        }
        handshake(request, stream).unwrap_or_else(|| {
            *request_id.lock().expect("the test server works") = request.json()["id"].clone();
            start_events(stream);
            chunk(stream, "id: e1\nretry: 10\ndata:\n\n");
            chunk(stream, "");
            After::Keep
        })
    });
    let mut session = Session::open(&server.target(), &options()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"resumed": true})));
    assert_eq!(exchange.http.expect("the test server works").events.len(), 2);
}

#[test]
fn silence_is_told_apart_and_cancelled() {
    let server = legacy(|_, _| {
        std::thread::sleep(Duration::from_secs(60));
        After::Close
    });
    let mut session = Session::open(&server.target(), &impatient()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Silence { responsive: true });
    assert!(matches!(session.request("ping", Value::Null).reply, Reply::Result(_)));
    let cancelled = server.request("notifications/cancelled");
    assert_eq!(cancelled.json()["params"]["requestId"], exchange.id);
}

#[test]
fn comments_without_end_do_not_hold_a_request_beyond_its_time() {
    let server = legacy(|_, stream| {
        start_events(stream);
        while stream.write_all(b"3\r\n:x\n\r\n").is_ok() {}
        After::Close
    });
    let mut session = Session::open(&server.target(), &impatient()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Silence { responsive: true });
    assert!(!exchange.http.expect("the test server works").ended);
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

/// A server of 2026-07-28; `tools/call` asks for input twice.
fn modern() -> Server {
    Server::start(|request, stream| {
        let message = request.json();
        let meta = &message["params"]["_meta"];
        let complete = |mut value: Value| {
            value["resultType"] = json!("complete");
            result(request, value)
        };
        match request.method().as_str() {
            "server/discover" => {
                assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
                assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "tooltest");
                let server_info = json!({"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "2"}});
                let discovered = json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "_meta": server_info});
                reply_json(stream, "200 OK", &complete(discovered));
            }
            "tools/call" => {
                let answers = &message["params"]["inputResponses"];
                let answer = match message["params"]["requestState"].as_str() {
                    None => {
                        json!({"resultType": "input_required", "requestState": "one", "inputRequests": {
                        "who": {"method": "elicitation/create", "params": {"message": "?", "requestedSchema":
                            {"type": "object", "properties": {"name": {"type": "string"}}}}},
                        "where": {"method": "roots/list"}}})
                    }
                    Some("one") => {
                        assert_eq!(
                            answers["who"],
                            json!({"action": "accept", "content": {"name": "test"}})
                        );
                        assert_eq!(answers["where"], json!({"roots": []}));
                        json!({"resultType": "input_required", "requestState": "two"})
                    }
                    Some(_) => {
                        assert_eq!(*answers, Value::Null);
                        json!({"resultType": "complete", "content": [], "arguments": message["params"]["arguments"]})
                    }
                };
                reply_json(stream, "200 OK", &result(request, answer));
            }
            "slow/one" => std::thread::sleep(Duration::from_secs(60)),
            _ => reply_json(stream, "200 OK", &complete(json!({}))),
        }
        After::Keep
    })
}

#[test]
fn a_modern_server_is_found_out_and_its_questions_are_answered() {
    let server = modern();
    let mut session =
        Session::open(&server.target(), &SessionOptions::default()).expect("the test server works");
    assert_eq!(session.revision(), Revision::V2026_07_28);
    assert_eq!(
        (session.server().name.as_str(), session.server().version.as_str()),
        ("modern", "2")
    );
    session.set_param_headers(
        "naïve",
        vec![ParamHeader { pointer: "/region".to_owned(), name: "Region".to_owned() }],
    );
    let exchange =
        session.request("tools/call", json!({"name": "naïve", "arguments": {"region": "eu"}}));
    assert_eq!(
        exchange.result().expect("the test server works")["arguments"],
        json!({"region": "eu"})
    );
    assert_eq!(exchange.rounds.len(), 2);
    assert_eq!(exchange.rounds[0]["requestState"], "one");
    let calls: Vec<_> =
        server.requests().into_iter().filter(|r| r.method() == "tools/call").collect();
    let ids: Vec<_> = calls.iter().map(|request| request.json()["id"].clone()).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    for request in &calls {
        assert_eq!(request.header("Mcp-Method"), Some("tools/call"));
        assert_eq!(request.header("Mcp-Name"), Some("=?base64?bmHDr3Zl?="));
        assert_eq!(request.header("Mcp-Param-Region"), Some("eu"));
        assert_eq!(request.header("MCP-Protocol-Version"), Some("2026-07-28"));
        assert_eq!(request.header("Mcp-Session-Id"), None);
    }
    assert_eq!(session.close().http_delete, None);
}

#[test]
fn a_modern_request_is_cancelled_by_closing_its_stream() {
    let server = modern();
    let fixed = Protocol::Fixed(Revision::V2026_07_28);
    let mut session =
        Session::open(&server.target(), &SessionOptions { protocol: fixed, ..impatient() })
            .expect("the test server works");
    assert_eq!(session.request("slow/one", json!({})).reply, Reply::Silence { responsive: true });
    assert!(server.requests().iter().all(|request| request.method() != "notifications/cancelled"));
}

/// A server of 2024-11-05: one stream, and POSTs elsewhere.
fn oldest() -> Server {
    let (sender, receiver) = channel::<Value>();
    let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
    Server::start(move |request, stream| {
        if request.is("GET") {
            start_events(stream);
            chunk(stream, "event: endpoint\ndata: /messages?session=7\n\n");
            while let Ok(message) = receiver.lock().expect("the test server works").recv() {
                if message == "end" {
                    break;
                }
                chunk(stream, &event(&message));
            }
            return After::Close;
        }
        if !request.line.contains("/messages?session=7") {
            reply(stream, "405 Method Not Allowed", "", b"");
            return After::Keep;
        }
        let answer = match request.method().as_str() {
            "initialize" => {
                json!({"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "old"}})
            }
            "notifications/initialized" => Value::Null,
            _ => request.json()["params"].clone(),
        };
        if answer["name"] == "refuse" {
            reply(stream, "400 Bad Request", "", b"Could not parse message");
            return After::Keep;
        }
        reply(stream, "202 Accepted", "", b"Accepted");
        let message = if answer["name"] == "end" { json!("end") } else { result(request, answer) };
        if !message["result"].is_null() || message == "end" {
            sender
                .lock()
                .expect("the test server works")
                .send(message)
                .expect("the test server works");
        }
        After::Keep
    })
}

#[test]
fn the_oldest_transport_is_found_when_post_is_refused() {
    let server = oldest();
    let mut session =
        Session::open(&server.target(), &SessionOptions::default()).expect("the test server works");
    assert_eq!(
        (session.revision(), session.server().name.as_str()),
        (Revision::V2024_11_05, "old")
    );
    assert_eq!(call(&mut session).reply, Reply::Result(json!({"name": "x"})));
}

#[test]
fn the_oldest_transport_answers_on_its_stream() {
    let target = Target::Sse(HttpTarget { url: oldest().url, ..HttpTarget::default() });
    let mut session =
        Session::open(&target, &SessionOptions::default()).expect("the test server works");
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"name": "x"})));
    assert_eq!(exchange.http.expect("the test server works").status, 202);
    assert_eq!(exchange.frame.expect("the test server works").channel, Channel::GetStream);
    let refused = session.request("tools/call", json!({"name": "refuse"}));
    assert!(
        matches!(&refused.reply, Reply::Malformed(why) if why.contains("HTTP 400")),
        "{refused:?}"
    );
    let ended = session.request("tools/call", json!({"name": "end"}));
    assert!(
        matches!(&ended.reply, Reply::Closed(exit) if exit.detail.contains("closed")),
        "{ended:?}"
    );
    assert!(!session.is_open());
}

#[test]
fn urls_that_cannot_be_opened_say_why() {
    let error = |url: &str| {
        let target = Target::Http(HttpTarget { url: url.to_owned(), ..HttpTarget::default() });
        Session::open(&target, &SessionOptions::default()).map(|_| ()).unwrap_err()
    };
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("the test server works")
        .local_addr()
        .expect("the test server works");
    assert!(matches!(error(&format!("http://{free}/mcp")), OpenError::Refused { .. }));
    assert!(matches!(error("localhost:8000"), OpenError::BadUrl { .. }));
    assert!(matches!(error("http://no-such-host.invalid/mcp"), OpenError::Unreachable { .. }));

    let plain = legacy(echo);
    assert!(matches!(error(&plain.url.replace("http:", "https:")), OpenError::Tls { .. }));

    for (status, expected) in
        [("401 Unauthorized", 401), ("404 Not Found", 404), ("307 Temporary Redirect", 307)]
    {
        let server = Server::start(move |_, stream| {
            reply(stream, status, "Content-Type: text/html\r\nLocation: /new\r\n", b"<html>");
            After::Keep
        });
        let error = error(&server.url);
        assert!(
            matches!(error, OpenError::HttpStatus { status, .. } if status == expected),
            "{error}"
        );
    }
    let bad = HttpTarget {
        url: plain.url.clone(),
        headers: [("a b".to_owned(), "x".to_owned())].into(),
        auth_token: None,
    };
    assert!(matches!(
        Session::open(&Target::Http(bad), &options()),
        Err(OpenError::BadHeader { .. })
    ));
}

#[test]
fn a_server_that_goes_away_closes_the_session() {
    let script = "import http.server, json, os, sys\n\
        class H(http.server.BaseHTTPRequestHandler):\n\
        \tdef do_POST(self):\n\
        \t\tm = json.loads(self.rfile.read(int(self.headers['content-length'])))\n\
        \t\tif m['method'] == 'tools/call': os._exit(1)\n\
        \t\tr = {'protocolVersion': '2025-11-25', 'capabilities': {}, 'serverInfo': {'name': 'py', 'version': '1'}}\n\
        \t\tself.send_response(200); self.send_header('content-type', 'application/json'); self.end_headers()\n\
        \t\tself.wfile.write(json.dumps({'jsonrpc': '2.0', 'id': m.get('id'), 'result': r}).encode())\n\
        s = http.server.HTTPServer(('127.0.0.1', 0), H); print(s.server_port, flush=True); s.serve_forever()\n";
    let mut child = std::process::Command::new("python3")
        .args(["-c", script])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the test server works");
    let mut port = String::new();
    std::io::BufReader::new(child.stdout.take().expect("the test server works"))
        .read_line(&mut port)
        .expect("the test server works");
    let url = format!("http://127.0.0.1:{}/mcp", port.trim());
    let target = Target::Http(HttpTarget { url, ..HttpTarget::default() });
    let mut session = Session::open(&target, &options()).expect("the test server works");
    assert!(matches!(call(&mut session).reply, Reply::Closed(_)));
    child.wait().expect("the test server works");
    assert!(
        matches!(call(&mut session).reply, Reply::Closed(exit) if exit.detail.contains("refused"))
    );
    assert!(!session.is_open());
}

#[test]
fn cancelling_ends_a_wait() {
    let server = legacy(|_, _| {
        std::thread::sleep(Duration::from_secs(60));
        After::Close
    });
    let options = options();
    let mut session = Session::open(&server.target(), &options).expect("the test server works");
    let token = options.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    assert!(
        matches!(call(&mut session).reply, Reply::Closed(exit) if exit.detail.contains("cancelled"))
    );
    canceller.join().expect("the test server works");
    assert_eq!(
        Session::open(&server.target(), &options).map(|_| ()).unwrap_err(),
        OpenError::Cancelled
    );
}

/// Runs in a process of its own, whose environment names the certificate to trust.
#[test]
#[ignore = "started by a_certificate_that_the_system_trusts_is_accepted"]
fn tls_child() {
    let url = std::env::var("TLS_TEST_URL").expect("the test server works");
    let target = Target::Http(HttpTarget { url, ..HttpTarget::default() });
    let mut session = Session::open(&target, &options()).expect("the test server works");
    for _ in 0..3 {
        let exchange = session.request("tools/call", json!({"text": "t".repeat(200_000)}));
        assert_eq!(
            exchange.result().expect("the test server works")["text"]
                .as_str()
                .expect("the test server works")
                .len(),
            200_000
        );
    }
}

#[test]
fn a_certificate_that_the_system_trusts_is_accepted() {
    let folder = tempfile::tempdir().expect("the test server works");
    let server = TlsServer::start(folder.path());
    let target = Target::Http(HttpTarget { url: server.url.clone(), ..HttpTarget::default() });
    let unknown = Session::open(&target, &options()).map(|_| ()).unwrap_err();
    assert!(
        matches!(&unknown, OpenError::Tls { reason, .. } if reason.contains("certificate")),
        "{unknown}"
    );
    let child = std::process::Command::new(std::env::current_exe().expect("the test server works"))
        .args(["--ignored", "--exact", "tls_child"])
        .env("TLS_TEST_URL", &server.url)
        .env("SSL_CERT_FILE", folder.path().join("certificate.pem"))
        .output()
        .expect("the test server works");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

/// An echoing server with a certificate of its own making.
struct TlsServer {
    child: std::process::Child,
    url: String,
}

impl TlsServer {
    fn start(folder: &std::path::Path) -> Self {
        let (key, certificate) = (folder.join("key.pem"), folder.join("certificate.pem"));
        let made = std::process::Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
            ])
            .args([
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
            .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .expect("the test server works");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tls_server.py");
        let mut child = std::process::Command::new("python3")
            .arg(script)
            .args([&certificate, &key])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the test server works");
        let mut port = String::new();
        std::io::BufReader::new(child.stdout.take().expect("the test server works"))
            .read_line(&mut port)
            .expect("the test server works");
        Self { child, url: format!("https://localhost:{}/mcp", port.trim()) }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
