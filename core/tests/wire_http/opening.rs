//! Addresses that cannot be opened, TLS, and servers that go away.

use crate::http_server::{After, Server, reply};
use crate::{call, echo, legacy, options};
use serde_json::json;
use std::io::BufRead;
use std::time::Duration;
use tooltest_core::exchange::Reply;
use tooltest_core::input::{HttpTarget, Target};
use tooltest_core::session::{OpenError, Session, SessionOptions};

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
