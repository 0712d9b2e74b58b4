//! Real scripts under a real policy.

use super::super::audit::FILE_NAME;
use super::super::settings::Sources;
use super::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tooltest_core::config::RunnerConfig;

/// A folder with scripts, all of them allowed, and a runner for them.
struct Place {
    folder: TempDir,
    runner: Arc<Runner>,
}

impl Place {
    fn new(scripts: &[(&str, &str)], change: impl FnOnce(&mut RunnerConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in scripts {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        let mut config = RunnerConfig {
            allowed_root: Some(".".to_owned()),
            allowed_scripts: scripts.iter().map(|(name, _)| (*name).to_owned()).collect(),
            allowed_args: ["--name", "--port"].map(str::to_owned).to_vec(),
            env_allowlist: vec!["MODE".to_owned()],
            log_dir: Some("log".to_owned()),
            log_level: "error".to_owned(),
            ..RunnerConfig::default()
        };
        change(&mut config);
        let settings = Settings::read(&Sources {
            file: Some((&config, folder.path())),
            variable: &|_| None,
            folder: folder.path(),
        });
        let runner = Arc::new(Runner::new(settings.unwrap().unwrap()));
        Self { folder, runner }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn log(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("log").join(FILE_NAME)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    async fn run(&self, request: ScriptRequest) -> Result<ScriptResult, Failed> {
        self.runner.run(request, Some("a test".to_owned())).await
    }

    /// Waits until a file has a whole line, and gives it.
    async fn line_of(&self, name: &str) -> String {
        loop {
            let text = std::fs::read_to_string(self.path(name)).unwrap_or_default();
            if let Some((line, _)) = text.split_once('\n') {
                return line.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

fn ask(path: &str) -> ScriptRequest {
    ScriptRequest { path: path.to_owned(), ..ScriptRequest::default() }
}

/// Whether a process runs, not counting one that has ended and waits to be reaped.
fn lives(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[tokio::test]
async fn a_script_gets_its_arguments_its_folder_and_nothing_else() {
    let text = "#!/bin/sh\npwd\nprintf '<%s>' \"$@\"; echo\n/usr/bin/env | grep -v '^\\(PWD\\|SHLVL\\|_\\)='\nif read x; then echo read; fi\necho oops >&2\nexit 3\n";
    let place = Place::new(&[("sub/show.sh", text)], |_| {});
    let done = place
        .run(ScriptRequest {
            args: vec!["--name=a b".replace(' ', ","), "--port".to_owned(), "080".to_owned()],
            env: BTreeMap::from([("MODE".to_owned(), "x; y".to_owned())]),
            ..ask("sub/show.sh")
        })
        .await
        .unwrap();
    let folder = place.path("sub");
    let expected = format!("{}\n<--name=a,b><--port><80>\nMODE=x; y\n", folder.display());
    assert_eq!((done.stdout, done.stderr, done.exit_code), (expected, "oops\n".to_owned(), 3));
    assert!(!done.truncated);
    assert_eq!(done.log_path, place.path("log").join(FILE_NAME).display().to_string());
    let [line] = &place.log()[..] else { panic!("one line") };
    assert_eq!(line["exitCode"], 3);
    assert_eq!(line["args"][0], "--name=a,b");
    assert_eq!((&line["result"], &line["requester"]), (&"ok".into(), &"a test".into()));
}

#[tokio::test]
async fn what_is_refused_is_on_record_and_did_not_run() {
    let place =
        Place::new(&[("touch.sh", "#!/bin/sh\necho ran > ran\n"), ("leaves.sh", "")], |_| {});
    std::fs::remove_file(place.path("leaves.sh")).unwrap();
    symlink("/bin/true", place.path("leaves.sh")).unwrap();
    let with = |arg: &str| ScriptRequest { args: vec![arg.to_owned()], ..ask("touch.sh") };
    let env = |name: &str| ScriptRequest {
        env: BTreeMap::from([(name.to_owned(), "/tmp/x".to_owned())]),
        ..ask("touch.sh")
    };
    let attacks = [
        (ask("../touch.sh"), Code::Forbidden),
        (ask("/bin/sh"), Code::Forbidden),
        (ask("leaves.sh"), Code::Forbidden),
        (ask("unlisted.sh"), Code::Forbidden),
        (with("--name=x --forbidden"), Code::BadArg),
        (with("--forbidden"), Code::BadArg),
        (with("--name=;id"), Code::BadArg),
        (with("--name=a\nb"), Code::BadArg),
        (with("--name=a\0b"), Code::BadArg),
        (with("--port=70000"), Code::BadArg),
        (env("LD_PRELOAD"), Code::Policy),
        (env("PATH"), Code::Policy),
        (ScriptRequest { timeout_ms: Some(0), ..ask("touch.sh") }, Code::BadArg),
    ];
    let count = attacks.len();
    for (index, (request, code)) in attacks.into_iter().enumerate() {
        let failed = place.run(request.clone()).await.unwrap_err();
        assert_eq!(failed.refusal.code, code, "{request:?}");
        assert!(failed.refusal.message.contains("allowed"), "{}", failed.refusal);
        let log = place.log();
        assert_eq!(log.len(), index + 1, "{request:?}");
        assert_eq!(log[index]["result"], code.as_str());
        assert_eq!(log[index]["path"], *request.path);
    }
    assert!(!place.path("ran").exists());
    place.run(ask("touch.sh")).await.unwrap();
    assert!(place.path("ran").exists());
    assert_eq!(place.log().len(), count + 1);
}

#[tokio::test]
async fn what_cannot_be_started_is_explained() {
    let place = Place::new(
        &[("plain.sh", "#!/bin/sh\n"), ("none.sh", "#!/nowhere/sh\n"), ("text", "hello\n")],
        |_| {},
    );
    std::fs::set_permissions(place.path("plain.sh"), PermissionsExt::from_mode(0o644)).unwrap();
    for (name, expected) in
        [("plain.sh", "chmod +x"), ("none.sh", "first line"), ("text", "#!/bin/sh")]
    {
        let refusal = place.run(ask(name)).await.unwrap_err().refusal;
        assert_eq!(refusal.code, Code::Exec, "{name}");
        assert!(refusal.message.contains(expected), "{refusal}");
    }
    assert_eq!(place.log().len(), 3);
}

#[tokio::test]
async fn a_signal_is_an_exit_code_as_shells_write_it() {
    let place = Place::new(&[("die.sh", "#!/bin/sh\nkill -TERM $$\n")], |_| {});
    assert_eq!(place.run(ask("die.sh")).await.unwrap().exit_code, 143);
}

#[tokio::test]
async fn a_time_out_ends_the_script_with_its_children() {
    let text = "#!/bin/sh\nsleep 1000 &\necho $! > child\necho started\ntrap '' TERM\nsleep 1000\n";
    let place = Place::new(&[("hang.sh", text)], |_| {});
    let failed =
        place.run(ScriptRequest { timeout_ms: Some(700), ..ask("hang.sh") }).await.unwrap_err();
    assert_eq!(failed.refusal.code, Code::Timeout);
    assert!(failed.refusal.message.contains("700 ms"), "{}", failed.refusal);
    assert_eq!(failed.stdout, "started\n");
    assert!(!lives(&place.line_of("child").await));
    assert_eq!(place.log()[0]["result"], "E_TIMEOUT");
    assert!(place.log()[0]["duration_ms"].as_u64().unwrap() >= 700);
}

#[tokio::test]
async fn children_that_would_outlive_the_script_are_ended() {
    // One stays in the group; one leaves it, its terminal, its environment and its streams.
    let text = "#!/bin/sh\nsleep 1000 &\necho $! > one\n\
        env -i setsid sh -c 'sleep 1000 & echo $! > two; exec sleep 1000' </dev/null >/dev/null 2>&1 &\n\
        while ! [ -s two ]; do sleep 0.01; done\necho done\n";
    let place = Place::new(&[("fork.sh", text)], |_| {});
    let done = place.run(ask("fork.sh")).await.unwrap();
    assert_eq!((done.stdout.as_str(), done.exit_code), ("done\n", 0));
    for name in ["one", "two"] {
        assert!(!lives(&place.line_of(name).await), "{name}");
    }
}

#[tokio::test]
async fn a_flood_is_read_to_its_end_and_mostly_dropped() {
    let text = "#!/bin/sh\nhead -c 1000000000 /dev/zero | tr '\\0' x\necho\nyes é | head -c 30000000\necho end >&2\n";
    let place = Place::new(&[("flood.sh", text)], |config| {
        config.max_output_bytes = 10_000;
        config.max_line_bytes = 101;
    });
    let done = place.run(ask("flood.sh")).await.unwrap();
    assert!(done.truncated);
    assert!(done.stdout.len() + done.stderr.len() <= 10_000, "{}", done.stdout.len());
    assert!(done.stdout.starts_with(&"x".repeat(101)));
    assert!(done.stdout.lines().all(|line| line.len() <= 101));
    assert_eq!(done.exit_code, 0);
    assert_eq!(place.log()[0]["truncated"], true);
}

#[tokio::test]
async fn a_caller_who_goes_away_takes_the_script_along() {
    let text = "#!/bin/sh\necho $$ > id\nyes\n";
    let place = Place::new(&[("wait.sh", text)], |config| config.max_output_bytes = 100_000_000);
    let mut running = place.runner.start(ask("wait.sh"), None);
    assert!(matches!(running.next().await, Some(Happening::Line(Stream::Stdout, _))));
    let id = place.line_of("id").await;
    assert!(lives(&id));
    drop(running);
    place.runner.finish().await;
    assert!(!lives(&id));
    assert_eq!(place.log()[0]["result"], "E_EXEC");
}

#[tokio::test]
async fn so_many_run_at_once_and_the_others_are_told() {
    let place = Place::new(&[("wait.sh", "#!/bin/sh\nexec sleep 1000\n")], |_| {});
    let mut all: Vec<Running> =
        (0..100).map(|_| place.runner.start(ask("wait.sh"), None)).collect();
    // Those that have no place are told at once; the first ones run until they are dropped.
    for running in all.iter_mut().skip(AT_ONCE) {
        let Some(Happening::Done(Err(refusal))) = running.next().await else { panic!("refused") };
        assert_eq!(refusal.code, Code::Policy);
        assert!(refusal.message.contains("16 scripts run already"), "{refusal}");
    }
    drop(all);
    place.runner.finish().await;
    assert_eq!(place.log().len(), 100);
    assert_eq!(place.log().iter().filter(|line| line["result"] == "E_POLICY").count(), 84);
}

#[tokio::test]
async fn an_unwritable_log_lets_nothing_run() {
    let place = Place::new(&[("touch.sh", "#!/bin/sh\necho ran > ran\n")], |_| {});
    std::fs::create_dir(place.path("log")).unwrap();
    symlink("/dev/full", place.path("log").join(FILE_NAME)).unwrap();
    let refusal = place.run(ask("touch.sh")).await.unwrap_err().refusal;
    assert_eq!(refusal.code, Code::Policy);
    assert!(refusal.message.contains("no space left"), "{refusal}");
    assert!(place.runner.list(None).await.is_err());
    assert!(!place.path("ran").exists());
    std::fs::remove_file(place.path("log").join(FILE_NAME)).unwrap();
    place.run(ask("touch.sh")).await.unwrap();
    assert!(place.path("ran").exists());
}

#[tokio::test]
async fn the_list_is_what_the_policy_says() {
    let place = Place::new(&[("a.sh", ""), ("b/c.sh", "")], |_| {});
    let listing = serde_json::to_value(place.runner.list(None).await.unwrap()).unwrap();
    let args = serde_json::json!(["--name", "--port"]);
    let expected = serde_json::json!({"scripts": [
        {"path": "a.sh", "allowedArgs": args}, {"path": "b/c.sh", "allowedArgs": args}
    ]});
    assert_eq!(listing, expected);
    assert_eq!(place.log()[0]["tool"], "list_allowed");
}
