//! The stateless revision and the oldest transport.

use crate::http_server::{After, Server, chunk, event, reply, reply_json, result, start_events};
use crate::{call, impatient};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;
use tooltest_core::exchange::Reply;
use tooltest_core::input::{HttpTarget, Target};
use tooltest_core::message::Channel;
use tooltest_core::protocol::Revision;
use tooltest_core::session::{ParamHeader, Protocol, Session, SessionOptions};

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
            "notifications/initialized" | "notifications/cancelled" => Value::Null,
            "ping" => json!({}),
            _ => request.json()["params"].clone(),
        };
        if answer["name"] == "refuse" {
            reply(stream, "400 Bad Request", "", b"Could not parse message");
            return After::Keep;
        }
        reply(stream, "202 Accepted", "", b"Accepted");
        let message = if answer["name"] == "end" { json!("end") } else { result(request, answer) };
        if request.method() == "ping" {
            std::thread::sleep(Duration::from_millis(200));
        }
        if request.method() == "tools/call" && message["result"]["name"] == "stuck" {
            return After::Keep;
        }
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
fn the_oldest_transport_is_asked_for_a_sign_of_life_until_it_answers() {
    let target = Target::Sse(HttpTarget { url: oldest().url, ..HttpTarget::default() });
    let mut session = Session::open(&target, &impatient()).expect("the test server works");
    let stuck = session.request("tools/call", json!({"name": "stuck"}));
    assert_eq!(stuck.reply, Reply::Silence { responsive: true });
    // By then an answer that was not waited for would have come.
    std::thread::sleep(Duration::from_millis(300));
    let next = call(&mut session);
    assert_eq!(next.reply, Reply::Result(json!({"name": "x"})));
    assert!(stuck.side.is_empty() && next.side.is_empty(), "{next:?}");
}
