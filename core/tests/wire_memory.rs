//! Sessions with servers in this process.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tooltest_core::exchange::Reply;
use tooltest_core::input::{InProcessTarget, Target};
use tooltest_core::message::{Anomaly, Channel};
use tooltest_core::protocol::Revision;
use tooltest_core::session::{Connector, OpenError, Session, SessionOptions};
use tooltest_core::transport::{MemoryChannel, MemoryPeer};

/// Runs a server on a thread for each connection.
struct Servers {
    started: AtomicUsize,
    ended: Arc<Mutex<usize>>,
}

impl Connector for Servers {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let number = self.started.fetch_add(1, Ordering::SeqCst);
        let (channel, peer) = MemoryChannel::pair();
        let ended = Arc::clone(&self.ended);
        std::thread::spawn(move || {
            serve(&peer, number);
            *ended.lock().expect("the test server works") += 1;
        });
        Ok(channel)
    }
}

fn serve(peer: &MemoryPeer, number: usize) {
    while let Ok(bytes) = peer.from_tester.recv() {
        let message: Value = serde_json::from_slice(&bytes).expect("the test server works");
        let result = match message["method"].as_str().expect("the test server works") {
            "initialize" => {
                json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "inside"}})
            }
            "server/discover" => {
                send(
                    peer,
                    &json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "?"}}),
                );
                continue;
            }
            "odd/one" => {
                peer.to_tester.send(b"odd".to_vec()).expect("the test server works");
                json!({"number": number})
            }
            "end/now" => return,
            _ if message.get("id").is_none() => continue,
            _ => message["params"].clone(),
        };
        send(peer, &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    }
}

fn send(peer: &MemoryPeer, message: &Value) {
    // The tester may have gone.
    let _ = peer.to_tester.send(message.to_string().into_bytes());
}

fn options() -> (SessionOptions, Arc<Servers>) {
    let servers = Arc::new(Servers { started: AtomicUsize::new(0), ended: Arc::default() });
    let connector: Arc<dyn Connector> = Arc::<Servers>::clone(&servers);
    (SessionOptions { connector: Some(connector), ..SessionOptions::default() }, servers)
}

fn target() -> Target {
    Target::InProcess(InProcessTarget { name: "inside".to_owned() })
}

#[test]
fn an_in_process_server_is_tested_like_any_other() {
    let (options, servers) = options();
    let mut session = Session::open(&target(), &options).expect("the test server works");
    assert_eq!(
        (session.revision(), session.server().name.as_str()),
        (Revision::V2025_06_18, "inside")
    );
    let requests = (0..3).map(|n| ("x/y".to_owned(), json!({"n": n}))).collect();
    for (n, exchange) in session.pipeline(requests).into_iter().enumerate() {
        assert_eq!(exchange.reply, Reply::Result(json!({"n": n})));
        assert_eq!(exchange.frame.expect("the test server works").channel, Channel::Memory);
    }
    // The era was found out on a connection of its own.
    let exchange = session.request("odd/one", Value::Null);
    assert_eq!(exchange.reply, Reply::Result(json!({"number": 1})));
    assert!(matches!(exchange.side[0].anomalies[..], [Anomaly::NotJson { .. }]));
    assert_eq!(servers.started.load(Ordering::SeqCst), 2);
    session.close();
    while *servers.ended.lock().expect("the test server works") < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_in_process_server_that_ends_is_closed() {
    let (options, _servers) = options();
    let mut session = Session::open(&target(), &options).expect("the test server works");
    assert!(matches!(session.request("end/now", Value::Null).reply, Reply::Closed(_)));
    assert!(!session.is_open());
}

#[test]
fn a_connection_that_fails_says_why() {
    struct Broken;
    impl Connector for Broken {
        fn connect(&self) -> Result<MemoryChannel, String> {
            Err("no event loop".to_owned())
        }
    }
    let options = SessionOptions { connector: Some(Arc::new(Broken)), ..SessionOptions::default() };
    let error = Session::open(&target(), &options).map(|_| ()).unwrap_err();
    assert_eq!(error, OpenError::Connect("no event loop".to_owned()));
    let none = Session::open(&target(), &SessionOptions::default()).map(|_| ()).unwrap_err();
    assert!(matches!(none, OpenError::Connect(_)));
}
