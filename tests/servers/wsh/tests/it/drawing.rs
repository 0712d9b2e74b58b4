//! Overlays, panels, layers and captured input.

use serde_json::{Value, json};

use crate::support::{Server, on_all_ways, on_all_ways_with};

async fn rows(server: &Server) -> Value {
    server.ok("wsh_list_sessions", json!({"session": "a"})).await["sessions"][0]["rows"].clone()
}

async fn listed(server: &Server, tool: &str) -> Vec<Value> {
    let list = server.ok(tool, json!({"session": "a", "list": true})).await;
    let kind = tool.strip_prefix("wsh_").unwrap();
    list[format!("{kind}s")].as_array().unwrap().clone()
}

#[tokio::test]
async fn overlays_are_made_changed_listed_and_removed() {
    on_all_ways(async |server| {
        server.session("a").await;
        let spans = json!([{"text": "two\nlines here", "bold": true, "fg": "red"}]);
        let made = server
            .ok(
                "wsh_overlay",
                json!({"session": "a", "x": 3, "spans": spans, "background": "#102030"}),
            )
            .await;
        let id = made["id"].as_str().unwrap();
        let overlay = &made["overlays"][0];
        assert_eq!(
            (&overlay["width"], &overlay["height"]),
            (&json!(10), &json!(2)),
            "as large as its text"
        );

        let changed =
            server.ok("wsh_overlay", json!({"session": "a", "id": id, "y": 5, "z": 7})).await;
        let mut expected = overlay.clone();
        expected["y"] = json!(5);
        expected["z"] = json!(7);
        assert_eq!(changed, json!({"session": "a", "id": id, "overlays": [expected]}));

        let other = server.ok("wsh_overlay", json!({"session": "a"})).await;
        assert_ne!(other["id"], id);
        assert_eq!(
            listed(server, "wsh_overlay").await,
            [expected.clone(), other["overlays"][0].clone()]
        );
        let one = server.ok("wsh_overlay", json!({"session": "a", "id": id, "list": true})).await;
        assert_eq!(one, json!({"session": "a", "overlays": [expected]}));

        let removed = server.ok("wsh_remove_overlay", json!({"session": "a", "id": id})).await;
        assert_eq!(removed, json!({"session": "a", "removed": [id]}));
        let missing = server.refused("wsh_overlay", json!({"session": "a", "id": id})).await;
        assert!(missing.contains(id), "{missing}");
        assert!(
            server
                .refused("wsh_remove_overlay", json!({"session": "a", "id": id}))
                .await
                .contains(id)
        );
        let rest = server.ok("wsh_remove_overlay", json!({"session": "a"})).await;
        assert_eq!(rest["removed"], json!([other["id"]]));
        assert!(listed(server, "wsh_overlay").await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn listing_does_not_draw() {
    on_all_ways(async |server| {
        server.session("a").await;
        for tool in ["wsh_overlay", "wsh_panel"] {
            let both = json!({"session": "a", "list": true, "z": 1});
            assert!(server.refused(tool, both).await.contains("list goes with"));
            assert!(listed(server, tool).await.is_empty());
        }
    })
    .await;
}

#[tokio::test]
async fn ids_are_never_used_again() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.session("b").await;
        let mut ids = std::collections::HashSet::new();
        for (session, tool) in
            [("a", "wsh_overlay"), ("b", "wsh_overlay"), ("a", "wsh_panel"), ("b", "wsh_panel")]
        {
            for _ in 0..3 {
                let made = server.ok(tool, json!({"session": session})).await;
                assert!(ids.insert(made["id"].as_str().unwrap().to_owned()));
                server.ok(&tool.replace("wsh_", "wsh_remove_"), json!({"session": session})).await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn panels_take_rows_and_give_them_back() {
    on_all_ways(async |server| {
        server.session("a").await;
        let top =
            server.ok("wsh_panel", json!({"session": "a", "position": "top", "height": 3})).await;
        assert_eq!(top["rows"], 21);
        let bottom =
            server.ok("wsh_panel", json!({"session": "a", "spans": [{"text": "1\n2"}]})).await;
        assert_eq!(
            (&bottom["rows"], &bottom["panels"][0]["position"]),
            (&json!(19), &json!("bottom"))
        );
        assert_eq!(rows(server).await, 19);

        let id = bottom["id"].as_str().unwrap();
        assert_eq!(
            server.ok("wsh_panel", json!({"session": "a", "id": id, "height": 5})).await["rows"],
            16
        );
        let text = server.refused("wsh_panel", json!({"session": "a", "height": 16})).await;
        assert!(text.contains("15 rows are free"), "{text}");
        assert_eq!(
            listed(server, "wsh_panel").await.len(),
            2,
            "a panel that does not fit is not made"
        );

        server.ok("wsh_remove_panel", json!({"session": "a", "id": id})).await;
        assert_eq!(rows(server).await, 21);
        server.ok("wsh_remove_panel", json!({"session": "a"})).await;
        assert_eq!(rows(server).await, 24);
    })
    .await;
}

#[tokio::test]
async fn the_program_learns_its_size_and_keeps_its_last_lines() {
    let args = ["--shell", "sh", "--idle-ms", "300"];
    on_all_ways_with(&args, async |server| {
        server.ok("wsh_create_session", json!({"name": "a", "env": {"PS1": "$ "}})).await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "seq 30"})).await;
        server.ok("wsh_panel", json!({"session": "a", "height": 4})).await;
        let lines = server.lines("a").await;
        assert_eq!(lines.len(), 20);
        assert_eq!(lines[18], "30");
        let size =
            server.ok("wsh_run_command", json!({"session": "a", "input": "stty size"})).await;
        assert!(crate::support::trimmed(&size["screen"]["lines"]).contains(&"20 80".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn captured_input_reaches_no_program() {
    on_all_ways(async |server| {
        server.session("a").await;
        let mode = async |more: Value| {
            let mut arguments = json!({"session": "a"});
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.ok("wsh_input_mode", arguments).await
        };
        assert_eq!(mode(json!({})).await, json!({"session": "a", "mode": "release"}));
        let panel = server.ok("wsh_panel", json!({"session": "a"})).await["id"].clone();
        assert!(
            server
                .refused("wsh_input_mode", json!({"session": "a", "focus": panel}))
                .await
                .contains("captured")
        );

        let focused = json!({"session": "a", "mode": "capture", "focus": panel});
        assert_eq!(mode(json!({"mode": "capture", "focus": panel})).await, focused);
        assert_eq!(mode(json!({})).await, focused);
        let sent = server.ok("wsh_send_input", json!({"session": "a", "input": "lost\n"})).await;
        assert_eq!(
            sent,
            json!({"session": "a", "bytes": 5, "delivered": false, "captured_by": panel})
        );
        assert!(
            server
                .refused("wsh_run_command", json!({"session": "a", "input": "x"}))
                .await
                .contains("captured")
        );
        assert_eq!(server.lines("a").await, [">"]);

        assert_eq!(
            mode(json!({"unfocus": true})).await,
            json!({"session": "a", "mode": "capture"})
        );
        mode(json!({"focus": panel})).await;
        assert_eq!(
            mode(json!({"mode": "release"})).await,
            json!({"session": "a", "mode": "release"})
        );
        assert_eq!(
            mode(json!({"mode": "capture"})).await.get("focus"),
            None,
            "release dropped the focus"
        );
        let both = json!({"session": "a", "focus": panel, "unfocus": true});
        assert!(server.refused("wsh_input_mode", both).await.contains("exclude"));
        assert!(
            server
                .refused("wsh_input_mode", json!({"session": "a", "focus": "ov-99"}))
                .await
                .contains("ov-99")
        );
    })
    .await;
}

#[tokio::test]
async fn removing_the_focused_element_drops_the_focus() {
    on_all_ways(async |server| {
        server.session("a").await;
        let id = server.ok("wsh_overlay", json!({"session": "a"})).await["id"].clone();
        server.ok("wsh_input_mode", json!({"session": "a", "mode": "capture", "focus": id})).await;
        server.ok("wsh_remove_overlay", json!({"session": "a", "id": id})).await;
        let mode = server.ok("wsh_input_mode", json!({"session": "a"})).await;
        assert_eq!(mode, json!({"session": "a", "mode": "capture"}));
    })
    .await;
}

#[tokio::test]
async fn leaving_the_alternate_layer_removes_what_was_made_in_it() {
    on_all_ways(async |server| {
        server.session("a").await;
        let mode = async |action: &str| {
            server.ok("wsh_screen_mode", json!({"session": "a", "action": action})).await
        };
        let asked = json!({"session": "a", "mode": "normal", "removed": []});
        assert_eq!(server.ok("wsh_screen_mode", json!({"session": "a"})).await, asked);
        let old = server.ok("wsh_overlay", json!({"session": "a"})).await["id"].clone();
        server.ok("wsh_panel", json!({"session": "a", "height": 2})).await;

        assert_eq!(mode("enter_alt").await["mode"], "alt");
        assert!(
            listed(server, "wsh_overlay").await.is_empty()
                && listed(server, "wsh_panel").await.is_empty()
        );
        assert_eq!(rows(server).await, 24, "hidden panels take no rows");
        assert!(
            server
                .refused("wsh_remove_overlay", json!({"session": "a", "id": old}))
                .await
                .contains("no overlay")
        );
        let overlay = server.ok("wsh_overlay", json!({"session": "a"})).await["id"].clone();
        let panel =
            server.ok("wsh_panel", json!({"session": "a", "height": 5})).await["id"].clone();
        assert_eq!(mode("enter_alt").await["removed"], json!([]), "entering twice changes nothing");

        assert_eq!(
            mode("exit_alt").await,
            json!({"session": "a", "mode": "normal", "removed": [overlay, panel]})
        );
        assert_eq!(listed(server, "wsh_overlay").await[0]["id"], old);
        assert_eq!(rows(server).await, 22);
        assert_eq!(mode("exit_alt").await["removed"], json!([]), "leaving twice changes nothing");
    })
    .await;
}

#[tokio::test]
async fn there_is_a_most_overlays() {
    on_all_ways(async |server| {
        server.session("a").await;
        for _ in 0..100 {
            server.ok("wsh_overlay", json!({"session": "a"})).await;
        }
        assert!(
            server.refused("wsh_overlay", json!({"session": "a"})).await.contains("at most 100")
        );
        let id = listed(server, "wsh_overlay").await[0]["id"].clone();
        server.ok("wsh_overlay", json!({"session": "a", "id": id, "x": 1})).await;
    })
    .await;
}
