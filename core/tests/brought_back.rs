//! What is taken away, brought back, told twice and looked for: a library whose books stand on shelves, with one fault at a time.

mod serving;

use serde_json::{Value, json};
use serving::{input, run, serve};
use std::collections::BTreeMap;
use tooltest_core::case::Phase;
use tooltest_core::finding::Finding;
use tooltest_core::result::RunResult;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// What is wrong with the library.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// Nothing.
    None,
    /// A shelf is said to be back, and is not.
    StaysGone,
    /// The same change once more counts as one more change.
    Counts,
    /// Who looks for a title as it is written finds nothing.
    Capitals,
}

/// A shelf, or a book with its shelf.
#[derive(Clone)]
struct Thing {
    title: String,
    shelf: Option<String>,
    version: u32,
    there: bool,
}

struct Library(Fault);

impl Connector for Library {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let fault = self.0;
        std::thread::spawn(move || {
            let mut things = BTreeMap::new();
            serve(&peer, &tools(), |name, sent| Some(vec![call(&mut things, fault, name, sent)]));
        });
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: &[&str]| json!({"name": name, "description": "About the books of a library.", "annotations": {"idempotentHint": name.starts_with("update")}, "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false}});
    let text = json!({"type": "string", "minLength": 1});
    json!({"tools": [
        tool("create_shelf", json!({"title": text}), &["title"]),
        tool("get_shelf", json!({"shelf_id": text}), &["shelf_id"]),
        tool("update_shelf", json!({"shelf_id": text, "title": text}), &["shelf_id", "title"]),
        tool("delete_shelf", json!({"shelf_id": text}), &["shelf_id"]),
        tool("restore", json!({"id": text}), &["id"]),
        tool("create_book", json!({"shelf_id": text, "title": text}), &["shelf_id", "title"]),
        tool("get_book", json!({"book_id": text}), &["book_id"]),
        tool("search_books", json!({"query": text}), &["query"]),
    ]})
}

fn call(
    things: &mut BTreeMap<String, Thing>,
    fault: Fault,
    tool: &str,
    sent: &Value,
) -> Result<String, String> {
    let properties = tools()["tools"].as_array().into_iter().flatten().find_map(|offered| {
        (offered["name"] == tool).then(|| offered["inputSchema"]["properties"].clone())
    });
    let allowed = |name: &String| properties.as_ref().is_some_and(|all| all.get(name).is_some());
    if !sent.as_object().is_some_and(|sent| sent.keys().all(allowed)) {
        return Err("only what the schema names".to_owned());
    }
    let text = |key: &str| {
        let text = sent[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        text.ok_or_else(|| format!("{key} must be a text"))
    };
    match tool {
        "create_shelf" => {
            let id = format!("shelf_{}", things.len() + 1);
            let thing = Thing { title: text("title")?, shelf: None, version: 1, there: true };
            things.insert(id.clone(), thing);
            Ok(json!({"shelf_id": id}).to_string())
        }
        "create_book" => {
            let shelf = text("shelf_id")?;
            find(things, &shelf, "shelf")?;
            let id = format!("book_{}", things.len() + 1);
            let title = text("title")?;
            things.insert(
                id.clone(),
                Thing { title, shelf: Some(shelf.clone()), version: 1, there: true },
            );
            Ok(format!("Created book {id} on shelf {shelf}"))
        }
        "get_shelf" => Ok(shown(find(things, &text("shelf_id")?, "shelf")?, &text("shelf_id")?)),
        "get_book" => Ok(shown(find(things, &text("book_id")?, "book")?, &text("book_id")?)),
        "update_shelf" => {
            let (id, title) = (text("shelf_id")?, text("title")?);
            let thing = find(things, &id, "shelf")?;
            if thing.title != title || fault == Fault::Counts {
                (thing.title, thing.version) = (title, thing.version + 1);
            }
            Ok(json!({"done": true}).to_string())
        }
        "delete_shelf" => {
            let id = text("shelf_id")?;
            find(things, &id, "shelf")?.there = false;
            Ok(format!("Moved shelf {id} to the trash"))
        }
        "restore" => {
            let id = text("id")?;
            let gone = things.get_mut(&id).filter(|thing| !thing.there);
            let thing = gone.ok_or_else(|| format!("Nothing in the trash has the id {id:?}"))?;
            thing.there = fault != Fault::StaysGone;
            Ok(format!("Restored {id}"))
        }
        _ => Ok(searched(things, fault, &text("query")?)),
    }
}

/// The books whose titles have the words in them.
fn searched(things: &BTreeMap<String, Thing>, fault: Fault, query: &str) -> String {
    let missed = fault == Fault::Capitals && query != query.to_lowercase();
    let fits = |thing: &Thing| {
        thing.shelf.is_some()
            && !missed
            && thing.title.to_lowercase().contains(&query.to_lowercase())
    };
    let found = things.iter().filter(|(_, thing)| fits(thing));
    let found: Vec<Value> =
        found.map(|(id, thing)| json!({"book_id": id, "title": thing.title})).collect();
    json!({"books": found}).to_string()
}

fn find<'t>(
    things: &'t mut BTreeMap<String, Thing>,
    id: &str,
    kind: &str,
) -> Result<&'t mut Thing, String> {
    let known = things.get_mut(id).filter(|_| id.starts_with(kind));
    let thing = known.ok_or_else(|| format!("No {kind} has the id {id:?}"))?;
    if thing.there { Ok(thing) } else { Err(format!("{id} is in the trash; restore it first")) }
}

fn shown(thing: &Thing, id: &str) -> String {
    json!({"id": id, "title": thing.title, "version": thing.version, "shelf": thing.shelf})
        .to_string()
}

fn ran(fault: Fault, seed: u64) -> RunResult {
    let mut input = input("library", seed, 400);
    input.phases = vec![Phase::Examples, Phase::Boundary, Phase::Negative, Phase::Stateful];
    run(Library(fault), input)
}

/// What a run says of a tool.
fn blamed(result: &RunResult, tool: &str) -> Vec<String> {
    let all = result.findings.iter().chain(&result.warnings);
    let own = |finding: &&Finding| finding.tool.as_deref() == Some(tool);
    all.filter(own).map(|finding| finding.lint.clone()).collect()
}

#[test]
fn a_library_without_a_fault_gets_no_finding() {
    for seed in 1..=3 {
        let result = ran(Fault::None, seed);
        let lints: Vec<&str> = result.findings.iter().map(|f| f.lint.as_str()).collect();
        assert!(lints.is_empty(), "{lints:?}");
        let state = ["created_not_found", "idempotent_tool_not_idempotent", "list_disagrees"];
        let warned = |finding: &&Finding| state.contains(&finding.lint.as_str());
        let warned: Vec<&Finding> = result.warnings.iter().filter(warned).collect();
        assert!(warned.is_empty(), "{warned:#?}");
    }
}

/// Its own answer names the shelf that a book stands on; that makes it no tool to get a shelf from.
#[test]
fn what_must_be_told_of_a_thing_is_not_asked_for_one() {
    for seed in 1..=3 {
        let result = ran(Fault::None, seed);
        let made = result.coverage.iter().find(|tool| tool.tool == "create_book");
        let (valid, ok) = made.map(|tool| (tool.valid, tool.ok)).expect("it was called");
        assert!(ok * 4 >= valid * 3, "{ok} of {valid} worked");
    }
}

#[test]
fn what_is_brought_back_is_asked_for() {
    let result = ran(Fault::StaysGone, 1);
    assert!(blamed(&result, "restore").contains(&"created_not_found".to_owned()));
}

#[test]
fn what_says_that_it_may_be_repeated_is() {
    let result = ran(Fault::Counts, 1);
    let lint = "idempotent_tool_not_idempotent".to_owned();
    assert!(blamed(&result, "update_shelf").contains(&lint));
}

#[test]
fn what_is_there_is_looked_for_by_its_name() {
    let result = ran(Fault::Capitals, 1);
    assert!(
        !blamed(&result, "search_books").is_empty() || !blamed(&result, "create_book").is_empty()
    );
}
