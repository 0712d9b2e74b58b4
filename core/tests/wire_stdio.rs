//! Sessions with real processes on pipes, well-behaved and faulty.

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tooltest_core::exchange::{Exchange, Reply};
use tooltest_core::input::{StdioTarget, Target};
use tooltest_core::message::Anomaly;
use tooltest_core::protocol::Revision;
use tooltest_core::session::{OpenError, Protocol, RequestOptions, Session, SessionOptions};
use tooltest_core::transport::{Rung, ShutdownPatience};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/server.py");

fn target(mode: &str) -> Target {
    let args = vec![SERVER.to_owned(), mode.to_owned()];
    Target::Stdio(StdioTarget { command: "python3".to_owned(), args, ..StdioTarget::default() })
}

fn options() -> SessionOptions {
    SessionOptions { protocol: Protocol::Fixed(Revision::V2025_11_25), ..SessionOptions::default() }
}

/// Gives up soon: for servers that do not answer.
fn impatient() -> SessionOptions {
    SessionOptions {
        request_timeout: Duration::from_millis(400),
        hard_timeout: Duration::from_millis(1500),
        ..options()
    }
}

fn open(mode: &str, options: &SessionOptions) -> Session {
    Session::open(&target(mode), options).unwrap_or_else(|error| panic!("{mode}: {error}"))
}

fn call(session: &mut Session) -> Exchange {
    session.request("tools/call", json!({"name": "x", "arguments": {}}))
}

#[test]
fn a_plain_server_is_identified_and_answers() {
    let mut session = open("fine", &options());
    assert_eq!(session.revision(), Revision::V2025_11_25);
    assert_eq!(session.server().name, "fixture");
    assert_eq!(session.server().version, "1.0");
    assert_eq!(session.server().instructions.as_deref(), Some("Be kind."));
    assert_eq!(session.server().capabilities, json!({"tools": {}}));
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"echo": {"name": "x", "arguments": {}}})));
    assert!(exchange.side.is_empty());
    let closing = session.close();
    assert_eq!(closing.rung, Rung::StdinClosed);
    assert_eq!(closing.exit.code, Some(0));
    assert!(!closing.left_behind);
}

#[test]
fn the_era_is_found_out_with_a_process_of_its_own() {
    let auto = SessionOptions::default();
    let mut session = open("fine", &auto);
    assert_eq!(session.revision(), Revision::V2025_11_25);
    assert!(matches!(call(&mut session).reply, Reply::Result(_)));
    assert_eq!(Session::detect(&target("fine"), &auto).unwrap(), Revision::V2025_11_25);
}

#[test]
fn a_server_that_ignores_unknown_methods_is_found_to_have_a_handshake() {
    let session = open("ignores_unknown", &SessionOptions::default());
    assert_eq!(session.revision(), Revision::V2025_11_25);
}

#[test]
fn a_server_that_names_the_versions_it_takes_gets_one_of_them() {
    let session = open("wants_older", &SessionOptions::default());
    assert_eq!(session.revision(), Revision::V2024_11_05);
}

#[test]
fn a_connection_without_a_word_can_be_opened_later() {
    let mut session = Session::connect(&target("fine"), &options()).unwrap();
    assert_eq!(session.request("ping", Value::Null).reply, Reply::Result(json!({})));
    session.handshake().unwrap();
    assert_eq!(session.server().name, "fixture");
}

#[test]
fn the_answered_version_counts_and_an_unknown_one_is_kept_for_the_report() {
    let session = open("counter_offer", &options());
    assert_eq!(session.revision(), Revision::V2025_03_26);
    let session = open("unknown_version", &options());
    assert_eq!(session.revision(), Revision::V2025_11_25);
    assert_eq!(session.server().protocol_version.as_deref(), Some("2099-01-01"));
}

#[test]
fn garbage_on_standard_output_is_kept_beside_the_answer() {
    let mut session = open("garbage", &options());
    let exchange = call(&mut session);
    assert!(matches!(exchange.reply, Reply::Result(_)));
    let odd: Vec<_> = exchange.side.iter().map(|frame| &frame.anomalies[0]).collect();
    assert!(
        matches!(
            odd[..],
            [
                Anomaly::NotJson { offset: 0, .. },
                Anomaly::BlankLine,
                Anomaly::NotUtf8 { offset: 0 }
            ]
        ),
        "{odd:?}"
    );
}

#[test]
fn a_banner_is_kept_with_the_opening() {
    let session = open("banner", &options());
    let opening = session.server().opening.as_ref().unwrap();
    assert_eq!(opening.side[0].preview(80), "Welcome to the server!");
}

#[test]
fn a_line_of_a_hundred_megabytes_is_cut() {
    let mut session = open("long_line", &SessionOptions { frame_cap: 1 << 20, ..options() });
    let exchange = call(&mut session);
    assert!(matches!(exchange.reply, Reply::Result(_)));
    assert_eq!(exchange.side[0].anomalies, [Anomaly::TooLong { bytes: 100_000_000 }]);
    assert!(exchange.side[0].bytes.len() < 10_000);
}

#[test]
fn an_answer_under_another_id_is_no_answer_but_is_kept() {
    for mode in ["wrong_id", "string_id"] {
        let mut session = open(mode, &options());
        let exchange = call(&mut session);
        assert!(
            matches!(&exchange.reply, Reply::Malformed(why) if why.contains("carries id")),
            "{mode}: {exchange:?}"
        );
        assert_ne!(exchange.frame.as_ref().and_then(|frame| frame.id()), Some(&exchange.id));
    }
}

#[test]
fn an_error_without_an_id_answers_the_only_request() {
    let mut session = open("null_id", &options());
    let exchange = call(&mut session);
    assert!(matches!(&exchange.reply, Reply::Error(error) if error.code == Some(-32600)));
    assert_eq!(exchange.frame.unwrap().id(), Some(&Value::Null));
}

#[test]
fn a_second_answer_is_kept() {
    let mut session = open("double", &options());
    let first = call(&mut session);
    let second = call(&mut session);
    assert!(matches!(second.reply, Reply::Result(_)));
    let mut kept: Vec<_> = session.stray();
    kept.extend(first.side);
    kept.extend(second.side);
    assert!(kept.iter().any(|frame| frame.id() == Some(&first.id)), "{kept:?}");
}

#[test]
fn a_mixture_of_result_and_error_is_malformed() {
    for mode in ["both", "with_method"] {
        let mut session = open(mode, &options());
        assert!(matches!(call(&mut session).reply, Reply::Malformed(_)), "{mode}");
    }
}

#[test]
fn an_answer_that_is_no_json_is_known_by_its_id() {
    let mut session = open("infinity", &options());
    let exchange = call(&mut session);
    assert!(
        matches!(&exchange.reply, Reply::Malformed(why) if why.contains("not JSON")),
        "{exchange:?}"
    );
    assert!(matches!(exchange.frame.unwrap().anomalies[..], [Anomaly::NotJson { .. }]));
}

#[test]
fn requests_of_the_server_are_answered_while_waiting() {
    let mut session =
        open("asks", &SessionOptions { roots: vec!["file:///r".to_owned()], ..options() });
    let exchange = call(&mut session);
    let answers = exchange.result().unwrap();
    assert_eq!(answers["q0"], json!({}));
    assert_eq!(answers["q1"], json!({"roots": [{"uri": "file:///r"}]}));
    assert_eq!(answers["q2"]["role"], "assistant");
    assert_eq!(answers["q3"], json!({"action": "accept", "content": {"n": 3}}));
    assert_eq!(answers["q4"], json!({"action": "decline"}));
    assert_eq!(answers["q5"]["code"], -32601);
    assert_eq!(exchange.side.len(), 6);
}

#[test]
fn progress_extends_the_deadline() {
    let mut session = open("progress", &SessionOptions { progress: true, ..impatient() });
    let exchange = call(&mut session);
    assert!(matches!(exchange.reply, Reply::Result(_)), "{:?}", exchange.reply);
    assert_eq!(exchange.side.len(), 6);
}

#[test]
fn progress_without_end_stops_at_the_hard_cap() {
    let mut session = open("endless_progress", &SessionOptions { progress: true, ..impatient() });
    assert_eq!(call(&mut session).reply, Reply::Silence { responsive: false });
}

#[test]
fn a_slow_tool_is_told_from_a_blocked_server_and_is_cancelled() {
    let mut session = open("silent", &impatient());
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Silence { responsive: true });
    let next = call(&mut session);
    let heard = &next.result().unwrap()["heard"][0];
    assert_eq!(heard["method"], "notifications/cancelled");
    assert_eq!(heard["params"]["requestId"], exchange.id);

    let mut session = open("blocked", &impatient());
    assert_eq!(call(&mut session).reply, Reply::Silence { responsive: false });
}

#[test]
fn a_late_answer_is_no_stray_one() {
    let mut session = open("late", &impatient());
    assert_eq!(call(&mut session).reply, Reply::Silence { responsive: true });
    assert_eq!(session.request("ping", Value::Null).reply, Reply::Result(json!({})));
    assert_eq!(session.late().len(), 1);
    assert!(session.stray().is_empty());
}

#[test]
fn a_crash_is_told_with_code_and_standard_error() {
    let mut session = open("dies", &options());
    let Reply::Closed(exit) = call(&mut session).reply else { panic!("not closed") };
    assert_eq!(exit.code, Some(3));
    assert!(exit.stderr.contains("it went wrong"));
    assert!(!session.is_open());
    assert_eq!(call(&mut session).reply, Reply::Closed(exit));
    assert_eq!(session.close().rung, Rung::Gone);

    let mut session = open("segfault", &options());
    let Reply::Closed(exit) = call(&mut session).reply else { panic!("not closed") };
    assert_eq!((exit.code, exit.signal), (None, Some(11)));
}

#[test]
fn a_crash_is_seen_although_a_grandchild_holds_the_pipes() {
    let mut session = open("orphan_and_exit", &options());
    let Reply::Closed(exit) = call(&mut session).reply else { panic!("not closed") };
    assert_eq!(exit.code, Some(3));
    assert!(session.close().left_behind);
}

#[test]
fn a_last_line_without_its_end_is_still_an_answer() {
    let mut session = open("half_line", &options());
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"echo": 1})));
    assert_eq!(exchange.frame.unwrap().anomalies, [Anomaly::Unterminated]);
}

#[test]
fn floods_do_not_hold_a_request_beyond_its_time() {
    for mode in ["floods", "endless_line"] {
        let mut session = open(mode, &impatient());
        let exchange = call(&mut session);
        assert_eq!(exchange.reply, Reply::Silence { responsive: false }, "{mode}");
        assert!(exchange.side.len() <= 1000);
    }
}

#[test]
fn standard_error_is_drained_and_its_end_is_kept() {
    let mut session = open("chatty_stderr", &options());
    assert!(matches!(call(&mut session).reply, Reply::Result(_)));
    let closing = session.close();
    assert!(closing.exit.stderr.ends_with("the end of it\n"));
    assert_eq!(closing.exit.stderr.len(), 64 * 1024);
}

#[test]
fn batches_are_taken_apart() {
    let mut session = open("batch", &options());
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({"echo": 1})));
    assert_eq!(exchange.frame.unwrap().anomalies, [Anomaly::Batch]);
    assert_eq!(exchange.side.len(), 1);
}

#[test]
fn pipelined_answers_are_matched_by_id() {
    let mut session = open("backwards", &options());
    let requests = (0..3).map(|n| ("tools/call".to_owned(), json!({"n": n}))).collect();
    let exchanges = session.pipeline(requests);
    let echoed: Vec<_> =
        exchanges.iter().map(|e| e.result().unwrap()["echo"]["n"].clone()).collect();
    assert_eq!(echoed, [0, 1, 2]);
}

#[test]
fn line_ends_and_byte_order_marks_are_noted() {
    let mut session = open("crlf", &options());
    let exchange = call(&mut session);
    assert_eq!(exchange.reply, Reply::Result(json!({})));
    assert_eq!(
        exchange.frame.unwrap().anomalies,
        [Anomaly::CarriageReturn, Anomaly::ByteOrderMark]
    );
}

#[test]
fn environment_and_folder_reach_the_server() {
    let Target::Stdio(mut stdio) = target("environment") else { unreachable!() };
    stdio.env.insert("FROM_TARGET".to_owned(), "a".to_owned());
    stdio.cwd = Some("/".to_owned());
    let extra_env = vec![("FROM_OPTIONS".to_owned(), "b".to_owned())];
    let mut session =
        Session::open(&Target::Stdio(stdio), &SessionOptions { extra_env, ..options() }).unwrap();
    let mut ask = |name: &str| session.request("x/env", json!({"name": name})).reply;
    assert_eq!(ask("FROM_TARGET"), Reply::Result(json!({"value": "a", "cwd": "/"})));
    assert_eq!(ask("FROM_OPTIONS"), Reply::Result(json!({"value": "b", "cwd": "/"})));
}

#[test]
fn a_large_request_to_a_server_that_does_not_read_ends_at_its_deadline() {
    let mut session = open("stops_reading", &impatient());
    assert!(matches!(call(&mut session).reply, Reply::Result(_)));
    let huge = json!({"text": "h".repeat(4_000_000)});
    assert_eq!(session.request("tools/call", huge).reply, Reply::Silence { responsive: false });
    assert!(!session.is_open());
}

#[test]
fn a_large_request_while_the_server_writes_does_not_lock() {
    let mut session = open("answers_before_reading", &options());
    let huge = json!({"text": "h".repeat(4_000_000)});
    let requests = vec![("tools/call".to_owned(), json!({})), ("tools/call".to_owned(), huge)];
    let exchanges = session.pipeline(requests);
    assert_eq!(exchanges[1].reply, Reply::Result(json!({"length": 4_000_000})));
}

#[test]
fn shutdown_climbs_only_as_far_as_it_must() {
    let shutdown = ShutdownPatience {
        stdin: Duration::from_millis(300),
        terminate: Duration::from_millis(300),
    };
    let options = SessionOptions { shutdown, ..options() };
    assert_eq!(open("ignores_stdin_close", &options).close().rung, Rung::Terminated);
    assert_eq!(open("ignores_terminate", &options).close().rung, Rung::Killed);
    let closing = open("leaves_child", &options).close();
    assert_eq!((closing.rung, closing.left_behind), (Rung::StdinClosed, true));
    let closing = open("talks_at_end", &SessionOptions::default()).close();
    assert_eq!(closing.frames[0].method(), Some("notifications/bye"));
}

#[test]
fn raw_bytes_go_out_as_they_are_and_any_frame_comes_in() {
    use tooltest_core::session::Received;
    let mut session = open("fine", &options());
    session.send_raw(br#"{"jsonrpc":"2.0","id":"own","#).unwrap();
    let soon = Instant::now() + Duration::from_millis(100);
    assert!(matches!(session.receive(soon), Received::Timeout));
    session.send_raw(b"\"method\":\"ping\"}\n").unwrap();
    let Received::Frame(frame) = session.receive(Instant::now() + Duration::from_secs(10)) else {
        panic!()
    };
    assert_eq!(frame.id(), Some(&json!("own")));
}

#[test]
fn ids_and_meta_can_be_chosen() {
    use tooltest_core::session::MetaOption;
    let mut session = open("fine", &options());
    let request = RequestOptions {
        id: Some(json!("chosen")),
        meta: MetaOption::Patch(json!({"k": 1})),
        progress_token: Some(json!("t")),
        ..RequestOptions::default()
    };
    let exchange = session.request_with("x/y", json!({"a": 1}), &request);
    assert_eq!(exchange.id, json!("chosen"));
    let sent = json!({"a": 1, "_meta": {"k": 1, "progressToken": "t"}});
    assert_eq!(exchange.reply, Reply::Result(json!({"echo": sent})));
    assert_eq!(exchange.params, sent);
}

#[test]
fn cancelling_ends_a_wait() {
    let options = options();
    let mut session = open("blocked", &options);
    let token = options.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    assert!(
        matches!(call(&mut session).reply, Reply::Closed(exit) if exit.detail.contains("cancelled"))
    );
    canceller.join().unwrap();
}

#[test]
fn servers_that_cannot_be_opened_say_why() {
    let command = |command: &str| {
        Target::Stdio(StdioTarget { command: command.to_owned(), ..StdioTarget::default() })
    };
    let error = |target: &Target, options: &SessionOptions| {
        Session::open(target, options).map(|_| ()).unwrap_err()
    };
    assert!(matches!(
        error(&command("no-such-program-here"), &options()),
        OpenError::CommandNotFound { .. }
    ));
    assert!(matches!(error(&command(SERVER), &options()), OpenError::NotExecutable { .. }));
    let folder = StdioTarget {
        command: "python3".to_owned(),
        cwd: Some("/no/such".to_owned()),
        ..StdioTarget::default()
    };
    assert!(matches!(
        error(&Target::Stdio(folder), &options()),
        OpenError::WorkingDirectory { .. }
    ));

    for options in [options(), SessionOptions::default()] {
        let exited = error(&target("exits"), &options);
        let OpenError::ExitedAtOnce { exit } = &exited else { panic!("{exited}") };
        assert_eq!((exit.code, exit.stderr.as_str()), (Some(7), "missing API key\n"));
        assert!(exited.to_string().contains("missing API key"), "{exited}");
    }

    let short = SessionOptions { startup_timeout: Duration::from_secs(3), ..options() };
    assert!(matches!(error(&target("never_answers"), &short), OpenError::Timeout { .. }));
    let garbage = error(&target("only_garbage"), &short);
    assert!(garbage.to_string().contains("Listening on port 3000"), "{garbage}");
    assert!(matches!(
        error(&target("refuses"), &options()),
        OpenError::Rejected { code: Some(-32602), .. }
    ));
}
