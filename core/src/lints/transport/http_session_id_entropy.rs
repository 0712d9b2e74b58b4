//! `http_session_id_entropy`.

use crate::lints::look::{guessable, is_streamable};
use crate::lints::meta::lint;
use crate::lints::probes::{end_session, fresh_http_session, minted, shared};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, http},
};
use crate::probe::Probe;

lint! {
    /// Session ids can be guessed.
    ///
    /// Whoever knows the id of a session can speak in it.
    HttpSessionIdEntropy(Probe, Warning) {}
    spec: "basic/transports#session-management", fix: "Make session ids of at least 128 random bits, for example UUIDs.", since: V2025_03_26, until: V2025_11_25
}

impl Lint for HttpSessionIdEntropy {
    fn probes(&self, context: &ListContext<'_>) -> Vec<Probe> {
        if !is_streamable(context.input, context.server) || !minted(context) {
            return Vec::new();
        }
        let opened = (0..3).map(|_| fresh_http_session(context));
        let ended = (0..3).map(end_session);
        vec![shared("three sessions", opened.chain(ended).collect())]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        let steps = context.runs.iter().flat_map(|run| run.steps.iter().take(3));
        let ids: Vec<&str> =
            steps.filter_map(|step| step.http.as_ref()?.header("mcp-session-id")).collect();
        let [a, b, c] = ids.as_slice() else {
            return;
        };
        let Some(what) = guessable([a, b, c]) else {
            return;
        };
        problems.push(Problem::new(what, format!("of three sessions, {what}: {a}, {b}, {c}")));
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    fn sessions(ids: [&'static str; 3]) -> Scene {
        let opened = |run: &mut crate::probe::ProbeRun, ids: [&str; 3]| {
            for (step, id) in run.steps.iter_mut().zip(ids) {
                let mut response = http(200, "{}");
                response.headers.push(("Mcp-Session-Id".to_owned(), id.to_owned()));
                step.http = Some(response);
            }
        };
        let scene = Scene::new().over_http().with_server(|server| {
            let opening = server.opening.as_mut().expect("opened");
            let mut response = http(200, "{}");
            response.headers.push(("Mcp-Session-Id".to_owned(), "x".to_owned()));
            opening.http = Some(response);
        });
        let planned = scene.plan(&ENTRY);
        let steps =
            planned[0].steps.iter().map(|_| crate::probe::ProbeOutcome::default()).collect();
        let mut run = crate::probe::ProbeRun {
            probe: planned[0].clone(),
            steps,
            not_run: None,
            closing: None,
        };
        opened(&mut run, ids);
        scene.probed(vec![run])
    }
    Examples::of(&ENTRY)
        .flags("counted up", sessions(["session-0008", "session-0009", "session-0010"]))
        .flags("given several times", sessions(["one", "one", "one"]))
        .flags("shorter than 16", sessions(["q8zk", "07fm", "mmw2"]))
        .passes(sessions([
            "0b0f2a52-54ac-4d3f-9c43-0f3b47cf1c11",
            "a4d2b2fe-7a3b-4b43-8f5c-3fd9d5d5a001",
            "f3c8b1de-1b1f-4f0c-a8a9-6a6f4f7ad8f2",
        ]))
}
