//! Other testers, run as commands.

use super::endpoint::Endpoint;
use super::subject::Subject;
use super::tester::{Budget, Report, Tested, Tester};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a tester may take beyond its budget before it is ended.
const GRACE: Duration = Duration::from_secs(30);
/// How often a running tester is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// So much of a tester's output is kept, in characters.
const KEPT: usize = 400;

/// A command that exits with 0 when it found nothing wrong. It names neither lint nor tool, so that any complaint about a
/// mutant counts as a detection.
pub struct External {
    /// The command line with its placeholders, run by `sh`.
    pub template: String,
}

impl Tester for External {
    fn name(&self) -> String {
        self.template.split_whitespace().next().unwrap_or("external").to_owned()
    }

    fn test(&self, _: &Subject, endpoint: &Endpoint, budget: Budget) -> Result<Tested, String> {
        let line = fill(&self.template, endpoint, budget)?;
        let output = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        let file = || output.reopen().map_err(|error| error.to_string());
        let mut command = Command::new("sh");
        command.args(["-c", &line]).stdin(Stdio::null()).stdout(file()?).stderr(file()?);
        if let Endpoint::Command { env, .. } = endpoint {
            command.envs(env);
        }
        let started = Instant::now();
        let mut child = command.spawn().map_err(|error| format!("sh: {error}"))?;
        let limit = Duration::from_secs_f64(budget.seconds) + GRACE;
        let status = loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None if started.elapsed() < limit => std::thread::sleep(LOOK),
                None => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("`{line}` did not end"));
                }
            }
        };
        let text = std::fs::read_to_string(output.path()).unwrap_or_default();
        let said = Report {
            error: true,
            message: text.chars().take(KEPT).collect(),
            seconds: Some(started.elapsed().as_secs_f64()),
            ..Report::default()
        };
        let reports = if status.success() { Vec::new() } else { vec![said] };
        Ok(Tested { reports, calls: None, document: text.into() })
    }
}

/// The template with its placeholders filled; an error where it has none for this endpoint.
fn fill(template: &str, endpoint: &Endpoint, budget: Budget) -> Result<String, String> {
    let (placeholder, value) = match endpoint {
        Endpoint::Command { argv, .. } => {
            ("{command}", argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
        }
        Endpoint::Url { url, .. } => ("{url}", quoted(url)),
    };
    if !template.contains(placeholder) {
        return Err(format!("the tester's command has no {placeholder}"));
    }
    Ok(template
        .replace("{seed}", &budget.seed.to_string())
        .replace("{calls}", &budget.calls.to_string())
        .replace("{seconds}", &budget.seconds.to_string())
        .replace(placeholder, &value))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::catalogue::{Era, ServerName, Transport};
    use crate::bench::subject::Variant;
    use std::collections::BTreeMap;

    const BUDGET: Budget = Budget { calls: 7, seconds: 5.0, seed: 3 };

    fn endpoint() -> Endpoint {
        let env = BTreeMap::from([("TOOLTEST_BUG".to_owned(), "some_bug".to_owned())]);
        Endpoint::Command { argv: vec!["it's".to_owned(), "a b".to_owned()], env }
    }

    fn subject() -> Subject {
        Subject {
            server: ServerName::Crud,
            variant: Variant::Clean,
            transport: Transport::Stdio,
            era: Era::Any,
        }
    }

    #[test]
    fn words_reach_the_tester_as_they_are_and_its_status_tells() {
        let template = r#"printf '%s|' {command} {seed} {calls}; [ "$TOOLTEST_BUG" = none ]"#;
        let tester = External { template: template.to_owned() };
        let tested = tester.test(&subject(), &endpoint(), BUDGET).unwrap();
        assert_eq!(tested.reports.len(), 1);
        assert_eq!(tested.document, "it's|a b|3|7|");
        let content = External { template: "true {command}".to_owned() };
        assert!(content.test(&subject(), &endpoint(), BUDGET).unwrap().reports.is_empty());
    }

    #[test]
    fn a_template_without_the_server_is_refused() {
        let tester = External { template: "true {url}".to_owned() };
        let error = tester.test(&subject(), &endpoint(), BUDGET).unwrap_err();
        assert!(error.contains("{command}"), "{error}");
    }
}
