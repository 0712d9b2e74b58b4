//! The demo server's protocol: JSON-RPC lines on standard input and output, revision 2025-11-25.

use super::tasks::{Answer, Tasks, tools};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Serves until the input ends, or until a seeded bug ends the process; `buggy` says whether the bugs are there.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn serve(
    input: impl BufRead,
    mut output: impl Write,
    buggy: bool,
) -> std::io::Result<Ending> {
    let mut tasks = Tasks::new(buggy);
    for line in input.lines() {
        let line = line?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            send(
                &mut output,
                &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "parse error"}}),
            )?;
            continue;
        };
        let Some(id) = message.get("id").filter(|id| !id.is_null()) else {
            continue;
        };
        let answer = match message.get("method").and_then(Value::as_str) {
            Some(method) => {
                answer(&mut tasks, method, message.get("params").unwrap_or(&Value::Null))
            }
            None => Answer::Error(-32600, "not a request".to_owned()),
        };
        match answer {
            Answer::Crash(words) => return Ok(Ending::Crashed(words)),
            Answer::Result(result) => {
                send(&mut output, &json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
            }
            Answer::Error(code, message) => send(
                &mut output,
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
            )?,
        }
    }
    Ok(Ending::InputEnded)
}

/// Why the server stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Its input ended.
    InputEnded,
    /// A seeded bug; the words belong on standard error.
    Crashed(String),
}

fn send(output: &mut impl Write, message: &Value) -> std::io::Result<()> {
    writeln!(output, "{message}")?;
    output.flush()
}

fn answer(tasks: &mut Tasks, method: &str, params: &Value) -> Answer {
    match method {
        "initialize" => Answer::Result(json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tooltest-demo", "version": env!("CARGO_PKG_VERSION")},
            "instructions": "A list of tasks with a few bugs, for trying tooltest out.",
        })),
        "ping" => Answer::Result(json!({})),
        "tools/list" => Answer::Result(json!({"tools": tools()})),
        "tools/call" => {
            let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
            let empty = json!({});
            tasks.call(name, params.get("arguments").unwrap_or(&empty))
        }
        _ => Answer::Error(-32601, format!("there is no method {method}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(calls: &[(&str, Value)]) -> (Vec<Value>, Ending) {
        let line = |(index, (tool, arguments)): (usize, &(&str, Value))| {
            format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            )
        };
        let input: String = calls.iter().enumerate().map(line).collect();
        let mut output = Vec::new();
        let ending = serve(input.as_bytes(), &mut output, true).unwrap();
        let answers = String::from_utf8(output).unwrap();
        (answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), ending)
    }

    #[test]
    fn the_seeded_bugs_are_there() {
        let (_, ending) = talk(&[
            ("create_task", json!({"title": "a"})),
            ("delete_task", json!({"id": "tsk_1"})),
            ("get_task", json!({"id": "tsk_1"})),
        ]);
        assert!(matches!(ending, Ending::Crashed(_)), "reading a deleted task ends the server");
        let (answers, _) = talk(&[
            ("create_task", json!({"title": "a"})),
            ("complete_task", json!({"id": "tsk_1"})),
            ("list_tasks", json!({})),
            ("complete_task", json!({"id": "tsk_1"})),
            ("search_tasks", json!({"query": "a", "limit": 1})),
        ]);
        assert!(
            answers[2]["result"]["structuredContent"]["tasks"][0]["priority"].is_null(),
            "a done task has no priority"
        );
        assert_eq!(answers[3]["result"]["content"][0]["text"], "Error: the task is done already");
        assert!(answers[3]["result"].get("isError").is_none());
        assert_eq!(answers[4]["error"]["code"], -32603);
    }

    #[test]
    fn everything_else_works() {
        let (answers, ending) = talk(&[
            ("create_task", json!({"title": "buy milk"})),
            ("get_task", json!({"id": "tsk_1"})),
            ("get_task", json!({"id": "tsk_9"})),
            ("search_tasks", json!({"query": "milk"})),
            ("create_task", json!({"title": 3})),
            ("nothing", json!({})),
        ]);
        assert_eq!(ending, Ending::InputEnded);
        assert_eq!(
            answers[1]["result"]["structuredContent"],
            json!({"id": "tsk_1", "title": "buy milk", "priority": 2, "done": false})
        );
        assert_eq!(answers[2]["result"]["isError"], true);
        assert_eq!(answers[3]["result"]["structuredContent"]["tasks"].as_array().unwrap().len(), 1);
        assert_eq!(answers[4]["result"]["isError"], true);
        assert_eq!(answers[5]["error"]["code"], -32602);
    }
}
