//! What refusals say is used: tools that have to be called first, values that are allowed, endings of files, folders.

mod serving;

use serde_json::{Value, json};
use serving::{input, serve};
use tooltest_core::RunResult;
use tooltest_core::case::Phase;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// A server: what it offers, and a call with what the session is for so far.
#[derive(Clone, Copy)]
struct Fixture {
    tools: fn() -> Value,
    call: fn(&mut State, &str, &Value) -> Result<String, String>,
}

/// What a session of a server knows.
#[derive(Default)]
struct State {
    selected: bool,
    books: usize,
}

impl Connector for Fixture {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let (tools, call) = (self.tools, self.call);
        std::thread::spawn(move || {
            let mut state = State::default();
            serve(&peer, &tools(), |name, sent| Some(vec![call(&mut state, name, sent)]));
        });
        Ok(channel)
    }
}

/// A server that nobody can use who does not read its refusals.
const FUSSY: Fixture = Fixture { tools, call };

/// A server whose tools need what others make and show.
const CHAINED: Fixture = Fixture { tools: chained_tools, call: chained };

fn tools() -> Value {
    let tool = |name: &str, parameters: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            parameters.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
        json!({"name": name, "inputSchema": {"type": "object", "properties": properties, "required": parameters}})
    };
    json!({"tools": [
        tool("add_card", &["title", "colour_scheme"]),
        tool("import_cards", &["file_path"]),
        tool("show_root", &[]),
        tool("write_note", &["note_path"]),
        tool("select_board", &["board"]),
    ]})
}

fn call(state: &mut State, name: &str, arguments: &Value) -> Result<String, String> {
    let selected = &mut state.selected;
    let text = |key: &str| arguments[key].as_str().ok_or_else(|| format!("{key} must be text"));
    if name == "select_board" {
        text("board")?;
        *selected = true;
        return Ok("selected".to_owned());
    }
    if !*selected {
        return Err("No board is set. Please use the 'select_board' tool first.".to_owned());
    }
    match name {
        "add_card" if !["dusk", "dawn"].contains(&text("colour_scheme")?) => {
            Err("Invalid colour_scheme. Must be one of: dusk, dawn".to_owned())
        }
        "import_cards" if !text("file_path")?.contains(".cards") => {
            Err("The file path must point to a file of cards (.cards)".to_owned())
        }
        "write_note" if !text("note_path")?.starts_with("/boards/one/") => {
            Err("access denied".to_owned())
        }
        "show_root" => Ok("Notes are kept in:\n/boards/one".to_owned()),
        _ => Ok("done".to_owned()),
    }
}

fn chained_tools() -> Value {
    let tool = |name: &str, about: &str, properties: Value| {
        let required: Vec<&String> =
            properties.as_object().expect("an object").keys().collect::<Vec<_>>();
        json!({"name": name, "description": about, "inputSchema": {"type": "object", "properties": properties, "required": required}})
    };
    let text = json!({"type": "string"});
    json!({"tools": [
        tool("column_stats", "", json!({"book_id": text, "columns": {"type": "array", "minItems": 1, "items": text}})),
        tool("show_page", "", json!({"book_id": text, "page_index": {"type": "integer"}})),
        tool("read_ledger", "", json!({"path": text})),
        tool("add_chapter", "", json!({"book_id": text, "chapter_name": text})),
        tool("list_ledgers", "Paths to sizes in bytes.", json!({})),
        tool("power_of", "", json!({"matrix": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}, "description": "As in [[2, 7], [7, 2]]."}})),
        tool("link_books", "", json!({"book_id": text, "other_book_id": text, "relation": text})),
        tool("load_book", "Loads CSV data.", json!({"content": text})),
    ]})
}

fn chained(state: &mut State, name: &str, arguments: &Value) -> Result<String, String> {
    let text = |key: &str| arguments[key].as_str().ok_or_else(|| format!("{key} must be text"));
    if let Ok(id) = text("book_id") {
        let known = id.strip_prefix("book-").and_then(|number| number.parse().ok());
        if known.is_none_or(|number: usize| number == 0 || number > state.books) {
            return Err(format!("There is no book '{id}'"));
        }
    }
    match name {
        "load_book" if text("content")?.lines().count() < 2 => {
            Err("no rows in the data".to_owned())
        }
        "load_book" => {
            state.books += 1;
            Ok(json!({"book_id": format!("book-{}", state.books), "columns": ["rank", "weight"]})
                .to_string())
        }
        "list_ledgers" => Ok(json!({"year.ledger": 5375}).to_string()),
        "read_ledger" if text("path")?.strip_suffix(".ledger").is_none() => {
            Err(format!("Path '{}' must point to a ledger (.ledger)", text("path")?))
        }
        "read_ledger" if text("path")? != "year.ledger" => {
            Err(format!("Ledger '{}' does not exist", text("path")?))
        }
        "column_stats" => {
            let columns: Vec<&Value> =
                arguments["columns"].as_array().into_iter().flatten().collect();
            let known = |name: &&&Value| **name == "rank" || **name == "weight";
            match columns.iter().find(|name| !known(name)) {
                Some(name) => Err(format!("Column not found: {name}")),
                None => Ok("mean 4".to_owned()),
            }
        }
        "show_page" if !(3..=4).contains(&arguments["page_index"].as_i64().unwrap_or(-1)) => {
            Err(format!("Invalid page index: {}. Available pages: 3-4", arguments["page_index"]))
        }
        "link_books" if text("book_id")? == text("other_book_id")? => {
            Err("a book cannot be linked to itself".to_owned())
        }
        "link_books" if !["sequel", "prequel"].contains(&text("relation")?) => Err(format!(
            "Invalid relation: {}. Must be one of ('sequel', 'prequel')",
            text("relation")?
        )),
        "add_chapter" if text("chapter_name")?.strip_suffix(".chap").is_none() => {
            Err("Chapter name must end with .chap".to_owned())
        }
        "power_of" if arguments["matrix"] != json!([[2, 7], [7, 2]]) => Err("singular".to_owned()),
        _ => Ok("done".to_owned()),
    }
}

/// The results of a server's runs with the first three seeds.
fn results(name: &str, connector: Fixture, calls: u64, phases: &[Phase]) -> Vec<RunResult> {
    let run = |seed| {
        let mut input = input(name, seed, calls);
        input.phases = phases.to_vec();
        let result = serving::run(connector, input);
        for tool in &result.coverage {
            assert!(tool.ok > 0, "seed {seed}: {} never worked", tool.tool);
        }
        result
    };
    (1..=3).map(run).collect()
}

#[test]
fn every_tool_of_a_server_that_explains_its_refusals_is_called_with_success() {
    // Nothing but whole messages, so that the server can stay small.
    let phases = [Phase::Examples, Phase::Boundary, Phase::Stateful, Phase::Parallel];
    for result in results("fussy", FUSSY, 400, &phases) {
        let ok: u64 = result.coverage.iter().map(|tool| tool.ok).sum();
        assert!(ok * 4 > result.budget.calls, "{ok} of {}", result.budget.calls);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn what_tools_make_show_and_ask_for_reaches_those_that_need_it() {
    results("chained", CHAINED, 300, &[Phase::Examples, Phase::Stateful]);
}
