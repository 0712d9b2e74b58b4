//! Seeded bugs: faults that are off unless `TOOLTEST_BUG` names one, for testing testers of MCP servers.
//!
//! They sit outside the server: a call goes through them on its way in and out, and so do messages on the wire. A faulty
//! path that runs appends the bug's id to the file that `TOOLTEST_TRIGGER_FILE` names, so that a bug that ran can be told
//! from one that was found. `bugs.json` is the catalogue.

mod answers;
mod call;
mod inputs;
mod overlays;
mod panels;
mod races;
mod reading;
mod sessions;
pub(crate) mod wire;

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::LazyLock;

use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::mcp::Wsh;
use call::Call;

static ACTIVE: LazyLock<Option<String>> =
    LazyLock::new(|| std::env::var("TOOLTEST_BUG").ok().filter(|id| !id.is_empty()));

/// The bug that is switched on.
pub(crate) fn active() -> Option<&'static str> {
    ACTIVE.as_deref()
}

/// Notes that the faulty path of a bug runs.
fn trigger(bug: &str) {
    let Some(path) = std::env::var_os("TOOLTEST_TRIGGER_FILE") else { return };
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .and_then(|mut file| writeln!(file, "{bug}"));
    if let Err(error) = written {
        tracing::warn!(%error, "the trigger file cannot be written");
    }
}

/// Ends the process at once, as a crash does.
fn crash(bug: &str) -> ! {
    trigger(bug);
    std::process::abort()
}

fn catalogue() -> impl Iterator<Item = &'static str> {
    let lists = [
        inputs::SEEDED,
        answers::SEEDED,
        sessions::SEEDED,
        overlays::SEEDED,
        panels::SEEDED,
        reading::SEEDED,
        races::SEEDED,
        wire::SEEDED,
    ];
    lists.into_iter().flatten().copied()
}

/// Refuses to start with a bug that does not exist, which would look like a server without faults.
pub(crate) fn check() -> Result<(), String> {
    match active() {
        Some(bug) if !catalogue().any(|known| known == bug) => {
            let known: Vec<&str> = catalogue().collect();
            Err(format!("TOOLTEST_BUG={bug} is unknown, there are: {}", known.join(", ")))
        }
        _ => Ok(()),
    }
}

/// Carries out a call with a bug switched on.
pub(crate) async fn call(
    bug: &'static str,
    server: &Wsh,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let mut call = Call::new(bug, server.app(), &request, &context);
    inputs::before(&mut call).await?;
    sessions::before(&mut call).await;
    overlays::before(&mut call);
    panels::before(&mut call);
    reading::before(&mut call)?;
    races::before(&mut call).await;
    if let Some(answer) = call.early.take() {
        return answer;
    }
    let request = call.request(request);
    let mut answer = server.route(request, context).await;
    answers::after(&call, &mut answer);
    sessions::after(&call, &mut answer);
    overlays::after(&call, &mut answer);
    panels::after(&call, &mut answer);
    reading::after(&call, &mut answer);
    races::after(&call);
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_catalogue_lists_what_is_seeded() {
        let entries: serde_json::Value =
            serde_json::from_str(include_str!("../../bugs.json")).unwrap();
        let listed: Vec<&str> =
            entries.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
        let seeded: Vec<&str> = super::catalogue().collect();
        assert_eq!(listed.iter().collect::<BTreeSet<_>>(), seeded.iter().collect::<BTreeSet<_>>());
        assert_eq!(
            (listed.len(), seeded.len()),
            (seeded.len(), listed.iter().collect::<BTreeSet<_>>().len())
        );
    }
}
