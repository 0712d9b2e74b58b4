//! What a server says when it does not do a call.

use super::ResponseContext;
use crate::exchange::Reply;
use crate::outcome::OutcomeKind;

/// The text of a refusal: a tool error, a protocol error, or error text in a result that claims success. `None` where the
/// call was not refused.
pub(super) fn refusal_text(context: &ResponseContext<'_>) -> Option<String> {
    if context.exchange.method != "tools/call" {
        return None;
    }
    match (&context.exchange.reply, context.outcome.kind) {
        (Reply::Error(error), _) => {
            let data = error.raw.get("data").filter(|data| !data.is_null());
            let data =
                data.map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned));
            Some(match data {
                Some(data) => format!("{}\n{data}", error.message),
                None => error.message.clone(),
            })
        }
        (Reply::Result(_), OutcomeKind::ToolError | OutcomeKind::SoftError) => {
            Some(context.exchange.text())
        }
        _ => None,
    }
}
