//! The demo server's tools: a list of tasks, with four bugs.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a tool answers.
pub(super) enum Answer {
    /// A result.
    Result(Value),
    /// A JSON-RPC error.
    Error(i64, String),
    /// The process ends, with these words on standard error.
    Crash(String),
}

#[derive(Debug, Clone)]
struct Task {
    title: String,
    priority: i64,
    done: bool,
    deleted: bool,
}

/// The tasks, by number.
#[derive(Debug)]
pub(super) struct Tasks {
    tasks: BTreeMap<u64, Task>,
    /// Whether the bugs are there.
    buggy: bool,
}

/// The tools as `tools/list` tells them.
pub(super) fn tools() -> Value {
    let id = json!({"type": "string", "pattern": "^tsk_[0-9]+$", "description": "Id of a task, as create_task returns it, for example tsk_1"});
    let task = json!({
        "type": "object", "required": ["id", "title", "priority", "done"], "additionalProperties": false,
        "properties": {"id": {"type": "string"}, "title": {"type": "string"}, "priority": {"type": "integer"}, "done": {"type": "boolean"}},
    });
    let tasks = json!({"type": "object", "required": ["tasks"], "properties": {"tasks": {"type": "array", "items": task}}});
    let tool = |name: &str,
                about: &str,
                properties: Value,
                required: &[&str],
                hints: Value,
                output: &Value| {
        json!({
            "name": name, "description": about, "annotations": hints, "outputSchema": output,
            "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false},
        })
    };
    let gone = json!({"type": "object", "required": ["deleted"], "properties": {"deleted": {"type": "boolean"}}});
    let reads = json!({"readOnlyHint": true});
    let writes = json!({"readOnlyHint": false, "destructiveHint": false});
    let title = json!({"type": "string", "minLength": 1, "maxLength": 80, "description": "What is to be done"});
    let priority = json!({"type": "integer", "minimum": 1, "maximum": 3, "default": 2, "description": "1 is most urgent"});
    let query = json!({"type": "string", "description": "Text to find in titles"});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "Most tasks to return"});
    json!([
        tool(
            "create_task",
            "Create a task and return it with its id.",
            json!({"title": title, "priority": priority}),
            &["title"],
            writes.clone(),
            &task
        ),
        tool("get_task", "Read one task.", json!({"id": id}), &["id"], reads.clone(), &task),
        tool("list_tasks", "List all tasks.", json!({}), &[], reads.clone(), &tasks),
        tool(
            "search_tasks",
            "Find tasks whose title contains a text.",
            json!({"query": query, "limit": limit}),
            &["query"],
            reads,
            &tasks
        ),
        tool(
            "complete_task",
            "Mark a task as done and return it.",
            json!({"id": id}),
            &["id"],
            writes,
            &task
        ),
        tool(
            "delete_task",
            "Delete a task.",
            json!({"id": id}),
            &["id"],
            json!({"readOnlyHint": false, "destructiveHint": true}),
            &gone
        ),
    ])
}

fn structured(value: &Value) -> Answer {
    Answer::Result(
        json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value}),
    )
}

fn refusal(text: impl Into<String>) -> Answer {
    Answer::Result(json!({"content": [{"type": "text", "text": text.into()}], "isError": true}))
}

impl Tasks {
    /// No tasks yet.
    pub(super) const fn new(buggy: bool) -> Self {
        Self { tasks: BTreeMap::new(), buggy }
    }

    /// Carries a call out.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Answer {
        let Some(schema) = schema_of(tool) else {
            return Answer::Error(-32602, format!("there is no tool {tool}"));
        };
        if let Some(fault) = fault(&schema, arguments) {
            return refusal(fault);
        }
        match tool {
            "create_task" => self.create(arguments),
            "get_task" => self.get(arguments),
            "list_tasks" => structured(&json!({"tasks": self.shown(|_| true, usize::MAX)})),
            "search_tasks" => self.search(arguments),
            "complete_task" => self.complete(arguments),
            _ => self.delete(arguments),
        }
    }

    fn create(&mut self, arguments: &Value) -> Answer {
        let number = self.tasks.len() as u64 + 1;
        let title = arguments["title"].as_str().unwrap_or_default().to_owned();
        let priority = arguments.get("priority").and_then(Value::as_i64).unwrap_or(2);
        let task = Task { title, priority, done: false, deleted: false };
        let shown = show(number, &task);
        self.tasks.insert(number, task);
        structured(&shown)
    }

    fn get(&self, arguments: &Value) -> Answer {
        match self.find(arguments) {
            // Bug 1: the record of a deleted task is still found, and taken for whole.
            Some((number, task)) if task.deleted && self.buggy => Answer::Crash(format!(
                "panic: get_task: index {number} points to a deleted record\n  at tasks.rs: get_task\n  at server.rs: serve"
            )),
            Some((number, task)) if !task.deleted => structured(&show(number, task)),
            _ => refusal("there is no such task"),
        }
    }

    fn search(&self, arguments: &Value) -> Answer {
        let query = arguments["query"].as_str().unwrap_or_default();
        let limit = arguments.get("limit").and_then(Value::as_u64).unwrap_or(10);
        // Bug 2: pages are counted with `limit - 1`, which one is not prepared for.
        if limit == 1 && self.buggy {
            return Answer::Error(-32603, "division by zero".to_owned());
        }
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        structured(&json!({"tasks": self.shown(|task| task.title.contains(query), limit)}))
    }

    fn complete(&mut self, arguments: &Value) -> Answer {
        let number =
            self.find(arguments).filter(|(_, task)| !task.deleted).map(|(number, _)| number);
        let Some((number, task)) =
            number.and_then(|number| Some((number, self.tasks.get_mut(&number)?)))
        else {
            return refusal("there is no such task");
        };
        if task.done && !self.buggy {
            return refusal("the task is done already");
        }
        if task.done {
            // Bug 3: a refusal that does not say that it is one.
            return Answer::Result(
                json!({"content": [{"type": "text", "text": "Error: the task is done already"}]}),
            );
        }
        task.done = true;
        structured(&show(number, task))
    }

    fn delete(&mut self, arguments: &Value) -> Answer {
        let number =
            self.find(arguments).filter(|(_, task)| !task.deleted).map(|(number, _)| number);
        match number.and_then(|number| self.tasks.get_mut(&number)) {
            Some(task) => {
                task.deleted = true;
                structured(&json!({"deleted": true}))
            }
            None => refusal("there is no such task"),
        }
    }

    fn find(&self, arguments: &Value) -> Option<(u64, &Task)> {
        let number: u64 = arguments["id"].as_str()?.strip_prefix("tsk_")?.parse().ok()?;
        self.tasks.get(&number).map(|task| (number, task))
    }

    /// Tasks in a list.
    fn shown(&self, fits: impl Fn(&Task) -> bool, limit: usize) -> Vec<Value> {
        let tasks = self.tasks.iter().filter(|(_, task)| !task.deleted && fits(task)).take(limit);
        tasks
            .map(|(number, task)| {
                let mut shown = show(*number, task);
                // Bug 4: lists show a task that is done without its priority, against the output schema.
                if task.done && self.buggy {
                    shown["priority"] = Value::Null;
                }
                shown
            })
            .collect()
    }
}

fn show(number: u64, task: &Task) -> Value {
    json!({"id": format!("tsk_{number}"), "title": task.title, "priority": task.priority, "done": task.done})
}

fn schema_of(tool: &str) -> Option<Value> {
    let tools = tools();
    let found = tools.as_array()?.iter().find(|item| item["name"] == tool)?;
    Some(found["inputSchema"].clone())
}

/// What is wrong with the arguments, by the few keywords that these tools use.
fn fault(schema: &Value, arguments: &Value) -> Option<String> {
    let Value::Object(arguments) = arguments else {
        return Some("the arguments must be an object".to_owned());
    };
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required.into_iter().find(|name| !arguments.contains_key(*name));
    if let Some(name) = missing {
        return Some(format!("{name} is missing"));
    }
    arguments.iter().find_map(|(name, value)| match properties.get(name) {
        None => Some(format!("there is no parameter {name}")),
        Some(property) => value_fault(name, property, value),
    })
}

fn value_fault(name: &str, property: &Value, value: &Value) -> Option<String> {
    let bound = |key: &str| property.get(key).and_then(Value::as_i64);
    let outside = |n: i64, least: &str, most: &str| {
        bound(least).is_some_and(|least| n < least) || bound(most).is_some_and(|most| n > most)
    };
    let fits = match (property["type"].as_str(), value) {
        (Some("string"), Value::String(text)) => {
            let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
            let digits = text.strip_prefix("tsk_").unwrap_or_default();
            let is_id = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            !outside(length, "minLength", "maxLength")
                && (property.get("pattern").is_none() || is_id)
        }
        (Some("integer"), Value::Number(number)) => {
            let whole = number.as_i64().or_else(|| {
                number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 1e15).map(whole)
            });
            whole.is_some_and(|n| !outside(n, "minimum", "maximum"))
        }
        _ => false,
    };
    (!fits).then(|| format!("{name} must fit {property}"))
}

/// A whole number written as a float, which JSON Schema counts as an integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the caller checked that it is whole and small"
)]
fn whole(n: f64) -> i64 {
    n as i64
}
