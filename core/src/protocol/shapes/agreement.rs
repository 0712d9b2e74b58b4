//! Our shapes against the official schemas, on generated and mutated messages. Runs where the official files are: in
//! `../shared/mcp-schemas` beside the workspace, or in the folder that `TOOLTEST_MCP_SCHEMAS` names.

use super::table::{Kind, Member, Shape, Table};
use super::{check, table};
use crate::protocol::Revision;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

const MESSAGES_PER_SHAPE: usize = 60;
const MUTATIONS_PER_MESSAGE: usize = 8;

#[test]
fn ours_and_the_official_schemas_agree() {
    let Some(folder) = folder() else {
        return;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut compared = 0;
    for revision in Revision::ALL {
        let text = std::fs::read_to_string(folder.join(format!("{revision}.json"))).unwrap();
        let official = Official::new(serde_json::from_str(&text).unwrap());
        let table = table(revision);
        for (kind, key, shape) in table.lookups() {
            let Some(validator) = official.validator(revision, kind, key) else {
                continue;
            };
            for _ in 0..MESSAGES_PER_SHAPE {
                let value =
                    envelope(kind, key, Draw { table, rng: &mut rng, depth: 0 }.value(shape));
                assert!(
                    validator.is_valid(&value),
                    "{revision} {key}: the official schema refuses {value}"
                );
                for _ in 0..MUTATIONS_PER_MESSAGE {
                    let mut mutated = value.clone();
                    mutate(&mut mutated, &mut rng);
                    if ["jsonrpc", "id", "method", "code"]
                        .iter()
                        .any(|m| mutated.get(m) != value.get(m))
                    {
                        continue;
                    }
                    let faults = check::faults(table, shape, &mutated);
                    compared += 1;
                    assert_eq!(
                        faults.is_empty(),
                        validator.is_valid(&mutated),
                        "{revision} {key}: {mutated}\nours: {faults:?}\nofficial: {:?}",
                        validator.iter_errors(&mutated).map(|e| e.to_string()).collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    assert!(compared > 20_000, "only {compared} messages were compared");
}

fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("TOOLTEST_MCP_SCHEMAS").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/mcp-schemas");
    named.or_else(|| beside.is_dir().then_some(beside))
}

fn envelope(kind: Kind, key: &str, mut value: Value) -> Value {
    if let (Kind::Error, Ok(code)) = (kind, key.parse::<i64>()) {
        value["code"] = json!(code);
    }
    if let (Kind::Notification | Kind::Request, Some(members)) = (kind, value.as_object_mut()) {
        members.insert("jsonrpc".to_owned(), json!("2.0"));
        members.insert("method".to_owned(), json!(key));
        if kind == Kind::Request {
            members.insert("id".to_owned(), json!(1));
        }
    }
    value
}

struct Official {
    document: Value,
    definitions: Map<String, Value>,
}

impl Official {
    fn new(mut document: Value) -> Self {
        let member = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
        // Errata: the generated files leave null and fractions out of JSONValue, and call numbers integers.
        if let Some(any) = document.pointer_mut(&format!("/{member}/JSONValue")) {
            *any = json!({});
        }
        for name in ["default", "minimum", "maximum"] {
            let pointer = format!("/{member}/NumberSchema/properties/{name}/type");
            if let Some(kind) = document.pointer_mut(&pointer) {
                *kind = json!("number");
            }
        }
        let definitions = document[member].as_object().unwrap().clone();
        Self { document, definitions }
    }

    fn validator(
        &self,
        revision: Revision,
        kind: Kind,
        key: &str,
    ) -> Option<jsonschema::Validator> {
        let name = match kind {
            Kind::Result => result_definition(revision, key)?.to_owned(),
            Kind::Error => return self.error_validator(key),
            Kind::Notification | Kind::Request => {
                let with_method = self.definitions.iter().find(|(_, schema)| {
                    schema.pointer("/properties/method/const").and_then(Value::as_str) == Some(key)
                });
                with_method?.0.clone()
            }
        };
        Some(self.compile(json!({"$ref": format!("#/{}/{name}", self.member())})))
    }

    fn error_validator(&self, code: &str) -> Option<jsonschema::Validator> {
        let name = match code {
            "-32042" => "URLElicitationRequiredError",
            "-32021" => "MissingRequiredClientCapabilityError",
            "-32022" => "UnsupportedProtocolVersionError",
            _ => return None,
        };
        self.definitions.get(name)?;
        Some(self.compile(json!({"$ref": format!("#/{}/{name}/properties/error", self.member())})))
    }

    fn member(&self) -> &'static str {
        if self.document.get("$defs").is_some() { "$defs" } else { "definitions" }
    }

    fn compile(&self, mut schema: Value) -> jsonschema::Validator {
        schema["$schema"] = self.document["$schema"].clone();
        schema[self.member()] = Value::Object(self.definitions.clone());
        let options = jsonschema::options().should_validate_formats(false);
        options.build(&schema).unwrap()
    }
}

fn result_definition(revision: Revision, method: &str) -> Option<&'static str> {
    let task = revision == Revision::V2025_11_25;
    Some(match method {
        "*" => "Result",
        "initialize" => "InitializeResult",
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "prompts/list" => "ListPromptsResult",
        "tools/call" => "CallToolResult",
        "resources/read" => "ReadResourceResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        "tasks/get" if task => "GetTaskResult",
        "tasks/cancel" if task => "CancelTaskResult",
        "tasks/list" if task => "ListTasksResult",
        _ => return None,
    })
}

/// Draws values of a shape.
struct Draw<'a> {
    table: &'a Table,
    rng: &'a mut ChaCha8Rng,
    depth: usize,
}

impl Draw<'_> {
    fn value(&mut self, shape: &Shape) -> Value {
        let table = self.table;
        self.depth += 1;
        let value = match table.resolve(shape) {
            Shape::Any => any(self.rng),
            Shape::Null => Value::Null,
            Shape::Bool => json!(self.rng.random::<bool>()),
            Shape::String => json!(["", "x", "text", "é"].choose(self.rng)),
            Shape::Integer => json!(self.rng.random_range(-3..9)),
            Shape::Count => json!(self.rng.random_range(0..9)),
            Shape::Number => json!([0.5, 2.0, -1.25].choose(self.rng)),
            Shape::Fraction => json!([0.0, 0.5, 1.0].choose(self.rng)),
            Shape::Literal(literal) => json!(literal),
            Shape::Object => json!({"k": any(self.rng)}),
            Shape::List { item, .. } => {
                let count = if self.depth > 9 { 0 } else { self.rng.random_range(0..3) };
                Value::Array((0..count).map(|_| self.value(item)).collect())
            }
            Shape::Map(member) => {
                let count = if self.depth > 9 { 0 } else { self.rng.random_range(0..3) };
                (0..count).map(|i| (format!("k{i}"), self.value(member))).collect()
            }
            Shape::Members(members) => self.members(members),
            Shape::Union(options) => {
                let option = options.choose(self.rng).unwrap();
                self.value(option)
            }
            Shape::Named(_) => unreachable!("names are resolved"),
        };
        self.depth -= 1;
        value
    }

    fn members(&mut self, members: &[Member]) -> Value {
        let mut object = Map::new();
        for member in members {
            if member.required || (self.depth < 9 && self.rng.random_bool(0.5)) {
                object.insert(member.name.to_owned(), self.value(&member.shape));
            }
        }
        if self.rng.random_bool(0.1) {
            object.insert("x-vendor".to_owned(), any(self.rng));
        }
        Value::Object(object)
    }
}

fn any(rng: &mut ChaCha8Rng) -> Value {
    [
        Value::Null,
        json!(true),
        json!(0),
        json!(-7),
        json!(1.5),
        json!(2.0),
        json!("text"),
        json!([]),
        json!(["a"]),
        json!({}),
        json!({"type": "text"}),
    ]
    .choose(rng)
    .cloned()
    .unwrap()
}

/// Changes one thing somewhere.
fn mutate(value: &mut Value, rng: &mut ChaCha8Rng) {
    if rng.random_bool(0.3) {
        *value = any(rng);
        return;
    }
    match value {
        Value::Object(members) if !members.is_empty() => {
            let index = rng.random_range(0..members.len());
            let key = members.keys().nth(index).cloned().unwrap();
            if rng.random_bool(0.2) {
                members.remove(&key);
            } else {
                mutate(members.get_mut(&key).unwrap(), rng);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let index = rng.random_range(0..items.len());
            mutate(&mut items[index], rng);
        }
        _ => *value = any(rng),
    }
}
