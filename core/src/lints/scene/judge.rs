//! Shows a scene to a lint.

use super::{Scene, error, exchange, http};
use crate::catalog::Catalog;
use crate::exchange::Reply;
use crate::lints::{
    CaseContext, Entry, Hook, ListContext, ProbeContext, Problem, ResponseContext, RunContext,
};
use crate::outcome::Outcome;
use crate::probe::{Probe, ProbeOutcome, ProbeRun, ProbeStep};
use serde_json::{Value, json};

impl Scene {
    /// The probes that the lint plans for this server.
    pub(crate) fn plan(&self, entry: &Entry) -> Vec<Probe> {
        let lint = (entry.build)(&self.params).expect("the scene's parameters fit the lint");
        let catalog = Catalog::from_listings(self.listings.clone(), self.revision);
        lint.probes(&ListContext {
            revision: self.revision,
            input: &self.input,
            server: &self.server,
            catalog: &catalog,
            seen: &self.seen,
        })
    }

    /// What the lint says of this server.
    pub(crate) fn judge(&self, entry: &Entry) -> Vec<Problem> {
        let lint = (entry.build)(&self.params).expect("the scene's parameters fit the lint");
        let catalog = Catalog::from_listings(self.listings.clone(), self.revision);
        let server = &self.server;
        let seen = ListContext {
            revision: self.revision,
            input: &self.input,
            server,
            catalog: &catalog,
            seen: &self.seen,
        };
        let mut problems = Vec::new();
        match entry.meta.hook {
            Hook::List => lint.list(&seen, &mut problems),
            Hook::Probe => {
                let planned = lint.probes(&seen);
                let runs = self.probe_runs.clone();
                let runs = runs
                    .unwrap_or_else(|| planned.into_iter().map(|p| self.run_probe(p)).collect());
                lint.probed(&ProbeContext { list: &seen, runs: &runs, all: &runs }, &mut problems);
            }
            Hook::Response => {
                let exchange = self.exchange.as_ref().expect("a response lint needs an exchange");
                let name = self.step.as_ref().and_then(|step| step.action.tool());
                lint.response(
                    &ResponseContext {
                        revision: self.revision,
                        input: &self.input,
                        server,
                        catalog: &catalog,
                        tool: name.and_then(|name| catalog.tool(name)),
                        step: self.step.as_ref(),
                        exchange,
                        outcome: &Outcome::of(exchange),
                        history: &self.history,
                        stray: &self.stray,
                    },
                    &mut problems,
                );
            }
            Hook::Case => lint.case(
                &CaseContext {
                    revision: self.revision,
                    input: &self.input,
                    catalog: &catalog,
                    execution: self.execution.as_ref().expect("a case lint needs an execution"),
                    references: &self.references,
                },
                &mut problems,
            ),
            Hook::Run => lint.run(
                &RunContext {
                    revision: self.revision,
                    input: &self.input,
                    catalog: &catalog,
                    record: &self.record,
                },
                &mut problems,
            ),
        }
        problems
    }

    /// A probe as it runs against [`Scene::answers`].
    fn run_probe(&self, probe: Probe) -> ProbeRun {
        let steps = probe.steps.iter().map(|step| self.run_step(step)).collect();
        let mut run = ProbeRun { probe, steps, not_run: None, closing: None };
        if let Some(change) = self.change_runs {
            change(&mut run);
        }
        run
    }

    fn run_step(&self, step: &ProbeStep) -> ProbeOutcome {
        let reply = |method: &str, params: &Value| {
            self.answer.map_or_else(|| error(-32601, "Method not found"), |a| a(method, params))
        };
        let exchanges = match step {
            ProbeStep::Request(request) => {
                let reply = reply(&request.method, &request.params);
                let mut exchange = exchange(&request.method, request.params.clone(), reply);
                exchange.id = request.id.clone().unwrap_or(exchange.id);
                vec![exchange]
            }
            ProbeStep::Together(requests) => requests
                .iter()
                .map(|(method, params)| exchange(method, params.clone(), reply(method, params)))
                .collect(),
            ProbeStep::Fence => vec![exchange("ping", json!({}), Reply::Result(json!({})))],
            _ => Vec::new(),
        };
        let http = match step {
            ProbeStep::Http(request) => {
                Some(self.answer_http.map_or_else(|| http(405, ""), |a| a(request)))
            }
            _ => None,
        };
        ProbeOutcome { exchanges, http, alive: true, ..ProbeOutcome::default() }
    }
}
