//! Event streams, requests of the server, silence.

use crate::http_server::{After, Server, chunk, event, handshake, reply, result, start_events};
use crate::{call, echo, impatient, legacy, options};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tooltest_core::exchange::Reply;
use tooltest_core::message::Channel;
use tooltest_core::session::{Session, SessionOptions};

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
