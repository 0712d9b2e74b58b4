//! Signs, in what calls sent together brought, that a comparison with the same calls in sequence is worth its sessions.

use crate::lints::Execution;
use crate::outcome::OutcomeKind;

/// Whether the call at a step succeeded.
pub(super) fn is_answered(execution: &Execution, at: usize) -> bool {
    execution.outcomes.get(at).is_some_and(|outcome| outcome.kind == OutcomeKind::Ok)
}

/// Whether a call's answer holds what the other one asked for and not what it asked for itself.
pub(super) fn is_swapped(execution: &Execution, calls: [usize; 2]) -> bool {
    let texts = |at: usize| -> Vec<String> {
        let sent = execution.case.steps.get(at).and_then(|step| step.action.arguments());
        let values = sent.map(crate::mask::values).unwrap_or_default();
        values.into_iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    let shown = |at: usize| {
        let exchange = execution.exchanges.get(at);
        exchange.and_then(|e| e.result()).map(ToString::to_string).unwrap_or_default()
    };
    let crossed = |own: usize, other: usize| {
        let (own_texts, others, shown) = (texts(own), texts(other), shown(own));
        let foreign = others.iter().any(|text| !own_texts.contains(text) && shown.contains(text));
        foreign && own_texts.iter().any(|text| !others.contains(text) && !shown.contains(text))
    };
    crossed(calls[0], calls[1]) || crossed(calls[1], calls[0])
}

/// Whether some text that the calls sent is in none of the looks after them: the sign of a lost update. Comparing with the calls
/// in sequence costs two more sessions; pairs without the sign are compared now and then only.
pub(super) fn is_suspicious(execution: &Execution) -> bool {
    let steps = execution.case.steps.iter().zip(&execution.exchanges);
    let (grouped, rest): (Vec<_>, Vec<_>) = steps.partition(|(step, _)| step.group.is_some());
    let last = execution.case.steps.iter().rposition(|step| step.group.is_some()).unwrap_or(0);
    let looks = rest.iter().filter(|(_, exchange)| exchange.result().is_some());
    let shown: String = looks
        .map(|(_, exchange)| exchange.result().map(ToString::to_string).unwrap_or_default())
        .collect();
    let sent = grouped
        .iter()
        .flat_map(|(step, _)| step.action.arguments().map(crate::mask::values).unwrap_or_default());
    last > 0
        && sent
            .filter_map(|value| value.as_str().map(str::to_owned))
            .any(|text| text.len() >= 3 && !shown.contains(&text))
}
