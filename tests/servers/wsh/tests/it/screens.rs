//! Reading screens and scrollback, and waiting for silence.

use serde_json::{Value, json};

use crate::support::{Outcome, on_all_ways, trimmed};

#[tokio::test]
async fn run_command_returns_the_screen_after_the_command() {
    on_all_ways(async |server| {
        server.session("a").await;
        let result = server.ok("wsh_run_command", json!({"session": "a", "input": "hello"})).await;
        assert_eq!(trimmed(&result["screen"]["lines"]), ["> hello", "hello", ">"]);
        assert_eq!(result["idle"], true);
        assert_eq!(result["generation"], result["screen"]["generation"]);
        assert_eq!(result["screen"]["cursor"], json!({"row": 2, "col": 2, "visible": true}));
        let again = server.ok("wsh_run_command", json!({"session": "a", "input": "two\n"})).await;
        assert!(again["generation"].as_u64() > result["generation"].as_u64());
    })
    .await;
}

#[tokio::test]
async fn run_command_past_its_deadline_is_an_error_with_the_screen_so_far() {
    on_all_ways(async |server| {
        server.session("a").await;
        let run =
            json!({"session": "a", "input": "spin 60000", "timeout_ms": 5000, "max_wait_ms": 300});
        let Outcome::ToolError { structured: Some(late), text } =
            server.call("wsh_run_command", run).await
        else {
            panic!("no error with a screen");
        };
        assert_eq!(late["idle"], false);
        assert_eq!(trimmed(&late["screen"]["lines"])[0], "> spin 60000");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), late);
        let wait = json!({"session": "a", "timeout_ms": 5000, "max_wait_ms": 0});
        assert!(
            server
                .refused("wsh_await_quiesce", wait)
                .await
                .contains("not silent for 5000 ms within 0 ms")
        );
    })
    .await;
}

#[tokio::test]
async fn generations_stay_while_nothing_is_printed() {
    on_all_ways(async |server| {
        server.session("a").await;
        let first = server.ok("wsh_await_quiesce", json!({"session": "a"})).await;
        let second = server.ok("wsh_await_quiesce", json!({"session": "a"})).await;
        assert_eq!(first, second);
        assert_eq!(first["generation"], 2, "the prompt has two bytes");
    })
    .await;
}

#[tokio::test]
async fn styled_screens_tell_colours_and_plain_ones_do_not() {
    on_all_ways(async |server| {
        server.session("a").await;
        let run = json!({"session": "a", "input": "colors", "format": "styled"});
        let result = server.ok("wsh_run_command", run).await;
        assert_eq!(
            result["screen"]["lines"][1],
            json!([
                {"text": "red", "fg": "1", "bold": true},
                {"text": " "},
                {"text": "green", "bg": "2"},
                {"text": " "},
                {"text": "line", "underline": true},
            ])
        );
        assert_eq!(server.lines("a").await[1], "red green line");
        let styled = server.ok("wsh_get_screen", json!({"session": "a", "format": "styled"})).await;
        assert_eq!(styled["lines"], result["screen"]["lines"]);
    })
    .await;
}

#[tokio::test]
async fn pages_of_large_output_join_to_the_whole() {
    on_all_ways(async |server| {
        server.session("a").await;
        server
            .ok("wsh_run_command", json!({"session": "a", "input": "seq 5000", "timeout_ms": 300}))
            .await;
        let (mut lines, mut offset) = (Vec::new(), json!(0));
        loop {
            let page = json!({"session": "a", "offset": offset, "limit": 1000});
            let page = server.ok("wsh_get_scrollback", page).await;
            assert_eq!(page["total"], 5002);
            lines.extend(trimmed(&page["lines"]));
            match page.get("next_offset") {
                Some(next) => offset = next.clone(),
                None => break,
            }
        }
        let mut expected = vec!["> seq 5000".to_owned()];
        expected.extend((1..=5000).map(|n| n.to_string()));
        expected.push(">".to_owned());
        assert_eq!(lines, expected);
    })
    .await;
}

#[tokio::test]
async fn scrollback_has_defaults_and_an_end() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "seq 200"})).await;
        let first = server.ok("wsh_get_scrollback", json!({"session": "a"})).await;
        assert_eq!((&first["offset"], &first["next_offset"]), (&json!(0), &json!(100)));
        assert_eq!(first["lines"].as_array().unwrap().len(), 100);
        let beyond =
            server.ok("wsh_get_scrollback", json!({"session": "a", "offset": 1_000_000})).await;
        assert_eq!(beyond["lines"], json!([]));
        assert_eq!(beyond.get("next_offset"), None);
        let styled = json!({"session": "a", "offset": 200, "limit": 1, "format": "styled"});
        assert_eq!(
            server.ok("wsh_get_scrollback", styled).await["lines"],
            json!([[{"text": "200"}]])
        );
    })
    .await;
}

#[tokio::test]
async fn a_full_screen_program_has_no_scrollback_of_its_own() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "seq 40"})).await;
        let inside = server.ok("wsh_run_command", json!({"session": "a", "input": "alt"})).await;
        assert_eq!(inside["screen"]["alternate"], true);
        assert_eq!(trimmed(&inside["screen"]["lines"]), [">"]);
        let outside = server.ok("wsh_run_command", json!({"session": "a", "input": "noalt"})).await;
        assert_eq!(outside["screen"]["alternate"], false);
        assert!(trimmed(&outside["screen"]["lines"]).contains(&"40".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn sessions_work_side_by_side() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.session("b").await;
        let run = |name: &str| {
            server.ok("wsh_run_command", json!({"session": name, "input": format!("only {name}")}))
        };
        let (a, b) = tokio::join!(run("a"), run("b"));
        assert_eq!(trimmed(&a["screen"]["lines"]), ["> only a", "only a", ">"]);
        assert_eq!(trimmed(&b["screen"]["lines"]), ["> only b", "only b", ">"]);
    })
    .await;
}

#[tokio::test]
async fn the_smallest_terminal_works() {
    on_all_ways(async |server| {
        server.ok("wsh_create_session", json!({"name": "a", "rows": 2, "cols": 2})).await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "漢字🦀 abc"})).await;
        let screen = server.ok("wsh_get_screen", json!({"session": "a", "format": "styled"})).await;
        assert_eq!(screen["lines"].as_array().unwrap().len(), 2);
    })
    .await;
}
