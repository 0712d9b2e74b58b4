//! The HTML report in a real browser: on a phone and on a desktop, light and dark, without scripts.

use crate::browser::Browser;
use serde_json::{Value, json};
use tooltest_core::report;
use tooltest_core::result::RunResult;

/// Width, height and whether it is a phone.
const SCREENS: [(&str, u32, u32, bool); 2] =
    [("phone", 390, 844, true), ("desktop", 1280, 900, false)];

/// Texts whose contrast to what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3).
const FAINT: &str = r"(() => {
    const parts = (text) => text.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * x + .7152 * y + .0722 * z;
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = parts(getComputedStyle(at).backgroundColor);
            if (colour.length < 4 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const holdsText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return [...document.body.querySelectorAll('*')].filter(holdsText).filter((element) => element.checkVisibility()).map((element) => {
        const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))];
        return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), element.className, element.textContent.slice(0, 40)];
    }).filter(([ratio]) => ratio < 4.5);
})()";

/// Elements that stick out to the right, other than those in a box that scrolls.
const STICKING_OUT: &str = r"[...document.body.querySelectorAll('*')].filter((element) => {
    const scrolls = (at) => at && at !== document.body && (getComputedStyle(at).overflowX !== 'visible' || scrolls(at.parentElement));
    return element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !scrolls(element.parentElement);
}).map((element) => element.outerHTML.slice(0, 80))";

fn sample(name: &str) -> RunResult {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/fixtures");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Shows a page on a blank tab, as a file that somebody opens: nothing is served, scripts are off.
fn show(browser: &mut Browser, html: &str) {
    browser.open("about:blank");
    browser.until("document.readyState === 'complete'");
    let tree = browser.ask("Page.getFrameTree", json!({}));
    let frame = tree["frameTree"]["frame"]["id"].clone();
    browser.ask("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.ask("Page.setDocumentContent", json!({ "frameId": frame, "html": html }));
    browser.until("document.querySelector('footer')");
}

fn screen(browser: &mut Browser, (_, width, height, phone): (&str, u32, u32, bool)) {
    let metrics =
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
    browser.ask("Emulation.setDeviceMetricsOverride", metrics);
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn reports_are_readable_on_every_screen_and_without_scripts() {
    let Some(mut browser) = Browser::start() else { return };
    for name in ["failed", "known", "passed", "inconclusive", "hostile"] {
        let html = report::html(&sample(name));
        for of in SCREENS {
            screen(&mut browser, of);
            for scheme in ["light", "dark"] {
                browser.scheme(scheme);
                show(&mut browser, &html);
                let place = format!("{name}, {}, {scheme}", of.0);
                let out = browser.eval(STICKING_OUT);
                assert_eq!(list(&out), [Value::Null; 0], "{place}: sticks out");
                let faint = browser.eval(FAINT);
                assert_eq!(list(&faint), [Value::Null; 0], "{place}: hard to read");
                let dark = browser.eval("getComputedStyle(document.body).backgroundColor");
                assert_eq!(dark == "rgb(13, 17, 23)", scheme == "dark", "{place}: {dark}");
                assert!(browser.picture(&format!("report-{name}-{}-{scheme}", of.0)) > 5000);
                assert_eq!(browser.complaints, [""; 0], "{place}");
            }
        }
    }
}

#[test]
fn a_reader_finds_everything_and_unfolds_what_is_folded() {
    let Some(mut browser) = Browser::start() else { return };
    screen(&mut browser, SCREENS[1]);
    show(&mut browser, &report::html(&sample("known")));
    let sections =
        browser.eval("[...document.querySelectorAll('section[id]')].map(({ id }) => id)");
    let known = ["finding-1", "not-measured", "coverage", "replayed", "baseline", "run"];
    for id in known {
        assert!(list(&sections).contains(&json!(id)), "no section {id} in {sections}");
    }
    let dangling = browser.eval(
        "[...document.querySelectorAll('a[href^=\"#\"]')].filter((a) => !document.querySelector(a.getAttribute('href'))).length",
    );
    assert_eq!(dangling, 0, "every link of the overview leads somewhere");
    let text = browser.text("baseline");
    for words in
        ["1 known finding accepted", "internal_error", "no_crash", "mended in the next release"]
    {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let open = "document.querySelectorAll('details[open]').length";
    let before = browser.eval(open).as_u64().unwrap();
    browser.eval("document.querySelector('details:not([open]) summary').focus()");
    browser.press("Enter", false);
    browser.until(&format!("{open} === {}", before + 1));
    assert_eq!(browser.eval("document.scripts.length"), 0);
}
