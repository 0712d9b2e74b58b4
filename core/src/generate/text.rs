//! Strings of a shape.

use super::{Bias, Draw, content, format, naughty, pattern};
use crate::schema::{Pattern, plan::Text};

/// Tries at a string that several constraints narrow.
const TRIES: usize = 200;

/// Longest string of a random value, but for the ones that test length.
const TYPICAL_MAX: usize = 64;

/// Longest string that is built at all, in code points.
pub(super) const LONGEST: usize = 10_000;

/// The lengths that all of several shapes allow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) min: usize,
    pub(super) max: usize,
}

impl Window {
    /// The common window; `None` if it is empty or wants more than is built.
    pub(super) fn of(texts: &[&Text]) -> Option<Self> {
        let min = texts.iter().map(|text| text.min).max().unwrap_or(0);
        let max = texts.iter().filter_map(|text| text.max).min().unwrap_or(usize::MAX);
        (min <= max && min <= LONGEST).then_some(Self { min, max })
    }

    fn holds(self, text: &str) -> bool {
        (self.min..=self.max).contains(&text.chars().count())
    }
}

/// A string that has all of several shapes, with the tag of the naughty string if it is one.
pub(super) fn sample(
    texts: &[&Text],
    bias: &Bias,
    draw: &mut Draw,
) -> Option<(String, Option<&'static str>)> {
    let window = Window::of(texts)?;
    if texts.iter().any(|text| is_specific(text)) {
        return constrained(texts, window, draw).map(|text| (text, None));
    }
    for _ in 0..TRIES {
        let (text, tag) = plain(window, bias, draw);
        if accepted(texts, &text) {
            return Some((text, tag));
        }
    }
    None
}

/// The simplest string of a shape: empty, a run of `a`, or the simplest one that a pattern or format allows.
pub(super) fn simplest(texts: &[&Text], draw: &mut Draw) -> Option<String> {
    let window = Window::of(texts)?;
    if texts.iter().any(|text| is_specific(text)) {
        let fixed = texts
            .iter()
            .flat_map(|text| text.formats.names())
            .flat_map(format::fixed)
            .map(|text| (*text).to_owned())
            .find(|text| accepted(texts, text));
        return fixed.or_else(|| constrained(texts, window, draw));
    }
    let lengths = [window.min.max(1), window.min, window.min + 1, window.min + 2];
    let runs = lengths.iter().filter(|length| **length <= window.max);
    runs.flat_map(|length| ["a", "b", "0"].map(|c| c.repeat(*length)))
        .find(|text| accepted(texts, text))
        .or_else(|| sample(texts, &Bias::default(), draw).map(|(text, _)| text))
}

fn is_specific(text: &Text) -> bool {
    !text.patterns.is_empty()
        || text.formats.names().next().is_some()
        || text.media.is_some()
        || text.encoding.is_some()
}

fn accepted(texts: &[&Text], candidate: &str) -> bool {
    texts.iter().all(|text| text.accepts(candidate))
}

/// A string without pattern or format: words, an edge of the length, or a naughty one.
fn plain(window: Window, bias: &Bias, draw: &mut Draw) -> (String, Option<&'static str>) {
    if draw.chance(bias.naughty)
        && let Some((tag, text)) = draw.pick(naughty::all())
        && window.holds(text)
    {
        return (text.clone(), Some(tag));
    }
    if draw.chance(bias.edges) {
        let high = window.max.min(window.min.max(TYPICAL_MAX));
        let length =
            *draw.pick(&[window.min, (window.min + 1).min(high), high]).unwrap_or(&window.min);
        return (of_length(length, draw), None);
    }
    let words = [1, 1, 1, 2, 3][draw.index(5)];
    let mut text = format::word(draw).to_owned();
    for _ in 1..words {
        text.push(' ');
        text.push_str(format::word(draw));
    }
    let length = text.len();
    if length > window.max {
        text.truncate(window.max);
    } else if length < window.min {
        let missing = window.min - length;
        text.push_str(&of_length(missing, draw));
    }
    (text, None)
}

/// Words of exactly `length` characters, without a space at the end.
pub(super) fn of_length(length: usize, draw: &mut Draw) -> String {
    let mut text = String::with_capacity(length + 8);
    while text.len() < length {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(format::word(draw));
    }
    text.truncate(length);
    if text.ends_with(' ') {
        text.pop();
        text.push('a');
    }
    text
}

/// A string that has patterns, formats or contents: sampled from one constraint, checked against all.
fn constrained(texts: &[&Text], window: Window, draw: &mut Draw) -> Option<String> {
    let mut extra = 4;
    for attempt in 0..TRIES {
        let Some(candidate) = candidate(texts, attempt, extra, draw) else {
            break;
        };
        let length = candidate.chars().count();
        if length < window.min {
            extra = (extra * 2).min(LONGEST);
        } else if length > window.max {
            extra /= 2;
        }
        if accepted(texts, &candidate) {
            return Some(candidate);
        }
    }
    witnesses(texts).find(|candidate| accepted(texts, candidate))
}

/// One try: the constraints take turns.
fn candidate(texts: &[&Text], attempt: usize, extra: usize, draw: &mut Draw) -> Option<String> {
    let patterns: Vec<_> = texts.iter().flat_map(|text| &text.patterns).collect();
    let formats: Vec<&str> = texts.iter().flat_map(|text| text.formats.names()).collect();
    let choices = patterns.len() + formats.len();
    let media = texts.iter().find_map(|text| text.media.as_deref());
    let encoding = texts.iter().find_map(|text| text.encoding.as_deref());
    let has_content = media.is_some() || encoding.is_some();
    if choices == 0 || (has_content && attempt.is_multiple_of(2)) {
        return Some(content::sample(media, encoding, draw));
    }
    // Patterns that are anchored at different ends may match a concatenation.
    if patterns.len() > 1 && attempt % (choices + 1) == choices {
        let parts: Option<Vec<String>> =
            patterns.iter().map(|pattern| pattern::sample(pattern, extra, draw)).collect();
        return parts.map(|parts| parts.concat());
    }
    let turn = attempt % choices;
    match patterns.get(turn) {
        Some(pattern) => {
            pattern::sample(pattern, extra, draw).or_else(|| Some(of_length(extra, draw)))
        }
        None => format::sample(formats[turn - patterns.len()], draw)
            .or_else(|| Some(of_length(extra, draw))),
    }
}

/// Strings that are known to match a pattern, for patterns that sampling misses.
fn witnesses<'a>(texts: &'a [&Text]) -> impl Iterator<Item = String> + 'a {
    texts.iter().flat_map(|text| &text.patterns).filter_map(Pattern::witness)
}
