//! Making, listing, renaming and ending sessions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::Launch;
use crate::value::{Name, Text, Whole};

type Rows = Whole<2, 300>;
type Cols = Whole<2, 500>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateSession {
    /// Name for the session; one is made if absent
    name: Option<Name>,
    /// Program and arguments to run instead of the server's shell; the server's owner decides which are allowed
    command: Option<Text<1, 4096>>,
    #[serde(default = "rows")]
    rows: Rows,
    #[serde(default = "cols")]
    cols: Cols,
    /// Existing folder to start in
    cwd: Option<Text<1, 4096>>,
    /// Environment variables to add
    env: Option<BTreeMap<String, Text<0, 4096>>>,
}

fn rows() -> Rows {
    Rows::clamped(24)
}

fn cols() -> Cols {
    Cols::clamped(80)
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct CreatedSession {
    /// The session's name, for all other calls
    session: String,
    pid: u32,
    rows: u16,
    cols: u16,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSessions {
    /// Only this session
    session: Option<String>,
}

impl ListSessions {
    /// Asks for all.
    pub(crate) fn all() -> Self {
        Self { session: None }
    }

    /// Asks for one.
    pub(crate) fn one(name: String) -> Self {
        Self { session: Some(name) }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct SessionList {
    /// In the order of their names
    pub(crate) sessions: Vec<SessionInfo>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct SessionInfo {
    name: String,
    pid: u32,
    /// Rows the program has: those of the terminal less those of panels
    rows: u16,
    cols: u16,
    /// Whether the program still runs
    running: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Action {
    Kill,
    Rename,
    Detach,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManageSession {
    session: String,
    /// kill ends the program and removes the session; rename needs `new_name`; detach sends all viewers away
    action: Action,
    /// The session's new name, for rename only
    new_name: Option<Name>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ManagedSession {
    /// The session's name after the action
    session: String,
    action: Action,
    /// Number of viewers sent away, for detach only
    #[serde(skip_serializing_if = "Option::is_none")]
    detached: Option<usize>,
}

/// Starts a program in a new terminal.
pub(crate) async fn create_session(
    app: &App,
    params: CreateSession,
) -> Result<CreatedSession, Failure> {
    let launch = launch(app, &params)?;
    let (rows, cols) = (launch.rows, launch.cols);
    let history = app.config.history;
    let name = params.name.map(Name::into_inner);
    let make = async || Session::start(launch, history).await;
    let session = app.sessions.add(name, app.config.max_sessions, make).await?;
    let pid = app.sessions.find(&session)?.pty().pid();
    Ok(CreatedSession { session, pid, rows, cols })
}

fn launch(app: &App, params: &CreateSession) -> Result<Launch, Failure> {
    let argv = app.argv(params.command.as_ref().map(Text::as_str))?;
    let here =
        || std::env::current_dir().map_err(|e| Failure::system("finding the working directory", e));
    let cwd = params.cwd.as_ref().map_or_else(here, |cwd| Ok(PathBuf::from(cwd.as_str())))?;
    if !cwd.is_dir() {
        return Err(Failure::Invalid(format!("cwd {} is not an existing folder", cwd.display())));
    }
    let mut env = BTreeMap::new();
    for (key, value) in params.env.iter().flatten() {
        if key.is_empty() || key.contains(['=', '\0']) || value.as_str().contains('\0') {
            return Err(Failure::Invalid(format!(
                "{key:?} is no environment variable that can be set"
            )));
        }
        env.insert(key.clone(), value.as_str().to_owned());
    }
    if argv.iter().any(|word| word.contains('\0')) {
        return Err(Failure::Invalid("command contains a NUL character".to_owned()));
    }
    let (rows, cols) = (params.rows.cells(), params.cols.cells());
    Ok(Launch {
        argv,
        cwd,
        env,
        env_hidden: vec![crate::args::TOKEN_VARIABLE.to_owned()],
        rows,
        cols,
    })
}

/// Lists all sessions, or one.
pub(crate) fn list_sessions(app: &App, params: ListSessions) -> Result<SessionList, Failure> {
    let sessions = match params.session {
        Some(name) => {
            let session = app.sessions.find(&name)?;
            vec![(name, session)]
        }
        None => app.sessions.all(),
    };
    Ok(SessionList {
        sessions: sessions.into_iter().map(|(name, session)| info(name, &session)).collect(),
    })
}

fn info(name: String, session: &Session) -> SessionInfo {
    let (rows, cols) = session.emulator().size();
    SessionInfo { name, pid: session.pty().pid(), rows, cols, running: session.pty().running() }
}

/// Ends, renames or detaches a session.
pub(crate) async fn manage_session(
    app: &App,
    params: ManageSession,
) -> Result<ManagedSession, Failure> {
    let ManageSession { session: name, action, new_name } = params;
    let session = app.sessions.find(&name)?;
    match (action, new_name) {
        (Action::Rename, Some(new_name)) => {
            let new_name = new_name.into_inner();
            app.sessions.rename(&name, &new_name).await?;
            Ok(ManagedSession { session: new_name, action, detached: None })
        }
        (Action::Rename, None) => Err(Failure::Invalid("rename needs new_name".to_owned())),
        (_, Some(_)) => Err(Failure::Invalid("new_name goes with rename only".to_owned())),
        (Action::Kill, None) => {
            app.sessions.take(&name)?.pty().kill().await;
            session.detach();
            Ok(ManagedSession { session: name, action, detached: None })
        }
        (Action::Detach, None) => {
            Ok(ManagedSession { session: name, action, detached: Some(session.detach()) })
        }
    }
}
