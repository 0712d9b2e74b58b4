//! The runner of this process, and its say in what else is started.

use super::audit::{Attempt, Outcome};
use super::error::Refusal;
use super::policy::ScriptRequest;
use super::service::Runner;
use super::settings::{Settings, Sources};
use crate::failure::Failure;
use crate::host::{user_config_dir, variable, working_folder};
use crate::mcp::trust::{self, Decide};
use crate::output;
use std::path::Path;
use std::sync::Arc;
use tooltest_core::config::discover;
use tooltest_core::input::StdioTarget;

/// The runner that `tooltest.toml` and the variables of the process set up, if they do.
pub(crate) fn from_process() -> Result<Option<Arc<Runner>>, Failure> {
    let folder = working_folder()?;
    let found = match discover(&folder, user_config_dir().as_deref()) {
        Ok(found) => Some(found),
        // Runs tell their clients about it; the runner is off, which lets nothing happen.
        Err(error) => {
            output::note(&format!("tooltest: the guarded runner sees no [runner]: {error}"));
            None
        }
    };
    let file = found.as_ref().and_then(|(config, origin)| {
        let base = origin.path().and_then(Path::parent).unwrap_or(&folder);
        Some((config.runner.as_ref()?, base))
    });
    let settings = Settings::read(&Sources { file, variable: &variable, folder: &folder });
    let settings = settings.map_err(Failure::usage)?;
    Ok(settings.map(|settings| Arc::new(Runner::new(settings))))
}

/// What the runner's policy says about the commands that clients over HTTP want tested.
pub(crate) fn decide(runner: &Arc<Runner>) -> Decide {
    let runner = Arc::clone(runner);
    Arc::new(move |target| {
        start(&runner, target).map_err(|refusal| {
            trust::Refusal(format!(
                "target.stdio: {refusal}; a server is allowed as a script on the list is"
            ))
        })
    })
}

/// The target as it is started: the script's own file in its own folder, its arguments checked, its environment the policy's.
fn start(runner: &Runner, target: &StdioTarget) -> Result<StdioTarget, Refusal> {
    let request = ScriptRequest {
        path: target.command.clone(),
        args: target.args.clone(),
        env: target.env.clone(),
        timeout_ms: None,
    };
    let attempt = Attempt {
        tool: "tooltest",
        path: target.command.clone(),
        args: target.args.clone(),
        requester: None,
    };
    let approved = runner.policy().approve(&request).and_then(|approved| {
        let folder = approved.folder.to_str().ok_or_else(|| not_text(&approved.folder))?;
        let program = approved.program.to_str().ok_or_else(|| not_text(&approved.program))?;
        if target.cwd.as_deref().is_some_and(|cwd| cwd != folder) {
            return Err(Refusal::policy(format!(
                "the working folder is the script's own; allowed are no `cwd`, and {folder}"
            )));
        }
        Ok(StdioTarget {
            command: program.to_owned(),
            args: approved.args,
            env: approved.env,
            cwd: Some(folder.to_owned()),
            only_env: true,
        })
    });
    match approved {
        Ok(target) => {
            runner.audit().admit(attempt)?.record(&Outcome::default())?;
            Ok(target)
        }
        Err(refusal) => Err(runner.audit().refused(attempt, refusal)),
    }
}

fn not_text(path: &Path) -> Refusal {
    Refusal::policy(format!("{} is no text; allowed are paths in UTF-8", path.display()))
}
