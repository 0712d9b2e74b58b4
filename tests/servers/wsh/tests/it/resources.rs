//! Sessions as resources.

use serde_json::{Value, json};

use crate::support::{Era, Server, WAYS, Way, on_all_ways};

#[tokio::test]
async fn each_live_session_is_listed() {
    on_all_ways(async |server| {
        let uris = async || {
            let list = server.client().list_all_resources().await.unwrap();
            list.into_iter().map(|resource| resource.uri).collect::<Vec<_>>()
        };
        assert_eq!(uris().await, ["wsh://sessions"]);
        server.session("b").await;
        server.session("a").await;
        let expected = ["", "/a/screen", "/a/scrollback", "/b/screen", "/b/scrollback"];
        assert_eq!(uris().await, expected.map(|rest| format!("wsh://sessions{rest}")));
        server.ok("wsh_manage_session", json!({"session": "a", "action": "kill"})).await;
        assert_eq!(uris().await.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn templates_name_what_sessions_have() {
    on_all_ways(async |server| {
        let list = server.client().list_all_resource_templates().await.unwrap();
        let uris: Vec<String> = list.into_iter().map(|template| template.uri_template).collect();
        assert_eq!(uris, ["wsh://sessions/{name}/screen", "wsh://sessions/{name}/scrollback"]);
    })
    .await;
}

#[tokio::test]
async fn resources_tell_what_tools_tell() {
    on_all_ways(async |server| {
        server.session("a").await;
        server.ok("wsh_run_command", json!({"session": "a", "input": "seq 30"})).await;
        let sessions: Value =
            serde_json::from_str(&server.read("wsh://sessions").await.unwrap()).unwrap();
        assert_eq!(sessions, server.ok("wsh_list_sessions", json!({})).await);

        let screen = server.read("wsh://sessions/a/screen").await.unwrap();
        assert_eq!(screen.lines().collect::<Vec<_>>(), server.lines("a").await);
        let scrollback = server.read("wsh://sessions/a/scrollback").await.unwrap();
        assert_eq!(scrollback.lines().count(), 32);
        assert!(scrollback.starts_with("> seq 30\n1\n2\n"));
    })
    .await;
}

#[tokio::test]
async fn unknown_resources_are_not_found() {
    for way in WAYS {
        let server = Server::start(way, &crate::support::SAFE).await;
        server.session("a").await;
        let code = if matches!(way, Way::Stdio(Era::Modern) | Way::Http(Era::Modern)) {
            -32602
        } else {
            -32002
        };
        for uri in [
            "wsh://sessions/b/screen",
            "wsh://sessions/a/history",
            "wsh://sessions/a",
            "wsh://other",
            "x",
        ] {
            assert_eq!(
                server.read(uri).await,
                Err((code, format!("no resource {uri}"))),
                "{way:?}"
            );
        }
    }
}
