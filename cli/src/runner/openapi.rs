//! The REST part as an `OpenAPI` document, its schemas made from the types that are read and written.

use super::policy::ScriptRequest;
use super::routes::{HEALTH, LIST, RUN, STREAM};
use super::service::{Failed, Listing, ScriptResult};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The document, in version 3.1 of `OpenAPI`.
pub(super) fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let request = generator.subschema_for::<ScriptRequest>();
    let result = generator.subschema_for::<ScriptResult>();
    let listing = generator.subschema_for::<Listing>();
    let failed = generator.subschema_for::<Failed>();
    let schemas = generator.take_definitions(true);
    let error = json!({"type": "object", "properties": {"error": failed}, "required": ["error"]});
    let refused = |statuses: &[(&str, &str)]| -> Vec<(String, Value)> {
        let content = json!({"application/json": {"schema": error}});
        let response = |about: &str| json!({"description": about, "content": content});
        statuses.iter().map(|(status, about)| ((*status).to_owned(), response(about))).collect()
    };
    let mut run = operation(
        "Run a script",
        "Runs a script that the policy allows and answers when it is over. Closing the connection ends it.",
        json!({"description": "The script ended; look at its exit code.", "content": {"application/json": {"schema": result}}}),
        refused(&RUN_STATUSES),
    );
    run["requestBody"] =
        json!({"required": true, "content": {"application/json": {"schema": request}}});
    let list = operation(
        "List the scripts",
        "The scripts that may run, with the names of the arguments that they may get.",
        json!({"description": "The scripts.", "content": {"application/json": {"schema": listing}}}),
        refused(&RUN_STATUSES[1..2]),
    );
    let mut stream = operation(
        "Run a script and watch it",
        STREAM_ABOUT,
        json!({"description": "The events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}),
        Vec::new(),
    );
    stream["parameters"] = stream_parameters();
    let health = operation(
        "Sign of life",
        "Answers while tooltest runs.",
        json!({"description": "It runs.", "content": {"application/json": {"schema": {
            "type": "object", "required": ["ok", "name", "version"],
            "properties": {"ok": {"const": true}, "name": {"type": "string"}, "version": {"type": "string"}}}}}}),
        Vec::new(),
    );
    json!({
        "openapi": "3.1.0",
        "info": {"title": "tooltest: guarded runner", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT},
        "security": [{"bearer": []}, {}],
        "paths": {RUN: {"post": run}, LIST: {"post": list}, STREAM: {"get": stream}, HEALTH: {"get": health}},
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer",
                "description": "Needed where tooltest was started with a token."}},
            "schemas": schemas,
        },
    })
}

/// An operation; `fine` is its answer where all is well.
fn operation(summary: &str, about: &str, fine: Value, others: Vec<(String, Value)>) -> Value {
    let responses: serde_json::Map<String, Value> =
        std::iter::once(("200".to_owned(), fine)).chain(others).collect();
    json!({"summary": summary, "description": about, "responses": responses})
}

const ABOUT: &str = "Runs scripts that a policy names, for agents whose sandbox cannot start the server that they edit. \
     Every attempt, also a refused one, is a line of the audit log.";

const STREAM_ABOUT: &str = "The output as server-sent events, each with a JSON object: `ping` {t}, `stdout` {line}, `stderr` {line}, \
     and last `end` {exitCode, duration_ms, truncated} or `error` {code, message}. Closing the connection ends the script.";

const RUN_STATUSES: [(&str, &str); 4] = [
    ("400", "E_BAD_ARG: the request is malformed, or an argument is not allowed."),
    (
        "403",
        "E_FORBIDDEN or E_POLICY: the script, a variable or the caller is not allowed, or the audit log cannot be written.",
    ),
    ("500", "E_EXEC: the script could not be started."),
    ("504", "E_TIMEOUT: the script took too long and was ended."),
];

fn stream_parameters() -> Value {
    let parameter = |name: &str, required: bool, about: &str, schema: Value| json!({"name": name, "in": "query", "required": required, "description": about, "schema": schema});
    json!([
        parameter(
            "path",
            true,
            "The script.",
            json!({"type": "string", "minLength": 1, "maxLength": 4096})
        ),
        parameter(
            "args",
            false,
            "Its arguments: once for each, or once as a JSON array of strings.",
            json!({"type": "array", "maxItems": 64, "items": {"type": "string", "maxLength": 4096}}),
        ),
        parameter(
            "timeout_ms",
            false,
            "Milliseconds after which it is ended.",
            json!({"type": "integer", "minimum": 1, "maximum": 3_600_000}),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document();
        let text = document.to_string();
        let references: Vec<&str> =
            text.split("\"$ref\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(references.len() >= 4, "{text}");
        for reference in references {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        assert_eq!(document["paths"].as_object().unwrap().len(), 4);
    }
}
