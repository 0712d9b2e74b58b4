//! The guides.

use serde_json::json;

use crate::support::on_all_ways;

const NAMES: [&str; 9] = [
    "wsh:core",
    "wsh:drive-process",
    "wsh:tui",
    "wsh:multi-session",
    "wsh:agent-orchestration",
    "wsh:monitor",
    "wsh:visual-feedback",
    "wsh:input-capture",
    "wsh:generative-ui",
];

#[tokio::test]
async fn nine_guides_are_listed_and_can_be_read() {
    on_all_ways(async |server| {
        let prompts = server.client().list_all_prompts().await.unwrap();
        assert_eq!(prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>(), NAMES);
        for name in NAMES {
            let text = server.prompt(name, json!({})).await.unwrap();
            assert!(text.starts_with("# ") && text.len() > 400, "{name}");
            let with_session = server.prompt(name, json!({"session": "build"})).await.unwrap();
            assert!(
                with_session.starts_with(&text) && with_session.ends_with("named `build`.\n"),
                "{name}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn guides_only_speak_of_tools_and_prompts_that_exist() {
    let words = regex::Regex::new(r"wsh_[a-z_]+|wsh:[a-z-]+").unwrap();
    on_all_ways(async |server| {
        let tools = server.client().list_all_tools().await.unwrap();
        for name in NAMES {
            let text = server.prompt(name, json!({})).await.unwrap();
            for word in words.find_iter(&text) {
                let known = NAMES.contains(&word.as_str())
                    || tools.iter().any(|tool| tool.name == word.as_str());
                assert!(known, "{name} speaks of {}", word.as_str());
            }
        }
    })
    .await;
}

#[tokio::test]
async fn unknown_guides_are_refused_by_name() {
    on_all_ways(async |server| {
        assert_eq!(
            server.prompt("wsh:magic", json!({})).await,
            Err((-32602, "unknown prompt: wsh:magic".to_owned()))
        );
        let wrong = server.prompt("wsh:core", json!({"session": 3})).await;
        assert_eq!(wrong.unwrap_err().0, -32602);
    })
    .await;
}
