//! `paging_inconsistent`.

use super::observed::{is_ok, tool_of};
use crate::case::Role;
use crate::lints::look::show;
use crate::lints::meta::lint;
use crate::lints::{CaseContext, Execution, Lint, Problem};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::sequence::paging::{CHECK, Items, Paging};
use serde_json::Value;

lint! {
    /// The pages of a list, put together, are not the list.
    ///
    /// A model that reads page after page sees an item twice, or never.
    PagingInconsistent(Case, Error) {}
    spec: "", fix: "Cut the pages from one order: page N begins right after the last item of page N-1, and the last page is served, too."
}

impl Lint for PagingInconsistent {
    fn case(&self, context: &CaseContext<'_>, problems: &mut Vec<Problem>) {
        let execution = context.execution;
        let steps = execution.case.steps.iter().zip(&execution.exchanges).enumerate();
        let looks: Vec<Look> = steps
            .filter_map(|(at, (step, _))| match &step.role {
                Role::Observe { check, view } if check == CHECK => Some((at, *view)),
                _ => None,
            })
            .collect();
        let mut rest = looks.as_slice();
        while let Some((walk, others)) = next_walk(rest) {
            let tool = tool_of(execution, walk[0].0);
            let known = context.catalog.tool(tool).and_then(Paging::of);
            let found = known.and_then(|paging| {
                [1, 2].into_iter().find_map(|size| judge(execution, paging, walk, size))
            });
            if let Some((rule, message, step)) = found {
                problems.push(Problem::new(rule, message).tool(tool).step(step));
            }
            rest = others;
        }
    }
}

/// A look of a walk: the step and its view.
type Look = (usize, u32);

/// A walk: the whole list, pieces, the whole list again; and what comes after it.
fn next_walk(looks: &[Look]) -> Option<(&[Look], &[Look])> {
    let start = looks.iter().position(|(_, view)| *view == 0)?;
    let looks = &looks[start..];
    let end = looks.iter().skip(1).position(|(_, view)| *view == 0)? + 1;
    Some(looks.split_at(end + 1))
}

/// Judges the pieces of one size against the whole: rule, message, and the step at which it shows.
fn judge(
    execution: &Execution,
    paging: &Paging,
    walk: &[Look],
    size: u32,
) -> Option<(&'static str, String, usize)> {
    let (first, last) = (walk.first()?.0, walk.last()?.0);
    let items =
        |step: usize| Items::of(&execution.exchanges[step]).filter(|_| is_ok(execution, step));
    let (whole, again) = (items(first)?, items(last)?);
    let pieces: Vec<usize> =
        walk.iter().filter(|(_, view)| view / 1000 == size).map(|(at, _)| *at).collect();
    let parts: Vec<Items> = pieces.iter().map(|at| items(*at)).collect::<Option<_>>()?;
    let asked = paging.size_of(&execution.case.steps[first])?;
    // A list that changes by itself, or that is cut itself, tells nothing.
    if whole != again || whole.len() as u64 >= asked || parts.len() < 2 {
        return None;
    }
    let what = match whole {
        Items::Values(whole) => of_values(&whole, &parts, size as usize)?,
        Items::Lines(whole) => of_lines(&whole, &parts)?,
    };
    let lister = tool_of(execution, first);
    let rule = if what.1 { "item twice" } else { "item never" };
    let often = if what.1 { "stands in two pages" } else { "is in no page" };
    let message =
        format!("of the items that `{lister}` lists as a whole, {} {often} of {size}", what.0);
    Some((rule, message, *pieces.last()?))
}

/// An item that the pages have twice (true) or never (false).
fn of_values(whole: &[Value], parts: &[Items], size: usize) -> Option<(String, bool)> {
    let mut seen: Vec<&Value> = Vec::new();
    for part in parts {
        let Items::Values(part) = part else { return None };
        // A server that gives more than was asked for reads the size in its own way.
        if part.len() > size {
            return None;
        }
        seen.extend(part);
    }
    // Pages that cover less than the whole were not walked to their end.
    if parts.len() * size < whole.len() {
        return None;
    }
    let count = |all: &mut dyn Iterator<Item = &Value>, item: &Value| {
        all.filter(|other| *other == item).count()
    };
    let times =
        |item: &Value| (count(&mut whole.iter(), item), count(&mut seen.iter().copied(), item));
    let twice = seen
        .iter()
        .find(|item| matches!(times(item), (listed, paged) if listed > 0 && paged > listed));
    let never =
        || whole.iter().find(|item| matches!(times(item), (listed, paged) if paged < listed));
    // What pages show and the whole does not have is written in another form there.
    if seen.iter().any(|item| times(item).0 == 0) {
        return None;
    }
    twice.map(|item| (show(item), true)).or_else(|| never().map(|item| (show(item), false)))
}

/// A line that two of at least three pages have and the whole has once.
fn of_lines(whole: &[String], parts: &[Items]) -> Option<(String, bool)> {
    let pages: Vec<&Vec<String>> = parts
        .iter()
        .filter_map(|part| match part {
            Items::Lines(lines) if lines.iter().any(|line| whole.contains(line)) => Some(lines),
            _ => None,
        })
        .collect();
    let once = |line: &&String| whole.iter().filter(|other| other == line).count() == 1;
    let in_pages = |line: &String| pages.iter().filter(|page| page.contains(line)).count();
    // Headings stand in every page.
    let twice = whole.iter().filter(once).find(|line| in_pages(line) == 2);
    twice.filter(|_| pages.len() >= 3).map(|line| (format!("{line:?}"), true))
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use super::observed::{execution, structured};
    use serde_json::json;

    fn walk(pages: &[&[u32]]) -> Scene {
        let schema = json!({"type": "object", "properties": {
            "offset": {"type": "integer", "default": 0}, "limit": {"type": "integer", "maximum": 50},
        }});
        let look = |view| Role::Observe { check: CHECK.to_owned(), view };
        let listed = |ids: &[u32]| structured(json!({"items": ids}));
        let whole = ("tool", look(0), json!({"offset": 0, "limit": 50}), listed(&[1, 2, 3]));
        let mut steps = vec![whole.clone()];
        for (at, page) in pages.iter().enumerate() {
            let view = 1000 + u32::try_from(at).expect("few");
            steps.push(("tool", look(view), json!({"offset": at, "limit": 1}), listed(page)));
        }
        steps.push(whole);
        Scene::new().input_schema(schema).ran(execution(steps))
    }
    Examples::of(&ENTRY)
        .flags("1 stands in two pages of 1", walk(&[&[1], &[1], &[2]]))
        .flags("3 is in no page of 1", walk(&[&[1], &[2], &[]]))
        .passes(walk(&[&[1], &[2], &[3]]))
        .passes(walk(&[&[3], &[1], &[2]]))
        .passes(walk(&[&[1, 2, 3], &[1, 2, 3], &[1, 2, 3]]))
}
