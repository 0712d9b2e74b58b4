//! Probes of results that ask for input (2026-07-28): calls that the run has seen ask are made again, and the retry is varied.

use crate::exchange::Exchange;
use crate::lints::look::result_type;
use crate::lints::{ListContext, ProbeContext};
use crate::probe::{Becomes, Probe, ProbeBinding, ProbeRequest, ProbeRun, ProbeSession, ProbeStep};
use serde_json::{Map, Value, json};

/// The first round of a call: a request that is left unanswered, then its retry with these `inputResponses`, made of the
/// keys and requests that were asked. `state` is added to what comes as `requestState`; one probe a call.
pub(in crate::lints) fn question_probes(
    context: &ListContext<'_>,
    name: &str,
    responses: impl Fn(&Map<String, Value>) -> Value,
    with_state: bool,
) -> Vec<Probe> {
    let questions = context.seen.questions.iter();
    let probes = questions.filter_map(|call| {
        let asked = call.rounds.first()?;
        let requests = asked.get("inputRequests")?.as_object()?;
        let mut params = call.params.as_object()?.clone();
        for own in ["_meta", "inputResponses", "requestState"] {
            params.remove(own);
        }
        let tool = params.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let first = unanswered(&call.method, Value::Object(params.clone()), Vec::new());
        params.insert("inputResponses".to_owned(), responses(requests));
        let state = asked.get("requestState").filter(|_| with_state).map(|_| ProbeBinding {
            step: 0,
            from: "/requestState".to_owned(),
            member: "requestState".to_owned(),
            becomes: Becomes::Itself,
        });
        let retry = unanswered(&call.method, Value::Object(params), state.into_iter().collect());
        let steps = vec![first, retry, ProbeStep::Fence];
        Some(Probe { name: format!("{name} of {tool}"), session: ProbeSession::Own, steps })
    });
    probes.collect()
}

/// The first round of a call and, on another connection, its retry with answers to what was asked and the state as it came.
/// Step 0 asks, step 2 answers; one probe a call.
pub(in crate::lints) fn moved_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let nothing = |_: &Map<String, Value>| json!({});
    let mut probes = question_probes(context, "answers on another connection", nothing, true);
    for probe in &mut probes {
        if let ProbeStep::Request(retry) = &mut probe.steps[1] {
            retry.bindings.push(ProbeBinding {
                step: 0,
                from: "/inputRequests".to_owned(),
                member: "inputResponses".to_owned(),
                becomes: Becomes::Answers,
            });
        }
        probe.steps.insert(1, ProbeStep::Reopen);
    }
    probes
}

/// The first round of one call, and the retry of another with the state of the first.
pub(in crate::lints) fn swapped_state_probes(context: &ListContext<'_>) -> Vec<Probe> {
    let own = question_probes(context, "the request state of another call in one", declined, true);
    let first = own.first().cloned();
    let others = own.iter().skip(1).cloned().zip(std::iter::repeat(first));
    let swapped = others.filter_map(|(mut other, first)| {
        other.steps[0] = first?.steps[0].clone();
        let carries_state =
            matches!(&other.steps[1], ProbeStep::Request(retry) if !retry.bindings.is_empty());
        carries_state.then_some(other)
    });
    swapped.collect()
}

fn unanswered(method: &str, params: Value, bindings: Vec<ProbeBinding>) -> ProbeStep {
    ProbeStep::Request(ProbeRequest {
        method: method.to_owned(),
        params,
        unanswered: true,
        bindings,
        ..ProbeRequest::default()
    })
}

/// The responses that decline every question.
pub(in crate::lints) fn declined(requests: &Map<String, Value>) -> Value {
    answers(requests, |_| json!({"action": "decline"}))
}

/// The same response to every elicitation.
pub(in crate::lints) fn answers(
    requests: &Map<String, Value>,
    response: impl Fn(&Value) -> Value,
) -> Value {
    let elicitations = requests.iter().filter(|(_, request)| {
        request.get("method").and_then(Value::as_str) == Some("elicitation/create")
    });
    Value::Object(elicitations.map(|(key, request)| (key.clone(), response(request))).collect())
}

/// The retries of [`question_probes`] that followed a question, each with its run.
pub(in crate::lints) fn retried<'a>(
    context: &ProbeContext<'a>,
) -> impl Iterator<Item = (&'a ProbeRun, &'a Exchange)> {
    context.runs.iter().filter_map(|run| {
        let asked = run.exchange(0)?.result()?;
        (result_type(asked) == "input_required").then_some(())?;
        Some((run, run.exchange(1)?))
    })
}
