//! A case drawn as steps, with lines beside them that show which answer a value was taken from.
//!
//! The lines are borders of elements that stretch with their step, so that the drawing holds when parts are unfolded, at any width.

use super::markup::Html;
use crate::case::{Binding, Label, Role, Source};
use crate::finding::{CaseReport, StepReport};
use crate::pointer;
use crate::report::answer::{self, Extent};
use crate::report::value::Layout;
use crate::report::words;
use serde_json::Value;
use std::fmt::Write as _;

/// More lines than this share the last lane.
const LANES: usize = 6;

/// A value that steps hand on: one line from its source to its last user.
struct Lane<'a> {
    from: usize,
    source: &'a Source,
    uses: Vec<usize>,
}

fn lanes_of(case: &CaseReport) -> Vec<Lane<'_>> {
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    for (index, step) in case.steps.iter().enumerate() {
        for binding in step.bindings.iter().filter(|binding| binding.step < index) {
            match lanes
                .iter_mut()
                .find(|lane| lane.from == binding.step && *lane.source == binding.from)
            {
                Some(lane) if lane.uses.last() == Some(&index) => {}
                Some(lane) => lane.uses.push(index),
                None => lanes.push(Lane {
                    from: binding.step,
                    source: &binding.from,
                    uses: vec![index],
                }),
            }
        }
    }
    lanes
}

/// Draws the case.
pub(super) fn write(page: &mut Html, case: &CaseReport) {
    let lanes = lanes_of(case);
    page.element("h3", "", &answer::case_title(case));
    let drawn = lanes.len().min(LANES);
    page.raw(&format!("<ol class=\"steps\" style=\"--lanes:{drawn}\">\n"));
    for (index, step) in case.steps.iter().enumerate() {
        let failing = index == case.failing_step;
        page.open("li", if failing { "step failing" } else { "step" });
        for (number, lane) in lanes.iter().enumerate() {
            draw_lane(page, number.min(LANES - 1), lane, index);
        }
        write_step(page, case, index, &lanes, step);
        page.close("li");
    }
    page.close("ol");
}

fn draw_lane(page: &mut Html, number: usize, lane: &Lane<'_>, step: usize) {
    let Some(&last) = lane.uses.last() else { return };
    if step < lane.from || step > last {
        return;
    }
    let stretch = match (step == lane.from, step == last) {
        (true, _) => "from",
        (_, true) => "to",
        _ => "through",
    };
    page.raw(&format!("<i class=\"line {stretch} lane{number}\"></i>"));
    if step == lane.from {
        page.raw(&format!("<i class=\"branch out lane{number}\"></i>"));
    } else if lane.uses.contains(&step) {
        page.raw(&format!("<i class=\"branch in lane{number}\"></i>"));
    }
}

fn write_step(
    page: &mut Html,
    case: &CaseReport,
    index: usize,
    lanes: &[Lane<'_>],
    step: &StepReport,
) {
    let failing = index == case.failing_step;
    page.open("div", "card");
    page.open("div", "head");
    page.element("span", "number", &(index + 1).to_string());
    page.element("b", "name", answer::step_name(step));
    let class = match (failing, step.outcome.as_str()) {
        (true, _) => "bad",
        (false, "ok") => "good",
        _ => "warn",
    };
    page.element("span", &format!("chip {class}"), &step.outcome);
    page.element("span", "time", &words::millis(step.elapsed_ms));
    page.raw("</div>\n");
    let lane_of = |binding: &Binding| {
        let found =
            lanes.iter().position(|lane| lane.from == binding.step && *lane.source == binding.from);
        format!("lane{}", found.unwrap_or(0).min(LANES - 1))
    };
    if !step.arguments.is_null() {
        let layout = Layout {
            first: 92,
            width: 92,
            lines: 60,
            string: 2000,
            wrap: false,
            bindings: &step.bindings,
        };
        let order = in_order(&step.arguments, &step.bindings);
        page.json(&step.arguments, &layout, &|nth| {
            order.get(nth).map(|binding| lane_of(binding)).unwrap_or_default()
        });
    }
    flows(page, index, lanes, step, &lane_of);
    remark(page, case, index, step);
    answer_of(page, step, failing);
    page.raw("</div>");
}

/// The bindings in the order in which their values stand in the arguments.
fn in_order<'a>(arguments: &Value, bindings: &'a [Binding]) -> Vec<&'a Binding> {
    fn walk<'a>(value: &Value, path: &str, bindings: &'a [Binding], out: &mut Vec<&'a Binding>) {
        let token = |key: &str| pointer::join(path, key);
        match value {
            Value::Object(members) => {
                members.iter().for_each(|(key, value)| walk(value, &token(key), bindings, out));
            }
            Value::Array(items) => items
                .iter()
                .enumerate()
                .for_each(|(i, value)| walk(value, &token(&i.to_string()), bindings, out)),
            _ => out.extend(bindings.iter().find(|binding| binding.at == path)),
        }
    }
    let mut out = Vec::new();
    walk(arguments, "", bindings, &mut out);
    out
}

/// Chips that say in words what the lines show.
fn flows(
    page: &mut Html,
    index: usize,
    lanes: &[Lane<'_>],
    step: &StepReport,
    lane_of: &dyn Fn(&Binding) -> String,
) {
    let given = lanes.iter().enumerate().filter(|(_, lane)| lane.from == index);
    let given: Vec<(usize, &Lane<'_>)> = given.collect();
    if step.bindings.is_empty() && given.is_empty() {
        return;
    }
    page.open("div", "flows");
    for binding in &step.bindings {
        let at = if binding.at.is_empty() { "arguments".to_owned() } else { dotted(&binding.at) };
        let text = format!("{at} ← {} of step {}", place(&binding.from), binding.step + 1);
        page.element("span", &format!("flow {}", lane_of(binding)), &text);
    }
    for (number, lane) in given {
        let uses: Vec<String> = lane.uses.iter().map(|step| (step + 1).to_string()).collect();
        let plural = if uses.len() == 1 { "" } else { "s" };
        let text = format!("{} → step{plural} {}", place(lane.source), uses.join(", "));
        page.element("span", &format!("flow lane{}", number.min(LANES - 1)), &text);
    }
    page.close("div");
}

/// A JSON Pointer as people write paths: `items[0].id`.
fn dotted(pointer: &str) -> String {
    let mut out = String::new();
    for token in pointer.split('/').skip(1) {
        let token = pointer::unescape(token);
        if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()) {
            let _ = write!(out, "[{token}]");
        } else {
            let dot = if out.is_empty() { "" } else { "." };
            let _ = write!(out, "{dot}{token}");
        }
    }
    out
}

/// Where in an answer a value is, in words.
fn place(source: &Source) -> String {
    match source {
        Source::Result { pointer } => dotted(pointer),
        Source::TextJson { pointer, .. } if pointer.is_empty() => "the JSON in the text".to_owned(),
        Source::TextJson { pointer, .. } => format!("{} in the text", dotted(pointer)),
        Source::TextToken { token, index: 0, .. } => format!("{token} in the text"),
        Source::TextToken { token, index, .. } => format!("{token} no. {} in the text", index + 1),
        Source::Argument { pointer } => format!("argument {}", dotted(pointer)),
    }
}

fn remark(page: &mut Html, case: &CaseReport, index: usize, step: &StepReport) {
    let mut remarks = Vec::new();
    if let Label::Invalid { pointer, keyword, mutation } = &step.label {
        let at = if pointer.is_empty() { "the arguments".to_owned() } else { dotted(pointer) };
        remarks.push(format!("invalid on purpose: {mutation} ({keyword} at {at})"));
    }
    if let Role::Boundary { edge, pointer } = &step.role {
        let of =
            if pointer.is_empty() { String::new() } else { format!(" of {}", dotted(pointer)) };
        remarks.push(format!("at the edge: {edge}{of}"));
    }
    if let Some(group) = step.group {
        let others =
            case.steps.iter().enumerate().filter(|(i, s)| *i != index && s.group == Some(group));
        let others: Vec<String> = others.map(|(i, _)| (i + 1).to_string()).collect();
        if !others.is_empty() {
            remarks.push(format!("⇉ sent together with step {}", others.join(", ")));
        }
    }
    for text in remarks {
        page.element("p", "note", &text);
    }
}

fn answer_of(page: &mut Html, step: &StepReport, failing: bool) {
    let whole =
        Layout { first: 92, width: 92, lines: 600, string: 20_000, wrap: false, bindings: &[] };
    let plain = |_: usize| String::new();
    if let Some(instead) = answer::instead(&step.response) {
        page.element("p", "note", instead);
    } else if let Some(gist) = answer::shown(&step.response, Extent::Gist).filter(|_| !failing) {
        page.raw("<div class=\"gist\">");
        page.json(&gist, &Layout { lines: 3, string: 160, ..whole }, &plain);
        page.raw("</div>\n");
    }
    if let Some(request) = &step.request {
        page.folded("request", false, |page| page.json(request, &whole, &plain));
    }
    if !step.response.is_null() && answer::instead(&step.response).is_none() {
        page.folded("response", failing, |page| page.json(&step.response, &whole, &plain));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_read_as_paths() {
        assert_eq!(dotted("/structuredContent/items/0/id"), "structuredContent.items[0].id");
        assert_eq!(dotted("/a~1b/~0"), "a/b.~");
        assert_eq!(dotted(""), "");
    }
}
