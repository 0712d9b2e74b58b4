//! A finding's section of the page.

use super::level;
use super::markup::{Html, rich};
use super::sequence;
use crate::finding::Finding;
use crate::report::{escape, words};

/// Writes the section.
pub(super) fn write(page: &mut Html, number: usize, finding: &Finding) {
    let (word, class) = level(finding);
    page.raw(&format!(
        "<section class=\"finding {class}\" id=\"finding-{number}\">\n<div class=\"title\">"
    ));
    page.element("span", &format!("chip {class}"), word);
    page.element("code", "lint", &finding.lint);
    if let Some(tool) = &finding.tool {
        page.element("code", "tool", tool);
    }
    if finding.reproduction.is_some_and(crate::finding::Reproduction::is_flaky) {
        page.element("span", "chip warn", "flaky");
    }
    page.raw("</div>\n<h2>");
    rich(page, &finding.message);
    page.raw("</h2>\n");
    if let Some(evidence) = &finding.evidence {
        page.element("pre", "evidence", evidence);
    }
    advice(page, finding);
    if let Some(case) = &finding.case {
        sequence::write(page, case);
    }
    if let Some(exit) = &finding.exit {
        page.raw("<p class=\"exit\">The server ended: ");
        page.element("b", "", &exit.summary());
        page.raw("</p>\n");
        if !exit.stderr.trim().is_empty() {
            page.folded("standard error", true, |page| {
                page.element("pre", "stderr", exit.stderr.trim_end());
            });
        }
    }
    if let Some(replay) = &finding.replay {
        page.raw("<p class=\"replay\"><span>Run it again</span> ");
        page.element("code", "", &escape::line(replay));
        page.raw("</p>\n");
    }
    page.close("section");
}

fn advice(page: &mut Html, finding: &Finding) {
    page.open("dl", "advice");
    let mut entry = |label: &str, text: &str| {
        if !text.is_empty() {
            page.element("dt", "", label);
            page.open("dd", "");
            rich(page, text);
            page.close("dd");
        }
    };
    entry("Why it matters", &finding.why);
    entry("What to do", &finding.fix);
    entry("Seen", &words::times_seen(finding));
    entry("Also in", &finding.also.join(", "));
    if !finding.spec.is_empty() {
        page.element("dt", "", "Rule");
        page.open("dd", "");
        match escape::link(&finding.spec) {
            Some(url) => {
                let url = escape::markup(url);
                page.raw(&format!("<a href=\"{url}\" rel=\"noreferrer\">{url}</a>"));
            }
            None => page.text(&finding.spec),
        }
        page.close("dd");
    }
    page.element("dt", "", "Fingerprint");
    page.open("dd", "");
    page.element("code", "", &finding.fingerprint);
    page.close("dd");
    page.close("dl");
}
