//! What changes leave behind: a workshop whose jobs have states and names, with one fault at a time.

mod serving;

use serde_json::{Value, json};
use serving::{input, run, serve};
use std::collections::BTreeMap;
use tooltest_core::case::Phase;
use tooltest_core::finding::Finding;
use tooltest_core::session::Connector;
use tooltest_core::transport::MemoryChannel;

/// What is wrong with the workshop.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// Nothing.
    None,
    /// A job that is opened again after it was finished ends the server.
    OpenedAgain,
    /// A job that is deleted takes those with it whose names begin with its name.
    Namesakes,
    /// A job with a size that the schema forbids is refused, and stored all the same.
    StoredAnyway,
}

/// Jobs by name, and whether each is finished.
type Jobs = BTreeMap<String, bool>;

struct Workshop(Fault);

impl Connector for Workshop {
    fn connect(&self) -> Result<MemoryChannel, String> {
        let (channel, peer) = MemoryChannel::pair();
        let fault = self.0;
        std::thread::spawn(move || {
            let mut jobs = Jobs::new();
            serve(&peer, &tools(), |name, sent| {
                Some(vec![call(&mut jobs, fault, name, sent).transpose()?])
            });
        });
        Ok(channel)
    }
}

fn tools() -> Value {
    let tool = |name: &str, properties: Value, required: &[&str]| json!({"name": name, "description": "About the jobs of a workshop.", "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": false}});
    let name = json!({"type": "string", "minLength": 1});
    let size = json!({"type": "integer", "minimum": 1, "maximum": 9});
    json!({"tools": [
        tool("create_job", json!({"name": name, "size": size}), &["name"]),
        tool("finish_job", json!({"job_name": name}), &["job_name"]),
        tool("reopen_job", json!({"job_name": name}), &["job_name"]),
        tool("delete_job", json!({"job_name": name}), &["job_name"]),
        tool("list_jobs", json!({}), &[]),
    ]})
}

/// The text of an answer; none where the server ends.
fn call(jobs: &mut Jobs, fault: Fault, tool: &str, sent: &Value) -> Result<Option<String>, String> {
    if tool == "list_jobs" {
        if sent.as_object().is_some_and(|sent| !sent.is_empty()) {
            return Err("list_jobs takes no arguments".to_owned());
        }
        let shown = |(name, done): (&String, &bool)| json!({"name": name, "finished": done});
        let shown: Vec<Value> = jobs.iter().map(shown).collect();
        return Ok(Some(json!({"jobs": shown}).to_string()));
    }
    let key = if tool == "create_job" { "name" } else { "job_name" };
    let others =
        sent.as_object().into_iter().flatten().any(|(name, _)| name != key && name != "size");
    let name = sent[key].as_str().filter(|name| !name.is_empty() && !others);
    let Some(name) = name.map(str::to_owned) else {
        return Err(format!("give {key} and nothing that is not in the schema"));
    };
    if tool == "create_job" {
        if jobs.contains_key(&name) {
            return Err(format!("there is a job {name:?} already"));
        }
        let size = sent.get("size").map_or(Some(1), Value::as_i64);
        let fits = size.is_some_and(|size| (1..=9).contains(&size));
        if fits || fault == Fault::StoredAnyway {
            jobs.insert(name.clone(), false);
        }
        let made = Ok(Some(json!({"job_name": name}).to_string()));
        return if fits { made } else { Err("the size must be from 1 to 9".to_owned()) };
    }
    let Some(done) = jobs.get_mut(&name) else {
        return Err(format!("there is no job {name:?}"));
    };
    match tool {
        "delete_job" if fault == Fault::Namesakes => {
            jobs.retain(|other, _| !other.starts_with(&name))
        }
        "delete_job" => drop(jobs.remove(&name)),
        "reopen_job" if *done && fault == Fault::OpenedAgain => return Ok(None),
        _ if *done == (tool == "finish_job") => return Err(format!("job {name:?} is so already")),
        _ => *done = tool == "finish_job",
    }
    Ok(Some(json!({"done": true}).to_string()))
}

fn found(fault: Fault, seed: u64) -> Vec<Finding> {
    let mut input = input("workshop", seed, 500);
    input.phases = vec![Phase::Examples, Phase::Boundary, Phase::Negative, Phase::Stateful];
    let result = run(Workshop(fault), input);
    result.findings.into_iter().chain(result.warnings).collect()
}

/// The names of the calls of the smallest case of the finding of that lint.
fn case_of<'a>(findings: &'a [Finding], lint: &str) -> Vec<&'a str> {
    let finding = findings.iter().find(|finding| finding.lint == lint);
    let case = finding.and_then(|finding| finding.case.as_ref());
    let steps = case.into_iter().flat_map(|case| &case.steps);
    steps.map(|step| step.name.as_str()).filter(|name| name.contains("_job")).collect()
}

#[test]
fn what_was_refused_for_its_state_is_tried_once_that_has_changed() {
    let findings = found(Fault::OpenedAgain, 1);
    assert_eq!(case_of(&findings, "no_crash"), ["create_job", "finish_job", "reopen_job"]);
}

#[test]
fn names_that_begin_with_another_are_tried() {
    let lints = ["created_not_found", "list_disagrees", "get_after_delete"];
    let blamed = |finding: &Finding| {
        lints.contains(&finding.lint.as_str()) && finding.tool.as_deref() == Some("delete_job")
    };
    // Such names are made now and then.
    let mut seeds = 1..=4;
    assert!(seeds.any(|seed| found(Fault::Namesakes, seed).iter().any(blamed)));
}

#[test]
fn of_a_burst_of_refused_calls_the_one_that_changed_something_is_blamed() {
    let findings = found(Fault::StoredAnyway, 1);
    let case = case_of(&findings, "failed_call_changed_state");
    assert_eq!(case, ["list_jobs", "create_job", "list_jobs"]);
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    let findings = found(Fault::None, 1);
    let lints: Vec<&str> = findings.iter().map(|finding| finding.lint.as_str()).collect();
    assert!(lints.is_empty(), "{lints:?}");
}
