//! Typing into a session, and waiting until its program is quiet.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::failure::Failure;
use crate::session::{ElementId, Session};
use crate::terminal::{Format, Screen};
use crate::value::{Text, Whole};

/// Milliseconds; the server's owner may set a lower bound above, which the listed schema then shows.
type Milliseconds = Whole<0, 600_000>;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Encoding {
    #[default]
    Utf8,
    Base64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendInput {
    session: String,
    /// What to type, as it is: a line needs its line feed
    input: Text<0, 65536>,
    /// base64 for bytes that are no text, such as function keys
    #[serde(default)]
    encoding: Encoding,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct SentInput {
    session: String,
    /// Number of bytes typed
    bytes: usize,
    /// Whether the program's terminal has them: false while input is captured, or while the program leaves its input unread
    delivered: bool,
    /// The element that captured input is meant for
    #[serde(skip_serializing_if = "Option::is_none")]
    captured_by: Option<ElementId>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AwaitQuiesce {
    session: String,
    /// Milliseconds of silence that count as idle
    timeout_ms: Option<Milliseconds>,
    /// Milliseconds after which to give up
    max_wait_ms: Option<Milliseconds>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Quiet {
    session: String,
    /// Number of bytes of output seen so far
    generation: u64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunCommand {
    session: String,
    /// The line to type; a line feed is added if it has none
    input: Text<0, 65536>,
    /// Milliseconds of silence that count as idle
    timeout_ms: Option<Milliseconds>,
    /// Milliseconds after which to give up; the answer then is an error with the screen so far
    max_wait_ms: Option<Milliseconds>,
    #[serde(default)]
    format: Format,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct RunResult {
    session: String,
    /// Whether the program fell silent in time
    idle: bool,
    /// Number of bytes of output seen so far
    generation: u64,
    screen: Screen,
}

/// Types bytes, unless input is captured.
pub(crate) async fn send_input(app: &App, params: SendInput) -> Result<SentInput, Failure> {
    let session = app.sessions.find(&params.session)?;
    let bytes = decode(params.input.as_str(), params.encoding)?;
    running(&session, &params.session)?;
    let length = bytes.len();
    let (captured, captured_by) = {
        let elements = session.elements();
        (elements.captured, elements.focus)
    };
    let delivered = !captured && session.write(bytes).await;
    Ok(SentInput { session: params.session, bytes: length, delivered, captured_by })
}

fn decode(input: &str, encoding: Encoding) -> Result<Vec<u8>, Failure> {
    match encoding {
        Encoding::Utf8 => Ok(input.as_bytes().to_vec()),
        Encoding::Base64 => STANDARD
            .decode(input)
            .map_err(|error| Failure::Invalid(format!("input is not base64: {error}"))),
    }
}

fn running(session: &Session, name: &str) -> Result<(), Failure> {
    if session.pty().running() {
        return Ok(());
    }
    Err(Failure::Conflict(format!("the program of session {name:?} has ended")))
}

/// Waits until the program has been silent long enough.
pub(crate) async fn await_quiesce(app: &App, params: AwaitQuiesce) -> Result<Quiet, Failure> {
    let wait = Wait::new(app, params.timeout_ms, params.max_wait_ms)?;
    let session = app.sessions.find(&params.session)?;
    let (generation, idle) = session.idle(wait.silence, wait.deadline).await;
    if !idle {
        return Err(Failure::Late { message: wait.complaint(), so_far: None });
    }
    Ok(Quiet { session: params.session, generation })
}

/// Types a line, waits until the program is silent, and reads the screen.
pub(crate) async fn run_command(app: &App, params: RunCommand) -> Result<RunResult, Failure> {
    let wait = Wait::new(app, params.timeout_ms, params.max_wait_ms)?;
    let session = app.sessions.find(&params.session)?;
    running(&session, &params.session)?;
    if session.elements().captured {
        return Err(Failure::Conflict(
            "input is captured; release it with wsh_input_mode first".to_owned(),
        ));
    }
    let mut line = params.input.as_str().to_owned();
    if !line.ends_with(['\n', '\r']) {
        line.push('\n');
    }
    session.write(line.into_bytes()).await;
    let (generation, idle) = session.idle(wait.silence, wait.deadline).await;
    let screen = session.emulator().screen(params.format);
    let result = RunResult { session: params.session, idle, generation, screen };
    if idle {
        return Ok(result);
    }
    let so_far =
        serde_json::to_value(&result).map_err(|e| Failure::system("writing the screen", e))?;
    Err(Failure::Late { message: wait.complaint(), so_far: Some(so_far) })
}

/// How long to wait, and for what.
struct Wait {
    silence: Duration,
    deadline: Duration,
}

impl Wait {
    fn new(
        app: &App,
        silence: Option<Milliseconds>,
        deadline: Option<Milliseconds>,
    ) -> Result<Self, Failure> {
        let most = app.config.max_wait_ms;
        let checked =
            |name: &str, given: Option<Milliseconds>, default: u32| match given.map(Whole::get) {
                Some(given) if given > most => Err(Failure::Invalid(format!(
                    "{name} is {given}, this server allows {most} at most"
                ))),
                given => Ok(Duration::from_millis(u64::from(given.unwrap_or(default.min(most))))),
            };
        Ok(Self {
            silence: checked("timeout_ms", silence, app.config.idle_ms)?,
            deadline: checked("max_wait_ms", deadline, DEFAULT_DEADLINE_MS)?,
        })
    }

    fn complaint(&self) -> String {
        format!(
            "the program was not silent for {} ms within {} ms",
            self.silence.as_millis(),
            self.deadline.as_millis()
        )
    }
}

/// How long a call waits for silence when it does not say.
pub(crate) const DEFAULT_DEADLINE_MS: u32 = 30_000;
