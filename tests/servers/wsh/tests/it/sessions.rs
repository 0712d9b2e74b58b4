//! Making, finding, renaming and ending sessions, and typing into them.

use serde_json::json;

use crate::support::{Outcome, on_all_ways, on_all_ways_with};

#[tokio::test]
async fn sessions_get_names_and_are_listed_in_order() {
    on_all_ways(async |server| {
        server.session("zeta").await;
        let made = server.ok("wsh_create_session", json!({"rows": 30, "cols": 100})).await;
        assert_eq!(made["session"], "s1");
        assert_eq!((&made["rows"], &made["cols"]), (&json!(30), &json!(100)));
        assert!(made["pid"].as_u64().unwrap() > 1);

        let all = server.ok("wsh_list_sessions", json!({})).await;
        let names: Vec<&str> = all["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["s1", "zeta"]);
        let one = server.ok("wsh_list_sessions", json!({"session": "s1"})).await;
        assert_eq!(
            one["sessions"],
            json!([{"name": "s1", "pid": made["pid"], "rows": 30, "cols": 100, "running": true}])
        );
    })
    .await;
}

#[tokio::test]
async fn a_taken_name_is_refused_and_nothing_is_made() {
    on_all_ways(async |server| {
        server.session("a").await;
        let text = server.refused("wsh_create_session", json!({"name": "a"})).await;
        assert!(text.contains("\"a\" exists"), "{text}");
        let all = server.ok("wsh_list_sessions", json!({})).await;
        assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn made_up_names_avoid_taken_ones() {
    on_all_ways(async |server| {
        server.session("s1").await;
        server.session("s3").await;
        let mut names = Vec::new();
        for _ in 0..2 {
            names.push(server.ok("wsh_create_session", json!({})).await["session"].clone());
        }
        assert_eq!(names, ["s2", "s4"]);
    })
    .await;
}

#[tokio::test]
async fn many_sessions_made_at_once_are_all_there() {
    on_all_ways(async |server| {
        let create = || server.ok("wsh_create_session", json!({}));
        let made = tokio::join!(create(), create(), create(), create());
        let mut names = [&made.0, &made.1, &made.2, &made.3]
            .map(|value| value["session"].as_str().unwrap().to_owned());
        names.sort();
        assert_eq!(names, ["s1", "s2", "s3", "s4"]);
        let all = server.ok("wsh_list_sessions", json!({})).await;
        assert_eq!(all["sessions"].as_array().unwrap().len(), 4);
    })
    .await;
}

#[tokio::test]
async fn rename_moves_a_session() {
    on_all_ways(async |server| {
        server.session("old").await;
        server.session("other").await;
        let rename = |to: &str| json!({"session": "old", "action": "rename", "new_name": to});
        assert!(server.refused("wsh_manage_session", rename("other")).await.contains("exists"));
        assert!(
            server
                .refused("wsh_manage_session", json!({"session": "old", "action": "rename"}))
                .await
                .contains("new_name")
        );
        server.ok("wsh_manage_session", rename("old")).await;
        let renamed = server.ok("wsh_manage_session", rename("new")).await;
        assert_eq!(renamed, json!({"session": "new", "action": "rename"}));
        server.lines("new").await;
        assert!(matches!(
            server.call("wsh_get_screen", json!({"session": "old"})).await,
            Outcome::Rpc { .. }
        ));
    })
    .await;
}

#[tokio::test]
async fn kill_removes_a_session() {
    on_all_ways(async |server| {
        server.session("a").await;
        let kill = json!({"session": "a", "action": "kill"});
        assert!(
            server
                .refused(
                    "wsh_manage_session",
                    json!({"session": "a", "action": "kill", "new_name": "b"})
                )
                .await
                .contains("rename only")
        );
        assert_eq!(
            server.ok("wsh_manage_session", kill.clone()).await,
            json!({"session": "a", "action": "kill"})
        );
        assert_eq!(server.ok("wsh_list_sessions", json!({})).await, json!({"sessions": []}));
        assert!(matches!(server.call("wsh_manage_session", kill).await, Outcome::Rpc { .. }));
        server.session("a").await;
    })
    .await;
}

#[tokio::test]
async fn every_tool_names_the_session_it_does_not_know() {
    on_all_ways(async |server| {
        for (tool, mut arguments) in [
            ("wsh_list_sessions", json!({})),
            ("wsh_manage_session", json!({"action": "kill"})),
            ("wsh_send_input", json!({"input": "x"})),
            ("wsh_get_screen", json!({})),
            ("wsh_get_scrollback", json!({})),
            ("wsh_await_quiesce", json!({})),
            ("wsh_run_command", json!({"input": "x"})),
            ("wsh_overlay", json!({})),
            ("wsh_remove_overlay", json!({})),
            ("wsh_panel", json!({})),
            ("wsh_remove_panel", json!({})),
            ("wsh_input_mode", json!({})),
            ("wsh_screen_mode", json!({})),
        ] {
            arguments["session"] = json!("nobody-here");
            let expected =
                Outcome::Rpc { code: -32602, message: "unknown session: nobody-here".to_owned() };
            assert_eq!(server.call(tool, arguments).await, expected, "{tool}");
        }
    })
    .await;
}

#[tokio::test]
async fn input_reaches_the_program() {
    on_all_ways(async |server| {
        server.session("a").await;
        let sent =
            server.ok("wsh_send_input", json!({"session": "a", "input": "grüße 漢字 🦀\n"})).await;
        assert_eq!(sent, json!({"session": "a", "bytes": 20, "delivered": true}));
        server.ok("wsh_await_quiesce", json!({"session": "a"})).await;
        assert_eq!(server.lines("a").await, ["> grüße 漢字 🦀", "grüße 漢字 🦀", ">"]);
    })
    .await;
}

#[tokio::test]
async fn input_may_be_base64() {
    on_all_ways(async |server| {
        server.session("a").await;
        let input = |text: &str| json!({"session": "a", "input": text, "encoding": "base64"});
        // "base\n"
        assert_eq!(server.ok("wsh_send_input", input("YmFzZQo=")).await["bytes"], 5);
        server.ok("wsh_await_quiesce", json!({"session": "a"})).await;
        assert_eq!(server.lines("a").await, ["> base", "base", ">"]);
        for bad in ["YmFzZQo", "Ymf?", "é"] {
            assert!(server.refused("wsh_send_input", input(bad)).await.contains("base64"), "{bad}");
        }
        assert_eq!(server.ok("wsh_send_input", input("")).await["bytes"], 0);
    })
    .await;
}

#[tokio::test]
async fn a_program_that_ends_leaves_its_last_screen() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "last words"})).await;
        server.ok("wsh_send_input", json!({"session": "a", "input": "exit\n"})).await;
        loop {
            let one = server.ok("wsh_list_sessions", json!({"session": "a"})).await;
            if one["sessions"][0]["running"] == false {
                break;
            }
        }
        assert_eq!(server.lines("a").await[..2], ["> last words", "last words"]);
        assert!(
            server
                .refused("wsh_send_input", json!({"session": "a", "input": "x"}))
                .await
                .contains("ended")
        );
        assert!(
            server
                .refused("wsh_run_command", json!({"session": "a", "input": "x"}))
                .await
                .contains("ended")
        );
        server.ok("wsh_manage_session", json!({"session": "a", "action": "kill"})).await;
    })
    .await;
}

#[tokio::test]
async fn a_real_shell_gets_folder_variables_and_size() {
    let args = ["--shell", "sh", "--idle-ms", "300"];
    on_all_ways_with(&args, async |server| {
        let folder = tempfile::tempdir().unwrap();
        let cwd = folder.path().canonicalize().unwrap();
        let made = json!({"name": "a", "cwd": cwd, "env": {"COLOUR": "grün", "PS1": "$ "}, "rows": 31, "cols": 99});
        server.ok("wsh_create_session", made).await;
        let run = json!({"session": "a", "input": "echo \"$COLOUR:$TERM\"; pwd -P; stty size; clear >/dev/null"});
        let result = server.ok("wsh_run_command", run).await;
        let lines = crate::support::trimmed(&result["screen"]["lines"]);
        for expected in ["grün:xterm-256color", cwd.to_str().unwrap(), "31 99"] {
            assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:?}");
        }
        let nowhere = json!({"cwd": cwd.join("missing")});
        assert!(server.refused("wsh_create_session", nowhere).await.contains("not an existing folder"));
        assert!(server.refused("wsh_create_session", json!({"env": {"A=B": "x"}})).await.contains("A=B"));
    })
    .await;
}

#[tokio::test]
async fn commands_are_denied_unless_the_owner_allows_them() {
    on_all_ways(async |server| {
        let text = server.refused("wsh_create_session", json!({"command": "ls -l"})).await;
        assert!(text.contains("\"ls\" is not allowed"), "{text}");
        assert_eq!(server.ok("wsh_list_sessions", json!({})).await, json!({"sessions": []}));
        server.ok("wsh_create_session", json!({"command": "echo-shell"})).await;
    })
    .await;
    let args = ["--shell", "echo-shell", "--allow-any-command", "--idle-ms", "300"];
    on_all_ways_with(&args, async |server| {
        server
            .ok(
                "wsh_create_session",
                json!({"name": "a", "command": "printf '%s|' 'one word' two"}),
            )
            .await;
        server.ok("wsh_await_quiesce", json!({"session": "a"})).await;
        assert_eq!(server.lines("a").await, ["one word|two|"]);
        let text = server
            .refused("wsh_create_session", json!({"command": "no-such-program-anywhere"}))
            .await;
        assert!(text.contains("no-such-program-anywhere"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn there_is_a_most_sessions() {
    let args = ["--shell", "echo-shell", "--max-sessions", "2"];
    on_all_ways_with(&args, async |server| {
        server.session("a").await;
        server.session("b").await;
        assert!(server.refused("wsh_create_session", json!({})).await.contains("2 sessions"));
        server.ok("wsh_manage_session", json!({"session": "a", "action": "kill"})).await;
        server.session("c").await;
    })
    .await;
}
