//! `init_missing_fields_rejected`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::probes::{ask, asked, unopened};
use crate::lints::{Lint, ListContext, ProbeContext, Problem};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error},
};
use crate::probe::Probe;
use serde_json::json;

lint! {
    /// `initialize` without its required parameters is accepted.
    ///
    /// Faults of clients stay hidden until the missing part is needed.
    InitMissingFieldsRejected(Probe, Disabled) {}
    spec: "basic/lifecycle#initialization", fix: "Refuse `initialize` without protocolVersion, capabilities and clientInfo with -32602.", until: V2025_11_25
}

impl Lint for InitMissingFieldsRejected {
    fn probes(&self, _context: &ListContext<'_>) -> Vec<Probe> {
        vec![unopened("initialize without parameters", vec![ask("initialize", json!({}))])]
    }

    fn probed(&self, context: &ProbeContext<'_>, problems: &mut Vec<Problem>) {
        if asked(context).any(|(_, exchange)| matches!(exchange.reply, Reply::Result(_))) {
            problems.push(Problem::new("accepted", "initialize without parameters was accepted"));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    Examples::of(&ENTRY)
        .flags("was accepted", Scene::new().answers(|_, _| Reply::Result(json!({}))))
        .passes(Scene::new().answers(|_, _| error(-32602, "missing")))
}
