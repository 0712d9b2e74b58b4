//! `coverage`.

use crate::lints::meta::lint;
use crate::lints::{Lint, Problem, RunContext};
#[cfg(test)]
use crate::lints::{examples::Examples, scene::Scene};
use crate::record::ToolRecord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use serde_json::json;

lint! {
    /// Too few tools were called, or too seldom.
    ///
    /// What was not called was not tested. Calls count whatever came of them; `state_machine_config.coverage_allowlist` and `coverage_blocklist` say which tools are looked at, and tools that the allowlist or blocklist of a run keeps from being called are left out.
    Coverage(Run, Disabled) {
        /// The rules: `{ rule = "min_calls_per_tool", min = 1 }`, `{ rule = "no_uncalled_tools" }`, `{ rule = "percent_called", min_percent = 80.0 }`.
        rules: Vec<Rule> = vec![Rule::NoUncalledTools {}],
    }
    spec: "", fix: "Give the run more calls or time, seeds for what it could not make up, or leave the tool out of coverage."
}

/// A rule about how often tools are called.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Rule {
    /// Each tool is called at least `min` times.
    MinCallsPerTool {
        /// The smallest number of calls that is fine.
        min: u64,
    },
    /// Each tool is called.
    NoUncalledTools {},
    /// At least `min_percent` of the tools are called.
    PercentCalled {
        /// From 0 to 100.
        #[serde(deserialize_with = "percent")]
        #[schemars(range(min = 0, max = 100))]
        min_percent: f64,
    },
}

fn percent<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if (0.0..=100.0).contains(&number) {
        return Ok(number);
    }
    Err(serde::de::Error::custom(format!("`min_percent` is {number}; it must be from 0 to 100")))
}

impl Lint for Coverage {
    fn run(&self, context: &RunContext<'_>, problems: &mut Vec<Problem>) {
        let input = context.input;
        let looked_at = |tool: &&ToolRecord| {
            let config = &input.state_machine_config;
            crate::glob::selects(&config.coverage_allowlist, &config.coverage_blocklist, &tool.name)
                && crate::glob::selects(&input.tool_allowlist, &input.tool_blocklist, &tool.name)
        };
        let tools: Vec<&ToolRecord> = context.record.tools.iter().filter(looked_at).collect();
        for rule in &self.rules {
            match rule {
                Rule::MinCallsPerTool { min } => {
                    for tool in tools.iter().filter(|tool| tool.calls < *min) {
                        let message = format!(
                            "tool {:?} was called {} times; wanted are {min}{}",
                            tool.name,
                            tool.calls,
                            reason(tool)
                        );
                        problems.push(Problem::new("min_calls_per_tool", message).tool(&tool.name));
                    }
                }
                Rule::NoUncalledTools {} => {
                    for tool in tools.iter().filter(|tool| tool.calls == 0) {
                        let message =
                            format!("tool {:?} was not called{}", tool.name, reason(tool));
                        problems.push(Problem::new("no_uncalled_tools", message).tool(&tool.name));
                    }
                }
                Rule::PercentCalled { min_percent } => {
                    problems.extend(percent_called(&tools, *min_percent))
                }
            }
        }
    }
}

fn reason(tool: &ToolRecord) -> String {
    tool.not_called.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default()
}

fn percent_called(tools: &[&ToolRecord], min_percent: f64) -> Option<Problem> {
    let called = tools.iter().filter(|tool| tool.calls > 0).count();
    #[expect(clippy::cast_precision_loss, reason = "no server has 2^52 tools")]
    let percent = called as f64 * 100.0 / tools.len() as f64;
    let uncalled: Vec<&str> = tools
        .iter()
        .filter(|tool| tool.calls == 0)
        .map(|tool| tool.name.as_str())
        .take(5)
        .collect();
    (percent < min_percent).then(|| {
        let message = format!(
            "{called} of {} tools ({percent:.1} %) were called; wanted are {min_percent} %; not called: {}",
            tools.len(),
            uncalled.join(", ")
        );
        Problem::new("percent_called", message)
    })
}

#[cfg(test)]
pub(super) fn examples() -> Examples {
    use crate::record::Record;
    let scene = |rules: serde_json::Value| {
        let tool = |name: &str, calls: u64| ToolRecord {
            name: name.to_owned(),
            calls,
            ..ToolRecord::default()
        };
        let mut never = tool("delete", 0);
        never.not_called = Some("this run is read-only".to_owned());
        let record =
            Record { tools: vec![tool("read", 5), tool("list", 1), never], ..Record::default() };
        Scene::new().record(record).params(json!({ "rules": rules }))
    };
    let uncalled = || scene(json!([{"rule": "no_uncalled_tools"}]));
    let blocked = |list: &str| vec![list.to_owned()];
    Examples::of(&ENTRY)
        .flags("tool \"delete\" was not called: this run is read-only", uncalled())
        .flags(
            "2 of 3 tools (66.7 %) were called; wanted are 80 %; not called: delete",
            scene(json!([{"rule": "percent_called", "min_percent": 80}])),
        )
        .flags(
            "tool \"list\" was called 1 times; wanted are 2",
            scene(json!([{"rule": "min_calls_per_tool", "min": 2}])).with_input(|input| {
                input.state_machine_config.coverage_blocklist = blocked("del*")
            }),
        )
        .passes(scene(json!([{"rule": "percent_called", "min_percent": 66.6}])))
        .passes(scene(json!([])))
        .passes(
            uncalled().with_input(|input| {
                input.state_machine_config.coverage_allowlist = blocked("read")
            }),
        )
        .passes(uncalled().with_input(|input| input.tool_blocklist = blocked("delete")))
        .passes(
            Scene::new().params(json!({"rules": [{"rule": "percent_called", "min_percent": 100}]})),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_beyond_100_is_refused() {
        let built = |min_percent: f64| {
            (ENTRY.build)(
                &json!({"rules": [{"rule": "percent_called", "min_percent": min_percent}]}),
            )
        };
        assert!(built(100.0).is_ok());
        assert!(built(101.0).is_err());
        assert!((ENTRY.build)(&json!({"rules": [{"rule": "percent"}]})).is_err());
        assert!(
            (ENTRY.build)(&json!({"rules": [{"rule": "no_uncalled_tools", "min": 1}]})).is_err()
        );
    }
}
