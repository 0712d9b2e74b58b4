//! The pages in a real browser, by keyboard.

use crate::browser::Browser;
use crate::harness::Place;

const SCRIPT: &str = "#!/bin/sh\nfor word in one two three; do echo \"$word $*\"; sleep 0.05; done\necho careful >&2\nexit 3\n";

/// The page has no fault that the browser or a look at its structure shows.
fn is_sound(browser: &mut Browser) {
    let overflow =
        browser.eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert_eq!(overflow, 0, "nothing sticks out");
    let unnamed = browser.eval(
        "[...document.querySelectorAll('input, select, textarea')].filter((field) => \
         field.labels.length === 0 && !field.ariaLabel).map((field) => field.outerHTML)",
    );
    assert_eq!(unnamed, serde_json::json!([]), "every field has a name");
    let doubled = browser.eval(
        "(() => { const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id); \
         return ids.filter((id, at) => ids.indexOf(id) !== at); })()",
    );
    assert_eq!(doubled, serde_json::json!([]), "ids are unique");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
fn the_reference_shows_every_operation() {
    let Some(mut browser) = Browser::start() else { return };
    let place = Place::new(&[("a.sh", SCRIPT)]);
    let server = place.serve("a.sh", |_| {});
    for scheme in ["light", "dark"] {
        browser.scheme(scheme);
        browser.open(&format!("http://{}/docs", server.address));
        browser.until("document.getElementById('main')?.dataset.ready");
        let text = browser.text("main");
        for expected in [
            "/actions/run_script",
            "/actions/list_allowed",
            "/sse/run_script_stream",
            "/healthz",
            "timeout_ms",
            "exitCode",
            "allowedArgs",
            "E_TIMEOUT",
            "curl",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        is_sound(&mut browser);
        assert!(browser.picture(&format!("docs-{scheme}")) > 10_000);
        browser.phone(true);
        is_sound(&mut browser);
        assert!(browser.picture(&format!("docs-phone-{scheme}")) > 10_000);
        browser.phone(false);
    }
}

#[test]
fn the_playground_lists_calls_and_watches_by_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let place = Place::new(&[("a.sh", SCRIPT)]);
    let server = place.serve("a.sh", |_| {});
    browser.open(&format!("http://{}/mcp_ui#run_script", server.address));
    browser.until("document.querySelectorAll('#tools button').length > 3");
    is_sound(&mut browser);
    assert!(browser.text("status").contains("tools"), "connected");
    assert!(browser.text("about").contains("policy allows"));

    browser.press("/", false);
    browser.type_in("run_s");
    assert_eq!(browser.text("tools"), "run_script");
    browser.press("Tab", false);
    browser.press("Enter", false);
    // The focus is in the first field of the form.
    browser.type_in("a.sh");
    browser.press("Tab", false);
    browser.type_in("--name\nx");
    browser.press("Enter", true);
    browser.until("document.getElementById('outcome').innerText === 'ok'");
    let output = browser.text("output");
    assert!(output.contains("\"exitCode\": 3") && output.contains("one --name x"), "{output}");
    assert!(browser.text("wire").contains("tools/call"));
    is_sound(&mut browser);
    assert!(browser.picture("playground-light") > 10_000);
    browser.phone(true);
    is_sound(&mut browser);
    assert!(browser.picture("playground-phone") > 10_000);
    browser.phone(false);

    browser.scheme("dark");
    browser.eval("document.getElementById('watch').focus()");
    browser.press("Enter", false);
    browser.until("document.getElementById('outcome').innerText === 'exit code 3'");
    let output = browser.text("output");
    assert!(output.contains("three --name x") && output.contains("careful"), "{output}");
    assert!(browser.picture("playground-dark") > 10_000);

    browser.eval("document.querySelector('#fields input').value = '../a.sh'");
    browser.press("Enter", false);
    browser.until("document.getElementById('outcome').innerText === 'E_FORBIDDEN'");
    assert!(browser.text("output").contains("allowed are: `a.sh`"));
    is_sound(&mut browser);
    assert_eq!(place.log().len(), 3, "the page's calls are on record like any other");
}

#[test]
fn every_tool_has_a_form() {
    let Some(mut browser) = Browser::start() else { return };
    let place = Place::new(&[]);
    let server = place.serve("", |_| {});
    browser.open(&format!("http://{}/mcp_ui", server.address));
    browser.until("document.querySelectorAll('#tools button').length > 3");
    let count = browser.eval("document.querySelectorAll('#tools button').length").as_u64().unwrap();
    for index in 0..count {
        browser.eval(&format!("document.querySelectorAll('#tools button')[{index}].click()"));
        browser
            .eval("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
        is_sound(&mut browser);
    }
    browser.eval("[...document.querySelectorAll('#tools button')].find((button) => button.innerText === 'tooltest').click()");
    browser.eval("document.querySelector('#fields input').value = 'server.py'");
    browser.eval("document.getElementById('toggle').click()");
    let given = browser.eval("document.getElementById('json').value");
    let given: serde_json::Value = serde_json::from_str(given.as_str().unwrap()).unwrap();
    assert_eq!(given, serde_json::json!({"target": {"stdio": {"command": "server.py"}}}));
    assert!(browser.picture("form") > 10_000);
}

#[test]
fn a_page_asks_for_the_token_and_keeps_it() {
    let Some(mut browser) = Browser::start() else { return };
    let place = Place::new(&[]);
    let server = place.serve("", |command| {
        command.env("TSM_TOKEN", "open sesame");
    });
    browser.open(&format!("http://{}/mcp_ui", server.address));
    browser.until("document.getElementById('token')");
    assert!(browser.picture("sign-in") > 5000);
    browser.eval("document.getElementById('token').focus()");
    browser.type_in("wrong");
    browser.press("Enter", false);
    browser.until("document.getElementById('message').innerText !== ''");
    assert!(browser.text("message").contains("not the token"));
    browser.eval("document.getElementById('token').value = ''");
    browser.type_in("open sesame");
    browser.press("Enter", false);
    browser.until("document.querySelectorAll('#tools button').length > 3");
    // Another page of the same tab has it, too.
    browser.open(&format!("http://{}/docs", server.address));
    browser.until("document.getElementById('main')?.dataset.ready");
    assert!(browser.text("main").contains("Authorization: Bearer"));
}
