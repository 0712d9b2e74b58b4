//! `missing_client_capability_http_400`.

use crate::exchange::Reply;
use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, ResponseContext};
#[cfg(test)]
use crate::lints::{
    examples::Examples,
    scene::{Scene, error, http},
};

lint! {
    /// A request that lacks a client capability is refused with a status other than 400.
    ///
    /// Gateways that do not read bodies count the refusal as a success.
    MissingClientCapabilityHttp400(Response, Error) {}
    spec: "basic/index#meta", fix: "Send the error -32021 with status 400.", since: V2026_07_28
}

impl Lint for MissingClientCapabilityHttp400 {
    fn response(&self, context: &ResponseContext<'_>, problems: &mut Vec<Problem>) {
        let exchange = context.exchange;
        let (Reply::Error(error), Some(http)) = (&exchange.reply, &exchange.http) else {
            return;
        };
        if error.code == Some(-32021) && http.status != 400 {
            let (method, status) = (&exchange.method, http.status);
            problems.push(Problem::new(
                format!("status {status}"),
                format!(
                    "{method} was refused for want of a capability with status {status}, not 400"
                ),
            ));
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::protocol::Revision;
    use serde_json::json;

    let refused = |status| {
        Scene::at(Revision::V2026_07_28)
            .over_http()
            .asked("tools/call", json!({}), error(-32021, "needs elicitation"))
            .http(http(status, "{}"))
    };
    Examples::of(&ENTRY).flags("status 200, not 400", refused(200)).passes(refused(400))
}
