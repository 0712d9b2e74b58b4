//! The HTTP API, alone and together with MCP.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{SAFE, Server, Started, WAYS, on_all_ways, start};

struct Api {
    base: String,
    client: Client,
}

impl Api {
    fn of(base: &str) -> Self {
        Self { base: base.to_owned(), client: Client::new() }
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    async fn get(&self, path: &str) -> Value {
        let (status, value) = self.send(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {value}");
        value
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let (status, value) = self.send(Method::POST, path, Some(body)).await;
        assert!(status.is_success(), "{path}: {value}");
        value
    }

    async fn status(&self, method: Method, path: &str, body: Option<Value>) -> u16 {
        let (status, value) = self.send(method, path, body).await;
        assert!(status.is_success() || value["error"].is_string(), "{path}: {value}");
        status.as_u16()
    }
}

async fn api(args: &[&str]) -> (Started, Api) {
    let started = start("serve", args).await;
    let api = Api::of(&started.base);
    (started, api)
}

#[tokio::test]
async fn the_whole_api_works() {
    let (_started, api) = api(&SAFE).await;
    assert_eq!(api.get("/health").await["sessions"], 0);
    let made = api.post("/sessions", json!({"name": "a", "rows": 20})).await;
    assert_eq!((&made["session"], &made["rows"]), (&json!("a"), &json!(20)));
    assert_eq!(api.get("/sessions").await["sessions"][0]["name"], "a");
    assert_eq!(api.get("/sessions/a").await["pid"], made["pid"]);

    assert_eq!(api.post("/sessions/a/input", json!({"input": "hi\n"})).await["delivered"], true);
    api.get("/sessions/a/quiesce?timeout_ms=80&max_wait_ms=9000").await;
    assert_eq!(api.get("/sessions/a/screen").await["lines"][1], "hi");
    assert_eq!(
        api.get("/sessions/a/screen?format=styled").await["lines"][1],
        json!([{"text": "hi"}])
    );
    assert_eq!(api.post("/sessions/a/run", json!({"input": "seq 40"})).await["idle"], true);
    let page = api.get("/sessions/a/scrollback?offset=3&limit=2").await;
    assert_eq!((&page["lines"], &page["next_offset"]), (&json!(["1", "2"]), &json!(5)));

    assert_eq!(
        api.post("/sessions/a/input-mode", json!({"mode": "capture"})).await["mode"],
        "capture"
    );
    assert_eq!(api.get("/sessions/a/input-mode").await["mode"], "capture");
    assert_eq!(
        api.post("/sessions/a/screen-mode", json!({"action": "enter_alt"})).await["mode"],
        "alt"
    );
    assert_eq!(api.get("/sessions/a/screen-mode").await["mode"], "alt");
    assert_eq!(api.post("/sessions/a/detach", json!({})).await["detached"], 0);

    let (status, renamed) =
        api.send(Method::PATCH, "/sessions/a", Some(json!({"name": "b"}))).await;
    assert_eq!((status, &renamed["session"]), (StatusCode::OK, &json!("b")));
    assert_eq!(api.status(Method::DELETE, "/sessions/b", None).await, 204);
    assert_eq!(api.get("/health").await["sessions"], 0);
}

#[tokio::test]
async fn elements_are_drawn_over_http() {
    let (_started, api) = api(&SAFE).await;
    api.post("/sessions", json!({"name": "a", "rows": 4, "cols": 12})).await;
    let panel = api
        .post("/sessions/a/panel", json!({"position": "top", "spans": [{"text": "-- top --"}]}))
        .await;
    let overlay =
        api.post("/sessions/a/overlay", json!({"x": 4, "y": 1, "spans": [{"text": "over"}]})).await;
    let composed = api.get("/sessions/a/screen?composed=true").await;
    assert_eq!(composed["lines"], json!(["-- top --", ">   over", "", ""]));
    assert_eq!(api.get("/sessions/a/screen").await["lines"], json!([">", "", ""]));
    assert_eq!(api.get("/sessions/a/overlay").await["overlays"].as_array().unwrap().len(), 1);
    assert_eq!(api.get("/sessions/a/panel").await["panels"][0]["id"], panel["id"]);

    for (kind, id) in [("overlay", &overlay["id"]), ("panel", &panel["id"])] {
        let path = format!("/sessions/a/{kind}/{}", id.as_str().unwrap());
        assert_eq!(api.status(Method::DELETE, &path, None).await, 200);
        assert_eq!(api.status(Method::DELETE, &path, None).await, 404);
        assert_eq!(api.status(Method::DELETE, &format!("/sessions/a/{kind}"), None).await, 200);
    }
    assert_eq!(api.get("/sessions/a").await["rows"], 4);
}

#[tokio::test]
async fn problems_have_status_and_sentence() {
    let (_started, api) = api(&SAFE).await;
    api.post("/sessions", json!({"name": "a"})).await;
    for (method, path, body, status) in [
        (Method::GET, "/sessions/x", None, 404),
        (Method::DELETE, "/sessions/x", None, 404),
        (Method::POST, "/sessions", Some(json!({"name": "a"})), 409),
        (Method::POST, "/sessions", Some(json!({"name": "a b"})), 400),
        (Method::POST, "/sessions", Some(json!([])), 400),
        (Method::POST, "/sessions", Some(json!({"command": "ls"})), 403),
        (Method::POST, "/sessions", None, 415),
        (Method::PATCH, "/sessions/a", Some(json!({})), 400),
        (Method::POST, "/sessions/a/input", Some(json!({})), 400),
        (Method::POST, "/sessions/a/input", Some(json!({"input": "x", "session": "b"})), 400),
        (Method::GET, "/sessions/a/scrollback?limit=0", None, 400),
        (Method::GET, "/sessions/a/scrollback?colour=red", None, 400),
        (Method::GET, "/sessions/a/quiesce?timeout_ms=50000&max_wait_ms=1", None, 504),
        (Method::POST, "/sessions/a/panel", Some(json!({"height": 50})), 409),
        (Method::POST, "/sessions/a/overlay", Some(json!({"id": "ov-9"})), 404),
    ] {
        assert_eq!(
            api.status(method.clone(), path, body.clone()).await,
            status,
            "{method} {path} {body:?}"
        );
    }
}

#[tokio::test]
async fn the_api_is_documented() {
    let (_started, api) = api(&SAFE).await;
    let yaml = api.get("/openapi.yaml").await;
    assert!(yaml.as_str().unwrap().starts_with("openapi: 3.1.0"));
    let page = api.get("/docs").await;
    assert!(page.as_str().unwrap().contains("/sessions/{name}/scrollback"));
}

#[tokio::test]
async fn mcp_and_http_share_sessions() {
    on_all_ways(async |server| {
        let api = Api::of(&server.base);
        server.session("from-mcp").await;
        api.post("/sessions", json!({"name": "from-http"})).await;
        let over_mcp = server.ok("wsh_list_sessions", json!({})).await;
        assert_eq!(over_mcp, api.get("/sessions").await);
        assert_eq!(over_mcp["sessions"].as_array().unwrap().len(), 2);

        server
            .ok("wsh_run_command", json!({"session": "from-http", "input": "typed over MCP"}))
            .await;
        assert_eq!(api.get("/sessions/from-http/screen").await["lines"][1], "typed over MCP");
        let id = server.ok("wsh_overlay", json!({"session": "from-http"})).await["id"].clone();
        assert_eq!(api.get("/sessions/from-http/overlay").await["overlays"][0]["id"], id);
        assert_eq!(api.status(Method::DELETE, "/sessions/from-mcp", None).await, 204);
        assert_eq!(
            server.ok("wsh_list_sessions", json!({})).await["sessions"].as_array().unwrap().len(),
            1
        );
    })
    .await;
}

#[tokio::test]
async fn the_token_guards_everything_but_the_documentation() {
    let (started, api) = api(&["--shell", "echo-shell", "--token", "open-sesame"]).await;
    for (path, status) in [
        ("/sessions", 401),
        ("/mcp", 401),
        ("/health", 200),
        ("/docs", 200),
        ("/openapi.yaml", 200),
    ] {
        assert_eq!(api.status(Method::GET, path, None).await, status, "{path}");
    }
    let with = |token: &str| {
        api.client.get(format!("{}/sessions", started.base)).bearer_auth(token).send()
    };
    assert_eq!(with("open-sesame").await.unwrap().status(), 200);
    let wrong = with("open-sesamf").await.unwrap();
    assert_eq!(
        (wrong.status().as_u16(), &wrong.headers()["www-authenticate"]),
        (401, &"Bearer".parse().unwrap())
    );
}

#[tokio::test]
async fn the_token_is_kept_from_programs() {
    let mut command = crate::support::command("serve", &["--shell", "sh", "--idle-ms", "300"]);
    command.env("WSH_TOKEN", "open-sesame").stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let started = crate::support::start_command(command).await;
    let call = async |path: &str, body: Value| {
        let request = Client::new()
            .post(format!("{}{path}", started.base))
            .bearer_auth("open-sesame")
            .json(&body);
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };
    call("/sessions", json!({"name": "a"})).await;
    let run = call("/sessions/a/run", json!({"input": "echo \"token=[$WSH_TOKEN]\""})).await;
    assert!(run.to_string().contains("token=[]"), "{run}");
}

#[tokio::test]
async fn pages_of_other_sites_are_refused() {
    let (started, api) = api(&SAFE).await;
    let status = async |path: &str, header: &str, value: &str| {
        let request = api.client.get(format!("{}{path}", started.base)).header(header, value);
        request.send().await.unwrap().status().as_u16()
    };
    for path in ["/sessions", "/mcp"] {
        assert_eq!(status(path, "origin", "https://evil.example").await, 403);
        assert_eq!(status(path, "host", "evil.example").await, 403);
    }
    assert_eq!(status("/sessions", "origin", "http://localhost:3000").await, 200);
}

#[tokio::test]
async fn viewers_follow_the_screen_until_they_are_detached() {
    let (_started, api) = api(&SAFE).await;
    api.post("/sessions", json!({"name": "a", "rows": 3, "cols": 10})).await;
    let mut stream = api.client.get(format!("{}/sessions/a/watch", api.base)).send().await.unwrap();
    let mut seen = String::new();
    let mut until = async |text: &str| {
        while !seen.contains(text) {
            let chunk = stream.chunk().await.unwrap().expect("the stream goes on");
            seen.push_str(&String::from_utf8_lossy(&chunk));
        }
    };
    until(r#"[">","",""]"#).await;
    api.post("/sessions/a/run", json!({"input": "news"})).await;
    until("news").await;
    api.post("/sessions/a/overlay", json!({"spans": [{"text": "box"}]})).await;
    until("box").await;
    assert_eq!(api.post("/sessions/a/detach", json!({})).await["detached"], 1);
    while stream.chunk().await.unwrap().is_some() {}
    assert_eq!(api.post("/sessions/a/detach", json!({})).await["detached"], 0);
}

#[tokio::test]
async fn two_clients_see_the_same_sessions() {
    for way in WAYS {
        let server = Server::start(way, &SAFE).await;
        let other = server.beside().await;
        server.session("shared").await;
        assert_eq!(
            other.ok("wsh_list_sessions", json!({})).await,
            server.ok("wsh_list_sessions", json!({})).await
        );
    }
}
