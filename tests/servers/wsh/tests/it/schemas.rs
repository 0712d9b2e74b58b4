//! What the server tells about its tools.

use serde_json::{Value, json};

use crate::support::on_all_ways;

const TOOLS: [(&str, bool); 14] = [
    ("wsh_await_quiesce", true),
    ("wsh_create_session", false),
    ("wsh_get_screen", true),
    ("wsh_get_scrollback", true),
    ("wsh_input_mode", false),
    ("wsh_list_sessions", true),
    ("wsh_manage_session", false),
    ("wsh_overlay", false),
    ("wsh_panel", false),
    ("wsh_remove_overlay", false),
    ("wsh_remove_panel", false),
    ("wsh_run_command", false),
    ("wsh_screen_mode", false),
    ("wsh_send_input", false),
];

#[tokio::test]
async fn fourteen_tools_are_listed_in_order_with_schemas_and_hints() {
    on_all_ways(async |server| {
        let tools = server.client().list_all_tools().await.unwrap();
        let names: Vec<(&str, bool)> = tools
            .iter()
            .map(|tool| {
                (
                    tool.name.as_ref(),
                    tool.annotations.as_ref().unwrap().read_only_hint == Some(true),
                )
            })
            .collect();
        assert_eq!(names, TOOLS);
        for tool in &tools {
            assert!(tool.description.as_ref().is_some_and(|text| text.len() > 20), "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], json!(false), "{}", tool.name);
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object", "{}", tool.name);
        }
    })
    .await;
}

#[tokio::test]
async fn limits_on_waiting_are_in_the_schema() {
    let args = ["--shell", "echo-shell", "--idle-ms", "30", "--max-wait-ms", "700"];
    crate::support::on_all_ways_with(&args, async |server| {
        let tools = server.client().list_all_tools().await.unwrap();
        let tool = tools.iter().find(|tool| tool.name == "wsh_run_command").unwrap();
        let properties: &Value = &tool.input_schema["properties"];
        assert_eq!(properties["timeout_ms"]["maximum"], 700);
        assert_eq!(properties["timeout_ms"]["default"], 30);
        assert_eq!(properties["max_wait_ms"]["default"], 700);

        server.session("a").await;
        server
            .ok("wsh_await_quiesce", json!({"session": "a", "timeout_ms": 30, "max_wait_ms": 700}))
            .await;
        let text =
            server.refused("wsh_await_quiesce", json!({"session": "a", "timeout_ms": 701})).await;
        assert!(text.contains("700"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn what_a_schema_forbids_is_refused() {
    on_all_ways(async |server| {
        server.session("a").await;
        for (tool, arguments) in [
            ("wsh_create_session", json!({"rows": 1})),
            ("wsh_create_session", json!({"rows": 301})),
            ("wsh_create_session", json!({"cols": "80"})),
            ("wsh_create_session", json!({"name": "a b"})),
            ("wsh_create_session", json!({"name": ""})),
            ("wsh_create_session", json!({"env": {"A": 1}})),
            ("wsh_create_session", json!({"surprise": true})),
            ("wsh_list_sessions", json!({"session": 1})),
            ("wsh_manage_session", json!({"session": "a", "action": "pause"})),
            ("wsh_manage_session", json!({"session": "a"})),
            ("wsh_send_input", json!({"session": "a"})),
            ("wsh_send_input", json!({"session": "a", "input": "x", "encoding": "hex"})),
            ("wsh_send_input", json!({"session": "a", "input": "x".repeat(65537)})),
            ("wsh_get_screen", json!({"session": "a", "format": "html"})),
            ("wsh_get_scrollback", json!({"session": "a", "limit": 0})),
            ("wsh_get_scrollback", json!({"session": "a", "limit": 1001})),
            ("wsh_get_scrollback", json!({"session": "a", "offset": -1})),
            ("wsh_overlay", json!({"session": "a", "background": "mauve"})),
            ("wsh_overlay", json!({"session": "a", "spans": [{"text": "x", "size": 3}]})),
            ("wsh_overlay", json!({"session": "a", "width": 0})),
            ("wsh_panel", json!({"session": "a", "position": "left"})),
            ("wsh_screen_mode", json!({"session": "a", "action": "alt"})),
            ("wsh_input_mode", json!({"session": "a", "unfocus": null})),
        ] {
            let text = server.refused(tool, arguments).await;
            assert!(text.contains("deserialize parameters"), "{tool}: {text}");
        }
    })
    .await;
}

#[tokio::test]
async fn whole_numbers_may_be_written_with_a_fraction_of_zero() {
    on_all_ways(async |server| {
        let made = server.ok("wsh_create_session", json!({"rows": 10.0, "cols": 20.0})).await;
        assert_eq!((&made["rows"], &made["cols"]), (&json!(10), &json!(20)));
    })
    .await;
}
